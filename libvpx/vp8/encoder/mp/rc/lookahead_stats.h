/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * First-pass statistics of the frames in the lookahead queue: a window that
 * moves with the queue, and the mean of the frames that left it.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_STATS_H_
#define VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_STATS_H_

#include "vp8/encoder/onyx_int.h"

#ifdef __cplusplus
extern "C" {
#endif

/* libvpx's longest queue, 25 frames, and the frame being coded. */
#define VP8_MP_RC_LOOKAHEAD_MAX_WINDOW 26
/* Time constant, in frames, of averages over the past. */
#define VP8_MP_RC_LOOKAHEAD_MEAN_FRAMES 150

typedef struct vp8_mp_rc_lookahead_stats {
  /* The window: the frame being coded, then the frames in the queue. */
  int frames;
  FIRSTPASS_STATS window[VP8_MP_RC_LOOKAHEAD_MAX_WINDOW];
  unsigned int flags[VP8_MP_RC_LOOKAHEAD_MAX_WINDOW]; /* FRAMEFLAGS_* */

  FIRSTPASS_STATS past; /* decaying sum over frames that left the window */
} vp8_mp_rc_lookahead_stats;

/* Append a frame's statistics and its FRAMEFLAGS_* to the window, which must
 * have room. */
void vp8_mp_rc_lookahead_stats_append(vp8_mp_rc_lookahead_stats *stats,
                                      const FIRSTPASS_STATS *frame,
                                      unsigned int flags);

/* Move the first frame of the window to the past. */
void vp8_mp_rc_lookahead_stats_pop(vp8_mp_rc_lookahead_stats *stats);

/* The mean frame of the past and the window, which must not be empty. */
FIRSTPASS_STATS vp8_mp_rc_lookahead_stats_mean(
    const vp8_mp_rc_lookahead_stats *stats);

/* sum += frame * weight, and sum *= factor, in each field. */
void vp8_mp_rc_lookahead_stats_add(FIRSTPASS_STATS *sum,
                                   const FIRSTPASS_STATS *frame, double weight);
void vp8_mp_rc_lookahead_stats_scale(FIRSTPASS_STATS *sum, double factor);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_STATS_H_
