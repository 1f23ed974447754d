/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Measures the delay of frames in a live stream whose GPU fails. tools/gpu/latency builds this
 * program, and says how to call it.
 *
 * The linker wraps dlsym(), by which the driver's functions are looked up: each function is called
 * through a trampoline, which fails from frame --lose on. */

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libavcodec/avcodec.h>
#include <libavutil/dict.h>
#include <libavutil/time.h>

/* ---- a driver that fails ------------------------------------------------- */

enum { WORKS, FAILS, MUTE };
enum { ERROR_UNKNOWN = 999, MAX_FUNCTIONS = 128 };

/* All arguments are integers and pointers, at most as many as cuLaunchKernel() has; more than a
 * function takes do no harm. */
#define PARAMETERS long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k
#define ARGUMENTS  a, b, c, d, e, f, g, h, i, j, k
typedef int Function(PARAMETERS);

static atomic_int state;
static Function *real[MAX_FUNCTIONS];
static int queues[MAX_FUNCTIONS]; /* not 0: the function returns before its work is done */
static int nb_functions;

static inline int call(int n, PARAMETERS)
{
    int now = atomic_load(&state);

    if (now == WORKS)
        return real[n](ARGUMENTS);
    /* the loss of queued work is noticed later */
    return now == MUTE && queues[n] ? 0 : ERROR_UNKNOWN;
}

#define T1(n)  static int trampoline_##n(PARAMETERS) { return call(0x##n, ARGUMENTS); }
#define T16(n) T1(n##0) T1(n##1) T1(n##2) T1(n##3) T1(n##4) T1(n##5) T1(n##6) T1(n##7) \
               T1(n##8) T1(n##9) T1(n##a) T1(n##b) T1(n##c) T1(n##d) T1(n##e) T1(n##f)
T16(0) T16(1) T16(2) T16(3) T16(4) T16(5) T16(6) T16(7)
#define N1(n)  trampoline_##n,
#define N16(n) N1(n##0) N1(n##1) N1(n##2) N1(n##3) N1(n##4) N1(n##5) N1(n##6) N1(n##7) \
               N1(n##8) N1(n##9) N1(n##a) N1(n##b) N1(n##c) N1(n##d) N1(n##e) N1(n##f)
static Function *const trampolines[MAX_FUNCTIONS] = {
    N16(0) N16(1) N16(2) N16(3) N16(4) N16(5) N16(6) N16(7)
};

static int starts_with_any(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (!strncmp(name, *list, strlen(*list)))
            return 1;
    return 0;
}

void *__real_dlsym(void *lib, const char *name);
void *__wrap_dlsym(void *lib, const char *name);
void *__wrap_dlsym(void *lib, const char *name)
{
    static const char *const wrapped[] = { "cuCtx", "cuDevice", "cuEvent", "cuInit", "cuLaunch",
                                           "cuMem", "cuModule", "cuStream", NULL };
    /* functions that only queue work, or that ask for the events of frames that have ended */
    static const char *const asynchronous[] = { "cuCtxPopCurrent", "cuCtxPushCurrent", "cuEventElapsedTime",
                                                "cuEventRecord", "cuEventSynchronize",
                                                "cuLaunchKernel", "cuMemcpy2DAsync",
                                                "cuMemcpyHtoDAsync", "cuMemsetD8Async",
                                                "cuStreamWaitEvent", NULL };
    void *found = __real_dlsym(lib, name);

    if (!found || !starts_with_any(name, wrapped))
        return found;
    for (int n = 0; n < nb_functions; n++)
        if (real[n] == (Function *)found)
            return (void *)trampolines[n];
    if (nb_functions == MAX_FUNCTIONS) {
        fprintf(stderr, "too many functions\n");
        exit(1);
    }
    real[nb_functions]   = (Function *)found;
    queues[nb_functions] = starts_with_any(name, asynchronous);
    return (void *)trampolines[nb_functions++];
}

/* ---- the stream ---------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void summary(const char *what, const int64_t *us, int n)
{
    int64_t *sorted = malloc(n * sizeof(*sorted)), sum = 0;

    if (n <= 0 || !sorted)
        return;
    for (int i = 0; i < n; i++)
        sum += sorted[i] = us[i];
    qsort(sorted, n, sizeof(*sorted), by_value);
    printf("%-14s %5d frames: mean %7.2f  p50 %7.2f  p99 %7.2f  max %7.2f ms\n", what, n,
           sum / 1e3 / n, sorted[n / 2] / 1e3, sorted[(n - 1) * 99 / 100] / 1e3, sorted[n - 1] / 1e3);
    free(sorted);
}

static int usage(void)
{
    fprintf(stderr, "usage: latency CLIP.yuv WIDTHxHEIGHT [--fps N] [--frames N] [--lose N] "
            "[--how fail|mute] [--out FILE.vp8] [OPTION=VALUE...]\n");
    return 2;
}

int main(int argc, char **argv)
{
    const AVCodec *codec = avcodec_find_encoder_by_name("vp8_cudame");
    AVCodecContext *ctx = avcodec_alloc_context3(codec);
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    AVDictionary *options = NULL;
    int width, height, fps = 30, frames = 300, lose = -1, how = FAILS, clip_frames, ret = -1;
    int64_t *latency, *work, begin;
    uint8_t *clip;
    FILE *in, *out = NULL;
    long size;

    if (!codec || !ctx || !frame || !packet || argc < 3 ||
        sscanf(argv[2], "%dx%d", &width, &height) != 2 || width % 2 || height % 2)
        return usage();
    for (int i = 3; i < argc; i++) {
        char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (!strncmp(argv[i], "--", 2) && !value)
            return usage();
        if (!strcmp(argv[i], "--fps"))
            fps = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--frames"))
            frames = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--lose"))
            lose = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--how"))
            how = !strcmp(argv[++i], "mute") ? MUTE : FAILS;
        else if (!strcmp(argv[i], "--out"))
            out = fopen(argv[++i], "wb");
        else if (av_dict_parse_string(&options, argv[i], "=", ",", 0) < 0)
            return usage();
    }

    in = fopen(argv[1], "rb");
    if (!in || fseek(in, 0, SEEK_END) || (size = ftell(in)) < 0)
        return usage();
    rewind(in);
    clip        = malloc(size);
    latency     = calloc(frames, sizeof(*latency));
    work        = calloc(frames, sizeof(*work));
    clip_frames = size / (width * height * 3 / 2);
    if (!clip || !latency || !work || !clip_frames || fread(clip, 1, size, in) != size)
        return usage();

    ctx->width        = frame->width  = width;
    ctx->height       = frame->height = height;
    ctx->pix_fmt      = frame->format = AV_PIX_FMT_YUV420P;
    ctx->framerate    = (AVRational) { fps > 0 ? fps : 30, 1 };
    ctx->time_base    = (AVRational) { 1, fps > 0 ? fps : 30 };
    ctx->thread_count = 1;
    if ((ret = avcodec_open2(ctx, codec, &options)) < 0)
        goto end;
    if (av_dict_count(options)) {
        fprintf(stderr, "unknown option %s\n", av_dict_get(options, "", NULL, AV_DICT_IGNORE_SUFFIX)->key);
        ret = AVERROR_OPTION_NOT_FOUND;
        goto end;
    }
    begin = av_gettime_relative();
    for (int n = 0; n < frames; n++) {
        /* forwards, backwards: no cuts */
        int turn = clip_frames > 1 ? n % (2 * clip_frames - 2) : 0;
        uint8_t *picture = clip + (size_t)(turn < clip_frames ? turn : 2 * clip_frames - 2 - turn) *
                           (width * height * 3 / 2);
        int64_t due = begin + (fps > 0 ? n * INT64_C(1000000) / fps : 0), start;

        frame->data[0]     = picture;
        frame->data[1]     = picture + width * height;
        frame->data[2]     = picture + width * height * 5 / 4;
        frame->linesize[0] = width;
        frame->linesize[1] = frame->linesize[2] = width / 2;
        frame->pts         = n;
        if (n == lose)
            atomic_store(&state, how);
        start = av_gettime_relative();
        if (fps > 0 && start < due) {
            av_usleep(due - start);
            start = av_gettime_relative();
        }
        if ((ret = avcodec_send_frame(ctx, frame)) < 0 ||
            (ret = avcodec_receive_packet(ctx, packet)) < 0)
            goto end;
        work[n]    = av_gettime_relative() - start;
        latency[n] = fps > 0 ? av_gettime_relative() - due : work[n];
        if (out)
            fwrite(packet->data, 1, packet->size, out);
        av_packet_unref(packet);
    }
    if (lose < 0 || lose > frames)
        lose = frames;
    summary("work before", work, lose);
    summary("latency before", latency, lose);
    if (lose < frames) {
        printf("from frame %d on, work (latency):", lose);
        for (int n = lose; n < frames && n < lose + 10; n++)
            printf(" %.2f (%.2f)", work[n] / 1e3, latency[n] / 1e3);
        printf(" ms\n");
        summary("work after", work + lose, frames - lose);
        summary("latency after", latency + lose, frames - lose);
    }
end:
    if (ret < 0)
        fprintf(stderr, "%s\n", av_err2str(ret));
    if (out)
        fclose(out);
    frame->data[0] = frame->data[1] = frame->data[2] = NULL;
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&ctx);
    return ret < 0;
}
