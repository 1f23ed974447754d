/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Plans SPLITMV: chooses partitionings, sub-block modes and vectors by cost. */
#ifndef VPX_VP8_ENCODER_MP_MODE_SPLIT_H_
#define VPX_VP8_ENCODER_MP_MODE_SPLIT_H_

#include "vp8/encoder/mp/mode/candidate.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VP8_MP_MODE_MAX_SPLITS 4

/* Plans in order of ascending cost. */
typedef struct vp8_mp_mode_splits {
  vp8_mp_mode_split s[VP8_MP_MODE_MAX_SPLITS];
  int n;
  int bin; /* of the gain of planning, see mp/mode/learn.h */
} vp8_mp_mode_splits;

/* Plan the partitionings of lowest cost in the references of d->mb[] whose bit
 * 1 << LAST_FRAME to 1 << ALTREF_FRAME is set in refs. First makes an estimate
 * of each partitioning, then plans those within reach of the lowest estimate,
 * and keeps as many plans as d's level evaluates. inter16x16 is the lowest cost
 * of a 16x16 candidate. Sets splits->n to 0 if the lowest estimate is above
 * limit, if planning does not pay, or if no plan's vectors can be coded. */
void vp8_mp_mode_plan_splits(const vp8_mp_mode_decision *d, unsigned int refs,
                             unsigned int inter16x16, unsigned int limit,
                             vp8_mp_mode_splits *splits);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_SPLIT_H_
