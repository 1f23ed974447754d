/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/expected.h"

#include <math.h>

#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/ratectrl.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* Frames over which the rate of key frames is averaged. */
#define KEY_MEMORY 150
/* Weight of the second pass's own expectation, in frames, before any is coded.
 * If the correction begins at its final value, with a weight of 12 frames,
 * surveillance is 1.5 % worse in two passes, and foliage 0.3 %. */
#define PRIOR 3
/* Bounds of the factor in estimate_max_q(). */
#define LEAST_FACTOR 0.05
#define MOST_FACTOR 5

double vp8_mp_rc_expected_key_bits(const VP8_COMP *cpi, int key) {
  const vp8_mp_rc_expected *const sums = &cpi->mp.expected;

  if (sums->key_bits > 0) return sums->key_bits;
  return VPXMIN(sums->first_key_bits,
                key * (double)cpi->av_per_frame_bandwidth / 2);
}

double vp8_mp_rc_expected_key_period(const VP8_COMP *cpi, int known_frames,
                                     int known_keys) {
  const vp8_mp_rc_expected *const sums = &cpi->mp.expected;
  const double keys = sums->keys + known_keys;
  const double frames = sums->key_frames + known_frames;
  const double due = cpi->key_frame_frequency;

  return keys > 0 ? VPXMIN(due, VPXMAX(frames / keys, 1)) : due;
}

static double prior_bits(const VP8_COMP *cpi) {
  return PRIOR * (double)cpi->av_per_frame_bandwidth;
}

double vp8_mp_rc_expected_correction(const VP8_COMP *cpi) {
  const vp8_mp_rc_expected *const sums = &cpi->mp.expected;
  const double prior = prior_bits(cpi);
  double past;

  if (prior <= 0) return 1;
  past = (sums->past_coded + prior) / (sums->past_expected + prior);
  return (sums->coded + past * prior) / (sums->expected + prior);
}

void vp8_mp_rc_expected_correct(VP8_COMP *cpi, double keys, double least) {
  const double left = (double)cpi->twopass.bits_left;
  double factor = vp8_mp_rc_expected_correction(cpi);

  cpi->twopass.maxq_min_limit = cpi->best_quality;
  cpi->twopass.maxq_max_limit = cpi->worst_quality;
  if (left > 0) factor /= VPXMAX(1 - keys / left, 1. / 8);
  cpi->twopass.est_max_qcorrection_factor =
      VPXMIN(VPXMAX(factor, least), VP8_MP_RC_EXPECTED_MOST_CORRECTION);
}

void vp8_mp_rc_expected_forget(VP8_COMP *cpi) {
  vp8_mp_rc_expected *const sums = &cpi->mp.expected;
  const double prior = prior_bits(cpi);

  if (sums->expected <= prior) return;
  sums->coded *= prior / sums->expected;
  sums->expected = prior;
}

void vp8_mp_rc_expected_begin_scene(VP8_COMP *cpi) {
  vp8_mp_rc_expected *const sums = &cpi->mp.expected;

  sums->past_coded += sums->coded;
  sums->past_expected += sums->expected;
  sums->coded = sums->expected = 0;
}

double vp8_mp_rc_expected_factor(double error_per_mb, int q) {
  return pow(error_per_mb / 150, VPXMIN(0.4 + q * 0.01, 0.9));
}

double vp8_mp_rc_expected_libvpx_factor(double error_per_mb, int q) {
  return VPXMIN(
      VPXMAX(vp8_mp_rc_expected_factor(error_per_mb, q), LEAST_FACTOR),
      MOST_FACTOR);
}

double vp8_mp_rc_expected_bits(const VP8_COMP *cpi, int q, double factor) {
  double speed = 1;

  if (cpi->compressor_speed == 1) {
    speed = cpi->oxcf.cpu_used <= 5 ? 1.04 + cpi->oxcf.cpu_used * 0.04 : 1.25;
  }
  return factor * speed * cpi->twopass.section_max_qfactor *
         vp8_bits_per_mb[INTER_FRAME][q] * cpi->common.MBs / 512;
}

static void count_key(vp8_mp_rc_expected *sums, double size) {
  sums->hidden = 0;
  if (sums->first_key_bits > 0) {
    sums->keys += 1;
    sums->key_bits = size;
  } else {
    sums->first_key_bits = size;
  }
}

void vp8_mp_rc_expected_frame_end(VP8_COMP *cpi, size_t size, int q,
                                  double factor, int memory) {
  const double keep = memory ? 1 - 1. / memory : 1;
  const double keep_key = 1 - 1. / KEY_MEMORY;
  vp8_mp_rc_expected *const sums = &cpi->mp.expected;

  if (cpi->common.show_frame) {
    sums->keys *= keep_key;
    sums->key_frames = sums->key_frames * keep_key + 1;
  }
  /* If every frame is a key frame, they are the frames that the second pass's
   * expectation is about. */
  if (cpi->common.last_frame_type == KEY_FRAME &&
      (cpi->key_frame_frequency > 1 || !sums->first_key_bits)) {
    count_key(sums, size * 8.);
  } else if (!cpi->common.show_frame) {
    sums->hidden = size * 8. / VPXMAX(cpi->baseline_gf_interval, 1);
  } else {
    /* A golden frame begins a group. refresh_golden_frame is 0 again. */
    if (cpi->common.frame_flags & FRAMEFLAGS_GOLDEN) sums->hidden = 0;
    sums->coded = sums->coded * keep + size * 8. + sums->hidden;
    sums->expected =
        sums->expected * keep + vp8_mp_rc_expected_bits(cpi, q, factor);
  }
}
