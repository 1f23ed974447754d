/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Plans SPLITMV: shape, sub-modes and vectors, without a transform. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "vp8/common/entropymode.h"
#include "vp8/common/findnearmv.h"
#include "vp8/encoder/guided_mode.h"
#include "vp8/encoder/mcomp.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/rdopt.h"
#include "vp8/encoder/treewriter.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* 4x4 vectors further than this from the provider's are not tried, 1/8 pel. */
#define MAX_REACH_4X4 64

/* More than any vector costs. */
#define UNCODABLE_RATE (1 << 16)

/* By vp8_mbsplit_tree. */
static INLINE int shape_rate(int shape) {
  const vp8_prob *const p = vp8_mbsplit_probs;

  if (shape == BLOCK_4X4) return vp8_cost_zero(p[0]);
  if (shape == BLOCK_8X8) return vp8_cost_one(p[0]) + vp8_cost_zero(p[1]);
  return vp8_cost_one(p[0]) + vp8_cost_one(p[1]) +
         vp8_cost_bit(p[2], shape == BLOCK_8X16);
}

/* What vectors of one reference cost, and which can be coded; 1/8 pel. */
typedef struct vector_rates {
  int_mv best_ref;
  int min_row, max_row, min_col, max_col;
  int min_diff;       /* see VP8_MP_MIN_MV_DIFF() */
  const int *cost[2]; /* rows, columns */
  int mode_rate;      /* of NEW4X4 */
} vector_rates;

static void set_vector_rates(const vp8_gm_decision *d, int ref,
                             vector_rates *v) {
  const MACROBLOCK *const x = d->x;
  const int bias = d->cpi->common.ref_frame_sign_bias[ref];
  const MV best = d->best_ref_mv[bias].as_mv;

  v->best_ref.as_mv = best;
  /* vp8_gm_codable() */
  v->min_row = VPXMAX(best.row - VP8_MP_MAX_MV_DIFF, x->mv_row_min * 8);
  v->max_row = VPXMIN(best.row + VP8_MP_MAX_MV_DIFF, x->mv_row_max * 8 + 7);
  v->min_col = VPXMAX(best.col - VP8_MP_MAX_MV_DIFF, x->mv_col_min * 8);
  v->max_col = VPXMIN(best.col + VP8_MP_MAX_MV_DIFF, x->mv_col_max * 8 + 7);
  v->min_diff = VP8_MP_MIN_MV_DIFF(x->mvcost);
  v->cost[0] = x->mvcost[0];
  v->cost[1] = x->mvcost[1];
  v->mode_rate = x->inter_bmode_costs[NEW4X4];
}

static INLINE int new_rate(const vector_rates *v, int_mv mv) {
  int row, col;

  /* The tables end where vectors cannot be coded. */
  if (mv.as_mv.row < v->min_row || mv.as_mv.row > v->max_row ||
      mv.as_mv.col < v->min_col || mv.as_mv.col > v->max_col) {
    return UNCODABLE_RATE;
  }
  row = (mv.as_mv.row - v->best_ref.as_mv.row) >> 1;
  col = (mv.as_mv.col - v->best_ref.as_mv.col) >> 1;
  /* as vp8_mv_bit_cost() weighs vectors of sub-blocks */
  return v->mode_rate + (((v->cost[0][VPXMAX(row, v->min_diff)] +
                           v->cost[1][VPXMAX(col, v->min_diff)]) *
                          102) >>
                         7);
}

/* Cost with the provider's vectors alone; those that equal a neighbour's in
 * the macroblock have no rate of their own. UINT_MAX: above limit. */
static unsigned int estimate(const vp8_gm_decision *d, const vector_rates *v,
                             int ref, int shape, int rate,
                             unsigned int limit) {
  const vp8e_mp_mv_t *const mv = d->found_split[ref]->mv + vp8_mp_first_block[shape];
  const uint16_t *const dist = d->found_split[ref]->dist + vp8_mp_first_block[shape];
  const int n = vp8_mbsplit_count[shape];
  const int across = shape == BLOCK_4X4 ? 4 : shape == BLOCK_8X8 ? 2 : n;
  const int same_rate = d->x->inter_bmode_costs[LEFT4X4];
  const int least = VPXMIN(same_rate, v->mode_rate);
  unsigned int satd = 0;
  int i;

  for (i = 0; i < n; ++i) satd += dist[i];
  /* Of labels not looked at yet, the rate is at least that of a mode. */
  rate += shape_rate(shape) + (n - 1) * least;
  if (vp8_gm_weigh(d, satd, rate) > limit) return UINT_MAX;
  rate += new_rate(v, vp8_gm_mv(mv[0]));
  for (i = 1; i < n; ++i) {
    if (vp8_gm_weigh(d, satd, rate) > limit) return UINT_MAX;
    rate -= least;
    if ((i % across && !memcmp(&mv[i], &mv[i - 1], sizeof(*mv))) ||
        (i >= across && !memcmp(&mv[i], &mv[i - across], sizeof(*mv)))) {
      rate += same_rate;
    } else {
      rate += new_rate(v, vp8_gm_mv(mv[i]));
    }
  }
  return vp8_gm_weigh(d, satd, rate);
}

static unsigned int label_satd(const vp8_gm_decision *d, int ref, int shape,
                               int label, int_mv mv) {
  const int block = vp8_mbsplit_offset[shape][label];
  const int bx = (block & 3) * 4, by = (block >> 2) * 4;
  unsigned int satd;

  if (shape == BLOCK_4X4) return vp8_gm_satd(d, ref, mv, 2, bx, by);
  satd = vp8_gm_satd(d, ref, mv, 3, bx, by);
  if (shape == BLOCK_16X8) satd += vp8_gm_satd(d, ref, mv, 3, 8, by);
  if (shape == BLOCK_8X16) satd += vp8_gm_satd(d, ref, mv, 3, bx, 8);
  return satd;
}

/* Choose each label's sub-mode: the provider's vector, or a neighbour's. rate
 * is that of reference and mode. Returns 0 if a label has no vector that can be
 * coded, or if it all costs no less than limit. */
static int plan(const vp8_gm_decision *d, const vector_rates *v, int ref,
                int shape, int rate, unsigned int limit, vp8_gm_split *split) {
  MACROBLOCK *const x = d->x;
  const MODE_INFO *const mic = x->e_mbd.mode_info_context;
  unsigned int satd = 0;
  int_mv block_mv[16];
  int i, b, m;

  split->ref = ref;
  split->shape = shape;
  split->rate = shape_rate(shape);
  for (i = 0; i < vp8_mbsplit_count[shape]; ++i) {
    const int block = vp8_mbsplit_offset[shape][i];
    const int_mv new_mv = vp8_gm_mv(d->found_split[ref]->mv[vp8_mp_first_block[shape] + i]);
    const unsigned int new_satd = d->found_split[ref]->dist[vp8_mp_first_block[shape] + i];
    unsigned int label = new_satd, cost = UINT_MAX;
    int label_rate = new_rate(v, new_mv);
    const int new_ok = label_rate < UNCODABLE_RATE;
    int_mv other[3];

    split->mode[i] = NEW4X4;
    split->mv[i] = new_mv;
    if (new_ok) cost = vp8_gm_weigh(d, new_satd, label_rate);
    other[0].as_int =
        (block & 3) ? block_mv[block - 1].as_int : left_block_mv(mic, block);
    other[1].as_int =
        (block >> 2) ? block_mv[block - 4].as_int
                     : above_block_mv(mic, block, x->e_mbd.mode_info_stride);
    other[2].as_int = 0;
    for (m = 0; m < 3; ++m) {
      unsigned int s = new_satd, c;

      if ((m && other[m].as_int == other[0].as_int) ||
          (m == 2 && other[2].as_int == other[1].as_int)) {
        continue;
      }
      if (!vp8_gm_legal(x, other[m])) continue;
      if (other[m].as_int != new_mv.as_int) {
        if (shape == BLOCK_4X4 && new_ok &&
            abs(other[m].as_mv.row - new_mv.as_mv.row) +
                    abs(other[m].as_mv.col - new_mv.as_mv.col) >
                MAX_REACH_4X4) {
          continue;
        }
        s = label_satd(d, ref, shape, i, other[m]);
      }
      c = vp8_gm_weigh(d, s, x->inter_bmode_costs[LEFT4X4 + m]);
      if (c < cost) {
        cost = c;
        label = s;
        label_rate = x->inter_bmode_costs[LEFT4X4 + m];
        split->mode[i] = LEFT4X4 + m;
        split->mv[i] = other[m];
      }
    }
    if (cost == UINT_MAX) return 0;
    split->rate += label_rate;
    satd += label;
    split->cost = vp8_gm_weigh(d, satd, rate + split->rate);
    if (split->cost >= limit) return 0;
    if (shape == BLOCK_4X4) {
      block_mv[i] = split->mv[i];
    } else {
      for (b = 0; b < 16; ++b) {
        if (vp8_mbsplits[shape][b] == i) block_mv[b] = split->mv[i];
      }
    }
  }
  return 1;
}

#if VP8_GUIDED_LOG
unsigned int vp8_gm_estimate_shape(const vp8_gm_decision *d, int ref, int shape,
                                   int rate, unsigned int limit) {
  vector_rates v;

  set_vector_rates(d, ref, &v);
  return estimate(d, &v, ref, shape, rate, limit);
}

int vp8_gm_plan_shape(const vp8_gm_decision *d, int ref, int shape, int rate,
                      vp8_gm_split *split) {
  vector_rates v;

  set_vector_rates(d, ref, &v);
  return plan(d, &v, ref, shape, rate, UINT_MAX, split);
}
#endif

int vp8_gm_plan_split(const vp8_gm_decision *d, unsigned int refs,
                      unsigned int limit, int shapes, vp8_gm_split *best) {
  const int mode_rate = d->mode_rate[SPLITMV - NEARESTMV];
  unsigned int estimates[MAX_REF_FRAMES][4], low = UINT_MAX, reach = limit;
  vector_rates rates[MAX_REF_FRAMES];
  int ref, shape, found = 0;

  for (ref = LAST_FRAME; ref < MAX_REF_FRAMES; ++ref) {
    if (!d->mb[ref]) refs &= ~(1u << ref);
    if (!(refs & 1u << ref)) continue;
    /* Not even without any error. */
    if (vp8_gm_weigh(d, 0, mode_rate + d->x->ref_frame_cost[ref]) > reach) {
      refs &= ~(1u << ref);
      continue;
    }
    set_vector_rates(d, ref, &rates[ref]);
    for (shape = BLOCK_16X8; shape <= BLOCK_4X4; ++shape) {
      const unsigned int cost =
          estimate(d, &rates[ref], ref, shape,
                   mode_rate + d->x->ref_frame_cost[ref], reach);
      estimates[ref][shape] = cost;
      if (cost < low) {
        low = cost;
        reach = (unsigned int)((uint64_t)low * shapes / 1000);
      }
    }
  }
  if (low > limit) return 0;

  best->cost = UINT_MAX;
  for (ref = LAST_FRAME; ref < MAX_REF_FRAMES; ++ref) {
    if (!(refs & 1u << ref)) continue;
    for (shape = BLOCK_16X8; shape <= BLOCK_4X4; ++shape) {
      vp8_gm_split split;
      if (estimates[ref][shape] <= reach &&
          plan(d, &rates[ref], ref, shape,
               mode_rate + d->x->ref_frame_cost[ref], best->cost, &split)) {
        *best = split;
        found = 1;
      }
    }
  }
  return found;
}

void vp8_gm_set_split(MACROBLOCK *x, const vp8_gm_split *split) {
  MACROBLOCKD *const xd = &x->e_mbd;
  MODE_INFO *const mic = xd->mode_info_context;
  int i;

  mic->mbmi.partitioning = split->shape;
  x->partition_info->count = vp8_mbsplit_count[split->shape];
  for (i = 0; i < x->partition_info->count; ++i) {
    x->partition_info->bmi[i].mode = split->mode[i];
    x->partition_info->bmi[i].mv.as_int = split->mv[i].as_int;
  }
  for (i = 0; i < 16; ++i) {
    mic->bmi[i].mv = split->mv[vp8_mbsplits[split->shape][i]];
    xd->block[i].bmi.mv = mic->bmi[i].mv;
  }
  x->partition_info->bmi[15].mv.as_int = mic->bmi[15].mv.as_int;
}
