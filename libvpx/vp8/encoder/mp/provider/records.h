/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What the encoder takes from the external motion provider
 * (vpx/vp8_motion_provider.h): the records of a row, and the vectors in them,
 * each checked before it is used; and the identities by which the provider
 * knows frame buffers. Without a provider every function here returns at once
 * and changes nothing, so that the output is stock libvpx's.
 */
#ifndef VPX_VP8_ENCODER_MP_PROVIDER_RECORDS_H_
#define VPX_VP8_ENCODER_MP_PROVIDER_RECORDS_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/common/onyxc_int.h"
#include "vp8/encoder/block.h"
#include "vpx_dsp/variance.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_buffers {
  uint64_t last_id;                    /* last one given */
  uint64_t id[NUM_YV12_BUFFERS];       /* identity of the content */
  uint64_t ready_id[NUM_YV12_BUFFERS]; /* content the provider knows */
} vp8_mp_buffers;

/* Largest difference to the predicted vector, in 1/8 pel, that the cost tables
 * and the vector counts can hold; libvpx's own searches keep to it. */
#define VP8_MP_MAX_MV_DIFF ((MAX_FULL_PEL_VAL << 3) - 8)

/* The first of a segmentation's blocks in a record, by BLOCK_16X8 ..
 * BLOCK_4X4. */
extern const int vp8_mp_first_block[4];

/* ---- frame buffers ------------------------------------------------------- */

/* The content of a frame buffer, of all, was replaced. */
void vp8_mp_buffer_changed(struct VP8_COMP *cpi, int fb_idx);
void vp8_mp_buffers_changed(struct VP8_COMP *cpi);

/* One frame buffer is a copy of another, two have changed places. */
void vp8_mp_buffer_copied(struct VP8_COMP *cpi, int from, int to);
void vp8_mp_buffers_swapped(struct VP8_COMP *cpi, int a, int b);

/* Tell the provider of the reference frames, if it does not know them yet. */
void vp8_mp_announce_refs(struct VP8_COMP *cpi);

/* The same, and describe them; those only whose flags are set. */
void vp8_mp_describe_refs(struct VP8_COMP *cpi, int flags,
                          vp8e_mp_ref_t ref[MAX_REF_FRAMES]);

/* The identities of the reference frames. */
void vp8_mp_live_refs(const struct VP8_COMP *cpi,
                      uint64_t live[MAX_REF_FRAMES]);

/* ---- motion -------------------------------------------------------------- */

/* Fetch the motion of a row; called by the thread that codes it. */
void vp8_mp_fetch_row(struct VP8_COMP *cpi, MACROBLOCK *x, int mb_row);

/* Where the current macroblock is. */
static INLINE int vp8_mp_mb_row(const MACROBLOCK *x) {
  return -x->e_mbd.mb_to_top_edge >> (4 + 3);
}
static INLINE int vp8_mp_mb_col(const MACROBLOCK *x) {
  return -x->e_mbd.mb_to_left_edge >> (4 + 3);
}

/* The current macroblock's vectors of smaller blocks, and parts of its intra
 * estimate, which the provider makes now if they are pending; NULL: there are
 * none. */
const vp8e_mp_split_t *vp8_mp_split(const struct VP8_COMP *cpi,
                                    const MACROBLOCK *x, int ref);
const vp8e_mp_intra_t *vp8_mp_intra(const struct VP8_COMP *cpi,
                                    const MACROBLOCK *x, int parts);

/* NEWMV of the macroblock and reference that x is set up for.
 * Returns 1 and sets mv (1/8 pel, libvpx's unit), distortion and sse
 * (variance and squared error of the prediction); 0: search yourself. */
int vp8_mp_new_mv(struct VP8_COMP *cpi, MACROBLOCK *x, int_mv *ref_mv,
                  int_mv *mv, int *distortion, unsigned int *sse);

/* NEW4X4 of one label of a segmentation (BLOCK_16X8 ... BLOCK_4X4).
 * Returns 1 and sets mv; 0: search yourself. */
int vp8_mp_split_mv(struct VP8_COMP *cpi, MACROBLOCK *x, int segmentation,
                    int label, const vp8_variance_fn_ptr_t *fn, int_mv *ref_mv,
                    int_mv *mv);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_PROVIDER_RECORDS_H_
