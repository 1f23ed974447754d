/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What a row of macroblocks needs to know so that row threads cost no quality.
 *
 * Stock libvpx loses counts and costs when a frame is coded by several threads
 * (doc/libvpx-threads.md), and what mode decision learns from one macroblock
 * for the next it learns in the order in which a thread happens to code them.
 * If a motion provider asks for repair_threads, threads get the whole state,
 * and mode decision learns within a row of macroblocks and from the same row of
 * the frame before: the stream is the same for any number of threads. Otherwise
 * every function here returns at once and changes nothing.
 */
#ifndef VPX_VP8_ENCODER_MP_MT_ROWS_H_
#define VPX_VP8_ENCODER_MP_MT_ROWS_H_

#include "vp8/encoder/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* What mode decision has learned in a row of macroblocks. */
typedef struct vp8_mp_mt_row {
  int rd_thresh_mult[MAX_MODES];
  unsigned int hits[MAX_MODES];       /* macroblocks that tested a mode */
  unsigned int hits_above[MAX_MODES]; /* ... in all rows above */
} vp8_mp_mt_row;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_mt_rows {
  vp8_mp_mt_row *row;
  int mb_rows; /* that row has */
} vp8_mp_mt_rows;

/* Forget what was learned. */
void vp8_mp_mt_rows_free(struct VP8_COMP *cpi);

/* Before a frame's activity is measured, for VP8_TUNE_SSIM. */
void vp8_mp_mt_rows_activity_begin(struct VP8_COMP *cpi);

/* Before each encode of a frame, when its threads are set up. */
void vp8_mp_mt_rows_frame_begin(struct VP8_COMP *cpi);

/* After it, for each row thread: the counts that stock libvpx does not add. */
void vp8_mp_mt_rows_merge(struct VP8_COMP *cpi, const MACROBLOCK *thread);

/* Around each row, in the thread that codes it. */
void vp8_mp_mt_row_begin(struct VP8_COMP *cpi, MACROBLOCK *x, int mb_row);
void vp8_mp_mt_row_end(struct VP8_COMP *cpi, const MACROBLOCK *x, int mb_row);

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MP_MT_ROWS_H_
