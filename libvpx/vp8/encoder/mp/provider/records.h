/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Input from the motion provider (vpx/vp8_motion_provider.h): the records of a
 * row and their vectors, each checked before use; and the ids by which the
 * provider identifies the content of frame buffers. Without a provider,
 * functions here have no effect on the output.
 */
#ifndef VPX_VP8_ENCODER_MP_PROVIDER_RECORDS_H_
#define VPX_VP8_ENCODER_MP_PROVIDER_RECORDS_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/common/onyxc_int.h"
#include "vp8/encoder/block.h"
#include "vp8/encoder/mcomp.h"
#include "vpx_dsp/variance.h"
#include "vpx_dsp/vpx_dsp_common.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state: content of the frame buffers, and which are searched.
 */
typedef struct vp8_mp_buffers {
  uint64_t last_id;                    /* highest id in use */
  uint64_t id[NUM_YV12_BUFFERS];       /* id of the content */
  uint64_t ready_id[NUM_YV12_BUFFERS]; /* id that was announced last */
  /* VP8_*_FRAME of the references that the provider was asked to search for the
   * frame being coded. */
  int searched;
} vp8_mp_buffers;

/* Largest difference to the predicted vector, in 1/8 pixel, that the cost
 * tables and the vector counts can hold; libvpx's own searches keep to it. */
#define VP8_MP_MAX_MV_DIFF ((MAX_FULL_PEL_VAL << 3) - 8)

/* Index in vp8e_mp_split_t of the first block of a partitioning, by BLOCK_16X8
 * .. BLOCK_4X4. */
extern const int vp8_mp_first_block[4];

/* ---- frame buffers ------------------------------------------------------- */

/* Set the provider; NULL: none. A new provider has seen no frame buffer: give
 * all of them new ids. */
void vp8_mp_attach(struct VP8_COMP *cpi,
                   const vp8e_motion_provider_t *provider);

/* The content of one frame buffer, or of all, was replaced. */
void vp8_mp_buffer_changed(struct VP8_COMP *cpi, int fb_idx);
void vp8_mp_buffers_changed(struct VP8_COMP *cpi);

/* One frame buffer became a copy of another; two were swapped. */
void vp8_mp_buffer_copied(struct VP8_COMP *cpi, int from, int to);
void vp8_mp_buffers_swapped(struct VP8_COMP *cpi, int a, int b);

/* Announce the reference frames to the provider, unless it knows them. */
void vp8_mp_announce_refs(struct VP8_COMP *cpi);

/* Announce and describe the reference frames whose VP8_*_FRAME flag is set: the
 * provider is asked to search them. */
void vp8_mp_describe_refs(struct VP8_COMP *cpi, int flags,
                          vp8e_mp_ref_t ref[MAX_REF_FRAMES]);

/* Whether the frame being coded may use a reference. */
int vp8_mp_is_enabled(const struct VP8_COMP *cpi, int ref);

/* Whether there are records of a reference for the frame being coded. */
int vp8_mp_is_searched(const struct VP8_COMP *cpi, int ref);

/* The ids of all reference frames. */
void vp8_mp_live_refs(const struct VP8_COMP *cpi,
                      uint64_t live[MAX_REF_FRAMES]);

/* ---- legal vectors ------------------------------------------------------- */

/* Upper limits of legal vectors. libvpx's macroblock limits (mv_row_max,
 * mv_col_max) are in whole pixels, and it applies them in two ways: its
 * sub-pixel searches stop at the limit, and its mode decision compares whole
 * pixels, so that vectors up to 7/8 pixel beyond the limit pass. Vectors of a
 * provider that replace a search keep to the first, candidates of a decision to
 * the second. Streams depend on both. */
#define VP8_MP_MV_SEARCHED 0
#define VP8_MP_MV_DECIDED 7

/* A range of vectors, in 1/8 pixel; both ends are included. */
typedef struct vp8_mp_mv_range {
  int min_row, max_row, min_col, max_col;
} vp8_mp_mv_range;

/* Vectors that move the current macroblock no farther beyond the frame than its
 * border allows; upper: VP8_MP_MV_*. */
static INLINE vp8_mp_mv_range vp8_mp_mv_legal(const MACROBLOCK *x, int upper) {
  vp8_mp_mv_range range;

  range.min_row = x->mv_row_min * 8;
  range.max_row = x->mv_row_max * 8 + upper;
  range.min_col = x->mv_col_min * 8;
  range.max_col = x->mv_col_max * 8 + upper;
  return range;
}

/* Legal vectors that can be coded as a difference to the predicted vector. */
static INLINE vp8_mp_mv_range vp8_mp_mv_codable(const MACROBLOCK *x, MV ref_mv,
                                                int upper) {
  vp8_mp_mv_range range = vp8_mp_mv_legal(x, upper);

  range.min_row = VPXMAX(range.min_row, ref_mv.row - VP8_MP_MAX_MV_DIFF);
  range.max_row = VPXMIN(range.max_row, ref_mv.row + VP8_MP_MAX_MV_DIFF);
  range.min_col = VPXMAX(range.min_col, ref_mv.col - VP8_MP_MAX_MV_DIFF);
  range.max_col = VPXMIN(range.max_col, ref_mv.col + VP8_MP_MAX_MV_DIFF);
  return range;
}

static INLINE int vp8_mp_mv_in(vp8_mp_mv_range range, int row, int col) {
  return row >= range.min_row && row <= range.max_row && col >= range.min_col &&
         col <= range.max_col;
}

/* ---- motion -------------------------------------------------------------- */

/* Fetch the records of a row into x; called by the thread that codes it. */
void vp8_mp_fetch_row(struct VP8_COMP *cpi, MACROBLOCK *x, int mb_row);

/* Row and column of the current macroblock. */
static INLINE int vp8_mp_mb_row(const MACROBLOCK *x) {
  return -x->e_mbd.mb_to_top_edge >> (4 + 3);
}
static INLINE int vp8_mp_mb_col(const MACROBLOCK *x) {
  return -x->e_mbd.mb_to_left_edge >> (4 + 3);
}

/* Index of the current macroblock in raster order. */
static INLINE int vp8_mp_mb_index(const MACROBLOCK *x, int mb_cols) {
  return vp8_mp_mb_row(x) * mb_cols + vp8_mp_mb_col(x);
}

/* The current macroblock's vectors of smaller blocks, or parts of its intra
 * estimate. If they are pending, the provider completes them first. NULL: the
 * provider has none. */
const vp8e_mp_split_t *vp8_mp_split(const struct VP8_COMP *cpi,
                                    const MACROBLOCK *x, int ref);
const vp8e_mp_intra_t *vp8_mp_intra(const struct VP8_COMP *cpi,
                                    const MACROBLOCK *x, int parts);

/* The provider's vector for NEWMV of the macroblock and reference that x is set
 * up for. Returns 1 and sets mv (in 1/8 pixel, libvpx's unit), distortion
 * (variance) and sse (squared error) of the prediction. Returns 0 if there is
 * none that can be coded: libvpx must search. */
int vp8_mp_new_mv(struct VP8_COMP *cpi, MACROBLOCK *x, int_mv *ref_mv,
                  int_mv *mv, int *distortion, unsigned int *sse);

/* The provider's vector for NEW4X4 of one label of a partitioning (BLOCK_16X8
 * .. BLOCK_4X4). Returns 1 and sets mv, or 0 if libvpx must search. */
int vp8_mp_split_mv(struct VP8_COMP *cpi, MACROBLOCK *x, int segmentation,
                    int label, const vp8_variance_fn_ptr_t *fn, int_mv *ref_mv,
                    int_mv *mv);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_PROVIDER_RECORDS_H_
