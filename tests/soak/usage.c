/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "usage.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

/* Functions of the CUDA driver, with the symbol names that cuda.h uses. They are loaded here,
 * because the loader of nv-codec-headers does not have cuMemGetInfo(). */
static int (*mem_get_info)(size_t *left, size_t *total);
static int (*push_context)(void *context);
static int (*pop_context)(void **context);
static void *context;

void usage_init(void)
{
    /* mallinfo2() counts the main arena only. A fixed threshold keeps large blocks out of the
     * arena, where they would leave holes. */
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
}

int usage_watch_device(void)
{
    void *const cuda = dlopen("libcuda.so.1", RTLD_NOW);
    int (*init)(unsigned flags);
    int (*retain)(void **context, int device);

    if (!cuda)
        return -1;
    init         = (int (*)(unsigned))dlsym(cuda, "cuInit");
    retain       = (int (*)(void **, int))dlsym(cuda, "cuDevicePrimaryCtxRetain");
    push_context = (int (*)(void *))dlsym(cuda, "cuCtxPushCurrent_v2");
    pop_context  = (int (*)(void **))dlsym(cuda, "cuCtxPopCurrent_v2");
    mem_get_info = (int (*)(size_t *, size_t *))dlsym(cuda, "cuMemGetInfo_v2");
    /* cudame uses the primary context too. Retaining it here keeps what an encoder leaks in it
     * allocated. */
    return init && retain && push_context && pop_context && mem_get_info && !init(0) &&
           !retain(&context, 0) ? 0 : -1;
}

static long device_memory(void)
{
    size_t left = 0, total = 0;
    void *popped;
    int failed;

    if (!context)
        return 0;
    if (push_context(context))
        return -1;
    failed = mem_get_info(&left, &total);
    pop_context(&popped);
    return failed ? -1 : (long)(total - left);
}

int usage_knows_memory(void)
{
#ifdef SANITIZED
    return 0;
#else
    return 1;
#endif
}

/* Returns the value of a field of /proc/self/smaps_rollup in bytes. */
static long rollup(const char *name)
{
    FILE *const file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long kb = -1;

    while (file && fgets(line, sizeof(line), file))
        if (!strncmp(line, name, strlen(name)))
            sscanf(line + strlen(name), "%ld", &kb);
    if (file)
        fclose(file);
    return kb * 1024;
}

/* Counts the entries of a folder. */
static int entries(const char *folder)
{
    DIR *const dir = opendir(folder);
    int n = 0;

    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n - 2; /* . and .. */
}

Usage usage_now(void)
{
    Usage usage = { 0 };
    struct mallinfo2 info;

    malloc_trim(0);
    info           = mallinfo2();
    usage.heap     = (long)(info.uordblks + info.hblkhd);
    usage.resident = rollup("Anonymous:");
    usage.device   = device_memory();
    usage.files    = entries("/proc/self/fd") - 1; /* without the open folder itself */
    usage.threads  = entries("/proc/self/task");
    return usage;
}
