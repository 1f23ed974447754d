/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/cbr.h"

#include <limits.h>

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/rc/cbr_golden.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/mp/rc/model.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* Inter frames that are coded as libvpx would, before their mean is trusted. */
#define FIRST_FRAMES 2
/* As many weigh in the mean. */
#define MEAN_FRAMES 128
/* Frames from one golden frame to the next, the share of macroblocks, in
 * percent, that must have stood still before one, and frames that it takes to
 * pay. */
#define GOLDEN_INTERVAL 5
#define GOLDEN_STILL_PERCENT 50
#define GOLDEN_PAYS 10
/* What of the buffer is kept from frames, in percent: they take more or less
 * than expected. Of a buffer of seconds as many percent of a second are kept.
 */
#define INTER_RESERVE_PERCENT 30
#define GOLDEN_RESERVE_PERCENT 30
#define KEY_RESERVE_PERCENT 50
/* Of what is above it an inter frame may take one part of so many. */
#define INTER_PARTS 4
/* How much more frames are given, of what the buffer has too much of its size,
 * or less, of what it lacks of its optimal level, and the most of the latter:
 * libvpx fills a buffer of seconds as slowly, as it does not meet its targets.
 */
#define GAIN_ABOVE_PERCENT 100
#define GAIN_BELOW_PERCENT 75
#define MOST_BELOW_PERCENT 25
/* How much less at the bottom besides, and where that is, in percent of a
 * second, or at half of the optimal level. */
#define BOTTOM_LESS_PERCENT 25
#define BOTTOM_PERCENT 50
#define LEAST_PERCENT 10

/* Of a frame's share of the bitrate, what one is given to bring the buffer to
 * where it should be. */
static double correction(const VP8_COMP *cpi) {
  const VP8_CONFIG *const oxcf = &cpi->oxcf;
  const double level = (double)cpi->buffer_level;
  const double optimal = (double)oxcf->optimal_buffer_level;
  const double bottom = VPXMIN(
      optimal / 2, (double)oxcf->target_bandwidth * BOTTOM_PERCENT / 100);
  const double least = VPXMAX(100 - oxcf->under_shoot_pct, LEAST_PERCENT);
  double percent = 100;

  if (level >= optimal) {
    percent += (level - optimal) / (double)oxcf->maximum_buffer_size *
               GAIN_ABOVE_PERCENT;
  } else {
    percent -= VPXMIN((optimal - level) / optimal * GAIN_BELOW_PERCENT,
                      MOST_BELOW_PERCENT);
  }
  if (level < bottom) percent -= (1 - level / bottom) * BOTTOM_LESS_PERCENT;
  return VPXMIN(VPXMAX(percent, least), 100 + oxcf->over_shoot_pct) / 100;
}

/* The quantizer at which frames like those before take what they are given. */
static int mean_q(const VP8_COMP *cpi) {
  return vp8_mp_rc_model_q(cpi, cpi->mp.cbr.complexity,
                           correction(cpi) * cpi->av_per_frame_bandwidth);
}

/* libvpx's refresh of a part of each frame costs a map of it in each, and
 * golden frames refine all that stands still. */
static void take_refresh(VP8_COMP *cpi) {
  vp8_mp_rc_cbr_state *const ct = &cpi->mp.cbr;

  if (ct->is_served && cpi->cyclic_refresh_mode_enabled) {
    ct->refresh_taken = 1;
    cpi->cyclic_refresh_mode_enabled = 0;
    cpi->mb.e_mbd.segmentation_enabled = 0;
  } else if (cpi->mb.e_mbd.segmentation_enabled &&
             !cpi->cyclic_refresh_mode_enabled) {
    /* Segments of the user end the cyclic refresh in libvpx too. */
    ct->refresh_taken = 0;
  } else if (!ct->is_served && ct->refresh_taken) {
    ct->refresh_taken = 0;
    cpi->cyclic_refresh_mode_enabled = 1;
  }
}

static double above_reserve(const VP8_COMP *cpi, int percent) {
  const VP8_CONFIG *const oxcf = &cpi->oxcf;
  const double of =
      (double)VPXMIN(oxcf->maximum_buffer_size, oxcf->target_bandwidth);

  return (double)cpi->buffer_level - of * percent / 100;
}

/* Whether a golden frame has not the time to pay before a key frame is due. */
static int is_key_near(const VP8_COMP *cpi) {
  return cpi->oxcf.auto_key &&
         cpi->frames_since_key + GOLDEN_PAYS > cpi->key_frame_frequency;
}

/* Returns the bits of a golden frame, 0 if it is not worth any. */
static double plan_golden(VP8_COMP *cpi) {
  const vp8_mp_rc_cbr_state *const ct = &cpi->mp.cbr;
  const int mean = mean_q(cpi);
  const int q = mean * vp8_mp_rc_model_golden_percent(cpi) / 100;

  return vp8_mp_rc_golden_plan(
      cpi, mean, q, vp8_mp_rc_model_at(cpi, INTER_FRAME, ct->complexity, mean),
      vp8_mp_rc_model_at(cpi, KEY_FRAME, ct->key_complexity, q),
      above_reserve(cpi, GOLDEN_RESERVE_PERCENT));
}

static int is_golden_wanted(const VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  if (cpi->ext_refresh_frame_flags_pending) {
    /* One that refreshes the alt-ref too keeps libvpx's target. */
    return cm->refresh_golden_frame && !cm->refresh_alt_ref_frame;
  }
  return cpi->frames_since_golden + 1 >= GOLDEN_INTERVAL &&
         cpi->zeromv_count * 100 >= cm->MBs * GOLDEN_STILL_PERCENT &&
         !is_key_near(cpi);
}

/* Choose golden frames, unless the user does. */
static void place_golden(VP8_COMP *cpi) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mp_rc_cbr_state *const ct = &cpi->mp.cbr;

  if (ct->frames >= FIRST_FRAMES && is_golden_wanted(cpi)) {
    ct->golden_bits = plan_golden(cpi);
  }
  if (cpi->ext_refresh_frame_flags_pending) return;
  cm->refresh_golden_frame = ct->golden_bits > 0;
  /* libvpx never finds one due. */
  cpi->frames_till_gf_update_due = GOLDEN_PAYS;
}

static void begin_key(VP8_COMP *cpi) {
  vp8_mp_rc_cbr_state *const ct = &cpi->mp.cbr;
  const double share = cpi->av_per_frame_bandwidth;
  double bits, most;

  if (cpi->oxcf.rc_max_intra_bitrate_pct || ct->key_complexity <= 0) return;
  /* libvpx learns of each key frame by a quarter. */
  cpi->key_frame_rate_correction_factor = ct->key_complexity;
  bits = vp8_mp_rc_model_at(cpi, KEY_FRAME, ct->key_complexity,
                            mean_q(cpi) * VP8_MP_RC_MODEL_KEY_PERCENT / 100);
  /* Into the reserve, no more than libvpx would, nor more than half of it. */
  most = VPXMIN(cpi->this_frame_target, (double)cpi->buffer_level / 2);
  most = VPXMAX(most, above_reserve(cpi, KEY_RESERVE_PERCENT));
  bits = VPXMIN(bits, VPXMAX(most, share));
  cpi->this_frame_target = (int)VPXMIN(bits, INT_MAX);
}

static void begin_inter(VP8_COMP *cpi) {
  vp8_mp_rc_cbr_state *const ct = &cpi->mp.cbr;
  int q = mean_q(cpi);
  /* libvpx's targets are low where the buffer is. */
  const double least =
      VPXMAX(cpi->this_frame_target, cpi->av_per_frame_bandwidth / 2);
  double bits, most;

  if (ct->golden_bits > 0) {
    q = vp8_mp_rc_golden_frame_q(cpi);
    ct->inter_factor = cpi->rate_correction_factor;
    cpi->rate_correction_factor =
        ct->golden_bits / vp8_mp_rc_model_at(cpi, INTER_FRAME, 1, q);
    /* What the picture that stood still so far takes says nothing of what it
     * takes at a low quantizer. */
    cpi->active_best_quality =
        clamp(q, cpi->active_best_quality, cpi->active_worst_quality);
  }
  bits = vp8_mp_rc_model_at(cpi, INTER_FRAME, cpi->rate_correction_factor, q);
  most = above_reserve(cpi, INTER_RESERVE_PERCENT) / INTER_PARTS;
  if (!ct->golden_bits) bits = VPXMIN(bits, VPXMAX(most, least));
  cpi->this_frame_target = (int)VPXMIN(VPXMAX(bits, 1), INT_MAX);
}

void vp8_mp_rc_cbr_begin(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  vp8_mp_rc_cbr_state *const ct = &cpi->mp.cbr;

  ct->is_served = (vp8_mp_features(cpi) & VP8_MP_CBR_TARGETS) != 0;
  ct->is_golden = 0;
  ct->inter_factor = 0;
  ct->golden_bits = 0;
  take_refresh(cpi);
  if (!ct->is_served) return;
  vp8_mp_rc_golden_begin(cpi);
  if (cm->frame_type != KEY_FRAME) {
    place_golden(cpi);
    ct->is_golden = cm->refresh_golden_frame;
  }
  if (ct->frames < FIRST_FRAMES) return;
  if (cm->frame_type == KEY_FRAME) {
    begin_key(cpi);
  } else if (!cm->refresh_alt_ref_frame) {
    begin_inter(cpi);
  }
}

void vp8_mp_rc_cbr_end(VP8_COMP *cpi, int size) {
  const VP8_COMMON *const cm = &cpi->common;
  vp8_mp_rc_cbr_state *const ct = &cpi->mp.cbr;
  /* A frame that was dropped has the type that it would have had. */
  const int is_key = size && cm->last_frame_type == KEY_FRAME;
  const double complexity =
      size * 8. /
      vp8_mp_rc_model_at(cpi, is_key ? KEY_FRAME : INTER_FRAME, 1,
                         cm->base_qindex);

  if (ct->is_served) vp8_mp_rc_golden_end(cpi, size);
  if (ct->inter_factor > 0) {
    cpi->rate_correction_factor = ct->inter_factor;
    ct->inter_factor = 0;
  }
  if (!size || !ct->is_served) return;
  if (is_key) {
    ct->key_complexity = complexity;
  } else if (!ct->is_golden) {
    ct->frames = VPXMIN(ct->frames + 1, MEAN_FRAMES);
    ct->complexity += (complexity - ct->complexity) / ct->frames;
  }
}
