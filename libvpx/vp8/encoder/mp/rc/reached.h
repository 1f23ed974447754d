/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The quantizer index to which each macroblock of the last picture is refined:
 * the lowest one since the macroblock moved. A frame of a lower quantizer also
 * codes the error that earlier frames left; a frame of a higher one leaves a
 * still macroblock as it is.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_REACHED_H_
#define VPX_VP8_ENCODER_MP_RC_REACHED_H_

#include "vp8/common/onyxc_int.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state; used by the encoding thread only. */
typedef struct vp8_mp_rc_reached {
  unsigned char *q; /* by macroblock; NULL before the first frame */
  int mbs;
  int count[QINDEX_RANGE]; /* macroblocks by their q */
  int still;               /* macroblocks that the last frame did not change */
} vp8_mp_rc_reached;

/* After a frame that was not dropped. is_new: a key frame or a scene cut. map:
 * the macroblocks that it coded at quantizer index map_q are 1, all others had
 * the frame's quantizer; NULL: all had it. */
void vp8_mp_rc_reached_end(struct VP8_COMP *cpi, int is_new,
                           const unsigned char *map, int map_q);

/* The quantizer index of the picture, as a mean. */
int vp8_mp_rc_reached_mean(const struct VP8_COMP *cpi);

/* When the picture's size changes, or the encoder ends. */
void vp8_mp_rc_reached_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_REACHED_H_
