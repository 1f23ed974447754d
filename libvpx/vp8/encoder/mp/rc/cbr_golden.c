/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/cbr_golden.h"

#include <math.h>
#include <string.h>

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/mp/rc/segments.h"
#include "vp8/encoder/mp/rc/model.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "vpx_mem/vpx_mem.h"

/* Frames for which a macroblock must be still before it is refined. */
#define STILL_FRAMES 5
/* Refine a macroblock again if the quantizer index is lower by this percentage.
 */
#define LOWER_PERCENT 15
/* Smallest part of the macroblocks, in percent, that a golden frame refines. */
#define LEAST_PERCENT 5
/* Refine all macroblocks, without segments, if at least this percentage of the
 * still ones needs it. */
#define WHOLE_PERCENT 50
/* Exponent of the model (refined_bits()) at the start and after a key frame,
 * and its bounds. */
#define FIRST_POWER 4
#define LEAST_POWER 1.5
#define MOST_POWER 8
/* Multiply the exponent by this whenever the model finds refinement too
 * expensive, so that a wrong model recovers. */
#define FORGET 0.98
/* Upper bound of a refined frame's bits, as a multiple of a key frame's bits at
 * the same quantizer. */
#define MOST_OF_KEY 1.2
/* Do not update the exponent by frames for which bits_ratio() is smaller. */
#define LEAST_RATIO 1.2

/* Ratio of bits at the lower quantizer to bits at mean_q, by libvpx's table. */
static double bits_ratio(const vp8_mp_rc_golden_state *golden) {
  const int *const bits_per_mb = vp8_bits_per_mb[INTER_FRAME];

  return (double)bits_per_mb[golden->q_index] / bits_per_mb[golden->mean_q];
}

/* Expected bits if all still macroblocks are refined. A key frame's bits, if
 * known, predict them better than inter frames do. */
static double refined_bits(const vp8_mp_rc_golden_state *golden,
                           double key_bits) {
  const double bits =
      golden->inter_bits * pow(bits_ratio(golden), golden->power);

  return key_bits > 0 ? VPXMIN(bits, key_bits * MOST_OF_KEY) : bits;
}

/* Whether a macroblock needs refinement at that quantizer. */
static int is_rough(const VP8_COMP *cpi, int i, int q_index) {
  const vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;
  const unsigned int still = cpi->consec_zero_last[i]; /* saturates at 255 */
  const unsigned int since = golden->frame - golden->mb[i].frame - 1;

  if (still < STILL_FRAMES) return 0;
  return !golden->mb[i].frame || still < VPXMIN(since, 255) ||
         golden->mb[i].q_index * (100 - LOWER_PERCENT) >= q_index * 100;
}

void vp8_mp_rc_golden_begin(VP8_COMP *cpi) {
  vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;
  const int mbs = cpi->common.MBs;

  golden->is_planned = 0;
  if (golden->mbs != mbs) {
    vp8_mp_rc_golden_free(cpi);
    golden->mb = vpx_calloc(mbs, sizeof(*golden->mb));
    golden->map = vpx_malloc(mbs);
    if (golden->mb && golden->map) golden->mbs = mbs;
    golden->frame = 1;
    golden->power = FIRST_POWER;
  }
}

/* Number of macroblocks to refine, rough of which need it: all still ones if
 * WHOLE_PERCENT of them need it, or as many as the available bits allow. */
static int count_refined(const vp8_mp_rc_golden_state *golden, int rough,
                         double all_bits, double most) {
  if (all_bits <= most) {
    return rough * 100 >= golden->still_mbs * WHOLE_PERCENT ? golden->still_mbs
                                                            : rough;
  }
  if (most <= golden->inter_bits) return 0;
  return (int)VPXMIN(rough, (most - golden->inter_bits) /
                                (all_bits - golden->inter_bits) *
                                golden->still_mbs);
}

static int is_few(const vp8_mp_rc_golden_state *golden, int count) {
  return count * 100 < golden->mbs * LEAST_PERCENT;
}

static int is_whole(const vp8_mp_rc_golden_state *golden) {
  return golden->refined_mbs == golden->still_mbs;
}

double vp8_mp_rc_golden_plan(VP8_COMP *cpi, int mean_q, int q_index,
                             double inter_bits, double key_bits, double most) {
  vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;
  int rough = 0, i;
  double all_bits;

  if (golden->mbs != cpi->common.MBs || q_index >= mean_q) return 0;
  golden->mean_q = mean_q;
  golden->q_index = q_index;
  golden->inter_bits = inter_bits;
  golden->still_mbs = 0;
  for (i = 0; i < golden->mbs; ++i) {
    golden->still_mbs += cpi->consec_zero_last[i] >= STILL_FRAMES;
    rough += is_rough(cpi, i, q_index);
  }
  if (is_few(golden, rough)) return 0;
  all_bits = refined_bits(golden, key_bits);
  golden->refined_mbs = count_refined(golden, rough, all_bits, most);
  if (is_few(golden, golden->refined_mbs)) {
    /* The exponent may be too high: if still macroblocks are refined
     * already, refinement takes fewer bits than it did. */
    golden->power = VPXMAX(golden->power * FORGET, LEAST_POWER);
    return 0;
  }
  if (!is_whole(golden) && !(vp8_mp_features(cpi) & VP8_MP_SEGMENTS)) return 0;
  golden->is_planned = 1;
  return inter_bits +
         (all_bits - inter_bits) * golden->refined_mbs / golden->still_mbs;
}

int vp8_mp_rc_golden_frame_q(const VP8_COMP *cpi) {
  const vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;

  return is_whole(golden) ? golden->q_index : golden->mean_q;
}

void vp8_mp_rc_golden_frame_begin(VP8_COMP *cpi, int Q) {
  vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;
  double step[MAX_MB_SEGMENTS] = { 0 };
  int i, left = golden->refined_mbs;

  if (!golden->is_planned) return;
  memset(golden->map, is_whole(golden), golden->mbs);
  if (is_whole(golden)) return;
  for (i = 0; i < golden->mbs && left; ++i) {
    if (is_rough(cpi, golden->next, golden->q_index)) {
      golden->map[golden->next] = 1;
      --left;
    }
    if (++golden->next == golden->mbs) golden->next = 0;
  }
  step[1] = vp8_mp_rc_segment_log_step(golden->q_index) -
            vp8_mp_rc_segment_log_step(Q);
  vp8_mp_rc_segment_set(cpi, golden->map, step);
}

/* Update the model's exponent by the size of a golden frame. Take over a higher
 * exponent at once. Otherwise take the mean of the old and the new one. */
static void learn(VP8_COMP *cpi, double bits) {
  vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;
  const double none = golden->inter_bits;
  const double all =
      none + (bits - none) * golden->still_mbs / golden->refined_mbs;
  const double ratio = bits_ratio(golden);
  double power;

  if (ratio < LEAST_RATIO || all <= none) return;
  power = log(all / none) / log(ratio);
  power = VPXMIN(VPXMAX(power, LEAST_POWER), MOST_POWER);
  golden->power = VPXMAX(power, (golden->power + power) / 2);
}

static void note_refined(vp8_mp_rc_golden_state *golden) {
  int i;

  for (i = 0; i < golden->mbs; ++i) {
    if (!golden->map[i]) continue;
    golden->mb[i].frame = golden->frame;
    golden->mb[i].q_index = golden->q_index;
  }
}

void vp8_mp_rc_golden_end(VP8_COMP *cpi, int size) {
  vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;

  if (!size) return;
  if (golden->is_planned) {
    learn(cpi, size * 8.);
    note_refined(golden);
  }
  ++golden->frame;
  if (golden->mbs && cpi->common.last_frame_type == KEY_FRAME) {
    memset(golden->mb, 0, golden->mbs * sizeof(*golden->mb));
    golden->power = FIRST_POWER;
  }
}

void vp8_mp_rc_golden_free(VP8_COMP *cpi) {
  vp8_mp_rc_golden_state *const golden = &cpi->mp.golden;

  vpx_free(golden->mb);
  vpx_free(golden->map);
  memset(golden, 0, sizeof(*golden));
}
