/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The loop filter, and trials of it, shared out to the row threads that have
 * nothing else to do. Without such threads the caller does all of it.
 */
#ifndef VPX_VP8_ENCODER_MP_MT_FILTER_ROWS_H_
#define VPX_VP8_ENCODER_MP_MT_FILTER_ROWS_H_

#include "vp8/common/onyxc_int.h"
#include "vp8/encoder/mp/mt/jobs.h"
#include "vpx_scale/yv12config.h"
#include "vpx_util/vpx_atomics.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* One for each row thread. */
typedef struct vp8_mp_mt_helper {
  unsigned int sse; /* of its share of the trial */
#if CONFIG_MULTITHREAD
  vpx_atomic_int done; /* the last trial it has done */
#endif
  char apart[128]; /* in cache lines of its own */
} vp8_mp_mt_helper;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_mt_filter {
  const YV12_BUFFER_CONFIG *source, *unfiltered;
  int step, first;       /* rows that are tried */
  FRAME_TYPE frame_type; /* the frame's own does not last until the end */
  int trials;            /* number of the last one, from 1 */
  int filter;            /* whether the frame itself is filtered behind them */
  int helpers;           /* row threads that take part */
#if CONFIG_MULTITHREAD
  vpx_atomic_int trial; /* number of the one to do */
#endif
  vp8_mp_mt_helper helper[VP8_MP_MT_MAX_THREADS];
} vp8_mp_mt_filter;

/* Squared luma error of a frame, to the source, after filtering it into
 * frame_to_show, as vp8_loop_filter_frame_init() was called for. step 0: of all
 * rows; else of every step-th from the first-th on, each filtered as if nothing
 * was filtered above and below it. */
int vp8_mp_mt_filter_error(struct VP8_COMP *cpi,
                           const YV12_BUFFER_CONFIG *source,
                           const YV12_BUFFER_CONFIG *unfiltered, int step,
                           int first);

#if CONFIG_MULTITHREAD

/* Before the first trial: so many row threads may take part. Returns how many
 * shall. */
int vp8_mp_mt_filter_begin(struct VP8_COMP *cpi, int threads);

/* After the last one: the frame itself, if it is to be filtered at all. */
void vp8_mp_mt_filter_frame(struct VP8_COMP *cpi, int filter);

/* After an error, which may have come before that: helpers shall come to their
 * end. */
void vp8_mp_mt_filter_abandon(struct VP8_COMP *cpi);

/* What a helper has done: nothing, since there was nothing to do yet; a trial;
 * or the frame, and there will be no more. */
enum { VP8_MP_MT_FILTER_WAITS, VP8_MP_MT_FILTER_TRIED, VP8_MP_MT_FILTER_DONE };

/* Do what is to be done by a helper. trial: the last one it has done, at first
 * 0. */
int vp8_mp_mt_filter_help(struct VP8_COMP *cpi, int helper, int *trial);

/* All helpers have returned that they are done. */
void vp8_mp_mt_filter_end(struct VP8_COMP *cpi);

#endif

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MP_MT_FILTER_ROWS_H_
