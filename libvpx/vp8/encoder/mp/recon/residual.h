/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Transforms and quantizes the residual of a macroblock's prediction, and
 * measures the distortion.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_RESIDUAL_H_
#define VPX_VP8_ENCODER_MP_RECON_RESIDUAL_H_

#include "vpx_ports/mem.h"

#ifdef __cplusplus
extern "C" {
#endif

struct macroblock;

/* Set x's coefficients of luma (with or without Y2) or of chroma to those of
 * the residual. Sets coded[] of each block to the bits of the coefficients
 * that are not zero, in zigzag order. Returns the distortion as libvpx
 * measures it. */
int vp8_mp_recon_code_luma(struct macroblock *x, const unsigned char *pred,
                           int stride, int has_y2, unsigned short coded[25]);
int vp8_mp_recon_code_chroma(struct macroblock *x, const unsigned char *u,
                             const unsigned char *v, int stride,
                             unsigned short coded[25]);

/* A batch of up to four predictions of one 4x4 block, with their
 * coefficients. */
typedef struct vp8_mp_recon_batch {
  DECLARE_ALIGNED(32, unsigned char,
                  pred[4][16]); /* the predictions side by side, four rows */
  DECLARE_ALIGNED(32, short, coeff[4][16]);
  DECLARE_ALIGNED(32, short, qcoeff[4][16]);
  DECLARE_ALIGNED(32, short, dqcoeff[4][16]);
  unsigned short coded[4]; /* bits of the coefficients that are not zero */
  int error[4];            /* squared error of the coefficients */
} vp8_mp_recon_batch;

/* Transform and quantize the first n predictions of a batch. block is a luma
 * block of x. */
void vp8_mp_recon_code_batch(const struct macroblock *x, int block, int n,
                             vp8_mp_recon_batch *batch);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_RESIDUAL_H_
