/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/whole/take.h"

#include <limits.h>
#include <string.h>

#include "vp8/common/findnearmv.h"
#include "vp8/encoder/mp/mode/candidate.h"
#include "vp8/encoder/mp/mode/rd.h"
#include "vp8/encoder/mp/mt/rows.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/mp/recon/portable.h"
#include "vp8/encoder/onyx_int.h"

static int_mv vector(const int16_t v[2]) {
  int_mv mv;

  mv.as_mv.row = v[0];
  mv.as_mv.col = v[1];
  return mv;
}

/* ---- modes --------------------------------------------------------------- */

/* Set the mode of a macroblock that was decided as SPLITMV. The decision counts
 * its vectors even if its residual was dropped later. */
static VP8_MP_RECON_NOINLINE void take_split(MACROBLOCK *x,
                                             const vp8e_mp_coded_t *c,
                                             const vp8e_mp_blocks_t *b) {
  MB_MODE_INFO *const mbmi = &x->e_mbd.mode_info_context->mbmi;
  int_mv best_mv = vector(c->best_mv);
  vp8_mp_mode_best best;
  int i;

  best.mbmi = *mbmi;
  best.mbmi.mode = SPLITMV;
  memset(&best.partition, 0, sizeof(best.partition));
  best.partition.count = vp8_mbsplit_count[c->partitioning];
  for (i = 0; i < best.partition.count; ++i) {
    const int block = vp8_mbsplit_offset[c->partitioning][i];

    best.partition.bmi[i].mode = (B_PREDICTION_MODE)b->split_mode[i];
    best.partition.bmi[i].mv = vector(b->block.mv[block]);
  }
  for (i = 0; i < 16; ++i) best.bmi[i].mv = vector(b->block.mv[i]);
  best.partition.bmi[15].mv = best.bmi[15].mv;
  vp8_mp_mode_take(x, &best, &best_mv);
  mbmi->mode = c->mode;
}

static VP8_MP_RECON_NOINLINE void take_block_modes(MODE_INFO *mi,
                                                   const vp8e_mp_blocks_t *b) {
  int i;

  for (i = 0; i < 16; ++i) {
    mi->bmi[i].as_mode = (B_PREDICTION_MODE)b->block.bmode[i];
  }
}

static void take_mode(MACROBLOCK *x, const vp8e_mp_coded_t *c,
                      const vp8e_mp_blocks_t *b) {
  MODE_INFO *const mi = x->e_mbd.mode_info_context;
  MB_MODE_INFO *const mbmi = &mi->mbmi;
  const int segment = mbmi->segment_id;

  memset(mbmi, 0, sizeof(*mbmi));
  mbmi->mode = c->mode;
  mbmi->uv_mode = c->uv_mode;
  mbmi->ref_frame = c->ref;
  mbmi->partitioning = c->partitioning;
  mbmi->segment_id = segment;
  mbmi->mb_skip_coeff = !c->tokens;
  if (c->mode == B_PRED) {
    take_block_modes(mi, b);
  } else if (c->ref != INTRA_FRAME) {
    mbmi->mv = vector(c->mv);
  }
  if (c->mode == SPLITMV || (c->flags & VP8E_MP_CODED_STILL)) {
    take_split(x, c, b);
  } else if (c->mode == NEWMV) {
    int_mv best_mv = vector(c->best_mv);

    vp8_mp_mode_count_vectors(x, &best_mv);
  }
}

/* Take macroblock mb, whose segment is set. */
static void take(const VP8_COMP *cpi, MACROBLOCK *x, int mb) {
  const vp8_mp_whole_state *const whole = &cpi->mp.whole;
  const vp8e_mp_coded_t *const c = whole->coded + mb;

  ++x->mp_counts.guided;
  x->mp_counts.evaluated += c->evaluated;
  if (c->flags & VP8E_MP_CODED_UNEVALUATED) ++x->mp_counts.unevaluated;
  x->prediction_error += c->distortion;
  x->intra_error += c->intra_error;
  take_mode(x, c, whole->blocks + mb);
  if (x->e_mbd.frame_type != KEY_FRAME) ++x->count_mb_ref_frame_usage[c->ref];
  if (c->ref == INTRA_FRAME) {
    ++x->ymode_count[c->mode];
    ++x->uv_mode_count[c->uv_mode];
  }
  if (!c->tokens) ++x->skip_true_count;
}

static void begin(MACROBLOCK *x) {
  x->mp_guided = 1;
  x->zero_last_dot_suppress = 0;
  x->act_zbin_adj = 0;
}

int vp8_mp_whole_take(VP8_COMP *cpi, MACROBLOCK *x, int *rate) {
  const vp8_mp_whole_state *const whole = &cpi->mp.whole;
  int mb;

  if (!whole->coded) return 0;
  mb = vp8_mp_mb_index(x, cpi->common.mb_cols);
  begin(x);
  take(cpi, x, mb);
  *rate = whole->coded[mb].rate;
  return 1;
}

/* ---- rows ---------------------------------------------------------------- */

static int is_still(const vp8e_mp_coded_t *c) {
  return c->mode == ZEROMV && c->ref == LAST_FRAME;
}

/* Count for how many frames a macroblock was predicted by the last frame's zero
 * vector, up to 255. */
static void count_still(VP8_COMP *cpi, int mb, int still) {
  unsigned char *const zeros = cpi->consec_zero_last + mb;
  unsigned char *const biased = cpi->consec_zero_last_mvbias + mb;

  *zeros = still ? *zeros + (*zeros < 255) : 0;
  *biased = still ? *biased + (*biased < 255) : 0;
}

/* Adds to *still. */
static void take_row(VP8_COMP *cpi, int mb_row, int *segment_counts, int *rate,
                     int *still) {
  const VP8_COMMON *const cm = &cpi->common;
  MACROBLOCK *const x = &cpi->mb;
  MACROBLOCKD *const xd = &x->e_mbd;
  const vp8e_mp_coded_t *c = cpi->mp.whole.coded + mb_row * cm->mb_cols;
  const int base = cm->frame_type != KEY_FRAME && cpi->current_layer == 0;
  int mb = mb_row * cm->mb_cols, col;

  for (col = 0; col < cm->mb_cols; ++col, ++mb, ++c) {
    MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;
    const int segment =
        xd->segmentation_enabled ? cpi->segmentation_map[mb] : 0;

    /* The modes were read a frame ago: they are not in the cache. 608 bytes
     * ahead. */
    VP8_MP_RECON_PREFETCH(xd->mode_info_context + 8);
    mbmi->segment_id = segment <= 3 ? segment : 0;
    take(cpi, x, mb);
    *rate = INT_MAX - *rate > c->rate ? *rate + c->rate : INT_MAX;
    *still += is_still(c);
    if (base) count_still(cpi, mb, is_still(c));
    ++segment_counts[mbmi->segment_id];
    ++xd->mode_info_context;
    ++x->partition_info;
  }
  /* the column beside the frame */
  ++xd->mode_info_context;
  ++x->partition_info;
}

int vp8_mp_whole_take_rows(VP8_COMP *cpi, int *segment_counts, int *rate) {
  const VP8_COMMON *const cm = &cpi->common;
  MACROBLOCK *const x = &cpi->mb;
  int mb_row, still = 0;

  if (!cpi->mp.whole.coded) return 0;
  begin(x);
  for (mb_row = 0; mb_row < cm->mb_rows; ++mb_row) {
    cpi->tplist[mb_row].start = cpi->tplist[mb_row].stop = cpi->tok;
    vp8_mp_fetch_row(cpi, x, mb_row);
    vp8_mp_mt_row_begin(cpi, x, mb_row);
    take_row(cpi, mb_row, segment_counts, rate, &still);
    vp8_mp_mt_row_end(cpi, x, mb_row);
  }
  cpi->mp.whole.still = still;
  return cm->mb_rows;
}
