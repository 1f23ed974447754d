/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What follows a frame's macroblocks, shared out to the row threads: the search
 * for the loop filter's level (mt_filter.h), the filter, and the bits of the
 * tokens (mt_pack.h), which need not wait for the level. Only with a motion
 * provider that asks for repair_threads; the stream is the same.
 *
 * The frame's macroblocks, and each of its tails, are a job. A row thread is
 * woken by its semaphore, and does a job once; so it can be woken early, and
 * look out for its job for a while, without doing anything twice.
 */
#ifndef VPX_VP8_ENCODER_MT_TAIL_H_
#define VPX_VP8_ENCODER_MT_TAIL_H_

#include <stddef.h>

#include "./vpx_config.h"
#include "vp8/common/threading.h"
#include "vpx_util/vpx_atomics.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Rows' progress lies so far apart that no thread waits for a cache line that
 * another one writes to. */
#define VP8_MT_COL(mb_row) ((mb_row)*32)

/* Part of VP8_COMP. */
typedef struct vp8_mt_tail {
  int active; /* begun, not ended */
  int packs;  /* the tokens are being written, by the filter's thread too */
#if CONFIG_MULTITHREAD
  vpx_atomic_int spin;    /* threads look out for jobs */
  int jobs;               /* so many were given out */
  vpx_atomic_int lpf_job; /* last one of the loop filter's thread */
  int lpf_done;           /* last one it has taken up */
#endif
} vp8_mt_tail;

#if CONFIG_MULTITHREAD

/* Between two looks at what another thread does. */
void vp8_mt_relax(int *spins);

/* Wait, for a while without giving up the core: waking up takes long. */
int vp8_mt_wait(const struct VP8_COMP *cpi, vp8_sem_t *sem);

/* Wake up the threads that will soon have something to do: before a frame's
 * rows, and while the last ones are coded. */
void vp8_mt_wake(struct VP8_COMP *cpi, int lpf);

/* The row threads' next job is a frame's rows, which they may begin at once. */
void vp8_mt_next_rows(struct VP8_COMP *cpi);

/* Done what a row thread, or the loop filter's, was woken up for; 0: it is a
 * frame's rows, or the filter. */
int vp8_mt_help(struct VP8_COMP *cpi, int ithread);
int vp8_mt_help_lpf(struct VP8_COMP *cpi);

/* When a frame's macroblocks are coded: find its level, and leave filtering and
 * tokens to the threads. size: bytes that the frame may have. 0: not done. */
int vp8_mt_tail_begin(struct VP8_COMP *cpi, size_t size);

/* When the level is known. 0: filter yourself. */
int vp8_mt_tail_filter(struct VP8_COMP *cpi, int filter);

/* After an error: wait until no thread works on the frame. */
void vp8_mt_tail_abandon(struct VP8_COMP *cpi);

#endif

/* Wait until the frame is filtered. */
void vp8_mt_tail_end(struct VP8_COMP *cpi);

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MT_TAIL_H_
