/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Scene-cut detection in one pass, and the counts of the guide. libvpx makes a
 * key frame of a frame of which most macroblocks are coded intra. The guide
 * codes fewer macroblocks intra. So scene cuts are found by the SATD costs of
 * intra and inter candidates, whatever is coded.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_SCENE_CUT_H_
#define VPX_VP8_ENCODER_MP_MODE_SCENE_CUT_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;
struct macroblock;

/* Part of MACROBLOCK: the counts of one thread in the frame. */
typedef struct vp8_mp_mode_counts {
  int macroblocks;       /* number of sampled macroblocks */
  int suits_intra;       /* those that cost as much or less intra than inter */
  uint64_t inter, intra; /* sums of their lowest costs */
  /* Counts of all macroblocks, for mp/counts.c: decided by the guide, of these
   * taken without evaluation, and evaluated candidates. */
  int guided, unevaluated, evaluated;
} vp8_mp_mode_counts;

/* Part of vp8_mp_mode_state: statistics of the previous frame. */
typedef struct vp8_mp_mode_scene {
  int intra_percent;  /* of the sampled macroblocks suit intra */
  int inter_permille; /* sum of the inter costs relative to that of the intra
                         costs */
} vp8_mp_mode_scene;

/* Clear the counts, before each encode of a frame. Add those of a row thread
 * that has finished its rows. */
void vp8_mp_mode_counts_begin(struct VP8_COMP *cpi);
void vp8_mp_mode_counts_merge(struct VP8_COMP *cpi,
                              const struct macroblock *thread);

/* Returns whether to sample the macroblock. None is sampled if libvpx does not
 * look for scene cuts. In small frames, all are sampled. In other frames, one
 * in four is enough. */
int vp8_mp_mode_scene_samples(const struct VP8_COMP *cpi,
                              const struct macroblock *x);

/* Add the lowest inter cost and the lowest intra cost of a sampled
 * macroblock. */
static inline void vp8_mp_mode_scene_add(vp8_mp_mode_counts *counts,
                                         unsigned int inter,
                                         unsigned int intra) {
  ++counts->macroblocks;
  counts->suits_intra += intra <= inter;
  counts->inter += inter;
  counts->intra += intra;
}

/* Returns whether the inter frame that was just encoded should be recoded as a
 * key frame. */
int vp8_mp_mode_scene_cut(const struct VP8_COMP *cpi);

/* Store the statistics of a coded frame. */
void vp8_mp_mode_scene_end(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_SCENE_CUT_H_
