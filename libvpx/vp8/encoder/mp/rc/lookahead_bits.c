/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/lookahead_bits.h"

#include <limits.h>
#include <math.h>

#include "vp8/encoder/mp/rc/balance.h"
#include "vp8/encoder/mp/rc/lookahead_state.h"
#include "vp8/encoder/mp/rc/model.h"
#include "vp8/encoder/ratectrl.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* From this many frames on, a stream that ends is treated as a long one. */
#define LONG_STREAM 120
/* Time constant, in frames, of the correction of the second pass's expectation,
 * and weight of that expectation itself, in frames, before any is coded. */
#define CORRECTION_FRAMES 60
#define CORRECTION_PRIOR 3
/* Lower bound of the correction. With a lower one, text gets all the bits that
 * it is allowed, and code on the screen is 1 % worse; with libvpx's bound of
 * 0.1, pages take a quarter less than they may. */
#define LEAST_CORRECTION 0.05
/* Time constant, in key frames, of the mean size of key frames after the first
 * one; and the frames without a key frame that are added to those counted when
 * the distance between key frames is estimated. */
#define MEAN_KEYS 4
#define KEY_PRIOR 25
/* Most of the bits of its group, as a fraction, that a key frame that is due
 * may take to reach the quality of the frames before it. */
#define KEY_SHARE 0.5
/* Percent of a key frame's bits that are saved before it is due; lower before
 * the stream's second key frame. */
#define DUE_KEY_KEPT_PERCENT 70
#define SECOND_KEY_KEPT_PERCENT 30
/* Deviation from the bitrate that a stream may end with, as a fraction of all
 * its bits: to make up for the rest within its last second costs more. */
#define TOLERANCE 0.015
/* Lower bound of the first key frame's target, in seconds of the bitrate, if it
 * can use them: the bits that still pictures take are known only when some are
 * coded. */
#define FIRST_KEY_SECONDS 1

/* Expected bits of the clip's next key frame, which comes in key frames. */
static double expected_key_bits(const VP8_COMP *cpi, int key) {
  const vp8_mp_rc_lookahead_bits *const bits = &cpi->mp.lookahead->bits;

  if (bits->key_weight > 0) return bits->key_bits / bits->key_weight;
  return VPXMIN(bits->first_key_bits,
                key * (double)cpi->av_per_frame_bandwidth / 2);
}

/* Expected bits of all key frames of the clip: those that are due, and others
 * as often as they came so far. The next one comes in key frames. */
static double future_key_bits(const VP8_COMP *cpi, int key) {
  const struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  const vp8_mp_rc_lookahead_stats *const stats = &la->stats;
  double keys = la->bits.keys;
  double frames = la->bits.key_frames + KEY_PRIOR + stats->frames;
  double period = cpi->key_frame_frequency;
  int i;

  /* If every frame is a key frame, no other frames could save bits for them. */
  if (key >= la->length || cpi->key_frame_frequency <= 1) return 0;
  for (i = 1; i < stats->frames; ++i) {
    if (stats->flags[i] & FRAMEFLAGS_KEY) ++keys;
  }
  if (keys > 0) period = VPXMIN(period, VPXMAX(frames / keys, 1));
  return expected_key_bits(cpi, key) * (la->length - key) / period;
}

/* Bits to save before a key frame that is due, because a stream that ends soon
 * after it could not make up for them. If the stream ends before the key frame,
 * the frames left in the queue get these bits. While the first key frame is
 * being paid for, still pages would be 5 % worse with the full percentage. */
static double bits_kept_for_key(const VP8_COMP *cpi) {
  const int interval = (int)cpi->key_frame_frequency;
  const int percent = cpi->mp.lookahead->bits.key_weight > 0
                          ? DUE_KEY_KEPT_PERCENT
                          : SECOND_KEY_KEPT_PERCENT;

  if (!cpi->oxcf.auto_key || interval <= 1 ||
      interval > VP8_MP_RC_LOOKAHEAD_MAX_CLIP) {
    return 0;
  }
  return expected_key_bits(cpi, interval) * percent / 100;
}

/* The second pass's own correction takes seconds to follow the coded size, and
 * does not know that later key frames take a part of the bits left. */
void vp8_mp_rc_lookahead_bits_correct(VP8_COMP *cpi, int key) {
  const vp8_mp_rc_lookahead_bits *const bits = &cpi->mp.lookahead->bits;
  const double prior = CORRECTION_PRIOR * (double)cpi->av_per_frame_bandwidth;
  const double left = (double)cpi->twopass.bits_left;
  double factor = 1;

  cpi->twopass.maxq_min_limit = cpi->best_quality;
  cpi->twopass.maxq_max_limit = cpi->worst_quality;
  if (bits->expected > 0) {
    factor = (bits->coded + prior) / (bits->expected + prior);
  }
  if (left > 0) {
    factor /= VPXMAX(1 - future_key_bits(cpi, key) / left, 1. / 8);
  }
  cpi->twopass.est_max_qcorrection_factor =
      VPXMIN(VPXMAX(factor, LEAST_CORRECTION), 10);
}

/* Lower bound of a frame's budget, as a fraction of its share of the bitrate.
 * When the stream ends, the bound is 1/2 in a short stream, which has few
 * frames to make up for overspent bits, and rises to 3/4 in a long one, which
 * has overspent only a small fraction of its bits: its last frames should not
 * look bad. */
static double least_part(const VP8_COMP *cpi) {
  const int frame = cpi->common.current_video_frame;

  if (!cpi->mp.lookahead->is_ended) return 1. / 4;
  return (2 + VPXMIN(frame, LONG_STREAM) / (double)LONG_STREAM) / 4;
}

/* Bits that a short stream, of which length frames are left, may take above its
 * rate: it may take as many as libvpx's first key frame. Nobody measures the
 * rate of a few frames. */
static double bits_of_short_stream(const VP8_COMP *cpi, int length) {
  const double frames = (double)cpi->common.current_video_frame + length;
  const double least =
      cpi->oxcf.target_bandwidth * VP8_MP_RC_BALANCE_KEY_SECONDS;

  if (!cpi->mp.lookahead->is_ended) return 0;
  return VPXMAX(least - frames * cpi->av_per_frame_bandwidth, 0);
}

double vp8_mp_rc_lookahead_bits_budget(VP8_COMP *cpi, int length) {
  const double mean = cpi->av_per_frame_bandwidth;
  const double granted = bits_of_short_stream(cpi, length);
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  double saved = cpi->mp.balance.saved;

  if (la->is_ended) {
    const double least =
        mean * TOLERANCE * ((double)cpi->common.current_video_frame + length);

    /* Repay no bits that were granted. */
    if (saved < 0) saved = VPXMIN(saved + granted, 0);
    saved = saved > 0 ? VPXMAX(saved - least, 0) : VPXMIN(saved + least, 0);
  } else {
    saved -= bits_kept_for_key(cpi);
  }
  saved = VPXMIN(saved / length, mean * cpi->oxcf.over_shoot_pct / 100);
  la->bits.per_frame = VPXMAX(mean + saved, mean * least_part(cpi));
  if (!cpi->common.current_video_frame) {
    la->bits.per_frame += granted / length;
  }
  return la->bits.per_frame;
}

/* ---- key frames ---------------------------------------------------------- */

void vp8_mp_rc_lookahead_frame_decided(VP8_COMP *cpi) {
  vp8_mp_rc_lookahead_bits *bits;
  const double frames = VPXMAX(cpi->twopass.frames_to_key + 1, 1);
  double target = cpi->per_frame_bandwidth;

  if (!cpi->mp.lookahead || cpi->common.frame_type != KEY_FRAME) {
    return;
  }
  bits = &cpi->mp.lookahead->bits;
  if (!cpi->common.current_video_frame) {
    const double least = (double)cpi->oxcf.target_bandwidth * FIRST_KEY_SECONDS;

    target = VPXMAX(target, VPXMIN(least, frames * bits->per_frame));
  }
  bits->most_key_bits = VPXMAX(target, frames * bits->per_frame * KEY_SHARE);
  bits->is_limited = 0;
  if (cpi->oxcf.rc_max_intra_bitrate_pct) {
    /* Below 100 % libvpx applies the limit to the frame's own target. */
    const double percent = VPXMAX(cpi->oxcf.rc_max_intra_bitrate_pct, 100);
    const double most = cpi->av_per_frame_bandwidth * percent / 100;

    if (most < bits->most_key_bits) {
      target = VPXMIN(target, most);
      cpi->this_key_frame_forced = 0;
      bits->is_limited = 1;
      bits->inter_worst_q = cpi->active_worst_quality;
      cpi->active_worst_quality = cpi->worst_quality;
    }
  }
  cpi->per_frame_bandwidth = (int)VPXMIN(target, INT_MAX);
}

void vp8_mp_rc_lookahead_revise(VP8_COMP *cpi, int *under_shoot_limit,
                                int *over_shoot_limit) {
  const vp8_mp_rc_lookahead_bits *bits;

  if (!cpi->mp.lookahead || cpi->common.frame_type != KEY_FRAME ||
      !cpi->this_key_frame_forced) {
    return;
  }
  bits = &cpi->mp.lookahead->bits;
  if (cpi->projected_frame_size <= bits->most_key_bits) return;
  cpi->this_key_frame_forced = 0;
  vp8_mp_rc_model_set_target(cpi, (int)bits->most_key_bits);
  vp8_compute_frame_size_bounds(cpi, under_shoot_limit, over_shoot_limit);
}

/* ---- after a frame ------------------------------------------------------- */

/* Bits that the second pass expects of a frame at the quantizer that it allows,
 * before its correction: the formula of estimate_max_q() in firstpass.c. */
static double expected_bits(const VP8_COMP *cpi) {
  const int q = cpi->active_worst_quality;
  const double error = cpi->mp.lookahead->error_per_mb / 150;
  const double factor = pow(error, VPXMIN(0.4 + q * 0.01, 0.9));
  double speed = 1;

  if (cpi->compressor_speed == 1) {
    speed = cpi->oxcf.cpu_used <= 5 ? 1.04 + cpi->oxcf.cpu_used * 0.04 : 1.25;
  }
  return VPXMIN(VPXMAX(factor, 0.05), 5) * speed *
         cpi->twopass.section_max_qfactor * vp8_bits_per_mb[INTER_FRAME][q] *
         cpi->common.MBs / 512;
}

static void count_key(VP8_COMP *cpi, double size) {
  vp8_mp_rc_lookahead_bits *const bits = &cpi->mp.lookahead->bits;
  const double keep = 1 - 1. / MEAN_KEYS;

  if (bits->is_limited) cpi->active_worst_quality = bits->inter_worst_q;
  bits->hidden = 0;
  if (bits->first_key_bits > 0) {
    bits->keys += 1;
    bits->key_bits = bits->key_bits * keep + size;
    bits->key_weight = bits->key_weight * keep + 1;
  } else {
    bits->first_key_bits = size;
  }
}

void vp8_mp_rc_lookahead_frame_end(VP8_COMP *cpi, size_t size) {
  const double keep = 1 - 1. / CORRECTION_FRAMES;
  const double keep_key = 1 - 1. / VP8_MP_RC_LOOKAHEAD_MEAN_FRAMES;
  vp8_mp_rc_lookahead_bits *bits;

  if (!cpi->mp.lookahead || !size) return;
  bits = &cpi->mp.lookahead->bits;
  if (cpi->common.show_frame) {
    bits->keys *= keep_key;
    bits->key_frames = bits->key_frames * keep_key + 1;
  }
  /* If every frame is a key frame, they are the frames that the second pass's
   * expectation is about. */
  if (cpi->common.last_frame_type == KEY_FRAME &&
      (cpi->key_frame_frequency > 1 || !bits->first_key_bits)) {
    count_key(cpi, size * 8.);
  } else if (!cpi->common.show_frame) {
    bits->hidden = size * 8. / VPXMAX(cpi->baseline_gf_interval, 1);
  } else {
    bits->coded = bits->coded * keep + size * 8. + bits->hidden;
    bits->expected = bits->expected * keep + expected_bits(cpi);
  }
}
