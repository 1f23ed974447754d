/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/memory.h"

#include <string.h>

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/rc/scene.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* doc/lab/0070 has half and double of most constants. */

/* A picture shows the scene of golden if it differs from golden at most
 * SAME_TIMES as much as the last frame differs from its source. For 12 clips
 * the most is 3.4 with a fixed camera, and the median 6 to 19 with a camera
 * that moves. It is at rest if it differs from the last frame at most
 * REST_TIMES as much: a talking head by up to 1.9, a fade of 10 frames by 2 to
 * 6. Half and double of SAME_TIMES change the mean bitrate of 10 clips by -0.6
 * to 0.5 %, 1.4 and 4 instead of REST_TIMES by -0.1 to 1.1 % (doc/lab/0055). */
#define SAME_TIMES 4
#define REST_TIMES 2
/* Least of these differences, in pixel values: a coded picture can be exact. */
#define LEAST_ERROR 0.25
/* A picture returns if it differs from golden or altref RETURN_TIMES less than
 * from the last frame. For 10 clips 1.4 saves 0.0 to 0.2 % of bitrate, and 4
 * costs 0.1 to 0.5 % (doc/lab/0055). */
#define RETURN_TIMES 2
/* A picture is worth keeping after this time, if it is at rest; one that moves
 * after twice the time. In seconds. For 10 clips 0.25 costs 0.1 to 0.8 % of
 * bitrate, and 1 costs 0.4 to 0.5 % (doc/lab/0055). */
#define KEPT_SECONDS 0.5
/* Time for which altref keeps a picture, in seconds. Meanwhile altref has no
 * copies of golden, which costs 1 % of bitrate. A picture that returns saves
 * the bits of 15 frames. Suppose that a third of the pictures return, and that
 * the chance of it in a frame falls with the time t: 1 / (3 * t). Then a frame
 * costs as much as it saves if t is 500 frames. In streams of five seconds 7
 * and 30 do not change the mean bitrate, and 0.1 costs 0.7 to 1.6 %
 * (doc/lab/0055). */
#define REMEMBERED_SECONDS 15

static int frames(const VP8_COMP *cpi, double seconds) {
  return VPXMAX((int)(cpi->framerate * seconds), 1);
}

static int is_used(const VP8_COMP *cpi) {
  return (cpi->mp.target.served & VP8_MP_CBR_TARGETS) &&
         cpi->oxcf.number_of_layers == 1 && !cpi->oxcf.error_resilient_mode;
}

/* Find out whether a picture returns, and make its reference cheaper: libvpx
 * expects the references of the frame before. */
static void find_returned(VP8_COMP *cpi, double golden) {
  vp8_mp_rc_memory *const memory = &cpi->mp.memory;
  const double altref = memory->remembers ? vp8_mp_rc_scene_difference(
                                                cpi, cpi->common.alt_fb_idx)
                                          : golden;
  const int is_altref = altref < golden;

  if (VPXMIN(altref, golden) * RETURN_TIMES >= cpi->mp.scene.change) return;
  memory->returned = is_altref ? ALTREF_FRAME : GOLDEN_FRAME;
  cpi->prob_last_coded = VPXMIN(cpi->prob_last_coded, 128);
  cpi->prob_gf_coded = is_altref ? 1 : 255;
}

void vp8_mp_rc_memory_begin(VP8_COMP *cpi) {
  vp8_mp_rc_memory *const memory = &cpi->mp.memory;
  const double error = VPXMAX(memory->error, LEAST_ERROR);
  double golden;

  memory->returned = 0;
  if (!is_used(cpi) || !memory->is_known || !cpi->mp.scene.is_known) return;
  golden = vp8_mp_rc_scene_difference(cpi, cpi->common.gld_fb_idx);
  find_returned(cpi, golden);
  if (golden <= SAME_TIMES * error) {
    memory->changed = memory->rest = 0;
    ++memory->lasted;
    return;
  }
  ++memory->changed;
  memory->rest =
      cpi->mp.scene.change <= REST_TIMES * error ? memory->rest + 1 : 0;
}

int vp8_mp_rc_memory_frees_golden(const VP8_COMP *cpi) {
  const vp8_mp_rc_memory *const memory = &cpi->mp.memory;
  const int kept = frames(cpi, KEPT_SECONDS);

  return !memory->changed || memory->rest >= kept || memory->changed > 2 * kept;
}

/* Whether the picture in golden is of another scene, and worth keeping. */
static int is_worth_keeping(const VP8_COMP *cpi) {
  const vp8_mp_rc_memory *const memory = &cpi->mp.memory;

  return memory->changed && memory->lasted >= frames(cpi, KEPT_SECONDS);
}

int vp8_mp_rc_memory_keeps_altref(const VP8_COMP *cpi) {
  return cpi->mp.target.golden_bits > 0 && cpi->mp.memory.remembers &&
         !is_worth_keeping(cpi);
}

void vp8_mp_rc_memory_end(VP8_COMP *cpi) {
  vp8_mp_rc_memory *const memory = &cpi->mp.memory;
  const VP8_COMMON *const cm = &cpi->common;

  if (!is_used(cpi)) {
    memset(memory, 0, sizeof(*memory));
    return;
  }
  if (cm->frame_type == KEY_FRAME) {
    memset(memory, 0, sizeof(*memory));
  } else if (cm->gld_fb_idx == cm->new_fb_idx) { /* the flags are reset */
    if (is_worth_keeping(cpi) && cm->copy_buffer_to_arf) memory->remembers = 1;
    if (memory->changed) memory->lasted = memory->rest;
    memory->changed = memory->rest = 0;
  }
  if (memory->remembers &&
      ++memory->remembers > frames(cpi, REMEMBERED_SECONDS)) {
    memory->remembers = 0;
  }
  memory->error = vp8_mp_rc_scene_difference(cpi, cm->new_fb_idx);
  memory->is_known = 1;
}
