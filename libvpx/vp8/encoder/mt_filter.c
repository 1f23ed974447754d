/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mt_filter.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#endif
#include <string.h>

#include "./vp8_rtcd.h"
#include "./vpx_dsp_rtcd.h"
#include "vp8/common/loopfilter.h"
#include "vp8/common/threading.h"
#include "vp8/encoder/guided_mode.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/picklpf.h"

#if CONFIG_MULTITHREAD

/* Macroblocks between two looks at the row above. */
#define CHUNK 4

/* With an aggressive guide, trials in inter frames filter one of so many rows of
 * macroblocks: an eighth of best's time for 0.1 % bitrate in the mean, 0.5 % in
 * a static scene. */
#define SAMPLE 4

/* Looks before a waiting thread gives its core away; some 10 us. */
#define SPINS 400

/* Unlike libvpx's own, this wait lets another thread run if there are more of
 * them than cores. */
static void relax(int *spins) {
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

static void wait_for(const vpx_atomic_int *progress, int value) {
  int spins = 0;

  while (vpx_atomic_load_acquire(progress) < value) relax(&spins);
}

static void filter_mb(const VP8_COMMON *cm, const MODE_INFO *mi, int mb_row,
                      int mb_col, unsigned char *y, int stride) {
  loop_filter_info lfi;
  const int edges = vp8_ff_edges(cm, cm->frame_type, mi, mb_row, mb_col, &lfi);
  const int inner = edges & VP8_FF_INNER;

  if (!edges) return;
  if (cm->filter_type == NORMAL_LOOPFILTER) {
    vp8_ff_filter_mb(y, NULL, NULL, stride, 0, &lfi, edges);
  } else {
    if (mb_col) vp8_loop_filter_simple_mbv(y, stride, lfi.mblim);
    if (inner) vp8_loop_filter_simple_bv(y, stride, lfi.blim);
    if (mb_row) vp8_loop_filter_simple_mbh(y, stride, lfi.mblim);
    if (inner) vp8_loop_filter_simple_bh(y, stride, lfi.blim);
  }
}

static unsigned int row_sse(const VP8_COMP *cpi, int mb_row) {
  const YV12_BUFFER_CONFIG *const a = cpi->mt_filter.source;
  const YV12_BUFFER_CONFIG *const b = cpi->common.frame_to_show;
  const unsigned char *const pa = a->y_buffer + mb_row * 16 * a->y_stride;
  const unsigned char *const pb = b->y_buffer + mb_row * 16 * b->y_stride;
  unsigned int sum = 0, sse;
  int x;

  for (x = 0; x < b->y_width; x += 16) {
    sum += vpx_mse16x16(pa + x, a->y_stride, pb + x, b->y_stride, &sse);
  }
  return sum;
}

/* Every n-th row, from the first-th. A macroblock follows the one above right of
 * it, whose left edge reaches into what it filters. */
static unsigned int filter_rows(VP8_COMP *cpi, int first, int n) {
  VP8_COMMON *const cm = &cpi->common;
  const YV12_BUFFER_CONFIG *const from = cpi->mt_filter.unfiltered;
  const YV12_BUFFER_CONFIG *const to = cm->frame_to_show;
  const int stride = to->y_stride;
  unsigned int sse = 0;
  int row, col, i;

  for (row = first; row < cm->mb_rows; row += n) {
    const MODE_INFO *const mi = cm->mi + row * cm->mode_info_stride;
    unsigned char *const y = to->y_buffer + row * 16 * stride;

    for (i = 0; i < 16; ++i) {
      memcpy(y + i * stride, from->y_buffer + (row * 16 + i) * from->y_stride,
             to->y_width);
    }
    for (col = 0; col < cm->mb_cols; ++col) {
      if (n > 1 && col % CHUNK == 0) {
        vpx_atomic_store_release(&cpi->mt_current_mb_col[row], col);
        /* columns done above, beyond this chunk's */
        if (row) {
          const int need = col + CHUNK < cm->mb_cols ? col + CHUNK + 1
                                                     : cm->mb_cols;

          wait_for(&cpi->mt_current_mb_col[row - 1], need);
        }
      }
      filter_mb(cm, mi + col, row, col, y + col * 16, stride);
    }
    if (n > 1) {
      vpx_atomic_store_release(&cpi->mt_current_mb_col[row], cm->mb_cols);
    }
    if (row) sse += row_sse(cpi, row - 1);
  }
  if (row - n == cm->mb_rows - 1) sse += row_sse(cpi, cm->mb_rows - 1);
  return sse;
}

/* Filter a sample of the rows, as if nothing was filtered above and below them:
 * they do not wait for each other. */
static unsigned int filter_sample(const VP8_COMP *cpi, int first, int n) {
  const VP8_COMMON *const cm = &cpi->common;
  const YV12_BUFFER_CONFIG *const from = cpi->mt_filter.unfiltered;
  const YV12_BUFFER_CONFIG *const to = cm->frame_to_show;
  unsigned int sse = 0;
  int row = first * SAMPLE, col, i;

  if (cm->mb_rows > SAMPLE / 2) row += SAMPLE / 2;
  for (; row < cm->mb_rows; row += n * SAMPLE) {
    const MODE_INFO *const mi = cm->mi + row * cm->mode_info_stride;
    unsigned char *const y = to->y_buffer + row * 16 * to->y_stride;

    /* The edge above reaches four lines far. */
    for (i = row ? -4 : 0; i < 16; ++i) {
      memcpy(y + i * to->y_stride,
             from->y_buffer + (row * 16 + i) * from->y_stride, to->y_width);
    }
    for (col = 0; col < cm->mb_cols; ++col) {
      filter_mb(cm, mi + col, row, col, y + col * 16, to->y_stride);
    }
    sse += row_sse(cpi, row);
  }
  return sse;
}

static unsigned int filter_share(VP8_COMP *cpi, int first, int n) {
  return vp8_gm_is_aggressive(cpi) && cpi->common.frame_type != KEY_FRAME
             ? filter_sample(cpi, first, n)
             : filter_rows(cpi, first, n);
}

static void begin(VP8_COMP *cpi) {
  vp8_mt_filter *const f = &cpi->mt_filter;
  /* More would only wait for each other. */
  const int most = cpi->common.mb_cols / (2 * CHUNK) - 1;
  int i;

  f->trials = 0;
  f->helpers = 0;
  if (!vpx_atomic_load_acquire(&cpi->b_multi_threaded)) return;
  f->helpers = cpi->encoding_thread_count;
  if (f->helpers > most) f->helpers = most > 0 ? most : 0;
  vpx_atomic_store_release(&f->trial, 0);
  for (i = 0; i < f->helpers; ++i) {
    vpx_atomic_store_release(&f->helper[i].done, 0);
    vp8_sem_post(&cpi->h_event_start_encoding[i]);
  }
}

int vp8_mt_filter_error(VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                        const YV12_BUFFER_CONFIG *unfiltered, int level,
                        int *error) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mt_filter *const f = &cpi->mt_filter;
  unsigned int sse;
  int i;

  if (!cpi->mp.provider || !cpi->mp.provider->repair_threads ||
      source->y_width != unfiltered->y_width ||
      source->y_height != unfiltered->y_height) {
    return 0;
  }
  f->source = source;
  f->unfiltered = unfiltered;
  if (!f->trials) begin(cpi);
  vp8cx_set_alt_lf_level(cpi, level);
  vp8_loop_filter_frame_init(cm, &cpi->mb.e_mbd, level);
  ++f->trials;
  if (f->helpers) {
    for (i = 0; i < cm->mb_rows; ++i) {
      vpx_atomic_store_release(&cpi->mt_current_mb_col[i], 0);
    }
    vpx_atomic_store_release(&f->trial, f->trials);
  }
  sse = filter_share(cpi, 0, f->helpers + 1);
  for (i = 0; i < f->helpers; ++i) {
    wait_for(&f->helper[i].done, f->trials);
    sse += f->helper[i].sse;
  }
  *error = (int)sse;
  return 1;
}

void vp8_mt_filter_end(VP8_COMP *cpi) {
  vp8_mt_filter *const f = &cpi->mt_filter;
  int i;

  if (!f->trials) return;
  if (f->helpers) {
    vpx_atomic_store_release(&f->trial, -1);
    for (i = 0; i < f->helpers; ++i) {
      vp8_sem_wait(&cpi->h_event_end_encoding[i]);
    }
  }
  f->helpers = 0;
  f->trials = 0;
}

int vp8_mt_filter_help(VP8_COMP *cpi, int ithread) {
  vp8_mt_filter *const f = &cpi->mt_filter;
  int last = 0, spins = 0;

  if (!f->helpers) return 0;
  for (;;) {
    const int trial = vpx_atomic_load_acquire(&f->trial);

    if (trial < 0) break;
    if (trial == last) {
      relax(&spins);
      continue;
    }
    spins = 0;
    f->helper[ithread].sse = filter_share(cpi, ithread + 1, f->helpers + 1);
    vpx_atomic_store_release(&f->helper[ithread].done, trial);
    last = trial;
  }
  vp8_sem_post(&cpi->h_event_end_encoding[ithread]);
  return 1;
}

#else

int vp8_mt_filter_error(VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                        const YV12_BUFFER_CONFIG *unfiltered, int level,
                        int *error) {
  (void)cpi;
  (void)source;
  (void)unfiltered;
  (void)level;
  (void)error;
  return 0;
}

void vp8_mt_filter_end(VP8_COMP *cpi) { (void)cpi; }

#endif  // CONFIG_MULTITHREAD
