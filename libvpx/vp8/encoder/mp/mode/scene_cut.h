/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Scene cuts in one pass. libvpx makes a key frame of a frame whose macroblocks
 * are mostly coded intra; a guide has fewer coded so. What tells a cut here is
 * what the macroblocks' intra and inter candidates cost by SATD, whatever is
 * coded.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_SCENE_CUT_H_
#define VPX_VP8_ENCODER_MP_MODE_SCENE_CUT_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;
struct macroblock;

/* Part of MACROBLOCK: a thread's macroblocks of the frame. */
typedef struct vp8_mp_mode_counts {
  int macroblocks;       /* that were added */
  int suits_intra;       /* so many of them cost no more intra than inter */
  uint64_t inter, intra; /* lowest costs, SATD and rate */
  /* Of all macroblocks, for mp/counts.c. */
  int guided, unevaluated, evaluated;
} vp8_mp_mode_counts;

/* Part of vp8_mp_mode_state: of the frame before. */
typedef struct vp8_mp_mode_scene {
  int intra_percent;  /* of its macroblocks suit intra */
  int inter_permille; /* lowest inter costs, of the lowest intra costs */
} vp8_mp_mode_scene;

/* Before each encode of a frame, and when a row thread has ended its part. */
void vp8_mp_mode_counts_begin(struct VP8_COMP *cpi);
void vp8_mp_mode_counts_merge(struct VP8_COMP *cpi,
                              const struct macroblock *thread);

/* Whether the macroblock is to be added: libvpx asks for scene cuts, and of a
 * frame that is not small a macroblock in four tells as much as all. */
int vp8_mp_mode_scene_samples(const struct VP8_COMP *cpi,
                              const struct macroblock *x);

/* Add a macroblock. */
static inline void vp8_mp_mode_scene_add(vp8_mp_mode_counts *counts,
                                         unsigned int inter,
                                         unsigned int intra) {
  ++counts->macroblocks;
  counts->suits_intra += intra <= inter;
  counts->inter += inter;
  counts->intra += intra;
}

/* After an encode of an inter frame: whether it should be a key frame. */
int vp8_mp_mode_scene_cut(const struct VP8_COMP *cpi);

/* After a coded frame. */
void vp8_mp_mode_scene_end(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_SCENE_CUT_H_
