/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/golden.h"

#include <string.h>

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/mp/rc/segments.h"
#include "vp8/encoder/mp/rc/model.h"
#include "vp8/encoder/mp/rc/reached.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "vpx_mem/vpx_mem.h"

/* doc/lab/0070 has half and double of most constants. */

/* Frames for which a macroblock must be still before it is refined. With 5, and
 * every fifth frame golden, five clips take 6.0 % more bitrate than before this
 * model; with 2, and every third, 4.4 % less (doc/lab/0047). */
#define STILL_FRAMES 2
/* Refine a macroblock again if the quantizer index is lower by this percentage.
 */
#define LOWER_PERCENT 15
/* Smallest and largest part of the macroblocks, in percent, that a golden frame
 * refines. With at least 5 %, a buffer of 150 ms at 10 frames per second holds
 * too few bits for it: still scenes lose 10 % of bitrate. If a fifth of the
 * picture loses all of its error, PSNR rises by a decibel. A third costs 0.4 %
 * of bitrate at -16, and nothing at -8 (doc/lab/0048). */
#define LEAST_PERCENT 1
#define MOST_PERCENT 20
/* Bounds of the ratio of actual to expected bits of refinement. The noise of a
 * camera takes up to four times the bits: with 2, and half of the weight for a
 * lower ratio, a still picture with noise has golden frames of up to 200 ms of
 * the channel (doc/lab/0070). */
#define LEAST_RATIO 0.5
#define MOST_RATIO 4
/* Weight of a lower ratio; a higher one counts in full. With twice the weight
 * more of these golden frames take more than 120 ms, and half of it costs 0.8 %
 * of bitrate (doc/lab/0070). */
#define LOWER_WEIGHT 0.125

/* Whether a macroblock needs refinement at that quantizer. */
static int is_rough(const VP8_COMP *cpi, int i, int q_index) {
  return cpi->consec_zero_last[i] >= STILL_FRAMES &&
         cpi->mp.reached.q[i] * (100 - LOWER_PERCENT) >= q_index * 100;
}

void vp8_mp_rc_golden_begin(VP8_COMP *cpi) {
  vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;
  const int mbs = cpi->common.MBs;

  golden->is_planned = 0;
  if (golden->mbs != mbs) {
    vp8_mp_rc_golden_free(cpi);
    golden->map = vpx_malloc(mbs);
    if (golden->map) golden->mbs = mbs;
    golden->ratio = 1;
  }
}

/* Mark the next macroblocks that need refinement, until their refinement takes
 * most bits, which sets *is_short. Returns whether they are enough. */
static int mark_parts(VP8_COMP *cpi, double most, int *is_short) {
  vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;
  int n = golden->next, count = 0, i;

  *is_short = 0;
  golden->refine_bits = 0;
  memset(golden->map, 0, golden->mbs);
  for (i = 0; i < golden->mbs; ++i) {
    if (is_rough(cpi, n, golden->q_index)) {
      const double bits =
          golden->refine_bits +
          golden->ratio * vp8_mp_rc_model_refinement(cpi, cpi->mp.reached.q[n],
                                                     golden->q_index);

      *is_short = bits > most;
      if (*is_short || count * 100 > golden->mbs * MOST_PERCENT) break;
      golden->refine_bits = bits;
      golden->map[n] = 1;
      ++count;
    }
    if (++n == golden->mbs) n = 0;
  }
  if (count * 100 < golden->mbs * LEAST_PERCENT) return 0;
  golden->next = n;
  return 1;
}

double vp8_mp_rc_golden_plan(VP8_COMP *cpi, int mean_q, int q_index,
                             double inter_bits, double most) {
  vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;
  int is_short;

  if (golden->mbs != cpi->common.MBs || cpi->mp.reached.mbs != golden->mbs ||
      !(vp8_mp_features(cpi) & VP8_MP_SEGMENTS)) {
    return 0;
  }
  golden->mean_q = mean_q;
  golden->inter_bits = inter_bits;
  /* If the bits are too few for that quantizer, in debt or after noise,
   * macroblocks have one that is nearer to their own. */
  for (is_short = 1; is_short && q_index < mean_q;
       q_index = (q_index + mean_q + 1) / 2) {
    golden->q_index = q_index;
    if (mark_parts(cpi, most - inter_bits, &is_short)) {
      golden->is_planned = 1;
      return inter_bits + golden->refine_bits;
    }
  }
  return 0;
}

void vp8_mp_rc_golden_frame_begin(VP8_COMP *cpi, int Q) {
  const vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;
  double step[MAX_MB_SEGMENTS] = { 0 };

  if (!golden->is_planned) return;
  step[1] = vp8_mp_rc_segment_log_step(golden->q_index) -
            vp8_mp_rc_segment_log_step(Q);
  vp8_mp_rc_segment_set(cpi, golden->map, step);
}

/* Compare the size of a golden frame with the expected one. */
static void learn(vp8_mp_rc_golden_state *golden, double bits) {
  const double ratio = golden->ratio * (bits - golden->inter_bits) /
                       VPXMAX(golden->refine_bits, 1);

  golden->ratio =
      VPXMAX(ratio, golden->ratio + (ratio - golden->ratio) * LOWER_WEIGHT);
  golden->ratio = VPXMIN(VPXMAX(golden->ratio, LEAST_RATIO), MOST_RATIO);
}

void vp8_mp_rc_golden_end(VP8_COMP *cpi, int size) {
  if (size && cpi->mp.golden.is_planned) learn(&cpi->mp.golden, size * 8.);
}

void vp8_mp_rc_golden_free(VP8_COMP *cpi) {
  vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;

  vpx_free(golden->map);
  memset(golden, 0, sizeof(*golden));
}
