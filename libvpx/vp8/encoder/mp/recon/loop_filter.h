/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The loop filter, where a motion provider is set: the normal one takes all
 * edges of a macroblock and all planes in one call. What filters a frame, a row
 * or a trial of a level goes through vp8_mp_recon_filter_mbs().
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_LOOP_FILTER_H_
#define VPX_VP8_ENCODER_MP_RECON_LOOP_FILTER_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;
struct VP8Common;

/* Edges of a macroblock, in the order in which they are filtered: vertical
 * ones, then horizontal ones. */
#define VP8_MP_RECON_LEFT 1
#define VP8_MP_RECON_TOP 2
#define VP8_MP_RECON_INNER 4

/* Filter the macroblocks from first to end, exclusive, of a row of
 * frame_to_show, as vp8_loop_filter_frame_init() was called for. chroma: not
 * luma alone. */
void vp8_mp_recon_filter_mbs(const struct VP8Common *cm, int frame_type,
                             int mb_row, int first, int end, int chroma);

/* Filter the frame, whose type another thread may have changed already. Returns
 * 0, with nothing done, where no provider is set. */
int vp8_mp_recon_filter_frame(struct VP8_COMP *cpi, int frame_type);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_LOOP_FILTER_H_
