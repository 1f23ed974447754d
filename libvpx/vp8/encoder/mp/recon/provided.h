/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Tokens and reconstruction of a frame that a provider has coded. The provider
 * keeps the tokens, and may write them. If libvpx has to write them, they are
 * copied to its arrays first. The provider may also keep the reconstruction. If
 * libvpx needs it, it makes it from modes and tokens.
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
  const vp8e_mp_coded_t *unmade; /* the macroblocks of a reconstruction that
                                    the provider keeps; NULL: there is none */
  int rest;   /* number of frames until the provider may keep one again */
  int misses; /* how often in a row libvpx needed one, up to 6 */
} vp8_mp_recon_provided;

/* Begin an encode whose tokens libvpx makes. */
void vp8_mp_recon_provided_reset(struct VP8_COMP *cpi);

/* Take the counts of a frame's tokens. The tokens stay with the provider. The
 * reconstruction may stay, too. */
void vp8_mp_recon_provided_take(struct VP8_COMP *cpi,
                                const vp8e_mp_whole_frame_t *frame);

/* Make libvpx's arrays of tokens, if the provider has them. */
void vp8_mp_recon_provided_list(struct VP8_COMP *cpi);

/* Returns whether a provider may keep the next frame's reconstruction. To make
 * one takes as long as some 50 downloads (720p: 3 ms). So after libvpx has
 * needed one, the provider keeps none for 1, 3, ... 63 frames. */
int vp8_mp_recon_provided_may_keep(struct VP8_COMP *cpi);

/* Make the reconstruction, if the provider keeps it. After the modes were
 * taken. */
void vp8_mp_recon_provided_make(struct VP8_COMP *cpi);

/* Note that the provider has filtered the frame. */
void vp8_mp_recon_provided_filtered(struct VP8_COMP *cpi);

/* End a frame while the provider's memory is still valid. */
void vp8_mp_recon_provided_end(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_PROVIDED_H_
