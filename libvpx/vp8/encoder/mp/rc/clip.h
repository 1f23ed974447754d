/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Scenes of a clip of which the first pass is complete. How many bits a frame
 * takes depends on the error that the first pass left, but within a scene less
 * than libvpx's formula says: the second pass predicts motion better than the
 * first one did. So a frame has the mean error of its scene, drawn towards the
 * mean of the clip. Only frames whose error is far from the mean, like those
 * of a black picture or of a page that changes, count by their own.
 *
 * Source: doc/lab/0068 and 0069. Only the thread that encodes may call these
 * functions.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_CLIP_H_
#define VPX_VP8_ENCODER_MP_RC_CLIP_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

typedef struct vp8_mp_rc_clip_scene {
  int frames;
  double error; /* of a macroblock of its frames, but for the first one */
  double part;  /* mean of the factors of these frames by their own errors */
} vp8_mp_rc_clip_scene;

typedef struct vp8_mp_rc_clip {
  vp8_mp_rc_clip_scene *scene; /* NULL: not begun, or memory ran out */
  int scenes;
  int mbs;      /* macroblocks of a frame in the first pass */
  double error; /* mean of all scenes */
  int frame;    /* current frame */
  int begun;    /* frames of the scenes before the current one */
  int now;      /* current scene */
  double left;  /* bits of the current frame and those after it in the scene,
                   in mean frames of the scene */
} vp8_mp_rc_clip;

/* In each vp8_second_pass(), after it has read the frame's statistics. The call
 * for the first frame reads those of the whole clip; without it there are no
 * scenes. Returns whether a scene begins after another one. */
int vp8_mp_rc_clip_next(struct VP8_COMP *cpi);

/* Whether the current frame is the first one of a scene. */
int vp8_mp_rc_clip_begins_scene(const struct VP8_COMP *cpi);

/* vp8_mp_rc_expected_factor() of the current frame; 0: there are no scenes. */
double vp8_mp_rc_clip_factor(const struct VP8_COMP *cpi, int q);

/* Expected bits of the frames that are left, relative to those that libvpx
 * expects, at a quantizer index; 1 if there are no scenes. */
double vp8_mp_rc_clip_left(const struct VP8_COMP *cpi, int q);

void vp8_mp_rc_clip_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_CLIP_H_
