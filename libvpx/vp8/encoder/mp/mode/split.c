/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/split.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "vp8/common/findnearmv.h"
#include "vp8/encoder/mp/mode/learn.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/treewriter.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* For 4x4 blocks, a neighbour's vector is not tried if its row and column
 * differences to the provider's vector add up to more than this, in 1/8 pel. */
#define MAX_REACH_4X4 64

/* A rate above that of any vector. */
#define UNCODABLE_RATE (1 << 16)

/* Returns the rate of a partitioning in vp8_mbsplit_tree. */
static INLINE int partitioning_rate(int partitioning) {
  const vp8_prob *const p = vp8_mbsplit_probs;

  if (partitioning == BLOCK_4X4) return vp8_cost_zero(p[0]);
  if (partitioning == BLOCK_8X8) {
    return vp8_cost_one(p[0]) + vp8_cost_zero(p[1]);
  }
  return vp8_cost_one(p[0]) + vp8_cost_one(p[1]) +
         vp8_cost_bit(p[2], partitioning == BLOCK_8X16);
}

/* Cache of the SATDs of 8x8 blocks in one reference, by vector: other
 * partitionings try most vectors again. */
#define MAX_KNOWN 8
typedef struct known_satds {
  int n[4];
  int_mv mv[4][MAX_KNOWN];
  unsigned int satd[4][MAX_KNOWN];
} known_satds;

/* Rates of SPLITMV in one reference, and the range of vectors that can be
 * coded. Vectors are in 1/8 pel. */
typedef struct split_rates {
  const vp8e_mp_split_t *found; /* the provider's vectors */
  int ref;
  int mode_rate;  /* of the reference and of mode SPLITMV */
  int new_rate;   /* of NEW4X4, without its vector */
  int least_rate; /* lowest rate of a sub-block mode */
  int_mv best_ref_mv;
  vp8_mp_mv_range codable;
  int min_diff;       /* MACROBLOCK.mv_cost_min */
  const int *cost[2]; /* rows, columns */
} split_rates;

static int split_mode_rate(const vp8_mp_mode_decision *d, int ref) {
  return d->mode_rate[SPLITMV - NEARESTMV] + d->x->ref_frame_cost[ref];
}

/* Set *rates for a reference. Returns 0 if the provider has no sub-block
 * vectors for it. */
static int set_split_rates(const vp8_mp_mode_decision *d, int ref,
                           split_rates *rates) {
  const MACROBLOCK *const x = d->x;
  const int bias = d->cpi->common.ref_frame_sign_bias[ref];
  const MV best = d->best_ref_mv[bias].as_mv;
  int m;

  rates->found = vp8_mp_split(d->cpi, x, ref);
  if (!rates->found) return 0;
  rates->ref = ref;
  rates->mode_rate = split_mode_rate(d, ref);
  rates->new_rate = x->inter_bmode_costs[NEW4X4];
  rates->least_rate = rates->new_rate;
  for (m = LEFT4X4; m < NEW4X4; ++m) {
    rates->least_rate = VPXMIN(rates->least_rate, x->inter_bmode_costs[m]);
  }
  rates->best_ref_mv.as_mv = best;
  rates->codable = vp8_mp_mv_codable(x, best, VP8_MP_MV_DECIDED);
  rates->min_diff = x->mv_cost_min;
  rates->cost[0] = x->mvcost[0];
  rates->cost[1] = x->mvcost[1];
  return 1;
}

/* Returns the rate of NEW4X4 with its vector, or UNCODABLE_RATE. */
static INLINE int new_rate(const split_rates *rates, int_mv mv) {
  int row, col, rate;

  /* The cost tables end where vectors cannot be coded. */
  if (!vp8_mp_mv_in(rates->codable, mv.as_mv.row, mv.as_mv.col)) {
    return UNCODABLE_RATE;
  }
  row = (mv.as_mv.row - rates->best_ref_mv.as_mv.row) >> 1;
  col = (mv.as_mv.col - rates->best_ref_mv.as_mv.col) >> 1;
  rate = rates->cost[0][VPXMAX(row, rates->min_diff)] +
         rates->cost[1][VPXMAX(col, rates->min_diff)];
  /* libvpx's weight of vp8_mv_bit_cost() for sub-blocks */
  return rates->new_rate + (rate * 102 >> 7);
}

/* ---- first estimates ----------------------------------------------------- */

/* Returns the first estimate of a partitioning's cost: that of the
 * provider's vectors alone. A vector that equals the one to the left or
 * above within the macroblock costs only LEFT4X4. Returns UINT_MAX if the
 * cost is above limit. */
static unsigned int estimate(const vp8_mp_mode_decision *d,
                             const split_rates *rates, int partitioning,
                             unsigned int limit) {
  const vp8e_mp_split_t *const found = rates->found;
  const int first = vp8_mp_first_block[partitioning];
  const vp8e_mp_mv_t *const mv = found->mv + first;
  const uint16_t *const dist = found->dist + first;
  const int n = vp8_mbsplit_count[partitioning];
  const int across = partitioning == BLOCK_4X4   ? 4
                     : partitioning == BLOCK_8X8 ? 2
                                                 : n;
  const int same_rate = d->x->inter_bmode_costs[LEFT4X4];
  const int least = VPXMIN(same_rate, rates->new_rate);
  unsigned int satd = 0;
  int i, rate;

  for (i = 0; i < n; ++i) satd += dist[i];
  /* Partitions not added yet have at least the rate of the cheapest mode. */
  rate = rates->mode_rate + partitioning_rate(partitioning) + (n - 1) * least;
  if (vp8_mp_mode_weigh(d->lambda, satd, rate) > limit) return UINT_MAX;
  rate += new_rate(rates, vp8_mp_mode_mv(mv[0]));
  for (i = 1; i < n; ++i) {
    if (vp8_mp_mode_weigh(d->lambda, satd, rate) > limit) return UINT_MAX;
    rate -= least;
    if ((i % across && !memcmp(&mv[i], &mv[i - 1], sizeof(*mv))) ||
        (i >= across && !memcmp(&mv[i], &mv[i - across], sizeof(*mv)))) {
      rate += same_rate;
    } else {
      rate += new_rate(rates, vp8_mp_mode_mv(mv[i]));
    }
  }
  return vp8_mp_mode_weigh(d->lambda, satd, rate);
}

/* ---- plans --------------------------------------------------------------- */

/* Returns the SATD of the 8x8 block at (8 * (i & 1), 8 * (i >> 1)). */
static unsigned int satd8x8(const vp8_mp_mode_decision *d, int ref, int i,
                            int_mv mv, known_satds *known) {
  unsigned int satd;
  int k;

  for (k = 0; k < known->n[i]; ++k) {
    if (known->mv[i][k].as_int == mv.as_int) return known->satd[i][k];
  }
  satd = vp8_mp_mode_satd(d, ref, mv, 3, 8 * (i & 1), 8 * (i >> 1));
  if (k < MAX_KNOWN) {
    known->mv[i][k] = mv;
    known->satd[i][k] = satd;
    known->n[i] = k + 1;
  }
  return satd;
}

static unsigned int partition_satd(const vp8_mp_mode_decision *d, int ref,
                                   int partitioning, int partition, int_mv mv,
                                   known_satds *known) {
  if (partitioning == BLOCK_4X4) {
    return vp8_mp_mode_satd(d, ref, mv, 2, 4 * (partition & 3),
                            4 * (partition >> 2));
  }
  if (partitioning == BLOCK_8X8) {
    return satd8x8(d, ref, partition, mv, known);
  }
  if (partitioning == BLOCK_16X8) {
    return satd8x8(d, ref, 2 * partition, mv, known) +
           satd8x8(d, ref, 2 * partition + 1, mv, known);
  }
  return satd8x8(d, ref, partition, mv, known) +
         satd8x8(d, ref, partition + 2, mv, known);
}

/* The plan of one partition: its sub-block mode. */
typedef struct partition_plan {
  unsigned int cost, satd;
  int rate; /* of mode and vector */
  B_PREDICTION_MODE mode;
  int_mv mv;
} partition_plan;

static int is_far(int_mv a, int_mv b) {
  return abs(a.as_mv.row - b.as_mv.row) + abs(a.as_mv.col - b.as_mv.col) >
         MAX_REACH_4X4;
}

/* Plan a partition: choose the provider's vector, or one of other[] (the
 * vectors of LEFT4X4, ABOVE4X4 and ZERO4X4) if it costs less. Sets plan->cost
 * to UINT_MAX if no vector can be coded. */
static void plan_partition(const vp8_mp_mode_decision *d,
                           const split_rates *rates, int partitioning, int i,
                           const int_mv other[3], known_satds *known,
                           partition_plan *plan) {
  const vp8e_mp_split_t *const found = rates->found;
  const int record = vp8_mp_first_block[partitioning] + i;
  const int_mv new_mv = vp8_mp_mode_mv(found->mv[record]);
  const unsigned int new_satd = found->dist[record];
  int new_codable, m;

  plan->mode = NEW4X4;
  plan->mv = new_mv;
  plan->satd = new_satd;
  plan->rate = new_rate(rates, new_mv);
  new_codable = plan->rate < UNCODABLE_RATE;
  plan->cost = new_codable ? vp8_mp_mode_weigh(d->lambda, new_satd, plan->rate)
                           : UINT_MAX;
  for (m = 0; m < 3; ++m) {
    const int rate = d->x->inter_bmode_costs[LEFT4X4 + m];
    unsigned int satd = new_satd, cost;

    if ((m && other[m].as_int == other[0].as_int) ||
        (m == 2 && other[2].as_int == other[1].as_int) ||
        !vp8_mp_mode_legal(d->x, other[m])) {
      continue;
    }
    if (other[m].as_int != new_mv.as_int) {
      if (partitioning == BLOCK_4X4 && new_codable &&
          is_far(other[m], new_mv)) {
        continue;
      }
      satd = partition_satd(d, rates->ref, partitioning, i, other[m], known);
    }
    cost = vp8_mp_mode_weigh(d->lambda, satd, rate);
    if (cost < plan->cost) {
      plan->cost = cost;
      plan->satd = satd;
      plan->rate = rate;
      plan->mode = LEFT4X4 + m;
      plan->mv = other[m];
    }
  }
}

/* Plan all partitions of a partitioning. Returns 0 if one of them has no vector
 * that can be coded, or if the cost reaches limit. */
static int plan(const vp8_mp_mode_decision *d, const split_rates *rates,
                int partitioning, unsigned int limit, known_satds *known,
                vp8_mp_mode_split *split) {
  const int n = vp8_mbsplit_count[partitioning];
  const MACROBLOCKD *const xd = &d->x->e_mbd;
  const MODE_INFO *const mic = xd->mode_info_context;
  const int *const part_of =
      vp8_mbsplits[partitioning]; /* partition of each block */
  unsigned int satd = 0;
  int i;

  split->ref = rates->ref;
  split->partitioning = partitioning;
  split->rate = partitioning_rate(partitioning);
  for (i = 0; i < n; ++i) {
    const int block = vp8_mbsplit_offset[partitioning][i];
    partition_plan p;
    int_mv other[3];

    other[0].as_int = (block & 3) ? split->mv[part_of[block - 1]].as_int
                                  : left_block_mv(mic, block);
    other[1].as_int = (block >> 2)
                          ? split->mv[part_of[block - 4]].as_int
                          : above_block_mv(mic, block, xd->mode_info_stride);
    other[2].as_int = 0;
    plan_partition(d, rates, partitioning, i, other, known, &p);
    if (p.cost == UINT_MAX) return 0;
    split->mode[i] = p.mode;
    split->mv[i] = p.mv;
    split->rate += p.rate;
    satd += p.satd;
    split->cost = vp8_mp_mode_weigh(
        d->lambda, satd,
        rates->mode_rate + split->rate + (n - 1 - i) * rates->least_rate);
    if (split->cost >= limit) return 0;
  }
  return 1;
}

/* ---- the choice ---------------------------------------------------------- */

typedef struct split_estimates {
  unsigned int refs;  /* references with estimates */
  unsigned int low;   /* the lowest estimate; UINT_MAX: none */
  unsigned int reach; /* the highest estimate to plan */
  unsigned int cost[MAX_REF_FRAMES][4]; /* UINT_MAX: above reach */
  split_rates rates[MAX_REF_FRAMES];
} split_estimates;

static void estimate_all(const vp8_mp_mode_decision *d, unsigned int refs,
                         unsigned int limit, split_estimates *e) {
  int ref, partitioning;

  e->refs = 0;
  e->low = UINT_MAX;
  e->reach = limit;
  for (ref = LAST_FRAME; ref < MAX_REF_FRAMES; ++ref) {
    /* Skip a reference whose rate alone is out of reach. */
    if (!(refs & 1u << ref) || !d->mb[ref] ||
        vp8_mp_mode_weigh(d->lambda, 0, split_mode_rate(d, ref)) > e->reach) {
      continue;
    }
    if (!set_split_rates(d, ref, &e->rates[ref])) continue;
    e->refs |= 1u << ref;
    for (partitioning = BLOCK_16X8; partitioning <= BLOCK_4X4; ++partitioning) {
      const unsigned int cost =
          estimate(d, &e->rates[ref], partitioning, e->reach);

      e->cost[ref][partitioning] = cost;
      if (cost < e->low) {
        e->low = cost;
        e->reach = vp8_mp_mode_limit(cost, d->level->partitionings);
      }
    }
  }
}

/* Returns the cost that a plan must be below to be kept. */
static unsigned int plan_limit(const vp8_mp_mode_level *level,
                               const vp8_mp_mode_splits *splits) {
  const vp8_mp_mode_split *const s = splits->s;

  if (!splits->n) return UINT_MAX;
  if (!level->more_splits) return s->cost;
  if (splits->n > VPXMIN(level->more_splits, VP8_MP_MODE_MAX_SPLITS - 1)) {
    return s[splits->n - 1].cost;
  }
  return vp8_mp_mode_limit(s->cost, level->splits);
}

/* Insert a plan, whose cost is below plan_limit(), by its cost. */
static void insert(const vp8_mp_mode_level *level,
                   const vp8_mp_mode_split *split, vp8_mp_mode_splits *splits) {
  const int max = 1 + VPXMIN(level->more_splits, VP8_MP_MODE_MAX_SPLITS - 1);
  int i = splits->n < max ? splits->n++ : max - 1;

  for (; i && split->cost < splits->s[i - 1].cost; --i) {
    splits->s[i] = splits->s[i - 1];
  }
  splits->s[i] = *split;
}

void vp8_mp_mode_plan_splits(const vp8_mp_mode_decision *d, unsigned int refs,
                             unsigned int inter16x16, unsigned int limit,
                             vp8_mp_mode_splits *splits) {
  split_estimates e;
  unsigned int low;
  int ref, partitioning, bin;

  splits->n = 0;
  splits->bin = VP8_MP_MODE_LEARN_NONE;
  estimate_all(d, refs, limit, &e);
  if (e.low > limit) return;
  low = VPXMIN(e.low, inter16x16);
  bin = vp8_mp_mode_learn_bin_of(d->cpi, d->x, VP8_MP_MODE_LEARN_PLANS, e.low,
                                 inter16x16, low);
  if (!vp8_mp_mode_learn_pays(d->cpi, d->x, bin)) return;
  splits->bin = bin;
  for (ref = LAST_FRAME; ref < MAX_REF_FRAMES; ++ref) {
    known_satds known;

    if (!(e.refs & 1u << ref)) continue;
    memset(known.n, 0, sizeof(known.n));
    for (partitioning = BLOCK_16X8; partitioning <= BLOCK_4X4; ++partitioning) {
      const unsigned int cost = e.cost[ref][partitioning];
      vp8_mp_mode_split split;

      if (cost > e.reach) continue;
      split.bin = VP8_MP_MODE_LEARN_NONE;
      if (cost > e.low) {
        split.bin = vp8_mp_mode_learn_bin_of(
            d->cpi, d->x, VP8_MP_MODE_LEARN_PLAN2, cost, e.low, low);
        if (!vp8_mp_mode_learn_pays(d->cpi, d->x, split.bin)) continue;
        vp8_mp_mode_learn_count(d->x, split.bin);
      }
      if (plan(d, &e.rates[ref], partitioning, plan_limit(d->level, splits),
               &known, &split)) {
        insert(d->level, &split, splits);
      }
    }
  }
}

#if VP8_MP_MODE_LOG
#include "vp8/encoder/mp/mode/log_split.inc.h"
#endif
