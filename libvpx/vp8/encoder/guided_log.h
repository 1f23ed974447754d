/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * For tools/guide alone, in builds with -DVP8_GUIDED_LOG=1: logs what the plan
 * of every macroblock said of every candidate, and what evaluation says, and
 * takes a level from the environment. One thread.
 */
#ifndef VPX_VP8_ENCODER_GUIDED_LOG_H_
#define VPX_VP8_ENCODER_GUIDED_LOG_H_

#include "vp8/encoder/guided_mode.h"

#ifndef VP8_GUIDED_LOG
#define VP8_GUIDED_LOG 0
#endif

#if VP8_GUIDED_LOG
/* Writes a record to the file that VP8_GUIDED_LOG names, if it does, for one
 * macroblock of VP8_GUIDED_LOG_EVERY by chance. x is left as it was, but for what
 * every evaluation overwrites. */
void vp8_gm_log(const vp8_gm_decision *d, const vp8_gm_candidates *list,
                const vp8e_mp_intra_t *estimate);

/* The level of n points that VP8_GUIDED_LEVEL gives, all numbers of the first point
 * before those of the next, or else the given one. */
const vp8_gm_level *vp8_gm_log_level(const vp8_gm_level *level, int n);
#endif

#endif  // VPX_VP8_ENCODER_GUIDED_LOG_H_
