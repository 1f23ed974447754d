/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/token_rate.h"

#include "vp8/common/entropy.h"
#include "vp8/encoder/block.h"
#include "vp8/encoder/tokenize.h"
#include "vpx_ports/bitops.h"

/* Indexed by band, class of the token before, and token. */
typedef int (*costs)[PREV_COEF_CONTEXTS][MAX_ENTROPY_TOKENS];

static int least_first_token(costs cost, int first) {
  const int *const rates = cost[vp8_coef_bands[first]][0];
  int least = rates[0], i;

  for (i = 1; i < PREV_COEF_CONTEXTS * MAX_ENTROPY_TOKENS; ++i) {
    if (rates[i] < least) least = rates[i];
  }
  return least;
}

void vp8_mp_recon_rate_set(vp8_mp_recon_rate_zeros *zeros,
                           const MACROBLOCK *x) {
  int type, i;

  for (type = 0; type < BLOCK_TYPES; ++type) {
    int *const before = zeros->before[type];

    zeros->least_first[type] = least_first_token(x->token_costs[type], !type);
    before[0] = 0;
    for (i = 0; i < 16; ++i) {
      before[i + 1] =
          before[i] + x->token_costs[type][vp8_coef_bands[i]][0][ZERO_TOKEN];
    }
  }
}

/* Returns the rate of a block's tokens. */
static INLINE int rate_block(costs cost, const int *zeros_before,
                             const short *qcoeff, unsigned int coded, int first,
                             int neighbours) {
  int at = first, before = neighbours, rate = 0;

  for (; coded; coded &= coded - 1) {
    const int i = get_lsb(coded);
    const int value = qcoeff[vp8_default_zig_zag1d[i]];
    const int token = vp8_dct_value_tokens_ptr[value].Token;

    if (i > at) {
      rate += cost[vp8_coef_bands[at]][before][ZERO_TOKEN] + zeros_before[i] -
              zeros_before[at + 1];
      before = 0;
    }
    rate +=
        cost[vp8_coef_bands[i]][before][token] + vp8_dct_value_cost_ptr[value];
    before = vp8_prev_token_class[token];
    at = i + 1;
  }
  if (at < 16) rate += cost[vp8_coef_bands[at]][before][DCT_EOB_TOKEN];
  return rate;
}

int vp8_mp_recon_rate_block(const MACROBLOCK *x,
                            const vp8_mp_recon_rate_zeros *zeros, int type,
                            const short *qcoeff, unsigned int coded,
                            int neighbours) {
  return rate_block(x->token_costs[type], zeros->before[type], qcoeff, coded,
                    !type, neighbours);
}

/* Returns the rate of a square of size x size blocks. */
static INLINE int rate_square(costs cost, const int *zeros_before,
                              const short *qcoeff, const unsigned short *coded,
                              int first, int size, const ENTROPY_CONTEXT *above,
                              const ENTROPY_CONTEXT *left) {
  int has_above[4], rate = 0, x, y;

  for (x = 0; x < size; ++x) has_above[x] = above[x];
  for (y = 0; y < size; ++y) {
    int has_left = left[y];

    for (x = 0; x < size; ++x) {
      const unsigned int bits = *coded++ >> first << first;

      rate += rate_block(cost, zeros_before, qcoeff, bits, first,
                         has_above[x] + has_left);
      has_above[x] = has_left = bits != 0;
      qcoeff += 16;
    }
  }
  return rate;
}

int vp8_mp_recon_rate_luma(const MACROBLOCK *x,
                           const vp8_mp_recon_rate_zeros *zeros, int has_y2,
                           const unsigned short coded[25]) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const ENTROPY_CONTEXT_PLANES *const a = xd->above_context;
  const ENTROPY_CONTEXT_PLANES *const l = xd->left_context;
  const int type = has_y2 ? 0 : 3;
  int rate = 0;

  if (has_y2) {
    rate = rate_square(x->token_costs[1], zeros->before[1], xd->qcoeff + 384,
                       coded + 24, 0, 1, &a->y2, &l->y2);
  }
  return rate + rate_square(x->token_costs[type], zeros->before[type],
                            xd->qcoeff, coded, has_y2, 4, a->y1, l->y1);
}

int vp8_mp_recon_rate_chroma(const MACROBLOCK *x,
                             const vp8_mp_recon_rate_zeros *zeros,
                             const unsigned short coded[25]) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const ENTROPY_CONTEXT_PLANES *const a = xd->above_context;
  const ENTROPY_CONTEXT_PLANES *const l = xd->left_context;

  return rate_square(x->token_costs[2], zeros->before[2], xd->qcoeff + 256,
                     coded + 16, 0, 2, a->u, l->u) +
         rate_square(x->token_costs[2], zeros->before[2], xd->qcoeff + 320,
                     coded + 20, 0, 2, a->v, l->v);
}
