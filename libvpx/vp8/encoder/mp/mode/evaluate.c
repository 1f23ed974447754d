/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/evaluate.h"

#include "vp8/encoder/mp/mode/learn.h"
#include "vp8/encoder/mp/mode/rank.h"
#include "vp8/encoder/mp/mode/rd.h"
#include "vp8/encoder/mp/recon/code.h"
#include "vp8/encoder/mp/recon/portable.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

int vp8_mp_mode_uncoded_distortion(unsigned int satd) {
  return (int)VPXMIN((uint64_t)satd * satd / 650, 255 * 255 * 256);
}

void vp8_mp_mode_set_unevaluated(const vp8_mp_mode_decision *d,
                                 unsigned int satd, int mode_rate,
                                 vp8_mp_mode_best *best) {
  best->rate = mode_rate;
  best->distortion = vp8_mp_mode_uncoded_distortion(satd);
  vp8_mp_recon_coded_count_rate(d->x, d->cpi->sf.RD);
}

/* If exactly one inter candidate is within reach, take it without evaluation.
 * Returns whether it did. */
static int take_sole(const vp8_mp_mode_decision *d,
                     const vp8_mp_mode_ranking *r, vp8_mp_mode_best *best) {
  const vp8_mp_mode_candidates *const list = &r->inter16x16;
  const vp8_mp_mode_candidate *const c = list->c;
  const vp8_mp_mode_level *const level = d->level;
  const int first = vp8_mp_mode_within(c[0].cost, r->low, level->sole);
  const int second = VPXMIN(list->n, level->max_inter16x16) > 1 &&
                     vp8_mp_mode_within(c[1].cost, r->low, level->sole);
  const vp8_mp_mode_split *const s = r->split.s;
  const int split =
      r->split.n && vp8_mp_mode_within(s->cost, r->low, level->sole);
  const int other_split =
      r->split.n > 1 && vp8_mp_mode_within(s[1].cost, r->low, level->sole);
  unsigned int cost = c[0].cost;
  int rate = c[0].rate;

  if (first + second + split + other_split != 1) return 0;
  if (split) {
    vp8_mp_mode_set_split(d, s);
    cost = s->cost;
    rate = s->rate + d->x->ref_frame_cost[s->ref] +
           d->mode_rate[SPLITMV - NEARESTMV];
  } else {
    /* Evaluate it if there is a static threshold: evaluation may find that the
     * macroblock needs no residual. */
    if (d->x->encode_breakout && d->cpi->sf.RD) return 0;
    vp8_mp_mode_set_candidate(d, c[0].mode, c[0].ref, c[0].mv);
  }
  vp8_mp_mode_keep(d->x, best);
  ++d->x->mp_counts.unevaluated;
  vp8_mp_mode_set_unevaluated(d, cost - vp8_mp_mode_weigh(d->lambda, 0, rate),
                              rate, best);
  return 1;
}

/* Returns the statistics bin of inter 16x16 candidate i. The first candidate
 * has none: it is always evaluated. */
static int bin_of_inter16x16(const vp8_mp_mode_decision *d,
                             const vp8_mp_mode_ranking *r, int i) {
  if (!i) return VP8_MP_MODE_LEARN_NONE;
  return vp8_mp_mode_learn_bin_of(
      d->cpi, d->x,
      (vp8_mp_mode_learn_kind)(VP8_MP_MODE_LEARN_INTER2 + VPXMIN(i, 3) - 1),
      r->inter16x16.c[i].cost, r->low, r->low);
}

static int bin_of_split(const vp8_mp_mode_decision *d,
                        const vp8_mp_mode_ranking *r, int i) {
  const unsigned int compared_to =
      i ? r->split.s[0].cost : r->inter16x16.c[0].cost;

  return vp8_mp_mode_learn_bin_of(
      d->cpi, d->x, i ? VP8_MP_MODE_LEARN_SPLIT2 : VP8_MP_MODE_LEARN_SPLIT,
      r->split.s[i].cost, compared_to, r->low);
}

static void evaluate_splits(const vp8_mp_mode_decision *d,
                            const vp8_mp_mode_ranking *r,
                            vp8_mp_mode_best *best) {
  const int before_all = best->rd;
  int i;

  for (i = 0; i < r->split.n; ++i) {
    const int bin = bin_of_split(d, r, i), before = best->rd;

    if (!vp8_mp_mode_learn_pays(d->cpi, d->x, bin)) continue;
    ++d->x->mp_counts.evaluated;
    vp8_mp_mode_set_split(d, &r->split.s[i]);
    vp8_mp_mode_rd_split(d, &r->split.s[i], best);
    vp8_mp_mode_learn_add(d->x, bin, before, best->rd);
    vp8_mp_mode_learn_gain(d->x, r->split.s[i].bin, before, best->rd);
  }
  vp8_mp_mode_learn_add(d->x, r->split.bin, before_all, best->rd);
}

static void evaluate_inter(const vp8_mp_mode_decision *d,
                           const vp8_mp_mode_ranking *r,
                           vp8_mp_mode_best *best) {
  const vp8_mp_mode_level *const level = d->level;
  const int n = VPXMIN(r->inter16x16.n, level->max_inter16x16);
  int i;

  for (i = 0; i < n; ++i) {
    const vp8_mp_mode_candidate *const c = &r->inter16x16.c[i];
    const int bin = bin_of_inter16x16(d, r, i), before = best->rd;

    if (i && !vp8_mp_mode_within(c->cost, r->low, level->inter16x16)) break;
    if (!vp8_mp_mode_learn_pays(d->cpi, d->x, bin)) continue;
    ++d->x->mp_counts.evaluated;
    vp8_mp_mode_set_candidate(d, c->mode, c->ref, c->mv);
    vp8_mp_mode_rd_inter16x16(d, c->mv_rate, best);
    vp8_mp_mode_learn_add(d->x, bin, before, best->rd);
    if (d->x->skip) return;
  }
  evaluate_splits(d, r, best);
}

static void evaluate_intra(const vp8_mp_mode_decision *d,
                           const vp8_mp_mode_ranking *r,
                           vp8_mp_mode_best *best) {
  const vp8_mp_mode_learn_kind kind = r->intra.mb >> B_PRED & 1
                                          ? VP8_MP_MODE_LEARN_BPRED
                                          : VP8_MP_MODE_LEARN_INTRA16X16;
  const int bin = vp8_mp_mode_learn_bin_of(
      d->cpi, d->x, kind, vp8_mp_mode_least_intra_cost(d), r->low, r->low);
  const int before = best->rd;

  if (!vp8_mp_mode_learn_pays(d->cpi, d->x, bin)) return;
  d->x->mp_counts.evaluated += vp8_mp_recon_count_bits(r->intra.mb);
  vp8_mp_mode_rd_intra(d, &r->intra, best);
  vp8_mp_mode_learn_add(d->x, bin, before, best->rd);
}

void vp8_mp_mode_evaluate(const vp8_mp_mode_decision *d,
                          const vp8_mp_mode_ranking *r,
                          vp8_mp_mode_best *best) {
  if (!r->intra.mb && take_sole(d, r, best)) return;
  evaluate_inter(d, r, best);
  if (d->x->skip) return;
  if (r->intra.mb) evaluate_intra(d, r, best);
  vp8_mp_mode_learn_decided(d->cpi, d->x, best->rate);
}
