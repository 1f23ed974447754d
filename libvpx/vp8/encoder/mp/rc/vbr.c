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

/* Inter frames that are coded as libvpx would, before their mean is trusted. At
 * realtime libvpx, which codes none again, takes dozens of frames from the
 * highest quantizer down: 2 instead of 8 gain 4 % over 150 frames. */
#define FIRST_FRAMES 8
#define FIRST_FRAMES_REALTIME 2
/* As many weigh in the means: what a clip's parts need differs for seconds. */
#define MEAN_FRAMES 128
/* Seconds of the bitrate in which what was taken too much or too little is made
 * up for. */
#define CORRECTION_SECONDS 8
/* As many seconds may be taken at once, an eighth of them by a frame. */
#define BURST_SECONDS 2

/* The quantizer at which frames like those before take their share. */
static int mean_q(const VP8_COMP *cpi) {
  const vp8_mp_rc_vbr_state *const vt = &cpi->mp.vbr;

  return vp8_mp_rc_model_q(cpi, vt->complexity,
                           vt->share * cpi->av_per_frame_bandwidth);
}

/* How much more or less a frame is given for what was saved or taken too much.
 * More is what the user allows: all saved bits would double a share. */
static double correction(const VP8_COMP *cpi) {
  const double by = cpi->mp.vbr.saved /
                    ((double)cpi->oxcf.target_bandwidth * CORRECTION_SECONDS);

  return 1 + VPXMIN(VPXMAX(by, -0.5), cpi->oxcf.over_shoot_pct / 100.);
}

/* A key frame where all are: there is no other frame to take from or give to.
 */
static int is_one_of_keys(const VP8_COMP *cpi) {
  return cpi->common.frame_type == KEY_FRAME && cpi->key_frame_frequency <= 1;
}

/* What the frame is given whose expected bits are need at the quantizer that it
 * should have. */
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
    /* As libvpx has it for the first one. */
    most = bandwidth * 3 / 2 + VPXMIN(saved, 0) / 4;
    target = VPXMAX(need, own);
  } else {
    most = (bandwidth * BURST_SECONDS + saved) / 8;
    if (cpi->common.refresh_golden_frame) {
      target = VPXMAX(need, own);
    } else {
      /* The further it is from its share, the less exact the expectation. */
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

/* Whether the frame is given anything else than libvpx does: not where so much
 * was taken that corrections have ended. */
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

static int wanted_q(const VP8_COMP *cpi) {
  const int q = mean_q(cpi);

  if (cpi->common.frame_type == KEY_FRAME)
    return q * VP8_MP_RC_MODEL_KEY_PERCENT / 100;
  if (cpi->common.refresh_golden_frame) {
    return q * vp8_mp_rc_model_golden_percent(cpi) / 100;
  }
  return q;
}

/* Where the bitrate was changed libvpx's buffer has another size, and the bits
 * of before: a minute's bits too many, or too few. */
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
  vt->counts = 0;
  if (!is_changed(cpi)) return;
  q = wanted_q(cpi);
  if (cm->frame_type == KEY_FRAME) {
    factor = cpi->key_frame_rate_correction_factor;
  } else if (cm->refresh_golden_frame) {
    /* libvpx expects its bits by the last one's, which was long ago. */
    cpi->active_best_quality = VPXMAX(cpi->active_best_quality, q / 2);
    cpi->active_worst_quality = VPXMIN(cpi->active_worst_quality,
                                       VPXMAX(q, cpi->active_best_quality + 1));
  }
  cpi->this_frame_target =
      target_of(cpi, vp8_mp_rc_model_at(cpi, cm->frame_type, factor, q));
}

void vp8_mp_rc_vbr_revise(VP8_COMP *cpi, int Q, int *under_shoot_limit,
                          int *over_shoot_limit) {
  const VP8_COMMON *const cm = &cpi->common;
  const int *const bits_per_mb = vp8_bits_per_mb[cm->frame_type];

  cpi->mp.vbr.counts = cm->frame_type != KEY_FRAME &&
                       !cm->refresh_golden_frame && !cm->refresh_alt_ref_frame;
  /* Its bits are counted where it may be coded again. */
  if (!cpi->sf.recode_loop || !is_changed(cpi)) return;
  cpi->this_frame_target =
      target_of(cpi, (double)cpi->projected_frame_size *
                         bits_per_mb[wanted_q(cpi)] / bits_per_mb[Q]);
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
  if (!size || !vt->counts || !(vp8_mp_features(cpi) & VP8_MP_VBR_TARGETS))
    return;
  vt->frames = VPXMIN(vt->frames + 1, MEAN_FRAMES);
  weight = vt->frames;
  vt->complexity += (size * 8. / expected - vt->complexity) / weight;
  vt->share += ((double)vt->target / VPXMAX(cpi->av_per_frame_bandwidth, 1) -
                vt->share) /
               weight;
}
