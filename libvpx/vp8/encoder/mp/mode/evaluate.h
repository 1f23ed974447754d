/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Evaluates the ranked candidates of a macroblock by rate and distortion, and
 * takes the best one.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_EVALUATE_H_
#define VPX_VP8_ENCODER_MP_MODE_EVALUATE_H_

#include "vp8/encoder/mp/mode/candidate.h"
#include "vp8/encoder/mp/mode/split.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The candidates of a macroblock. */
typedef struct vp8_mp_mode_ranking {
  vp8_mp_mode_candidates inter16x16;
  vp8_mp_mode_splits split; /* those within reach */
  vp8_mp_mode_intra_modes intra;
  unsigned int low; /* the lowest cost of inter candidates */
} vp8_mp_mode_ranking;

/* Evaluate all candidates within reach that pay by what the guide has learned
 * (mp/mode/learn.h), and set *best to the best one. A candidate that is alone
 * within reach is taken without evaluation. x->skip is set if the macroblock
 * needs no residual. */
void vp8_mp_mode_evaluate(const vp8_mp_mode_decision *d,
                          const vp8_mp_mode_ranking *r, vp8_mp_mode_best *best);

/* The distortion of a residual that is not coded for trial: what white noise of
 * this SATD has. Rate control uses sums of it. */
int vp8_mp_mode_uncoded_distortion(unsigned int satd);

/* Set rate and distortion for a residual that is not coded for trial. What its
 * tokens cost is added when it is coded: libvpx chooses the quantizer of a
 * frame that it codes again by that, and a guess from the SATD is off by any
 * factor where little of a residual is coded. It is the rate before the
 * trellis, like that of macroblocks that are evaluated. */
void vp8_mp_mode_set_unevaluated(const vp8_mp_mode_decision *d,
                                 unsigned int satd, int mode_rate,
                                 vp8_mp_mode_best *best);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_EVALUATE_H_
