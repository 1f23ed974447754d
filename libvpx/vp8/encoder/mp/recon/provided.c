/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/provided.h"

#include <string.h>

#include "vp8/encoder/mp/recon/rebuild.h"
#include "vp8/encoder/mp/recon/tokens.h"
#include "vp8/encoder/onyx_int.h"

void vp8_mp_recon_provided_reset(VP8_COMP *cpi) {
  cpi->mp.provided.coded = NULL;
  cpi->mp.provided.unmade = NULL;
}

void vp8_mp_recon_provided_take(VP8_COMP *cpi,
                                const vp8e_mp_whole_frame_t *frame) {
  cpi->mp.provided.coded = frame->coded;
  cpi->mp.provided.tokens = frame->tokens;
  cpi->mp.provided.unmade =
      frame->may_keep_recon && !frame->has_recon ? frame->coded : NULL;
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

int vp8_mp_recon_provided_may_keep(VP8_COMP *cpi) {
  vp8_mp_recon_provided *const provided = &cpi->mp.provided;

  if (!provided->rest) return 1;
  --provided->rest;
  return 0;
}

void vp8_mp_recon_provided_make(VP8_COMP *cpi) {
  vp8_mp_recon_provided *const provided = &cpi->mp.provided;

  if (!provided->unmade) return;
  vp8_mp_recon_rebuild(cpi, provided->unmade, provided->tokens);
  provided->unmade = NULL;
  if (provided->misses < 6) ++provided->misses;
  provided->rest = (1 << provided->misses) - 1;
}

void vp8_mp_recon_provided_filtered(VP8_COMP *cpi) {
  vp8_mp_recon_provided *const provided = &cpi->mp.provided;

  if (provided->unmade) provided->misses = 0;
  provided->unmade = NULL;
}

void vp8_mp_recon_provided_end(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  /* A frame that was dropped after it was coded may have the buffer of the
   * picture that is shown. */
  if (cm->frame_to_show == &cm->yv12_fb[cm->new_fb_idx]) {
    vp8_mp_recon_provided_make(cpi);
  }
  cpi->mp.provided.unmade = NULL;
}
