/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The last step of the guided mode decision: evaluates the ranked candidates of
 * a macroblock by rate and distortion, and keeps the best one.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_EVALUATE_H_
#define VPX_VP8_ENCODER_MP_MODE_EVALUATE_H_

#include "vp8/encoder/mp/mode/candidate.h"
#include "vp8/encoder/mp/mode/split.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The ranked candidates of a macroblock. */
typedef struct vp8_mp_mode_ranking {
  vp8_mp_mode_candidates inter16x16;
  vp8_mp_mode_splits split; /* the plans of SPLITMV within reach */
  vp8_mp_mode_intra_modes intra;
  unsigned int low; /* the lowest cost of all inter candidates */
} vp8_mp_mode_ranking;

/* Evaluate the candidates within reach that pay by the learned gains
 * (mp/mode/learn.h), and set *best to the best one. If only one is within
 * reach, take it without evaluation. Sets x->skip if the macroblock needs no
 * residual. */
void vp8_mp_mode_evaluate(const vp8_mp_mode_decision *d,
                          const vp8_mp_mode_ranking *r, vp8_mp_mode_best *best);

/* Returns the distortion that is expected of a residual that was not coded: the
 * distortion of white noise of this SATD. Rate control uses the sum over all
 * macroblocks. */
int vp8_mp_mode_uncoded_distortion(unsigned int satd);

/* Set rate and distortion of a macroblock that is not evaluated. mode_rate is
 * the rate of reference, mode and vector. The rate of the tokens is added when
 * the macroblock is coded, because libvpx chooses the quantizer of a recode by
 * the rate, and a guess from the SATD can be off by any factor if little of a
 * residual is coded. It is the rate before the trellis, as for evaluated
 * macroblocks. */
void vp8_mp_mode_set_unevaluated(const vp8_mp_mode_decision *d,
                                 unsigned int satd, int mode_rate,
                                 vp8_mp_mode_best *best);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_EVALUATE_H_
