/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/trellis.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "./vpx_config.h"
#include "./vp8_rtcd.h"
#include "vp8/common/entropy.h"
#include "vp8/encoder/block.h"
#include "vp8/encoder/tokenize.h"

/* A path: one way to code a block from some coefficient on. */
typedef struct path {
  int rate, error;
  int token; /* its first token */
} path;

typedef struct costs {
  int rate, error; /* weights of rate and error */
  int (
      *token)[PREV_COEF_CONTEXTS][MAX_ENTROPY_TOKENS]; /* token costs by band */
} costs;

/* Sets of coefficients, as bits in zigzag order. */
typedef struct coeff_sets {
  unsigned int nonzero;
  unsigned int up; /* rounded away from zero, by less than a step */
} coeff_sets;

void vp8_mp_recon_classify_c(const short *coeff, const short *qcoeff,
                             const short *dequant, unsigned int *nonzero,
                             unsigned int *up) {
  int i;

  *nonzero = *up = 0;
  for (i = 0; i < 16; ++i) {
    const int rc = vp8_default_zig_zag1d[i];
    const int over = abs(qcoeff[rc]) * dequant[rc] - abs(coeff[rc]);

    *up |= (unsigned int)(over > 0 && over < dequant[rc]) << i;
    *nonzero |= (unsigned int)(qcoeff[rc] != 0) << i;
  }
}

/* Returns whether the second path costs less. libvpx's costs drop the lowest
 * eight bits, which then decide ties; this compares the full costs. */
static int second(const costs *c, int rate0, int error0, int rate1,
                  int error1) {
  return (int64_t)rate1 * c->rate + (int64_t)error1 * c->error * 256 <
         (int64_t)rate0 * c->rate + (int64_t)error0 * c->error * 256;
}

/* Extend the better one of n paths by value x in front, which differs from its
 * coefficient by error. token_costs are the costs of the token that follows x,
 * NULL after the last coefficient. Returns which path was better. */
static int extend(path *to, const path *from, int n, const costs *c, int x,
                  int error, int (*token_costs)[MAX_ENTROPY_TOKENS]) {
  int token[2], rate[2], i, best;

  for (i = 0; i < n; ++i) {
    /* The block ends if only zeros follow. */
    token[i] = x ? vp8_dct_value_tokens_ptr[x].Token
               : from[i].token == DCT_EOB_TOKEN ? DCT_EOB_TOKEN
                                                : ZERO_TOKEN;
    rate[i] = from[i].rate;
    if (token_costs && token[i] != DCT_EOB_TOKEN) {
      rate[i] += token_costs[vp8_prev_token_class[token[i]]][from[i].token];
    }
  }
  best = n > 1 && second(c, rate[0], from[0].error, rate[1], from[1].error);
  to->rate = rate[best] + vp8_dct_value_cost_ptr[x];
  to->error = from[best].error + error * error;
  to->token = token[best];
  return best;
}

static int closer_to_zero(int x) { return x - (x > 0) + (x < 0); }

void vp8_mp_recon_trellis_block(const MACROBLOCK *x, int ib, int type,
                                int error_weight, ENTROPY_CONTEXT *above,
                                ENTROPY_CONTEXT *left) {
  const BLOCK *const b = &x->block[ib];
  BLOCKD *const d = (BLOCKD *)&x->e_mbd.block[ib];
  const int first = !type, eob = *d->eob;
  int final_eob = first, n = 1, i, state;
  unsigned int taken[2] = {
    0, 0
  }; /* bits: whether the second path was better, for a value that stays and for
        one that is reduced */
  coeff_sets sets = { 0, 0 };
  path p[2] = { { 0, 0, DCT_EOB_TOKEN }, { 0, 0, DCT_EOB_TOKEN } };
  costs c;

  if (eob > first) {
    final_eob = eob;
    vp8_mp_recon_classify(b->coeff, d->qcoeff, d->dequant, &sets.nonzero,
                          &sets.up);
    sets.up &= ~0u << first;
  }
  if (!sets.up) {
    *above = *left = final_eob != first;
    *d->eob = (char)final_eob;
    return;
  }

  c.rate = x->rdmult * error_weight;
  if (x->e_mbd.mode_info_context->mbmi.ref_frame == INTRA_FRAME) {
    c.rate = (c.rate * 9) >> 4;
  }
  c.error = x->rddiv;
  c.token = x->token_costs[type];
  for (i = eob; i-- > first;) {
    int(*const next_costs)[MAX_ENTROPY_TOKENS] =
        i < 15 ? c.token[vp8_coef_bands[i + 1]] : NULL;

    if (sets.nonzero >> i & 1) {
      const int rc = vp8_default_zig_zag1d[i];
      const int value = d->qcoeff[rc], coeff = b->coeff[rc];
      const int up = sets.up >> i & 1;
      path to[2];

      taken[0] |= (unsigned int)extend(&to[0], p, n, &c, value,
                                       d->dqcoeff[rc] - coeff, next_costs)
                  << i;
      if (up) {
        const int less = closer_to_zero(value);

        taken[1] |=
            (unsigned int)extend(&to[1], p, n, &c, less,
                                 less * d->dequant[rc] - coeff, next_costs)
            << i;
        p[1] = to[1];
      }
      p[0] = to[0];
      n = 1 + up;
    } else {
      int k;

      for (k = 0; k < n; ++k) {
        if (p[k].token == DCT_EOB_TOKEN) continue;
        p[k].rate += next_costs[0][p[k].token];
        p[k].token = ZERO_TOKEN;
      }
    }
  }

  final_eob = first;
  state = 0;
  if (n > 1) {
    int *const token_costs = c.token[vp8_coef_bands[first]][*above + *left];

    state = second(&c, p[0].rate + token_costs[p[0].token], p[0].error,
                   p[1].rate + token_costs[p[1].token], p[1].error);
  }
  for (i = first; i < eob; ++i) {
    int reduced;

    if (!(sets.nonzero >> i & 1)) continue;
    reduced = state && (sets.up >> i & 1);
    state = taken[reduced] >> i & 1;
    if (reduced) {
      const int rc = vp8_default_zig_zag1d[i];
      const int less = closer_to_zero(d->qcoeff[rc]);

      d->qcoeff[rc] = less;
      d->dqcoeff[rc] = less * d->dequant[rc];
      if (!less) continue;
    }
    final_eob = i + 1;
  }
  *above = *left = final_eob != first;
  *d->eob = (char)final_eob;
}
