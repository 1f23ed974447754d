/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/**
 * @file
 * What levels of VP8's normal loop filter (RFC 6386 section 15.3) leave of a frame's
 * error: an encoder that searches for the level has many of them at once.
 */

#ifndef CUDAME_LOOP_FILTER_H
#define CUDAME_LOOP_FILTER_H

#include "cudame/cudame.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CUDAME_LOOP_FILTER_LEVELS = 64,
    CUDAME_LOOP_FILTER_GROUP = 8,
    CUDAME_LOOP_FILTER_KINDS = 64, /**< of macroblocks, numbered as the caller likes */
    CUDAME_LOOP_FILTER_INNER = 64  /**< added to the kind: the edges of its sub-blocks
                                        are filtered too */
};

typedef struct cudame_loop_filter {
    /** Reconstructed luma before the filter, whole macroblocks in host memory;
     *  unchanged until the errors are known. */
    cudame_plane frame;
    /** A byte for each macroblock in raster order: kind + CUDAME_LOOP_FILTER_INNER. */
    const uint8_t *macroblocks;
    /** Level of a macroblock, 0..63, by level of the frame and kind: what segments
     *  and deltas make of it (RFC 6386 section 9.6). 64 rows. */
    const uint8_t (*level)[CUDAME_LOOP_FILTER_KINDS];
    /** The levels of the frame to try; both are multiples of
     *  CUDAME_LOOP_FILTER_GROUP. */
    int first_level, levels;
    int sharpness; /**< 0..7 */
    int key_frame; /**< not zero: the thresholds of high edge variance for those */
    /** 0: the whole frame. Else only every step-th row of macroblocks from the
     *  first-th on, each as if nothing above and below it was filtered. */
    int step, first;
} cudame_loop_filter;

/**
 * Start to try levels on the open frame: between cudame_begin_frame() and
 * cudame_end_frame(), when all rows have been waited for; not at the same time as other
 * calls. What it points to stays as it is until cudame_loop_filter_errors() or
 * cudame_end_frame().
 *
 * Where the device fails and the CPU backend goes on, this call and the next return the
 * error all the same, for the caller to search for itself: the CPU backend is the
 * definition and slow. Without device memory for it, all other calls go on as they did.
 */
int cudame_loop_filter_start(cudame_context *ctx, const cudame_loop_filter *filter);

/**
 * Wait for what was started, once.
 * @param errors  squared error of luma to the open frame's source, modulo 2^32, of levels
 *                first_level to first_level + levels - 1
 */
int cudame_loop_filter_errors(cudame_context *ctx, uint32_t *errors);

#ifdef __cplusplus
}
#endif

#endif /* CUDAME_LOOP_FILTER_H */
