/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* RFC 6386, section 13 (DCT coefficients). */

#include "vp8/encoder/mp/recon/tokens.h"

#include <string.h>

#include "vp8/encoder/mp/recon/bools.h"
#include "vp8/encoder/onyx_int.h"

void vp8_fix_contexts(MACROBLOCKD *x);

void vp8_mp_recon_tokens_set(VP8_COMP *cpi) {
  size_t i;

  for (i = 0; i < sizeof(cpi->bc) / sizeof(cpi->bc[0]); ++i) {
    cpi->bc[i].fast_tokens = cpi->mp.provider != NULL;
  }
}

/* ---- tokens -------------------------------------------------------------- */

/* Probabilities and counts of a type of plane. */
typedef struct {
  const vp8_prob *probs;
  unsigned int *counts;
} plane;

/* A context is a band and the class of the token before: 0 to 23. CONTEXT()
 * holds the offsets of its probabilities and of its counts, so that the parts
 * of a band and of the token before can be added. */
#define CONTEXT(n) ((n)*ENTROPY_NODES | (n)*MAX_ENTROPY_TOKENS << 16)
#define PROBS(context) ((context)&255)
#define COUNTS(context) ((context) >> 16)
/* Tokens after a zero cannot be the end of the block. */
#define NO_EOB(context) ((context) >> 8 & 1)
#define AFTER_ZERO (1 << 8)

/* Part of the context for each position in zigzag order. */
static const unsigned int of_position[16] = {
  CONTEXT(0),  CONTEXT(3),  CONTEXT(6),  CONTEXT(9),  CONTEXT(18), CONTEXT(12),
  CONTEXT(15), CONTEXT(18), CONTEXT(18), CONTEXT(18), CONTEXT(18), CONTEXT(18),
  CONTEXT(18), CONTEXT(18), CONTEXT(18), CONTEXT(21)
};

/* Part of the context after each token. */
static const unsigned int after_token[DCT_EOB_TOKEN] = {
  AFTER_ZERO, CONTEXT(1), CONTEXT(2), CONTEXT(2), CONTEXT(2), CONTEXT(2),
  CONTEXT(2), CONTEXT(2), CONTEXT(2), CONTEXT(2), CONTEXT(2)
};

/* Make the tokens of a block from position first on. neighbours: how many of
 * the left and the upper block have coefficients. */
static INLINE TOKENEXTRA *tokenize_block(TOKENEXTRA *t, const short *qcoeff,
                                         int first, int eob, int neighbours,
                                         plane p) {
  unsigned int before = neighbours * CONTEXT(1), context;
  int i;

  for (i = first; i < eob; ++i) {
    const TOKENVALUE *const value =
        vp8_dct_value_tokens_ptr + qcoeff[vp8_default_zig_zag1d[i]];
    const unsigned int token = (unsigned char)value->Token;

    context = of_position[i] + before;
    t->context_tree = p.probs + PROBS(context);
    t->Extra = value->Extra;
    t->Token = (unsigned char)token;
    t->skip_eob_node = NO_EOB(context);
    ++p.counts[COUNTS(context) + token];
    before = after_token[token];
    ++t;
  }
  if (i == 16) return t;
  context = of_position[i] + before;
  t->context_tree = p.probs + PROBS(context);
  t->Extra = 0;
  t->Token = DCT_EOB_TOKEN;
  t->skip_eob_node = 0;
  ++p.counts[COUNTS(context) + DCT_EOB_TOKEN];
  return t + 1;
}

/* The coefficients of blocks that follow each other: 16 of each block, or,
 * packed, 16 of each whose end is not 0. */
typedef struct {
  const short *q;
  int packed;
} blocks;

/* Make the tokens of a square of size x size blocks, and advance *from. */
static INLINE TOKENEXTRA *tokenize_square(TOKENEXTRA *t, blocks *from,
                                          const char *eobs, int first, int size,
                                          ENTROPY_CONTEXT *above,
                                          ENTROPY_CONTEXT *left, plane p) {
  int x, y;

  for (y = 0; y < size; ++y) {
    for (x = 0; x < size; ++x) {
      const int eob = *eobs++;

      t = tokenize_block(t, from->q, first, eob, above[x] + left[y], p);
      above[x] = left[y] = eob > first;
      if (!from->packed || eob) from->q += 16;
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

static INLINE plane plane_of(VP8_COMP *cpi, MACROBLOCK *x, int type) {
  plane p;

  p.probs = cpi->common.fc.coef_probs[type][0][0];
  p.counts = x->coef_counts[type][0][0];
  return p;
}

/* Returns the coefficients of block 24. */
static blocks y2_of(const char *eobs, blocks first) {
  int i, before = 0;

  for (i = 0; i < 24; ++i) before += !first.packed || eobs[i];
  first.q += 16 * before;
  return first;
}

static INLINE void tokenize_mb(VP8_COMP *cpi, MACROBLOCK *x, const char *eobs,
                               blocks from, TOKENEXTRA **tp) {
  MACROBLOCKD *const xd = &x->e_mbd;
  MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;
  ENTROPY_CONTEXT_PLANES *const a = xd->above_context;
  ENTROPY_CONTEXT_PLANES *const l = xd->left_context;
  const int has_y2 = mbmi->mode != B_PRED && mbmi->mode != SPLITMV;
  TOKENEXTRA *t = *tp;
  plane p;

  mbmi->mb_skip_coeff = vp8_mp_recon_all_zero(eobs, has_y2);
  if (mbmi->mb_skip_coeff) {
    vp8_fix_contexts(xd);
    x->skip_true_count++;
    return;
  }
  if (has_y2) {
    blocks y2 = y2_of(eobs, from);

    t = tokenize_square(t, &y2, eobs + 24, 0, 1, &a->y2, &l->y2,
                        plane_of(cpi, x, 1));
  }
  t = tokenize_square(t, &from, eobs, has_y2, 4, a->y1, l->y1,
                      plane_of(cpi, x, has_y2 ? 0 : 3));
  p = plane_of(cpi, x, 2);
  t = tokenize_square(t, &from, eobs + 16, 0, 2, a->u, l->u, p);
  t = tokenize_square(t, &from, eobs + 20, 0, 2, a->v, l->v, p);
  *tp = t;
}

int vp8_mp_recon_tokenize_mb(VP8_COMP *cpi, MACROBLOCK *x, TOKENEXTRA **t) {
  const blocks from = { x->e_mbd.qcoeff, 0 };

  if (!cpi->mp.provider || !cpi->common.mb_no_coeff_skip) return 0;
  tokenize_mb(cpi, x, x->e_mbd.eobs, from, t);
  return 1;
}

void vp8_mp_recon_tokenize_packed(VP8_COMP *cpi, MACROBLOCK *x,
                                  const char *eobs, const short *coefficients,
                                  TOKENEXTRA **t) {
  const blocks from = { coefficients, 1 };

  tokenize_mb(cpi, x, eobs, from, t);
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

int vp8_mp_recon_pack_tokens(vp8_writer *w, const TOKENEXTRA *t, int count) {
  const TOKENEXTRA *const end = t + count;
  vp8_mp_recon_bools b = vp8_mp_recon_bools_begin(w);

  if (!w->fast_tokens) return 0;
  for (; t < end; ++t) {
    const vp8_prob *const prob = t->context_tree;
    const int token = t->Token;

    vp8_mp_recon_bools_flush(&b);
    if (!t->skip_eob_node) {
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
        vp8_mp_recon_put(&b, large->extra[i],
                         (t->Extra >> (extra_size - i)) & 1u);
      }
      vp8_mp_recon_bools_flush(&b);
    }
    vp8_mp_recon_put_half(&b, t->Extra & 1u);
  }
  vp8_mp_recon_bools_end(&b);
  return 1;
}
