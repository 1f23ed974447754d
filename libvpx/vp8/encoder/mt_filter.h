/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The search for the loop filter's level, done by the row threads, which
 * otherwise wait for it. It finds the level that libvpx's own search finds. Only
 * with a motion provider that asks for repair_threads.
 */
#ifndef VPX_VP8_ENCODER_MT_FILTER_H_
#define VPX_VP8_ENCODER_MT_FILTER_H_

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
#if CONFIG_MULTITHREAD
  vpx_atomic_int done; /* the last trial it has done */
#endif
} vp8_mt_helper;

/* Part of VP8_COMP. */
typedef struct vp8_mt_filter {
  const YV12_BUFFER_CONFIG *source, *unfiltered;
  int helpers; /* row threads that take part in trials */
#if CONFIG_MULTITHREAD
  vpx_atomic_int trial; /* number of the one to do, from 1; -1: no more */
#endif
  int trials;
  vp8_mt_helper helper[64]; /* as many as libvpx has threads at most */
} vp8_mt_filter;

/* Squared luma error of a frame, to the source, after filtering it at a level
 * into frame_to_show. 0: not done. */
int vp8_mt_filter_error(struct VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                        const YV12_BUFFER_CONFIG *unfiltered, int level,
                        int *error);

/* After the last trial for a frame. */
void vp8_mt_filter_end(struct VP8_COMP *cpi);

/* What a row thread was woken up for, if it is not a frame's rows; 0: rows. */
int vp8_mt_filter_help(struct VP8_COMP *cpi, int ithread);

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MT_FILTER_H_
