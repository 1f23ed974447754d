/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The search for the loop filter's level, and the filter, done by the row
 * threads, which otherwise wait for them. It finds the level that libvpx's own
 * search finds. Only with a motion provider that asks for repair_threads.
 */
#ifndef VPX_VP8_ENCODER_MT_FILTER_H_
#define VPX_VP8_ENCODER_MT_FILTER_H_

#include "vp8/common/onyxc_int.h"
#include "vp8/encoder/fast_filter.h"
#include "vpx_scale/yv12config.h"
#include "vpx_util/vpx_atomics.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* One for each row thread. */
typedef struct vp8_mt_helper {
  unsigned int sse;
  int job_done; /* last one that it has taken up (mt_tail.h) */
#if CONFIG_MULTITHREAD
  vpx_atomic_int job;  /* last one that it was given */
  vpx_atomic_int done; /* the last trial it has done */
#endif
  char apart[128]; /* in cache lines of its own */
} vp8_mt_helper;

/* Part of VP8_COMP. */
typedef struct vp8_mt_filter {
  const YV12_BUFFER_CONFIG *source, *unfiltered;
  int helpers; /* row threads that take part */
#if CONFIG_MULTITHREAD
  vpx_atomic_int trial; /* number of the one to do, from 1 */
#endif
  int trials;
  int searches; /* helpers are waited for between trials */
  int filter;   /* what they do at last */
  FRAME_TYPE frame_type; /* the frame's own does not last until the end */
  vp8_mt_helper helper[64]; /* as many as libvpx has threads at most */
} vp8_mt_filter;

/* Squared luma error of a frame, to the source, after filtering it at a level
 * into frame_to_show. 0: not done. */
int vp8_mt_filter_error(struct VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                        const YV12_BUFFER_CONFIG *unfiltered, int level,
                        int *error);

/* Which rows a frame's trials filter: every step-th from the first-th on, each as
 * if nothing was filtered above and below it. Left as they are: all. */
void vp8_mt_filter_sample(const struct VP8_COMP *cpi, int *step, int *first);

/* Before the first trial, when no helper is at work. */
void vp8_mt_filter_begin(struct VP8_COMP *cpi);

/* After the last one: the frame itself, if it is to be filtered at all. */
void vp8_mt_filter_publish(struct VP8_COMP *cpi, int filter);

/* Whether that was done, so that helpers come to their end. */
int vp8_mt_filter_published(const struct VP8_COMP *cpi);

/* All of a helper's work. */
void vp8_mt_filter_help(struct VP8_COMP *cpi, int ithread);

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MT_FILTER_H_
