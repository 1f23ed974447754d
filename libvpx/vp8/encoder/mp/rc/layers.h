/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Temporal layers: each has a model of its own, because its frames lie further
 * apart than those of the layers above. libvpx keeps a buffer for each. The
 * base layer alone finds scenes, and refines still macroblocks.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_LAYERS_H_
#define VPX_VP8_ENCODER_MP_RC_LAYERS_H_

#include "vpx/vpx_encoder.h"
#include "vp8/encoder/mp/rc/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state; used by the encoding thread only. */
typedef struct vp8_mp_rc_layers {
  unsigned int count; /* number of layers that the models are of */
  int current;        /* the layer of cpi->mp.model */
  vp8_mp_rc_model model[VPX_TS_MAX_LAYERS]; /* of the other layers */
} vp8_mp_rc_layers;

/* Whether the frame belongs to the base layer. It does if there are no others.
 */
int vp8_mp_rc_layers_is_base(const struct VP8_COMP *cpi);

/* Before each frame: change to the model of its layer. */
void vp8_mp_rc_layers_begin(struct VP8_COMP *cpi);

/* After the first frame of a scene: all layers begin with its model. */
void vp8_mp_rc_layers_begin_scene(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_LAYERS_H_
