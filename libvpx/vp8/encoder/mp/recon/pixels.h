/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The squared error of a macroblock's pixels, with and without its residual.
 * The quantizer, the trellis and the evaluation measure the error of the
 * coefficients instead, which differs where a decoder rounds to whole pixels.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_PIXELS_H_
#define VPX_VP8_ENCODER_MP_RECON_PIXELS_H_

#ifdef __cplusplus
extern "C" {
#endif

struct macroblock;

/* Return the squared error of luma, or of chroma, against the source. */
unsigned int vp8_mp_recon_luma_error(const struct macroblock *x,
                                     const unsigned char *y, int stride);
unsigned int vp8_mp_recon_chroma_error(const struct macroblock *x,
                                       const unsigned char *u,
                                       const unsigned char *v, int stride);

/* Return the squared error of a prediction after x's quantized residual is
 * added as a decoder adds it. x and the prediction stay the same. */
unsigned int vp8_mp_recon_coded_luma_error(struct macroblock *x,
                                           const unsigned char *y, int stride,
                                           int has_y2);
unsigned int vp8_mp_recon_coded_chroma_error(struct macroblock *x,
                                             const unsigned char *u,
                                             const unsigned char *v,
                                             int stride);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_PIXELS_H_
