/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "stream.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vpx/vp8dx.h>

void Fail(const char *format, ...) {
    va_list args;

    va_start(args, format);
    fprintf(stderr, "so-test: ");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

static void Check(vpx_codec_ctx_t *codec, vpx_codec_err_t result, const char *what) {
    const char *detail;

    if (result == VPX_CODEC_OK) return;
    detail = vpx_codec_error_detail(codec);
    Fail("%s: %s (%s)", what, vpx_codec_error(codec), detail ? detail : "no detail");
}

/* ---- pictures -------------------------------------------------------------- */

static unsigned Mix(unsigned a, unsigned b, unsigned c) {
    unsigned h = a * 0x9E3779B1u ^ b * 0x85EBCA77u ^ c * 0xC2B2AE3Du;

    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    return h ^ h >> 13;
}

/* Values between points 8 pixels apart, so that motion is visible at fractions of them. */
static unsigned Texture(unsigned x, unsigned y) {
    const unsigned u = x / 8, v = y / 8, fx = x % 8, fy = y % 8;
    const unsigned top = (Mix(u, v, 1) & 127) * (8 - fx) + (Mix(u + 1, v, 1) & 127) * fx;
    const unsigned low = (Mix(u, v + 1, 1) & 127) * (8 - fx) + (Mix(u + 1, v + 1, 1) & 127) * fx;

    return 48 + (top * (8 - fy) + low * fy) / 64;
}

static uint8_t Luma(unsigned x, unsigned y, unsigned width, unsigned height, unsigned n) {
    const unsigned left = (width + 400 - 5 * n % 400) % width, top = height / 4;
    const unsigned grain = Mix(x, y, n + 7) % 5;

    if (x - left < width / 5 && y - top < height / 3)
        return (uint8_t)(Texture(x + 5 * n, y) + grain);
    return (uint8_t)(Texture(x + 3 * n, y + n) + grain);
}

vpx_image_t *Draw(unsigned width, unsigned height, vpx_img_fmt_t format, int n) {
    vpx_image_t *const image = vpx_img_alloc(NULL, format, width, height, 16);
    const unsigned chroma_width = (width + 1) / 2, chroma_height = (height + 1) / 2;
    const int step = format == VPX_IMG_FMT_NV12 ? 2 : 1;

    if (!image) Fail("no memory for a picture");
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            image->planes[VPX_PLANE_Y][y * image->stride[VPX_PLANE_Y] + x] =
                Luma(x, y, width, height, (unsigned)n);
    for (unsigned y = 0; y < chroma_height; y++)
        for (unsigned x = 0; x < chroma_width; x++)
            for (int plane = VPX_PLANE_U; plane <= VPX_PLANE_V; plane++)
                image->planes[plane][y * image->stride[plane] + x * step] =
                    (uint8_t)(100 + 4 * plane + Texture(2 * x + 3 * n, 2 * y + n + 50 * plane) / 4);
    return image;
}

/* ---- streams --------------------------------------------------------------- */

vpx_codec_enc_cfg_t Config(void) {
    vpx_codec_enc_cfg_t cfg;

    if (vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &cfg, 0)) Fail("no default config");
    cfg.g_w = kWidth;
    cfg.g_h = kHeight;
    cfg.g_threads = 1;
    cfg.g_timebase.num = 1;
    cfg.g_timebase.den = 90000;
    cfg.rc_target_bitrate = 300;
    return cfg;
}

void Open(Stream *s, const vpx_codec_enc_cfg_t *cfg) {
    memset(s, 0, sizeof(*s));
    s->cfg = *cfg;
    s->deadline = VPX_DL_REALTIME;
    s->format = VPX_IMG_FMT_I420;
    s->hash = 0xcbf29ce484222325u;
    s->preview = cfg->g_lag_in_frames == 0;
    Check(&s->encoder, vpx_codec_enc_init(&s->encoder, vpx_codec_vp8_cx(), cfg, 0), "open");
    Check(&s->decoder, vpx_codec_dec_init(&s->decoder, vpx_codec_vp8_dx(), NULL, 0), "decoder");
    Control(s, VP8E_SET_CPUUSED, -8);
}

void Control(Stream *s, int id, int value) {
    Check(&s->encoder, vpx_codec_control_(&s->encoder, id, value), "control");
}

void Configure(Stream *s) {
    Check(&s->encoder, vpx_codec_enc_config_set(&s->encoder, &s->cfg), "configure");
}

static void Compare(const vpx_image_t *a, const vpx_image_t *b, int frame) {
    if (a->d_w != b->d_w && (a->d_w + 15) / 16 != (b->d_w + 15) / 16)
        Fail("frame %d: %u pixels wide decoded, %u encoded", frame, a->d_w, b->d_w);
    for (int plane = 0; plane < 3; plane++) {
        const unsigned width = plane ? (a->d_w + 1) / 2 : a->d_w;
        const unsigned height = plane ? (a->d_h + 1) / 2 : a->d_h;

        for (unsigned y = 0; y < height; y++)
            if (memcmp(a->planes[plane] + y * a->stride[plane],
                       b->planes[plane] + y * b->stride[plane], width))
                Fail("frame %d: row %u of plane %d is decoded differently", frame, y, plane);
    }
}

void Decode(Stream *s, const vpx_codec_cx_pkt_t *packet) {
    const uint8_t *const data = packet->data.frame.buf;
    vpx_codec_iter_t iter = NULL;
    const vpx_image_t *image;

    for (size_t i = 0; i < packet->data.frame.sz; i++)
        s->hash = (s->hash ^ data[i]) * 0x100000001b3u;
    s->bytes += packet->data.frame.sz;
    s->packets++;
    if (packet->data.frame.flags & VPX_FRAME_IS_KEY) {
        s->keys++;
        s->last_key = (int)(packet->data.frame.pts / 3000);
    }
    if (s->skipped_layers) return;
    Check(&s->decoder,
          vpx_codec_decode(&s->decoder, data, (unsigned)packet->data.frame.sz, NULL, 0), "decode");
    image = vpx_codec_get_frame(&s->decoder, &iter);
    if (!image) return;
    s->shown++;
    s->width = image->d_w;
    s->height = image->d_h;
    if (s->preview) {
        const vpx_image_t *const coded = vpx_codec_get_preview_frame(&s->encoder);

        if (!coded) Fail("no reconstruction of frame %d", s->frame);
        Compare(image, coded, s->frame);
    }
}

vpx_codec_err_t TryEncode(Stream *s, vpx_enc_frame_flags_t flags, int is_end) {
    vpx_image_t *const image = is_end ? NULL : Draw(s->cfg.g_w, s->cfg.g_h, s->format, s->frame);
    const vpx_codec_err_t result = vpx_codec_encode(
        &s->encoder, image, (vpx_codec_pts_t)s->frame * 3000, 3000, flags, s->deadline);
    vpx_codec_iter_t iter = NULL;
    const vpx_codec_cx_pkt_t *packet;

    vpx_img_free(image);
    if (result) return result;
    while ((packet = vpx_codec_get_cx_data(&s->encoder, &iter)))
        if (packet->kind == VPX_CODEC_CX_FRAME_PKT) Decode(s, packet);
    s->frame += !is_end;
    return VPX_CODEC_OK;
}

void Encode(Stream *s, int frames) {
    for (int i = 0; i < frames; i++) Check(&s->encoder, TryEncode(s, 0, 0), "encode");
}

void Flush(Stream *s) {
    int before;

    do {
        before = s->packets;
        Check(&s->encoder, TryEncode(s, 0, 1), "flush");
    } while (s->packets > before);
}

void Close(Stream *s) {
    Check(&s->encoder, vpx_codec_destroy(&s->encoder), "close");
    Check(&s->decoder, vpx_codec_destroy(&s->decoder), "close the decoder");
}
