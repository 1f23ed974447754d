/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Reuse of intra estimates. A static macroblock keeps its texture, so if intra
 * modes were far from winning a few frames ago, no new estimate is made. Each
 * macroblock has an entry of its own, so threads do not conflict.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_RECALL_H_
#define VPX_VP8_ENCODER_MP_MODE_RECALL_H_

#include "vp8/encoder/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Forget the estimates (recon/mb_memory.h) in key frames. Call it before row
 * threads begin. */
void vp8_mp_mode_recall_begin(struct VP8_COMP *cpi);

/* Returns whether intra modes of the macroblock were far above permille / 1000
 * of low a few frames ago, and the macroblock is still similar: low, the lowest
 * inter cost, is not much higher than then, and mv, the 16x16 vector, is short.
 * Always 0 except at realtime. Any thread may call it, once for a macroblock in
 * a frame, because each call uses up one frame of the entry's validity. */
int vp8_mp_mode_recalls(const struct VP8_COMP *cpi, const MACROBLOCK *x,
                        int_mv mv, unsigned int low, int permille);
/* Store an estimate: low is the lowest inter cost, and no intra mode costs less
 * than intra. */
void vp8_mp_mode_remember(const struct VP8_COMP *cpi, const MACROBLOCK *x,
                          unsigned int low, unsigned int intra);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_RECALL_H_
