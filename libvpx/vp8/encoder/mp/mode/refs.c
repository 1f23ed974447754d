/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/refs.h"

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/rc/scene.h"
#include "vp8/encoder/onyx_int.h"

/* A reference is searched if it differs from the source at most MOST_PERCENT as
 * much as the last frame does. Mean BD-rate of 15 clips against a search of all
 * references (doc/lab/0067), with limits of 0, 125, 150, 200 %: realtime -8 at
 * a constant bitrate 0.1, 0.0, -0.3, -0.2; with the denoiser, aiortc's options,
 * 0.3, 0.3, 0.0, -0.1. Film, whose pictures return, has at most 3.8, 3.1, 0.3,
 * 0.1. */
#define MOST_PERCENT 150
/* From this speed on. At good 5 the limit loses 1 % on one clip. */
#define FIRST_SPEED 6

static int is_allowed(const VP8_COMP *cpi) {
  const YV12_BUFFER_CONFIG *const last =
      &cpi->common.yv12_fb[cpi->common.lst_fb_idx];
  /* Speed is not that of the frame yet if the user has set one. */
  const int cpu_used = cpi->oxcf.cpu_used;
  const int speed = cpu_used < 0 ? -cpu_used : cpi->Speed;

  return cpi->compressor_speed == 2 && speed >= FIRST_SPEED &&
         (cpi->ref_frame_flags & VP8_LAST_FRAME) &&
         (vp8_mp_features(cpi) & VP8_MP_GUIDE_INTER) &&
         !cpi->is_src_frame_alt_ref && cpi->Source->y_width == last->y_width &&
         cpi->Source->y_height == last->y_height;
}

/* Whether a reference resembles the picture about as well as the last frame,
 * which differs by last. */
static int resembles(const VP8_COMP *cpi, int fb_idx, double last) {
  return vp8_mp_rc_scene_difference(cpi, fb_idx) * 100 <= last * MOST_PERCENT;
}

int vp8_mp_mode_searched_refs(const VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  int flags = cpi->ref_frame_flags;
  double last;

  if (!is_allowed(cpi) || flags == VP8_LAST_FRAME) return flags;
  last = vp8_mp_rc_scene_change(cpi);
  if ((flags & VP8_GOLD_FRAME) && !resembles(cpi, cm->gld_fb_idx, last)) {
    flags &= ~VP8_GOLD_FRAME;
  }
  if ((flags & VP8_ALTR_FRAME) && !resembles(cpi, cm->alt_fb_idx, last)) {
    flags &= ~VP8_ALTR_FRAME;
  }
  return flags;
}
