/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Coding a macroblock by what its evaluation computed: the guided decision
 * evaluates with the quantizer that codes, so the winner's prediction and
 * coefficients are final but for the trellis.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_CODE_H_
#define VPX_VP8_ENCODER_MP_RECON_CODE_H_

#include "vpx_ports/mem.h"

#ifdef __cplusplus
extern "C" {
#endif

struct macroblock;
struct vp8_mp_recon_rate_zeros;

/* Part of MACROBLOCK. */
typedef struct vp8_mp_recon_coded {
  DECLARE_ALIGNED(16, unsigned char, predictor[384]); /* as of MACROBLOCKD */
  DECLARE_ALIGNED(16, short, coeff[400]);
  DECLARE_ALIGNED(16, short, qcoeff[400]);
  DECLARE_ALIGNED(16, short, dqcoeff[400]);
  char eobs[25];
  int q_index;  /* -1: nothing kept */
  int in_place; /* the macroblock still holds it, luma reconstructed */
  int counts_rate, token_rate; /* of its tokens, if it counts that */
  const struct vp8_mp_recon_rate_zeros *zeros; /* of the frame */
} vp8_mp_recon_coded;

/* Forget what is kept and counted, for another macroblock. */
void vp8_mp_recon_coded_reset(struct macroblock *x,
                              const struct vp8_mp_recon_rate_zeros *zeros);

/* Discard what is kept: the macroblock is coded with another quantizer. */
void vp8_mp_recon_coded_discard(struct macroblock *x);

/* Say whether vp8_mp_recon_encode_mb() has to count the rate of the tokens. */
void vp8_mp_recon_coded_count_rate(struct macroblock *x, int counts_rate);

/* Keep coefficients and prediction of what was evaluated. */
void vp8_mp_recon_coded_keep(struct macroblock *x);

/* Note that B_PRED is the best. It is evaluated last, so its coefficients stay
 * in xd, and its reconstructed luma in the frame. */
void vp8_mp_recon_coded_keep_bpred(struct macroblock *x);

/* Predict, transform and quantize the decided macroblock, and count the rate of
 * its tokens if it asks for that. Returns 0 with nothing done, for libvpx to do
 * it, if it is intra and was not evaluated with the quantizer that codes it. */
int vp8_mp_recon_encode_mb(struct macroblock *x);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_CODE_H_
