/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Which references are worth a search. At realtime, golden and altref win few
 * macroblocks unless they resemble the picture about as well as the last frame
 * does: they are older, so in a moving picture they differ more. A search of
 * them takes as long as that of the last frame on a GPU.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_REFS_H_
#define VPX_VP8_ENCODER_MP_MODE_REFS_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Returns the references that the provider should search for the frame being
 * coded, an inter frame: VP8_LAST_FRAME, VP8_GOLD_FRAME and VP8_ALTR_FRAME. The
 * others have no records, so the guide predicts from them only if it needs no
 * vector of the provider's. */
int vp8_mp_mode_searched_refs(const struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_REFS_H_
