/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Usage: names ours|theirs
 *
 * Finds the encoder by its names and by its codec id, and encodes. Fails unless "vp8_cudame" is ours,
 * "libvpx" and AV_CODEC_ID_VP8 give our encoder ("ours") or FFmpeg's ("theirs"), and no name has two
 * encoders. Ours makes the same packets under both names. Under the name libvpx each frame has its
 * packet before the next frame is sent, unless an option asks for a lookahead. */

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>

enum { FRAMES = 40, WIDTH = 64, HEIGHT = 48 };

static int failed;

static void check(int passed, const char *what)
{
    if (!passed)
        fprintf(stderr, "failed: %s\n", what);
    failed |= !passed;
}

static int is_ours(const AVCodec *codec)
{
    return codec && av_opt_find((void *)&codec->priv_class, "cuda_me", NULL, 0,
                                AV_OPT_SEARCH_FAKE_OBJ);
}

static int count(const char *name)
{
    const AVCodec *codec;
    void *at = NULL;
    int n = 0;

    while ((codec = av_codec_iterate(&at)))
        n += av_codec_is_encoder(codec) && !strcmp(codec->name, name);
    return n;
}

/* Reads packets, adds them to a hash, and returns their number. */
static int receive(AVCodecContext *ctx, AVPacket *packet, uint32_t *hash)
{
    int n;

    for (n = 0; avcodec_receive_packet(ctx, packet) >= 0; n++) {
        for (int i = 0; i < packet->size; i++)
            *hash = (*hash ^ packet->data[i]) * 16777619;
        av_packet_unref(packet);
    }
    return n;
}

/* Encodes with an option, if not NULL. Returns the number of frames that were sent before the first
 * packet came, or -1 after an error. *hash gets a hash of all packets. */
static int encode(const AVCodec *codec, const char *option, const char *value, uint32_t *hash)
{
    AVCodecContext *ctx = codec ? avcodec_alloc_context3(codec) : NULL;
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    int first = -1, packets = 0;

    *hash = 2166136261;
    if (!ctx || !frame || !packet)
        goto end;
    frame->width  = ctx->width  = WIDTH;
    frame->height = ctx->height = HEIGHT;
    frame->format = ctx->pix_fmt = AV_PIX_FMT_YUV420P;
    ctx->time_base    = (AVRational) { 1, 30 };
    ctx->bit_rate     = 100000;
    ctx->thread_count = 1;
    if (option && av_opt_set(ctx->priv_data, option, value, 0) < 0 ||
        avcodec_open2(ctx, codec, NULL) < 0 || av_frame_get_buffer(frame, 0) < 0)
        goto end;
    for (int n = 0; n < FRAMES; n++) {
        if (av_frame_make_writable(frame) < 0)
            goto end;
        for (int p = 0; p < 3; p++)
            for (int y = 0; y < (p ? HEIGHT / 2 : HEIGHT); y++)
                for (int x = 0; x < (p ? WIDTH / 2 : WIDTH); x++)
                    frame->data[p][y * frame->linesize[p] + x] = p ? 128 : 3 * (x + n) ^ 5 * y;
        frame->pts = n;
        if (avcodec_send_frame(ctx, frame) < 0)
            goto end;
        packets += receive(ctx, packet, hash);
        if (first < 0 && packets)
            first = n + 1;
    }
    avcodec_send_frame(ctx, NULL);
    packets += receive(ctx, packet, hash);
    if (packets != FRAMES)
        first = -1;
end:
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&ctx);
    return first;
}

int main(int argc, char **argv)
{
    const AVCodec *cudame = avcodec_find_encoder_by_name("vp8_cudame");
    const AVCodec *libvpx = avcodec_find_encoder_by_name("libvpx");
    const AVCodec *vp8 = avcodec_find_encoder(AV_CODEC_ID_VP8);
    const int ours = argc > 1 && !strcmp(argv[1], "ours");
    uint32_t by_cudame, by_libvpx, by_id;

    check(is_ours(cudame), "vp8_cudame is our encoder");
    check(libvpx && is_ours(libvpx) == ours, "the encoder named libvpx");
    check(vp8 == libvpx, "the encoder of AV_CODEC_ID_VP8 is the one named libvpx");
    check(count("vp8_cudame") == 1 && count("libvpx") == 1, "each name has one encoder");

    check(encode(cudame, NULL, NULL, &by_cudame) == 25, "25 frames of lookahead by default");
    check(encode(libvpx, NULL, NULL, &by_libvpx) == 1, "a packet at once from libvpx");
    check(encode(vp8, NULL, NULL, &by_id) == 1, "a packet at once from AV_CODEC_ID_VP8");
    check(by_libvpx == by_id, "the packets of libvpx and AV_CODEC_ID_VP8 are the same");
    check(encode(cudame, "lag-in-frames", "0", &by_cudame) == 1, "lag-in-frames 0");
    check((by_cudame == by_libvpx) == ours, "the packets of vp8_cudame and libvpx without a lookahead");
    if (ours) {
        check(encode(libvpx, "deadline", "best", &by_libvpx) == 1, "deadline best is no request");
        check(encode(libvpx, "lag-in-frames", "9", &by_libvpx) == 9, "lag-in-frames 9");
        check(encode(cudame, "lag-in-frames", "9", &by_cudame) == 9 && by_cudame == by_libvpx,
              "the packets of vp8_cudame and libvpx with lag-in-frames 9");
        check(encode(libvpx, "preset", "medium", &by_libvpx) == 25, "preset medium");
        check(encode(cudame, "preset", "medium", &by_cudame) == 25 && by_cudame == by_libvpx,
              "the packets of vp8_cudame and libvpx with preset medium");
    }
    return failed;
}
