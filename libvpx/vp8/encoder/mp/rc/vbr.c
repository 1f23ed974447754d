/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/vbr.h"

#include <limits.h>
#include <math.h>

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/ratectrl.h"
#include "vp8/encoder/mp/rc/model.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* Number of inter frames that are coded as libvpx would, before their mean is
 * used. At a realtime deadline libvpx recodes no frame and takes dozens of
 * frames to come down from the highest quantizer: 2 instead of 8 frames gain 4
 * % of bitrate over 150 frames. */
#define FIRST_FRAMES 8
#define FIRST_FRAMES_REALTIME 2
/* Time constant of the means, in frames. A scene's complexity lasts for
 * seconds.
 */
#define MEAN_FRAMES 128
/* Time in which overspent or saved bits are made up for, in seconds. */
#define CORRECTION_SECONDS 8
/* Bits that may be spent in advance, in seconds of the bitrate; an inter frame
 * may use an eighth of them. */
#define BURST_SECONDS 2

/* The quantizer at which frames like those so far take their share. */
static int mean_q(const VP8_COMP *cpi) {
  const vp8_mp_rc_vbr_state *const vt = &cpi->mp.vbr;

  return vp8_mp_rc_model_q(cpi, vt->complexity,
                           vt->share * cpi->av_per_frame_bandwidth);
}

/* Factor on a frame's target for bits that were saved or overspent. The upper
 * bound is the user's overshoot limit; saved bits alone could double a target.
 */
static double correction(const VP8_COMP *cpi) {
  const double by = cpi->mp.vbr.saved /
                    ((double)cpi->oxcf.target_bandwidth * CORRECTION_SECONDS);

  return 1 + VPXMIN(VPXMAX(by, -0.5), cpi->oxcf.over_shoot_pct / 100.);
}

/* Whether all frames are key frames: no other frames could save bits for them.
 */
static int is_one_of_keys(const VP8_COMP *cpi) {
  return cpi->common.frame_type == KEY_FRAME && cpi->key_frame_frequency <= 1;
}

/* Target, in bits, of a frame that needs this many at the desired quantizer. */
static int target_of(const VP8_COMP *cpi, double need) {
  const double own = VPXMAX(cpi->mp.vbr.target, 1);
  const double bandwidth = cpi->oxcf.target_bandwidth;
  const double saved = cpi->mp.vbr.saved;
  double most, target;

  if (is_one_of_keys(cpi)) {
    return (int)(cpi->av_per_frame_bandwidth * correction(cpi));
  }
  need = VPXMAX(need, 1);
  if (cpi->common.frame_type == KEY_FRAME) {
    /* libvpx's formula for the first key frame. */
    most = bandwidth * 3 / 2 + VPXMIN(saved, 0) / 4;
    target = VPXMAX(need, own);
  } else {
    most = (bandwidth * BURST_SECONDS + saved) / 8;
    if (cpi->common.refresh_golden_frame) {
      target = VPXMAX(need, own);
    } else {
      /* Move it towards libvpx's target: the farther the two are apart, the
       * less exact is the expectation. */
      target = need * sqrt(sqrt(sqrt(own / need)));
      target *= correction(cpi);
    }
  }
  target = VPXMIN(target, VPXMAX(most, own));
  return (int)VPXMIN(target, INT_MAX);
}

static int first_frames(const VP8_COMP *cpi) {
  return cpi->compressor_speed == 2 ? FIRST_FRAMES_REALTIME : FIRST_FRAMES;
}

/* Whether the frame gets another target than libvpx's. Not if so much was
 * overspent that the correction is at its bound. */
static int is_changed(const VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  const vp8_mp_rc_vbr_state *const vt = &cpi->mp.vbr;

  if (!(vp8_mp_features(cpi) & VP8_MP_VBR_TARGETS)) return 0;
  if (is_one_of_keys(cpi)) return !cpi->oxcf.rc_max_intra_bitrate_pct;
  if (vt->frames < first_frames(cpi) ||
      vt->saved * 2 <
          -(double)cpi->oxcf.target_bandwidth * CORRECTION_SECONDS) {
    return 0;
  }
  if (cm->frame_type == KEY_FRAME) {
    return vt->key_is_due && !cpi->oxcf.rc_max_intra_bitrate_pct;
  }
  return !cm->refresh_alt_ref_frame;
}

static int desired_q(const VP8_COMP *cpi) {
  const int q = mean_q(cpi);

  if (cpi->common.frame_type == KEY_FRAME)
    return q * VP8_MP_RC_MODEL_KEY_PERCENT / 100;
  if (cpi->common.refresh_golden_frame) {
    return q * vp8_mp_rc_model_golden_percent(cpi) / 100;
  }
  return q;
}

/* When the bitrate changes, libvpx changes the size of its buffer but keeps its
 * level, which can then be off by a minute's bits. Set the level by the bits
 * that were saved. */
static void follow_bitrate(VP8_COMP *cpi) {
  vp8_mp_rc_vbr_state *const vt = &cpi->mp.vbr;
  const int64_t start = cpi->oxcf.starting_buffer_level;

  if ((vp8_mp_features(cpi) & VP8_MP_VBR_TARGETS) && vt->start_level &&
      vt->start_level != start) {
    cpi->bits_off_target = start + (int64_t)vt->saved;
    cpi->buffer_level = cpi->bits_off_target;
  }
  vt->start_level = start;
}

void vp8_mp_rc_vbr_begin(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  vp8_mp_rc_vbr_state *const vt = &cpi->mp.vbr;
  double factor = cpi->rate_correction_factor;
  int q;

  follow_bitrate(cpi);
  vt->key_is_due = cm->frame_type == KEY_FRAME;
  vt->target = cpi->this_frame_target;
  vt->is_plain = 0;
  if (!is_changed(cpi)) return;
  q = desired_q(cpi);
  if (cm->frame_type == KEY_FRAME) {
    factor = cpi->key_frame_rate_correction_factor;
  } else if (cm->refresh_golden_frame) {
    /* libvpx predicts the size from the last golden frame, which was long ago:
     * keep the quantizer near the desired one. */
    cpi->active_best_quality = VPXMAX(cpi->active_best_quality, q / 2);
    cpi->active_worst_quality = VPXMIN(cpi->active_worst_quality,
                                       VPXMAX(q, cpi->active_best_quality + 1));
  }
  vp8_mp_rc_model_set_target(
      cpi, target_of(cpi, vp8_mp_rc_model_at(cpi, cm->frame_type, factor, q)));
}

void vp8_mp_rc_vbr_revise(VP8_COMP *cpi, int Q, int *under_shoot_limit,
                          int *over_shoot_limit) {
  const VP8_COMMON *const cm = &cpi->common;
  const int *const bits_per_mb = vp8_bits_per_mb[cm->frame_type];

  cpi->mp.vbr.is_plain = cm->frame_type != KEY_FRAME &&
                         !cm->refresh_golden_frame &&
                         !cm->refresh_alt_ref_frame;
  /* projected_frame_size is known only if the frame can be recoded. */
  if (!cpi->sf.recode_loop || !is_changed(cpi)) return;
  vp8_mp_rc_model_set_target(
      cpi, target_of(cpi, (double)cpi->projected_frame_size *
                              bits_per_mb[desired_q(cpi)] / bits_per_mb[Q]));
  vp8_compute_frame_size_bounds(cpi, under_shoot_limit, over_shoot_limit);
}

void vp8_mp_rc_vbr_end(VP8_COMP *cpi, int size) {
  const VP8_COMMON *const cm = &cpi->common;
  vp8_mp_rc_vbr_state *const vt = &cpi->mp.vbr;
  const double expected =
      vp8_mp_rc_model_at(cpi, INTER_FRAME, 1, cm->base_qindex);
  int weight;

  if (cm->show_frame) vt->saved += cpi->av_per_frame_bandwidth;
  vt->saved -= size * 8.;
  if (!size || !vt->is_plain || !(vp8_mp_features(cpi) & VP8_MP_VBR_TARGETS))
    return;
  vt->frames = VPXMIN(vt->frames + 1, MEAN_FRAMES);
  weight = vt->frames;
  vt->complexity += (size * 8. / expected - vt->complexity) / weight;
  vt->share += ((double)vt->target / VPXMAX(cpi->av_per_frame_bandwidth, 1) -
                vt->share) /
               weight;
}
