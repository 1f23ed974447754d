/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mt/finish.h"

#include "vp8/encoder/onyx_int.h"
#include "vpx_scale/vpx_scale.h"
#include "./vpx_scale_rtcd.h"

#if CONFIG_MULTITHREAD

int vp8_mp_mt_finish_begin(VP8_COMP *cpi, size_t size) {
  vp8_mp_mt_finish *const finish = &cpi->mp.finish;
  const int threads = vpx_atomic_load_acquire(&cpi->b_multi_threaded);

  vp8_mp_mt_pack_offer(cpi, threads ? 0 : size);
  if (!threads) return 0;
  if (!vp8_mp_mt_enabled(cpi)) {
    vp8_mp_mt_give_filter_thread(cpi, 0);
    return 0;
  }

  /* by the main thread, the loop-filter thread and the row threads */
  if (vp8_mp_mt_pack_begin(cpi, cpi->encoding_thread_count + 2, size)) {
    vp8_mp_mt_give_filter_thread(cpi, 1);
  }
  finish->has_trials = vp8_mp_mt_level_needs_trials(cpi);
  vp8_mp_mt_give_finish(
      cpi, vp8_mp_mt_filter_begin(cpi, cpi->encoding_thread_count));
  finish->active = 1;
  return 1;
}

int vp8_mp_mt_finish_filter(VP8_COMP *cpi, int filter) {
  if (!cpi->mp.finish.active) return 0;
  vp8_mp_mt_filter_frame(cpi, filter && cpi->common.filter_level > 0);
  return 1;
}

/* Work of a helper: filter, write tokens while there is nothing to filter, and
 * finally write the tokens that are left. */
static void help(VP8_COMP *cpi, int helper) {
  const int packs = cpi->mp.pack.shared;
  /* Trials must not wait for a helper that writes tokens; filtering the frame
   * may. */
  const int meanwhile = packs && !cpi->mp.finish.has_trials;
  int trial = 0, written = -1, spins = 0, state;

  do {
    state = vp8_mp_mt_filter_help(cpi, helper, &trial);
    if (state != VP8_MP_MT_FILTER_WAITS) {
      spins = 0;
    } else if (!meanwhile || !vp8_mp_mt_pack_help(cpi, &written, 1)) {
      vp8_mp_mt_relax(&spins);
    }
  } while (state != VP8_MP_MT_FILTER_DONE);
  if (packs) vp8_mp_mt_pack_help(cpi, &written, 0);
}

int vp8_mp_mt_finish_help(VP8_COMP *cpi, int ithread) {
  const int job = vp8_mp_mt_take(cpi, ithread);

  if (job == VP8_MP_MT_STOCK_JOB) return 0;
  if (job == VP8_MP_MT_FINISH_JOB) {
    help(cpi, ithread);
    vp8_sem_post(&cpi->h_event_end_encoding[ithread]);
  }
  return 1;
}

int vp8_mp_mt_finish_help_lpf(VP8_COMP *cpi) {
  const int job = vp8_mp_mt_take(cpi, VP8_MP_MT_FILTER_THREAD);
  int written = -1;

  if (job == VP8_MP_MT_STOCK_JOB) return 0;
  if (job == VP8_MP_MT_FINISH_JOB) {
    vp8_mp_mt_pack_help(cpi, &written, 0);
    vp8_sem_post(&cpi->h_event_end_lpf);
  }
  return 1;
}

void vp8_mp_mt_finish_abandon(VP8_COMP *cpi) {
  vp8_mp_mt_finish *const finish = &cpi->mp.finish;
  int i;

  if (!finish->active) return;
  finish->active = 0;
  vp8_mp_mt_filter_abandon(cpi);
  if (cpi->mp.pack.shared) {
    vp8_mp_mt_pack_end(cpi);
    vp8_mp_mt_wait(cpi, &cpi->h_event_end_lpf);
  }
  for (i = 0; i < cpi->mp.filter.helpers; ++i) {
    vp8_mp_mt_wait(cpi, &cpi->h_event_end_encoding[i]);
  }
  vp8_mp_mt_filter_end(cpi);
}

void vp8_mp_mt_finish_end(VP8_COMP *cpi) {
  if (!cpi->mp.finish.active) return;
  vp8_mp_mt_finish_abandon(cpi);
  vp8_yv12_extend_frame_borders(cpi->common.frame_to_show);
}

#else

void vp8_mp_mt_finish_end(VP8_COMP *cpi) { (void)cpi; }

void vp8_mp_mt_finish_abandon(VP8_COMP *cpi) { (void)cpi; }

#endif  // CONFIG_MULTITHREAD
