/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/model.h"

#include "vp8/encoder/onyx_int.h"

/* Quantizer index of golden frames, in percent, if all macroblocks move and if
 * all are still. Still pictures gain most: with 65 instead of 80 for both, a
 * talking head gains 1.5 % of bitrate, and a race loses 7 %. */
#define GOLDEN_PERCENT_MOVING 90
#define GOLDEN_PERCENT_STATIC 40

double vp8_mp_rc_model_at(const VP8_COMP *cpi, FRAME_TYPE type,
                          double complexity, int Q) {
  return complexity * vp8_bits_per_mb[type][Q] * cpi->common.MBs / 512;
}

int vp8_mp_rc_model_q(const VP8_COMP *cpi, double complexity, double bits) {
  const double bits_per_mb = bits * 512 / (complexity * cpi->common.MBs);
  int q = 0;

  while (q < MAXQ && vp8_bits_per_mb[INTER_FRAME][q] > bits_per_mb) ++q;
  return q;
}

int vp8_mp_rc_model_golden_percent(const VP8_COMP *cpi) {
  const int span = GOLDEN_PERCENT_MOVING - GOLDEN_PERCENT_STATIC;

  /* gf_active_count: macroblocks that are still unchanged since the golden
   * frame.
   */
  return GOLDEN_PERCENT_MOVING - span * cpi->gf_active_count / cpi->common.MBs;
}

void vp8_mp_rc_model_set_target(VP8_COMP *cpi, int bits) {
  cpi->this_frame_target = bits;
}
