/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Finishing a frame after its rows are coded, shared out to the threads: trials
 * of loop-filter levels and the loop filter (mp/mt/filter_rows.h), and the bits
 * of the tokens (mp/mt/pack.h), which need not wait for the level. This needs a
 * motion provider that asks for repair_threads. The stream is the same as
 * without.
 */
#ifndef VPX_VP8_ENCODER_MP_MT_FINISH_H_
#define VPX_VP8_ENCODER_MP_MT_FINISH_H_

#include <stddef.h>

#include "./vpx_config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_mt_finish {
  int active;     /* between begin and end */
  int has_trials; /* trials of levels are expected, which wait for the helpers
                   */
} vp8_mp_mt_finish;

#if CONFIG_MULTITHREAD

/* Begin when the rows of a frame are coded: give tokens and filtering to the
 * threads. size: room for the frame in bytes. Returns 1 if the caller has to
 * search the level, and then call vp8_mp_mt_finish_filter(). Returns 0 if
 * libvpx does everything. */
int vp8_mp_mt_finish_begin(struct VP8_COMP *cpi, size_t size);

/* Filter the frame, when the level is known. Returns 0 if the caller has to
 * filter. */
int vp8_mp_mt_finish_filter(struct VP8_COMP *cpi, int filter);

/* Do the job for which a row thread, or the loop-filter thread, was woken.
 * Returns 0 if it is libvpx's own work. */
int vp8_mp_mt_finish_help(struct VP8_COMP *cpi, int ithread);
int vp8_mp_mt_finish_help_lpf(struct VP8_COMP *cpi);

#endif

/* Wait until the frame is filtered, then extend its borders. */
void vp8_mp_mt_finish_end(struct VP8_COMP *cpi);

/* After an error: wait until no thread works on the frame. */
void vp8_mp_mt_finish_abandon(struct VP8_COMP *cpi);

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MP_MT_FINISH_H_
