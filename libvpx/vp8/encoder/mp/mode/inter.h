/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Guided mode decision: the motion provider's distortions rank the candidates
 * of a macroblock, and only those that can win get libvpx's rate-distortion
 * evaluation.
 *
 * These are the hooks. mp/mode/inter.c decides in inter frames, mp/mode/key.c
 * in key frames. They call down: mp/mode/level.c has the thresholds,
 * mp/mode/rank.c ranks 16x16 candidates, mp/mode/split.c plans SPLITMV,
 * mp/mode/rd.inc.h (mp/mode/rd.h) evaluates, mp/recon/code.c codes what was
 * evaluated. All share mp/mode/candidate.h.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_INTER_H_
#define VPX_VP8_ENCODER_MP_MODE_INTER_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/encoder/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Returns whether a provider has the callbacks that its guide asks for. */
int vp8_mp_mode_usable(const vp8e_motion_provider_t *provider);

/* Set the thresholds of a frame, before it is handed to the provider. Returns
 * its bmode_cost (vp8e_mp_frame_t), valid until the next frame's. */
const int *vp8_mp_mode_frame_begin(struct VP8_COMP *cpi, int q_index);

/* Set the quantizer's rounding, before each encode of a frame, when its deltas
 * are set. */
void vp8_mp_mode_encode_begin(struct VP8_COMP *cpi);

/* Decide mode, vectors and reference of the macroblock that x is set up for,
 * like vp8_rd_pick_inter_mode(). Called by any encoder thread. Returns 0, with
 * nothing decided, where libvpx has to: there is no guidance, records are not
 * complete, or a tool is in use that needs libvpx's own decision. */
int vp8_mp_mode_pick_inter_mode(struct VP8_COMP *cpi, MACROBLOCK *x,
                                int recon_yoffset, int recon_uvoffset,
                                int *rate, int *distortion, int *intra_error);

/* The same for a macroblock of a key frame, like vp8_rd_pick_intra_mode(). */
int vp8_mp_mode_pick_key_mode(struct VP8_COMP *cpi, MACROBLOCK *x, int *rate);

/* Set vector and quantizer to what coding needs, after the decision, whoever
 * made it, and after the segment's quantizer is set up. */
void vp8_mp_mode_decided(struct VP8_COMP *cpi, MACROBLOCK *x);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_INTER_H_
