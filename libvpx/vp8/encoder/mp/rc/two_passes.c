/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/two_passes.h"

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/rc/clip.h"
#include "vp8/encoder/mp/rc/expected.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* The quantizer index of a plain inter frame is at most this much below the
 * worst one that the second pass allows. doc/lab/0064 has 0, 3, 6 and 12. */
#define MOST_BETTER 4
/* Lower bound of the correction: about half of the least that filmed clips
 * settle at (doc/lab/0064). It limits the harm if a drawn picture passes for a
 * filmed one: without, pdf and code need 48 and 52 % more bits. */
#define LEAST_CORRECTION 0.25
/* A shown inter frame is expected to take at most this many times the mean bits
 * of a frame, or has a higher quantizer. With 16, a second of white noise takes
 * 11 times the bits of a second, and the rest of the clip is starved; with 4,
 * pages of text after a game are up to 1.9 dB worse (doc/lab/0068). */
#define MOST_BITS 8

static int is_allowed(const VP8_COMP *cpi) {
  return (vp8_mp_features(cpi) & VP8_MP_TWO_PASSES) != 0;
}

static int is_on(const VP8_COMP *cpi) {
  return cpi->mp.two_passes.is_filmed && is_allowed(cpi);
}

void vp8_mp_rc_two_passes_see(VP8_COMP *cpi, int is_drawn) {
  vp8_mp_rc_two_passes_state *const state = &cpi->mp.two_passes;

  if (cpi->common.frame_type != KEY_FRAME || is_drawn || state->is_filmed ||
      !is_allowed(cpi)) {
    return;
  }
  state->is_filmed = 1;
  vp8_mp_rc_expected_forget(cpi);
}

int vp8_mp_rc_two_passes_corrects(const VP8_COMP *cpi) {
  return cpi->mp.lookahead || is_on(cpi);
}

/* Expected bits of the key frames after this group: those that are due, and
 * others as often as they came so far. */
static double future_key_bits(const VP8_COMP *cpi) {
  const int key = VPXMAX(cpi->twopass.frames_to_key, 0);
  const double left = cpi->twopass.total_left_stats.count - key;

  if (left <= 0 || cpi->key_frame_frequency <= 1) return 0;
  return vp8_mp_rc_expected_key_bits(cpi, key) * left /
         vp8_mp_rc_expected_key_period(cpi, key, 0);
}

/* Give the frames after one that was limited their worst quantizer back. */
static void end_limit(VP8_COMP *cpi) {
  vp8_mp_rc_two_passes_state *const state = &cpi->mp.two_passes;

  if (state->is_limited) cpi->active_worst_quality = state->allowed_q;
  state->is_limited = 0;
}

void vp8_mp_rc_two_passes_begin(VP8_COMP *cpi) {
  double *const correction = &cpi->twopass.est_max_qcorrection_factor;
  int begins; /* a scene begins */

  if (!is_allowed(cpi)) return;
  end_limit(cpi); /* the frame before may have failed */
  begins = vp8_mp_rc_clip_next(cpi);
  if (!is_on(cpi)) return;
  if (begins) vp8_mp_rc_expected_begin_scene(cpi);
  vp8_mp_rc_expected_correct(cpi, future_key_bits(cpi), LEAST_CORRECTION);
  *correction *= vp8_mp_rc_clip_left(cpi, cpi->active_worst_quality);
  *correction = VPXMIN(*correction, VP8_MP_RC_EXPECTED_MOST_CORRECTION);
}

/* Whether the worst quantizer is that of the frame before: vp8_second_pass()
 * estimates none in the last group, nor in the last 1/256 of the clip. No group
 * follows that bits could be left to, and a clip of one group has only the
 * first guess. */
static int is_last_group(const VP8_COMP *cpi) {
  const unsigned int frame = cpi->common.current_video_frame;
  const unsigned int frames = (unsigned int)cpi->twopass.total_stats.count;

  return frame >= frames * 255 >> 8 ||
         frame + cpi->baseline_gf_interval >= frames;
}

/* Expected bits of the current frame at a quantizer index; 0: unknown. */
static double own_bits(const VP8_COMP *cpi, int q) {
  return vp8_mp_rc_expected_correction(cpi) *
         vp8_mp_rc_expected_bits(cpi, q, vp8_mp_rc_clip_factor(cpi, q));
}

/* Allow a frame that would take too many bits a higher quantizer. */
static void limit_bits(VP8_COMP *cpi) {
  vp8_mp_rc_two_passes_state *const state = &cpi->mp.two_passes;
  const FIRSTPASS_STATS *const total = &cpi->twopass.total_stats;
  const double mean = cpi->oxcf.target_bandwidth * total->duration /
                      10000000.0 / VPXMAX(total->count, 1);
  int q = cpi->active_worst_quality;

  while (q < cpi->worst_quality && own_bits(cpi, q) > MOST_BITS * mean) ++q;
  if (q == cpi->active_worst_quality) return;
  state->is_limited = 1;
  state->allowed_q = cpi->active_worst_quality;
  cpi->active_worst_quality = q;
}

void vp8_mp_rc_two_passes_limit(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  if (cm->frame_type == KEY_FRAME || !is_on(cpi)) return;
  if (cm->show_frame) limit_bits(cpi);
  if (cm->refresh_golden_frame || cm->refresh_alt_ref_frame ||
      is_last_group(cpi)) {
    return;
  }
  cpi->active_best_quality =
      VPXMAX(cpi->active_best_quality, cpi->active_worst_quality - MOST_BETTER);
}

/* Factor on the bits that the frame was expected to take. */
static double own_factor(const VP8_COMP *cpi, int q) {
  const FIRSTPASS_STATS *const left = &cpi->twopass.total_left_stats;
  const double factor = vp8_mp_rc_clip_factor(cpi, q);

  if (factor > 0) return factor;
  return vp8_mp_rc_expected_libvpx_factor(
      left->coded_error / left->count / cpi->common.MBs, q);
}

void vp8_mp_rc_two_passes_frame_end(VP8_COMP *cpi, size_t size) {
  const int is_limited = cpi->mp.two_passes.is_limited;
  int q;

  if (!is_allowed(cpi)) return;
  end_limit(cpi);
  if (!size || cpi->twopass.total_left_stats.count < 1) return;
  /* A scene that begins without a key frame has its bits in an inter frame. */
  if (cpi->common.last_frame_type != KEY_FRAME && cpi->common.show_frame &&
      vp8_mp_rc_clip_begins_scene(cpi)) {
    return;
  }
  q = cpi->active_worst_quality;
  if (is_limited) q = VPXMAX(q, cpi->common.base_qindex);
  vp8_mp_rc_expected_frame_end(cpi, size, q, own_factor(cpi, q), 0);
}
