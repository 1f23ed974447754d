/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Pictures that return: a window is closed, a speaker is shown again, a page is
 * turned back. At a constant bitrate libvpx copies golden to altref each time
 * that golden is refreshed, which is some frames after the time before. So both
 * show the last half second.
 *
 * Here golden keeps the picture of its scene while the content changes, until
 * the new picture has been shown for some time. Then golden takes the new
 * picture, and altref keeps the old one. Transitions, such as fades, are never
 * kept. So the picture before the current one can return, also if others were
 * shown for a short time in between.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_MEMORY_H_
#define VPX_VP8_ENCODER_MP_RC_MEMORY_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state; used by the encoding thread only. Times in frames. */
typedef struct vp8_mp_rc_memory {
  double error;  /* mean difference of the last frame from its source */
  int is_known;  /* error is valid */
  int lasted;    /* the scene of golden was shown for this time */
  int changed;   /* time since the picture resembled golden, 0: it does */
  int rest;      /* time for which it has not moved since it changed */
  int remembers; /* time for which altref has kept another scene, 0: none */
  int returned;  /* the reference whose picture the frame being coded shows
                    again, 0: none */
} vp8_mp_rc_memory;

/* Before each frame is coded, after vp8_mp_rc_scene_begin(). */
void vp8_mp_rc_memory_begin(struct VP8_COMP *cpi);

/* Whether a frame may take the place of golden. */
int vp8_mp_rc_memory_frees_golden(const struct VP8_COMP *cpi);

/* Whether altref keeps its picture if the frame being coded refreshes golden.
 * libvpx calls it when the frame is coded. */
int vp8_mp_rc_memory_keeps_altref(const struct VP8_COMP *cpi);

/* After each frame, not dropped. */
void vp8_mp_rc_memory_end(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_MEMORY_H_
