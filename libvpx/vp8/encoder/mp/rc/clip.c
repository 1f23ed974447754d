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

static double error_of(const VP8_COMP *cpi, const FIRSTPASS_STATS *frame) {
  return frame->coded_error / cpi->common.MBs;
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

/* Store the scenes of the clip, with the sums of their errors, or only count
 * them if scene is NULL. The first frame of a scene is a key frame as a rule,
 * and its error says nothing about the others. */
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
    if (!scene) continue;
    scene[scenes - 1].frames = frames;
    if (frames > 1) scene[scenes - 1].error += error_of(cpi, frame);
  }
  return scenes;
}

static void read_clip(VP8_COMP *cpi) {
  vp8_mp_rc_clip *const clip = &cpi->mp.clip;
  double sum = 0, frames = 0;
  int i;

  clip->scenes = find_scenes(cpi, NULL);
  clip->scene = vpx_calloc(clip->scenes, sizeof(*clip->scene));
  if (!clip->scene) return;
  find_scenes(cpi, clip->scene);
  for (i = 0; i < clip->scenes; ++i) {
    vp8_mp_rc_clip_scene *const scene = &clip->scene[i];

    sum += scene->error;
    frames += scene->frames - 1;
    scene->error =
        VPXMAX(scene->error / VPXMAX(scene->frames - 1, 1), LEAST_ERROR);
  }
  clip->error = VPXMAX(sum / VPXMAX(frames, 1), LEAST_ERROR);
  clip->begun = clip->now = 0;
}

/* Frames of the clip up to the end of the current scene. */
static int end_of_scene(const vp8_mp_rc_clip *clip) {
  return clip->begun + clip->scene[clip->now].frames;
}

/* Number of the frame whose statistics were read last, from 0. */
static int current_frame(const VP8_COMP *cpi) {
  return (int)(cpi->twopass.stats_in - 1 - cpi->twopass.stats_in_start);
}

void vp8_mp_rc_clip_next(VP8_COMP *cpi) {
  vp8_mp_rc_clip *const clip = &cpi->mp.clip;

  if (!cpi->common.current_video_frame) {
    vp8_mp_rc_clip_free(cpi);
    read_clip(cpi);
  }
  if (!clip->scene) return;
  while (current_frame(cpi) >= end_of_scene(clip) &&
         clip->now + 1 < clip->scenes) {
    clip->begun = end_of_scene(clip);
    ++clip->now;
  }
}

/* The error that a frame of a scene counts as. */
static double scene_error(const VP8_COMP *cpi, int scene) {
  const vp8_mp_rc_clip *const clip = &cpi->mp.clip;

  return clip->error * pow(clip->scene[scene].error / clip->error, SHARE);
}

double vp8_mp_rc_clip_error(const VP8_COMP *cpi) {
  return cpi->mp.clip.scene ? scene_error(cpi, cpi->mp.clip.now) : 0;
}

double vp8_mp_rc_clip_left(const VP8_COMP *cpi, int q) {
  const vp8_mp_rc_clip *const clip = &cpi->mp.clip;
  const FIRSTPASS_STATS *const left = &cpi->twopass.total_left_stats;
  double sum = 0;
  int frames = 0, i;

  if (!clip->scene || left->count < 1) return 1;
  for (i = clip->now; i < clip->scenes; ++i) {
    const int n = i == clip->now
                      ? VPXMAX(end_of_scene(clip) - current_frame(cpi), 1)
                      : clip->scene[i].frames;

    sum += n * vp8_mp_rc_expected_factor(scene_error(cpi, i), q);
    frames += n;
  }
  return sum / frames /
         vp8_mp_rc_expected_libvpx_factor(error_of(cpi, left) / left->count, q);
}

void vp8_mp_rc_clip_free(VP8_COMP *cpi) {
  vpx_free(cpi->mp.clip.scene);
  cpi->mp.clip.scene = NULL;
}
