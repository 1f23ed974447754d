/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Frame targets in one pass at a variable bitrate (VBR). libvpx gives each
 * frame nearly the same share of the bitrate. In still parts the quantizer
 * falls until the share is spent, at a scene change it rises to the maximum,
 * and a key frame that is due gets the bits of an average key frame. Here one
 * quantizer serves all inter frames: the one at which the frames coded so far
 * would have taken their shares. Each frame gets the bits that it needs at this
 * quantizer. Golden and key frames, from which others are predicted, get a
 * lower one.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_VBR_H_
#define VPX_VP8_ENCODER_MP_RC_VBR_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state; used by the encoding thread only. */
typedef struct vp8_mp_rc_vbr_state {
  /* Frame being coded. */
  int key_is_due; /* it was a key frame before it was first encoded */
  int target;     /* libvpx's own target, bits */
  int is_plain;   /* an inter frame that refreshes neither golden nor altref */

  /* Running means over plain inter frames; recent frames weigh more. */
  int frames;        /* number of frames in the means, at most MEAN_FRAMES */
  double complexity; /* actual bits / bits by vp8_bits_per_mb[] */
  double share;      /* libvpx's target / mean bits per frame of the bitrate */

  /* Bits of the bitrate that were not spent so far; negative: overspent.
   * libvpx's buffer level tells the same, unless the bitrate changes. */
  double saved;
  int64_t start_level; /* initial level of libvpx's buffer at this bitrate */
} vp8_mp_rc_vbr_state;

/* Replace the target and the range of quantizers that libvpx set for a frame,
 * before its first quantizer is chosen. */
void vp8_mp_rc_vbr_begin(struct VP8_COMP *cpi);

/* Correct the frame's target by its actual size. Call it after each encode of a
 * frame with quantizer Q. Sets the sizes, in bits, below and above which the
 * frame is recoded. */
void vp8_mp_rc_vbr_revise(struct VP8_COMP *cpi, int Q, int *under_shoot_limit,
                          int *over_shoot_limit);

/* After a frame of size bytes; size is 0 if it was dropped. */
void vp8_mp_rc_vbr_end(struct VP8_COMP *cpi, int size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_VBR_H_
