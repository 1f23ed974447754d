/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Usage: smoke stock|provider THREADS
 *
 * Encodes some frames by libvpx's API in several ways, decodes them, and compares the decoder's
 * pictures with the encoder's reconstruction. Prints a hash of each stream. "provider" sets a
 * motion provider, whose answers depend only on the macroblock. tools/check-series runs this program
 * with every prefix of the patch series.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vpx/vp8_motion_provider.h"
#include "vpx/vp8cx.h"
#include "vpx/vp8dx.h"
#include "vpx/vpx_decoder.h"
#include "vpx/vpx_encoder.h"

enum { kWidth = 208, kHeight = 112, kCols = kWidth / 16, kRows = kHeight / 16, kFrames = 8 };

static void Fail(const char *what) {
    fprintf(stderr, "smoke: %s\n", what);
    exit(1);
}

static unsigned Mix(unsigned a, unsigned b, unsigned c) {
    unsigned h = a * 0x9E3779B1u ^ b * 0x85EBCA77u ^ c * 0xC2B2AE3Du;

    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    return h ^ h >> 13;
}

/* ---- the provider ---------------------------------------------------------- */

typedef struct {
    vp8e_mp_mb_t mb[4][kRows * kCols];
    vp8e_mp_split_t split[4][kRows * kCols];
    vp8e_mp_intra_t intra[kRows * kCols];
} Field;

static int FrameBegin(void *priv, const vp8e_mp_frame_t *frame) {
    Field *const field = priv;
    int ref, mb, i;

    if (frame->mb_rows != kRows || frame->mb_cols != kCols) return -1;
    for (mb = 0; mb < kRows * kCols; mb++) {
        for (ref = 1; ref < 4; ref++) {
            vp8e_mp_mb_t *const m = &field->mb[ref][mb];
            vp8e_mp_split_t *const s = &field->split[ref][mb];
            const unsigned r = Mix((unsigned)mb, (unsigned)ref, (unsigned)frame->frame_id);

            memset(m, 0, sizeof(*m));
            m->flags = r % 5 ? VP8E_MP_MB_SPLIT : r % 2 ? VP8E_MP_MB_FULLPEL : VP8E_MP_MB_NONE;
            m->mv.row = (int16_t)(4 * (int)(r >> 4 & 1));
            m->mv.col = (int16_t)(12 + 4 * (int)(r >> 6 & 1));
            m->dist = (uint16_t)(400 + (r >> 8) % 600);
            for (i = 0; i < 24; i++) {
                s->mv[i] = m->mv;
                s->mv[i].col = (int16_t)(s->mv[i].col + (int)(Mix(r, (unsigned)i, 1) % 3) - 1);
                s->dist[i] = (uint16_t)(m->dist / 16 + Mix(r, (unsigned)i, 2) % 30);
            }
        }
        for (i = 0; i < 4; i++) field->intra[mb].satd16[i] = (uint16_t)(600 + 100 * i);
        field->intra[mb].cost4 = (uint16_t)(500 + Mix((unsigned)mb, 7, 7) % 900);
        for (i = 0; i < 16; i++) {
            field->intra[mb].mode4[i] = (uint8_t)(i % 10 | (i + 3) % 10 << 4);
        }
    }
    return 0;
}

static int Row(void *priv, int mb_row, const vp8e_mp_mb_t *rows[4],
               const vp8e_mp_split_t *splits[4]) {
    const Field *const field = priv;
    int ref;

    for (ref = 1; ref < 4; ref++) {
        rows[ref] = &field->mb[ref][mb_row * kCols];
        splits[ref] = &field->split[ref][mb_row * kCols];
    }
    return 0;
}

static int IntraRow(void *priv, int mb_row, const vp8e_mp_intra_t **row) {
    *row = &((const Field *)priv)->intra[mb_row * kCols];
    return 0;
}

static uint32_t Sad(int size, const uint8_t *a, ptrdiff_t a_stride, const uint8_t *b,
                    ptrdiff_t b_stride) {
    uint32_t sum = 0;
    int x, y;

    for (y = 0; y < size; y++) {
        for (x = 0; x < size; x++) {
            sum += (uint32_t)abs(a[y * a_stride + x] - b[y * b_stride + x]);
        }
    }
    return sum;
}

static uint32_t Sad16(const uint8_t *a, ptrdiff_t a_stride, const uint8_t *b, ptrdiff_t b_stride) {
    return Sad(16, a, a_stride, b, b_stride);
}
static uint32_t Sad8(const uint8_t *a, ptrdiff_t a_stride, const uint8_t *b, ptrdiff_t b_stride) {
    return Sad(8, a, a_stride, b, b_stride);
}
static uint32_t Sad4(const uint8_t *a, ptrdiff_t a_stride, const uint8_t *b, ptrdiff_t b_stride) {
    return Sad(4, a, a_stride, b, b_stride);
}

/* ---- encoding -------------------------------------------------------------- */

static void Draw(vpx_image_t *image, int t) {
    int plane, x, y;

    for (plane = 0; plane < 3; plane++) {
        const int shift = plane > 0, width = kWidth >> shift, height = kHeight >> shift;

        for (y = 0; y < height; y++) {
            for (x = 0; x < width; x++) {
                const unsigned u = (unsigned)(x + (3 * t >> shift)), v = (unsigned)(y + (t >> shift));

                image->planes[plane][y * image->stride[plane] + x] =
                    (uint8_t)(64 + (Mix(u / 8, v / 8, (unsigned)plane) & 63) + (Mix(u, v, 9) & 15));
            }
        }
    }
}

static int Differ(const vpx_image_t *a, const vpx_image_t *b) {
    int plane, y;

    if (a->d_w != b->d_w || a->d_h != b->d_h) return 1;
    for (plane = 0; plane < 3; plane++) {
        for (y = 0; y < kHeight >> (plane > 0); y++) {
            if (memcmp(a->planes[plane] + y * a->stride[plane],
                       b->planes[plane] + y * b->stride[plane], kWidth >> (plane > 0))) {
                return 1;
            }
        }
    }
    return 0;
}

typedef struct {
    const char *name;
    unsigned long deadline;
    int cpu_used, two_passes;
} Way;

typedef struct {
    void *buf;
    size_t sz;
} Stats;

static void Append(Stats *stats, const void *data, size_t size) {
    stats->buf = realloc(stats->buf, stats->sz + size);
    memcpy((char *)stats->buf + stats->sz, data, size);
    stats->sz += size;
}

/* Encodes one pass and returns a hash of its packets. pass: 0: the only one; 1 or 2: of two. */
static unsigned long long Encode(const Way *way, int pass, Stats *stats, int provided, int threads) {
    static Field field;
    static vp8e_motion_provider_t provider;
    unsigned long long hash = 0xcbf29ce484222325u;
    vpx_codec_enc_cfg_t cfg;
    vpx_codec_ctx_t encoder, decoder;
    vpx_image_t *const image = vpx_img_alloc(NULL, VPX_IMG_FMT_I420, kWidth, kHeight, 16);
    int t;

    vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &cfg, 0);
    cfg.g_w = kWidth;
    cfg.g_h = kHeight;
    cfg.g_threads = (unsigned)threads;
    cfg.rc_target_bitrate = 400;
    cfg.g_lag_in_frames = 0;
    cfg.g_pass = pass == 0 ? VPX_RC_ONE_PASS : pass == 1 ? VPX_RC_FIRST_PASS : VPX_RC_LAST_PASS;
    if (pass == 2) {
        cfg.rc_twopass_stats_in.buf = stats->buf;
        cfg.rc_twopass_stats_in.sz = stats->sz;
    }
    if (vpx_codec_enc_init(&encoder, vpx_codec_vp8_cx(), &cfg, 0)) Fail("cannot open the encoder");
    if (vpx_codec_dec_init(&decoder, vpx_codec_vp8_dx(), NULL, 0)) Fail("cannot open the decoder");
    vpx_codec_control(&encoder, VP8E_SET_CPUUSED, way->cpu_used);
    if (provided) {
        provider.abi_version = VP8E_MP_ABI_VERSION;
        provider.priv = &field;
        provider.repair_mv_cost = provider.repair_drops = provider.repair_threads = 1;
        provider.guide = VP8E_MP_GUIDE_NORMAL;
        provider.frame_begin = FrameBegin;
        provider.row = Row;
        provider.intra_row = IntraRow;
        provider.satd[0] = Sad16;
        provider.satd[1] = Sad8;
        provider.satd[2] = Sad4;
        if (vpx_codec_control_(&encoder, VP8E_SET_MOTION_PROVIDER, &provider)) Fail("cannot set a provider");
    }
    for (t = 0; t <= kFrames; t++) {
        vpx_codec_iter_t it = NULL;
        const vpx_codec_cx_pkt_t *packet;

        Draw(image, t);
        if (vpx_codec_encode(&encoder, t < kFrames ? image : NULL, t, 1, 0, way->deadline)) {
            Fail("cannot encode");
        }
        while ((packet = vpx_codec_get_cx_data(&encoder, &it))) {
            const uint8_t *const data = packet->data.frame.buf;
            const vpx_image_t *shown, *reconstruction;
            vpx_codec_iter_t shown_it = NULL;
            size_t i;

            if (packet->kind == VPX_CODEC_STATS_PKT) {
                Append(stats, packet->data.twopass_stats.buf, packet->data.twopass_stats.sz);
            }
            for (i = 0; i < packet->data.frame.sz; i++) {
                hash = (hash ^ data[i]) * 0x100000001b3u;
            }
            if (packet->kind != VPX_CODEC_CX_FRAME_PKT) continue;
            if (vpx_codec_decode(&decoder, data, (unsigned)packet->data.frame.sz, NULL, 0)) {
                Fail("cannot decode");
            }
            shown = vpx_codec_get_frame(&decoder, &shown_it);
            reconstruction = vpx_codec_get_preview_frame(&encoder);
            if (shown && reconstruction && Differ(shown, reconstruction)) {
                Fail("the decoder's picture differs from the encoder's reconstruction");
            }
        }
    }
    vpx_codec_destroy(&encoder);
    vpx_codec_destroy(&decoder);
    vpx_img_free(image);
    return hash;
}

int main(int argc, char **argv) {
    static const Way ways[] = {{"best", VPX_DL_BEST_QUALITY, 0, 0},
                               {"good", VPX_DL_GOOD_QUALITY, 4, 0},
                               {"realtime", VPX_DL_REALTIME, -8, 0},
                               {"passes", VPX_DL_GOOD_QUALITY, 1, 1}};
    unsigned i;

    if (argc != 3) Fail("usage: smoke stock|provider THREADS");
    for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        const int provided = !strcmp(argv[1], "provider"), threads = atoi(argv[2]);
        Stats stats = {NULL, 0};

        if (ways[i].two_passes) {
            printf("%s-1 %016llx\n", ways[i].name, Encode(&ways[i], 1, &stats, provided, threads));
        }
        printf("%s %016llx\n", ways[i].name,
               Encode(&ways[i], ways[i].two_passes ? 2 : 0, &stats, provided, threads));
        free(stats.buf);
    }
    return 0;
}
