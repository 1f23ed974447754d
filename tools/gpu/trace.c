/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Writes the kernels and copies of a process to $TRACE_OUT, a line each, by CUPTI. CUDA loads this
 * library if $CUDA_INJECTION64_PATH names it. Fields, separated by tabs: stream, start and end in ns,
 * name, time when it was queued (0: not known), and thread blocks or bytes. */

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <cupti.h>

static FILE *out;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void write_line(uint32_t stream, uint64_t start, uint64_t end, const char *name, uint64_t queued, uint64_t size)
{
    fprintf(out, "%"PRIu32"\t%"PRIu64"\t%"PRIu64"\t%s\t%"PRIu64"\t%"PRIu64"\n", stream, start, end, name, queued, size);
}

static void write_record(const CUpti_Activity *record)
{
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
        const CUpti_ActivityKernel9 *k = (const CUpti_ActivityKernel9 *)record;

        write_line(k->streamId, k->start, k->end, k->name, k->queued, (uint64_t)k->gridX * k->gridY * k->gridZ);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
        const CUpti_ActivityMemcpy5 *c = (const CUpti_ActivityMemcpy5 *)record;
        const char *name = c->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD ? "upload" :
                           c->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH ? "download" : "copy";

        write_line(c->streamId, c->start, c->end, name, 0, c->bytes);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
        const CUpti_ActivityMemset4 *s = (const CUpti_ActivityMemset4 *)record;

        write_line(s->streamId, s->start, s->end, "memset", 0, s->bytes);
    }
}

static void CUPTIAPI get_buffer(uint8_t **buffer, size_t *size, size_t *most)
{
    *size   = 8 << 20;
    *buffer = aligned_alloc(8, *size);
    *most   = 0;
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t used)
{
    CUpti_Activity *record = NULL;

    pthread_mutex_lock(&mutex);
    while (cuptiActivityGetNextRecord(buffer, used, &record) == CUPTI_SUCCESS)
        write_record(record);
    pthread_mutex_unlock(&mutex);
    free(buffer);
}

static void end(void)
{
    cuptiActivityFlushAll(1);
    fclose(out);
}

/* CUDA calls this. Returns 0 after an error. */
int InitializeInjection(void)
{
    const char *path = getenv("TRACE_OUT");

    if (!path || !(out = fopen(path, "w")))
        return 0;
    if (cuptiActivityRegisterCallbacks(get_buffer, take_buffer) != CUPTI_SUCCESS)
        return 0;
    cuptiActivityEnableLatencyTimestamps(1);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
    return !atexit(end);
}
