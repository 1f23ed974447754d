/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Measures of a picture before it is coded: its texture, and whether it shows
 * another scene than the frames that predict it. They read every
 * VP8_MP_RC_SCENE_ROWS-th row.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_SCENE_H_
#define VPX_VP8_ENCODER_MP_RC_SCENE_H_

#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Distance of the rows that are read, from the first one on. */
#define VP8_MP_RC_SCENE_ROWS 8

struct VP8_COMP;

/* Part of vp8_mp_state; used by the encoding thread only. */
typedef struct vp8_mp_rc_scene {
  int is_cut;    /* the frame being coded shows a new scene */
  double change; /* mean difference of the last frame to the one before; after
                    vp8_mp_rc_scene_begin(), of the source to the last frame */
  const YV12_BUFFER_CONFIG *source; /* NULL, or change is its difference to the
                                       last frame */
  int is_known;                     /* change is valid */
  int was_intra; /* most macroblocks of the last frame were intra */
} vp8_mp_rc_scene;

/* Mean absolute difference of luma pixels to their left and upper neighbours.
 */
double vp8_mp_rc_scene_gradient(const YV12_BUFFER_CONFIG *source);

/* Mean absolute difference of the luma pixels of the source to those of a frame
 * buffer, which has its size. */
double vp8_mp_rc_scene_difference(const struct VP8_COMP *cpi, int fb_idx);

/* The difference of the source to the last frame. */
double vp8_mp_rc_scene_change(const struct VP8_COMP *cpi);

/* Before each frame: forget the difference of its source. */
void vp8_mp_rc_scene_reset(struct VP8_COMP *cpi);

/* Before each frame is coded: find out whether it shows a new scene. */
void vp8_mp_rc_scene_begin(struct VP8_COMP *cpi);

/* After a frame, not dropped: a new scene that was not found before shows in
 * its modes. */
void vp8_mp_rc_scene_end(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_SCENE_H_
