/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* A minimal program that embeds the encoder. It encodes ten moving frames through libavcodec, and
 * fails if packets are missing, or if the encoder still references a frame that it has encoded. */

#include <stdio.h>
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>

enum { FRAMES = 10, WIDTH = 160, HEIGHT = 120 };

static int held;

static void let_go(void *opaque, uint8_t *data)
{
    held--;
}

static void draw(AVFrame *frame, int n)
{
    for (int p = 0; p < 2; p++)
        for (int y = 0; y < (p ? HEIGHT / 2 : HEIGHT); y++)
            for (int x = 0; x < WIDTH; x++)
                frame->data[p][y * frame->linesize[p] + x] = p ? 128 : (x + 3 * n) * (y + n) >> 4;
}

static int receive(AVCodecContext *ctx, AVPacket *packet)
{
    int packets = 0, ret;

    while ((ret = avcodec_receive_packet(ctx, packet)) >= 0) {
        packets++;
        av_packet_unref(packet);
    }
    return ret == AVERROR(EAGAIN) || ret == AVERROR_EOF ? packets : ret;
}

int main(void)
{
    const AVCodec *codec = avcodec_find_encoder_by_name("vp8_cudame");
    AVCodecContext *ctx = avcodec_alloc_context3(codec);
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    int packets = 0, ret = -1;

    if (!codec || !ctx || !frame || !packet) {
        fprintf(stderr, "no encoder vp8_cudame, or no memory\n");
        goto end;
    }
    ctx->width = frame->width = WIDTH;
    ctx->height = frame->height = HEIGHT;
    ctx->pix_fmt = frame->format = AV_PIX_FMT_NV12;
    ctx->time_base = (AVRational) { 1, 25 };
    ctx->bit_rate = 200000;
    ctx->thread_count = 1;
    if ((ret = av_opt_set(ctx->priv_data, "me_backend", "cpu", 0)) < 0 ||
        (ret = avcodec_open2(ctx, codec, NULL)) < 0 ||
        (ret = av_frame_get_buffer(frame, 0)) < 0)
        goto end;
    for (int n = 0; n <= FRAMES; n++) {
        if (n < FRAMES) {
            if ((ret = av_frame_make_writable(frame)) < 0)
                goto end;
            draw(frame, n);
            frame->pts = n;
            frame->opaque_ref = av_buffer_create((uint8_t *)&held, sizeof(held), let_go, NULL, 0);
            held++;
        }
        if ((ret = avcodec_send_frame(ctx, n < FRAMES ? frame : NULL)) < 0 ||
            (ret = receive(ctx, packet)) < 0)
            goto end;
        packets += ret;
        av_buffer_unref(&frame->opaque_ref);
        if (held) {
            fprintf(stderr, "the encoder still references frame %d\n", n);
            ret = -1;
            goto end;
        }
    }
    ret = packets == FRAMES ? 0 : -1;
    printf("%d frames, %d packets\n", FRAMES, packets);
end:
    if (ret < 0 && ret != -1)
        fprintf(stderr, "%s\n", av_err2str(ret));
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&ctx);
    return ret < 0;
}
