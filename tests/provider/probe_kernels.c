/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "probes.h"

#include <string.h>

#include "random.h"
#include "./vp8_rtcd.h"
#include "./vpx_dsp_rtcd.h"
#include "vp8/common/loopfilter.h"
#include "vp8/encoder/mp/recon/loop_filter.h"
#include "vp8/encoder/onyx_int.h"

static void FillPixels(uint8_t *p, int n, unsigned *seed, int contrast) {
    int i, white = 0;

    for (i = 0; i < n; i++) {
        if (contrast && Random(seed) % contrast == 0) white = !white;
        p[i] = (uint8_t)(contrast ? -white : Random(seed));
    }
}

typedef void (*Predict)(unsigned char *src, int src_stride, int xoffset, int yoffset,
                        unsigned char *dst, int dst_stride);

const char *ComparePredictors(unsigned seed, int contrast) {
    static const struct {
        const char *name;
        int size;
        Predict reference, ours[2];
    } cases[] = {
        {"16x16", 16, vp8_sixtap_predict16x16_c, {NULL, vp8_mp_recon_sixtap16x16_c}},
        {"8x8", 8, vp8_sixtap_predict8x8_c, {NULL, vp8_mp_recon_sixtap8x8_c}},
    };
    static const struct {
        const char *name;
        int width, height;
    } parts[] = {{"16x8", 16, 8}, {"8x16", 8, 16}};
    enum { kStride = 37, kOut = 32 };
    int c, i, x, y;

    vp8_rtcd();
    vpx_dsp_rtcd();
    for (c = 0; c < 2; c++) {
        for (i = 0; i < 2; i++) {
            const Predict best = c ? vp8_mp_recon_sixtap8x8 : vp8_mp_recon_sixtap16x16;
            const Predict ours = cases[c].ours[i] ? cases[c].ours[i] : best;

            for (y = 0; y < 8; y++) {
                for (x = 0; x < 8; x++) {
                    uint8_t source[kStride * 24];
                    DECLARE_ALIGNED(16, uint8_t, expected[kOut * 16]);
                    DECLARE_ALIGNED(16, uint8_t, result[kOut * 16]);

                    FillPixels(source, sizeof(source), &seed, contrast);
                    FillPixels(expected, sizeof(expected), &seed, 0);
                    memcpy(result, expected, sizeof(result));
                    cases[c].reference(source + 2 * kStride + 7, kStride, x, y, expected,
                                       kOut);
                    ours(source + 2 * kStride + 7, kStride, x, y, result, kOut);
                    if (memcmp(result, expected, sizeof(result))) return cases[c].name;
                }
            }
        }
    }
    for (c = 0; c < 3; c++) {
        for (i = 0; i < 2 * 64; i++) {
            uint8_t source[kStride * 24];
            uint8_t *const at = source + 2 * kStride + 7;
            DECLARE_ALIGNED(16, uint8_t, expected[kOut * 16]);
            DECLARE_ALIGNED(16, uint8_t, result[kOut * 16]);

            x = i & 7;
            y = i >> 3 & 7;
            FillPixels(source, sizeof(source), &seed, contrast);
            FillPixels(expected, sizeof(expected), &seed, 0);
            memcpy(result, expected, sizeof(result));
            if (c == 2) {
                /* two blocks, as of the two chroma planes */
                vp8_sixtap_predict4x4_c(at, kStride, x, y, expected, kOut);
                vp8_sixtap_predict4x4_c(at + 5, kStride, x, y, expected + 8, kOut);
                (i & 64 ? vp8_mp_recon_sixtap4x4_pair_c : vp8_mp_recon_sixtap4x4_pair)(
                    at, at + 5, kStride, x, y, result, result + 8, kOut);
            } else {
                const int right = parts[c].width - 8, down = parts[c].height - 8;

                vp8_sixtap_predict8x8_c(at, kStride, x, y, expected, kOut);
                vp8_sixtap_predict8x8_c(at + right + down * kStride, kStride, x, y,
                                        expected + right + down * kOut, kOut);
                (c ? (i & 64 ? vp8_mp_recon_sixtap8x16_c : vp8_mp_recon_sixtap8x16)
                   : (i & 64 ? vp8_mp_recon_sixtap16x8_c : vp8_mp_recon_sixtap16x8))(at, kStride, x, y, result,
                                                                       kOut);
            }
            if (memcmp(result, expected, sizeof(result))) {
                return c == 2 ? "two blocks of 4x4" : parts[c].name;
            }
        }
    }
    return NULL;
}

typedef void (*Transform)(short *input, short *output, int pitch);

const char *CompareTransforms(unsigned seed, int contrast) {
    static const struct {
        const char *name;
        int width;
        Transform reference, ours;
    } cases[] = {
        {"8x4", 8, vp8_short_fdct8x4_c, vp8_mp_recon_fdct8x4_c},
        {"4x4", 4, vp8_short_fdct4x4_c, vp8_mp_recon_fdct4x4_c},
    };
    DECLARE_ALIGNED(16, uint8_t, src[256]);
    DECLARE_ALIGNED(16, uint8_t, pred[256]);
    DECLARE_ALIGNED(16, short, diff[256]);
    int c, size, fast, x, y, i;

    vp8_rtcd();
    FillPixels(src, sizeof(src), &seed, contrast);
    FillPixels(pred, sizeof(pred), &seed, contrast);
    for (i = 0; i < 256; i++) diff[i] = (short)(src[i] - pred[i]);
    for (c = 0; c < 2; c++) {
        for (fast = 0; fast < 2; fast++) {
            const Transform best = c ? vp8_mp_recon_fdct4x4 : vp8_mp_recon_fdct8x4;

            for (size = 8; size <= 16; size += 8) {
                for (y = 0; y + 4 <= size; y += 4) {
                    for (x = 0; x < size; x += cases[c].width) {
                        DECLARE_ALIGNED(16, short, expected[48]) = {0};
                        DECLARE_ALIGNED(16, short, result[48]) = {0};

                        cases[c].reference(diff + y * size + x, expected, 2 * size);
                        (fast ? best : cases[c].ours)(diff + y * size + x, result,
                                                      2 * size);
                        if (memcmp(result, expected, sizeof(result))) return cases[c].name;
                    }
                }
            }
        }
    }
    return NULL;
}

const char *CompareResiduals(unsigned seed, int contrast, int step, int rounding) {
    enum { kStride = 32 };
    DECLARE_ALIGNED(16, uint8_t, src[kStride * 16]);
    DECLARE_ALIGNED(16, uint8_t, pred[kStride * 16]);
    DECLARE_ALIGNED(16, short, round[16]);
    DECLARE_ALIGNED(16, short, quant[16]);
    int size, ours, x, y, i, n = 0;

    vp8_rtcd();
    vpx_dsp_rtcd();
    FillPixels(src, sizeof(src), &seed, contrast);
    FillPixels(pred, sizeof(pred), &seed, contrast);
    if (seed & 256) {
        /* Predict nearly all pixels exactly. */
        for (i = 0; i < (int)sizeof(src); i++) {
            pred[i] = (uint8_t)(src[i] ^ (Random(&seed) % 16 == 0));
        }
    }
    for (i = 0; i < 16; i++) {
        const int s = i ? step : (step * 3 + 3) / 4;

        round[i] = (short)(s * rounding >> 7);
        quant[i] = (short)(65536 / s);
    }
    for (size = 8; size <= 16; size += 8) {
        for (ours = 0; ours < 2; ours++) {
            DECLARE_ALIGNED(16, short, qcoeff[256]);
            short dc[16];
            char eobs[16];

            if (size == 16) {
                (ours ? vp8_mp_recon_residual16x16_c : vp8_mp_recon_residual16x16)(
                    src, kStride, pred, kStride, round, quant, qcoeff, eobs, dc);
            } else {
                (ours ? vp8_mp_recon_residual8x8_c : vp8_mp_recon_residual8x8)(
                    src, kStride, pred, kStride, round, quant, qcoeff, eobs);
            }
            for (n = y = 0; y < size; y += 4) {
                for (x = 0; x < size; x += 4, n++) {
                    DECLARE_ALIGNED(16, short, diff[16]);
                    DECLARE_ALIGNED(16, short, coeff[16]);
                    DECLARE_ALIGNED(16, short, expected[16]);
                    DECLARE_ALIGNED(16, short, dqcoeff[16]);
                    DECLARE_ALIGNED(16, short, dequant[16]) = {0};
                    char eob;
                    BLOCK b;
                    BLOCKD d;

                    for (i = 0; i < 16; i++) {
                        const int at = (y + i / 4) * kStride + x + i % 4;

                        diff[i] = (short)(src[at] - pred[at]);
                    }
                    vp8_short_fdct4x4_c(diff, coeff, 8);
                    memset(&b, 0, sizeof(b));
                    memset(&d, 0, sizeof(d));
                    b.coeff = coeff;
                    b.round = round;
                    b.quant_fast = quant;
                    d.qcoeff = expected;
                    d.dqcoeff = dqcoeff;
                    d.dequant = dequant;
                    d.eob = &eob;
                    vp8_fast_quantize_b_c(&b, &d);
                    if (memcmp(expected, qcoeff + 16 * n, sizeof(expected))) return "coefficients";
                    if (eob != eobs[n]) return "ends of blocks";
                    if (size == 16 && dc[n] != coeff[0]) return "DC";
                }
            }
        }
    }
    return NULL;
}

const char *CompareMacroblockTransforms(unsigned seed, int contrast) {
    enum { kStride = 48 };
    DECLARE_ALIGNED(16, uint8_t, src[kStride * 16]);
    DECLARE_ALIGNED(16, uint8_t, pred[256]);
    DECLARE_ALIGNED(16, short, diff[16]);
    DECLARE_ALIGNED(16, short, expected[16]);
    DECLARE_ALIGNED(32, short, coeff[3][256]);
    int ours, size, x, y, i;

    vp8_rtcd();
    vpx_dsp_rtcd();
    FillPixels(src, sizeof(src), &seed, contrast);
    FillPixels(pred, sizeof(pred), &seed, contrast);
    for (ours = 0; ours < 2; ours++) {
        (ours ? vp8_mp_recon_transform16x16 : vp8_mp_recon_transform16x16_c)(src, kStride, pred, 16, coeff[0]);
        (ours ? vp8_mp_recon_transform8x8 : vp8_mp_recon_transform8x8_c)(src, kStride, pred, 16, coeff[1]);
        (ours ? vp8_mp_recon_transform_batch : vp8_mp_recon_transform_batch_c)(src, kStride, pred, coeff[2]);
        for (size = 16; size >= 4; size /= 2) {
            const short *at = coeff[size == 16 ? 0 : size == 8 ? 1 : 2];

            for (y = 0; y < size; y += 4) {
                /* The predictions of one block are 16 columns by 4 rows, side by side. */
                for (x = 0; x < (size == 4 ? 16 : size); x += 4, at += 16) {
                    for (i = 0; i < 16; i++) {
                        const int row = y + i / 4, col = x + i % 4;

                        diff[i] = (short)(src[row * kStride + (size == 4 ? i % 4 : col)] -
                                          pred[row * 16 + col]);
                    }
                    vp8_short_fdct4x4_c(diff, expected, 8);
                    if (memcmp(expected, at, sizeof(expected))) {
                        return size == 16 ? "16x16" : size == 8 ? "8x8" : "4x4";
                    }
                }
            }
        }
    }
    return NULL;
}

const char *CompareClasses(unsigned seed, int step, int most) {
    static const int zigzag[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
    /* Place the block at a random alignment. */
    const int at = (int)(Random(&seed) % 8);
    short coeff[24], qcoeff[24], dequant[24];
    unsigned nonzero = 0, up = 0, i;
    int ours;

    vp8_rtcd();
    for (i = 0; i < 16; i++) {
        const int value = (int)(Random(&seed) % (unsigned)(2 * most + 1)) - most;
        const int size = value < 0 ? -value : value;
        const int s = i ? step : (step * 3 + 3) / 4;
        /* Round down, or up by at most one and a half steps. */
        const int level = (size + (int)(Random(&seed) % 4) * s / 2) / s;

        coeff[at + i] = (short)value;
        qcoeff[at + i] = (short)(value < 0 ? -level : level);
        dequant[at + i] = (short)s;
    }
    for (i = 0; i < 16; i++) {
        const int rc = at + zigzag[i];
        const int value = coeff[rc] < 0 ? -coeff[rc] : coeff[rc];
        const int over = (qcoeff[rc] < 0 ? -qcoeff[rc] : qcoeff[rc]) * dequant[rc] - value;

        nonzero |= (unsigned)(qcoeff[rc] != 0) << i;
        up |= (unsigned)(over > 0 && over < dequant[rc]) << i;
    }
    for (ours = 0; ours < 2; ours++) {
        unsigned is_nonzero = ~0u, is_up = ~0u;

        (ours ? vp8_mp_recon_classify : vp8_mp_recon_classify_c)(
            coeff + at, qcoeff + at, dequant + at, &is_nonzero, &is_up);
        if (is_nonzero != nonzero) return ours ? "not zero" : "not zero, in C";
        if (is_up != up) return ours ? "rounded up" : "rounded up, in C";
    }
    return NULL;
}

const char *CompareFilters(unsigned seed, int variation) {
    enum { kStride = 64, kRows = 48, kMb = 16 * kStride + 16 };
    typedef struct {
        DECLARE_ALIGNED(16, uint8_t, plane[3][kStride * kRows]);
    } Picture;
    DECLARE_ALIGNED(16, uint8_t, limit[4][16]);
    loop_filter_info lfi;
    Picture before, expected, result;
    int edges, has_uv, ours, i, p;

    vp8_rtcd();
    lfi.mblim = limit[0];
    lfi.blim = limit[1];
    lfi.lim = limit[2];
    lfi.hev_thr = limit[3];
    for (edges = 0; edges < 8; edges++) {
        const int base = (int)(Random(&seed) % (256 - (unsigned)variation));
        const int lim = (int)(Random(&seed) % 64);

        memset(limit[0], 2 * lim + (int)(Random(&seed) % 70), 16);
        memset(limit[1], 2 * lim + (int)(Random(&seed) % 66), 16);
        memset(limit[2], lim, 16);
        memset(limit[3], (int)(Random(&seed) % 4), 16);
        for (p = 0; p < 3; p++) {
            for (i = 0; i < kStride * kRows; i++) {
                before.plane[p][i] = (uint8_t)(base + (int)(Random(&seed) % (unsigned)(variation + 1)));
            }
        }
        for (has_uv = 0; has_uv < 2; has_uv++) {
            uint8_t *const y = expected.plane[0] + kMb;
            uint8_t *const u = has_uv ? expected.plane[1] + kMb : NULL;
            uint8_t *const v = has_uv ? expected.plane[2] + kMb : NULL;

            expected = before;
            if (edges & VP8_MP_RECON_LEFT) vp8_loop_filter_mbv_c(y, u, v, kStride, kStride, &lfi);
            if (edges & VP8_MP_RECON_INNER) vp8_loop_filter_bv_c(y, u, v, kStride, kStride, &lfi);
            if (edges & VP8_MP_RECON_TOP) vp8_loop_filter_mbh_c(y, u, v, kStride, kStride, &lfi);
            if (edges & VP8_MP_RECON_INNER) vp8_loop_filter_bh_c(y, u, v, kStride, kStride, &lfi);
            for (ours = 0; ours < 2; ours++) {
                result = before;
                (ours ? vp8_mp_recon_filter_mb : vp8_mp_recon_filter_mb_c)(
                    result.plane[0] + kMb, has_uv ? result.plane[1] + kMb : NULL,
                    has_uv ? result.plane[2] + kMb : NULL, kStride, kStride, &lfi, edges);
                if (memcmp(&result, &expected, sizeof(result))) return has_uv ? "chroma" : "luma";
            }
        }
    }
    return NULL;
}
