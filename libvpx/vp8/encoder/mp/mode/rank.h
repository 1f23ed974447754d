/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Ranks the inter 16x16 candidates of a macroblock by cost, and chooses the
 * intra modes to evaluate.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_RANK_H_
#define VPX_VP8_ENCODER_MP_MODE_RANK_H_

#include "vp8/encoder/mp/mode/candidate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Set d->mode_rate[] by d->mdcounts[]. */
void vp8_mp_mode_set_mode_rates(vp8_mp_mode_decision *d);

/* List the inter 16x16 candidates of all references in d->mb[], except those
 * that are expected to be out of reach at d's level. At least one is listed. */
void vp8_mp_mode_rank_inter16x16(const vp8_mp_mode_decision *d,
                                 vp8_mp_mode_candidates *list);

/* Find the intra 16x16 mode of lowest cost, predicted from reconstructed
 * pixels. Returns its cost. */
unsigned int vp8_mp_mode_rank_intra16x16(const vp8_mp_mode_decision *d,
                                         int *mode);

/* The estimate of a 16x16 mode may be too high by this many permille. */
#define VP8_MP_MODE_INTRA_ERROR 200

/* Returns the SATD at which an intra mode of the lowest possible rate costs
 * permille / 1000 of low; 0 if the rate alone costs more. */
unsigned int vp8_mp_mode_room_for_intra(const vp8_mp_mode_decision *d,
                                        unsigned int low, int permille);

/* Returns whether B_PRED may cost at most permille / 1000 of low, judged by the
 * estimate of the 16x16 modes. */
int vp8_mp_mode_bpred_in_reach(const vp8_mp_mode_decision *d, unsigned int low,
                               int permille);

/* Return the lowest cost of the intra modes by the provider's estimates.
 * vp8_mp_mode_intra_cost() needs the 4x4 part; vp8_mp_mode_least_intra_cost()
 * returns a lower bound without it. */
unsigned int vp8_mp_mode_least_intra_cost(const vp8_mp_mode_decision *d);
unsigned int vp8_mp_mode_intra_cost(const vp8_mp_mode_decision *d);

/* Choose the intra modes within reach. low is the lowest cost of an inter
 * candidate. */
void vp8_mp_mode_choose_intra(const vp8_mp_mode_decision *d, unsigned int low,
                              vp8_mp_mode_intra_modes *modes);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_RANK_H_
