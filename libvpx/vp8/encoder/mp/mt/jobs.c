/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mt/jobs.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#include <time.h>
#endif

#include "vp8/encoder/onyx_int.h"

int vp8_mp_mt_enabled(const VP8_COMP *cpi) {
  return cpi->mp.provider && cpi->mp.provider->repair_threads;
}

#if CONFIG_MULTITHREAD

#if CONFIG_OS_SUPPORT && !defined(_WIN32) && !defined(__APPLE__)
#define HAVE_TRYWAIT 1
#else
#define HAVE_TRYWAIT 0
#endif

/* A waiting thread checks SPINS times (about 50 us) before it yields its core,
 * then YIELDS times before it sleeps for SLEEP_NS: the thread it waits for may
 * have no core, and yielding does not give it one if other processes want it
 * too. */
#define SPINS 2000
#define YIELDS 100
#define SLEEP_NS 20000

/* A thread that waits for a job checks WAKE_SPINS times (about 200 us, as long
 * as waking up takes) before it sleeps on its semaphore. At some of these
 * checks it yields its core. */
#define WAKE_SPINS 6000
#define WAKE_YIELDS_EVERY 400

/* Threads check the row above after every macroblock instead of every 4, 8 or
 * 16 ones. A check is cheap compared to a macroblock, and rows then follow each
 * other by 2 macroblocks instead of up to 17. */
void vp8_mp_mt_set_sync_range(VP8_COMP *cpi) {
  vp8_mp_mt_jobs *const jobs = &cpi->mp.jobs;

  if (vp8_mp_mt_enabled(cpi)) {
    /* libvpx sets its own range again when the frame size changes. */
    if (cpi->mt_sync_range != 1) {
      jobs->stock_sync_range = cpi->mt_sync_range;
      cpi->mt_sync_range = 1;
    }
  } else if (jobs->stock_sync_range) {
    cpi->mt_sync_range = jobs->stock_sync_range;
    jobs->stock_sync_range = 0;
  }
}

/* Unlike libvpx's wait, this one lets other threads run if there are more
 * threads than cores, or other processes. */
void vp8_mp_mt_relax(int *spins) {
  if (++*spins < SPINS) {
    x86_pause_hint();
    return;
  }
#if defined(__unix__) || defined(__APPLE__)
  if (*spins < SPINS + YIELDS) {
    sched_yield();
  } else {
    const struct timespec t = { 0, SLEEP_NS };

    nanosleep(&t, NULL);
  }
#else
  thread_sleep(0);
#endif
}

void vp8_mp_mt_await(const vpx_atomic_int *progress, int value) {
  int spins = 0;

  while (vpx_atomic_load_acquire(progress) < value) vp8_mp_mt_relax(&spins);
}

int vp8_mp_mt_wait(const VP8_COMP *cpi, vp8_sem_t *sem) {
#if HAVE_TRYWAIT
  int i;

  /* Without a provider, threads are not woken early. */
  if (vpx_atomic_load_acquire(&cpi->mp.jobs.spin)) {
    for (i = 1; i <= WAKE_SPINS; ++i) {
      if (!sem_trywait(sem)) return 0;
      x86_pause_hint();
      if (i % WAKE_YIELDS_EVERY == 0) sched_yield();
    }
  }
#else
  (void)cpi;
#endif
  return vp8_sem_wait(sem);
}

void vp8_mp_mt_wake(VP8_COMP *cpi, int filter_thread) {
  int i;

  /* Threads that never got a job do not check for one. */
  if (!HAVE_TRYWAIT || !vp8_mp_mt_enabled(cpi) ||
      !vpx_atomic_load_acquire(&cpi->mp.jobs.spin) ||
      !vpx_atomic_load_acquire(&cpi->b_multi_threaded)) {
    return;
  }
  vp8_mp_mt_set_sync_range(cpi);
  for (i = 0; i < cpi->encoding_thread_count; ++i) {
    vp8_sem_post(&cpi->h_event_start_encoding[i]);
  }
  if (filter_thread) vp8_sem_post(&cpi->h_event_start_lpf);
}

/* Give the next job to a number of threads, from thread first on. The lowest
 * bit of the job's number says whether it is a finish job. */
static void give(VP8_COMP *cpi, int first, int threads, int is_finish) {
  vp8_mp_mt_jobs *const jobs = &cpi->mp.jobs;
  int i;

  /* It may wrap: it only has to differ from the last number. */
  jobs->number = (jobs->number + 1) & 0xfffffff;
  for (i = first; i < first + threads; ++i) {
    vpx_atomic_store_release(&jobs->worker[i].given,
                             jobs->number * 2 + is_finish);
  }
}

void vp8_mp_mt_give_rows(VP8_COMP *cpi) {
  vpx_atomic_store_release(&cpi->mp.jobs.spin, vp8_mp_mt_enabled(cpi));
  give(cpi, 0, cpi->encoding_thread_count, 0);
}

void vp8_mp_mt_give_finish(VP8_COMP *cpi, int threads) {
  int i;

  give(cpi, 0, threads, 1);
  for (i = 0; i < threads; ++i) {
    vp8_sem_post(&cpi->h_event_start_encoding[i]);
  }
}

void vp8_mp_mt_give_filter_thread(VP8_COMP *cpi, int is_finish) {
  give(cpi, VP8_MP_MT_FILTER_THREAD, 1, is_finish);
  if (is_finish) vp8_sem_post(&cpi->h_event_start_lpf);
}

int vp8_mp_mt_take(VP8_COMP *cpi, int thread) {
  vp8_mp_mt_worker *const worker = &cpi->mp.jobs.worker[thread];
  const int job = vpx_atomic_load_acquire(&worker->given);

  if (job == worker->taken) return VP8_MP_MT_NO_JOB;
  worker->taken = job;
  return job & 1 ? VP8_MP_MT_FINISH_JOB : VP8_MP_MT_STOCK_JOB;
}

#else

void vp8_mp_mt_set_sync_range(VP8_COMP *cpi) { (void)cpi; }

void vp8_mp_mt_wake(VP8_COMP *cpi, int filter_thread) {
  (void)cpi;
  (void)filter_thread;
}

void vp8_mp_mt_give_rows(VP8_COMP *cpi) { (void)cpi; }

#endif  // CONFIG_MULTITHREAD
