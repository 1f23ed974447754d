/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/trellis.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "./vpx_config.h"
#include "vp8/common/entropy.h"
#include "vp8/encoder/block.h"
#include "vp8/encoder/tokenize.h"

/* A way to code a block from some coefficient on. */
typedef struct path {
  int rate, error;
  int token; /* its first one */
} path;

typedef struct costs {
  int rate, error;                                      /* weights */
  int (*token)[PREV_COEF_CONTEXTS][MAX_ENTROPY_TOKENS]; /* by band */
} costs;

/* Bits of the coefficients in zigzag order. */
typedef struct coeff_sets {
  unsigned int nonzero;
  unsigned int up; /* rounded away from zero, by less than a step */
} coeff_sets;

#ifdef __SSE2__
/* lo, hi: masks of coefficients, as they are stored */
static unsigned int zigzag_bits(__m128i lo, __m128i hi) {
  const __m128i *const bits = (const __m128i *)vp8_default_zig_zag_mask;
  __m128i set = _mm_or_si128(_mm_and_si128(lo, _mm_load_si128(bits)),
                             _mm_and_si128(hi, _mm_load_si128(bits + 1)));

  set = _mm_or_si128(set, _mm_srli_si128(set, 8));
  set = _mm_or_si128(set, _mm_srli_si128(set, 4));
  set = _mm_or_si128(set, _mm_srli_si128(set, 2));
  return _mm_cvtsi128_si32(set) & 0xffff;
}

static coeff_sets classify(const short *coeff, const short *qcoeff,
                           const short *dequant) {
  const __m128i zero = _mm_setzero_si128();
  __m128i up[2], nonzero[2];
  coeff_sets sets;
  int i;

  for (i = 0; i < 2; ++i) {
    const __m128i c = _mm_loadu_si128((const __m128i *)coeff + i);
    const __m128i q = _mm_loadu_si128((const __m128i *)qcoeff + i);
    const __m128i step = _mm_loadu_si128((const __m128i *)dequant + i);
    const __m128i c_abs = _mm_max_epi16(c, _mm_sub_epi16(zero, c));
    const __m128i q_abs = _mm_max_epi16(q, _mm_sub_epi16(zero, q));
    const __m128i over = _mm_sub_epi16(_mm_mullo_epi16(q_abs, step), c_abs);

    up[i] =
        _mm_and_si128(_mm_cmpgt_epi16(over, zero), _mm_cmpgt_epi16(step, over));
    nonzero[i] = _mm_cmpgt_epi16(q_abs, zero);
  }
  sets.up = zigzag_bits(up[0], up[1]);
  sets.nonzero = zigzag_bits(nonzero[0], nonzero[1]);
  return sets;
}
#else
static coeff_sets classify(const short *coeff, const short *qcoeff,
                           const short *dequant) {
  coeff_sets sets = { 0, 0 };
  int i;

  for (i = 0; i < 16; ++i) {
    const int rc = vp8_default_zig_zag1d[i];
    const int over = abs(qcoeff[rc]) * dequant[rc] - abs(coeff[rc]);

    sets.up |= (unsigned int)(over > 0 && over < dequant[rc]) << i;
    sets.nonzero |= (unsigned int)(qcoeff[rc] != 0) << i;
  }
  return sets;
}
#endif

/* Whether the second costs less; ties of libvpx's cost, which drops eight bits,
 * are decided by these. */
static int second(const costs *c, int rate0, int error0, int rate1,
                  int error1) {
  return (int64_t)rate1 * c->rate + (int64_t)error1 * c->error * 256 <
         (int64_t)rate0 * c->rate + (int64_t)error0 * c->error * 256;
}

/* Puts value x, error apart from its coefficient, before the better of n paths.
 * token_costs are those behind it, none behind the last coefficient. Returns
 * which path it was. */
static int extend(path *to, const path *from, int n, const costs *c, int x,
                  int error, int (*token_costs)[MAX_ENTROPY_TOKENS]) {
  int token[2], rate[2], i, best;

  for (i = 0; i < n; ++i) {
    /* A block ends where nothing but zeros follows. */
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
  unsigned int taken[2] = { 0,
                            0 }; /* second path, after staying and after not */
  coeff_sets sets = { 0, 0 };
  path p[2] = { { 0, 0, DCT_EOB_TOKEN }, { 0, 0, DCT_EOB_TOKEN } };
  costs c;

  if (eob > first) {
    final_eob = eob;
    sets = classify(b->coeff, d->qcoeff, d->dequant);
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
    int(*const behind)[MAX_ENTROPY_TOKENS] =
        i < 15 ? c.token[vp8_coef_bands[i + 1]] : NULL;

    if (sets.nonzero >> i & 1) {
      const int rc = vp8_default_zig_zag1d[i];
      const int value = d->qcoeff[rc], coeff = b->coeff[rc];
      const int up = sets.up >> i & 1;
      path to[2];

      taken[0] |= (unsigned int)extend(&to[0], p, n, &c, value,
                                       d->dqcoeff[rc] - coeff, behind)
                  << i;
      if (up) {
        const int less = closer_to_zero(value);

        taken[1] |= (unsigned int)extend(&to[1], p, n, &c, less,
                                         less * d->dequant[rc] - coeff, behind)
                    << i;
        p[1] = to[1];
      }
      p[0] = to[0];
      n = 1 + up;
    } else {
      int k;

      for (k = 0; k < n; ++k) {
        if (p[k].token == DCT_EOB_TOKEN) continue;
        p[k].rate += behind[0][p[k].token];
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
