/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * RD evaluation of the guided decision's candidates. It needs functions that
 * are private to rdopt.c, so mp/mode/rd.inc.h, which rdopt.c includes at its
 * end, defines these functions. Each evaluation updates *best, and has
 * mp/recon/code.c keep the coefficients of a new best.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_RD_H_
#define VPX_VP8_ENCODER_MP_MODE_RD_H_

#include "vp8/encoder/mp/mode/candidate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Evaluate the inter 16x16 mode that vp8_mp_mode_set_candidate() has set in
 * x. */
void vp8_mp_mode_rd_inter16x16(const vp8_mp_mode_decision *d, int mv_rate,
                               vp8_mp_mode_best *best);

/* Evaluate the SPLITMV plan that vp8_mp_mode_set_split() has set in x. */
void vp8_mp_mode_rd_split(const vp8_mp_mode_decision *d,
                          const vp8_mp_mode_split *split,
                          vp8_mp_mode_best *best);

/* Evaluate the intra modes of an inter frame's macroblock. */
void vp8_mp_mode_rd_intra(const vp8_mp_mode_decision *d,
                          const vp8_mp_mode_intra_modes *modes,
                          vp8_mp_mode_best *best);

/* Evaluate the modes of a key frame's macroblock, and set x to the best. *modes
 * has at least one mode of the macroblock. Of a sub-block, the mode with the
 * lowest rate after its neighbours is evaluated too. thorough: also evaluate
 * the neighbours' modes, and a second chroma mode. Returns the rate. */
int vp8_mp_mode_rd_key(MACROBLOCK *x, const vp8_mp_mode_intra_modes *modes,
                       int thorough);

/* Count the new vectors of x by their difference to *best_ref_mv. */
void vp8_mp_mode_count_vectors(MACROBLOCK *x, int_mv *best_ref_mv);

/* Set x's mode and vectors to those of *best, and count its vectors. */
void vp8_mp_mode_take(MACROBLOCK *x, const vp8_mp_mode_best *best,
                      int_mv *best_ref_mv);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_RD_H_
