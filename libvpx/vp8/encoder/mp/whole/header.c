/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/whole/header.h"

#include <string.h>

#include "vp8/encoder/bitstream.h"
#include "vp8/encoder/mp/mt/pack.h"
#include "vp8/encoder/mp/recon/provided_modes.h"
#include "vp8/encoder/onyx_int.h"

/* The header's writer changes these. Others that it changes are set again when
 * the frame is written. */
typedef struct changed {
  FRAME_CONTEXT fc, lfc;
  signed char ref_deltas[MAX_REF_LF_DELTAS], mode_deltas[MAX_MODE_LF_DELTAS];
  int refresh_entropy_probs;
} changed;

static void save(const VP8_COMP *cpi, changed *to) {
  const VP8_COMMON *const cm = &cpi->common;
  const MACROBLOCKD *const xd = &cpi->mb.e_mbd;

  to->fc = cm->fc;
  to->lfc = cm->lfc;
  memcpy(to->ref_deltas, xd->last_ref_lf_deltas, sizeof(to->ref_deltas));
  memcpy(to->mode_deltas, xd->last_mode_lf_deltas, sizeof(to->mode_deltas));
  to->refresh_entropy_probs = cm->refresh_entropy_probs;
}

static void restore(VP8_COMP *cpi, const changed *from) {
  VP8_COMMON *const cm = &cpi->common;
  MACROBLOCKD *const xd = &cpi->mb.e_mbd;

  cm->fc = from->fc;
  cm->lfc = from->lfc;
  memcpy(xd->last_ref_lf_deltas, from->ref_deltas, sizeof(from->ref_deltas));
  memcpy(xd->last_mode_lf_deltas, from->mode_deltas, sizeof(from->mode_deltas));
  cm->refresh_entropy_probs = from->refresh_entropy_probs;
}

void vp8_mp_whole_try_header(VP8_COMP *cpi, vp8e_mp_modes_t *modes) {
  unsigned char data[VP8_MP_MT_HEADER_SIZE];
  changed before;
  size_t size;

  save(cpi, &before);
  /* libvpx does the same before it writes the frame. */
  if (cpi->oxcf.error_resilient_mode) cpi->common.refresh_entropy_probs = 0;
  vp8_mp_recon_provided_modes_try(cpi, 1);
  vp8_pack_bitstream(cpi, data, data + sizeof(data), &size);
  vp8_mp_recon_provided_modes_try(cpi, 0);
  memcpy(modes, &cpi->mp.provided_modes.modes, sizeof(*modes));
  restore(cpi, &before);
}
