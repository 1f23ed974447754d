/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The levels of the guided mode decision, and its state in VP8_COMP. A level is
 * a set of thresholds, by quantizer index, for the candidates of a macroblock
 * to evaluate.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_LEVEL_H_
#define VPX_VP8_ENCODER_MP_MODE_LEVEL_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/common/onyxc_int.h"
#include "vp8/encoder/mp/mode/scene_cut.h"
#include "vp8/encoder/mp/mode/learn.h"
#include "vp8/encoder/mp/recon/token_rate.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* 1 in the build of tools/guide, which copies tools/guide/overlay over this
 * folder: decisions are logged, and the level comes from the environment. */
#ifndef VP8_MP_MODE_LOG
#define VP8_MP_MODE_LOG 0
#endif

/* Thresholds for a macroblock of one quantizer. All members are ints, in the
 * order of the environment variable VP8_MP_MODE_LEVEL of tools/guide. */
typedef struct vp8_mp_mode_level {
  /* SATD that costs as much as one bit, in percent of libvpx's SAD that does.
   */
  int lambda;

  /* Limits in permille of the lowest cost. Candidates above are left out. */
  int refs;           /* references, by the SATD of their new vectors alone */
  int inter16x16;     /* inter 16x16 candidates after the first */
  int max_inter16x16; /* not a limit: number of inter 16x16 candidates */
  int split;          /* SPLITMV */
  int partitionings;  /* of SPLITMV, to plan: compared by first estimates */
  int bpred;          /* B_PRED */
  int intra16x16;     /* the intra 16x16 mode of lowest cost */
  int sole; /* An inter candidate is taken without evaluation if the costs of
               all others are above this limit. */

  /* In permille of the new vector's SATD: no other vector of its reference is
   * expected to have less SATD. Vectors that are out of reach even with that
   * are not predicted. 0: all are predicted. */
  int bound;

  /* These two are 0 except in realtime levels. */
  int fewer_modes; /* B_PRED leaves out 0, 1 or 2 of 3 modes of a sub-block */
  int split_best;  /* SPLITMV only in the best 16x16 candidate's reference */

  /* Plans of SPLITMV to evaluate after the first one. */
  int more_splits; /* their number at most */
  int splits;      /* limit in permille of the first plan's cost */
} vp8_mp_mode_level;

/* The denoised pictures, by reference; that of the frame is INTRA_FRAME's. */
typedef struct vp8_mp_mode_denoised {
  uint64_t last_id;    /* highest id in use */
  uint64_t id[4];      /* of the content; 0: it may change */
  int lacks_border[4]; /* their edges are not replicated */
  int is_provided;     /* a provider has made that of the frame */
} vp8_mp_mode_denoised;

/* Part of VP8_COMP. Written between frames by the files of mp/mode, read by all
 * threads. */
typedef struct vp8_mp_mode_state {
  /* Rounding of the fast quantizer, [quantizer index][Y after Y2, Y2,
   * UV][coefficient]. It is smaller where the regular quantizer's dead zone is
   * wider. */
  DECLARE_ALIGNED(32, short, round[QINDEX_RANGE][3][16]);
  int delta_q[4]; /* 1 and the deltas of Y1 DC, Y2 DC and UV DC that round[] was
                     made for; [0] is 0 before round[] was made */
  vp8_mp_mode_level level[QINDEX_RANGE];
  int level_made;     /* the level that level[] holds; 0: none yet */
  int bmode_cost[10]; /* for the provider's intra estimates (vp8e_mp_frame_t) */
  vp8_mp_recon_rate_zeros zeros; /* by the frame's token costs */
  vp8_mp_mode_scene scene;
  vp8_mp_mode_learn_state learn;
  vp8_mp_mode_denoised denoised; /* mode/denoise.c */
} vp8_mp_mode_state;

/* SATD that costs as much as one bit in key frames, in percent of libvpx's SAD
 * that does. */
#define VP8_MP_MODE_KEY_LAMBDA 170

/* Set the state's level[] by guide, deadline and cpu-used. Call it between
 * frames. */
void vp8_mp_mode_make_levels(struct VP8_COMP *cpi);

/* Returns the gain that evaluations must have at a quantizer index, in permille
 * of a macroblock's mean rate for each thousand cycles (mp/mode/learn.h). 0:
 * evaluate everything. */
int vp8_mp_mode_slope(const struct VP8_COMP *cpi, int q_index);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_LEVEL_H_
