/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Usage: vp8-soak stream SETTING BACKEND FRAMES   encode a long stream with one encoder
 *        vp8-soak cycles BACKEND COUNT            open, use and close encoders of all settings
 *        vp8-soak threads BACKEND COUNT           the same in four threads at once
 *
 * Encodes through libavcodec, and fails if the process uses more memory, files or threads after a
 * while. BACKEND is a value of me_backend; with cuda, device memory is measured too.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libavutil/common.h>
#include <libavutil/log.h>
#include <libavutil/time.h>

#include "encode.h"
#include "usage.h"

/* Allowed growth in bytes from the end of the warm-up (a third of the run) to the end of the run.
 * The heap is known to the byte, so it shows a small leak before the resident memory does. While an
 * encoder is open, its heap varies with the sizes of packets; when all encoders are closed, next to
 * nothing is left. */
#define MAX_GROWTH      (1 << 20)   /* resident memory, device memory */
#define MAX_STREAM_HEAP (256 << 10) /* heap with an open encoder */
#define MAX_CLOSED_HEAP (16 << 10)  /* heap with all encoders closed */

/* Maximum number of packets at the end of a stream: the 25 frames of a lookahead, and some hidden
 * frames. */
#define MAX_QUEUED 30

enum { POINTS = 12, WARM = POINTS / 3, THREADS = 4 };

static const int sizes[][2] = {
    { 320, 176 }, { 176, 144 }, { 333, 47 }, { 64, 48 }, { 322, 178 }, { 90, 60 }, { 640, 96 }
};

static const char *backend;
static Usage before, points[POINTS];
static int nb_points;

static double mb(long bytes) { return bytes / 1048576.0; }

/* Measures the usage when all encoders are closed. Waits up to a second until the threads have
 * disappeared, because a joined thread stays in /proc for a moment. */
static Usage when_closed(void)
{
    Usage now = usage_now();

    for (int tries = 0; tries < 100 && now.threads > before.threads; tries++) {
        av_usleep(10000);
        now = usage_now();
    }
    return now;
}

static void note(Usage now, int done, const char *what)
{
    points[nb_points++] = now;
    printf("# %6d %s: %7.3f MB resident, %7.3f MB allocated", done, what, mb(now.resident),
           mb(now.heap));
    if (now.device)
        printf(", %.1f MB on the device", mb(now.device));
    printf(", %d files, %d threads\n", now.files, now.threads);
}

/* Compares the last point with the end of the warm-up, and prints the result. */
static int judge(const char *name, Usage last, int is_stream)
{
    const Usage *const warm = &points[WARM - 1];
    const long resident = points[nb_points - 1].resident - warm->resident;
    const long heap     = points[nb_points - 1].heap     - warm->heap;
    const long device   = points[nb_points - 1].device   - warm->device;
    const long max_heap = is_stream ? MAX_STREAM_HEAP : MAX_CLOSED_HEAP;
    const int memory    = usage_knows_memory();
    char why[200] = "";

    if (memory && (resident > MAX_GROWTH || heap > max_heap))
        snprintf(why, sizeof(why), "memory grew by %.3f MB, allocated by %.3f MB", mb(resident),
                 mb(heap));
    else if (device > MAX_GROWTH || points[nb_points - 1].device < 0)
        snprintf(why, sizeof(why), "memory of the device grew by %.3f MB", mb(device));
    else if (last.files != before.files)
        snprintf(why, sizeof(why), "%d files open, %d before", last.files, before.files);
    else if (last.threads != before.threads)
        snprintf(why, sizeof(why), "%d threads, %d before", last.threads, before.threads);
    else if (memory)
        printf("# %s: %+.3f MB resident, %+.3f MB allocated since the warm-up\n", name,
               mb(resident), mb(heap));
    printf(why[0] ? "not ok %s (%s)\n" : "ok %s\n", name, why);
    return why[0] ? 1 : 0;
}

static const Setting *find_setting(const char *name)
{
    for (int i = 0; i < nb_settings; i++)
        if (!strcmp(settings[i].name, name))
            return &settings[i];
    return NULL;
}

static int stream(const char *name, int frames)
{
    const Setting *const s = find_setting(name);
    AVCodecContext *ctx;
    int point = 0, failed = 0, packets;

    if (!s || !(ctx = encode_open(s, backend, sizes[0][0], sizes[0][1], NULL, 0)))
        return -1;
    for (int n = 0; n < frames && !failed; n++) {
        failed = encode_frame(ctx, s, n) < 0;
        if (n + 1 >= (point + 1) * frames / POINTS) {
            point++;
            note(usage_now(), n + 1, "frames");
        }
    }
    packets = encode_end(ctx);
    avcodec_free_context(&ctx);
    if (packets > MAX_QUEUED)
        fprintf(stderr, "%d packets at the end of the stream, more than %d\n", packets, MAX_QUEUED);
    return failed || packets < 0 || packets > MAX_QUEUED ? -1 : 0;
}

/* Runs cycle n. Over the cycles, every setting is used with every size. */
static int cycle(int n)
{
    const int *const size = sizes[n % FF_ARRAY_ELEMS(sizes)];

    return encode_cycle(&settings[n % nb_settings], backend, size[0], size[1]);
}

static int first_cycle, end_cycle, nb_threads, nb_frames, thread_failed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Runs every nb_threads-th cycle, starting with the given one. */
static void *run_thread(void *first)
{
    for (int n = first_cycle + (int)(intptr_t)first; n < end_cycle; n += nb_threads) {
        const int ret = cycle(n);

        pthread_mutex_lock(&mutex);
        if (ret < 0)
            thread_failed = 1;
        else
            nb_frames += ret;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

/*
 * Has encoders work at the same time with the settings that use the most CUDA streams, one of each
 * setting for each thread. A driver keeps the memory of the most streams that there were at once, and
 * the threads of run_thread() reach that number only by chance, which may be after the warm-up.
 */
static int reach_peak(int threads)
{
    static const char *const names[] = { "full", "keys" };
    AVCodecContext *ctx[FF_ARRAY_ELEMS(names) * THREADS] = { 0 };
    int failed = 0;

    for (int n = 0; n < 2 && !failed; n++)
        for (int i = 0; i < threads * (int)FF_ARRAY_ELEMS(names) && !failed; i++) {
            const Setting *const s = find_setting(names[i % FF_ARRAY_ELEMS(names)]);

            if (!ctx[i])
                ctx[i] = encode_open(s, backend, sizes[0][0], sizes[0][1], NULL, 0);
            failed = !ctx[i] || encode_frame(ctx[i], s, n) < 0;
        }
    for (int i = 0; i < (int)FF_ARRAY_ELEMS(ctx); i++) {
        if (ctx[i] && encode_end(ctx[i]) < 0)
            failed = 1;
        avcodec_free_context(&ctx[i]);
    }
    return failed ? -1 : 0;
}

/* Measures at points at which all threads have ended and all encoders are closed. */
static int cycles(int count, int threads)
{
    pthread_t handles[THREADS];

    if (threads > 1 && reach_peak(threads) < 0)
        return -1;
    nb_threads = threads;
    for (int point = 0; point < POINTS && !thread_failed; point++) {
        first_cycle = (long)count * point / POINTS;
        end_cycle   = (long)count * (point + 1) / POINTS;
        for (int i = 0; i < threads; i++)
            if (pthread_create(&handles[i], NULL, run_thread, (void *)(intptr_t)i))
                return -1;
        for (int i = 0; i < threads; i++)
            pthread_join(handles[i], NULL);
        note(when_closed(), end_cycle, "cycles");
    }
    printf("# %d frames\n", nb_frames);
    return thread_failed ? -1 : 0;
}

int main(int argc, char **argv)
{
    const char *phase = argc > 1 ? argv[1] : "";
    const int is_stream = !strcmp(phase, "stream");
    const int at = is_stream ? 3 : 2; /* index of BACKEND in argv */
    int count, ret;
    char name[64];

    if (argc < at + 2) {
        fprintf(stderr, "usage: vp8-soak stream SETTING|cycles|threads BACKEND COUNT\n");
        return 2;
    }
    backend = argv[at];
    count   = FFMAX(atoi(argv[at + 1]), 2 * POINTS);
    snprintf(name, sizeof(name), "%s%s%s-%s", phase, is_stream ? "-" : "", is_stream ? argv[2] : "",
             backend);
    setvbuf(stdout, NULL, _IOLBF, 0);

    usage_init();
    if (!strcmp(backend, "cuda") && usage_watch_device()) {
        printf("not ok %s (no CUDA device)\n", name);
        return 1;
    }
    /* Hide expected errors: some settings must fail, and the fake driver searches nothing. */
    av_log_set_level(AV_LOG_PANIC);
    encode_init();
    /* Allocate what libraries allocate once per process, before the first measurement. */
    if (encode_cycle(&settings[1], backend, sizes[0][0], sizes[0][1]) < 0) {
        printf("not ok %s (no encoder)\n", name);
        return 1;
    }
    before = usage_now();
    ret = is_stream ? stream(argv[2], count)
                    : cycles(count, strcmp(phase, "threads") ? 1 : THREADS);
    if (ret < 0) {
        printf("not ok %s (encoding failed)\n", name);
        return 1;
    }
    return judge(name, when_closed(), is_stream);
}
