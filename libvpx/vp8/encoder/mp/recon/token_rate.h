/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The rate of a macroblock's tokens, by the bits of its blocks' coefficients
 * (vp8_mp_recon_quantize()): zeros between two of them are added at once. Rates
 * are in 1/256 bit.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_TOKEN_RATE_H_
#define VPX_VP8_ENCODER_MP_RECON_TOKEN_RATE_H_

#ifdef __cplusplus
extern "C" {
#endif

struct macroblock;

/* Of a frame; part of VP8_COMP. */
typedef struct vp8_mp_recon_rate_zeros {
  /* The rate of the zeros before each position in zigzag order, by type of
   * plane (RFC 6386, section 13.3), if there is a zero before each. */
  int before[4][17];
  int least_first[4]; /* no first token of a block costs less */
} vp8_mp_recon_rate_zeros;

/* Set *zeros by x's token costs. */
void vp8_mp_recon_rate_set(vp8_mp_recon_rate_zeros *zeros,
                           const struct macroblock *x);

/* The rate of the tokens of a block of a type of plane, behind neighbours with
 * coefficients. coded: the bits of the coefficients that are not zero, in
 * zigzag order. */
int vp8_mp_recon_rate_block(const struct macroblock *x,
                            const vp8_mp_recon_rate_zeros *zeros, int type,
                            const short *qcoeff, unsigned int coded,
                            int neighbours);

/* The rate of the tokens of x's luma, with Y2 or without, and of its chroma.
 * coded: those bits, of each block. */
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
