/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mt/rows.h"

#include <limits.h>
#include <string.h>

#include "vp8/common/common.h"
#include "vp8/encoder/ethreading.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/quantize.h"
#include "vpx_mem/vpx_mem.h"

extern const int vp8_ref_frame_order[MAX_MODES];

/* libvpx tries a mode if the best cost so far is above a threshold. This
 * multiplier of the threshold, in 1/128, neither favours nor hinders the
 * mode. */
#define NEUTRAL_MULT 128

/* Reset a row to the state after a key frame. A row learns slower than libvpx,
 * which learns from row to row. So it starts from the state that libvpx soon
 * reaches: prediction from the last frame wins, and the golden and altref frame
 * are the same frame. */
static void forget_row(const VP8_COMP *cpi, vp8_mp_mt_row *row) {
  int i;

  for (i = 0; i < MAX_MODES; ++i) {
    const unsigned int freq = cpi->mode_check_freq[i];

    switch (vp8_ref_frame_order[i]) {
      case INTRA_FRAME: row->rd_thresh_mult[i] = NEUTRAL_MULT; break;
      case LAST_FRAME: row->rd_thresh_mult[i] = MIN_THRESHMULT; break;
      default: row->rd_thresh_mult[i] = MAX_THRESHMULT;
    }
    row->hits[i] = freq > 1 ? cpi->common.mb_cols / freq : 0;
  }
}

void vp8_mp_mt_rows_free(VP8_COMP *cpi) {
  vpx_free(cpi->mp.rows.row);
  cpi->mp.rows.row = NULL;
  cpi->mp.rows.mb_rows = 0;
}

static void prepare_rows(VP8_COMP *cpi) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mp_mt_rows *const rows = &cpi->mp.rows;
  int forget = cm->frame_type == KEY_FRAME;
  int i, j;

  if (!vp8_mp_mt_enabled(cpi)) return;
  if (rows->mb_rows != cm->mb_rows) {
    vp8_mp_mt_rows_free(cpi);
    CHECK_MEM_ERROR(&cm->error, rows->row,
                    vpx_calloc(cm->mb_rows, sizeof(*rows->row)));
    rows->mb_rows = cm->mb_rows;
    forget = 1;
  }
  for (i = 0; i < rows->mb_rows; ++i) {
    if (forget) forget_row(cpi, &rows->row[i]);
    for (j = 0; i && j < MAX_MODES; ++j) {
      rows->row[i].hits_above[j] =
          rows->row[i - 1].hits_above[j] + rows->row[i - 1].hits[j];
    }
  }
#if CONFIG_MULTITHREAD
  for (i = 0; i < cpi->encoding_thread_count; ++i) {
    MACROBLOCK *const z = &cpi->mb_row_ei[i].mb;

    /* Stock libvpx never copies these costs: they stay 0 in threads. */
    memcpy(z->ref_frame_cost, cpi->mb.ref_frame_cost,
           sizeof(z->ref_frame_cost));
    /* Stock libvpx never clears these counts. */
    vp8_zero(z->ymode_count);
    vp8_zero(z->uv_mode_count);
  }
#endif
}

void vp8_mp_mt_encode_begin(VP8_COMP *cpi) {
  vp8_mp_mt_set_sync_range(cpi);
  prepare_rows(cpi);
  vp8_mp_mt_give_rows(cpi);
}

/* Reset the quantizer's state of the macroblock that this thread coded
 * before. */
static void reset_quantizer(VP8_COMP *cpi, MACROBLOCK *x) {
  x->zbin_mode_boost = 0;
  x->act_zbin_adj = 0;
  vp8cx_mb_init_quantizer(cpi, x, 0);
}

/* libvpx measures activity by coding all macroblocks in this thread. Stock
 * libvpx begins that with the state of the last macroblock it coded. */
void vp8_mp_mt_rows_activity_begin(VP8_COMP *cpi) {
  MACROBLOCK *const x = &cpi->mb;

  if (!vp8_mp_mt_enabled(cpi)) return;
  x->rddiv = cpi->RDDIV;
  x->rdmult = cpi->RDMULT;
  x->e_mbd.above_context = cpi->common.above_context;
  vp8_zero(cpi->common.left_context);
  reset_quantizer(cpi, x);
}

void vp8_mp_mt_rows_merge(VP8_COMP *cpi, const MACROBLOCK *thread) {
  int i, j, k;

  if (!vp8_mp_mt_enabled(cpi)) return;
  /* Stock libvpx adds the counts of all tokens except the last one. */
  for (i = 0; i < BLOCK_TYPES; ++i) {
    for (j = 0; j < COEF_BANDS; ++j) {
      for (k = 0; k < PREV_COEF_CONTEXTS; ++k) {
        cpi->mb.coef_counts[i][j][k][DCT_EOB_TOKEN] +=
            thread->coef_counts[i][j][k][DCT_EOB_TOKEN];
      }
    }
  }
}

void vp8_mp_mt_row_begin(VP8_COMP *cpi, MACROBLOCK *x, int mb_row) {
  const VP8_COMMON *const cm = &cpi->common;
  const unsigned int suppressed = cm->MBs / 10, row_share = cm->mb_cols / 10;
  const vp8_mp_mt_row *row;
  int i;

  if (!vp8_mp_mt_enabled(cpi)) return;
  row = &cpi->mp.rows.row[mb_row];
  for (i = 0; i < MAX_MODES; ++i) {
    const int base = cpi->rd_baseline_thresh[i];
    const int64_t thresh = (int64_t)(base >> 7) * row->rd_thresh_mult[i];

    x->rd_thresh_mult[i] = row->rd_thresh_mult[i];
    /* INT_MAX: the mode is off */
    x->rd_threshes[i] =
        base == INT_MAX || thresh > INT_MAX ? base : (int)thresh;
  }
#if CONFIG_TEMPORAL_DENOISING
  /* The denoiser's state of the previous macroblock, which only
   * vp8_pick_inter_mode() clears. In stock libvpx it is that of the macroblock
   * which this thread coded last. */
  x->is_skin = 0;
  x->denoise_zeromv = 0;
  x->increase_denoising = 0;
#endif
  /* Count as if one thread had coded the rows above, and had tested as many
   * modes there as in the frame before. */
  x->mbs_tested_so_far = mb_row * cm->mb_cols;
  memcpy(x->mode_test_hit_counts, row->hits_above, sizeof(row->hits_above));
  /* The rest of the number that a frame may have (pickinter.c). */
  x->mbs_zero_last_dot_suppress = suppressed - row_share;
  reset_quantizer(cpi, x);
}

void vp8_mp_mt_row_end(VP8_COMP *cpi, const MACROBLOCK *x, int mb_row) {
  vp8_mp_mt_row *row;
  int i;

  if (!vp8_mp_mt_enabled(cpi) || cpi->common.frame_type == KEY_FRAME) return;
  row = &cpi->mp.rows.row[mb_row];
  for (i = 0; i < MAX_MODES; ++i) {
    row->rd_thresh_mult[i] = x->rd_thresh_mult[i];
    row->hits[i] = x->mode_test_hit_counts[i] - row->hits_above[i];
  }
}
