/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The search for the loop filter's level: which rows of macroblocks are looked
 * at, and whether the error that a level leaves is known, by the motion
 * provider, or has to be tried (mp/mt/filter_rows.h). It finds the level that
 * libvpx's own search finds on the same rows.
 */
#ifndef VPX_VP8_ENCODER_MP_MT_FILTER_LEVEL_H_
#define VPX_VP8_ENCODER_MP_MT_FILTER_LEVEL_H_

#include "vpx/vp8_motion_provider.h"
#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_mt_level_state {
  int step, first;        /* rows that are looked at; step 0: all */
  int first_level, known; /* of the frame, the errors of so many levels */
  int declined;           /* the provider did not know those of the last one */
  uint32_t error[VP8E_MP_FILTER_LEVELS];
  vp8e_mp_loop_filter_t *request;
  uint8_t *macroblocks;
  int capacity; /* of that */
} vp8_mp_mt_level_state;

/* Whether levels of the frame are likely to be tried, one after the other. */
int vp8_mp_mt_level_needs_trials(const struct VP8_COMP *cpi);

/* Before a frame's search, which is coded, but not filtered; at which level the
 * search begins. */
void vp8_mp_mt_level_begin(struct VP8_COMP *cpi,
                           const YV12_BUFFER_CONFIG *source,
                           const YV12_BUFFER_CONFIG *unfiltered, int level);

/* Squared luma error that a level leaves in those rows; frame_to_show may be
 * overwritten. 0: try the level yourself. */
int vp8_mp_mt_level_error(struct VP8_COMP *cpi,
                          const YV12_BUFFER_CONFIG *source,
                          const YV12_BUFFER_CONFIG *unfiltered, int level,
                          int *error);

/* Before the encoder is freed. */
void vp8_mp_mt_level_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MP_MT_FILTER_LEVEL_H_
