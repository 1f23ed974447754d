/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/rank.h"

#include <limits.h>

#include "vp8/common/findnearmv.h"
#include "vp8/common/reconintra.h"
#include "vp8/encoder/mcomp.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/treewriter.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* The modes with one vector, in the order of libvpx's mode tree. */
enum { MODES = VP8_MVREFS - 1, NEW = MODES - 1 };
/* B_PRED is expected to cost at least 1 / BPRED_GAIN of the best 16x16 mode. */
#define BPRED_GAIN 2

static const unsigned char mode_order[MODES] = { ZEROMV, NEARESTMV, NEARMV,
                                                 NEWMV };

/* Like vp8_cost_mv_ref(), but for all modes at once. */
void vp8_mp_mode_set_mode_rates(vp8_mp_mode_decision *d) {
  vp8_prob p[MODES];
  int i, rate = 0;

  vp8_mv_ref_probs(p, d->mdcounts);
  for (i = 0; i < MODES; ++i) {
    d->mode_rate[mode_order[i] - NEARESTMV] = rate + vp8_cost_zero(p[i]);
    rate += vp8_cost_one(p[i]);
  }
  d->mode_rate[SPLITMV - NEARESTMV] = rate;
}

/* ---- inter --------------------------------------------------------------- */

/* The modes of one reference, in the order of mode_order. */
typedef struct reference_modes {
  int_mv mv[MODES];
  int valid[MODES]; /* the vector can be coded, and no earlier mode has it */
  int rate[MODES];  /* of reference, mode and vector */
  int mv_rate;      /* of the new vector */
} reference_modes;

static void set_reference_modes(const vp8_mp_mode_decision *d, int ref,
                                int_mv found, reference_modes *m) {
  MACROBLOCK *const x = d->x;
  const int bias = d->cpi->common.ref_frame_sign_bias[ref];
  int_mv best_ref_mv = d->best_ref_mv[bias];
  int_mv *const mv = m->mv;
  int i;

  mv[0].as_int = 0;
  mv[1] = d->mode_mv[bias][NEARESTMV];
  mv[2] = d->mode_mv[bias][NEARMV];
  mv[NEW] = found;
  for (i = 1; i < MODES; ++i) vp8_clamp_mv2(&mv[i], &x->e_mbd);
  m->valid[0] = 1;
  m->valid[1] = mv[1].as_int && vp8_mp_mode_legal(x, mv[1]);
  m->valid[2] = mv[2].as_int && mv[2].as_int != mv[1].as_int &&
                vp8_mp_mode_legal(x, mv[2]);
  m->valid[NEW] = mv[NEW].as_int && mv[NEW].as_int != mv[1].as_int &&
                  mv[NEW].as_int != mv[2].as_int &&
                  vp8_mp_mode_codable(x, mv[NEW], best_ref_mv);
  m->mv_rate = m->valid[NEW]
                   ? vp8_mv_bit_cost(x, &mv[NEW], &best_ref_mv, x->mvcost, 96)
                   : 0;
  for (i = 0; i < MODES; ++i) {
    m->rate[i] =
        x->ref_frame_cost[ref] + d->mode_rate[mode_order[i] - NEARESTMV];
  }
  m->rate[NEW] += m->mv_rate;
}

/* Returns whether a candidate of this rate may be within reach if all vectors
 * of its reference have at least the SATD floor. */
static int reaches(const vp8_mp_mode_decision *d, unsigned int floor, int rate,
                   unsigned int low) {
  const vp8_mp_mode_level *const level = d->level;
  const int permille =
      level->max_inter16x16 > 1 ? VPXMAX(level->sole, level->inter16x16) : 1000;

  return !level->bound ||
         vp8_mp_mode_within(vp8_mp_mode_weigh(d->lambda, floor, rate), low,
                            permille);
}

/* Insert mode i of a reference into the list, which is sorted by cost. */
static void insert(const vp8_mp_mode_decision *d, vp8_mp_mode_candidates *list,
                   int ref, const reference_modes *m, int i,
                   unsigned int satd) {
  const unsigned int cost = vp8_mp_mode_weigh(d->lambda, satd, m->rate[i]);
  vp8_mp_mode_candidate *c = &list->c[list->n++];

  for (; c > list->c && c[-1].cost > cost; --c) *c = c[-1];
  c->cost = cost;
  c->rate = m->rate[i];
  c->mv_rate = i == NEW ? m->mv_rate : 0;
  c->mv = m->mv[i];
  c->mode = mode_order[i];
  c->ref = ref;
}

/* Add the candidates of a reference. The provider's vector has the lowest SATD
 * of the reference, so it bounds the SATD of the others. A candidate whose rate
 * is too high with that bound is not predicted. */
static void rank_reference(const vp8_mp_mode_decision *d, int ref,
                           vp8_mp_mode_candidates *list) {
  const int_mv found = vp8_mp_mode_mv(d->mb[ref]->mv);
  const unsigned int found_satd = d->mb[ref]->dist;
  const unsigned int floor = found_satd * d->level->bound / 1000;
  unsigned int low = list->n ? list->c[0].cost : UINT_MAX;
  reference_modes m;
  int i;

  if (!reaches(d, floor, d->x->ref_frame_cost[ref], low)) return;
  set_reference_modes(d, ref, found, &m);
  for (i = 0; i < MODES; ++i) {
    if (m.valid[i] && m.mv[i].as_int == found.as_int) {
      low = VPXMIN(low, vp8_mp_mode_weigh(d->lambda, found_satd, m.rate[i]));
    }
  }
  for (i = 0; i < MODES; ++i) {
    const int known = m.mv[i].as_int == found.as_int;

    if (!m.valid[i] || (!known && !reaches(d, floor, m.rate[i], low))) continue;
    insert(d, list, ref, &m, i,
           known ? found_satd : vp8_mp_mode_satd(d, ref, m.mv[i], 4, 0, 0));
    low = VPXMIN(low, list->c[0].cost);
  }
}

/* Add the zero vector of a reference whose picture is shown again. The provider
 * may have skipped the reference, because another one fits well. */
static void rank_returned(const vp8_mp_mode_decision *d, int ref,
                          vp8_mp_mode_candidates *list) {
  reference_modes m;
  int_mv zero;

  zero.as_int = 0;
  set_reference_modes(d, ref, zero, &m);
  insert(d, list, ref, &m, 0, vp8_mp_mode_satd(d, ref, zero, 4, 0, 0));
}

void vp8_mp_mode_rank_inter16x16(const vp8_mp_mode_decision *d,
                                 vp8_mp_mode_candidates *list) {
  const int returned = d->cpi->mp.memory.returned;
  int ref;

  list->n = 0;
  for (ref = LAST_FRAME; ref <= ALTREF_FRAME; ++ref) {
    if (d->mb[ref]) rank_reference(d, ref, list);
  }
  if (returned && !d->mb[returned] && d->plane[returned][0]) {
    rank_returned(d, returned, list);
  }
}

/* ---- intra --------------------------------------------------------------- */

unsigned int vp8_mp_mode_rank_intra16x16(const vp8_mp_mode_decision *d,
                                         int *mode) {
  MACROBLOCK *const x = d->x;
  MACROBLOCKD *const xd = &x->e_mbd;
  const BLOCK *const b = &x->block[0];
  unsigned int low = UINT_MAX;
  int i;

  for (i = DC_PRED; i <= TM_PRED; ++i) {
    unsigned int satd, cost;

    xd->mode_info_context->mbmi.mode = i;
    vp8_build_intra_predictors_mby_s(xd, xd->dst.y_buffer - xd->dst.y_stride,
                                     xd->dst.y_buffer - 1, xd->dst.y_stride,
                                     xd->predictor, 16);
    satd = d->cpi->mp.provider->satd[0](*b->base_src, b->src_stride,
                                        xd->predictor, 16);
    cost = vp8_mp_mode_weigh(
        d->lambda, satd,
        x->mbmode_cost[xd->frame_type][i] + x->ref_frame_cost[INTRA_FRAME]);
    if (cost < low) {
      low = cost;
      *mode = i;
    }
  }
  return low;
}

/* Returns whether the intra 16x16 mode of lowest cost is within reach. The
 * provider's estimate, made with neighbouring source pixels, decides whether
 * the modes are predicted at all. */
static int choose_intra16x16(const vp8_mp_mode_decision *d, unsigned int low,
                             int *mode) {
  const uint16_t *const satd = d->intra->satd16;
  const unsigned int least =
      VPXMIN(VPXMIN(satd[0], satd[1]), VPXMIN(satd[2], satd[3]));
  const unsigned int estimate =
      vp8_mp_mode_weigh(d->lambda, least, d->x->ref_frame_cost[INTRA_FRAME]);
  const int permille = d->level->intra16x16;

  return vp8_mp_mode_within(estimate, low,
                            permille + VP8_MP_MODE_INTRA_ERROR) &&
         vp8_mp_mode_within(vp8_mp_mode_rank_intra16x16(d, mode), low,
                            permille);
}

/* Returns the modes of a sub-block to evaluate: the two best ones by the
 * estimate, and DC. DC costs little to evaluate, while estimates from source
 * pixels favour the other modes. */
static unsigned int choose_intra4x4(uint8_t estimate, int fewer_modes) {
  const int best = estimate & 15, next = estimate >> 4;
  unsigned int modes = 1u << best;

  if (fewer_modes < 2) modes |= 1u << next;
  /* A provider may name a mode that does not exist. */
  if (fewer_modes < 1 || best > B_HU_PRED) modes |= 1u << B_DC_PRED;
  return modes;
}

static unsigned int bpred_cost(const vp8_mp_mode_decision *d) {
  const MACROBLOCK *const x = d->x;

  return vp8_mp_mode_weigh(
      d->lambda, d->intra->cost4,
      x->ref_frame_cost[INTRA_FRAME] + x->mbmode_cost[INTER_FRAME][B_PRED]);
}

unsigned int vp8_mp_mode_room_for_intra(const vp8_mp_mode_decision *d,
                                        unsigned int low, int permille) {
  const int *const mode_cost = d->x->mbmode_cost[INTER_FRAME];
  const unsigned int limit = vp8_mp_mode_limit(low, permille);
  int mode, rate = mode_cost[B_PRED];
  unsigned int least;

  for (mode = DC_PRED; mode <= TM_PRED; ++mode) {
    rate = VPXMIN(rate, mode_cost[mode]);
  }
  least =
      vp8_mp_mode_weigh(d->lambda, 0, rate + d->x->ref_frame_cost[INTRA_FRAME]);
  return limit > least ? limit - least : 0;
}

static unsigned int intra16x16_cost(const vp8_mp_mode_decision *d) {
  const int *const mode_cost = d->x->mbmode_cost[INTER_FRAME];
  const int ref_rate = d->x->ref_frame_cost[INTRA_FRAME];
  unsigned int low = UINT_MAX;
  int mode;

  for (mode = DC_PRED; mode <= TM_PRED; ++mode) {
    low = VPXMIN(low, vp8_mp_mode_weigh(d->lambda, d->intra->satd16[mode],
                                        ref_rate + mode_cost[mode]));
  }
  return low;
}

int vp8_mp_mode_bpred_in_reach(const vp8_mp_mode_decision *d, unsigned int low,
                               int permille) {
  return vp8_mp_mode_within(intra16x16_cost(d), low, permille * BPRED_GAIN);
}

unsigned int vp8_mp_mode_least_intra_cost(const vp8_mp_mode_decision *d) {
  const unsigned int cost = intra16x16_cost(d);

  return d->intra4x4 ? VPXMIN(bpred_cost(d), cost) : cost / BPRED_GAIN;
}

unsigned int vp8_mp_mode_intra_cost(const vp8_mp_mode_decision *d) {
  return VPXMIN(bpred_cost(d), intra16x16_cost(d));
}

void vp8_mp_mode_choose_intra(const vp8_mp_mode_decision *d, unsigned int low,
                              vp8_mp_mode_intra_modes *modes) {
  int i, mode = DC_PRED;

  modes->mb = 0;
  if (!d->intra) return;
  if (choose_intra16x16(d, low, &mode)) modes->mb |= 1u << mode;
  if (!d->intra4x4 ||
      !vp8_mp_mode_within(bpred_cost(d), low, d->level->bpred)) {
    return;
  }
  modes->mb |= 1u << B_PRED;
  for (i = 0; i < 16; ++i) {
    modes->b[i] = choose_intra4x4(d->intra->mode4[i], d->level->fewer_modes);
  }
}
