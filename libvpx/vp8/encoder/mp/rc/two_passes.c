/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/two_passes.h"

#include "vp8/encoder/mp/provider/features.h"
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

void vp8_mp_rc_two_passes_begin(VP8_COMP *cpi) {
  if (!is_on(cpi)) return;
  vp8_mp_rc_expected_correct(cpi, future_key_bits(cpi), LEAST_CORRECTION);
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

void vp8_mp_rc_two_passes_limit(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  if (cm->frame_type == KEY_FRAME || cm->refresh_golden_frame ||
      cm->refresh_alt_ref_frame || is_last_group(cpi) || !is_on(cpi)) {
    return;
  }
  cpi->active_best_quality =
      VPXMAX(cpi->active_best_quality, cpi->active_worst_quality - MOST_BETTER);
}

void vp8_mp_rc_two_passes_frame_end(VP8_COMP *cpi, size_t size) {
  const FIRSTPASS_STATS *const left = &cpi->twopass.total_left_stats;

  if (!size || !is_allowed(cpi) || left->count < 1) return;
  vp8_mp_rc_expected_frame_end(
      cpi, size, cpi->active_worst_quality,
      left->coded_error / left->count / cpi->common.MBs, 0);
}
