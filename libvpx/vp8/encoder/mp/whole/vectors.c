/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/whole/vectors.h"

#include <string.h>

#include "vp8/encoder/onyx_int.h"

int vp8_mp_whole_keep_vectors(VP8_COMP *cpi) {
  vp8_mp_whole_state *const whole = &cpi->mp.whole;

  whole->keeps_vectors = whole->coded != NULL;
  memcpy(whole->sign_bias, cpi->common.ref_frame_sign_bias,
         sizeof(whole->sign_bias));
  return whole->keeps_vectors;
}

/* The arrays have a row and a column more than the frame at each side. */
void vp8_mp_whole_copy_vectors(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  vp8_mp_whole_state *const whole = &cpi->mp.whole;
  const MODE_INFO *m = cm->mip; /* begins above and left of the frame */
  int row, col;

  if (!whole->keeps_vectors) return;
  whole->keeps_vectors = 0;
  for (row = 0; row <= cm->mb_rows; ++row) {
    for (col = 0; col <= cm->mb_cols; ++col, ++m) {
      const int i = row * (cm->mode_info_stride + 1) + col;
      const int ref = m->mbmi.ref_frame;

      if (ref != INTRA_FRAME) cpi->lfmv[i].as_int = m->mbmi.mv.as_int;
      cpi->lf_ref_frame_sign_bias[i] = whole->sign_bias[ref];
      cpi->lf_ref_frame[i] = ref;
    }
  }
}

/* Returns whether the vectors of this frame will be kept instead. libvpx may
 * drop a frame after it was coded. */
static int replaces_vectors(const VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  return cpi->mp.whole.coded && cm->frame_type != KEY_FRAME && cm->show_frame &&
         !cpi->drop_frames_allowed && !cpi->oxcf.screen_content_mode;
}

void vp8_mp_whole_begin_vectors(VP8_COMP *cpi) {
  if (!replaces_vectors(cpi)) vp8_mp_whole_copy_vectors(cpi);
}

int vp8_mp_whole_count_still(VP8_COMP *cpi) {
  const vp8_mp_whole_state *const whole = &cpi->mp.whole;

  if (!whole->coded || whole->still < 0) return 0;
  cpi->zeromv_count = whole->still;
  return 1;
}
