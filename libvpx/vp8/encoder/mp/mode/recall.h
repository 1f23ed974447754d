/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What a macroblock's intra estimate was a few frames ago: what stands still
 * keeps its texture, and where intra modes were far off, none is made. Each
 * macroblock has its own, so that threads do not meet.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_RECALL_H_
#define VPX_VP8_ENCODER_MP_MODE_RECALL_H_

#include "vp8/encoder/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

typedef struct vp8_mp_mode_recalled {
  unsigned int inter;  /* the least cost of inter prediction */
  unsigned int intra;  /* the least that an intra mode might have cost */
  unsigned int frames; /* for which it still holds */
} vp8_mp_mode_recalled;

typedef struct vp8_mp_mode_recall {
  vp8_mp_mode_recalled *mb; /* of all macroblocks, or NULL */
  int mbs;
} vp8_mp_mode_recall;

/* Make room, and forget all in key frames; before threads begin. */
void vp8_mp_mode_recall_begin(struct VP8_COMP *cpi);
void vp8_mp_mode_recall_free(struct VP8_COMP *cpi);

/* Whether an intra mode was far from so many permille of low, which is the
 * least cost of inter prediction, with the vector mv at 16x16, and not much
 * more than it was. At realtime only. Any thread may ask, once for a macroblock
 * in a frame. */
int vp8_mp_mode_recalls(const struct VP8_COMP *cpi, const MACROBLOCK *x,
                        int_mv mv, unsigned int low, int permille);
/* The estimate was made, and no intra mode costs less than so much. */
void vp8_mp_mode_remember(const struct VP8_COMP *cpi, const MACROBLOCK *x,
                          unsigned int low, unsigned int intra);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_RECALL_H_
