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
#include "vpx_mem/vpx_mem.h"

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
  vp8_mp_mode_recall *const recall = &cpi->mp.mode.recall;
  const int mbs = cpi->common.MBs;

  if (recall->mbs != mbs) {
    vpx_free(recall->mb);
    recall->mb = vpx_calloc(mbs, sizeof(*recall->mb));
    recall->mbs = recall->mb ? mbs : 0;
  } else if (cpi->common.frame_type == KEY_FRAME) {
    memset(recall->mb, 0, mbs * sizeof(*recall->mb));
  }
}

void vp8_mp_mode_recall_free(VP8_COMP *cpi) {
  vpx_free(cpi->mp.mode.recall.mb);
  memset(&cpi->mp.mode.recall, 0, sizeof(cpi->mp.mode.recall));
}

static vp8_mp_mode_recalled *find(const VP8_COMP *cpi, const MACROBLOCK *x) {
  const vp8_mp_mode_recall *const recall = &cpi->mp.mode.recall;

  if (!recall->mb || cpi->compressor_speed != 2) return NULL;
  return recall->mb + vp8_mp_mb_index(x, cpi->common.mb_cols);
}

int vp8_mp_mode_recalls(const VP8_COMP *cpi, const MACROBLOCK *x, int_mv mv,
                        unsigned int low, int permille) {
  vp8_mp_mode_recalled *const last = find(cpi, x);

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
  vp8_mp_mode_recalled *const now = find(cpi, x);

  if (!now) return;
  now->inter = low;
  now->intra = intra;
  now->frames = FRAMES;
}
