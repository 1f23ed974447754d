/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/provided_modes.h"

#include <string.h>

#include "vp8/encoder/onyx_int.h"

void vp8_mp_recon_provided_modes_reset(VP8_COMP *cpi) {
  memset(&cpi->mp.provided_modes, 0, sizeof(cpi->mp.provided_modes));
}

void vp8_mp_recon_provided_modes_try(VP8_COMP *cpi, int tries) {
  cpi->mp.provided_modes.tries = tries;
}

void vp8_mp_recon_provided_modes_take(VP8_COMP *cpi,
                                      const vp8e_mp_modes_t *modes) {
  vp8_mp_recon_number *const number = &cpi->mp.provided_modes.number;

  number->data = modes->data;
  number->bits = modes->bits;
  number->range = modes->range;
}

int vp8_mp_recon_provided_modes_write(VP8_COMP *cpi, vp8_writer *w) {
  vp8_mp_recon_provided_modes *const modes = &cpi->mp.provided_modes;

  if (modes->tries) {
    modes->start_range = w->range;
    return 1;
  }
  if (!modes->number.data || w->range != modes->start_range) return 0;
  vp8_mp_recon_append(w, &modes->number);
  return 1;
}
