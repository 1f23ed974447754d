/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * State of rows of macroblocks that makes row threads cost no quality.
 *
 * In stock libvpx, several threads lose counts and costs
 * (doc/libvpx-threads.md). And mode decision learns from each macroblock for
 * the next one, in the order in which a thread happens to code them. If a
 * motion provider asks for repair_threads, threads get the complete state. Mode
 * decision then learns within a row of macroblocks, and from the same row of
 * the previous frame, so the stream is the same for any number of threads.
 * Without repair_threads, every function here returns at once and changes
 * nothing.
 */
#ifndef VPX_VP8_ENCODER_MP_MT_ROWS_H_
#define VPX_VP8_ENCODER_MP_MT_ROWS_H_

#include "vp8/encoder/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* State that mode decision adapts in one row of macroblocks. */
typedef struct vp8_mp_mt_row {
  int rd_thresh_mult[MAX_MODES];
  unsigned int hits[MAX_MODES]; /* number of macroblocks that tested a mode */
  unsigned int hits_above[MAX_MODES]; /* sum over all rows above */
} vp8_mp_mt_row;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_mt_rows {
  vp8_mp_mt_row *row;
  int mb_rows; /* number of elements of row[] */
} vp8_mp_mt_rows;

/* Free the rows: forget what was learned. */
void vp8_mp_mt_rows_free(struct VP8_COMP *cpi);

/* Prepare the measurement of a frame's activity, for VP8_TUNE_SSIM. */
void vp8_mp_mt_rows_activity_begin(struct VP8_COMP *cpi);

/* Prepare the rows, and give them to the row threads, which may begin at once.
 * Call it before each encode of a frame, after its threads are set up. */
void vp8_mp_mt_encode_begin(struct VP8_COMP *cpi);

/* Add the counts of a row thread that stock libvpx does not add. Call it after
 * each encode. */
void vp8_mp_mt_rows_merge(struct VP8_COMP *cpi, const MACROBLOCK *thread);

/* Begin and end a row, in the thread that codes it. */
void vp8_mp_mt_row_begin(struct VP8_COMP *cpi, MACROBLOCK *x, int mb_row);
void vp8_mp_mt_row_end(struct VP8_COMP *cpi, const MACROBLOCK *x, int mb_row);

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MP_MT_ROWS_H_
