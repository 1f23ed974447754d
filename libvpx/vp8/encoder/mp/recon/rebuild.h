/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The reconstruction of a frame whose modes and tokens are known, as a decoder
 * makes it (RFC 6386 sections 12, 14 and 18).
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_REBUILD_H_
#define VPX_VP8_ENCODER_MP_RECON_REBUILD_H_

#include "vpx/vp8_mp_whole_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Make the new frame's picture, before the loop filter, of the encoder's modes
 * and vectors (cm->mi) and of a provider's tokens. Reads the references with
 * their borders. In the encoder's thread, after the modes of all macroblocks
 * were taken. */
void vp8_mp_recon_rebuild(struct VP8_COMP *cpi, const vp8e_mp_coded_t *coded,
                          const vp8e_mp_token_t *tokens);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_REBUILD_H_
