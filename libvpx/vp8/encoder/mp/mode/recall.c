/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/recall.h"

#include <stdlib.h>
#include <string.h>

#include "vp8/encoder/mp/mode/candidate.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/onyx_int.h"

/* FRAMES: number of frames for which an estimate is reused. FAR_PERCENT: how
 * much higher the intra cost must have been than the limit of a new estimate.
 * STILL: longest vector, in 1/8 pel, so 2 pixels. SAME_PERCENT: how much the
 * inter cost may have risen. With any motion allowed 0.4 % of bitrate are lost,
 * with these values 0.1 %. */
#define FRAMES 7
#define FAR_PERCENT 150
#define STILL 16
#define SAME_PERCENT 125

void vp8_mp_mode_recall_begin(VP8_COMP *cpi) {
  vp8_mp_recon_mb_memory *const memory = &cpi->mp.mb_memory;
  int i;

  if (cpi->common.frame_type != KEY_FRAME) return;
  for (i = 0; i < memory->mbs; ++i) {
    memset(&memory->mb[i].recalled, 0, sizeof(memory->mb[i].recalled));
  }
}

static vp8e_mp_recalled_t *find(const VP8_COMP *cpi, const MACROBLOCK *x) {
  const vp8_mp_recon_mb_memory *const memory = &cpi->mp.mb_memory;

  if (!memory->mb || cpi->compressor_speed != 2) return NULL;
  return &memory->mb[vp8_mp_mb_index(x, cpi->common.mb_cols)].recalled;
}

int vp8_mp_mode_recalls(const VP8_COMP *cpi, const MACROBLOCK *x, int_mv mv,
                        unsigned int low, int permille) {
  vp8e_mp_recalled_t *const last = find(cpi, x);

  if (!last || !last->frames || abs(mv.as_mv.row) > STILL ||
      abs(mv.as_mv.col) > STILL ||
      (uint64_t)low * 100 > (uint64_t)last->inter * SAME_PERCENT ||
      vp8_mp_mode_within(last->intra, low, permille * FAR_PERCENT / 100)) {
    return 0;
  }
  --last->frames;
  return 1;
}

void vp8_mp_mode_remember(const VP8_COMP *cpi, const MACROBLOCK *x,
                          unsigned int low, unsigned int intra) {
  vp8e_mp_recalled_t *const now = find(cpi, x);

  if (!now) return;
  now->inter = low;
  now->intra = intra;
  now->frames = FRAMES;
}
