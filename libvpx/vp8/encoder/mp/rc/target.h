/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Frame targets in one pass, at a variable bitrate (VBR), and at realtime at a
 * constant one (CBR). libvpx gives each frame nearly the same share of the
 * bitrate: in still parts the quantizer falls until the share is spent, at a
 * scene change it rises to the maximum, and a key frame that is due gets the
 * bits of an average key frame. Here each frame gets the bits that it needs at
 * one quantizer (mp/rc/model.h) for the bits that the balance allows
 * (mp/rc/balance.h), within the buffer. At a constant bitrate golden frames
 * refine still macroblocks (mp/rc/golden.h) instead of libvpx's cyclic refresh.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_TARGET_H_
#define VPX_VP8_ENCODER_MP_RC_TARGET_H_

#include "vp8/encoder/mp/rc/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state; used by the encoding thread only. */
typedef struct vp8_mp_rc_target {
  int since_golden; /* frames since the last one that refined, or key frame */
  int refresh_disabled; /* libvpx's cyclic refresh was on and was turned off */

  /* Frame being coded. */
  unsigned int served; /* VP8_MP_VBR_TARGETS or VP8_MP_CBR_TARGETS; 0: the frame
                          has libvpx's target */
  int key_is_due;      /* it was a key frame before it was first encoded */
  vp8_mp_rc_kind kind; /* by the last encode, if there was one */
  int own;             /* libvpx's own target, bits */
  double golden_bits; /* CBR: expected size of a golden frame; 0: not planned */
} vp8_mp_rc_target;

/* Replace the target and the range of quantizers that libvpx set for a frame,
 * and at a constant bitrate choose golden frames, before its first quantizer is
 * chosen. */
void vp8_mp_rc_target_begin(struct VP8_COMP *cpi);

/* Correct the frame's target by its actual size. Call it after each encode of a
 * frame with quantizer Q. Sets the sizes, in bits, below and above which the
 * frame is recoded. */
void vp8_mp_rc_target_revise(struct VP8_COMP *cpi, int Q,
                             int *under_shoot_limit, int *over_shoot_limit);

/* After a frame of size bytes; size is 0 if it was dropped. */
void vp8_mp_rc_target_end(struct VP8_COMP *cpi, int size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_TARGET_H_
