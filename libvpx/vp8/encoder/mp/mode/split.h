/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Plans SPLITMV: partitioning, subblock modes and vectors, by SATD and rate. */
#ifndef VPX_VP8_ENCODER_MP_MODE_SPLIT_H_
#define VPX_VP8_ENCODER_MP_MODE_SPLIT_H_

#include "vp8/encoder/mp/mode/candidate.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VP8_MP_MODE_MAX_SPLITS 4

/* Plans, the one of least cost first. */
typedef struct vp8_mp_mode_splits {
  vp8_mp_mode_split s[VP8_MP_MODE_MAX_SPLITS];
  int n;
  int bin; /* of what planning is worth (mp/mode/learn.h) */
} vp8_mp_mode_splits;

/* Plan the partitionings of least cost among all references whose bits
 * 1 << LAST_FRAME .. are set and that are worth a try. A first estimate is made
 * of each; those within d's level of the lowest are planned, and as many kept
 * as it evaluates. inter16x16 is the lowest cost of a 16x16 candidate. n is 0
 * if the lowest estimate is above limit or planning is not worth its time, or
 * if no plan's vectors can be coded. */
void vp8_mp_mode_plan_splits(const vp8_mp_mode_decision *d, unsigned int refs,
                             unsigned int inter16x16, unsigned int limit,
                             vp8_mp_mode_splits *splits);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_SPLIT_H_
