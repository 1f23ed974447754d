/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The search for the loop-filter level: which rows of macroblocks are examined,
 * and whether the motion provider knows the error of a level or the level has
 * to be tried (mp/mt/filter_rows.h). It finds the level that libvpx's own
 * search would find on the same rows.
 */
#ifndef VPX_VP8_ENCODER_MP_MT_FILTER_LEVEL_H_
#define VPX_VP8_ENCODER_MP_MT_FILTER_LEVEL_H_

#include "vpx/vp8_motion_provider.h"
#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* All that the fast search's request depends on, but for the frame's
 * macroblocks and pixels. */
typedef struct vp8_mp_mt_level_fast {
  const YV12_BUFFER_CONFIG *source, *unfiltered;
  int first_level, sharpness, is_key;
  int has_segments, is_absolute, has_deltas;
  signed char segment[4], ref_delta[4], mode_delta[4];
} vp8_mp_mt_level_fast;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_mt_level_state {
  int step,
      first; /* rows to examine: every step-th from first on; step 0: all */
  int first_level,
      known; /* the errors of this many levels are known, from first_level on */
  int declined; /* the provider declined the last request */
  uint32_t error[VP8E_MP_FILTER_LEVELS];
  vp8_mp_mt_level_fast fast; /* of the fast search's request */
  int early; /* 1: the provider measures it already; -1: it declined; 0: it was
                not asked */
  vp8e_mp_loop_filter_t *request;
  uint8_t *macroblocks;
  int capacity; /* size of macroblocks[] */
} vp8_mp_mt_level_state;

/* Returns whether levels of the frame will probably be tried one after the
 * other. */
int vp8_mp_mt_level_needs_trials(const struct VP8_COMP *cpi);

/* Begin the search of a frame that is coded but not filtered. level is where
 * the search begins. */
void vp8_mp_mt_level_begin(struct VP8_COMP *cpi,
                           const YV12_BUFFER_CONFIG *source,
                           const YV12_BUFFER_CONFIG *unfiltered, int level);

/* Sets *error to the squared luma error of a level in the examined rows. May
 * overwrite frame_to_show. Returns 0 if the caller has to try the level. */
int vp8_mp_mt_level_error(struct VP8_COMP *cpi,
                          const YV12_BUFFER_CONFIG *source,
                          const YV12_BUFFER_CONFIG *unfiltered, int level,
                          int *error);

/* Let the provider, which has coded the frame, measure the levels that
 * vp8_mp_mt_level_fast_begin() will probably ask for, while the encoder takes
 * the frame's modes. The frame's kinds are set. */
void vp8_mp_mt_level_fast_expect(struct VP8_COMP *cpi);

/* End a measurement that was expected, and not asked for. */
void vp8_mp_mt_level_fast_forget(struct VP8_COMP *cpi);

/* The same for libvpx's fast search in the middle of the frame, if the provider
 * has coded the frame: it then measures levels around the first one. */
void vp8_mp_mt_level_fast_begin(struct VP8_COMP *cpi,
                                const YV12_BUFFER_CONFIG *source,
                                const YV12_BUFFER_CONFIG *unfiltered,
                                int level);

/* Sets *error to the error of a level if the provider has measured it. Returns
 * 0 if not, with the reconstruction in the frame's buffer. */
int vp8_mp_mt_level_known(struct VP8_COMP *cpi, int level, int *error);

/* Returns whether the provider, if it codes the frame, can measure all levels
 * that libvpx's search will probably try. The search then does not read the
 * reconstruction. */
int vp8_mp_mt_level_can_expect(struct VP8_COMP *cpi);

/* Free the state, before the encoder is freed. */
void vp8_mp_mt_level_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MP_MT_FILTER_LEVEL_H_
