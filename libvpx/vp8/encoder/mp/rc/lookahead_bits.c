/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/lookahead_bits.h"

#include <limits.h>

#include "vp8/encoder/mp/rc/balance.h"
#include "vp8/encoder/mp/rc/expected.h"
#include "vp8/encoder/mp/rc/lookahead_state.h"
#include "vp8/encoder/mp/rc/model.h"
#include "vp8/encoder/ratectrl.h"
#include "vpx_dsp/vpx_dsp_common.h"

#define MIN_CLIP VP8_MP_RC_LOOKAHEAD_MIN_CLIP
/* Lower bound of a frame's budget, as a fraction of its share of the bitrate.
 * With a quarter, and three quarters at the end of a stream, film, webcam,
 * vtest and pdf change by 0.2 % at most. */
#define LEAST_PART 0.5
/* A hidden frame takes about half of the bits of its group. Make none if the
 * user's buffer cannot give half of that. */
#define LEAST_HIDDEN_SHARE 0.25
/* Most of the bits of its group, as a fraction, that a key frame that is due
 * may take to reach the quality of the frames before it. If it takes all that
 * inter frames leave, slides take 0.4 % more bitrate (doc/lab/0060). */
#define KEY_SHARE 0.5
/* Part of a key frame's bits that is saved before it is due; half of it before
 * the second one. With 0.5 before the second one too, pdf is 3.4 % worse, film
 * 1.3 %; with nothing, webcam is 4.7 % and vtest 3.1 % worse. doc/lab/0021 has
 * 0, 0.5 and 0.7 for other clips. */
#define KEY_KEPT 0.7

/* Lower bound of the correction. Without one, code is 15 % and pdf 5 % worse.
 */
#define LEAST_CORRECTION 0.05

/* Expected bits of all key frames of the clip: those that are due, and others
 * as often as they came so far. The next one comes in key frames. */
static double future_key_bits(const VP8_COMP *cpi, int key) {
  const struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  const vp8_mp_rc_lookahead_stats *const stats = &la->stats;
  int keys = 0, i;

  /* If every frame is a key frame, no other frames could save bits for them. */
  if (key >= la->length || cpi->key_frame_frequency <= 1) return 0;
  for (i = 1; i < stats->frames; ++i) {
    if (stats->flags[i] & FRAMEFLAGS_KEY) ++keys;
  }
  return vp8_mp_rc_expected_key_bits(cpi, key) * (la->length - key) /
         vp8_mp_rc_expected_key_period(cpi, MIN_CLIP + stats->frames, keys);
}

/* Bits to save before a key frame that is due, because a stream that ends soon
 * after it could not make up for them. If the stream ends before the key frame,
 * the frames left in the queue get these bits. */
static double bits_kept_for_key(const VP8_COMP *cpi) {
  const int interval = (int)cpi->key_frame_frequency;
  const double part = cpi->mp.expected.key_bits > 0 ? KEY_KEPT : KEY_KEPT / 2;

  if (!cpi->oxcf.auto_key || interval <= 1 ||
      interval > VP8_MP_RC_LOOKAHEAD_MAX_CLIP) {
    return 0;
  }
  return vp8_mp_rc_expected_key_bits(cpi, interval) * part;
}

void vp8_mp_rc_lookahead_bits_correct(VP8_COMP *cpi, int key) {
  vp8_mp_rc_expected_correct(cpi, future_key_bits(cpi, key), LEAST_CORRECTION);
}

/* Frames by which a stream that ends is shorter than it counts: it may take as
 * many bits as libvpx's first key frame. Nobody measures the rate of a few
 * frames. */
static double missing_frames(const VP8_COMP *cpi, int length) {
  const double second = cpi->oxcf.target_bandwidth /
                        VPXMAX((double)cpi->av_per_frame_bandwidth, 1);

  if (!cpi->mp.lookahead->is_ended) return 0;
  return VPXMAX(second * VP8_MP_RC_BALANCE_KEY_SECONDS -
                    cpi->common.current_video_frame - length,
                0);
}

double vp8_mp_rc_lookahead_bits_budget(VP8_COMP *cpi, int length) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  const double mean = cpi->av_per_frame_bandwidth;
  const double share = mean * (1 + missing_frames(cpi, length) / length);
  double saved = cpi->mp.balance.saved;

  if (!la->is_ended) saved -= bits_kept_for_key(cpi);
  saved = VPXMIN(vp8_mp_rc_balance_ahead_saved(cpi, saved, length),
                 mean * cpi->oxcf.over_shoot_pct / 100);
  saved = VPXMIN(saved, vp8_mp_rc_balance_ahead_mean(cpi, length) - mean);
  la->bits.per_frame = VPXMAX(share + saved, mean * LEAST_PART);
  return la->bits.per_frame;
}

/* ---- key frames ---------------------------------------------------------- */

/* Allow the frame any quantizer; the frames after it get theirs back. */
static void allow_any_quantizer(VP8_COMP *cpi) {
  vp8_mp_rc_lookahead_bits *const bits = &cpi->mp.lookahead->bits;

  if (bits->is_limited) return;
  bits->is_limited = 1;
  bits->allowed_q = cpi->active_worst_quality;
  cpi->active_worst_quality = cpi->worst_quality;
}

static void decide_key(VP8_COMP *cpi) {
  vp8_mp_rc_lookahead_bits *const bits = &cpi->mp.lookahead->bits;
  const double frames = VPXMAX(cpi->twopass.frames_to_key + 1, 1);
  double target = cpi->per_frame_bandwidth;

  if (!cpi->this_key_frame_forced) vp8_mp_rc_expected_forget(cpi);
  /* The second pass knows the mean error of a picture only, not how many
   * pictures show each macroblock of the first one. */
  if (!cpi->common.current_video_frame) {
    target = VPXMAX(target, VPXMIN(cpi->mp.mbtree.first_pictures, frames) *
                                cpi->av_per_frame_bandwidth);
  }
  bits->most_key_bits = VPXMAX(target, frames * bits->per_frame * KEY_SHARE);
  if (cpi->oxcf.rc_max_intra_bitrate_pct) {
    /* Below 100 % libvpx applies the limit to the frame's own target. */
    const double percent = VPXMAX(cpi->oxcf.rc_max_intra_bitrate_pct, 100);
    const double most = cpi->av_per_frame_bandwidth * percent / 100;

    if (most < bits->most_key_bits) {
      target = VPXMIN(target, most);
      cpi->this_key_frame_forced = 0;
      allow_any_quantizer(cpi);
    }
  }
  cpi->per_frame_bandwidth = (int)VPXMIN(target, INT_MAX);
}

void vp8_mp_rc_lookahead_frame_decided(VP8_COMP *cpi) {
  if (!cpi->mp.lookahead) return;
  cpi->mp.lookahead->bits.is_limited = 0;
  if (cpi->common.frame_type == KEY_FRAME) decide_key(cpi);
}

/* Frames that follow the current one, if they are known to be the last ones. */
static int following(const VP8_COMP *cpi) {
  const struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;

  return la->is_ended ? la->stats.frames : INT_MAX;
}

/* Most bits that the frame may take without breaking the user's buffer. */
static double buffer_limit(const VP8_COMP *cpi) {
  return cpi->common.frame_type == KEY_FRAME
             ? vp8_mp_rc_balance_ahead_key(cpi, following(cpi))
             : vp8_mp_rc_balance_ahead_golden(cpi, following(cpi));
}

static int is_plain(const VP8_COMMON *cm) {
  return cm->frame_type != KEY_FRAME && !cm->refresh_golden_frame &&
         !cm->refresh_alt_ref_frame;
}

/* Most bits that it should take: a plain inter frame leaves some to others. */
static double buffer_share(const VP8_COMP *cpi) {
  return is_plain(&cpi->common)
             ? vp8_mp_rc_balance_ahead_inter(cpi, following(cpi))
             : buffer_limit(cpi);
}

void vp8_mp_rc_lookahead_limit(VP8_COMP *cpi) {
  double most;

  if (!cpi->mp.lookahead) return;
  most = buffer_share(cpi);
  cpi->mp.lookahead->bits.share = most;
  if (cpi->this_frame_target <= most) return;
  vp8_mp_rc_model_set_target(cpi, most);
  allow_any_quantizer(cpi);
}

int vp8_mp_rc_lookahead_affords_alt_ref(VP8_COMP *cpi, int interval) {
  if (!cpi->mp.lookahead) return 1;
  return vp8_mp_rc_balance_ahead_golden(cpi, following(cpi)) >=
         cpi->mp.lookahead->bits.per_frame * interval * LEAST_HIDDEN_SHARE;
}

/* Give the frame another target, to be recoded, and at most limit bits. libvpx
 * does not recode forced key frames and the picture of a hidden frame. */
static void recode(VP8_COMP *cpi, double target, double limit,
                   int *under_shoot_limit, int *over_shoot_limit) {
  cpi->this_key_frame_forced = 0;
  cpi->is_src_frame_alt_ref = 0;
  vp8_mp_rc_model_set_target(cpi, VPXMIN(target, limit));
  vp8_compute_frame_size_bounds(cpi, under_shoot_limit, over_shoot_limit);
  *over_shoot_limit = (int)VPXMIN(*over_shoot_limit, limit);
}

int vp8_mp_rc_lookahead_revise(VP8_COMP *cpi, int *under_shoot_limit,
                               int *over_shoot_limit) {
  double limit;

  if (!cpi->mp.lookahead || !cpi->sf.recode_loop) return 0;
  limit = buffer_limit(cpi);
  if (cpi->common.frame_type == KEY_FRAME && cpi->this_key_frame_forced) {
    const double most = cpi->mp.lookahead->bits.most_key_bits;

    if (cpi->projected_frame_size <= VPXMIN(most, limit)) return 0;
    recode(cpi, most, limit, under_shoot_limit, over_shoot_limit);
  }
  if (is_plain(&cpi->common) && cpi->projected_frame_size > buffer_share(cpi)) {
    vp8_mp_rc_expected_forget(cpi);
  }
  if (cpi->projected_frame_size <= limit) return 0;
  recode(cpi, VPXMAX(cpi->this_frame_target, buffer_share(cpi)), limit,
         under_shoot_limit, over_shoot_limit);
  allow_any_quantizer(cpi);
  return 1;
}

/* ---- after a frame ------------------------------------------------------- */

void vp8_mp_rc_lookahead_frame_end(VP8_COMP *cpi, size_t size) {
  vp8_mp_rc_lookahead_bits *bits;
  int q;

  if (!cpi->mp.lookahead) return;
  bits = &cpi->mp.lookahead->bits;
  q = cpi->active_worst_quality;
  if (bits->is_limited) {
    cpi->active_worst_quality = bits->allowed_q;
    q = VPXMAX(bits->allowed_q, cpi->common.base_qindex);
    bits->is_limited = 0;
  }
  if (!size) return;
  if (cpi->common.last_frame_type != KEY_FRAME && is_plain(&cpi->common) &&
      size * 8. > bits->share) {
    vp8_mp_rc_expected_forget(cpi);
  }
  vp8_mp_rc_expected_frame_end(
      cpi, size, q,
      vp8_mp_rc_expected_libvpx_factor(cpi->mp.lookahead->error_per_mb, q),
      MIN_CLIP);
}
