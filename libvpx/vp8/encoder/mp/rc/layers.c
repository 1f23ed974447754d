/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/layers.h"

#include "vp8/encoder/onyx_int.h"

int vp8_mp_rc_layers_is_base(const VP8_COMP *cpi) {
  return cpi->oxcf.number_of_layers <= 1 || cpi->current_layer == 0;
}

void vp8_mp_rc_layers_begin(VP8_COMP *cpi) {
  vp8_mp_rc_layers *const layers = &cpi->mp.layers;
  const int layer = vp8_mp_rc_layers_is_base(cpi) ? 0 : cpi->current_layer;

  if (layer == layers->current) return;
  layers->model[layers->current] = cpi->mp.model;
  cpi->mp.model = layers->model[layer];
  layers->current = layer;
}

void vp8_mp_rc_layers_begin_scene(VP8_COMP *cpi) {
  int i;

  for (i = 0; i < VPX_TS_MAX_LAYERS; ++i) {
    cpi->mp.layers.model[i] = cpi->mp.model;
  }
}
