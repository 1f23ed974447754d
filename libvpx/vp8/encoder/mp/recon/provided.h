/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Tokens of a frame that a provider has coded. The provider keeps them, and may
 * write them. If libvpx has to write them, they are copied to its arrays first.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_PROVIDED_H_
#define VPX_VP8_ENCODER_MP_RECON_PROVIDED_H_

#include "vpx/vp8_mp_whole_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of VP8_COMP (cpi->mp.provided). */
typedef struct vp8_mp_recon_provided {
  const vp8e_mp_coded_t *coded; /* NULL: libvpx's arrays have all tokens */
  const vp8e_mp_token_t *tokens;
} vp8_mp_recon_provided;

/* Begin an encode whose tokens libvpx makes. */
void vp8_mp_recon_provided_reset(struct VP8_COMP *cpi);

/* Take the counts of a frame's tokens, which stay with the provider. */
void vp8_mp_recon_provided_take(struct VP8_COMP *cpi,
                                const vp8e_mp_whole_frame_t *frame);

/* Make libvpx's arrays of tokens, if the provider has them. */
void vp8_mp_recon_provided_list(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_PROVIDED_H_
