/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/counts.h"

#include <string.h>

#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/mp/rc/segments.h"

void vp8_mp_counts_encode_begin(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  cpi->mp.counts.is_golden =
      cm->refresh_golden_frame && cm->frame_type != KEY_FRAME;
}

static void count_modes(const VP8_COMP *cpi, vp8e_mp_counts_t *counts) {
  static const unsigned char kind_of[MB_MODE_COUNT] = {
    [DC_PRED] = VP8E_MP_INTRA_16X16_MODE, [V_PRED] = VP8E_MP_INTRA_16X16_MODE,
    [H_PRED] = VP8E_MP_INTRA_16X16_MODE,  [TM_PRED] = VP8E_MP_INTRA_16X16_MODE,
    [B_PRED] = VP8E_MP_INTRA_4X4_MODE,    [ZEROMV] = VP8E_MP_ZERO_MODE,
    [NEARESTMV] = VP8E_MP_NEAREST_MODE,   [NEARMV] = VP8E_MP_NEAR_MODE,
    [NEWMV] = VP8E_MP_NEW_MODE,           [SPLITMV] = VP8E_MP_SPLIT_MODE,
  };
  const VP8_COMMON *const cm = &cpi->common;
  const int has_segments = cpi->mb.e_mbd.segmentation_enabled;
  const MODE_INFO *mi = cm->mi;
  int row, col;

  for (row = 0; row < cm->mb_rows; ++row, ++mi) { /* skip the border column */
    for (col = 0; col < cm->mb_cols; ++col, ++mi) {
      ++counts->mode[kind_of[mi->mbmi.mode]];
      ++counts->ref[mi->mbmi.ref_frame];
      counts->skipped += mi->mbmi.mb_skip_coeff;
      if (has_segments) ++counts->segment[mi->mbmi.segment_id];
    }
  }
}

static void note_quantizers(const VP8_COMP *cpi, vp8e_mp_counts_t *counts) {
  int i;

  counts->quantizer = cpi->common.base_qindex;
  for (i = 0; i < MAX_MB_SEGMENTS; ++i) {
    counts->segment_quantizer[i] = vp8_mp_rc_segment_q_index(cpi, i);
  }
}

void vp8_mp_counts_frame_end(VP8_COMP *cpi) {
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  const vp8_mp_mode_counts *const own = &cpi->mb.mp_counts;
  vp8e_mp_counts_t counts;

  if (!provider->frame_counts) return;
  memset(&counts, 0, sizeof(counts));
  counts.macroblocks = cpi->common.mb_rows * cpi->common.mb_cols;
  counts.guided = own->guided;
  counts.untried = own->unevaluated;
  counts.evaluated = own->evaluated;
  counts.is_golden = cpi->mp.counts.is_golden;
  counts.is_hidden = !cpi->common.show_frame;
  count_modes(cpi, &counts);
  note_quantizers(cpi, &counts);
  provider->frame_counts(provider->priv, &counts);
}
