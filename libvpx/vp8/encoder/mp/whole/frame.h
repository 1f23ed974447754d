/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Frames that the provider decides and codes as a whole (code_frame in
 * vpx/vp8_motion_provider.h). The encoder then only counts and writes each
 * macroblock. The provider succeeds with all macroblocks or with none: without
 * its result the encoder codes the frame from the same state.
 */
#ifndef VPX_VP8_ENCODER_MP_WHOLE_FRAME_H_
#define VPX_VP8_ENCODER_MP_WHOLE_FRAME_H_

#include "vpx/vp8_mp_whole_frame.h"
#include "vp8/encoder/block.h"
#include "vp8/encoder/tokenize.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of VP8_COMP (cpi->mp.whole). */
typedef struct vp8_mp_whole_state {
  const vp8e_mp_coded_t *coded;   /* of the encode that began last; NULL: the
                                     encoder codes the macroblocks */
  const vp8e_mp_blocks_t *blocks; /* of the same encode */
  uint8_t *kinds;  /* by macroblock, as vp8e_mp_loop_filter_t has them */
  uint8_t *levels; /* of the loop filter, by macroblock */
  int mbs;
  int sets_up;
  int still;         /* number of macroblocks predicted by the last frame's zero
                        vector; -1: not counted */
  int keeps_vectors; /* see vp8_mp_whole_keep_vectors() */
  int sign_bias[4];  /* by reference, of the frame whose vectors are kept */
  int denoised;      /* whether the provider denoised the frame */
  int filtered; /* whether the provider filtered the frame, and knows the id of
                   its buffer */
} vp8_mp_whole_state;

/* Returns whether vp8_mp_whole_encode_begin() sets up the borders of the
 * reconstruction for intra prediction, because a frame that the provider codes
 * does not need them. */
int vp8_mp_whole_sets_up(struct VP8_COMP *cpi);

/* Ask the provider to code the frame, when an encode of it is set up and before
 * row threads begin. */
void vp8_mp_whole_encode_begin(struct VP8_COMP *cpi);

/* Let the provider filter the frame at cm->filter_level, and write its tokens.
 * Its buffer then has other memory, that of cpi->pick_lf_lvl_frame, and a new
 * id. is_reference: whether a later frame can be predicted from the frame.
 * Returns 0, with the reconstruction in the buffer, if the encoder has to
 * filter it. */
int vp8_mp_whole_filter(struct VP8_COMP *cpi, int is_reference);

void vp8_mp_whole_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_WHOLE_FRAME_H_
