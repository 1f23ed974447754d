/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What frames may take in one pass at a variable bitrate. libvpx gives each
 * frame nearly the same share: where nothing moves quantizers fall until the
 * share is spent, where a scene changes they rise to the highest, and a key
 * frame that is due gets what an average one would. Here frames get what they
 * need at one quantizer for all, at which those coded so far would have taken
 * their shares; golden and key frames, whose quality lasts, are better than
 * that.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_VBR_H_
#define VPX_VP8_ENCODER_MP_RC_VBR_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state; all of it is the encoding thread's. */
typedef struct vp8_mp_rc_vbr_state {
  /* of the frame being coded */
  int key_is_due; /* a key frame, before anything of it was known */
  int target;     /* libvpx's own, bits */
  int counts;     /* it is an inter frame that refreshes no other reference */

  /* means of those that count, the last ones weighing more */
  int frames;
  double complexity; /* bits, of what vp8_bits_per_mb[] expects */
  double share;      /* target, of the mean frame's bits */

  /* Bits of the bitrate that were not taken so far. libvpx's buffer level tells
   * the same, but not across a change of the bitrate. */
  double saved;
  int64_t start_level; /* where libvpx's buffer started at this bitrate */
} vp8_mp_rc_vbr_state;

/* Before the first quantizer of a frame is chosen, when libvpx has set its
 * target and the quantizers it may have: set them anew. */
void vp8_mp_rc_vbr_begin(struct VP8_COMP *cpi);

/* After each encode of the frame, by quantizer Q, now that what it takes is
 * known: set the target and, in bits, the sizes that need no other encode. */
void vp8_mp_rc_vbr_revise(struct VP8_COMP *cpi, int Q, int *under_shoot_limit,
                          int *over_shoot_limit);

/* After a frame of size bytes; 0 if it was dropped. */
void vp8_mp_rc_vbr_end(struct VP8_COMP *cpi, int size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_VBR_H_
