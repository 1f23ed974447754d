/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * First-pass statistics of the frames in the lookahead queue. An encoder of its
 * own runs the first of two passes on each frame that is queued, in a worker
 * thread if the user allows threads.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_STATS_H_
#define VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_STATS_H_

#include <stdint.h>

#include "vp8/encoder/onyx_int.h"
#include "vpx/internal/vpx_codec_internal.h"
#include "vpx/vp8_motion_provider.h"
#include "vpx_scale/yv12config.h"
#include "vpx_util/vpx_thread.h"

#ifdef __cplusplus
extern "C" {
#endif

/* libvpx's longest queue, 25 frames, and the frame being coded. */
#define VP8_MP_RC_LOOKAHEAD_MAX_WINDOW 26
/* Time constant, in frames, of averages over the past. */
#define VP8_MP_RC_LOOKAHEAD_MEAN_FRAMES 150

typedef struct vp8_mp_rc_lookahead_stats {
  VP8_COMP *encoder; /* does the first pass; is_busy: in the worker thread */
  /* Copy of the encoder's provider, of which only the first-pass callbacks are
   * called. */
  vp8e_motion_provider_t provider;
  vpx_codec_pkt_list_decl(8) packets; /* output of the encoder, not read */
  VPxWorker worker;
  int is_busy; /* statistics of the newest frame are not in the window yet */
  unsigned int busy_flags; /* that frame's FRAMEFLAGS_* */

  /* The window: the frame being coded, then the frames in the queue. */
  int frames;
  FIRSTPASS_STATS window[VP8_MP_RC_LOOKAHEAD_MAX_WINDOW];
  unsigned int flags[VP8_MP_RC_LOOKAHEAD_MAX_WINDOW]; /* FRAMEFLAGS_* */

  FIRSTPASS_STATS past; /* decaying sum over frames that left the window */
} vp8_mp_rc_lookahead_stats;

/* Create the first-pass encoder for the size, rate and speed of cpi. Returns 0,
 * or -1 if memory ran out. */
int vp8_mp_rc_lookahead_stats_init(vp8_mp_rc_lookahead_stats *stats,
                                   const VP8_COMP *cpi);

/* Use another provider; NULL: none, after which the first-pass encoder works
 * without calling one. Waits for the worker. */
void vp8_mp_rc_lookahead_stats_set_provider(
    vp8_mp_rc_lookahead_stats *stats, const vp8e_motion_provider_t *provider);

/* Wait for the worker and free the first-pass encoder. */
void vp8_mp_rc_lookahead_stats_free(vp8_mp_rc_lookahead_stats *stats);

/* Start the first pass of a frame that was queued; use_worker: in the worker
 * thread. Returns 0, or -1 if memory ran out. */
int vp8_mp_rc_lookahead_stats_receive(vp8_mp_rc_lookahead_stats *stats,
                                      YV12_BUFFER_CONFIG *frame, int64_t start,
                                      int64_t end, unsigned int flags,
                                      int use_worker);

/* Wait for the newest frame's statistics and append them to the window. */
void vp8_mp_rc_lookahead_stats_finish(vp8_mp_rc_lookahead_stats *stats);

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
