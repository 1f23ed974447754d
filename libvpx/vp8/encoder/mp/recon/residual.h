/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What a prediction leaves of a macroblock: its coefficients, quantized, and
 * the error of these.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_RESIDUAL_H_
#define VPX_VP8_ENCODER_MP_RECON_RESIDUAL_H_

#include "vpx_ports/mem.h"

#ifdef __cplusplus
extern "C" {
#endif

struct macroblock;

/* Set x's coefficients of luma, with Y2 or without, or of chroma, to those of
 * what is left of its source, and coded[] to the bits of each block's
 * coefficients that are not zero, in zigzag order. Returns the distortion, as
 * libvpx measures it. */
int vp8_mp_recon_code_luma(struct macroblock *x, const unsigned char *pred,
                           int stride, int has_y2, unsigned short coded[25]);
int vp8_mp_recon_code_chroma(struct macroblock *x, const unsigned char *u,
                             const unsigned char *v, int stride,
                             unsigned short coded[25]);

/* Some predictions of one 4x4 block, and what they leave of it. */
typedef struct vp8_mp_recon_batch {
  DECLARE_ALIGNED(32, unsigned char, pred[4][16]); /* rows, side by side */
  DECLARE_ALIGNED(32, short, coeff[4][16]);
  DECLARE_ALIGNED(32, short, qcoeff[4][16]);
  DECLARE_ALIGNED(32, short, dqcoeff[4][16]);
  unsigned short coded[4]; /* bits, as above */
  int error[4];            /* squared, of the coefficients */
} vp8_mp_recon_batch;

/* Set all else from n predictions of a block of x's luma. */
void vp8_mp_recon_code_batch(const struct macroblock *x, int block, int n,
                             vp8_mp_recon_batch *batch);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_RESIDUAL_H_
