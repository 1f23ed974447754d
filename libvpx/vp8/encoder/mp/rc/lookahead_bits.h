/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Bits of frames in one-pass encoding with a lookahead: the budget per frame,
 * the size of key frames, and how far the second pass's expectation is off.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_BITS_H_
#define VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_BITS_H_

#include <stddef.h>

#include "vp8/encoder/onyx_int.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vp8_mp_rc_lookahead_bits {
  double per_frame; /* mean budget of a frame of the clip */

  /* Frame being coded. */
  double most_key_bits;
  double share;   /* most bits that it should take of the user's buffer */
  int is_limited; /* a limit of the user's needs any quantizer */
  int allowed_q;  /* if is_limited: worst quantizer of the frames after it */
} vp8_mp_rc_lookahead_bits;

/* Mean budget, in bits, of the frames of a clip of that length: the bitrate's
 * share, plus or minus bits saved or overspent so far. Sets bits.per_frame. */
double vp8_mp_rc_lookahead_bits_budget(VP8_COMP *cpi, int length);

/* Set the second pass's correction of its expectation. The next key frame of
 * the clip comes in key frames. */
void vp8_mp_rc_lookahead_bits_correct(VP8_COMP *cpi, int key);

/* ---- calls from libvpx --------------------------------------------------- */

/* After the second pass decided: correct the target of a key frame. */
void vp8_mp_rc_lookahead_frame_decided(VP8_COMP *cpi);

/* Before a frame's first quantizer is chosen, also a hidden one: limit its
 * target by the user's buffer. */
void vp8_mp_rc_lookahead_limit(VP8_COMP *cpi);

/* Whether the user's buffer can give a hidden frame for a group of that many
 * frames the bits that make it pay. */
int vp8_mp_rc_lookahead_affords_alt_ref(VP8_COMP *cpi, int interval);

/* After an encode of a frame that may be recoded: limit the size of a key
 * frame, and of each frame by the user's buffer. Sets the bounds of the size,
 * in bits, beyond which it is recoded. Returns 1 if the worst quantizer that is
 * active has changed. */
int vp8_mp_rc_lookahead_revise(VP8_COMP *cpi, int *under_shoot_limit,
                               int *over_shoot_limit);

/* After a frame of size bytes, hidden frames included; size is 0 if it was
 * dropped. */
void vp8_mp_rc_lookahead_frame_end(VP8_COMP *cpi, size_t size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_BITS_H_
