/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* RFC 6386, section 13 (DCT coefficients). */

#include "vp8/encoder/mp/recon/tokens.h"

#include <assert.h>
#include <string.h>

#include "vp8/encoder/mp/recon/bools.h"
#include "vp8/encoder/onyx_int.h"

void vp8_fix_contexts(MACROBLOCKD *x);

/* Fills up the last element of a macroblock's tokens. It has no bits. */
#define PADDING (VP8E_MP_TOKEN_AFTER_ZERO | 15 << VP8E_MP_TOKEN_SHIFT)

#define CONTEXT(t) ((t)&127)
#define TOKEN(t) ((t) >> VP8E_MP_TOKEN_SHIFT & 15)
#define EXTRA(t) ((t) >> VP8E_MP_TOKEN_EXTRA_SHIFT)

#define MAX_TOKENS 384 /* of a macroblock */

void vp8_mp_recon_tokens_set(VP8_COMP *cpi) {
  size_t i;

  for (i = 0; i < sizeof(cpi->bc) / sizeof(cpi->bc[0]); ++i) {
    cpi->bc[i].token_probs =
        cpi->mp.provider ? cpi->common.fc.coef_probs[0][0][0] : NULL;
  }
}

/* ---- tokens -------------------------------------------------------------- */

/* Part of the context for each position in zigzag order: three classes for each
 * band. */
static const unsigned char of_position[16] = { 0,  3,  6,  9,  18, 12, 15, 18,
                                               18, 18, 18, 18, 18, 18, 18, 21 };

/* Part of the context after each token. */
static const unsigned char after_token[DCT_EOB_TOKEN] = {
  VP8E_MP_TOKEN_AFTER_ZERO, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2
};

/* The counts of all contexts of a macroblock's encoder. */
static INLINE unsigned int *counts_of(MACROBLOCK *x) {
  return x->coef_counts[0][0][0];
}

static INLINE void count(unsigned int *counts, vp8e_mp_token_t t) {
  ++counts[CONTEXT(t) * MAX_ENTROPY_TOKENS + TOKEN(t)];
}

/* End a macroblock's tokens, which begin at *t and end before `to`: pad them to
 * whole elements, and set *t to the next element. */
static INLINE void end_tokens(TOKENEXTRA **t, vp8e_mp_token_t *to) {
  vp8e_mp_token_t *const from = (vp8e_mp_token_t *)*t;

  while ((to - from) % VP8_MP_RECON_IN_ELEMENT) *to++ = PADDING;
  *t += (to - from) / VP8_MP_RECON_IN_ELEMENT;
}

/* Make the tokens of a block from position first on. neighbours: how many of
 * the left and the upper block have coefficients. */
static INLINE vp8e_mp_token_t *tokenize_block(vp8e_mp_token_t *t,
                                              const short *qcoeff, int first,
                                              int eob, int neighbours, int type,
                                              unsigned int *counts) {
  const unsigned int of_type = type * COEF_BANDS * PREV_COEF_CONTEXTS;
  unsigned int before = neighbours;
  int i;

  for (i = first; i < eob; ++i) {
    const TOKENVALUE *const value =
        vp8_dct_value_tokens_ptr + qcoeff[vp8_default_zig_zag1d[i]];
    const unsigned int token = (unsigned char)value->Token;

    *t = (of_type + of_position[i] + before) | token << VP8E_MP_TOKEN_SHIFT |
         (unsigned int)value->Extra << VP8E_MP_TOKEN_EXTRA_SHIFT;
    count(counts, *t++);
    before = after_token[token];
  }
  if (i == 16) return t;
  *t = (of_type + of_position[i] + before) | DCT_EOB_TOKEN
                                                 << VP8E_MP_TOKEN_SHIFT;
  count(counts, *t);
  return t + 1;
}

/* Make the tokens of a square of size x size blocks. */
static INLINE vp8e_mp_token_t *tokenize_square(vp8e_mp_token_t *t,
                                               const short *qcoeff,
                                               const char *eobs, int first,
                                               int size, ENTROPY_CONTEXT *above,
                                               ENTROPY_CONTEXT *left, int type,
                                               unsigned int *counts) {
  int x, y;

  for (y = 0; y < size; ++y) {
    for (x = 0; x < size; ++x) {
      const int eob = *eobs++;

      t = tokenize_block(t, qcoeff, first, eob, above[x] + left[y], type,
                         counts);
      above[x] = left[y] = eob > first;
      qcoeff += 16;
    }
  }
  return t;
}

int vp8_mp_recon_all_zero(const char *eobs, int has_y2) {
  uint64_t y0, y1, uv;
  /* The end of a block with its DC coefficient in Y2 is 1 at least. */
  const uint64_t y_bits = has_y2 ? 0xfefefefefefefefeull : ~0ull;

  memcpy(&y0, eobs, 8);
  memcpy(&y1, eobs + 8, 8);
  memcpy(&uv, eobs + 16, 8);
  return !(((y0 | y1) & y_bits) | uv) && !(has_y2 && eobs[24]);
}

int vp8_mp_recon_tokenize_mb(VP8_COMP *cpi, MACROBLOCK *x, TOKENEXTRA **tp) {
  MACROBLOCKD *const xd = &x->e_mbd;
  MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;
  ENTROPY_CONTEXT_PLANES *const a = xd->above_context;
  ENTROPY_CONTEXT_PLANES *const l = xd->left_context;
  const int has_y2 = mbmi->mode != B_PRED && mbmi->mode != SPLITMV;
  const short *const qcoeff = xd->qcoeff;
  unsigned int *const counts = counts_of(x);
  vp8e_mp_token_t *t = (vp8e_mp_token_t *)*tp;

  if (!cpi->mp.provider) return 0;
  assert(cpi->common.mb_no_coeff_skip); /* libvpx never clears it */
  mbmi->mb_skip_coeff = vp8_mp_recon_all_zero(xd->eobs, has_y2);
  if (mbmi->mb_skip_coeff) {
    vp8_fix_contexts(xd);
    x->skip_true_count++;
    return 1;
  }
  if (has_y2) {
    t = tokenize_square(t, qcoeff + 384, xd->eobs + 24, 0, 1, &a->y2, &l->y2, 1,
                        counts);
  }
  t = tokenize_square(t, qcoeff, xd->eobs, has_y2, 4, a->y1, l->y1,
                      has_y2 ? 0 : 3, counts);
  t = tokenize_square(t, qcoeff + 256, xd->eobs + 16, 0, 2, a->u, l->u, 2,
                      counts);
  t = tokenize_square(t, qcoeff + 320, xd->eobs + 20, 0, 2, a->v, l->v, 2,
                      counts);
  end_tokens(tp, t);
  return 1;
}

void vp8_mp_recon_copy_tokens(const vp8e_mp_token_t *from, int n,
                              TOKENEXTRA **t) {
  vp8e_mp_token_t *const to = (vp8e_mp_token_t *)*t;

  assert(n <= MAX_TOKENS);
  memcpy(to, from, n * sizeof(*to));
  end_tokens(t, to + n);
}

/* ---- bits ---------------------------------------------------------------- */

/* Tokens from TWO_TOKEN on: the path in the token tree after the first three
 * ones, as pairs of a probability's index and a bit; and the probabilities of
 * the extra bits. */
typedef struct {
  unsigned char path_size, path[VP8_MP_RECON_ROOM], extra_size, extra[11];
} large_token;

#define NODE(prob, bit) ((prob) << 1 | (bit))

static const large_token large_tokens[] = {
  { 2, { NODE(3, 0), NODE(4, 0) }, 0, { 0 } },
  { 3, { NODE(3, 0), NODE(4, 1), NODE(5, 0) }, 0, { 0 } },
  { 3, { NODE(3, 0), NODE(4, 1), NODE(5, 1) }, 0, { 0 } },
  { 3, { NODE(3, 1), NODE(6, 0), NODE(7, 0) }, 1, { 159 } },
  { 3, { NODE(3, 1), NODE(6, 0), NODE(7, 1) }, 2, { 165, 145 } },
  { 4,
    { NODE(3, 1), NODE(6, 1), NODE(8, 0), NODE(9, 0) },
    3,
    { 173, 148, 140 } },
  { 4,
    { NODE(3, 1), NODE(6, 1), NODE(8, 0), NODE(9, 1) },
    4,
    { 176, 155, 140, 135 } },
  { 4,
    { NODE(3, 1), NODE(6, 1), NODE(8, 1), NODE(10, 0) },
    5,
    { 180, 157, 141, 134, 130 } },
  { 4,
    { NODE(3, 1), NODE(6, 1), NODE(8, 1), NODE(10, 1) },
    11,
    { 254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129 } },
};

int vp8_mp_recon_pack_tokens(vp8_writer *w, const TOKENEXTRA *from, int size) {
  const vp8e_mp_token_t *t = (const vp8e_mp_token_t *)from;
  const vp8e_mp_token_t *const end = (const vp8e_mp_token_t *)(from + size);
  vp8_mp_recon_bools b;

  if (!w->token_probs) return 0;
  b = vp8_mp_recon_bools_begin(w);
  for (; t < end; ++t) {
    const vp8_prob *const prob = w->token_probs + CONTEXT(*t) * ENTROPY_NODES;
    const unsigned int extra = EXTRA(*t);
    const int token = TOKEN(*t);

    vp8_mp_recon_bools_flush(&b);
    if (!(*t & VP8E_MP_TOKEN_AFTER_ZERO)) {
      if (token == DCT_EOB_TOKEN) {
        vp8_mp_recon_put_0(&b, prob[0]);
        continue;
      }
      vp8_mp_recon_put_1(&b, prob[0]);
    }
    if (token == ZERO_TOKEN) {
      vp8_mp_recon_put_0(&b, prob[1]);
      continue;
    }
    if (token == TOKEN(PADDING)) continue;
    vp8_mp_recon_put_1(&b, prob[1]);
    if (token == ONE_TOKEN) {
      vp8_mp_recon_put_0(&b, prob[2]);
    } else {
      const large_token *const large = &large_tokens[token - TWO_TOKEN];
      const int extra_size = large->extra_size;
      int i;

      vp8_mp_recon_put_1(&b, prob[2]);
      vp8_mp_recon_bools_flush(&b);
      for (i = 0; i < large->path_size; ++i) {
        vp8_mp_recon_put(&b, prob[large->path[i] >> 1], large->path[i] & 1u);
      }
      for (i = 0; i < extra_size; ++i) {
        vp8_mp_recon_bools_flush(&b);
        vp8_mp_recon_put(&b, large->extra[i], (extra >> (extra_size - i)) & 1);
      }
      vp8_mp_recon_bools_flush(&b);
    }
    vp8_mp_recon_put_half(&b, extra & 1);
  }
  vp8_mp_recon_bools_end(&b);
  return 1;
}
