/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Guided mode decision: the distortions of the motion provider rank the
 * candidates of a macroblock. Only the candidates that can win get libvpx's
 * rate-distortion evaluation.
 *
 * This header declares the functions that libvpx calls. mp/mode/inter.c decides
 * in inter frames, mp/mode/key.c in key frames. Each step is in a file of its
 * own: mp/mode/level.c has the thresholds, mp/mode/rank.c ranks the 16x16
 * candidates, mp/mode/split.c plans SPLITMV, mp/mode/evaluate.c evaluates by
 * means of mp/mode/rd.inc.h (declared in mp/mode/rd.h), and mp/recon/code.c
 * codes the winner with the coefficients of its evaluation. mp/mode/candidate.h
 * has the types that they share.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_INTER_H_
#define VPX_VP8_ENCODER_MP_MODE_INTER_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/encoder/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Returns whether a provider asks for no guided mode decision, or has the
 * callbacks that its guide level needs. */
int vp8_mp_mode_usable(const vp8e_motion_provider_t *provider);

/* Set the thresholds of a frame, before the frame is given to the provider.
 * Returns the frame's bmode_cost (vp8e_mp_frame_t), which is valid until the
 * next frame begins. */
const int *vp8_mp_mode_frame_begin(struct VP8_COMP *cpi, int q_index);

/* Set the rounding of the fast quantizer. Call it before each encode of a
 * frame, after the deltas of the quantizers are set. */
void vp8_mp_mode_encode_begin(struct VP8_COMP *cpi);

/* Decide mode, vectors and reference of the macroblock that x is set up for,
 * like vp8_rd_pick_inter_mode(). Any encoder thread may call it. Returns 0,
 * with nothing decided, if libvpx has to decide: without guidance, with
 * incomplete records, or with a tool that needs libvpx's own decision. */
int vp8_mp_mode_pick_inter_mode(struct VP8_COMP *cpi, MACROBLOCK *x,
                                int recon_yoffset, int recon_uvoffset,
                                int *rate, int *distortion, int *intra_error);

/* Decide a macroblock of a key frame, like vp8_rd_pick_intra_mode(). Returns 0
 * if libvpx has to decide. */
int vp8_mp_mode_pick_key_mode(struct VP8_COMP *cpi, MACROBLOCK *x, int *rate);

/* Set vector and quantizer for coding. Call it after the mode was decided, by
 * the guide or by libvpx, and after the quantizer of the segment is set. */
void vp8_mp_mode_decided(struct VP8_COMP *cpi, MACROBLOCK *x);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_INTER_H_
