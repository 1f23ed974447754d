/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "probes.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "vp8/encoder/bitstream.h"
#include "vp8/encoder/mp/recon/tokens.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/mp/recon/token_rate.h"
#include "vpx_mem/vpx_mem.h"

/* The fields of a vp8e_mp_token_t. An array of TOKENEXTRA has room for kUnit of them in an element,
 * and is filled up with tokens that are padding. */
enum { kUnit = VP8_MP_RECON_IN_ELEMENT, kPadding = 15, kContexts = 96 };
static int ContextOf(vp8e_mp_token_t t) { return (int)(t & 127); }
static int TokenOf(vp8e_mp_token_t t) { return (int)(t >> VP8E_MP_TOKEN_SHIFT & 15); }

typedef struct {
    const uint8_t *probs[kContexts]; /* those of the tokens so far */
    uint8_t table[kContexts][ENTROPY_NODES];
    int count;
} Contexts;

static int ContextWith(Contexts *c, const uint8_t *probs) {
    int i;

    for (i = 0; i < c->count; i++) {
        if (c->probs[i] == probs) return i;
    }
    if (c->count == kContexts) abort();
    memcpy(c->table[i], probs, ENTROPY_NODES);
    c->probs[i] = probs;
    return c->count++;
}

/* Appends n tokens in our form to a list of `size` elements. Returns its new size. */
static int AppendOurs(const TestToken *tokens, int n, Contexts *contexts, TOKENEXTRA *list, int size) {
    vp8e_mp_token_t *to = (vp8e_mp_token_t *)(list + size);
    int i;

    for (i = 0; i < n; i++) {
        *to++ = (vp8e_mp_token_t)(ContextWith(contexts, tokens[i].probs) |
                                  (tokens[i].no_eob ? VP8E_MP_TOKEN_AFTER_ZERO : 0) |
                                  tokens[i].token << VP8E_MP_TOKEN_SHIFT |
                                  tokens[i].extra << VP8E_MP_TOKEN_EXTRA_SHIFT);
    }
    for (; i % kUnit; i++) *to++ = VP8E_MP_TOKEN_AFTER_ZERO | kPadding << VP8E_MP_TOKEN_SHIFT;
    return size + i / kUnit;
}

static int AppendLibvpxs(const TestToken *tokens, int n, TOKENEXTRA *list, int size) {
    int i;

    for (i = 0; i < n; i++) {
        list[size + i].context_tree = tokens[i].probs;
        list[size + i].Token = (unsigned char)tokens[i].token;
        list[size + i].Extra = (short)tokens[i].extra;
        list[size + i].skip_eob_node = (unsigned char)tokens[i].no_eob;
    }
    return size + n;
}

long PackTokens(int ours, const TestToken *tokens, const int *calls, int num_calls, uint8_t *to,
                size_t size) {
    struct vpx_internal_error_info *error = calloc(1, sizeof(*error));
    Contexts *const contexts = calloc(1, sizeof(*contexts));
    int *const ends = calloc((size_t)num_calls + 1, sizeof(*ends));
    TOKENEXTRA *list;
    vp8_writer w;
    int i, n = 0;
    volatile long result = -1;

    for (i = 0; i < num_calls; i++) n += calls[i];
    list = calloc((size_t)n + 1, sizeof(*list));
    for (i = n = 0; i < num_calls; n += calls[i++]) {
        ends[i + 1] = ours ? AppendOurs(tokens + n, calls[i], contexts, list, ends[i])
                           : AppendLibvpxs(tokens + n, calls[i], list, ends[i]);
    }
    memset(&w, 0, sizeof(w));
    w.error = error;
    w.token_probs = ours ? contexts->table[0] : NULL;
    error->setjmp = 1;
    if (!setjmp(error->jmp)) {
        vp8_start_encode(&w, to, to + size);
        for (i = 0; i < num_calls; i++) {
            const TOKENEXTRA *const from = list + ends[i];

            if (ours) {
                if (!vp8_mp_recon_pack_tokens(&w, from, ends[i + 1] - ends[i])) abort();
            } else {
                vp8_pack_tokens(&w, from, ends[i + 1] - ends[i]);
            }
        }
        vp8_stop_encode(&w);
        result = w.pos;
    }
    free(list);
    free(ends);
    free(contexts);
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
            /* The fast quantizers include the DC coefficient in eob, although Y2 codes it. */
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

/* Whether libvpx's tokens are those of ours. */
static int SameTokens(const Side *libvpx, const Side *ours) {
    const vp8_prob *const probs = (const vp8_prob *)libvpx->cpi->common.fc.coef_probs;
    const vp8e_mp_token_t *t = (const vp8e_mp_token_t *)ours->tokens;
    const vp8e_mp_token_t *const end = (const vp8e_mp_token_t *)ours->end;
    const TOKENEXTRA *s = libvpx->tokens;

    for (; t < end; t++) {
        if (TokenOf(*t) == kPadding) continue;
        if (s == libvpx->end || s->context_tree - probs != ContextOf(*t) * ENTROPY_NODES ||
            s->Token != TokenOf(*t) || s->skip_eob_node != !!(*t & VP8E_MP_TOKEN_AFTER_ZERO) ||
            (s->Token != DCT_EOB_TOKEN && (vp8e_mp_token_t)s->Extra != *t >> VP8E_MP_TOKEN_EXTRA_SHIFT)) {
            return 0;
        }
        s++;
    }
    return s == libvpx->end;
}

typedef int TokenCosts[BLOCK_TYPES][COEF_BANDS][PREV_COEF_CONTEXTS][MAX_ENTROPY_TOKENS];

/* Cost of the tokens that were counted since `before`, and of their signs and extra bits. */
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

/* The same cost by mp/recon/token_rate.h. */
static int OurRateOf(const MACROBLOCK *x) {
    const MACROBLOCKD *const xd = &x->e_mbd;
    const int mode = xd->mode_info_context->mbmi.mode, has_y2 = mode != B_PRED && mode != SPLITMV;
    unsigned short coded[25] = {0};
    vp8_mp_recon_rate_zeros zeros;
    int b, i;

    if (vp8_mp_recon_all_zero(xd->eobs, has_y2)) return 0;
    for (b = 0; b < 24 + has_y2; b++) {
        for (i = 0; i < 16; i++) {
            coded[b] |= (xd->qcoeff[b * 16 + vp8_default_zig_zag1d[i]] != 0) << i;
        }
    }
    vp8_mp_recon_rate_set(&zeros, x);
    return vp8_mp_recon_rate_luma(x, &zeros, has_y2, coded) + vp8_mp_recon_rate_chroma(x, &zeros, coded);
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
