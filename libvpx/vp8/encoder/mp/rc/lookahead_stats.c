/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/lookahead_stats.h"

#include <string.h>

/* Frames with a smaller fraction of inter macroblocks are scene cuts or the
 * like: they are left out of the mean. */
#define MIN_INTER 0.05

/* ---- arithmetic ---------------------------------------------------------- */

#define FIELDS (sizeof(FIRSTPASS_STATS) / sizeof(double))

void vp8_mp_rc_lookahead_stats_add(FIRSTPASS_STATS *sum,
                                   const FIRSTPASS_STATS *frame,
                                   double weight) {
  double *const to = (double *)sum;
  const double *const from = (const double *)frame;
  size_t i;

  for (i = 0; i < FIELDS; ++i) to[i] += from[i] * weight;
}

void vp8_mp_rc_lookahead_stats_scale(FIRSTPASS_STATS *sum, double factor) {
  double *const to = (double *)sum;
  size_t i;

  for (i = 0; i < FIELDS; ++i) to[i] *= factor;
}

static int is_typical(const FIRSTPASS_STATS *frame) {
  return frame->frame > 0 && frame->pcnt_inter > MIN_INTER;
}

FIRSTPASS_STATS vp8_mp_rc_lookahead_stats_mean(
    const vp8_mp_rc_lookahead_stats *stats) {
  FIRSTPASS_STATS mean = stats->past;
  int i;

  for (i = 0; i < stats->frames; ++i) {
    if (is_typical(&stats->window[i])) {
      vp8_mp_rc_lookahead_stats_add(&mean, &stats->window[i], 1);
    }
  }
  if (mean.count < 1) {
    vp8_mp_rc_lookahead_stats_add(&mean, &stats->window[0], 1);
  }
  vp8_mp_rc_lookahead_stats_scale(&mean, 1 / mean.count);
  return mean;
}

/* ---- the window ---------------------------------------------------------- */

void vp8_mp_rc_lookahead_stats_append(vp8_mp_rc_lookahead_stats *stats,
                                      const FIRSTPASS_STATS *frame,
                                      unsigned int flags) {
  stats->window[stats->frames] = *frame;
  stats->flags[stats->frames] = flags;
  ++stats->frames;
}

void vp8_mp_rc_lookahead_stats_pop(vp8_mp_rc_lookahead_stats *stats) {
  vp8_mp_rc_lookahead_stats_scale(&stats->past,
                                  1 - 1. / VP8_MP_RC_LOOKAHEAD_MEAN_FRAMES);
  if (is_typical(&stats->window[0])) {
    vp8_mp_rc_lookahead_stats_add(&stats->past, &stats->window[0], 1);
  }
  --stats->frames;
  memmove(stats->window, stats->window + 1,
          stats->frames * sizeof(stats->window[0]));
  memmove(stats->flags, stats->flags + 1,
          stats->frames * sizeof(stats->flags[0]));
}
