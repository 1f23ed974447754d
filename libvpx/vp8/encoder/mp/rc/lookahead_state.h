/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * State of one-pass encoding with a lookahead, shared by the three
 * mp/rc/lookahead_*.c only. Each of them writes its own part. All of it belongs
 * to the encoding thread; only the first-pass encoder may run in a worker
 * thread.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_STATE_H_
#define VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_STATE_H_

#include "vp8/encoder/mp/rc/lookahead_bits.h"
#include "vp8/encoder/mp/rc/lookahead_stats.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx/internal/vpx_codec_internal.h"
#include "vpx/vp8_motion_provider.h"
#include "vpx_util/vpx_thread.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Longest clip that the second pass is told of, in frames. */
#define VP8_MP_RC_LOOKAHEAD_MAX_CLIP 300
/* Shortest clip while frames may follow, in frames: bits saved or overspent are
 * spread over it. Also the time in which the sizes of frames are averaged. With
 * 120 film is 1.0 % worse (doc/lab/0021). */
#define VP8_MP_RC_LOOKAHEAD_MIN_CLIP 60

/* The first-pass encoder: it runs the first of two passes on each frame that is
 * queued, in a worker thread if the user allows threads. */
typedef struct vp8_mp_rc_lookahead_first {
  VP8_COMP *encoder; /* while is_busy is set, only the worker may use it */
  /* Copy of the encoder's provider, of which only the first-pass callbacks are
   * called. */
  vp8e_motion_provider_t provider;
  vpx_codec_pkt_list_decl(8) packets; /* output of the encoder, not read */
  VPxWorker worker;
  int is_busy; /* statistics of the newest frame are not in the window yet */
  unsigned int flags; /* FRAMEFLAGS_* of the newest frame */
} vp8_mp_rc_lookahead_first;

/* cpi->mp.lookahead points to it; lookahead_rc.c allocates it. */
struct vp8_mp_rc_lookahead_pass {
  vp8_mp_rc_lookahead_stats stats;
  vp8_mp_rc_lookahead_bits bits;

  /* lookahead_rc.c */
  vp8_mp_rc_lookahead_first first;
  int lag;      /* frames in a full queue */
  int is_ended; /* no frame follows those in the queue */

  /* The clip that the second pass reads: the frames of the window, then copies
   * of the mean frame. */
  int length;
  FIRSTPASS_STATS clip[VP8_MP_RC_LOOKAHEAD_MAX_CLIP];
  /* [i]: modified error of the first i frames of the clip. */
  double group_error[VP8_MP_RC_LOOKAHEAD_MAX_CLIP + 1];
  double error_per_mb; /* mean coded error of a macroblock in the clip */
};

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_STATE_H_
