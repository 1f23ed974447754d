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

/* Frames that a macroblock stands still before it is refined. */
#define STILL_FRAMES 5
/* It is refined again at a quantizer lower by this percent. */
#define LOWER_PERCENT 15
/* A frame that refines less of the macroblocks, in percent, is not worth it. */
#define LEAST_PERCENT 5
/* All of the frame is refined if no less of what stands still is to be. */
#define WHOLE_PERCENT 50
/* The first power, that after a key frame, and bounds of what is learned. */
#define FIRST_POWER 4
#define LEAST_POWER 1.5
#define MOST_POWER 8
/* It falls by this factor with each frame that it finds too dear to refine. */
#define FORGET 0.98
/* What a refined frame takes at most, of a key frame's bits at its quantizer.
 */
#define MOST_OF_KEY 1.2
/* Ratios below say next to nothing of the power. */
#define LEAST_RATIO 1.2

/* How many times an inter frame's bits libvpx has at the lower quantizer. */
static double bits_ratio(const vp8_mp_rc_golden_state *cr) {
  const int *const bits_per_mb = vp8_bits_per_mb[INTER_FRAME];

  return (double)bits_per_mb[cr->q_index] / bits_per_mb[cr->mean_q];
}

/* What a frame takes that is refined all over: hardly more than a key frame,
 * which says more of it than inter frames do. */
static double refined_bits(const vp8_mp_rc_golden_state *cr, double key_bits) {
  const double bits = cr->inter_bits * pow(bits_ratio(cr), cr->power);

  return key_bits > 0 ? VPXMIN(bits, key_bits * MOST_OF_KEY) : bits;
}

/* Whether a macroblock is to be refined. */
static int is_rough(const VP8_COMP *cpi, int i, int q_index) {
  const vp8_mp_rc_golden_state *const cr = &cpi->mp.refresh;
  const unsigned int still = cpi->consec_zero_last[i]; /* 255 or more are 255 */
  const unsigned int since = cr->frame - cr->mb[i].frame - 1;

  if (still < STILL_FRAMES) return 0;
  return !cr->mb[i].frame || still < VPXMIN(since, 255) ||
         cr->mb[i].q_index * (100 - LOWER_PERCENT) >= q_index * 100;
}

void vp8_mp_rc_golden_begin(VP8_COMP *cpi) {
  vp8_mp_rc_golden_state *const cr = &cpi->mp.refresh;
  const int mbs = cpi->common.MBs;

  cr->refines = 0;
  if (cr->mbs != mbs) {
    vp8_mp_rc_golden_free(cpi);
    cr->mb = vpx_calloc(mbs, sizeof(*cr->mb));
    cr->map = vpx_malloc(mbs);
    if (cr->mb && cr->map) cr->mbs = mbs;
    cr->frame = 1;
    cr->power = FIRST_POWER;
  }
}

/* How many are refined of those that should be: all of what stands still, if
 * most of it should, or as many as there are bits for. */
static int count_refined(const vp8_mp_rc_golden_state *cr, int rough,
                         double all_bits, double most) {
  if (all_bits <= most) {
    return rough * 100 >= cr->still * WHOLE_PERCENT ? cr->still : rough;
  }
  if (most <= cr->inter_bits) return 0;
  return (int)VPXMIN(
      rough, (most - cr->inter_bits) / (all_bits - cr->inter_bits) * cr->still);
}

static int is_few(const vp8_mp_rc_golden_state *cr, int count) {
  return count * 100 < cr->mbs * LEAST_PERCENT;
}

static int is_whole(const vp8_mp_rc_golden_state *cr) {
  return cr->count == cr->still;
}

double vp8_mp_rc_golden_plan(VP8_COMP *cpi, int mean_q, int q_index,
                             double inter_bits, double key_bits, double most) {
  vp8_mp_rc_golden_state *const cr = &cpi->mp.refresh;
  int rough = 0, i;
  double all_bits;

  if (cr->mbs != cpi->common.MBs || q_index >= mean_q) return 0;
  cr->mean_q = mean_q;
  cr->q_index = q_index;
  cr->inter_bits = inter_bits;
  cr->still = 0;
  for (i = 0; i < cr->mbs; ++i) {
    cr->still += cpi->consec_zero_last[i] >= STILL_FRAMES;
    rough += is_rough(cpi, i, q_index);
  }
  if (is_few(cr, rough)) return 0;
  all_bits = refined_bits(cr, key_bits);
  cr->count = count_refined(cr, rough, all_bits, most);
  if (is_few(cr, cr->count)) {
    /* Where all is refined it takes less than it was learned to. */
    cr->power = VPXMAX(cr->power * FORGET, LEAST_POWER);
    return 0;
  }
  if (!is_whole(cr) && !(vp8_mp_features(cpi) & VP8_MP_SEGMENTS)) return 0;
  cr->refines = 1;
  return inter_bits + (all_bits - inter_bits) * cr->count / cr->still;
}

int vp8_mp_rc_golden_frame_q(const VP8_COMP *cpi) {
  const vp8_mp_rc_golden_state *const cr = &cpi->mp.refresh;

  return is_whole(cr) ? cr->q_index : cr->mean_q;
}

void vp8_mp_rc_golden_frame_begin(VP8_COMP *cpi, int Q) {
  vp8_mp_rc_golden_state *const cr = &cpi->mp.refresh;
  double step[MAX_MB_SEGMENTS] = { 0 };
  int i, left = cr->count;

  if (!cr->refines) return;
  memset(cr->map, is_whole(cr), cr->mbs);
  if (is_whole(cr)) return;
  for (i = 0; i < cr->mbs && left; ++i) {
    if (is_rough(cpi, cr->next, cr->q_index)) {
      cr->map[cr->next] = 1;
      --left;
    }
    if (++cr->next == cr->mbs) cr->next = 0;
  }
  step[1] =
      vp8_mp_rc_segment_log_step(cr->q_index) - vp8_mp_rc_segment_log_step(Q);
  vp8_mp_rc_segment_set(cpi, cr->map, step);
}

/* What a frame says that took more is trusted at once. */
static void learn(VP8_COMP *cpi, double bits) {
  vp8_mp_rc_golden_state *const cr = &cpi->mp.refresh;
  const double none = cr->inter_bits;
  const double all = none + (bits - none) * cr->still / cr->count;
  const double ratio = bits_ratio(cr);
  double power;

  if (ratio < LEAST_RATIO || all <= none) return;
  power = log(all / none) / log(ratio);
  power = VPXMIN(VPXMAX(power, LEAST_POWER), MOST_POWER);
  cr->power = VPXMAX(power, (cr->power + power) / 2);
}

static void note_refined(vp8_mp_rc_golden_state *cr) {
  int i;

  for (i = 0; i < cr->mbs; ++i) {
    if (!cr->map[i]) continue;
    cr->mb[i].frame = cr->frame;
    cr->mb[i].q_index = cr->q_index;
  }
}

void vp8_mp_rc_golden_end(VP8_COMP *cpi, int size) {
  vp8_mp_rc_golden_state *const cr = &cpi->mp.refresh;

  if (!size) return;
  if (cr->refines) {
    learn(cpi, size * 8.);
    note_refined(cr);
  }
  ++cr->frame;
  if (cr->mbs && cpi->common.last_frame_type == KEY_FRAME) {
    memset(cr->mb, 0, cr->mbs * sizeof(*cr->mb));
    cr->power = FIRST_POWER;
  }
}

void vp8_mp_rc_golden_free(VP8_COMP *cpi) {
  vp8_mp_rc_golden_state *const cr = &cpi->mp.refresh;

  vpx_free(cr->mb);
  vpx_free(cr->map);
  memset(cr, 0, sizeof(*cr));
}
