/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Codes live streams, one thread each, whose frames arrive in real time; density.py runs it. For each
 * frame after the first --skip it prints the microseconds from the moment when the frame was due to
 * its packet. With --fps 0 it codes as fast as it can, and prints bits per second and the mean squared
 * error of luma instead. With --key-every S it demands a key frame of each stream every S seconds of
 * real time, and spreads the streams' demands over S seconds. It prints "ready" when all encoders are
 * open, then reads the start time. */

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <libavcodec/avcodec.h>
#include <libavutil/dict.h>
#include <libavutil/intreadwrite.h>

enum { MAX_CLIPS = 16 };
/* A stream that is this late does not catch up. It ends, and its remaining frames count as equally late. */
enum { GIVE_UP_US = 2000000 };

struct clip {
    uint8_t *data;
    int frames;
};

struct stream {
    pthread_t thread;
    AVCodecContext *ctx;
    const struct clip *clip;
    int64_t begin;      /* CLOCK_REALTIME in ns, common to all processes */
    int first_key;      /* the first frame of which a key frame is demanded */
    int32_t *late_us;   /* per frame: us from its due time to its packet */
    int coded;
    uint64_t bytes, error;
};

static struct clip clips[MAX_CLIPS];
static int nb_clips, width, height, fps = 30, frames = 300, skip, apart, key_every;
static const char *stats_folder;

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void sleep_until(int64_t ns)
{
    const struct timespec t = { ns / 1000000000, ns % 1000000000 };

    while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL))
        ;
}

static void fail(const char *what, int code)
{
    fprintf(stderr, "streams: %s%s%s\n", what, code ? ": " : "", code ? av_err2str(code) : "");
    exit(1);
}

static void take_packet(struct stream *s, AVPacket *packet)
{
    size_t size;
    const uint8_t *side = av_packet_get_side_data(packet, AV_PKT_DATA_QUALITY_STATS, &size);

    s->bytes += packet->size;
    /* the first error is luma's */
    if (side && size >= 16 && side[5])
        s->error += AV_RL64(side + 8);
    av_packet_unref(packet);
}

static void keep(void *opaque, uint8_t *data) {}

static void *run(void *opaque)
{
    struct stream *s = opaque;
    AVFrame *frame   = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    int size = width * height, key_interval = key_every * fps, ret;

    if (!frame || !packet)
        fail("no memory", 0);
    /* Reference-counted, as a decoder's frames, so that libavcodec does not copy them. */
    frame->buf[0] = av_buffer_create(s->clip->data, (size_t)size * 3 / 2 * s->clip->frames, keep, NULL,
                                     AV_BUFFER_FLAG_READONLY);
    if (!frame->buf[0])
        fail("no memory", 0);
    frame->width       = width;
    frame->height      = height;
    frame->format      = AV_PIX_FMT_YUV420P;
    frame->linesize[0] = width;
    frame->linesize[1] = frame->linesize[2] = width / 2;
    for (int n = 0; n < frames; n++) {
        /* play the clip forwards and backwards, which has no scene cuts */
        int period = s->clip->frames > 1 ? 2 * s->clip->frames - 2 : 1, turn = n % period;
        uint8_t *picture = s->clip->data + (size_t)(turn < s->clip->frames ? turn : period - turn) * size * 3 / 2;
        int64_t due = s->begin + (fps ? n * INT64_C(1000000000) / fps : 0);

        if (fps)
            sleep_until(due);
        frame->data[0] = picture;
        frame->data[1] = picture + size;
        frame->data[2] = picture + size * 5 / 4;
        frame->pts     = n;
        frame->pict_type = key_interval && n && n % key_interval == s->first_key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
        if ((ret = avcodec_send_frame(s->ctx, frame)) < 0)
            fail("encoding", ret);
        while (!(ret = avcodec_receive_packet(s->ctx, packet)))
            take_packet(s, packet);
        if (ret != AVERROR(EAGAIN))
            fail("encoding", ret);
        s->late_us[s->coded++] = (now_ns() - due) / 1000;
        if (fps && s->late_us[s->coded - 1] > GIVE_UP_US) {
            while (s->coded < frames) {
                s->late_us[s->coded] = s->late_us[s->coded - 1];
                s->coded++;
            }
            break;
        }
    }
    av_frame_free(&frame);
    av_packet_free(&packet);
    return NULL;
}

static void open_stream(struct stream *s, int number, const AVCodec *codec, const AVDictionary *options)
{
    AVDictionary *left = NULL;
    char path[4096];
    int ret;

    s->clip    = &clips[number % nb_clips];
    s->late_us = calloc(frames, sizeof(*s->late_us));
    s->ctx     = avcodec_alloc_context3(codec);
    if (!s->ctx || !s->late_us)
        fail("no memory", 0);
    s->ctx->width        = width;
    s->ctx->height       = height;
    s->ctx->pix_fmt      = AV_PIX_FMT_YUV420P;
    s->ctx->framerate    = (AVRational) { fps ? fps : 30, 1 };
    s->ctx->time_base    = (AVRational) { 1, fps ? fps : 30 };
    s->ctx->thread_count = 1;
    if (!fps)
        s->ctx->flags |= AV_CODEC_FLAG_PSNR;
    av_dict_copy(&left, options, 0);
    if (stats_folder) {
        snprintf(path, sizeof(path), "%s/%d-%d.csv", stats_folder, (int)getpid(), number);
        av_dict_set(&left, "me_stats", path, 0);
    }
    if ((ret = avcodec_open2(s->ctx, codec, &left)) < 0)
        fail("opening an encoder", ret);
    if (av_dict_count(left))
        fail(av_dict_get(left, "", NULL, AV_DICT_IGNORE_SUFFIX)->key, AVERROR_OPTION_NOT_FOUND);
    av_dict_free(&left);
}

/* Map a clip; the mapping is shared by all processes. */
static void map_clip(const char *path)
{
    struct clip *clip = &clips[nb_clips++];
    FILE *file = fopen(path, "rb");
    struct stat status;

    if (!file || fstat(fileno(file), &status))
        fail(path, AVERROR(errno));
    clip->frames = status.st_size / (width * height * 3 / 2);
    clip->data   = clip->frames ? mmap(NULL, status.st_size, PROT_READ, MAP_SHARED, fileno(file), 0) : MAP_FAILED;
    if (clip->data == MAP_FAILED)
        fail("cannot read a clip", 0);
    fclose(file);
}

static void usage(void)
{
    fprintf(stderr, "usage: streams WIDTHxHEIGHT CLIP.yuv... -- [--encoder NAME] [--streams N] [--first N] [--of N] "
            "[--fps N] [--frames N] [--skip N] [--apart MS] [--key-every S] [--stats FOLDER] [OPTION=VALUE...]\n");
    exit(2);
}

int main(int argc, char **argv)
{
    const char *encoder = "vp8_cudame";
    AVDictionary *options = NULL;
    int count = 1, first = 0, of = 0, at = 2;
    double begin = 0;
    struct rusage before, after;
    struct stream *streams;
    const AVCodec *codec;

    if (argc < 4 || sscanf(argv[1], "%dx%d", &width, &height) != 2 || width <= 0 || height <= 0 || width % 2 || height % 2)
        usage();
    for (; at < argc && strcmp(argv[at], "--"); at++) {
        if (nb_clips == MAX_CLIPS)
            usage();
        map_clip(argv[at]);
    }
    for (at++; at < argc; at++) {
        char *value = argv[at + 1];

        if (strncmp(argv[at], "--", 2)) {
            if (av_dict_parse_string(&options, argv[at], "=", ",", 0) < 0)
                usage();
            continue;
        }
        if (!value)
            usage();
        if (!strcmp(argv[at], "--encoder"))      encoder = value;
        else if (!strcmp(argv[at], "--streams")) count   = atoi(value);
        else if (!strcmp(argv[at], "--first"))   first   = atoi(value);
        else if (!strcmp(argv[at], "--of"))      of      = atoi(value);
        else if (!strcmp(argv[at], "--fps"))     fps     = atoi(value);
        else if (!strcmp(argv[at], "--frames"))  frames  = atoi(value);
        else if (!strcmp(argv[at], "--skip"))    skip    = atoi(value);
        else if (!strcmp(argv[at], "--apart"))   apart   = atoi(value);
        else if (!strcmp(argv[at], "--key-every")) key_every = atoi(value);
        else if (!strcmp(argv[at], "--stats"))   stats_folder = value;
        else usage();
        at++;
    }
    av_log_set_level(AV_LOG_WARNING);
    codec   = avcodec_find_encoder_by_name(encoder);
    streams = calloc(count > 0 ? count : 1, sizeof(*streams));
    if (!codec || !streams || !nb_clips || count < 1 || frames < 1 || fps < 0 || key_every < 0)
        usage();
    if (of < first + count)
        of = first + count;
    for (int i = 0; i < count; i++)
        open_stream(&streams[i], first + i, codec, options);
    printf("ready\n");
    fflush(stdout);
    if (scanf("%lf", &begin) != 1)
        fail("no start time on standard input", 0);
    getrusage(RUSAGE_SELF, &before);
    for (int i = 0; i < count; i++) {
        /* each begins --apart ms after the one before; spread their due times over a frame interval */
        streams[i].begin = (fps ? (int64_t)(begin * 1e9) : now_ns()) +
                           INT64_C(1000000) * apart * (first + i) +
                           (fps ? INT64_C(1000000000) / fps * (first + i) / of : 0);
        streams[i].first_key = (int64_t)key_every * fps * (first + i) / of;
        if (pthread_create(&streams[i].thread, NULL, run, &streams[i]))
            fail("no thread", 0);
    }
    for (int i = 0; i < count; i++)
        pthread_join(streams[i].thread, NULL);
    getrusage(RUSAGE_SELF, &after);

    for (int i = 0; i < count; i++) {
        const struct stream *s = &streams[i];

        if (!fps)
            printf("coded %.0f %.4f\n", s->bytes * 8.0 * 30 / s->coded,
                   (double)s->error / ((double)width * height * s->coded));
        for (int n = skip; fps && n < s->coded; n++)
            printf("%"PRId32"\n", s->late_us[n]);
    }
    printf("cpu %.3f\n", after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec +
           1e-6 * (after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec - before.ru_stime.tv_usec));
    for (int i = 0; i < count; i++)
        avcodec_free_context(&streams[i].ctx);
    return 0;
}
