/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The search for the loop filter's level by errors that the motion provider knows
 * of many levels. It finds the level that the encoder finds by itself.
 */
#ifndef VPX_VP8_ENCODER_FILTER_LEVEL_H_
#define VPX_VP8_ENCODER_FILTER_LEVEL_H_

#include <stddef.h>

#include "vpx/vp8_motion_provider.h"
#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of VP8_COMP. */
typedef struct vp8_fl_state {
  int first, known; /* of the frame, the errors of so many levels */
  int declined;     /* the provider did not know those of the last one */
  size_t room; /* for tokens, which may be written meanwhile; 0: they may not */
  uint32_t error[VP8E_MP_FILTER_LEVELS];
  vp8e_mp_loop_filter_t *request;
  uint8_t *macroblocks;
  int capacity; /* of that */
} vp8_fl_state;

/* Whether the provider will be asked, and is likely to know. */
int vp8_fl_asks(const struct VP8_COMP *cpi);

/* Before the first trial of a frame, which is coded, but not filtered; at which level the
 * search begins. */
void vp8_fl_begin(struct VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                  const YV12_BUFFER_CONFIG *unfiltered, int level);

/* Squared luma error of the frame, or of the part of it that is searched, at a
 * level. 0: not known. */
int vp8_fl_error(const struct VP8_COMP *cpi, int level, int *error);

/* Before the encoder is freed. */
void vp8_fl_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_FILTER_LEVEL_H_
