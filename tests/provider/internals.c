/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "internals.h"

#include <stdlib.h>
#include <string.h>

#include "./vp8_rtcd.h"
#include "./vpx_dsp_rtcd.h"
#include "vp8/common/loopfilter.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/bitstream.h"
#include "vp8/encoder/fast_filter.h"
#include "vp8/encoder/fast_tokens.h"
#include "vp8/encoder/guided_rd.h"
#include "vp8/encoder/guided_recall.h"
#include "vp8/encoder/guided_residual.h"
#include "vp8/encoder/quantize.h"
#include "vp8/encoder/token_rate.h"
#include "vpx_mem/vpx_mem.h"

long PackTokens(int ours, const TestToken *tokens, const int *calls, int num_calls,
                uint8_t *to, size_t size) {
    struct vpx_internal_error_info *error = calloc(1, sizeof(*error));
    TOKENEXTRA *list;
    vp8_writer w;
    int i, n = 0;
    volatile long result = -1;

    for (i = 0; i < num_calls; i++) n += calls[i];
    list = calloc(n + 1, sizeof(*list));
    for (i = 0; i < n; i++) {
        list[i].context_tree = tokens[i].probs;
        list[i].Token = (unsigned char)tokens[i].token;
        list[i].Extra = (short)tokens[i].extra;
        list[i].skip_eob_node = (unsigned char)tokens[i].no_eob;
    }
    memset(&w, 0, sizeof(w));
    w.error = error;
    w.fast_tokens = ours;
    error->setjmp = 1;
    if (!setjmp(error->jmp)) {
        vp8_start_encode(&w, to, to + size);
        for (i = n = 0; i < num_calls; n += calls[i++]) {
            if (ours) {
                if (!vp8_ft_pack_tokens(&w, list + n, calls[i])) abort();
            } else {
                vp8_pack_tokens(&w, list + n, calls[i]);
            }
        }
        vp8_stop_encode(&w);
        result = w.pos;
    }
    free(list);
    free(error);
    return result;
}

enum { kMacroblocks = 60 };

typedef struct {
    VP8_COMP *cpi;
    MODE_INFO mode;
    ENTROPY_CONTEXT_PLANES above[4], left;
    TOKENEXTRA *tokens, *end;
} Side;

static unsigned Random(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void FillMacroblock(MACROBLOCKD *xd, unsigned *seed, int empty_percent, int small_percent) {
    const int has_y2 =
        xd->mode_info_context->mbmi.mode != B_PRED && xd->mode_info_context->mbmi.mode != SPLITMV;
    int b, i;

    memset(xd->qcoeff, 0, sizeof(xd->qcoeff));
    memset(xd->eobs, 0, sizeof(xd->eobs));
    for (b = 0; b < 24 + has_y2; b++) {
        const int first = has_y2 && b < 16;
        int eob = first + 1 + (int)(Random(seed) % (16 - first));

        if ((int)(Random(seed) % 100) < empty_percent) {
            /* The fast quantizers count the DC coefficient that Y2 has. */
            xd->eobs[b] = (char)(first ? Random(seed) % 2 : 0);
            continue;
        }
        if (Random(seed) % 3 == 0 && eob > first + 2) eob = first + 2;
        for (i = first; i < eob; i++) {
            int v = (int)(Random(seed) % 100) < small_percent ? (int)(Random(seed) % 9) - 4
                                                            : (int)(Random(seed) % 4096) - 2048;
            if (Random(seed) % 3 == 0) v = 0;
            if (i == eob - 1 && !v) v = Random(seed) % 2 ? 1 : -1;
            xd->qcoeff[b * 16 + vp8_default_zig_zag1d[i]] = (short)v;
        }
        xd->eobs[b] = (char)eob;
    }
}

static int SameTokens(const Side *a, const Side *b) {
    const TOKENEXTRA *s = a->tokens, *t = b->tokens;

    if (a->end - s != b->end - t) return 0;
    for (; s < a->end; s++, t++) {
        if (s->context_tree - (const vp8_prob *)a->cpi->common.fc.coef_probs !=
                t->context_tree - (const vp8_prob *)b->cpi->common.fc.coef_probs ||
            s->Token != t->Token || s->skip_eob_node != t->skip_eob_node ||
            (s->Token != DCT_EOB_TOKEN && s->Extra != t->Extra)) {
            return 0;
        }
    }
    return 1;
}

typedef int TokenCosts[BLOCK_TYPES][COEF_BANDS][PREV_COEF_CONTEXTS][MAX_ENTROPY_TOKENS];

/* Of the tokens that were counted since `before`, and their signs and extra bits. */
static int RateOf(const MACROBLOCK *x, const unsigned int *before) {
    const unsigned int *const counts = &x->coef_counts[0][0][0][0];
    const int *const costs = &x->token_costs[0][0][0][0];
    int rate = 0;
    size_t i;

    if (x->e_mbd.mode_info_context->mbmi.mb_skip_coeff) return 0;
    for (i = 0; i < sizeof(TokenCosts) / sizeof(*costs); i++) {
        rate += (int)(counts[i] - before[i]) * costs[i];
    }
    for (i = 0; i < 25 * 16; i++) rate += vp8_dct_value_cost_ptr[x->e_mbd.qcoeff[i]];
    return rate;
}

/* The same by our rates. */
static int OurRateOf(const MACROBLOCK *x) {
    const MACROBLOCKD *const xd = &x->e_mbd;
    const int mode = xd->mode_info_context->mbmi.mode, has_y2 = mode != B_PRED && mode != SPLITMV;
    unsigned short coded[25] = {0};
    vp8_tr_zeros zeros;
    int b, i;

    if (vp8_ft_all_zero(xd->eobs, has_y2)) return 0;
    for (b = 0; b < 24 + has_y2; b++) {
        for (i = 0; i < 16; i++) {
            coded[b] |= (xd->qcoeff[b * 16 + vp8_default_zig_zag1d[i]] != 0) << i;
        }
    }
    vp8_tr_set(&zeros, x);
    return vp8_tr_luma(x, &zeros, has_y2, coded) + vp8_tr_chroma(x, &zeros, coded);
}

const char *CompareTokenizers(unsigned seed, int empty_percent, int small_percent) {
    static const MB_PREDICTION_MODE modes[] = {B_PRED, SPLITMV, DC_PRED, NEWMV};
    static const vp8e_motion_provider_t provider;
    static TokenCosts costs;
    static unsigned int before[sizeof(costs) / sizeof(int)];
    Side side[2];
    const char *difference = NULL;
    int i, n;

    for (n = 0; n < (int)(sizeof(costs) / sizeof(int)); n++) {
        (&costs[0][0][0][0])[n] = (int)(Random(&seed) % 4096);
    }
    memset(side, 0, sizeof(side));
    for (i = 0; i < 2; i++) {
        side[i].cpi = vpx_memalign(32, sizeof(VP8_COMP));
        memset(side[i].cpi, 0, sizeof(VP8_COMP));
        side[i].cpi->common.mb_no_coeff_skip = 1;
        side[i].cpi->mp.provider = i ? &provider : NULL;
        side[i].cpi->mb.e_mbd.mode_info_context = &side[i].mode;
        side[i].cpi->mb.e_mbd.left_context = &side[i].left;
        side[i].cpi->mb.token_costs = costs;
        vp8_setup_block_dptrs(&side[i].cpi->mb.e_mbd);
        side[i].end = side[i].tokens = calloc(kMacroblocks * 25 * 16, sizeof(TOKENEXTRA));
    }
    for (n = 0; n < kMacroblocks; n++) {
        const MB_PREDICTION_MODE mode = modes[Random(&seed) % 4];
        const unsigned mb_seed = Random(&seed);
        const int all_empty = !n || Random(&seed) % 8 == 0;
        int rate = 0;

        memcpy(before, side[0].cpi->mb.coef_counts, sizeof(before));
        for (i = 0; i < 2; i++) {
            MACROBLOCK *const x = &side[i].cpi->mb;
            unsigned s = mb_seed;

            side[i].mode.mbmi.mode = mode;
            x->e_mbd.above_context = &side[i].above[n % 4];
            FillMacroblock(&x->e_mbd, &s, all_empty ? 100 : empty_percent, small_percent);
            if (i) rate = OurRateOf(x);
            vp8_tokenize_mb(side[i].cpi, x, &side[i].end);
        }
        if (side[0].mode.mbmi.mb_skip_coeff != side[1].mode.mbmi.mb_skip_coeff) {
            difference = "skipped macroblocks";
        }
        if (rate != RateOf(&side[0].cpi->mb, before)) difference = "rates";
    }
    if (!SameTokens(&side[0], &side[1])) difference = "tokens";
    if (memcmp(side[0].cpi->mb.coef_counts, side[1].cpi->mb.coef_counts,
               sizeof(side[0].cpi->mb.coef_counts))) {
        difference = "counts";
    }
    if (memcmp(side[0].above, side[1].above, sizeof(side[0].above)) ||
        memcmp(&side[0].left, &side[1].left, sizeof(side[0].left))) {
        difference = "contexts";
    }
    if (side[0].cpi->mb.skip_true_count != side[1].cpi->mb.skip_true_count) {
        difference = "number of skipped macroblocks";
    }
    if (!side[0].cpi->mb.skip_true_count || side[0].end - side[0].tokens < kMacroblocks) {
        difference = "(nothing was tested)";
    }
    for (i = 0; i < 2; i++) {
        free(side[i].tokens);
        vpx_free(side[i].cpi);
    }
    return difference;
}

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
        {"16x16", 16, vp8_sixtap_predict16x16_c, {NULL, vp8_pk_sixtap16x16_c}},
        {"8x8", 8, vp8_sixtap_predict8x8_c, {NULL, vp8_pk_sixtap8x8_c}},
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
            const Predict best = c ? vp8_pk_sixtap8x8 : vp8_pk_sixtap16x16;
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
                /* a block of each of two planes */
                vp8_sixtap_predict4x4_c(at, kStride, x, y, expected, kOut);
                vp8_sixtap_predict4x4_c(at + 5, kStride, x, y, expected + 8, kOut);
                (i & 64 ? vp8_pk_sixtap4x4_pair_c : vp8_pk_sixtap4x4_pair)(
                    at, at + 5, kStride, x, y, result, result + 8, kOut);
            } else {
                const int right = parts[c].width - 8, down = parts[c].height - 8;

                vp8_sixtap_predict8x8_c(at, kStride, x, y, expected, kOut);
                vp8_sixtap_predict8x8_c(at + right + down * kStride, kStride, x, y,
                                        expected + right + down * kOut, kOut);
                (c ? (i & 64 ? vp8_pk_sixtap8x16_c : vp8_pk_sixtap8x16)
                   : (i & 64 ? vp8_pk_sixtap16x8_c : vp8_pk_sixtap16x8))(at, kStride, x, y, result,
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
        {"8x4", 8, vp8_short_fdct8x4_c, vp8_pk_fdct8x4_c},
        {"4x4", 4, vp8_short_fdct4x4_c, vp8_pk_fdct4x4_c},
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
            const Transform best = c ? vp8_pk_fdct4x4 : vp8_pk_fdct8x4;

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
        /* A prediction that is nearly right. */
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
                (ours ? vp8_gm_residual16x16_c : vp8_gm_residual16x16)(
                    src, kStride, pred, kStride, round, quant, qcoeff, eobs, dc);
            } else {
                (ours ? vp8_gm_residual8x8_c : vp8_gm_residual8x8)(
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
                    if (eob != eobs[n]) return "ends";
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
        (ours ? vp8_gm_transform16x16 : vp8_gm_transform16x16_c)(src, kStride, pred, 16, coeff[0]);
        (ours ? vp8_gm_transform8x8 : vp8_gm_transform8x8_c)(src, kStride, pred, 16, coeff[1]);
        (ours ? vp8_gm_transform_tries : vp8_gm_transform_tries_c)(src, kStride, pred, coeff[2]);
        for (size = 16; size >= 4; size /= 2) {
            const short *at = coeff[size == 16 ? 0 : size == 8 ? 1 : 2];

            for (y = 0; y < size; y += 4) {
                /* Predictions of one block are side by side. */
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

static void FillCoefficients(short *coeff, unsigned *seed, int most, int largest) {
    int i;

    for (i = 0; i < 16; i++) {
        const int size = Random(seed) % 16 ? most : largest;

        coeff[i] = (short)((int)(Random(seed) % (unsigned)(2 * size + 1)) - size);
    }
}

/* A block by libvpx's scalar quantizer. */
typedef struct {
    DECLARE_ALIGNED(16, short, qcoeff[16]);
    DECLARE_ALIGNED(16, short, dqcoeff[16]);
    char eob;
    unsigned short coded;
    int error[2]; /* of all coefficients, and without the first */
} Quantized;

static Quantized Quantize(const MACROBLOCK *x, int block, const short *coeff, int regular) {
    BLOCK b = x->block[block];
    BLOCKD d = x->e_mbd.block[block];
    Quantized to;
    int i;

    memset(&to, 0, sizeof(to));
    b.coeff = (short *)coeff;
    d.qcoeff = to.qcoeff;
    d.dqcoeff = to.dqcoeff;
    d.eob = &to.eob;
    (regular ? vp8_regular_quantize_b_c : vp8_fast_quantize_b_c)(&b, &d);
    for (i = 0; i < 16; i++) {
        const int e = coeff[i] - to.dqcoeff[i];

        to.error[0] += e * e;
        if (i) to.error[1] += e * e;
        to.coded |= (to.qcoeff[vp8_default_zig_zag1d[i]] != 0) << i;
    }
    return to;
}

static int SameBlock(const Quantized *expected, const short *qcoeff, const short *dqcoeff,
                     unsigned short coded) {
    return !memcmp(expected->qcoeff, qcoeff, sizeof(expected->qcoeff)) &&
           !memcmp(expected->dqcoeff, dqcoeff, sizeof(expected->dqcoeff)) &&
           expected->coded == coded;
}

static const char *CompareBlocks(MACROBLOCK *x, int best, int regular, int first) {
    static const int parts[3][2] = {{0, 16}, {16, 8}, {24, 1}}; /* of one kind of plane */
    unsigned short coded[25];
    int p, i;

    memset(x->e_mbd.eobs, -1, sizeof(x->e_mbd.eobs));
    for (p = 0; p < 3; p++) {
        const int at = parts[p][0];
        int expected = 0;
        const int error = (best ? vp8_gm_quantize : vp8_gm_quantize_c)(x, at, parts[p][1], first,
                                                                       coded + at);

        for (i = at; i < at + parts[p][1]; i++) {
            const Quantized one = Quantize(x, i, x->block[i].coeff, regular);

            if (!SameBlock(&one, x->e_mbd.qcoeff + 16 * i, x->e_mbd.dqcoeff + 16 * i, coded[i])) {
                return "coefficients";
            }
            if (x->e_mbd.eobs[i] != one.eob) return "ends";
            expected += one.error[first];
        }
        if (error != expected) return "errors";
    }
    return NULL;
}

static const char *CompareTries(const MACROBLOCK *x, int best, int regular, int block) {
    vp8_gm_tries tries;
    int n, i;

    for (n = 1; n <= 4; n++) {
        memcpy(tries.coeff, x->coeff, sizeof(tries.coeff));
        (best ? vp8_gm_quantize_tries : vp8_gm_quantize_tries_c)(
            x, block, n, tries.coeff[0], tries.qcoeff[0], tries.dqcoeff[0], tries.coded,
            tries.error);
        for (i = 0; i < n; i++) {
            const Quantized one = Quantize(x, block, tries.coeff[i], regular);

            if (!SameBlock(&one, tries.qcoeff[i], tries.dqcoeff[i], tries.coded[i]) ||
                tries.error[i] != one.error[0]) {
                return "predictions of a block";
            }
        }
    }
    return NULL;
}

const char *CompareQuantizers(unsigned seed, int regular, int q, int wider, int most) {
    VP8_COMP *const cpi = vpx_memalign(32, sizeof(*cpi));
    MACROBLOCK *const x = &cpi->mb;
    const char *difference = NULL;
    int i;

    vp8_rtcd();
    memset(cpi, 0, sizeof(*cpi));
    cpi->sf.improved_quant = 1;
    vp8cx_init_quantizer(cpi);
    vp8_setup_block_dptrs(&x->e_mbd);
    for (i = 0; i < 25; i++) x->block[i].coeff = x->coeff + 16 * i;
    cpi->common.base_qindex = q;
    x->zbin_mode_boost = wider;
    vp8cx_mb_init_quantizer(cpi, x, 0);
    x->quantize_b = regular ? vp8_regular_quantize_b : vp8_fast_quantize_b;
    /* Y2 has the sums of 16 blocks. */
    for (i = 0; i < 25; i++) FillCoefficients(x->coeff + 16 * i, &seed, most, i < 24 ? 2047 : 16000);
    for (i = 0; i < 4 && !difference; i++) {
        difference = CompareBlocks(x, i & 1, regular, i >> 1);
        if (!difference) difference = CompareTries(x, i & 1, regular, i >> 1 ? 24 : 3);
    }
    vpx_free(cpi);
    return difference;
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
            if (edges & VP8_FF_LEFT) vp8_loop_filter_mbv_c(y, u, v, kStride, kStride, &lfi);
            if (edges & VP8_FF_INNER) vp8_loop_filter_bv_c(y, u, v, kStride, kStride, &lfi);
            if (edges & VP8_FF_TOP) vp8_loop_filter_mbh_c(y, u, v, kStride, kStride, &lfi);
            if (edges & VP8_FF_INNER) vp8_loop_filter_bh_c(y, u, v, kStride, kStride, &lfi);
            for (ours = 0; ours < 2; ours++) {
                result = before;
                (ours ? vp8_ff_filter_mb : vp8_ff_filter_mb_c)(
                    result.plane[0] + kMb, has_uv ? result.plane[1] + kMb : NULL,
                    has_uv ? result.plane[2] + kMb : NULL, kStride, kStride, &lfi, edges);
                if (memcmp(&result, &expected, sizeof(result))) return has_uv ? "chroma" : "luma";
            }
        }
    }
    return NULL;
}

struct TestRecall {
    VP8_COMP *cpi;
};

TestRecall *NewRecall(int realtime) {
    TestRecall *const recall = calloc(1, sizeof(*recall));

    recall->cpi = vpx_memalign(32, sizeof(*recall->cpi));
    memset(recall->cpi, 0, sizeof(*recall->cpi));
    recall->cpi->compressor_speed = realtime ? 2 : 1;
    return recall;
}

void FreeRecall(TestRecall *recall) {
    vp8_gm_recall_free(recall->cpi);
    vpx_free(recall->cpi);
    free(recall);
}

void BeginRecall(TestRecall *recall, int mb_rows, int mb_cols, int is_key) {
    VP8_COMMON *const cm = &recall->cpi->common;

    cm->mb_rows = mb_rows;
    cm->mb_cols = mb_cols;
    cm->MBs = mb_rows * mb_cols;
    cm->frame_type = is_key ? KEY_FRAME : INTER_FRAME;
    vp8_gm_recall_begin(recall->cpi);
}

void PlaceMacroblock(MACROBLOCK *x, int mb_row, int mb_col) {
    x->e_mbd.mb_to_top_edge = -mb_row * 16 * 8;
    x->e_mbd.mb_to_left_edge = -mb_col * 16 * 8;
}

static MACROBLOCK *MacroblockAt(TestRecall *recall, int mb_row, int mb_col) {
    MACROBLOCK *const x = &recall->cpi->mb;

    PlaceMacroblock(x, mb_row, mb_col);
    return x;
}

void Remember(TestRecall *recall, int mb_row, int mb_col, unsigned low, unsigned cost) {
    vp8_gm_remember(recall->cpi, MacroblockAt(recall, mb_row, mb_col), low, cost);
}

int Recalls(TestRecall *recall, int mb_row, int mb_col, int mv_row, int mv_col, unsigned low,
            int permille) {
    int_mv mv;

    mv.as_mv.row = (short)mv_row;
    mv.as_mv.col = (short)mv_col;
    return vp8_gm_recalls(recall->cpi, MacroblockAt(recall, mb_row, mb_col), mv, low, permille);
}
