/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The jobs of the encoder's threads, and how threads wait for them.
 *
 * Coding a frame's macroblocks is a job of the row threads ("rows"). The work
 * that remains after the rows are coded is another job ("finish",
 * mp/mt/finish.h). A semaphore wakes a thread, and a thread does each job once.
 * So a thread can be woken early, and check for its job for a while, without
 * doing anything twice.
 *
 * This needs a motion provider that asks for repair_threads. Without one,
 * libvpx's threads work and wait as in stock libvpx.
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

/* libvpx's largest number of row threads. */
#define VP8_MP_MT_MAX_THREADS 64
/* Number of the loop-filter thread, after those of the row threads. */
#define VP8_MP_MT_FILTER_THREAD VP8_MP_MT_MAX_THREADS

/* Index of a row's progress: the distance keeps rows in separate cache lines,
 * so that no thread waits for a cache line that another one writes. */
#define VP8_MP_MT_COL(mb_row) ((mb_row)*32)

/* Kinds of jobs that a thread finds when it is woken: none, libvpx's own work,
 * or the finish job of a frame. */
enum { VP8_MP_MT_NO_JOB, VP8_MP_MT_STOCK_JOB, VP8_MP_MT_FINISH_JOB };

/* State of one thread. */
typedef struct vp8_mp_mt_worker {
#if CONFIG_MULTITHREAD
  vpx_atomic_int given; /* number of the last job given to it */
#endif
  int taken;       /* number of the last job it has taken */
  char apart[128]; /* keeps threads in separate cache lines */
} vp8_mp_mt_worker;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_mt_jobs {
  int stock_sync_range; /* libvpx's range while ours is set; 0: libvpx's is set
                         */
  int number;           /* number of the last job */
#if CONFIG_MULTITHREAD
  vpx_atomic_int spin; /* threads check for jobs before they sleep */
#endif
  vp8_mp_mt_worker worker[VP8_MP_MT_MAX_THREADS + 1];
} vp8_mp_mt_jobs;

/* Returns whether the provider asks for repair_threads. */
int vp8_mp_mt_enabled(const struct VP8_COMP *cpi);

/* Set how often rows check the row above. Call it before row threads begin. */
void vp8_mp_mt_set_sync_range(struct VP8_COMP *cpi);

/* Wake the threads that will soon get a job: the row threads before a frame's
 * rows, and with filter_thread also the loop-filter thread, while the last rows
 * are coded. */
void vp8_mp_mt_wake(struct VP8_COMP *cpi, int filter_thread);

/* Give the row threads the rows of a frame. They may begin at once. */
void vp8_mp_mt_give_rows(struct VP8_COMP *cpi);

#if CONFIG_MULTITHREAD

/* Pause between two checks of another thread's progress. */
void vp8_mp_mt_relax(int *spins);

/* Wait until another thread's progress is at least value. */
void vp8_mp_mt_await(const vpx_atomic_int *progress, int value);

/* Wait for a semaphore. Spins before it sleeps, because waking up takes
 * long. */
int vp8_mp_mt_wait(const struct VP8_COMP *cpi, vp8_sem_t *sem);

/* Give the finish job of a frame to this many row threads, and wake them. */
void vp8_mp_mt_give_finish(struct VP8_COMP *cpi, int threads);

/* Give the loop-filter thread libvpx's own work, or the finish job. Wakes it
 * only for the latter. */
void vp8_mp_mt_give_filter_thread(struct VP8_COMP *cpi, int is_finish);

/* Take the next job of a thread. Returns its kind. */
int vp8_mp_mt_take(struct VP8_COMP *cpi, int thread);

#endif

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MP_MT_JOBS_H_
