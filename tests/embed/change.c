/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Changes the context of a running encoder (doc/embedding.md), and tests what comes of it.
 * Usage: change CASE, a function of the table at the end. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>

#define FAIL(...) return fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), 0

enum { FPS = 30, CLOCK = 90000, HIGH = 1500000, LOW = 300000 };

/* Counts of the packets since the last clear(). */
static struct {
    int packets, keys, size; /* size: bytes of all packets */
    int last_key;            /* number of the last key frame's packet */
    int turns;               /* times that the quantizer turned by more than 8 */
    int quantizer, previous; /* of the last two packets */
    int64_t pts;
    uint64_t sum;            /* of all bytes */
} made;

static void clear(void) { memset(&made, 0, sizeof(made)); }

/* ---- pictures -------------------------------------------------------------- */

static int wave(int x) { return abs((x & 255) - 128); }

/* Draws a texture that moves over another one, with a little noise. */
static void draw(AVFrame *frame, int n)
{
    uint32_t state = n + 1;

    for (int y = 0; frame->data[3] && y < frame->height; y++)
        memset(frame->data[3] + y * frame->linesize[3], y + n, frame->width);
    for (int p = 0; p < 3; p++)
        for (int y = 0; y < (p ? (frame->height + 1) / 2 : frame->height); y++)
            for (int x = 0; x < (p ? (frame->width + 1) / 2 : frame->width); x++) {
                int moving = wave(x * 3 + n * 7) + wave(y * 5 - n * 3) + wave(x * y / 16);
                int still  = wave(x * 11) + wave(y * 9) + wave((x + y) * 6);

                state = state * 1664525 + 1013904223;
                frame->data[p][y * frame->linesize[p] + x] = p ? 96 + wave(x + n) / 4 :
                    32 + ((x / 64 + y / 64) % 2 ? moving : still) / 3 + (state >> 29);
            }
}

static int format = AV_PIX_FMT_YUV420P; /* of the frames, set before the encoder is made */

static AVFrame *new_frame(int width, int height)
{
    AVFrame *frame = av_frame_alloc();

    if (!frame)
        exit(1);
    frame->format = format;
    frame->width  = width;
    frame->height = height;
    if (av_frame_get_buffer(frame, 0) < 0)
        exit(1);
    return frame;
}

/* ---- the encoder ----------------------------------------------------------- */

static AVCodecContext *alloc_encoder(int width, int height)
{
    const AVCodec *codec = avcodec_find_encoder_by_name("vp8_cudame");
    AVCodecContext *ctx = codec ? avcodec_alloc_context3(codec) : NULL;

    if (!ctx)
        exit(1);
    ctx->width        = width;
    ctx->height       = height;
    ctx->pix_fmt      = format;
    ctx->time_base    = (AVRational) { 1, CLOCK };
    ctx->framerate    = (AVRational) { FPS, 1 };
    ctx->gop_size     = 9999;
    ctx->thread_count = 1;
    ctx->bit_rate     = HIGH;
    av_opt_set(ctx->priv_data, "me_backend", "cpu", 0);
    return ctx;
}

static void set_rate(AVCodecContext *ctx, int rate)
{
    ctx->bit_rate = ctx->rc_min_rate = ctx->rc_max_rate = rate;
    ctx->rc_buffer_size = rate;
}

static void open_encoder(AVCodecContext *ctx)
{
    if (avcodec_open2(ctx, NULL, NULL) < 0)
        exit(1);
}

static AVCodecContext *open_live(int width, int height)
{
    AVCodecContext *ctx = alloc_encoder(width, height);

    set_rate(ctx, HIGH);
    av_opt_set(ctx->priv_data, "preset", "live", 0);
    open_encoder(ctx);
    return ctx;
}

/* Counts packets with a picture. The bytes of hidden frames count, too. */
static void count(const AVPacket *packet)
{
    int is_hidden = !(packet->data[0] & 0x10); /* RFC 6386, section 9.1 */
    size_t size;
    const uint8_t *stats = av_packet_get_side_data(packet, AV_PKT_DATA_QUALITY_STATS, &size);
    int quantizer = stats ? (stats[0] | stats[1] << 8) / FF_QP2LAMBDA : 0;

    made.size += packet->size;
    for (int i = 0; i < packet->size; i++)
        made.sum = made.sum * 31 + packet->data[i];
    if (is_hidden)
        return;
    if (packet->flags & AV_PKT_FLAG_KEY) {
        made.keys++;
        made.last_key = made.packets;
    }
    if (made.packets > 1 && abs(quantizer - made.quantizer) > 8 &&
        (quantizer > made.quantizer) != (made.quantizer > made.previous))
        made.turns++;
    made.previous  = made.quantizer;
    made.quantizer = quantizer;
    made.packets++;
    made.pts = packet->pts;
}

static int receive(AVCodecContext *ctx)
{
    AVPacket *packet = av_packet_alloc();
    int ret;

    while ((ret = avcodec_receive_packet(ctx, packet)) >= 0) {
        count(packet);
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    return ret;
}

/* Encodes a frame of that size. Returns 0 or an AVERROR. */
static int send(AVCodecContext *ctx, int width, int height, int n, int64_t pts)
{
    AVFrame *frame = new_frame(width, height);
    int ret;

    draw(frame, n);
    frame->pts = pts;
    ret = avcodec_send_frame(ctx, frame);
    av_frame_free(&frame);
    if (ret >= 0)
        ret = receive(ctx);
    return ret == AVERROR(EAGAIN) ? 0 : ret;
}

static int send_frames(AVCodecContext *ctx, int from, int to)
{
    for (int n = from; n < to; n++)
        if (send(ctx, ctx->width, ctx->height, n, (int64_t)n * CLOCK / FPS) < 0)
            FAIL("frame %d failed", n);
    return 1;
}

static int finish(AVCodecContext *ctx)
{
    return avcodec_send_frame(ctx, NULL) >= 0 && receive(ctx) == AVERROR_EOF;
}

/* ---- rates ----------------------------------------------------------------- */

/* Whether the packets since clear() have that rate within 15 %, without a key frame. */
static int holds(int rate, int frames, int fps)
{
    double got = made.size * 8. * fps / frames;

    if (made.packets != frames || made.keys || got < rate * 0.85 || got > rate * 1.15)
        FAIL("%d frames, %d packets, %d keys, %.0f b/s instead of %d", frames, made.packets,
             made.keys, got, rate);
    return 1;
}

/* Every two seconds the bitrate falls or rises by five. */
static int follows(int width, int height)
{
    AVCodecContext *ctx = open_live(width, height);
    int fine = 1;

    for (int second = 0; fine && second < 10; second++) {
        int rate = second / 2 % 2 ? LOW : HIGH;

        if (second % 2 == 0)
            set_rate(ctx, rate);
        clear();
        fine = send_frames(ctx, second * FPS, (second + 1) * FPS);
        if (second % 2 == 1)
            fine = fine && holds(rate, FPS, FPS);
        if (second && made.keys) {
            fprintf(stderr, "a key frame in second %d\n", second);
            fine = 0;
        }
        if (second % 2 == 1 && made.turns > 2) {
            fprintf(stderr, "the quantizer turned %d times in second %d\n", made.turns, second);
            fine = 0;
        }
    }
    avcodec_free_context(&ctx);
    return fine;
}

static int rates_480(void) { return follows(640, 480); }
static int rates_720(void) { return follows(1280, 720); }

/* At a constant bitrate, minimum and maximum follow bit_rate. */
static int bit_rate_alone(void)
{
    AVCodecContext *ctx = open_live(320, 240);
    int fine = send_frames(ctx, 0, FPS);

    ctx->bit_rate = LOW;
    fine = fine && send_frames(ctx, FPS, 3 * FPS);
    clear();
    fine = fine && send_frames(ctx, 3 * FPS, 5 * FPS) && holds(LOW, 2 * FPS, FPS);
    if (fine && (ctx->rc_min_rate != LOW || ctx->rc_max_rate != LOW))
        FAIL("rc_min_rate or rc_max_rate does not follow bit_rate");
    avcodec_free_context(&ctx);
    return fine;
}

/* A variable bitrate, with and without a lookahead. */
static int variable(const char *deadline, int delay)
{
    AVCodecContext *ctx = alloc_encoder(320, 240);
    int fine;

    ctx->bit_rate = 600000;
    av_opt_set(ctx->priv_data, "deadline", deadline, 0);
    av_opt_set(ctx->priv_data, "cpu-used", delay ? "2" : "-8", 0);
    open_encoder(ctx);
    fine = send_frames(ctx, 0, 4 * FPS + delay);
    ctx->bit_rate = 200000;
    fine = fine && send_frames(ctx, 4 * FPS + delay, 6 * FPS + delay);
    clear();
    fine = fine && send_frames(ctx, 6 * FPS + delay, 9 * FPS + delay) &&
           holds(200000, 3 * FPS, FPS) && finish(ctx);
    avcodec_free_context(&ctx);
    return fine;
}

static int vbr(void) { return variable("realtime", 0); }
static int lookahead(void) { return variable("good", 24); }

/* The frame rate halves: frames get twice the bits. */
static int framerate(void)
{
    AVCodecContext *ctx = open_live(320, 240);
    int64_t pts = 0;
    int fine = 1;

    set_rate(ctx, LOW);
    for (int n = 0; fine && n < 6 * FPS; n++) {
        if (n == 3 * FPS)
            ctx->framerate.num = FPS / 2;
        if (n == 4 * FPS)
            clear();
        fine = send(ctx, 320, 240, n, pts) >= 0;
        pts += CLOCK / ctx->framerate.num;
    }
    fine = fine && holds(LOW, 2 * FPS, FPS / 2);
    avcodec_free_context(&ctx);
    return fine;
}

/* Two temporal layers follow the bitrate, also after a flush. */
static int layers_of(int flushes)
{
    AVCodecContext *ctx = alloc_encoder(320, 240);
    int fine;

    set_rate(ctx, HIGH / 2);
    av_opt_set(ctx->priv_data, "preset", "live", 0);
    av_opt_set(ctx->priv_data, "ts-parameters", "ts_number_layers=2:ts_target_bitrate=450,750:"
               "ts_rate_decimator=2,1:ts_periodicity=2:ts_layer_id=0,1:ts_layering_mode=2", 0);
    open_encoder(ctx);
    fine = send_frames(ctx, 0, 2 * FPS);
    set_rate(ctx, LOW);
    fine = fine && send_frames(ctx, 2 * FPS, 3 * FPS);
    if (flushes)
        avcodec_flush_buffers(ctx);
    fine = fine && send_frames(ctx, flushes ? 0 : 3 * FPS, 4 * FPS);
    clear();
    fine = fine && send_frames(ctx, 4 * FPS, 6 * FPS) && holds(LOW, 2 * FPS, FPS);
    avcodec_free_context(&ctx);
    return fine;
}

static int layers(void)
{
    return layers_of(0);
}

static int layers_flush(void)
{
    return layers_of(1);
}

/* ---- quantizers and key frames --------------------------------------------- */

static int quantizers(void)
{
    AVCodecContext *ctx = open_live(320, 240);
    int fine;

    ctx->qmin = 40; /* before the first frame */
    fine = send_frames(ctx, 0, 10);
    if (fine && made.quantizer < 40)
        FAIL("quantizer %d, but qmin is 40", made.quantizer);
    ctx->qmin = 4;
    ctx->qmax = 10;
    set_rate(ctx, 100000);
    fine = fine && send_frames(ctx, 10, 40);
    if (fine && made.quantizer > 10)
        FAIL("quantizer %d, but qmax is 10", made.quantizer);
    avcodec_free_context(&ctx);
    return fine;
}

static int gop(void)
{
    AVCodecContext *ctx = open_live(160, 120);
    int fine = send_frames(ctx, 0, 40);

    if (fine && made.keys != 1)
        FAIL("%d key frames with a large gop_size", made.keys);
    ctx->gop_size = 20; /* the next key frame comes within 20 frames, then every 20 */
    fine = fine && send_frames(ctx, 40, 100);
    if (fine && made.keys != 4)
        FAIL("%d key frames with gop_size 20", made.keys);
    ctx->gop_size = 9999;
    clear();
    fine = fine && send_frames(ctx, 100, 160);
    if (fine && made.keys)
        FAIL("%d key frames with a large gop_size again", made.keys);
    avcodec_free_context(&ctx);
    return fine;
}

/* ---- bad values ------------------------------------------------------------ */

/* Encodes a frame, which must fail, and with the old values again one that must not. */
static int refused(AVCodecContext *ctx, const AVCodecContext *old, const char *what)
{
    int ret = send(ctx, 160, 120, 0, made.pts + CLOCK / FPS);
    int packets = made.packets;

    if (ret != AVERROR(EINVAL))
        FAIL("%s: %s", what, ret ? av_err2str(ret) : "accepted");
    ctx->bit_rate       = old->bit_rate;
    ctx->rc_min_rate    = old->rc_min_rate;
    ctx->rc_max_rate    = old->rc_max_rate;
    ctx->rc_buffer_size = old->rc_buffer_size;
    ctx->qmin           = old->qmin;
    ctx->qmax           = old->qmax;
    ctx->gop_size       = old->gop_size;
    ctx->framerate      = old->framerate;
    if (send(ctx, 160, 120, 0, made.pts + CLOCK / FPS) < 0 || made.packets != packets + 1)
        FAIL("%s: the next frame fails too", what);
    return 1;
}

static int bad(void)
{
    AVCodecContext *ctx = open_live(160, 120), *old = alloc_encoder(160, 120);
    int fine = send_frames(ctx, 0, 3);

    set_rate(old, HIGH);
    old->qmin = ctx->qmin;
    old->qmax = ctx->qmax;
    fine = fine && (ctx->bit_rate = 0, refused(ctx, old, "no bitrate"));
    fine = fine && (ctx->bit_rate = -5, refused(ctx, old, "a negative bitrate"));
    fine = fine && (ctx->rc_buffer_size = -1, refused(ctx, old, "a negative buffer"));
    fine = fine && (ctx->qmin = 40, ctx->qmax = 30, refused(ctx, old, "qmin above qmax"));
    fine = fine && (ctx->qmax = 64, refused(ctx, old, "qmax 64"));
    fine = fine && (ctx->framerate.den = 0, refused(ctx, old, "framerate 30/0"));
    fine = fine && (ctx->framerate.num = 1000000, refused(ctx, old, "framerate 1000000"));
    /* Extremes that are no errors. */
    fine = fine && (ctx->bit_rate = INT64_MAX, send_frames(ctx, 100, 103));
    fine = fine && (ctx->bit_rate = 500, send_frames(ctx, 103, 106));
    fine = fine && (ctx->gop_size = 0, send_frames(ctx, 106, 109));
    fine = fine && (ctx->gop_size = 1, send_frames(ctx, 109, 112));
    fine = fine && (ctx->qmin = ctx->qmax = 63, send_frames(ctx, 112, 115));
    fine = fine && (ctx->framerate = (AVRational) { 0, 1 }, send_frames(ctx, 115, 118));
    avcodec_free_context(&old);
    avcodec_free_context(&ctx);
    return fine;
}

/* ---- two passes ------------------------------------------------------------ */

/* Rates do not change in two passes, quantizers do. */
static int two_passes(void)
{
    AVCodecContext *first = alloc_encoder(160, 120), *second = alloc_encoder(160, 120);
    int fine;

    first->flags |= AV_CODEC_FLAG_PASS1;
    open_encoder(first);
    fine = send_frames(first, 0, 20);
    first->bit_rate = LOW;
    fine = fine && send_frames(first, 20, 60) && finish(first) && first->stats_out;
    clear();
    second->flags |= AV_CODEC_FLAG_PASS2;
    second->stats_in = fine ? av_strdup(first->stats_out) : NULL;
    open_encoder(second);
    fine = fine && send_frames(second, 0, 20);
    second->bit_rate = LOW;
    second->qmin = second->qmax = 50;
    fine = fine && send_frames(second, 20, 60) && finish(second);
    if (fine && (made.packets != 60 || made.quantizer < 50))
        FAIL("%d packets, quantizer %d", made.packets, made.quantizer);
    av_freep(&second->stats_in);
    avcodec_free_context(&first);
    avcodec_free_context(&second);
    return fine;
}

/* ---- flush ----------------------------------------------------------------- */

/* A flush drops queued frames. The streams after two flushes are the same. */
static int flush_one(AVCodecContext *ctx, int delay)
{
    uint64_t first;
    int fine = send_frames(ctx, 0, 10 + delay);

    avcodec_flush_buffers(ctx);
    clear();
    fine = fine && send_frames(ctx, 0, 40) && finish(ctx);
    if (fine && (made.packets != 40 || made.keys != 1))
        FAIL("%d packets, %d keys after a flush", made.packets, made.keys);
    first = made.sum;
    avcodec_flush_buffers(ctx); /* after the end */
    clear();
    fine = fine && send_frames(ctx, 0, 40) && finish(ctx);
    if (fine && made.sum != first)
        FAIL("another stream after a flush");
    avcodec_free_context(&ctx);
    clear();
    return fine;
}

static int flush(void)
{
    AVCodecContext *ctx = alloc_encoder(320, 240);

    open_encoder(ctx); /* with a lookahead of 25 frames */
    return flush_one(open_live(320, 240), 0) && flush_one(ctx, 20);
}

static int flush_twice(void)
{
    AVCodecContext *ctx = open_live(160, 120);
    int fine = 1;

    for (int i = 0; fine && i < 20; i++) {
        avcodec_flush_buffers(ctx);
        fine = send_frames(ctx, 0, i % 3);
    }
    avcodec_free_context(&ctx);
    return fine;
}

/* ---- sizes ----------------------------------------------------------------- */

static const int sizes[][2] = {
    { 320, 240 }, { 160, 120 }, { 320, 240 }, { 640, 360 }, { 33, 17 }, { 634, 350 }, { 1, 1 },
    { 640, 368 }, { 240, 320 }, { 320, 240 },
};

/* Decodes a packet; NULL: the last frames. Returns whether the frames have the sizes that were
 * sent, and counts them in *decoded. */
static int decode(AVCodecContext *decoder, const AVPacket *packet, AVFrame *frame, int *decoded)
{
    int ret = avcodec_send_packet(decoder, packet);

    while (ret >= 0 && (ret = avcodec_receive_frame(decoder, frame)) >= 0) {
        const int *size = sizes[*decoded / 10];

        if (frame->width != size[0] || frame->height != size[1])
            FAIL("frame %d has %dx%d pixels, not %dx%d", *decoded, frame->width, frame->height,
                 size[0], size[1]);
        (*decoded)++;
    }
    return ret == AVERROR(EAGAIN) || ret == AVERROR_EOF;
}

/* Ten frames of each size. */
static int change_sizes(AVCodecContext *ctx, int has_delay)
{
    const AVCodec *codec = avcodec_find_decoder_by_name("vp8");
    AVCodecContext *decoder = avcodec_alloc_context3(codec);
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    int changes = (int)(sizeof(sizes) / sizeof(sizes[0]));
    int packets = 0, decoded = 0, keys = 0, fine = 1;

    if (!decoder || !packet || !frame || avcodec_open2(decoder, codec, NULL) < 0)
        exit(1);
    for (int n = 0; fine && n <= 10 * changes; n++) {
        AVFrame *sent = n < 10 * changes ? new_frame(sizes[n / 10][0], sizes[n / 10][1]) : NULL;
        int ret;

        if (sent) {
            draw(sent, n);
            sent->pts = (int64_t)n * CLOCK / FPS;
        }
        ret = avcodec_send_frame(ctx, sent);
        av_frame_free(&sent);
        while (ret >= 0 && fine && (ret = avcodec_receive_packet(ctx, packet)) >= 0) {
            if (packet->flags & AV_PKT_FLAG_KEY)
                keys++;
            if (packets % 10 == 0 && !(packet->flags & AV_PKT_FLAG_KEY))
                fine = 0;
            packets++;
            fine = fine && decode(decoder, packet, frame, &decoded);
            av_packet_unref(packet);
        }
        fine = fine && ret == (n < 10 * changes ? AVERROR(EAGAIN) : AVERROR_EOF) &&
               (has_delay || n == 10 * changes || packets == n + 1);
    }
    fine = fine && decode(decoder, NULL, frame, &decoded);
    if (!fine || packets != 10 * changes || decoded != packets || keys < changes)
        fprintf(stderr, "%d packets, %d keys, %d decoded frames\n", packets, keys, decoded);
    fine = fine && packets == 10 * changes && decoded == packets && keys >= changes;
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&decoder);
    avcodec_free_context(&ctx);
    return fine;
}

static int size_live(void)
{
    AVCodecContext *ctx = alloc_encoder(320, 240);

    set_rate(ctx, HIGH);
    ctx->thread_count = 4;
    av_opt_set(ctx->priv_data, "preset", "live", 0);
    av_opt_set(ctx->priv_data, "frame_size_changes", "1", 0);
    open_encoder(ctx);
    return change_sizes(ctx, 0);
}

static int size_with(const char *option, const char *value, int has_delay)
{
    AVCodecContext *ctx = alloc_encoder(320, 240);

    av_opt_set(ctx->priv_data, option, value, 0);
    av_opt_set(ctx->priv_data, "frame_size_changes", "1", 0);
    open_encoder(ctx);
    return change_sizes(ctx, has_delay);
}

static int size_lookahead(void)
{
    return size_with("preset", "medium", 1);
}

static int size_off(void)
{
    return size_with("cuda_me", "off", 0);
}

static int size_alpha(void)
{
    AVCodecContext *ctx;

    format = AV_PIX_FMT_YUVA420P;
    ctx = alloc_encoder(320, 240);
    av_opt_set(ctx->priv_data, "preset", "live", 0);
    av_opt_set(ctx->priv_data, "auto-alt-ref", "0", 0);
    av_opt_set(ctx->priv_data, "frame_size_changes", "1", 0);
    open_encoder(ctx);
    ctx->bit_rate = LOW;
    return change_sizes(ctx, 0);
}

static int size_refused(void)
{
    AVCodecContext *ctx = open_live(320, 240);
    int fine = send_frames(ctx, 0, 2);

    if (fine && send(ctx, 160, 120, 2, 2 * CLOCK / FPS) != AVERROR(EINVAL))
        FAIL("a smaller frame was accepted without frame_size_changes");
    fine = fine && send_frames(ctx, 3, 5);
    avcodec_free_context(&ctx);
    return fine;
}

/* ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(void);
} cases[] = {
    { "rates-480", rates_480 }, { "rates-720", rates_720 }, { "bit-rate-alone", bit_rate_alone },
    { "vbr", vbr }, { "lookahead", lookahead }, { "framerate", framerate }, { "layers", layers },
    { "layers-flush", layers_flush }, { "quantizers", quantizers }, { "gop", gop }, { "bad", bad },
    { "two-passes", two_passes }, { "flush", flush }, { "flush-twice", flush_twice },
    { "size-live", size_live }, { "size-lookahead", size_lookahead }, { "size-off", size_off },
    { "size-alpha", size_alpha }, { "size-refused", size_refused },
};

int main(int argc, char **argv)
{
    if (argc == 1)
        for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); i++)
            puts(cases[i].name);
    for (int i = 0; argc > 1 && i < (int)(sizeof(cases) / sizeof(cases[0])); i++)
        if (!strcmp(argv[1], cases[i].name))
            return !cases[i].run();
    return argc > 1;
}
