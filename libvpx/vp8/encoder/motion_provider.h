/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The encoder's side of the external motion provider
 * (vpx/vp8_motion_provider.h). Without a provider every function here returns
 * at once and changes nothing, so that the output is stock libvpx's.
 */
#ifndef VPX_VP8_ENCODER_MOTION_PROVIDER_H_
#define VPX_VP8_ENCODER_MOTION_PROVIDER_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/common/onyxc_int.h"
#include "vp8/encoder/block.h"
#include "vp8/encoder/guided_level.h"
#include "vpx_dsp/variance.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of VP8_COMP. */
typedef struct vp8_mp_state {
  const vp8e_motion_provider_t *provider;
  int begun;         /* frame_begin was called, frame_end is due */
  int active;        /* ... and the provider serves this frame */
  uint64_t frame_id; /* of the frame being coded */
  uint64_t last_id;  /* last buffer id given */
  uint64_t buf_id[NUM_YV12_BUFFERS];    /* identity of the content */
  uint64_t ready_id[NUM_YV12_BUFFERS];  /* content the provider knows */
  vp8_gm_state guide;
  void (*compute_skin_map)(struct VP8_COMP *cpi); /* when it is asked for */
  unsigned char *zero_last; /* what it is computed from, */
  YV12_BUFFER_CONFIG *skin_source; /* and the picture, as yet unscaled */
} vp8_mp_state;

/* The lowest vector difference, in quarter pixels, that has a rate of its own:
 * 0 in stock libvpx, -mv_max with the repair. It lives in the entry below the
 * cost table of rows, which nothing else uses, because what weighs vectors
 * sees no more than the tables. */
#define VP8_MP_MIN_MV_DIFF(mvcost) ((mvcost)[0][-(mv_max + 1)])

/* Largest difference to the predicted vector, in 1/8 pel, that the cost tables
 * and the vector counts can hold; libvpx's own searches keep to it. */
#define VP8_MP_MAX_MV_DIFF ((MAX_FULL_PEL_VAL << 3) - 8)

/* The first of a segmentation's blocks in a record, by BLOCK_16X8 .. BLOCK_4X4. */
extern const int vp8_mp_first_block[4];

/* Attach a provider, or detach with NULL; between frames only.
 * Returns 0, or -1 if the struct is unusable. */
int vp8_mp_set(struct VP8_COMP *cpi, const vp8e_motion_provider_t *provider);

/* The predictors and transforms of a frame to be coded were set. */
void vp8_mp_set_kernels(struct VP8_COMP *cpi);

/* The map of skin is read by libvpx's own mode decision only. A guide may leave
 * nothing to that: let it be computed when it is asked for, as of now. */
void vp8_mp_delay_skin_map(struct VP8_COMP *cpi,
                           void (*compute)(struct VP8_COMP *cpi));
const unsigned char *vp8_mp_skin_map(struct VP8_COMP *cpi);

/* Before the encoder is freed. */
void vp8_mp_free(struct VP8_COMP *cpi);

/* The content of a frame buffer was replaced outside of encoding. */
void vp8_mp_buffer_changed(struct VP8_COMP *cpi, int fb_idx);

/* Frame buffers or sources are about to be freed. */
void vp8_mp_memory_freed(struct VP8_COMP *cpi);

/* Before the recode loop of a frame: source and quantizer are known. */
void vp8_mp_frame_begin(struct VP8_COMP *cpi, int Q);

/* After a frame, coded or dropped (size 0): loop filter and border extension
 * are done. */
void vp8_mp_frame_end(struct VP8_COMP *cpi, size_t size);

/* Where an error that ends a frame is caught: no thread works on the frame any more, and
 * its buffers may be used, or freed, by whatever comes next. */
void vp8_mp_frame_failed(struct VP8_COMP *cpi);

/* Fetch the motion of a row; called by the thread that codes it. */
void vp8_mp_fetch_row(struct VP8_COMP *cpi, MACROBLOCK *x, int mb_row);

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

#endif  // VPX_VP8_ENCODER_MOTION_PROVIDER_H_
