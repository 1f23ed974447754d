/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/scene_cut.h"

#include "vp8/common/common.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* Thresholds of scene cuts. Measured on concatenated test clips at 60 to 800
 * kb/s: at cuts, 66 to 100 % of the macroblocks suit intra, after frames with
 * at most 42 %; inter costs are 1.08 to 4 times the intra costs, and this ratio
 * is at least 1.32 times that of the frame before. No other frame comes close
 * to all of these. */
#define CUT_INTRA_PERCENT 60
#define CUT_INTER_PERMILLE 1000
#define CUT_RISE_PERCENT 125
/* Frames with fewer macroblocks than this (CIF's number) are sampled
 * completely. */
#define SMALL_FRAME 396

void vp8_mp_mode_counts_begin(VP8_COMP *cpi) {
#if CONFIG_MULTITHREAD
  int i;

  for (i = 0; i < cpi->encoding_thread_count; ++i) {
    vp8_zero(cpi->mb_row_ei[i].mb.mp_counts);
  }
#endif
  vp8_zero(cpi->mb.mp_counts);
}

int vp8_mp_mode_scene_samples(const VP8_COMP *cpi, const MACROBLOCK *x) {
  if (cpi->pass == 2 || !cpi->oxcf.auto_key || cpi->compressor_speed == 2) {
    return 0;
  }
  return cpi->common.MBs < SMALL_FRAME ||
         !((vp8_mp_mb_col(x) + 2 * vp8_mp_mb_row(x)) & 3);
}

void vp8_mp_mode_counts_merge(VP8_COMP *cpi, const MACROBLOCK *thread) {
  vp8_mp_mode_counts *const to = &cpi->mb.mp_counts;
  const vp8_mp_mode_counts *const from = &thread->mp_counts;

  to->macroblocks += from->macroblocks;
  to->suits_intra += from->suits_intra;
  to->inter += from->inter;
  to->intra += from->intra;
  to->guided += from->guided;
  to->unevaluated += from->unevaluated;
  to->evaluated += from->evaluated;
}

static vp8_mp_mode_scene scene_of(const VP8_COMP *cpi) {
  const vp8_mp_mode_counts *const counts = &cpi->mb.mp_counts;
  vp8_mp_mode_scene scene;

  scene.intra_percent =
      counts->suits_intra * 100 / VPXMAX(counts->macroblocks, 1);
  scene.inter_permille = (int)(counts->inter * 1000 / (counts->intra + 1));
  return scene;
}

int vp8_mp_mode_scene_cut(const VP8_COMP *cpi) {
  const vp8_mp_mode_scene *const before = &cpi->mp.mode.scene;
  const vp8_mp_mode_scene now = scene_of(cpi);

  return now.intra_percent >= CUT_INTRA_PERCENT &&
         now.intra_percent * 2 > before->intra_percent * 3 &&
         now.inter_permille >= CUT_INTER_PERMILLE &&
         (int64_t)now.inter_permille * 100 >
             (int64_t)before->inter_permille * CUT_RISE_PERCENT;
}

void vp8_mp_mode_scene_end(VP8_COMP *cpi) {
  vp8_mp_mode_scene *const scene = &cpi->mp.mode.scene;

  *scene = scene_of(cpi);
  /* A key frame is never followed by another key frame, as in libvpx. */
  if (cpi->common.last_frame_type == KEY_FRAME) scene->intra_percent = 100;
}
