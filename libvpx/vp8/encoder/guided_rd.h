/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Rate and distortion of the guided decision's candidates, by the functions
 * that are private to rdopt.c: rdopt_guided.h, which rdopt.c includes at its
 * end, defines what is declared here. What evaluates updates *best, and has
 * guided_code.c keep what it computed.
 */
#ifndef VPX_VP8_ENCODER_GUIDED_RD_H_
#define VPX_VP8_ENCODER_GUIDED_RD_H_

#include "vp8/encoder/guided_candidate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Evaluate the inter 16x16 mode that vp8_gm_set_candidate() set x up for. */
void vp8_gm_rd_inter16x16(const vp8_gm_decision *d, int mv_rate,
                          vp8_gm_best *best);

/* Evaluate SPLITMV that vp8_gm_set_split() set x up for. */
void vp8_gm_rd_split(const vp8_gm_decision *d, const vp8_gm_split *split,
                     vp8_gm_best *best);

/* Evaluate intra modes. */
void vp8_gm_rd_intra(const vp8_gm_decision *d, const vp8_gm_intra_modes *modes,
                     vp8_gm_best *best);

/* Set x's modes to the best of a key frame's macroblock. modes names at least
 * one of the macroblock; of a subblock, the mode that costs least behind its
 * neighbours is evaluated too. thorough: so are these neighbours' modes, and a
 * second chroma mode. Returns the rate. */
int vp8_gm_rd_key(MACROBLOCK *x, const vp8_gm_intra_modes *modes, int thorough);

/* Set x's mode and vectors to the best, and count its vectors. */
void vp8_gm_take(MACROBLOCK *x, const vp8_gm_best *best, int_mv *best_ref_mv);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_GUIDED_RD_H_
