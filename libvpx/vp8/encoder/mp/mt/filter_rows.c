/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mt/filter_rows.h"

#include <string.h>

#include "./vpx_dsp_rtcd.h"
#include "vp8/common/loopfilter.h"
#include "vp8/encoder/mp/recon/loop_filter.h"
#include "vp8/encoder/onyx_int.h"

/* Number of macroblocks between two checks of the progress of the row above. */
#define CHUNK 4

/* Number of the filtering of the frame, above that of any trial. */
#define LAST_TRIAL (1 << 20)

static unsigned int row_sse(const VP8_COMP *cpi, int mb_row) {
  const YV12_BUFFER_CONFIG *const a = cpi->mp.filter.source;
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

/* Restore the unfiltered lines from first to end (exclusive). */
static void restore(const VP8_COMP *cpi, int first, int end) {
  const YV12_BUFFER_CONFIG *const from = cpi->mp.filter.unfiltered;
  const YV12_BUFFER_CONFIG *const to = cpi->common.frame_to_show;
  int i;

  for (i = first; i < end; ++i) {
    memcpy(to->y_buffer + i * to->y_stride, from->y_buffer + i * from->y_stride,
           to->y_width);
  }
}

static void filter_row_alone(const VP8_COMP *cpi, int row, int chroma) {
  vp8_mp_recon_filter_mbs(&cpi->common, cpi->mp.filter.frame_type, row, 0,
                          cpi->common.mb_cols, chroma);
}

#if CONFIG_MULTITHREAD

/* Filter a row while another thread filters the row above. A macroblock follows
 * the one to the upper right, because the filter of that one's left edge
 * changes pixels that this macroblock's filter reads. */
static void filter_row_in_step(VP8_COMP *cpi, int row, int chroma) {
  const VP8_COMMON *const cm = &cpi->common;
  vpx_atomic_int *const progress = &cpi->mt_current_mb_col[VP8_MP_MT_COL(row)];
  int col, end;

  for (col = 0; col < cm->mb_cols; col = end) {
    end = col + CHUNK < cm->mb_cols ? col + CHUNK : cm->mb_cols;
    vpx_atomic_store_release(progress, col);
    if (row) {
      vp8_mp_mt_await(&cpi->mt_current_mb_col[VP8_MP_MT_COL(row - 1)],
                      end < cm->mb_cols ? end + 1 : end);
    }
    vp8_mp_recon_filter_mbs(cm, cpi->mp.filter.frame_type, row, col, end,
                            chroma);
  }
  vpx_atomic_store_release(progress, cm->mb_cols);
}

/* Reset the progress of all rows. */
static void restart(VP8_COMP *cpi) {
  int i;

  for (i = 0; i < cpi->common.mb_rows; ++i) {
    vpx_atomic_store_release(&cpi->mt_current_mb_col[VP8_MP_MT_COL(i)], 0);
  }
}

#else

#define filter_row_in_step filter_row_alone

#endif  // CONFIG_MULTITHREAD

/* Filter every n-th row from first on. Returns its error. */
static unsigned int try_rows(VP8_COMP *cpi, int first, int n) {
  const int rows = cpi->common.mb_rows;
  unsigned int sse = 0;
  int row;

  for (row = first; row < rows; row += n) {
    restore(cpi, row * 16, row * 16 + 16);
    if (n == 1) {
      filter_row_alone(cpi, row, 0);
    } else {
      filter_row_in_step(cpi, row, 0);
    }
    if (row) sse += row_sse(cpi, row - 1);
  }
  if (row - n == rows - 1) sse += row_sse(cpi, rows - 1);
  return sse;
}

/* The same for rows that are not adjacent, so that no row waits for another. */
static unsigned int try_apart(const VP8_COMP *cpi, int first, int n) {
  unsigned int sse = 0;
  int row;

  for (row = first; row < cpi->common.mb_rows; row += n) {
    /* The filter of the upper edge changes up to four lines above it. */
    restore(cpi, row ? row * 16 - 4 : 0, row * 16 + 16);
    filter_row_alone(cpi, row, 0);
    sse += row_sse(cpi, row);
  }
  return sse;
}

/* Do share number first of n shares. */
static unsigned int try_share(VP8_COMP *cpi, int first, int n) {
  const vp8_mp_mt_filter *const f = &cpi->mp.filter;

  return f->step ? try_apart(cpi, f->first + first * f->step, n * f->step)
                 : try_rows(cpi, first, n);
}

int vp8_mp_mt_filter_error(VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                           const YV12_BUFFER_CONFIG *unfiltered, int step,
                           int first) {
  vp8_mp_mt_filter *const f = &cpi->mp.filter;
  unsigned int sse;

  f->source = source;
  f->unfiltered = unfiltered;
  f->step = step;
  f->first = first;
  f->frame_type = cpi->common.frame_type;
#if CONFIG_MULTITHREAD
  if (f->helpers) {
    int i;

    restart(cpi);
    vpx_atomic_store_release(&f->trial, ++f->trials);
    sse = try_share(cpi, 0, f->helpers + 1);
    for (i = 0; i < f->helpers; ++i) {
      vp8_mp_mt_await(&f->helper[i].done, f->trials);
      sse += f->helper[i].sse;
    }
    return (int)sse;
  }
#endif
  sse = try_share(cpi, 0, 1);
  return (int)sse;
}

#if CONFIG_MULTITHREAD

int vp8_mp_mt_filter_begin(VP8_COMP *cpi, int threads) {
  vp8_mp_mt_filter *const f = &cpi->mp.filter;
  /* More helpers would only wait for each other. */
  const int most = cpi->common.mb_cols / (2 * CHUNK) - 1;
  int i;

  f->trials = 0;
  f->helpers = threads;
  if (f->helpers > most) f->helpers = most > 0 ? most : 0;
  vpx_atomic_store_release(&f->trial, 0);
  for (i = 0; i < f->helpers; ++i) {
    vpx_atomic_store_release(&f->helper[i].done, 0);
  }
  return f->helpers;
}

void vp8_mp_mt_filter_frame(VP8_COMP *cpi, int filter) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mp_mt_filter *const f = &cpi->mp.filter;

  if (!f->helpers) {
    if (filter) vp8_mp_recon_filter_frame(cpi, cm->frame_type);
    return;
  }
  if (filter) vp8_loop_filter_frame_init(cm, &cpi->mb.e_mbd, cm->filter_level);
  restart(cpi);
  f->filter = filter;
  f->frame_type = cm->frame_type;
  vpx_atomic_store_release(&f->trial, LAST_TRIAL);
}

void vp8_mp_mt_filter_abandon(VP8_COMP *cpi) {
  if (vpx_atomic_load_acquire(&cpi->mp.filter.trial) != LAST_TRIAL) {
    vp8_mp_mt_filter_frame(cpi, 0);
  }
}

int vp8_mp_mt_filter_help(VP8_COMP *cpi, int helper, int *trial) {
  vp8_mp_mt_filter *const f = &cpi->mp.filter;
  const int next = vpx_atomic_load_acquire(&f->trial);
  int row;

  if (next == *trial) return VP8_MP_MT_FILTER_WAITS;
  *trial = next;
  if (next != LAST_TRIAL) {
    f->helper[helper].sse = try_share(cpi, helper + 1, f->helpers + 1);
    vpx_atomic_store_release(&f->helper[helper].done, next);
    return VP8_MP_MT_FILTER_TRIED;
  }
  for (row = helper; f->filter && row < cpi->common.mb_rows;
       row += f->helpers) {
    if (f->helpers == 1) {
      filter_row_alone(cpi, row, 1);
    } else {
      filter_row_in_step(cpi, row, 1);
    }
  }
  return VP8_MP_MT_FILTER_DONE;
}

void vp8_mp_mt_filter_end(VP8_COMP *cpi) { cpi->mp.filter.helpers = 0; }

#endif  // CONFIG_MULTITHREAD
