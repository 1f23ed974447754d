/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The normal loop filter, all edges of a macroblock and all planes in one call.
 * Only with a motion provider.
 */
#ifndef VPX_VP8_ENCODER_FAST_FILTER_H_
#define VPX_VP8_ENCODER_FAST_FILTER_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;
struct VP8Common;
struct modeinfo;
struct loop_filter_info;

/* Edges of a macroblock, in the order in which they are filtered: vertical ones,
 * then horizontal ones. */
#define VP8_FF_LEFT 1
#define VP8_FF_TOP 2
#define VP8_FF_INNER 4

/* How a macroblock is filtered in the frame that vp8_loop_filter_frame_init() was
 * called for. Its edges; 0: not at all. */
int vp8_ff_edges(const struct VP8Common *cm, int frame_type,
                 const struct modeinfo *mi, int mb_row, int mb_col,
                 struct loop_filter_info *lfi);

/* Filter the frame, whose type another thread may have changed already. 0: not
 * done. */
int vp8_ff_filter_frame(struct VP8_COMP *cpi, int frame_type);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_FAST_FILTER_H_
