/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/level.h"

#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* Behind the levels of VP8E_MP_GUIDE_*: aggressive ones of other speeds. */
enum {
  LEVEL_RD = VP8E_MP_GUIDE_AGGRESSIVE + 1, /* by rate and distortion */
  LEVEL_REALTIME,                          /* deadline realtime */
  LEVEL_REALTIME8,                         /* from cpu-used -8 on */
  LEVEL_REALTIME12                         /* from cpu-used -12 on */
};

/* Levels are given at these quantizers, and linear between them. */
#define POINTS 5
static const int quantizer[POINTS] = { 7, 18, 31, 55, 88 };

/* One member of vp8_mp_mode_level at these quantizers. */
typedef int curve[POINTS];

/* The members of vp8_mp_mode_level, in its order. */
typedef struct level_curves {
  curve lambda, refs, inter16x16, max_inter16x16, split, partitionings, bpred,
      intra16x16, sole, bound, fewer_modes, split_best, more_splits, splits;
} level_curves;

/* Each is what tools/guide/derive.py finds for one slope: the percent of
 * bitrate that a microsecond of evaluation in a macroblock must gain. All but
 * RD's look further than that where a change of one member alone gained more
 * bitrate than it cost time: SAFE and NORMAL for SPLITMV and intra modes, all
 * others for intra modes, and but from -8 on for inter 16x16 candidates that
 * are nearly level, of which noise has many. The first quantizer's are not
 * derived: SATD says too little there of what a residual costs, so that more
 * bits and B_PRED from further off gain most. NORMAL's bound loses nothing in
 * 0.985 of the decisions' time. */
/* clang-format off */
static const level_curves levels[] = {
  [VP8E_MP_GUIDE_SAFE] = { /* slope 0.8 */
    .lambda         = {  150,  275,  275,  275,  275 },
    .refs           = { 5000, 5000, 1600, 5000, 5000 },
    .inter16x16     = { 1160, 1160, 1160, 1200, 1130 },
    .max_inter16x16 = {    3,    3,    3,    3,    4 },
    .split          = { 1250, 1250, 1250, 1250, 1200 },
    .partitionings  = { 1200, 1200, 1200, 1200, 1200 },
    .bpred          = { 4000, 1300, 1250, 1200, 1200 },
    .intra16x16     = { 1050, 1050, 1050, 1100, 1150 },
    .sole           = { 1100, 1100, 1100, 1150, 1200 },
    .more_splits    = {    3,    3,    3,    3,    3 },
    .splits         = { 1080, 1080, 1080, 1080, 1080 },
  },
  [VP8E_MP_GUIDE_NORMAL] = { /* slope 3; the first two quantizers: bounds of what is learned */
    .lambda         = {  150,  275,  275,  275,  275 },
    .refs           = { 5000, 2500, 1600, 5000, 5000 },
    .inter16x16     = { 2000, 1500, 1300, 1200, 1200 },
    .max_inter16x16 = {   12,   12,    8,    6,    6 },
    .split          = { 2000, 1500, 1250, 1250, 1200 },
    .partitionings  = { 1500, 1300, 1200, 1200, 1200 },
    .bpred          = { 6000, 2000, 1250, 1200, 1200 },
    .intra16x16     = { 1500, 1200, 1050, 1100, 1150 },
    .sole           = { 1500, 1200, 1080, 1060, 1060 },
    .bound          = { 1000, 1000, 1000, 1000, 1000 },
    .more_splits    = {    3,    3,    3,    3,    3 },
    .splits         = { 1300, 1150, 1080, 1080, 1080 },
  },
  [VP8E_MP_GUIDE_AGGRESSIVE] = { /* slope 16 */
    .lambda         = {  180,  275,  275,  275,  275 },
    .refs           = { 1200, 1200, 1300, 5000, 5000 },
    .inter16x16     = { 1050, 1050, 1050, 1050, 1050 },
    .max_inter16x16 = {    3,    3,    3,    3,    3 },
    .split          = { 1035, 1035, 1050, 1080, 1050 },
    .partitionings  = { 1000, 1000, 1030, 1070, 1150 },
    .bpred          = { 1300, 1050, 1050, 1050, 1050 },
    .intra16x16     = {  900,  900,  900,  900,  900 },
    .sole           = { 1010, 1010, 1030, 1040, 1200 },
  },
  [LEVEL_RD] = { /* slope 10 */
    .lambda         = {  180,  275,  275,  275,  275 },
    .refs           = { 1250, 1250, 1400, 5000, 5000 },
    .inter16x16     = { 1100, 1100, 1100, 1100, 1100 },
    .max_inter16x16 = {    1,    1,    1,    1,    1 },
    .split          = { 1050, 1050, 1080, 1080, 1080 },
    .partitionings  = { 1000, 1000, 1030, 1070, 1150 },
    .bpred          = { 1200,  850,  850,  850,  800 },
    .intra16x16     = {  600,  600,  600,  650,  700 },
    .sole           = { 1020, 1020, 1040, 1040, 1030 },
  },
  [LEVEL_REALTIME] = { /* slope 5 */
    .lambda         = {  180,  275,  275,  275,  275 },
    .refs           = { 5000, 5000, 5000, 5000, 5000 },
    .inter16x16     = { 1100, 1100, 1100, 1100, 1100 },
    .max_inter16x16 = {    4,    4,    4,    4,    4 },
    .split          = { 1035, 1035, 1050, 1070, 1050 },
    .partitionings  = { 1000, 1000, 1050, 1070, 1150 },
    .bpred          = { 1300, 1100, 1100, 1100, 1100 },
    .intra16x16     = { 1000, 1000, 1000, 1000, 1000 },
    .sole           = { 1020, 1020, 1040, 1040, 1040 },
    .fewer_modes    = {    1,    1,    1,    1,    0 },
    .split_best     = {    1,    1,    1,    1,    1 },
  },
  [LEVEL_REALTIME8] = { /* slope 30 */
    .lambda         = {  180,  275,  275,  275,  275 },
    .refs           = { 5000, 5000, 5000, 5000, 5000 },
    .inter16x16     = { 1030, 1030, 1030, 1030, 1030 },
    .max_inter16x16 = {    2,    2,    2,    2,    2 },
    .split          = { 1035, 1035, 1035, 1035, 1050 },
    .partitionings  = { 1000, 1060, 1060, 1100, 1150 },
    .bpred          = {  850,  900,  900,  900,  900 },
    .intra16x16     = {  500,  500,  500,  500,  700 },
    .sole           = { 1020, 1020, 1020, 1030, 1030 },
    .bound          = { 1000, 1000, 1000, 1000, 1000 },
    .fewer_modes    = {    0,    2,    1,    1,    0 },
    .split_best     = {    1,    1,    1,    1,    1 },
  },
  [LEVEL_REALTIME12] = { /* slope 120 */
    .lambda         = {  180,  275,  275,  275,  275 },
    .refs           = { 5000, 5000, 5000, 5000, 5000 },
    .inter16x16     = { 1000, 1000, 1000, 1000, 1000 },
    .max_inter16x16 = {    1,    1,    1,    1,    1 },
    .split          = { 1000, 1000, 1010, 1020, 1035 },
    .partitionings  = { 1000, 1000, 1000, 1020, 1000 },
    .bpred          = {  800,  800,  800,  800,  800 },
    .intra16x16     = {  500,  500,  500,  500,  500 },
    .sole           = { 1000, 1000, 1000, 1000, 1000 },
    .bound          = {  950,  950,  950,  950,  950 },
    .fewer_modes    = {    0,    2,    2,    2,    1 },
    .split_best     = {    1,    1,    1,    1,    1 },
  },
};
/* clang-format on */

static int guide_of(const VP8_COMP *cpi) {
  const int guide = cpi->mp.provider->guide;

  if (guide != VP8E_MP_GUIDE_AUTO) return guide;
  return cpi->sf.RD ? VP8E_MP_GUIDE_NORMAL : VP8E_MP_GUIDE_AGGRESSIVE;
}

static int level_of(const VP8_COMP *cpi) {
  const int guide = guide_of(cpi);

  if (guide != VP8E_MP_GUIDE_AGGRESSIVE) return guide;
  if (cpi->sf.RD) return LEVEL_RD;
  if (cpi->compressor_speed != 2) return guide;
  if (cpi->Speed < 8) return LEVEL_REALTIME;
  return cpi->Speed < 12 ? LEVEL_REALTIME8 : LEVEL_REALTIME12;
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
  vp8_mp_mode_state *const gm = &cpi->mp.guide;
  const int level = level_of(cpi);
  const level_curves *curves;
  int q;

  if (gm->level_made == level) return;
  gm->level_made = level;
  curves = curves_of(level);
  for (q = 0; q < QINDEX_RANGE; ++q) {
    vp8_mp_mode_level *const to = &gm->level[q];

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

/* At best stock libvpx is near: more than this loses to it on some clips. Where
 * the quantizer is low a percent of the bits is much. Where it is so high that
 * hardly a bit is left, rare gains hold the picture together: a starved stream
 * loses 0.2 dB even by 1. From good 2 on libvpx leaves most out by thresholds.
 */
static const curve best_slope = { 1, 4, 6, 6, 0 };
static const curve good2_slope = { 2, 6, 10, 10, 0 };

int vp8_mp_mode_slope(const VP8_COMP *cpi, int q_index) {
  const int is_good2 = cpi->compressor_speed && cpi->Speed >= 2;

  if (!cpi->mp.provider) return 0;
  if (guide_of(cpi) != VP8E_MP_GUIDE_NORMAL) return 0;
  return value_at(is_good2 ? good2_slope : best_slope, q_index);
}

int vp8_mp_mode_is_aggressive(const VP8_COMP *cpi) {
  return cpi->mp.provider && guide_of(cpi) == VP8E_MP_GUIDE_AGGRESSIVE;
}
