/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What follows a frame's macroblocks, shared out to the threads: trials of the
 * loop filter's level and the filter (mp/mt/filter_rows.h), and the bits of the
 * tokens (mp/mt/pack.h), which need not wait for the level. Only with a motion
 * provider that asks for repair_threads; the stream is the same.
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
  int active;     /* begun, not ended */
  int has_trials; /* helpers are waited for between trials of the filter */
} vp8_mp_mt_finish;

#if CONFIG_MULTITHREAD

/* When a frame's macroblocks are coded: leave tokens and filtering to the
 * threads. size: bytes that the frame may have. 1: the caller picks the level,
 * and goes on when vp8_mp_mt_finish_filter() has returned; 0: all is up to
 * libvpx. */
int vp8_mp_mt_finish_begin(struct VP8_COMP *cpi, size_t size);

/* When the level is known. 0: filter yourself. */
int vp8_mp_mt_finish_filter(struct VP8_COMP *cpi, int filter);

/* Done what a row thread, or the loop filter's, was woken up for; 0: it is
 * libvpx's own work. */
int vp8_mp_mt_finish_help(struct VP8_COMP *cpi, int ithread);
int vp8_mp_mt_finish_help_lpf(struct VP8_COMP *cpi);

#endif

/* Wait until the frame is filtered, and extend its borders. */
void vp8_mp_mt_finish_end(struct VP8_COMP *cpi);

/* After an error: wait until no thread works on the frame. */
void vp8_mp_mt_finish_abandon(struct VP8_COMP *cpi);

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MP_MT_FINISH_H_
