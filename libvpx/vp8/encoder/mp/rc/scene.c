/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/scene.h"

#include <stdint.h>
#include <stdlib.h>

#include "vp8/encoder/mp/recon/portable.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* doc/lab/0070 has half and double of most constants. */

#define ROW_STEP VP8_MP_RC_SCENE_ROWS
#define CACHE_LINE 64
/* A scene cut differs from the frame before CUT_TIMES as much as that frame did
 * from the one before it, and its pixels differ CUT_GRADIENTS as much as from
 * their neighbours: text that scrolls differs by two gradients at most. */
#define CUT_TIMES 3
#define CUT_GRADIENTS 3

/* A frame of which this percentage of the macroblocks is intra shows a new
 * scene.
 */
#define CUT_INTRA_PERCENT 50

double vp8_mp_rc_scene_gradient(const YV12_BUFFER_CONFIG *source) {
  const int width = source->y_width, stride = source->y_stride;
  int64_t sum = 0, count = 0;
  int x, y;

  for (y = 1; y < source->y_height; y += ROW_STEP) {
    const unsigned char *const row = source->y_buffer + (ptrdiff_t)y * stride;
    int row_sum = 0;

    for (x = 1; x < width; ++x) {
      row_sum += abs(row[x] - row[x - 1]) + abs(row[x] - row[x - stride]);
    }
    sum += row_sum;
    count += 2 * (width - 1);
  }
  return (double)sum / (double)VPXMAX(count, 1);
}

double vp8_mp_rc_scene_difference(const VP8_COMP *cpi, int fb_idx) {
  const YV12_BUFFER_CONFIG *const a = cpi->Source;
  const YV12_BUFFER_CONFIG *const b = &cpi->common.yv12_fb[fb_idx];
  int64_t sum = 0, count = 0;
  int x, y;

  for (y = 0; y < a->y_height; y += ROW_STEP) {
    const unsigned char *const p = a->y_buffer + (ptrdiff_t)y * a->y_stride;
    const unsigned char *const q = b->y_buffer + (ptrdiff_t)y * b->y_stride;
    int row_sum = 0;

    /* A processor that reads ahead stops at a row's end. */
    for (x = 0; x < a->y_width; x += CACHE_LINE) {
      VP8_MP_RECON_PREFETCH(p + ROW_STEP * (ptrdiff_t)a->y_stride + x);
      VP8_MP_RECON_PREFETCH(q + ROW_STEP * (ptrdiff_t)b->y_stride + x);
    }
    for (x = 0; x < a->y_width; ++x) row_sum += abs(p[x] - q[x]);
    sum += row_sum;
    count += a->y_width;
  }
  return (double)sum / (double)VPXMAX(count, 1);
}

double vp8_mp_rc_scene_change(const VP8_COMP *cpi) {
  const vp8_mp_rc_scene *const scene = &cpi->mp.scene;

  return scene->source == cpi->Source
             ? scene->change
             : vp8_mp_rc_scene_difference(cpi, cpi->common.lst_fb_idx);
}

void vp8_mp_rc_scene_reset(VP8_COMP *cpi) { cpi->mp.scene.source = NULL; }

/* Whether the picture before the last cut returns: it resembles the golden
 * frame. */
static int is_return(const VP8_COMP *cpi, double change) {
  return change >
         CUT_TIMES * vp8_mp_rc_scene_difference(cpi, cpi->common.gld_fb_idx);
}

void vp8_mp_rc_scene_begin(VP8_COMP *cpi) {
  vp8_mp_rc_scene *const scene = &cpi->mp.scene;
  const VP8_COMMON *const cm = &cpi->common;
  const YV12_BUFFER_CONFIG *const source = cpi->Source;
  const YV12_BUFFER_CONFIG *const last = &cm->yv12_fb[cm->lst_fb_idx];
  const int was_cut = scene->is_cut;
  double change;

  scene->is_cut = 0;
  if (cm->frame_type == KEY_FRAME || source->y_width != last->y_width ||
      source->y_height != last->y_height) {
    scene->is_known = 0;
    return;
  }
  change = vp8_mp_rc_scene_difference(cpi, cm->lst_fb_idx);
  if (scene->is_known) {
    scene->is_cut =
        (change > scene->change * CUT_TIMES &&
         change > vp8_mp_rc_scene_gradient(source) * CUT_GRADIENTS) ||
        (was_cut && is_return(cpi, change));
  }
  scene->change = change;
  scene->source = source;
  scene->is_known = 1;
}

void vp8_mp_rc_scene_end(VP8_COMP *cpi) {
  vp8_mp_rc_scene *const scene = &cpi->mp.scene;
  const int was_intra = scene->was_intra;

  scene->was_intra = cpi->common.last_frame_type != KEY_FRAME &&
                     cpi->this_frame_percent_intra >= CUT_INTRA_PERCENT;
  if (scene->was_intra && !was_intra) scene->is_cut = 1;
}
