/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* What each level of the guide evaluates. */

#include "vp8/encoder/guided_log.h"
#include "vp8/encoder/guided_mode.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* Behind the levels of VP8E_MP_GUIDE_*: aggressive ones of other speeds. */
enum {
  LEVEL_RD = VP8E_MP_GUIDE_AGGRESSIVE + 1, /* by rate and distortion */
  LEVEL_REALTIME,                          /* deadline realtime */
  LEVEL_REALTIME8,                         /* from cpu-used -8 on */
  LEVEL_REALTIME12                         /* from cpu-used -12 on */
};

/* Levels are given at these indices of quantizers, and linear between them. Each
 * is tools/guide/derive.py's for one slope: percent of bitrate that a microsecond
 * of evaluation in a macroblock must gain. */
#define LEVEL_POINTS 4
static const int level_points[LEVEL_POINTS] = { 18, 31, 55, 88 };

static const vp8_gm_level levels[][LEVEL_POINTS] = {
  [VP8E_MP_GUIDE_SAFE] = { /* 0.8 */
    { 275, 5000, 1160, 3, 1250, 1100, 1200, 900, 1100 },
    { 275, 1600, 1160, 3, 1250, 1030, 1100, 950, 1100 },
    { 275, 5000, 1200, 3, 1250, 1200, 1050, 1050, 1150 },
    { 275, 5000, 1130, 4, 1200, 1200, 1050, 1100, 1200 } },
  [VP8E_MP_GUIDE_NORMAL] = { /* 3 */
    { 275, 1600, 1040, 3, 1080, 1100, 1050, 750, 1030 },
    { 275, 1600, 1080, 2, 1120, 1030, 1050, 650, 1080 },
    { 275, 5000, 1080, 3, 1150, 1070, 950, 800, 1060 },
    { 275, 5000, 1060, 3, 1150, 1150, 950, 850, 1060 } },
  [VP8E_MP_GUIDE_AGGRESSIVE] = { /* 16 */
    { 275, 1200, 1100, 1, 1035, 1000, 700, 600, 1010 },
    { 275, 1300, 1100, 1, 1050, 1030, 700, 600, 1030 },
    { 275, 5000, 1100, 1, 1080, 1070, 850, 650, 1040 },
    { 275, 5000, 1100, 1, 1050, 1150, 800, 700, 1200 } },
  [LEVEL_RD] = { /* 10 */
    { 275, 1250, 1100, 1, 1050, 1000, 850, 600, 1020 },
    { 275, 1400, 1100, 1, 1080, 1030, 850, 600, 1040 },
    { 275, 5000, 1100, 1, 1080, 1070, 850, 650, 1040 },
    { 275, 5000, 1100, 1, 1080, 1150, 800, 700, 1030 } },
  [LEVEL_REALTIME] = { /* 16 */
    { 275, 5000, 1000, 1, 1035, 1000, 700, 500, 1010, 1050, 1, 1, 1 },
    { 275, 5000, 1000, 1, 1050, 1050, 800, 600, 1010, 1050, 1, 1, 1 },
    { 275, 5000, 1000, 1, 1070, 1070, 850, 650, 1040, 1000, 1, 0, 1 },
    { 275, 5000, 1000, 1, 1050, 1150, 800, 700, 1200, 1000, 0, 0, 1 } },
  [LEVEL_REALTIME8] = { /* 30 */
    { 275, 5000, 1000, 1, 1035, 1000, 700, 500, 1010, 1050, 2, 1, 1 },
    { 275, 5000, 1000, 1, 1035, 1000, 700, 500, 1010, 1050, 1, 1, 1 },
    { 275, 5000, 1000, 1, 1035, 1070, 650, 500, 1020, 1050, 1, 1, 1 },
    { 275, 5000, 1000, 1, 1050, 1150, 750, 700, 1020, 1000, 0, 0, 1 } },
  [LEVEL_REALTIME12] = { /* 120 */
    { 275, 5000, 1000, 1, 1000, 1000, 500, 500, 1000, 1200, 2, 1, 1 },
    { 275, 5000, 1000, 1, 1010, 1000, 600, 500, 1000, 1200, 2, 1, 1 },
    { 275, 5000, 1000, 1, 1020, 1020, 550, 500, 1000, 1100, 2, 1, 1 },
    { 275, 5000, 1000, 1, 1035, 1000, 500, 500, 1000, 1050, 1, 1, 1 } },
};

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

void vp8_gm_make_levels(VP8_COMP *cpi) {
  vp8_gm_state *const gm = &cpi->mp.guide;
  const int n = level_of(cpi);
  const vp8_gm_level *points = levels[n];
  int q, i;

  if (gm->level_made == n) return;
#if VP8_GUIDED_LOG
  points = vp8_gm_log_level(points, LEVEL_POINTS);
#endif
  gm->level_made = n;
  for (q = 0; q < QINDEX_RANGE; ++q) {
    int *const to = (int *)&gm->level[q];
    int p = 0;

    while (p < LEVEL_POINTS - 2 && q > level_points[p + 1]) ++p;
    for (i = 0; i < (int)(sizeof(vp8_gm_level) / sizeof(int)); ++i) {
      const int a = ((const int *)&points[p])[i];
      const int b = ((const int *)&points[p + 1])[i];
      const int span = level_points[p + 1] - level_points[p];
      const int at = clamp(q - level_points[p], 0, span);

      to[i] = a + (b - a) * at / span;
    }
  }
}

int vp8_gm_is_aggressive(const VP8_COMP *cpi) {
  return cpi->mp.provider && guide_of(cpi) == VP8E_MP_GUIDE_AGGRESSIVE;
}
