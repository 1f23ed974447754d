/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/level.h"

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* Levels after those of VP8E_MP_GUIDE_*: aggressive ones of other deadlines and
 * speeds. */
enum {
  LEVEL_RD =
      VP8E_MP_GUIDE_AGGRESSIVE + 1, /* libvpx decides by rate and distortion */
  LEVEL_REALTIME,                   /* deadline realtime */
  LEVEL_REALTIME6,                  /* from cpu-used -6 on */
  LEVEL_REALTIME8                   /* from cpu-used -8 on */
};

/* The quantizer indices for which levels are given. Between them, levels are
 * interpolated linearly. */
#define POINTS 5
static const int quantizer[POINTS] = { 7, 18, 31, 55, 88 };

/* One member of vp8_mp_mode_level at each of these quantizers. */
typedef int curve[POINTS];

/* All members of vp8_mp_mode_level, in its order. */
typedef struct level_curves {
  curve lambda, refs, inter16x16, max_inter16x16, split, partitionings, bpred,
      intra16x16, sole, bound, fewer_modes, split_best, more_splits, splits;
} level_curves;

/* The rows of each level, by quantizer index. The comment of a row names the
 * source of its numbers for indices 18 to 88:
 *
 * from derive.py: printed by tools/guide/derive.py for the slope of the level,
 *   the percent of bitrate that a microsecond of evaluation in a macroblock
 *   must gain. The logs were of seven clips (doc/lab/README.md).
 * derive.py's logs: the lambda with which the logs were made. 170 loses up to
 *   twice as much by the order of candidates at coarse quantizers. At realtime
 *   -8, 230 loses 0.2 % of bitrate, and 330 loses 0.7 %.
 * tuned: set by hand, because the change of this one member alone gained more
 *   bitrate than it cost time:
 *
 * wide limits: higher limits for SPLITMV and intra modes. Deadline best: -1.0 %
 *   of bitrate in 1.03 to 1.04 times the CPU time.
 * more plans: more partitionings and plans of SPLITMV. Deadline best: -0.6 % in
 *   1.01 times the time.
 * near ties: more inter 16x16 candidates of nearly the lowest cost, of which
 *   noise has many, and higher limits for intra modes. Deadline best -0.3 % in
 *   1.03 times the CPU time, good 5 -1.1 % in 1.05, realtime -16 -3.2 % in
 *   1.02. Later the numbers of candidates of AGGRESSIVE and from -6 on were
 *   lowered again, where time was worth more.
 * no margin: the bounds above 1000 of derive.py lost 6 % at realtime -16.
 * live: less evaluation, because live programs count CPU time (doc/lab/0051).
 *   The slope from -8 on has the same reason (doc/lab/0072).
 * no loss: the same bitrate in 0.985 times the decisions' time.
 *
 * The numbers for index 7 repeat those for 18, unless they were set by hand
 * too: at the lowest quantizers SATD says too little about the cost of a
 * residual, and a lower lambda and a higher limit for B_PRED gain most.
 * Deadline best gains 0.9 % at quantizers 2 to 14 in 1.13 times the time.
 * NORMAL's numbers for 7 and 18 are wide bounds of the learned decisions
 * (mp/mode/learn.h): with narrower ones a hand-held clip lost 3.3 % to stock
 * libvpx at quantizers 4 to 14, with these 1.0 %. */
/* clang-format off */
static const level_curves levels[] = {
  /* quantizer index:      7    18    31    55    88 */
  [VP8E_MP_GUIDE_SAFE] = { /* derive.py: slope 0.8 */
    .lambda         = {  150,  275,  275,  275,  275 }, /* derive.py's logs */
    .refs           = { 5000, 5000, 1600, 5000, 5000 }, /* from derive.py */
    .inter16x16     = { 1160, 1160, 1160, 1200, 1130 }, /* from derive.py */
    .max_inter16x16 = {    3,    3,    3,    3,    4 }, /* from derive.py */
    .split          = { 1250, 1250, 1250, 1250, 1200 }, /* from derive.py */
    .partitionings  = { 1200, 1200, 1200, 1200, 1200 }, /* tuned: more plans */
    .bpred          = { 4000, 1300, 1250, 1200, 1200 }, /* tuned: wide limits */
    .intra16x16     = { 1050, 1050, 1050, 1100, 1150 }, /* tuned: wide limits */
    .sole           = { 1100, 1100, 1100, 1150, 1200 }, /* from derive.py */
    .more_splits    = {    3,    3,    3,    3,    3 }, /* tuned: more plans */
    .splits         = { 1080, 1080, 1080, 1080, 1080 }, /* tuned: more plans */
  },
  [VP8E_MP_GUIDE_NORMAL] = { /* derive.py: slope 3 */
    .lambda         = {  150,  275,  275,  275,  275 }, /* derive.py's logs */
    .refs           = { 5000, 2500, 1600, 5000, 5000 }, /* from derive.py */
    .inter16x16     = { 2000, 1500, 1300, 1200, 1200 }, /* tuned: near ties */
    .max_inter16x16 = {   12,   12,    8,    6,    6 }, /* tuned: near ties */
    .split          = { 2000, 1500, 1250, 1250, 1200 }, /* tuned: wide limits */
    .partitionings  = { 1500, 1300, 1200, 1200, 1200 }, /* tuned: more plans */
    .bpred          = { 6000, 2000, 1250, 1200, 1200 }, /* tuned: wide limits */
    .intra16x16     = { 1500, 1200, 1050, 1100, 1150 }, /* tuned: wide limits */
    .sole           = { 1500, 1200, 1080, 1060, 1060 }, /* from derive.py */
    .bound          = { 1000, 1000, 1000, 1000, 1000 }, /* tuned: no loss */
    .more_splits    = {    3,    3,    3,    3,    3 }, /* tuned: more plans */
    .splits         = { 1300, 1150, 1080, 1080, 1080 }, /* tuned: more plans */
  },
  [VP8E_MP_GUIDE_AGGRESSIVE] = { /* derive.py: slope 16 */
    .lambda         = {  180,  275,  275,  275,  275 }, /* derive.py's logs */
    .refs           = { 1200, 1200, 1300, 5000, 5000 }, /* from derive.py */
    .inter16x16     = { 1050, 1050, 1050, 1050, 1050 }, /* tuned: near ties */
    .max_inter16x16 = {    3,    3,    3,    3,    3 }, /* tuned: near ties */
    .split          = { 1035, 1035, 1050, 1080, 1050 }, /* from derive.py */
    .partitionings  = { 1000, 1000, 1030, 1070, 1150 }, /* from derive.py */
    .bpred          = { 1300, 1050, 1050, 1050, 1050 }, /* tuned: near ties */
    .intra16x16     = {  900,  900,  900,  900,  900 }, /* tuned: near ties */
    .sole           = { 1010, 1010, 1030, 1040, 1200 }, /* from derive.py */
  },
  [LEVEL_RD] = { /* derive.py: slope 10 */
    .lambda         = {  180,  275,  275,  275,  275 }, /* derive.py's logs */
    .refs           = { 1250, 1250, 1400, 5000, 5000 }, /* from derive.py */
    .inter16x16     = { 1100, 1100, 1100, 1100, 1100 }, /* from derive.py */
    .max_inter16x16 = {    1,    1,    1,    1,    1 }, /* from derive.py */
    .split          = { 1050, 1050, 1080, 1080, 1080 }, /* from derive.py */
    .partitionings  = { 1000, 1000, 1030, 1070, 1150 }, /* from derive.py */
    .bpred          = { 1200,  850,  850,  850,  800 }, /* from derive.py */
    .intra16x16     = {  600,  600,  600,  650,  700 }, /* from derive.py */
    .sole           = { 1020, 1020, 1040, 1040, 1030 }, /* from derive.py */
  },
  [LEVEL_REALTIME] = { /* derive.py: slope 5 */
    .lambda         = {  180,  275,  275,  275,  275 }, /* derive.py's logs */
    .refs           = { 5000, 5000, 5000, 5000, 5000 }, /* from derive.py */
    .inter16x16     = { 1100, 1100, 1100, 1100, 1100 }, /* tuned: near ties */
    .max_inter16x16 = {    4,    4,    4,    4,    4 }, /* tuned: near ties */
    .split          = { 1035, 1035, 1050, 1070, 1050 }, /* derive.py slope 16 */
    .partitionings  = { 1000, 1000, 1050, 1070, 1150 }, /* derive.py slope 16 */
    .bpred          = { 1300, 1100, 1100, 1100, 1100 }, /* tuned: near ties */
    .intra16x16     = { 1000, 1000, 1000, 1000, 1000 }, /* tuned: near ties */
    .sole           = { 1020, 1020, 1040, 1040, 1040 }, /* tuned: near ties */
    .fewer_modes    = {    1,    1,    1,    1,    0 }, /* derive.py slope 16 */
    .split_best     = {    1,    1,    1,    1,    1 }, /* derive.py slope 16 */
  },
  [LEVEL_REALTIME6] = { /* as LEVEL_REALTIME, with less evaluation */
    .lambda         = {  180,  275,  275,  275,  275 }, /* derive.py's logs */
    .refs           = { 5000, 5000, 5000, 5000, 5000 }, /* from derive.py */
    .inter16x16     = { 1030, 1030, 1030, 1030, 1030 }, /* tuned: near ties */
    .max_inter16x16 = {    2,    2,    2,    2,    2 }, /* tuned: near ties */
    .split          = { 1035, 1035, 1050, 1070, 1050 }, /* derive.py slope 16 */
    .partitionings  = { 1000, 1000, 1050, 1070, 1150 }, /* derive.py slope 16 */
    .bpred          = {  900,  900,  900,  900,  900 }, /* tuned: live */
    .intra16x16     = { 1000, 1000, 1000, 1000, 1000 }, /* tuned: near ties */
    .sole           = { 1010, 1010, 1010, 1010, 1010 }, /* tuned: live */
    .bound          = { 1000, 1000, 1000, 1000, 1000 }, /* tuned: no margin */
    .fewer_modes    = {    1,    1,    1,    1,    0 }, /* derive.py slope 16 */
    .split_best     = {    1,    1,    1,    1,    1 }, /* derive.py slope 16 */
  },
  [LEVEL_REALTIME8] = { /* derive.py: slope 120 */
    .lambda         = {  180,  275,  275,  275,  275 }, /* derive.py's logs */
    .refs           = { 5000, 5000, 5000, 5000, 5000 }, /* from derive.py */
    .inter16x16     = { 1000, 1000, 1000, 1000, 1000 }, /* from derive.py */
    .max_inter16x16 = {    1,    1,    1,    1,    1 }, /* from derive.py */
    .split          = { 1000, 1000, 1010, 1020, 1035 }, /* from derive.py */
    .partitionings  = { 1000, 1000, 1000, 1020, 1000 }, /* from derive.py */
    .bpred          = {  800,  800,  800,  800,  800 }, /* tuned: near ties */
    .intra16x16     = {  500,  500,  500,  500,  500 }, /* from derive.py */
    .sole           = { 1000, 1000, 1000, 1000, 1000 }, /* from derive.py */
    .bound          = {  950,  950,  950,  950,  950 }, /* tuned: no margin */
    .fewer_modes    = {    0,    2,    2,    2,    1 }, /* from derive.py */
    .split_best     = {    1,    1,    1,    1,    1 }, /* from derive.py */
  },
};
/* clang-format on */

static int level_of(const VP8_COMP *cpi) {
  const int guide = cpi->mp.provider->guide;

  if (!(vp8_mp_features(cpi) & VP8_MP_GUIDE_AGGRESSIVE)) {
    return guide == VP8E_MP_GUIDE_AUTO ? VP8E_MP_GUIDE_NORMAL : guide;
  }
  if (cpi->sf.RD) return LEVEL_RD;
  if (cpi->compressor_speed != 2) return VP8E_MP_GUIDE_AGGRESSIVE;
  if (cpi->Speed < 6) return LEVEL_REALTIME;
  return cpi->Speed < 8 ? LEVEL_REALTIME6 : LEVEL_REALTIME8;
}

#if VP8_MP_MODE_LOG
#include "vp8/encoder/mp/mode/log_level.inc.h"
#else
static const level_curves *curves_of(int level) { return &levels[level]; }
#endif

static int value_at(const curve c, int q) {
  int p = 0, span, at;

  while (p < POINTS - 2 && q > quantizer[p + 1]) ++p;
  span = quantizer[p + 1] - quantizer[p];
  at = clamp(q - quantizer[p], 0, span);
  return c[p] + (c[p + 1] - c[p]) * at / span;
}

void vp8_mp_mode_make_levels(VP8_COMP *cpi) {
  vp8_mp_mode_state *const state = &cpi->mp.mode;
  const int level = level_of(cpi);
  const level_curves *curves;
  int q;

  if (state->level_made == level) return;
  state->level_made = level;
  curves = curves_of(level);
  for (q = 0; q < QINDEX_RANGE; ++q) {
    vp8_mp_mode_level *const to = &state->level[q];

    to->lambda = value_at(curves->lambda, q);
    to->refs = value_at(curves->refs, q);
    to->inter16x16 = value_at(curves->inter16x16, q);
    to->max_inter16x16 = value_at(curves->max_inter16x16, q);
    to->split = value_at(curves->split, q);
    to->partitionings = value_at(curves->partitionings, q);
    to->bpred = value_at(curves->bpred, q);
    to->intra16x16 = value_at(curves->intra16x16, q);
    to->sole = value_at(curves->sole, q);
    to->bound = value_at(curves->bound, q);
    to->fewer_modes = value_at(curves->fewer_modes, q);
    to->split_best = value_at(curves->split_best, q);
    to->more_splits = value_at(curves->more_splits, q);
    to->splits = value_at(curves->splits, q);
  }
}

/* Gain that evaluations must have (vp8_mp_mode_slope()), set by hand. At
 * deadline best the result is close to stock libvpx's, and some clips lose to
 * it with more than this. At low quantizers a percent of the bitrate is many
 * bits. At the highest quantizers every candidate is evaluated: rare gains
 * matter there, and a starved stream loses 0.2 dB even with a slope of 1. From
 * good 2 on libvpx's thresholds leave out most candidates as well. */
static const curve best_slope = { 1, 4, 6, 6, 0 };
static const curve good2_slope = { 2, 6, 10, 10, 0 };

int vp8_mp_mode_slope(const VP8_COMP *cpi, int q_index) {
  const int is_good2 = cpi->compressor_speed && cpi->Speed >= 2;

  if (VP8_MP_MODE_LOG || !cpi->mp.provider) return 0;
  if (level_of(cpi) != VP8E_MP_GUIDE_NORMAL) return 0;
  return value_at(is_good2 ? good2_slope : best_slope, q_index);
}
