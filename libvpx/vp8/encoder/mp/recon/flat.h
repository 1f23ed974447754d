/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Codes a macroblock of one colour exactly, by an intra mode.
 *
 * A flat picture, as after a fade to black, may keep an error of 1 that no
 * residual can take away: the least chroma residual changes a block by an
 * eighth of the quantizer step. An intra mode is exact if the macroblock to the
 * left or above is.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_FLAT_H_
#define VPX_VP8_ENCODER_MP_RECON_FLAT_H_

#ifdef __cplusplus
extern "C" {
#endif

struct macroblock;

/* Returns whether the source has one colour, and the prediction y, u, v
 * differs from it. */
int vp8_mp_recon_is_flat_and_inexact(const struct macroblock *x,
                                     const unsigned char *y, int y_stride,
                                     const unsigned char *u,
                                     const unsigned char *v, int uv_stride);

/* Set x to intra modes by which the macroblock is exact, if there are any, and
 * have recon/code.c keep the coefficients. Returns whether there are; if not,
 * x's mode is undefined. */
int vp8_mp_recon_find_exact(struct macroblock *x);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_FLAT_H_
