/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/provided_modes.h"

#include <stddef.h>
#include <string.h>

#include "vp8/common/entropymode.h"
#include "vp8/encoder/onyx_int.h"

void vp8_mp_recon_provided_modes_reset(VP8_COMP *cpi) {
  memset(&cpi->mp.provided_modes, 0, sizeof(cpi->mp.provided_modes));
}

void vp8_mp_recon_provided_modes_try(VP8_COMP *cpi, int tries) {
  cpi->mp.provided_modes.tries = tries;
}

int vp8_mp_recon_provided_modes_tries(const VP8_COMP *cpi) {
  return cpi->mp.provided_modes.tries;
}

void vp8_mp_recon_provided_modes_take(VP8_COMP *cpi,
                                      const vp8e_mp_modes_t *modes) {
  memcpy(&cpi->mp.provided_modes.modes, modes, sizeof(*modes));
}

/* Set the input after the header was written, and all else to 0. */
static void describe(const VP8_COMP *cpi, unsigned int range,
                     vp8e_mp_modes_t *modes) {
  const VP8_COMMON *const cm = &cpi->common;
  const MACROBLOCKD *const xd = &cpi->mb.e_mbd;
  int i;

  memset(modes, 0, sizeof(*modes));
  modes->has_segments =
      xd->segmentation_enabled && xd->update_mb_segmentation_map;
  modes->has_skips = cm->mb_no_coeff_skip != 0;
  memcpy(modes->segment, xd->mb_segment_tree_probs, sizeof(modes->segment));
  modes->skip = (uint8_t)cpi->prob_skip_false;
  modes->start_range = range;
  if (cm->frame_type == KEY_FRAME) {
    memcpy(modes->ymode, vp8_kf_ymode_prob, sizeof(modes->ymode));
    memcpy(modes->uv_mode, vp8_kf_uv_mode_prob, sizeof(modes->uv_mode));
    modes->key_bmode = vp8_kf_bmode_prob[0][0];
    return;
  }
  modes->intra = (uint8_t)cpi->prob_intra_coded;
  modes->last = (uint8_t)cpi->prob_last_coded;
  modes->golden = (uint8_t)cpi->prob_gf_coded;
  memcpy(modes->ymode, cm->fc.ymode_prob, sizeof(modes->ymode));
  memcpy(modes->uv_mode, cm->fc.uv_mode_prob, sizeof(modes->uv_mode));
  memcpy(modes->bmode, cm->fc.bmode_prob, sizeof(modes->bmode));
  for (i = 0; i < 2; ++i) {
    memcpy(modes->mv[i], cm->fc.mvc[i].prob, sizeof(modes->mv[i]));
  }
}

int vp8_mp_recon_provided_modes_write(VP8_COMP *cpi, vp8_writer *w) {
  vp8_mp_recon_provided_modes *const provided = &cpi->mp.provided_modes;
  vp8e_mp_modes_t modes;
  vp8_mp_recon_number number;

  if (provided->tries) {
    describe(cpi, w->range, &provided->modes);
    return 1;
  }
  if (!provided->modes.data) return 0;
  describe(cpi, w->range, &modes);
  if (memcmp(&modes, &provided->modes, offsetof(vp8e_mp_modes_t, data))) {
    return 0;
  }
  number.data = provided->modes.data;
  number.bits = provided->modes.bits;
  number.range = provided->modes.range;
  vp8_mp_recon_append(w, &number);
  return 1;
}
