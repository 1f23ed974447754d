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

/* Number of inter frames that are coded as libvpx would, before their mean is
 * used. */
#define FIRST_FRAMES 2
/* Time constant of the mean, in frames. */
#define MEAN_FRAMES 128
/* Golden frames: shortest distance in frames; percentage of macroblocks that
 * must have been still in the frame before; and number of frames that use a
 * golden frame, without which it does not pay. */
#define GOLDEN_INTERVAL 5
#define GOLDEN_STILL_PERCENT 50
#define GOLDEN_PAYS 10
/* Reserve of the buffer that a frame's target may not use, because frames take
 * more or less than expected: percent of the buffer's size, or of one second's
 * bits if the buffer is longer. */
#define INTER_RESERVE_PERCENT 30
#define GOLDEN_RESERVE_PERCENT 30
#define KEY_RESERVE_PERCENT 50
/* An inter frame may use 1/INTER_PARTS of the buffer above the reserve. */
#define INTER_PARTS 4
/* Correction of targets by the buffer level. Above the optimal level: percent
 * more per excess, as a fraction of the buffer's size. Below it: percent less
 * per lack, as a fraction of the optimal level, and the upper bound of that.
 * libvpx fills a buffer of seconds as slowly, because it misses its targets. */
#define GAIN_ABOVE_PERCENT 100
#define GAIN_BELOW_PERCENT 75
#define MOST_BELOW_PERCENT 25
/* Additional correction at the bottom of the buffer: percent less when it is
 * empty, falling to 0 at BOTTOM_PERCENT of a second's bits or at half of the
 * optimal level, whichever is lower. Lower bound of the corrected target, in
 * percent. */
#define BOTTOM_LESS_PERCENT 25
#define BOTTOM_PERCENT 50
#define LEAST_PERCENT 10

/* Factor on a frame's share of the bitrate that brings the buffer to its
 * optimal level. */
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

/* The quantizer at which frames like those so far take their corrected share.
 */
static int mean_q(const VP8_COMP *cpi) {
  return vp8_mp_rc_model_q(cpi, cpi->mp.cbr.complexity,
                           correction(cpi) * cpi->av_per_frame_bandwidth);
}

/* Turn libvpx's cyclic refresh off while targets are set here: it costs a
 * segment map in each frame, and golden frames refine all still macroblocks. */
static void disable_refresh(VP8_COMP *cpi) {
  vp8_mp_rc_cbr_state *const ct = &cpi->mp.cbr;

  if (ct->is_served && cpi->cyclic_refresh_mode_enabled) {
    ct->refresh_disabled = 1;
    cpi->cyclic_refresh_mode_enabled = 0;
    cpi->mb.e_mbd.segmentation_enabled = 0;
  } else if (cpi->mb.e_mbd.segmentation_enabled &&
             !cpi->cyclic_refresh_mode_enabled) {
    /* The user's segments end cyclic refresh in libvpx, too. */
    ct->refresh_disabled = 0;
  } else if (!ct->is_served && ct->refresh_disabled) {
    ct->refresh_disabled = 0;
    cpi->cyclic_refresh_mode_enabled = 1;
  }
}

/* Bits in the buffer above a reserve of that percentage. */
static double above_reserve(const VP8_COMP *cpi, int percent) {
  const VP8_CONFIG *const oxcf = &cpi->oxcf;
  const double of =
      (double)VPXMIN(oxcf->maximum_buffer_size, oxcf->target_bandwidth);

  return (double)cpi->buffer_level - of * percent / 100;
}

/* Whether a key frame is due before a golden frame would pay. */
static int is_key_near(const VP8_COMP *cpi) {
  return cpi->oxcf.auto_key &&
         cpi->frames_since_key + GOLDEN_PAYS > cpi->key_frame_frequency;
}

/* Returns the expected bits of a golden frame, 0 if there should be none. */
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
    /* A frame that refreshes altref, too, keeps libvpx's target. */
    return cm->refresh_golden_frame && !cm->refresh_alt_ref_frame;
  }
  return cpi->frames_since_golden + 1 >= GOLDEN_INTERVAL &&
         cpi->zeromv_count * 100 >= cm->MBs * GOLDEN_STILL_PERCENT &&
         !is_key_near(cpi);
}

/* Decide whether the frame is a golden frame, unless the user does, and plan
 * it.
 */
static void place_golden(VP8_COMP *cpi) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mp_rc_cbr_state *const ct = &cpi->mp.cbr;

  if (ct->frames >= FIRST_FRAMES && is_golden_wanted(cpi)) {
    ct->golden_bits = plan_golden(cpi);
  }
  if (cpi->ext_refresh_frame_flags_pending) return;
  cm->refresh_golden_frame = ct->golden_bits > 0;
  /* Keep libvpx from choosing golden frames itself. */
  cpi->frames_till_gf_update_due = GOLDEN_PAYS;
}

static void begin_key(VP8_COMP *cpi) {
  vp8_mp_rc_cbr_state *const ct = &cpi->mp.cbr;
  const double share = cpi->av_per_frame_bandwidth;
  double bits, most;

  if (cpi->oxcf.rc_max_intra_bitrate_pct || ct->key_complexity <= 0) return;
  /* libvpx adapts its factor by a quarter of the error of each key frame. */
  cpi->key_frame_rate_correction_factor = ct->key_complexity;
  bits = vp8_mp_rc_model_at(cpi, KEY_FRAME, ct->key_complexity,
                            mean_q(cpi) * VP8_MP_RC_MODEL_KEY_PERCENT / 100);
  /* A key frame may use the reserve up to libvpx's target and up to half of the
   * buffer level. */
  most = VPXMIN(cpi->this_frame_target, (double)cpi->buffer_level / 2);
  most = VPXMAX(most, above_reserve(cpi, KEY_RESERVE_PERCENT));
  bits = VPXMIN(bits, VPXMAX(most, share));
  vp8_mp_rc_model_set_target(cpi, (int)VPXMIN(bits, INT_MAX));
}

static void begin_inter(VP8_COMP *cpi) {
  vp8_mp_rc_cbr_state *const ct = &cpi->mp.cbr;
  int q = mean_q(cpi);
  /* libvpx's target is low if the buffer is. */
  const double least =
      VPXMAX(cpi->this_frame_target, cpi->av_per_frame_bandwidth / 2);
  double bits, most;

  if (ct->golden_bits > 0) {
    q = vp8_mp_rc_golden_frame_q(cpi);
    ct->inter_factor = cpi->rate_correction_factor;
    cpi->rate_correction_factor =
        ct->golden_bits / vp8_mp_rc_model_at(cpi, INTER_FRAME, 1, q);
    /* The size of frames in which nothing moved does not predict the size at a
     * low quantizer: allow none below the planned one. */
    cpi->active_best_quality =
        clamp(q, cpi->active_best_quality, cpi->active_worst_quality);
  }
  bits = vp8_mp_rc_model_at(cpi, INTER_FRAME, cpi->rate_correction_factor, q);
  most = above_reserve(cpi, INTER_RESERVE_PERCENT) / INTER_PARTS;
  if (!ct->golden_bits) bits = VPXMIN(bits, VPXMAX(most, least));
  vp8_mp_rc_model_set_target(cpi, (int)VPXMIN(VPXMAX(bits, 1), INT_MAX));
}

void vp8_mp_rc_cbr_begin(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  vp8_mp_rc_cbr_state *const ct = &cpi->mp.cbr;

  ct->is_served = (vp8_mp_features(cpi) & VP8_MP_CBR_TARGETS) != 0;
  ct->is_golden = 0;
  ct->inter_factor = 0;
  ct->golden_bits = 0;
  disable_refresh(cpi);
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
  /* last_frame_type is that of this frame only if it was not dropped. */
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
