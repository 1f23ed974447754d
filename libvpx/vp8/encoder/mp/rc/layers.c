/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/layers.h"

#include <math.h>
#include <string.h>

#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

int vp8_mp_rc_layers_is_base(const VP8_COMP *cpi) {
  return cpi->oxcf.number_of_layers <= 1 || cpi->current_layer == 0;
}

void vp8_mp_rc_layers_begin(VP8_COMP *cpi) {
  vp8_mp_rc_layers *const layers = &cpi->mp.layers;
  const int layer = vp8_mp_rc_layers_is_base(cpi) ? 0 : cpi->current_layer;

  if (layers->count != cpi->oxcf.number_of_layers) {
    /* Models of layers that return are out of date. */
    memset(layers->model, 0, sizeof(layers->model));
    layers->count = cpi->oxcf.number_of_layers;
    layers->current = layer;
  }
  if (layer == layers->current) return;
  layers->model[layers->current] = cpi->mp.model;
  cpi->mp.model = layers->model[layer];
  layers->current = layer;
}

void vp8_mp_rc_layers_begin_scene(VP8_COMP *cpi) {
  const unsigned int *const decimator = cpi->oxcf.rate_decimator;
  unsigned int i;

  for (i = 0; i < cpi->oxcf.number_of_layers; ++i) {
    vp8_mp_rc_model *const model = &cpi->mp.layers.model[i];
    const double distance = (double)VPXMAX(decimator[i], 1) /
                            VPXMAX(decimator[cpi->mp.layers.current], 1);

    if (i == (unsigned int)cpi->mp.layers.current) continue;
    *model = cpi->mp.model;
    model->complexity[VP8_MP_RC_INTER] *= sqrt(distance);
    model->recent *= sqrt(distance);
  }
}
