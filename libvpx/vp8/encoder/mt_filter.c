/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mt_filter.h"

#include <string.h>

#include "./vp8_rtcd.h"
#include "./vpx_dsp_rtcd.h"
#include "vp8/common/loopfilter.h"
#include "vp8/common/threading.h"
#include "vp8/encoder/guided_level.h"
#include "vp8/encoder/mt_tail.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/picklpf.h"

#if CONFIG_MULTITHREAD

/* Macroblocks between two looks at the row above. */
#define CHUNK 4

/* With an aggressive guide, trials in inter frames filter one of so many rows of
 * macroblocks: an eighth of best's time for 0.1 % bitrate in the mean, 0.5 % in
 * a static scene. */
#define SAMPLE 4

/* After all trials. */
#define LAST_TRIAL (1 << 20)

static void wait_for(const vpx_atomic_int *progress, int value) {
  int spins = 0;

  while (vpx_atomic_load_acquire(progress) < value) vp8_mt_relax(&spins);
}

static void filter_mb(const VP8_COMP *cpi, const MODE_INFO *mi, int mb_row,
                      int mb_col, unsigned char *y, unsigned char *u,
                      unsigned char *v, int stride, int uv_stride) {
  const VP8_COMMON *const cm = &cpi->common;
  loop_filter_info lfi;
  const int edges = vp8_ff_edges(cm, cpi->mt_filter.frame_type, mi, mb_row,
                                 mb_col, &lfi);
  const int inner = edges & VP8_FF_INNER;

  if (!edges) return;
  if (cm->filter_type == NORMAL_LOOPFILTER) {
    vp8_ff_filter_mb(y, u, v, stride, uv_stride, &lfi, edges);
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

/* A macroblock follows the one above right of it, whose left edge reaches into
 * what it filters. chroma: of the frame, not of a trial. */
static void filter_row(VP8_COMP *cpi, int row, int chroma, int alone) {
  VP8_COMMON *const cm = &cpi->common;
  const YV12_BUFFER_CONFIG *const to = cm->frame_to_show;
  const MODE_INFO *const mi = cm->mi + row * cm->mode_info_stride;
  unsigned char *const y = to->y_buffer + row * 16 * to->y_stride;
  unsigned char *u = chroma ? to->u_buffer + row * 8 * to->uv_stride : NULL;
  unsigned char *v = chroma ? to->v_buffer + row * 8 * to->uv_stride : NULL;
  vpx_atomic_int *const progress =
      alone ? NULL : &cpi->mt_current_mb_col[VP8_MT_COL(row)];
  int col;

  for (col = 0; col < cm->mb_cols; ++col) {
    if (!alone && col % CHUNK == 0) {
      vpx_atomic_store_release(progress, col);
      /* columns done above, beyond this chunk's */
      if (row) {
        wait_for(&cpi->mt_current_mb_col[VP8_MT_COL(row - 1)],
                 col + CHUNK < cm->mb_cols ? col + CHUNK + 1 : cm->mb_cols);
      }
    }
    filter_mb(cpi, mi + col, row, col, y + col * 16, u, v, to->y_stride,
              to->uv_stride);
    if (chroma) {
      u += 8;
      v += 8;
    }
  }
  if (!alone) vpx_atomic_store_release(progress, cm->mb_cols);
}

/* Every n-th row, from the first-th. */
static unsigned int filter_rows(VP8_COMP *cpi, int first, int n) {
  const VP8_COMMON *const cm = &cpi->common;
  const YV12_BUFFER_CONFIG *const from = cpi->mt_filter.unfiltered;
  const YV12_BUFFER_CONFIG *const to = cm->frame_to_show;
  unsigned int sse = 0;
  int row, i;

  for (row = first; row < cm->mb_rows; row += n) {
    for (i = row * 16; i < row * 16 + 16; ++i) {
      memcpy(to->y_buffer + i * to->y_stride,
             from->y_buffer + i * from->y_stride, to->y_width);
    }
    filter_row(cpi, row, 0, n == 1);
    if (row) sse += row_sse(cpi, row - 1);
  }
  if (row - n == cm->mb_rows - 1) sse += row_sse(cpi, cm->mb_rows - 1);
  return sse;
}

static int samples(const VP8_COMP *cpi) {
  return vp8_gm_is_aggressive(cpi) && cpi->common.frame_type != KEY_FRAME;
}

static int first_sample(const VP8_COMMON *cm) {
  return cm->mb_rows > SAMPLE / 2 ? SAMPLE / 2 : 0;
}

void vp8_mt_filter_sample(const VP8_COMP *cpi, int *step, int *first) {
  if (!vp8_mt_enabled(cpi) || !samples(cpi)) return;
  *step = SAMPLE;
  *first = first_sample(&cpi->common);
}

/* Filter a sample of the rows, as if nothing was filtered above and below them:
 * they do not wait for each other. */
static unsigned int filter_sample(const VP8_COMP *cpi, int first, int n) {
  const VP8_COMMON *const cm = &cpi->common;
  const YV12_BUFFER_CONFIG *const from = cpi->mt_filter.unfiltered;
  const YV12_BUFFER_CONFIG *const to = cm->frame_to_show;
  unsigned int sse = 0;
  int row = first * SAMPLE + first_sample(cm), col, i;

  for (; row < cm->mb_rows; row += n * SAMPLE) {
    const MODE_INFO *const mi = cm->mi + row * cm->mode_info_stride;
    unsigned char *const y = to->y_buffer + row * 16 * to->y_stride;

    /* The edge above reaches four lines far. */
    for (i = row ? -4 : 0; i < 16; ++i) {
      memcpy(y + i * to->y_stride,
             from->y_buffer + (row * 16 + i) * from->y_stride, to->y_width);
    }
    for (col = 0; col < cm->mb_cols; ++col) {
      filter_mb(cpi, mi + col, row, col, y + col * 16, NULL, NULL,
                to->y_stride, to->uv_stride);
    }
    sse += row_sse(cpi, row);
  }
  return sse;
}

static unsigned int filter_share(VP8_COMP *cpi, int first, int n) {
  return samples(cpi) ? filter_sample(cpi, first, n)
                      : filter_rows(cpi, first, n);
}

/* Nothing of a row is done. */
static void restart(VP8_COMP *cpi) {
  int i;

  for (i = 0; i < cpi->common.mb_rows; ++i) {
    vpx_atomic_store_release(&cpi->mt_current_mb_col[VP8_MT_COL(i)], 0);
  }
}

void vp8_mt_filter_begin(VP8_COMP *cpi) {
  vp8_mt_filter *const f = &cpi->mt_filter;
  /* More would only wait for each other. */
  const int most = cpi->common.mb_cols / (2 * CHUNK) - 1;
  int i;

  f->trials = 0;
  f->searches =
      cpi->sf.auto_filter && !cpi->common.no_lpf && !vp8_fl_asks(cpi);
  f->helpers = cpi->encoding_thread_count;
  if (f->helpers > most) f->helpers = most > 0 ? most : 0;
  vpx_atomic_store_release(&f->trial, 0);
  for (i = 0; i < f->helpers; ++i) {
    vpx_atomic_store_release(&f->helper[i].done, 0);
  }
}

int vp8_mt_filter_error(VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                        const YV12_BUFFER_CONFIG *unfiltered, int level,
                        int *error) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mt_filter *const f = &cpi->mt_filter;
  unsigned int sse;
  int i;

  if (vp8_fl_error(cpi, level, error)) return 1;
  if (!vp8_mt_enabled(cpi) ||
      source->y_width != unfiltered->y_width ||
      source->y_height != unfiltered->y_height) {
    return 0;
  }
  f->frame_type = cm->frame_type;
  f->source = source;
  f->unfiltered = unfiltered;
  vp8cx_set_alt_lf_level(cpi, level);
  vp8_loop_filter_frame_init(cm, &cpi->mb.e_mbd, level);
  ++f->trials;
  if (f->helpers) {
    restart(cpi);
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

void vp8_mt_filter_publish(VP8_COMP *cpi, int filter) {
  vp8_mt_filter *const f = &cpi->mt_filter;

  restart(cpi);
  f->filter = filter;
  f->frame_type = cpi->common.frame_type;
  vpx_atomic_store_release(&f->trial, LAST_TRIAL);
}

int vp8_mt_filter_published(const VP8_COMP *cpi) {
  return vpx_atomic_load_acquire(&cpi->mt_filter.trial) == LAST_TRIAL;
}

void vp8_mt_filter_help(VP8_COMP *cpi, int ithread) {
  vp8_mt_filter *const f = &cpi->mt_filter;
  const int packs = cpi->mt_tail.packs;
  int trial = 0, spins = 0, written = -1;

  while (trial != LAST_TRIAL) {
    const int last = trial;

    trial = vpx_atomic_load_acquire(&f->trial);
    if (trial == last) {
      /* A trial must not wait for tokens, the frame may. */
      if (f->searches || !packs || !vp8_mt_pack_help(cpi, &written, 1)) {
        vp8_mt_relax(&spins);
      }
      continue;
    }
    spins = 0;
    if (trial != LAST_TRIAL) {
      f->helper[ithread].sse = filter_share(cpi, ithread + 1, f->helpers + 1);
      vpx_atomic_store_release(&f->helper[ithread].done, trial);
    } else if (f->filter) {
      int row;

      for (row = ithread; row < cpi->common.mb_rows; row += f->helpers) {
        filter_row(cpi, row, 1, f->helpers == 1);
      }
    }
  }
  if (packs) vp8_mt_pack_help(cpi, &written, 0);
}

#else

int vp8_mt_filter_error(VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                        const YV12_BUFFER_CONFIG *unfiltered, int level,
                        int *error) {
  (void)source;
  (void)unfiltered;
  return vp8_fl_error(cpi, level, error);
}

#endif  // CONFIG_MULTITHREAD
