/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/clip.h"

#include <math.h>

#include "vp8/encoder/mp/rc/expected.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "vpx_mem/vpx_mem.h"

/* A frame is new if prediction leaves more than NEW_PART of the error of an
 * intra picture, and predicted if it leaves less than OLD_PART. In the shared
 * clips first frames of a scene leave 0.89 or more, and the frames around them
 * 0.31 or less. Very fast motion (the end of street) leaves 0.69 to 0.93 in all
 * frames. */
#define NEW_PART 0.75
#define OLD_PART 0.5
/* Shortest scene but for the last one, in frames: the mean of fewer says
 * little, and pictures may flicker. A cut after fewer frames is not found. */
#define LEAST_FRAMES 8
/* Exponent of a scene's error relative to the mean of the clip. With 1 the easy
 * scene of doc/rate.md's easy-hard is 0.5 to 1.7 dB worse than with 0.75, and
 * its hard one ends 2.5 dB better than it begins, instead of 1.2 dB
 * (doc/lab/0068). */
#define SHARE 0.75
/* Least error, for pictures that stand still. */
#define LEAST_ERROR 0.1
/* A frame's error counts by as much as it differs from its scene's by more than
 * this factor. Errors that differ less say little about bits: in street they
 * differ by 5.4 times, and bits by 1.4 (doc/lab/0068). doc/lab/0069 has 2, 4, 8
 * and infinity. */
#define FAR 4

static double error_of(const VP8_COMP *cpi, const FIRSTPASS_STATS *frame) {
  return frame->coded_error / cpi->mp.clip.mbs;
}

static int is_new(const FIRSTPASS_STATS *frame) {
  return frame->coded_error > frame->intra_error * NEW_PART;
}

static int is_predicted(const FIRSTPASS_STATS *frame) {
  return frame->coded_error < frame->intra_error * OLD_PART;
}

/* Whether a frame begins a scene. In one of noise each frame is new. */
static int begins(const FIRSTPASS_STATS *frame, const FIRSTPASS_STATS *end) {
  return is_new(frame) && (is_predicted(frame - 1) ||
                           (frame + 1 < end && is_predicted(frame + 1)));
}

/* Store the lengths of the scenes of the clip, or only count scenes if scene is
 * NULL. */
static int find_scenes(const VP8_COMP *cpi, vp8_mp_rc_clip_scene *scene) {
  const FIRSTPASS_STATS *const end = cpi->twopass.stats_in_end;
  const FIRSTPASS_STATS *frame;
  int scenes = 0, frames = 0;

  for (frame = cpi->twopass.stats_in_start; frame < end; ++frame) {
    if (!scenes || (frames >= LEAST_FRAMES && begins(frame, end))) {
      ++scenes;
      frames = 0;
    }
    ++frames;
    if (scene) scene[scenes - 1].frames = frames;
  }
  return scenes;
}

/* Factor of a frame's bits by its own error, relative to a frame with the
 * error of the scene. */
static double own_part(const VP8_COMP *cpi, const FIRSTPASS_STATS *frame,
                       double scene_error) {
  const double ratio = VPXMAX(error_of(cpi, frame), LEAST_ERROR) / scene_error;

  if (ratio > FAR) return pow(ratio / FAR, SHARE);
  return ratio < 1. / FAR ? pow(ratio * FAR, SHARE) : 1;
}

/* The first frame of a scene is a key frame as a rule, and its error says
 * nothing about the others. Bits grow with the power SHARE of the error, so
 * that a few frames with high errors take fewer than the mean error tells.
 * Returns the sum of these powers. */
static double measure_scene(const VP8_COMP *cpi, const FIRSTPASS_STATS *first,
                            vp8_mp_rc_clip_scene *scene) {
  const int n = VPXMAX(scene->frames - 1, 1);
  double powers = 0, parts = 0;
  int i;

  for (i = 1; i < scene->frames; ++i) {
    powers += pow(error_of(cpi, first + i), SHARE);
  }
  scene->error = VPXMAX(pow(powers / n, 1 / SHARE), LEAST_ERROR);
  for (i = 1; i < scene->frames; ++i) {
    parts += own_part(cpi, first + i, scene->error);
  }
  scene->part = parts > 0 ? parts / n : 1;
  return powers;
}

static void read_clip(VP8_COMP *cpi) {
  vp8_mp_rc_clip *const clip = &cpi->mp.clip;
  const FIRSTPASS_STATS *first = cpi->twopass.stats_in_start;
  double powers = 0;
  int frames = 0, i;

  clip->mbs = cpi->common.MBs;
  clip->scenes = find_scenes(cpi, NULL);
  clip->scene = vpx_calloc(clip->scenes, sizeof(*clip->scene));
  if (!clip->scene) return;
  find_scenes(cpi, clip->scene);
  for (i = 0; i < clip->scenes; ++i) {
    powers += measure_scene(cpi, first, &clip->scene[i]);
    frames += clip->scene[i].frames - 1;
    first += clip->scene[i].frames;
  }
  clip->error = VPXMAX(pow(powers / VPXMAX(frames, 1), 1 / SHARE), LEAST_ERROR);
  clip->frame = clip->begun = clip->now = 0;
  clip->left = clip->scene[0].frames;
}

/* Frames of the clip up to the end of the current scene. */
static int end_of_scene(const vp8_mp_rc_clip *clip) {
  return clip->begun + clip->scene[clip->now].frames;
}

/* Number of the frame whose statistics were read last, from 0. */
static int current_frame(const VP8_COMP *cpi) {
  return (int)(cpi->twopass.stats_in - 1 - cpi->twopass.stats_in_start);
}

int vp8_mp_rc_clip_begins_scene(const VP8_COMP *cpi) {
  return cpi->mp.clip.scene && cpi->mp.clip.frame == cpi->mp.clip.begun;
}

/* Bits of the current frame, in mean frames of its scene. */
static double own_share(const VP8_COMP *cpi) {
  const vp8_mp_rc_clip *const clip = &cpi->mp.clip;
  const vp8_mp_rc_clip_scene *const scene = &clip->scene[clip->now];

  if (vp8_mp_rc_clip_begins_scene(cpi)) return 1;
  return own_part(cpi, cpi->twopass.stats_in_start + clip->frame,
                  scene->error) /
         scene->part;
}

int vp8_mp_rc_clip_next(VP8_COMP *cpi) {
  vp8_mp_rc_clip *const clip = &cpi->mp.clip;
  int scene;

  if (!cpi->common.current_video_frame) {
    vp8_mp_rc_clip_free(cpi);
    read_clip(cpi);
  }
  if (!clip->scene) return 0;
  scene = clip->now;
  while (clip->frame < current_frame(cpi)) {
    clip->left -= own_share(cpi);
    if (++clip->frame < end_of_scene(clip) || clip->now + 1 == clip->scenes) {
      continue;
    }
    clip->begun = clip->frame;
    clip->left = clip->scene[++clip->now].frames;
  }
  return clip->now != scene;
}

/* vp8_mp_rc_expected_factor() of a mean frame of a scene. */
static double scene_factor(const VP8_COMP *cpi, int scene, int q) {
  const vp8_mp_rc_clip *const clip = &cpi->mp.clip;

  return vp8_mp_rc_expected_factor(
      clip->error * pow(clip->scene[scene].error / clip->error, SHARE), q);
}

double vp8_mp_rc_clip_factor(const VP8_COMP *cpi, int q) {
  const vp8_mp_rc_clip *const clip = &cpi->mp.clip;

  return clip->scene ? own_share(cpi) * scene_factor(cpi, clip->now, q) : 0;
}

double vp8_mp_rc_clip_left(const VP8_COMP *cpi, int q) {
  const vp8_mp_rc_clip *const clip = &cpi->mp.clip;
  const FIRSTPASS_STATS *const left = &cpi->twopass.total_left_stats;
  double sum;
  int frames, i;

  if (!clip->scene || left->count < 1) return 1;
  sum = VPXMAX(clip->left, 0) * scene_factor(cpi, clip->now, q);
  frames = VPXMAX(end_of_scene(clip) - clip->frame, 1);
  for (i = clip->now + 1; i < clip->scenes; ++i) {
    sum += clip->scene[i].frames * scene_factor(cpi, i, q);
    frames += clip->scene[i].frames;
  }
  return sum / frames /
         vp8_mp_rc_expected_libvpx_factor(
             left->coded_error / left->count / cpi->common.MBs, q);
}

void vp8_mp_rc_clip_free(VP8_COMP *cpi) {
  vpx_free(cpi->mp.clip.scene);
  cpi->mp.clip.scene = NULL;
}
