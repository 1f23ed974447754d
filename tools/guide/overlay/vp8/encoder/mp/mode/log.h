/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Log of guided decisions, for tools/guide/derive.py: cost and RD cost of every
 * candidate of a macroblock. Only in the build of tools/guide
 * (-DVP8_MP_MODE_LOG=1), for encodes with one thread.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_LOG_H_
#define VPX_VP8_ENCODER_MP_MODE_LOG_H_

#include "vp8/encoder/mp/mode/candidate.h"

/* Append a record of the macroblock to the file that the environment variable
 * VP8_MP_MODE_LOG names, if it is set. With VP8_MP_MODE_LOG_EVERY=N, one of N
 * macroblocks is logged at random. Leaves x unchanged, except for state that
 * every evaluation overwrites. */
void vp8_mp_mode_log(const vp8_mp_mode_decision *d,
                     const vp8_mp_mode_candidates *list);

/* Returns the first estimate of a partitioning's cost. */
unsigned int vp8_mp_mode_estimate_partitioning(const vp8_mp_mode_decision *d,
                                               int ref, int partitioning);

/* Plan a partitioning. Returns 0 if its vectors cannot be coded. */
int vp8_mp_mode_plan_partitioning(const vp8_mp_mode_decision *d, int ref,
                                  int partitioning, vp8_mp_mode_split *split);

#endif  // VPX_VP8_ENCODER_MP_MODE_LOG_H_
