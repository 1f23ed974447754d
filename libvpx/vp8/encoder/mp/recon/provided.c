/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/provided.h"

#include <string.h>

#include "vp8/encoder/mp/recon/tokens.h"
#include "vp8/encoder/onyx_int.h"

void vp8_mp_recon_provided_reset(VP8_COMP *cpi) {
  cpi->mp.provided.coded = NULL;
}

void vp8_mp_recon_provided_take(VP8_COMP *cpi,
                                const vp8e_mp_whole_frame_t *frame) {
  cpi->mp.provided.coded = frame->coded;
  cpi->mp.provided.tokens = frame->tokens;
  memcpy(cpi->mb.coef_counts, frame->token_counts, sizeof(cpi->mb.coef_counts));
}

void vp8_mp_recon_provided_list(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  const vp8e_mp_coded_t *c = cpi->mp.provided.coded;
  const vp8e_mp_token_t *const tokens = cpi->mp.provided.tokens;
  TOKENEXTRA *t = cpi->tok;
  int row, col;

  if (!c) return;
  for (row = 0; row < cm->mb_rows; ++row) {
    cpi->tplist[row].start = t;
    for (col = 0; col < cm->mb_cols; ++col, ++c) {
      vp8_mp_recon_copy_tokens(tokens + c->first_token, c->tokens, &t);
    }
    cpi->tplist[row].stop = t;
  }
  cpi->tok_count = (unsigned int)(t - cpi->tok);
  cpi->mp.provided.coded = NULL;
}
