/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Makes the tokens of coefficients, and writes their bits: the same as libvpx's
 * in fewer instructions. Only with a motion provider.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_TOKENS_H_
#define VPX_VP8_ENCODER_MP_RECON_TOKENS_H_

#include "vp8/encoder/tokenize.h"
#include "vp8/encoder/treewriter.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;
struct macroblock;

/* Switch on or off, when a provider was attached or detached. */
void vp8_mp_recon_tokens_set(struct VP8_COMP *cpi);

/* Make and count a macroblock's tokens, and advance *t. Returns 0, with nothing
 * done, if libvpx has to do it. */
int vp8_mp_recon_tokenize_mb(struct VP8_COMP *cpi, struct macroblock *x,
                             TOKENEXTRA **t);

/* As vp8_mp_recon_tokenize_mb(), for coefficients that are not in x: 16 for
 * each block whose end is not 0, in raster order. eobs: the ends of the 25
 * blocks. The frame must say of each macroblock whether it has coefficients
 * (mb_no_coeff_skip). */
void vp8_mp_recon_tokenize_packed(struct VP8_COMP *cpi, struct macroblock *x,
                                  const char *eobs, const short *coefficients,
                                  TOKENEXTRA **t);

/* Returns whether a macroblock has no coefficients, by the ends of its 25
 * blocks. If it may be skipped it then has no tokens. */
int vp8_mp_recon_all_zero(const char *eobs, int has_y2);

/* Write the bits of tokens. Returns 0, with nothing done, if libvpx has to do
 * it. */
int vp8_mp_recon_pack_tokens(vp8_writer *w, const TOKENEXTRA *token, int count);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_TOKENS_H_
