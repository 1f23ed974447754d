/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Ranks the 16x16 candidates of a macroblock by SATD and rate, and chooses its
 * intra modes to evaluate.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_RANK_H_
#define VPX_VP8_ENCODER_MP_MODE_RANK_H_

#include "vp8/encoder/mp/mode/candidate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Set d's mode_rate by its mdcounts. */
void vp8_mp_mode_set_mode_rates(vp8_mp_mode_decision *d);

/* List the inter 16x16 candidates of all of d's references, less those that its
 * level expects to be out of reach. There is at least one. */
void vp8_mp_mode_rank_inter16x16(const vp8_mp_mode_decision *d,
                                 vp8_mp_mode_candidates *list);

/* Find the intra 16x16 mode that costs least, predicted from the pixels around
 * the macroblock that are coded already. Returns its cost. */
unsigned int vp8_mp_mode_rank_intra16x16(const vp8_mp_mode_decision *d,
                                         int *mode);

/* How many permille the estimate of a 16x16 mode may be too high. */
#define VP8_MP_MODE_INTRA_ERROR 200

/* The SATD that an intra mode may have to cost no more than so many permille of
 * low, by the least rate of one; or 0. */
unsigned int vp8_mp_mode_room_for_intra(const vp8_mp_mode_decision *d,
                                        unsigned int low, int permille);

/* Whether B_PRED may cost no more, by the 16x16 modes' estimate. */
int vp8_mp_mode_bpred_in_reach(const vp8_mp_mode_decision *d, unsigned int low,
                               int permille);

/* Returns the lowest cost of intra prediction by the provider's estimates;
 * least is what it is not below, known before the subblocks' are made. */
unsigned int vp8_mp_mode_least_intra_cost(const vp8_mp_mode_decision *d);
unsigned int vp8_mp_mode_intra_cost(const vp8_mp_mode_decision *d);

/* Choose the intra modes within reach of low, the lowest cost of an inter
 * candidate. */
void vp8_mp_mode_choose_intra(const vp8_mp_mode_decision *d, unsigned int low,
                              vp8_mp_mode_intra_modes *modes);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_RANK_H_
