/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The loop filter, and trials of levels, shared out to the row threads that
 * have no other work ("helpers"). Without helpers the caller does all of it.
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

/* State of one helper, a row thread. */
typedef struct vp8_mp_mt_helper {
  unsigned int sse; /* error of its share of the trial */
#if CONFIG_MULTITHREAD
  vpx_atomic_int done; /* number of the last trial that it has done */
#endif
  char apart[128]; /* keeps helpers in separate cache lines */
} vp8_mp_mt_helper;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_mt_filter {
  const YV12_BUFFER_CONFIG *source, *unfiltered;
  int step, first; /* rows to try */
  FRAME_TYPE
  frame_type;  /* copy: VP8_COMMON's may change before the filter ends */
  int trials;  /* number of the last trial, from 1 */
  int filter;  /* whether to filter the frame after the trials */
  int helpers; /* number of helpers */
#if CONFIG_MULTITHREAD
  vpx_atomic_int trial; /* number of the trial to do */
#endif
  vp8_mp_mt_helper helper[VP8_MP_MT_MAX_THREADS];
} vp8_mp_mt_filter;

/* Filter a frame into frame_to_show, as vp8_loop_filter_frame_init() was
 * called, and return its squared luma error to the source. step 0: use all
 * rows. Otherwise use every step-th row from first on, each filtered as if the
 * rows above and below it were not filtered. */
int vp8_mp_mt_filter_error(struct VP8_COMP *cpi,
                           const YV12_BUFFER_CONFIG *source,
                           const YV12_BUFFER_CONFIG *unfiltered, int step,
                           int first);

#if CONFIG_MULTITHREAD

/* Begin, before the first trial: up to this many row threads may take part.
 * Returns the number of helpers. */
int vp8_mp_mt_filter_begin(struct VP8_COMP *cpi, int threads);

/* End the trials, and filter the frame if filter is set. */
void vp8_mp_mt_filter_frame(struct VP8_COMP *cpi, int filter);

/* After an error, which may come before vp8_mp_mt_filter_frame(): let the
 * helpers end. */
void vp8_mp_mt_filter_abandon(struct VP8_COMP *cpi);

/* Result of vp8_mp_mt_filter_help(): there was nothing to do yet; a trial was
 * done; or the frame is done, and nothing follows. */
enum { VP8_MP_MT_FILTER_WAITS, VP8_MP_MT_FILTER_TRIED, VP8_MP_MT_FILTER_DONE };

/* Do the next work of a helper. *trial is the last trial that it has done, at
 * first 0. */
int vp8_mp_mt_filter_help(struct VP8_COMP *cpi, int helper, int *trial);

/* End, after all helpers have returned VP8_MP_MT_FILTER_DONE. */
void vp8_mp_mt_filter_end(struct VP8_COMP *cpi);

#endif

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MP_MT_FILTER_ROWS_H_
