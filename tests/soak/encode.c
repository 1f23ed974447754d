/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <libavutil/dict.h>
#include <libavutil/frame.h>
#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>

#include "encode.h"

#define GOOD5 "deadline=good:cpu-used=5"
#define CBR   "b=200k:minrate=200k:maxrate=200k:bufsize=100k"

/* libvpx starts at most one thread per core; cudame starts as many threads as it is told. */
const Setting settings[] = {
    { "best", "deadline=best:b=200k:threads=1", 27, .how = CLOSE },
    { "ahead", "deadline=good:cpu-used=2:auto-alt-ref=1:b=200k:threads=2", 30, 50 },
    { "rt8-cbr", "deadline=realtime:cpu-used=-8:" CBR ":threads=1", 12, 7 },
    { "rt8", "deadline=realtime:cpu-used=-8:b=200k:threads=4", 12 },
    { "livefast", "preset=livefast:" CBR ":threads=4", 12, .format = AV_PIX_FMT_NV12 },
    { "off", "cuda_me=off:deadline=good:cpu-used=2:b=200k:threads=2", 6, 4 },
    { "passes", "deadline=good:cpu-used=2:auto-alt-ref=1:b=200k:threads=4", 12, .how = TWO_PASSES },
    { "refused", "me_range=500", 0, .how = REFUSE },
    { "unused", "threads=4", 0 },
    { "split", "cuda_me=splitmv:deadline=good:cpu-used=5:b=200k:threads=1", 5 },
    { "full", "me_search=full:" GOOD5 ":me_stats=/dev/null:b=200k:threads=4", 3 },
    { "smaller", "preset=live:b=200k:threads=4", 3, .how = SHRINK },
    { "alpha", "auto-alt-ref=0:" GOOD5 ":b=200k:threads=1", 4, .format = AV_PIX_FMT_YUVA420P },
    { "denoise", "preset=live:noise-sensitivity=4:b=200k:threads=4", 4, 3, .how = CLOSE },
    { "profile3", "preset=fast:profile=3:b=200k:threads=1", 4 },
    { "keys", "preset=medium:lag-in-frames=6:auto-alt-ref=1:b=200k:threads=4", 12, 5 },
};
const int nb_settings = sizeof(settings) / sizeof(*settings);

/* Every frame shows a part of this picture. The part moves, and jumps every SCENE frames. */
enum { SIDE = 1024, SCENE = 90 };
static uint8_t texture[SIDE][SIDE];

void encode_init(void)
{
    uint32_t random = 1;

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            random = random * 1664525 + 1013904223;
            texture[y][x] = 64 + ((x ^ y) & 64) + (x * y >> 7 & 63) / 2 + (random >> 29);
        }
}

static void draw(AVFrame *frame, int n)
{
    const int scene = n / SCENE % 4, step = n % SCENE;
    const AVPixFmtDescriptor *const desc = av_pix_fmt_desc_get(frame->format);

    for (int p = 0; p < 4 && frame->data[p]; p++) {
        const int is_chroma = p == 1 || p == 2;
        const int shift  = is_chroma ? desc->log2_chroma_h : 0;
        const int width  = frame->format == AV_PIX_FMT_NV12 ? frame->width :
                           AV_CEIL_RSHIFT(frame->width, shift);
        const int height = AV_CEIL_RSHIFT(frame->height, shift);

        for (int y = 0; y < height; y++) {
            const uint8_t *row = texture[(y + scene * 64 + (step >> shift)) % SIDE];

            memcpy(frame->data[p] + y * frame->linesize[p],
                   row + scene * 16 + (2 * step >> shift), width);
        }
    }
}

static int failed(const Setting *s, const char *what, int ret)
{
    fprintf(stderr, "%s: %s: %s\n", s->name, what, av_err2str(ret));
    return ret;
}

AVCodecContext *encode_open(const Setting *s, const char *backend, int width, int height,
                            const char *stats_in, int flags)
{
    const AVCodec *const codec = avcodec_find_encoder_by_name("vp8_cudame");
    AVCodecContext *ctx = avcodec_alloc_context3(codec);
    AVDictionary *options = NULL;
    int ret = AVERROR(ENOMEM);

    if (!codec || !ctx)
        goto end;
    ctx->width     = width;
    ctx->height    = height;
    ctx->pix_fmt   = s->format ? s->format : AV_PIX_FMT_YUV420P;
    ctx->time_base = (AVRational) { 1, 1000 };
    ctx->framerate = (AVRational) { 25, 1 };
    ctx->flags    |= flags;
    if (stats_in && !(ctx->stats_in = av_strdup(stats_in)) ||
        (ret = av_dict_parse_string(&options, s->options, "=", ":", 0)) < 0 ||
        !strstr(s->options, "cuda_me=off") &&
        (ret = av_dict_set(&options, "me_backend", backend, 0)) < 0)
        goto end;
    ret = avcodec_open2(ctx, codec, &options);
    if (ret >= 0 && av_dict_count(options))
        ret = AVERROR_OPTION_NOT_FOUND;
end:
    av_dict_free(&options);
    if (ret < 0) {
        if (s->how != REFUSE)
            failed(s, "opening", ret);
        if (ctx)
            av_freep(&ctx->stats_in);
        avcodec_free_context(&ctx);
    }
    return ctx;
}

/* Sends a frame, or NULL to flush. Returns the number of received packets, or an AVERROR. */
static int transfer(AVCodecContext *ctx, const AVFrame *frame)
{
    AVPacket *packet = av_packet_alloc();
    int packets = 0, ret = packet ? avcodec_send_frame(ctx, frame) : AVERROR(ENOMEM);

    while (ret >= 0 && (ret = avcodec_receive_packet(ctx, packet)) >= 0) {
        packets++;
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    return ret == AVERROR(EAGAIN) || ret == AVERROR_EOF ? packets : ret;
}

static int encode_sized(AVCodecContext *ctx, const Setting *s, int n, int width, int height)
{
    AVFrame *frame = av_frame_alloc();
    int ret = AVERROR(ENOMEM);

    if (!frame)
        return ret;
    frame->width  = width;
    frame->height = height;
    frame->format = ctx->pix_fmt;
    frame->pts    = 40LL * n;
    if (s->key_every && n % s->key_every == 0)
        frame->pict_type = AV_PICTURE_TYPE_I;
    if ((ret = av_frame_get_buffer(frame, 0)) >= 0) {
        draw(frame, n);
        ret = transfer(ctx, frame);
    }
    av_frame_free(&frame);
    return ret;
}

int encode_frame(AVCodecContext *ctx, const Setting *s, int n)
{
    const int ret = encode_sized(ctx, s, n, ctx->width, ctx->height);

    return ret < 0 ? failed(s, "encoding", ret) : ret;
}

int encode_end(AVCodecContext *ctx)
{
    return transfer(ctx, NULL);
}

/* Runs one encoder. *stats is its input in the second of two passes, and gets the statistics in the
 * first. */
static int encode_once(const Setting *s, const char *backend, int width, int height, int flags,
                       char **stats)
{
    AVCodecContext *ctx = encode_open(s, backend, width, height, *stats, flags);
    int packets = 0, ret = 0;

    if (s->how == REFUSE) {
        if (ctx)
            ret = failed(s, "opening did not fail", AVERROR_BUG);
        avcodec_free_context(&ctx);
        return ret;
    }
    if (!ctx)
        return AVERROR_EXTERNAL;
    for (int n = 0; n < s->frames && ret >= 0; n++)
        packets += ret = encode_frame(ctx, s, n);
    if (ret >= 0 && s->how == SHRINK) {
        ret = encode_sized(ctx, s, s->frames, width - 16, height - 16);
        ret = ret < 0 ? 0 : failed(s, "a frame was not refused", AVERROR_BUG);
    } else if (ret >= 0 && s->how != CLOSE) {
        packets += ret = encode_end(ctx);
        if (ret >= 0 && packets < s->frames && !(flags & AV_CODEC_FLAG_PASS1))
            ret = failed(s, "packets are missing", AVERROR_BUG);
    }
    if (ret >= 0 && flags & AV_CODEC_FLAG_PASS1 && !(*stats = av_strdup(ctx->stats_out)))
        ret = failed(s, "there are no statistics", AVERROR_BUG);
    av_freep(&ctx->stats_in);
    avcodec_free_context(&ctx);
    return ret < 0 ? ret : s->frames;
}

int encode_cycle(const Setting *s, const char *backend, int width, int height)
{
    char *stats = NULL;
    int first = 0, ret;

    if (s->how == TWO_PASSES) {
        first = encode_once(s, backend, width, height, AV_CODEC_FLAG_PASS1, &stats);
        if (first < 0)
            return first;
    }
    ret = encode_once(s, backend, width, height, stats ? AV_CODEC_FLAG_PASS2 : 0, &stats);
    av_free(stats);
    return ret < 0 ? ret : first + ret;
}
