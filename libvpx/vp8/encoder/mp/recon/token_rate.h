/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The rate of a macroblock's tokens, by the bits of its blocks' coefficients
 * that are not zero (vp8_mp_recon_quantize()). The rates of the zeros between
 * two of them are added at once. Rates are in 1/256 bit.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_TOKEN_RATE_H_
#define VPX_VP8_ENCODER_MP_RECON_TOKEN_RATE_H_

#ifdef __cplusplus
extern "C" {
#endif

struct macroblock;

/* Sums of a frame's token rates; part of VP8_COMP. */
typedef struct vp8_mp_recon_rate_zeros {
  /* Rate of the zeros before each position in zigzag order, if each follows a
   * zero, by type of plane (RFC 6386, section 13.3). */
  int before[4][17];
  int least_first[4]; /* lowest rate of a block's first token */
} vp8_mp_recon_rate_zeros;

/* Set *zeros by x's token costs. */
void vp8_mp_recon_rate_set(vp8_mp_recon_rate_zeros *zeros,
                           const struct macroblock *x);

/* Returns the rate of the tokens of a block. type: type of plane. coded: the
 * bits of the coefficients that are not zero, in zigzag order. neighbours: how
 * many of the left and the upper block have coefficients. */
int vp8_mp_recon_rate_block(const struct macroblock *x,
                            const vp8_mp_recon_rate_zeros *zeros, int type,
                            const short *qcoeff, unsigned int coded,
                            int neighbours);

/* Returns the rate of the tokens of x's luma (with or without Y2), or of its
 * chroma. coded: these bits of each block. */
int vp8_mp_recon_rate_luma(const struct macroblock *x,
                           const vp8_mp_recon_rate_zeros *zeros, int has_y2,
                           const unsigned short coded[25]);
int vp8_mp_recon_rate_chroma(const struct macroblock *x,
                             const vp8_mp_recon_rate_zeros *zeros,
                             const unsigned short coded[25]);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_TOKEN_RATE_H_
