/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mt_tail.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#endif

#include "vp8/common/extend.h"
#include "vp8/common/loopfilter.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/picklpf.h"
#include "vpx_scale/vpx_scale.h"
#include "./vpx_scale_rtcd.h"

#if CONFIG_MULTITHREAD

#if CONFIG_OS_SUPPORT && !defined(_WIN32) && !defined(__APPLE__)
#define HAVE_TRYWAIT 1
#else
#define HAVE_TRYWAIT 0
#endif

/* Looks before a waiting thread gives its core away; some 10 us. */
#define SPINS 400

/* Looks before it sleeps; some 200 us, what waking up takes. */
#define SLEEP_SPINS 6000

/* Unlike libvpx's own, this wait lets another thread run if there are more of
 * them than cores. */
void vp8_mt_relax(int *spins) {
  if (++*spins < SPINS) {
    x86_pause_hint();
  } else {
#if defined(__unix__) || defined(__APPLE__)
    sched_yield();
#else
    thread_sleep(0);
#endif
  }
}

int vp8_mt_wait(const VP8_COMP *cpi, vp8_sem_t *sem) {
#if HAVE_TRYWAIT
  int i;

  /* Without a provider nobody wakes threads early. */
  if (vpx_atomic_load_acquire(&cpi->mt_tail.spin)) {
    for (i = 0; i < SLEEP_SPINS; ++i) {
      if (!sem_trywait(sem)) return 0;
      x86_pause_hint();
      if (i % SPINS == SPINS - 1) sched_yield();
    }
  }
#else
  (void)cpi;
#endif
  return vp8_sem_wait(sem);
}

void vp8_mt_wake(VP8_COMP *cpi, int lpf) {
  int i;

  if (!HAVE_TRYWAIT || !vp8_mt_enabled(cpi) ||
      !vpx_atomic_load_acquire(&cpi->b_multi_threaded)) {
    return;
  }
  vp8_mt_set_sync_range(cpi);
  for (i = 0; i < cpi->encoding_thread_count; ++i) {
    vp8_sem_post(&cpi->h_event_start_encoding[i]);
  }
  if (lpf) vp8_sem_post(&cpi->h_event_start_lpf);
}

/* A job's number also says whether it is a tail. */
static int new_job(VP8_COMP *cpi, int is_tail) {
  /* it may wrap: all that counts is that it differs from the last one */
  cpi->mt_tail.jobs = (cpi->mt_tail.jobs + 1) & 0xfffffff;
  return cpi->mt_tail.jobs * 2 + is_tail;
}

static void give_out(VP8_COMP *cpi, int threads, int is_tail) {
  const int job = new_job(cpi, is_tail);
  int i;

  for (i = 0; i < threads; ++i) {
    vpx_atomic_store_release(&cpi->mt_filter.helper[i].job, job);
  }
}

void vp8_mt_next_rows(VP8_COMP *cpi) {
  vp8_mt_tail *const t = &cpi->mt_tail;

  vpx_atomic_store_release(&t->spin, vp8_mt_enabled(cpi));
  give_out(cpi, cpi->encoding_thread_count, 0);
}

int vp8_mt_help(VP8_COMP *cpi, int ithread) {
  vp8_mt_helper *const helper = &cpi->mt_filter.helper[ithread];
  const int job = vpx_atomic_load_acquire(&helper->job);

  if (job == helper->job_done) return 1;
  helper->job_done = job;
  if (!(job & 1)) return 0;
  vp8_mt_filter_help(cpi, ithread);
  vp8_sem_post(&cpi->h_event_end_encoding[ithread]);
  return 1;
}

int vp8_mt_help_lpf(VP8_COMP *cpi) {
  vp8_mt_tail *const t = &cpi->mt_tail;
  const int job = vpx_atomic_load_acquire(&t->lpf_job);
  int last = -1;

  if (job == t->lpf_done) return 1;
  t->lpf_done = job;
  if (!(job & 1)) return 0;
  vp8_mt_pack_help(cpi, &last, 0);
  vp8_sem_post(&cpi->h_event_end_lpf);
  return 1;
}

int vp8_mt_tail_begin(VP8_COMP *cpi, size_t size) {
  vp8_mt_tail *const t = &cpi->mt_tail;
  const int threads = vpx_atomic_load_acquire(&cpi->b_multi_threaded);
  int i;

  /* An error may have ended the frame before; not all ask for levels. */
  t->packs = cpi->mt_pack.active = 0;
  cpi->fl.room = threads ? 0 : size;
  if (!threads) return 0;
  if (!vp8_mt_enabled(cpi)) {
    vpx_atomic_store_release(&t->lpf_job, new_job(cpi, 0));
    return 0;
  }

  /* the main thread, the filter's, the helpers */
  t->packs = vp8_mt_pack_begin(cpi, cpi->encoding_thread_count + 2, size);
  if (t->packs) {
    vpx_atomic_store_release(&t->lpf_job, new_job(cpi, 1));
    vp8_sem_post(&cpi->h_event_start_lpf);
  }
  vp8_mt_filter_begin(cpi);
  give_out(cpi, cpi->mt_filter.helpers, 1);
  for (i = 0; i < cpi->mt_filter.helpers; ++i) {
    vp8_sem_post(&cpi->h_event_start_encoding[i]);
  }
  t->active = 1;
  vp8_loopfilter_frame(cpi, &cpi->common);
  return 1;
}

int vp8_mt_tail_filter(VP8_COMP *cpi, int filter) {
  VP8_COMMON *const cm = &cpi->common;

  if (!cpi->mt_tail.active) return 0;
  filter = filter && cm->filter_level > 0;
  if (cpi->mt_filter.helpers) {
    if (filter) {
      vp8_loop_filter_frame_init(cm, &cpi->mb.e_mbd, cm->filter_level);
    }
    vp8_mt_filter_publish(cpi, filter);
  } else if (filter) {
    vp8_loop_filter_frame(cm, &cpi->mb.e_mbd, cm->frame_type);
  }
  return 1;
}

void vp8_mt_tail_abandon(VP8_COMP *cpi) {
  vp8_mt_tail *const t = &cpi->mt_tail;
  int i;

  if (!t->active) return;
  t->active = 0;
  /* The error may have come before the level was known, which helpers wait for. */
  if (!vp8_mt_filter_published(cpi)) vp8_mt_filter_publish(cpi, 0);
  if (t->packs) {
    vp8_mt_pack_end(cpi);
    vp8_mt_wait(cpi, &cpi->h_event_end_lpf);
  }
  for (i = 0; i < cpi->mt_filter.helpers; ++i) {
    vp8_mt_wait(cpi, &cpi->h_event_end_encoding[i]);
  }
  cpi->mt_filter.helpers = 0;
}

void vp8_mt_tail_end(VP8_COMP *cpi) {
  if (!cpi->mt_tail.active) return;
  vp8_mt_tail_abandon(cpi);
  vp8_yv12_extend_frame_borders(cpi->common.frame_to_show);
}

#else

void vp8_mt_tail_end(VP8_COMP *cpi) { (void)cpi; }

#endif  // CONFIG_MULTITHREAD
