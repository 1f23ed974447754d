/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The levels of the guided mode decision: which candidates of a macroblock are
 * evaluated, by quantizer. The state lives in VP8_COMP.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_LEVEL_H_
#define VPX_VP8_ENCODER_MP_MODE_LEVEL_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/common/onyxc_int.h"
#include "vp8/encoder/mp/mode/recall.h"
#include "vp8/encoder/mp/mode/scene_cut.h"
#include "vp8/encoder/mp/mode/learn.h"
#include "vp8/encoder/mp/recon/token_rate.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* 1 in the builds of tools/guide: decisions are logged (mp/mode/log.h), and the
 * level comes from the environment (mp/mode/level.c). */
#ifndef VP8_MP_MODE_LOG
#define VP8_MP_MODE_LOG 0
#endif

/* What is evaluated of a macroblock of one quantizer. All members are ints, in
 * the order of VP8_MP_MODE_LEVEL. */
typedef struct vp8_mp_mode_level {
  /* SATD worth one bit, percent of libvpx's SAD worth one. */
  int lambda;

  /* What is within so many permille of the lowest cost is evaluated. */
  int refs;           /* references, by their new vectors' SATD alone */
  int inter16x16;     /* inter 16x16 candidates behind the first */
  int max_inter16x16; /* how many inter 16x16 candidates at most */
  int split;          /* SPLITMV */
  int partitionings;  /* of SPLITMV, to be planned: by first estimates */
  int bpred;          /* B_PRED */
  int intra16x16;     /* the best intra 16x16 mode */

  /* An inter candidate is taken without evaluation if no other one is within so
   * many permille of the lowest cost. */
  int sole;

  int bound; /* Permille of a new vector's SATD that any vector in its
                reference is expected to have at least: those that cannot
                come close to the best are not predicted. 0: all are. */

  /* The next three are 0 except in realtime levels. */
  int fewer_modes; /* modes of a subblock that B_PRED leaves out, 0..2 of 3 */
  int split_best;  /* SPLITMV only in the best 16x16 candidate's reference */

  /* Those of SPLITMV that are evaluated behind the first one: how many at most,
   * and within so many permille of its cost. */
  int more_splits, splits;
} vp8_mp_mode_level;

/* Part of VP8_COMP; written between frames, read by all threads. */
typedef struct vp8_mp_mode_state {
  /* Rounding of the fast quantizer by [quantizer][Y with Y2, Y2, UV]
   * [coefficient]: smaller where the regular quantizer's dead zone is wider. */
  DECLARE_ALIGNED(32, short, round[QINDEX_RANGE][3][16]);
  int delta_q[4]; /* 1, and the delta of Y1 DC, Y2 DC and UV DC that round[] was
                     made for; [0] is 0 until it was made */
  vp8_mp_mode_level level[QINDEX_RANGE];
  int level_made;                /* the level that level[] holds; 0: none */
  int bmode_cost[10];            /* for the provider's intra estimates, see
                                    vp8e_mp_frame_t */
  vp8_mp_recon_rate_zeros zeros; /* of the frame's token costs */
  vp8_mp_mode_scene scene;
  vp8_mp_mode_recall recall;
  vp8_mp_mode_learn_state learn;
} vp8_mp_mode_state;

/* SATD worth one bit in key frames, percent of libvpx's SAD worth one. */
#define VP8_MP_MODE_KEY_LAMBDA 170

/* Set the state's level[] to what guide, deadline and cpu-used ask for; between
 * frames. */
void vp8_mp_mode_make_levels(struct VP8_COMP *cpi);

/* The permille of a macroblock's mean rate that a thousand cycles of evaluation
 * must gain at a quantizer index, see mp/mode/learn.h; 0: nothing. */
int vp8_mp_mode_slope(const struct VP8_COMP *cpi, int q_index);

/* Whether the guide gives up quality for time beyond its thresholds: key frames
 * are guided too, and the loop filter's level is searched on a sample of rows.
 * Each costs 0.6 % in static scenes at best. */
int vp8_mp_mode_is_aggressive(const struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_LEVEL_H_
