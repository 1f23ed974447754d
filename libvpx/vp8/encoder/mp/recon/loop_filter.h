/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The loop filter of encoders with a motion provider. The kernel of the normal
 * filter filters all edges and planes of a macroblock in one call. Frames, rows
 * and trials of levels are all filtered by vp8_mp_recon_filter_mbs().
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_LOOP_FILTER_H_
#define VPX_VP8_ENCODER_MP_RECON_LOOP_FILTER_H_

#include "vp8/common/blockd.h"
#include "vp8/common/loopfilter.h"
#include "vpx/vp8_motion_provider.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;
struct VP8Common;

/* The level of a macroblock, as vp8_loop_filter_frame_init() has set it. */
static INLINE int vp8_mp_recon_filter_level(const loop_filter_info_n *lfi_n,
                                            const MB_MODE_INFO *mbmi) {
  return lfi_n
      ->lvl[mbmi->segment_id][mbmi->ref_frame][lfi_n->mode_lf_lut[mbmi->mode]];
}

/* Set the levels of all kinds, as vp8_loop_filter_frame_init() has set them. */
void vp8_mp_recon_filter_levels(const loop_filter_info_n *lfi_n,
                                unsigned char *kinds);

/* Whether the edges between the sub-blocks of a macroblock are filtered. */
static INLINE int vp8_mp_recon_filters_inner(const MB_MODE_INFO *mbmi) {
  return mbmi->mode == B_PRED || mbmi->mode == SPLITMV || !mbmi->mb_skip_coeff;
}

/* Returns the kind of a macroblock: all that its level depends on, plus
 * VP8E_MP_FILTER_INNER if the edges between its sub-blocks are filtered
 * (inner). segment: 0 to 3. */
static INLINE unsigned char vp8_mp_recon_filter_kind(
    const loop_filter_info_n *lfi_n, int mode, int ref, int segment,
    int inner) {
  return (unsigned char)(segment | ref << 2 | lfi_n->mode_lf_lut[mode] << 4 |
                         (inner ? VP8E_MP_FILTER_INNER : 0));
}

/* Edges of a macroblock. The vertical edges are filtered first, then the
 * horizontal ones. */
#define VP8_MP_RECON_LEFT 1
#define VP8_MP_RECON_TOP 2
#define VP8_MP_RECON_INNER 4

/* Filter the macroblocks from first to end (exclusive) of a row of
 * frame_to_show. Call vp8_loop_filter_frame_init() before. Without chroma only
 * luma is filtered. */
void vp8_mp_recon_filter_mbs(const struct VP8Common *cm, int frame_type,
                             int mb_row, int first, int end, int chroma);

/* Filter the frame. frame_type is its type, because another thread may have
 * changed VP8_COMMON's already. Returns 0, with nothing done, without a
 * provider. */
int vp8_mp_recon_filter_frame(struct VP8_COMP *cpi, int frame_type);

/* Filter luma of the rows in the middle of the frame by which libvpx chooses
 * the level of its fast search. */
void vp8_mp_recon_filter_partial(struct VP8_COMP *cpi, int level);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_LOOP_FILTER_H_
