/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What the encoder's threads do, and how they wait for it.
 *
 * A frame's macroblocks are a job of the row threads, and what follows them,
 * the frame's tail (mp/mt/finish.h), is another one. A thread is woken by its
 * semaphore, and does a job once; so it can be woken early, and look out for
 * its job for a while, without doing anything twice.
 *
 * Only with a motion provider that asks for repair_threads. Without one
 * libvpx's threads do and wait as ever.
 */
#ifndef VPX_VP8_ENCODER_MP_MT_JOBS_H_
#define VPX_VP8_ENCODER_MP_MT_JOBS_H_

#include "./vpx_config.h"
#include "vp8/common/threading.h"
#include "vpx_util/vpx_atomics.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* As many row threads as libvpx has at most. */
#define VP8_MP_MT_MAX_THREADS 64
/* Number of the loop filter's thread, behind those of the row threads. */
#define VP8_MP_MT_FILTER_THREAD VP8_MP_MT_MAX_THREADS

/* Rows' progress lies so far apart that no thread waits for a cache line that
 * another one writes to. */
#define VP8_MP_MT_COL(mb_row) ((mb_row)*32)

/* What a thread finds that was woken up: nothing that it has not done, what
 * libvpx has it do, or a frame's tail. */
enum { VP8_MP_MT_NO_JOB, VP8_MP_MT_STOCK_JOB, VP8_MP_MT_FINISH_JOB };

/* One for each thread. */
typedef struct vp8_mp_mt_worker {
#if CONFIG_MULTITHREAD
  vpx_atomic_int given; /* number of the last job that it was given */
#endif
  int taken;       /* ... that it has taken up */
  char apart[128]; /* in cache lines of its own */
} vp8_mp_mt_worker;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_mt_jobs {
  int stock_sync_range; /* of libvpx, 0: it is in use */
  int number;           /* of the last job */
#if CONFIG_MULTITHREAD
  vpx_atomic_int spin; /* threads look out for jobs */
#endif
  vp8_mp_mt_worker worker[VP8_MP_MT_MAX_THREADS + 1];
} vp8_mp_mt_jobs;

/* Whether the provider asks for it. */
int vp8_mp_mt_enabled(const struct VP8_COMP *cpi);

/* Threads are about to look at it. */
void vp8_mp_mt_set_sync_range(struct VP8_COMP *cpi);

/* Wake up the threads that will soon have something to do: before a frame's
 * rows, and, the loop filter's too, while the last ones are coded. */
void vp8_mp_mt_wake(struct VP8_COMP *cpi, int filter_thread);

/* The row threads' next job is a frame's rows, which they may begin at once. */
void vp8_mp_mt_give_rows(struct VP8_COMP *cpi);

#if CONFIG_MULTITHREAD

/* Between two looks at what another thread does. */
void vp8_mp_mt_relax(int *spins);

/* Wait until another thread's progress is that value, or more. */
void vp8_mp_mt_await(const vpx_atomic_int *progress, int value);

/* Wait, for a while without giving up the core: waking up takes long. */
int vp8_mp_mt_wait(const struct VP8_COMP *cpi, vp8_sem_t *sem);

/* A frame's tail is the next job of so many row threads, which are woken up. */
void vp8_mp_mt_give_finish(struct VP8_COMP *cpi, int threads);

/* The next job of the loop filter's thread is libvpx's own, or a tail. Only in
 * the latter case it is woken up. */
void vp8_mp_mt_give_filter_thread(struct VP8_COMP *cpi, int is_finish);

/* What a thread has to do, which it takes up with this call. */
int vp8_mp_mt_take(struct VP8_COMP *cpi, int thread);

#endif

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MP_MT_JOBS_H_
