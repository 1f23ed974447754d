/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * For tools/guide alone, in builds with -DVP8_GUIDED_LOG=1: logs what ranking
 * and planning say of every candidate of a macroblock, and what evaluation
 * says. For encodes with one thread.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_LOG_H_
#define VPX_VP8_ENCODER_MP_MODE_LOG_H_

#include "vp8/encoder/mp/mode/candidate.h"

/* Append a record to the file that VP8_MP_MODE_LOG names, if it does, for one
 * macroblock of VP8_MP_MODE_LOG_EVERY by chance. Leaves x as it was, but for
 * what every evaluation overwrites. */
void vp8_mp_mode_log(const vp8_mp_mode_decision *d,
                     const vp8_mp_mode_candidates *list);

/* The first estimate of a partitioning. */
unsigned int vp8_mp_mode_estimate_partitioning(const vp8_mp_mode_decision *d,
                                               int ref, int partitioning);

/* Plan a partitioning. Returns 0 if its vectors cannot be coded. */
int vp8_mp_mode_plan_partitioning(const vp8_mp_mode_decision *d, int ref,
                                  int partitioning, vp8_mp_mode_split *split);

#endif  // VPX_VP8_ENCODER_MP_MODE_LOG_H_
