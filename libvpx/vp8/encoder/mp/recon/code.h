/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Codes a macroblock by reusing its evaluation. The guided decision evaluates
 * with the quantizer that codes, so the winner's prediction and coefficients
 * are final except for the trellis.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_CODE_H_
#define VPX_VP8_ENCODER_MP_RECON_CODE_H_

#include "vpx_ports/mem.h"

#ifdef __cplusplus
extern "C" {
#endif

struct macroblock;
struct vp8e_mp_dropped; /* see recon/mb_memory.h */
struct vp8_mp_recon_rate_zeros;

/* Part of MACROBLOCK. */
typedef struct vp8_mp_recon_coded {
  DECLARE_ALIGNED(16, unsigned char,
                  predictor[384]); /* layout of MACROBLOCKD.predictor */
  DECLARE_ALIGNED(16, short, coeff[400]);
  DECLARE_ALIGNED(16, short, qcoeff[400]);
  DECLARE_ALIGNED(16, short, dqcoeff[400]);
  char eobs[25];
  int q_index;  /* quantizer of the kept coefficients; -1: none are kept */
  int in_place; /* MACROBLOCKD still holds the coefficients, and luma is
                   reconstructed */
  int exact;    /* they make every pixel equal to the source */
  int counts_rate,
      token_rate; /* whether to count the rate of the tokens, and that rate */
  struct vp8e_mp_dropped *dropped; /* see recon/drop.h; may be NULL */
  const struct vp8_mp_recon_rate_zeros *zeros; /* the frame's table of rates */
} vp8_mp_recon_coded;

/* Reset the state for another macroblock. */
void vp8_mp_recon_coded_reset(struct macroblock *x,
                              const struct vp8_mp_recon_rate_zeros *zeros);

/* Discard the kept coefficients, because the macroblock is coded with another
 * quantizer. */
void vp8_mp_recon_coded_discard(struct macroblock *x);

/* Set the macroblock's entry of recon/drop.h. */
void vp8_mp_recon_coded_set_dropped(struct macroblock *x,
                                    struct vp8e_mp_dropped *dropped);

/* Set whether vp8_mp_recon_encode_mb() counts the rate of the tokens. */
void vp8_mp_recon_coded_count_rate(struct macroblock *x, int counts_rate);

/* Keep the coefficients and the prediction of an evaluated candidate. */
void vp8_mp_recon_coded_keep(struct macroblock *x);

/* The same for an intra macroblock that is exact by these coefficients: the
 * trellis does not change them. */
void vp8_mp_recon_coded_keep_exact(struct macroblock *x);

/* Note that B_PRED is the best candidate. It is evaluated last, so its
 * coefficients stay in MACROBLOCKD, and its reconstructed luma stays in the
 * frame. */
void vp8_mp_recon_coded_keep_bpred(struct macroblock *x);

/* Predict, transform and quantize the macroblock after the decision, and count
 * the rate of its tokens if set. Returns 0, with nothing done, if libvpx has to
 * do it: if the macroblock is intra and was not evaluated with the quantizer
 * that codes it. */
int vp8_mp_recon_encode_mb(struct macroblock *x);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_CODE_H_
