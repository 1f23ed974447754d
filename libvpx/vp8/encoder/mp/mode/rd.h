/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Rate and distortion of the guided decision's candidates, by the functions
 * that are private to rdopt.c: mp/mode/rd.inc.h, which rdopt.c includes at its
 * end, defines what is declared here. What evaluates updates *best, and has
 * mp/recon/code.c keep what it computed.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_RD_H_
#define VPX_VP8_ENCODER_MP_MODE_RD_H_

#include "vp8/encoder/mp/mode/candidate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Evaluate the inter 16x16 mode that vp8_mp_mode_set_candidate() set x up for.
 */
void vp8_mp_mode_rd_inter16x16(const vp8_mp_mode_decision *d, int mv_rate,
                               vp8_mp_mode_best *best);

/* Evaluate SPLITMV that vp8_mp_mode_set_split() set x up for. */
void vp8_mp_mode_rd_split(const vp8_mp_mode_decision *d,
                          const vp8_mp_mode_split *split,
                          vp8_mp_mode_best *best);

/* Evaluate intra modes. */
void vp8_mp_mode_rd_intra(const vp8_mp_mode_decision *d,
                          const vp8_mp_mode_intra_modes *modes,
                          vp8_mp_mode_best *best);

/* Set x's modes to the best of a key frame's macroblock. modes names at least
 * one of the macroblock; of a subblock, the mode that costs least behind its
 * neighbours is evaluated too. thorough: so are these neighbours' modes, and a
 * second chroma mode. Returns the rate. */
int vp8_mp_mode_rd_key(MACROBLOCK *x, const vp8_mp_mode_intra_modes *modes,
                       int thorough);

/* Set x's mode and vectors to the best, and count its vectors. */
void vp8_mp_mode_take(MACROBLOCK *x, const vp8_mp_mode_best *best,
                      int_mv *best_ref_mv);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_RD_H_
