/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Encodes a live source (doc/embedding.md). Fails unless each frame becomes a packet before the
 * next frame is sent, a key frame comes when it is requested and no other, and changes of the
 * bitrate and of qmax during the stream take effect. */

#include <stdio.h>
#include <stdlib.h>
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>

enum { FPS = 30, WIDTH = 320, HEIGHT = 240 };
/* Numbers of frames: a key frame is requested; the bitrate falls; qmax falls; the end. */
enum { ASKED = 23, SLOWER = 45, CHANGED = 105, FRAMES = 125 };
enum { RATE = 500000, LOW_RATE = 200000 };

/* Draws a moving bar with noise, which is expensive enough to use the whole bitrate. */
static void draw(AVFrame *frame, int n)
{
    static uint32_t state = 1;

    for (int p = 0; p < 3; p++)
        for (int y = 0; y < (p ? HEIGHT / 2 : HEIGHT); y++)
            for (int x = 0; x < (p ? WIDTH / 2 : WIDTH); x++) {
                uint8_t *pixel = frame->data[p] + y * frame->linesize[p] + x;

                state  = state * 1664525 + 1013904223;
                *pixel = p ? 128 : (x / 8 == n % (WIDTH / 8) ? 200 : 60) + (state >> 27);
            }
}

/* Sets a constant bitrate with a buffer of a second, before or during the stream. */
static void set_rate(AVCodecContext *ctx, int rate)
{
    ctx->bit_rate = ctx->rc_min_rate = ctx->rc_max_rate = rate;
    ctx->rc_buffer_size = rate;
}

static AVCodecContext *open_encoder(void)
{
    const AVCodec *codec = avcodec_find_encoder_by_name("vp8_cudame");
    AVCodecContext *ctx = codec ? avcodec_alloc_context3(codec) : NULL;

    if (!ctx)
        return NULL;
    ctx->width        = WIDTH;
    ctx->height       = HEIGHT;
    ctx->pix_fmt      = AV_PIX_FMT_YUV420P;
    ctx->time_base    = (AVRational) { 1, 90000 };
    ctx->framerate    = (AVRational) { FPS, 1 };
    ctx->gop_size     = 3000; /* key frames come on request */
    ctx->thread_count = 1;
    set_rate(ctx, RATE);
    ctx->qmin = 2;
    ctx->qmax = 56;
    if (av_opt_set(ctx->priv_data, "preset", "live", 0) < 0 ||
        av_opt_set(ctx->priv_data, "me_backend", "cpu", 0) < 0 ||
        av_opt_set(ctx->priv_data, "error-resilient", "default", 0) < 0 ||
        av_opt_set(ctx->priv_data, "lag-in-frames", "0", 0) < 0 ||
        avcodec_open2(ctx, codec, NULL) < 0)
        avcodec_free_context(&ctx);
    return ctx;
}

/* Encodes a frame. Returns whether it made exactly one packet, which is a key frame if and only if
 * the frame is the first one or the requested one. */
static int send(AVCodecContext *ctx, AVFrame *frame, AVPacket *packet, int n, int *size)
{
    int ret = avcodec_send_frame(ctx, frame);

    if (ret < 0 || (ret = avcodec_receive_packet(ctx, packet)) < 0) {
        fprintf(stderr, "frame %d has no packet: %s\n", n, av_err2str(ret));
        return 0;
    }
    ret = packet->pts == frame->pts && !(packet->flags & AV_PKT_FLAG_KEY) == (n != 0 && n != ASKED);
    if (!ret)
        fprintf(stderr, "frame %d: pts %d, flags %d\n", n, (int)packet->pts, packet->flags);
    *size = packet->size;
    av_packet_unref(packet);
    return ret && avcodec_receive_packet(ctx, packet) == AVERROR(EAGAIN);
}

int main(void)
{
    AVCodecContext *ctx = open_encoder();
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    int fine = 0, before = 0, size = 0, second = 0;

    if (!ctx || !frame || !packet)
        goto end;
    frame->format = ctx->pix_fmt;
    frame->width  = ctx->width;
    frame->height = ctx->height;
    if (av_frame_get_buffer(frame, 0) < 0)
        goto end;
    for (int n = 0; n < FRAMES; n++) {
        if (av_frame_make_writable(frame) < 0)
            goto end;
        draw(frame, n);
        frame->pts       = 3000LL * n;
        frame->pict_type = n == ASKED ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
        if (n == SLOWER)
            set_rate(ctx, LOW_RATE); /* takes effect at once, without a key frame */
        if (n == CHANGED)
            ctx->qmax = 20; /* takes effect at once: the frames exceed the bitrate */
        if (!send(ctx, frame, packet, n, &size))
            goto end;
        if (n >= SLOWER + FPS && n < SLOWER + 2 * FPS)
            second += size;
        if (n == CHANGED - 1)
            before = size;
    }
    fine = size > 2 * before && abs(second * 8 - LOW_RATE) < LOW_RATE * 15 / 100;
    if (!fine)
        fprintf(stderr, "%d bytes with the lower qmax, %d before; %d b/s, not %d\n", size, before,
                second * 8, LOW_RATE);
    printf("%d frames, %d packets\n", FRAMES, FRAMES);
end:
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&ctx);
    return !fine;
}
