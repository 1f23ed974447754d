/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Makes the tokens of coefficients, and writes their bits: the same as libvpx's
 * in fewer instructions. Only with a motion provider. A token is a
 * vp8e_mp_token_t, of which libvpx's arrays hold several in an element.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_TOKENS_H_
#define VPX_VP8_ENCODER_MP_RECON_TOKENS_H_

#include "vpx/vp8_mp_whole_frame.h"
#include "vp8/encoder/tokenize.h"
#include "vp8/encoder/treewriter.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;
struct macroblock;

/* Number of tokens in an element of libvpx's arrays. */
#define VP8_MP_RECON_IN_ELEMENT \
  ((int)(sizeof(TOKENEXTRA) / sizeof(vp8e_mp_token_t)))

/* Switch on or off, when a provider was attached or detached. */
void vp8_mp_recon_tokens_set(struct VP8_COMP *cpi);

/* Make and count a macroblock's tokens, and advance *t. Returns 0, with nothing
 * done, if libvpx has to do it. */
int vp8_mp_recon_tokenize_mb(struct VP8_COMP *cpi, struct macroblock *x,
                             TOKENEXTRA **t);

/* Copy the n tokens of a macroblock, which are counted already, and advance *t.
 */
void vp8_mp_recon_copy_tokens(const vp8e_mp_token_t *from, int n,
                              TOKENEXTRA **t);

/* Returns whether a macroblock has no coefficients, by the ends of its 25
 * blocks. If it may be skipped it then has no tokens. */
int vp8_mp_recon_all_zero(const char *eobs, int has_y2);

/* Write the bits of the tokens in an array of `size` elements. Returns 0, with
 * nothing done, if libvpx has to do it. */
int vp8_mp_recon_pack_tokens(vp8_writer *w, const TOKENEXTRA *from, int size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_TOKENS_H_
