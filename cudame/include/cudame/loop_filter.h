/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/**
 * @file
 * The squared error of a frame after VP8's normal loop filter (RFC 6386 section 15.3), for
 * many levels at once, for an encoder that searches for the best one.
 */

#ifndef CUDAME_LOOP_FILTER_H
#define CUDAME_LOOP_FILTER_H

#include "cudame/cudame.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CUDAME_LOOP_FILTER_LEVELS = 64,
    CUDAME_LOOP_FILTER_GROUP = 8,  /**< levels are tried by so many */
    CUDAME_LOOP_FILTER_KINDS = 64, /**< kinds of macroblocks; the caller numbers them */
    CUDAME_LOOP_FILTER_INNER = 64  /**< added to the kind: the edges of its sub-blocks
                                        are filtered too */
};

typedef struct cudame_loop_filter {
    /** Reconstructed luma before the filter, whole macroblocks in host memory;
     *  unchanged until the errors are known. */
    cudame_plane frame;
    /** A byte for each macroblock in raster order: its kind, plus
     *  CUDAME_LOOP_FILTER_INNER or not. */
    const uint8_t *macroblocks;
    /** level[l][k]: the level, 0..63, of macroblocks of kind k in a frame of level l,
     *  which segments and deltas decide (RFC 6386 section 9.6). 64 rows. */
    const uint8_t (*level)[CUDAME_LOOP_FILTER_KINDS];
    /** The levels of the frame to try; both are multiples of
     *  CUDAME_LOOP_FILTER_GROUP. */
    int first_level, levels;
    int sharpness; /**< 0..7 */
    int key_frame; /**< not 0: high edge variance has a key frame's thresholds */
    /** 0: the whole frame. Else only every step-th row of macroblocks from the
     *  first-th on, each as if nothing above and below it was filtered. */
    int step, first;
} cudame_loop_filter;

/**
 * Start to try levels on the open frame, whose rows must all have been waited for. No
 * other call on the context may run at the same time. The filter's pointers must stay
 * valid and unchanged until cudame_loop_filter_errors() or cudame_end_frame().
 *
 * Where the device fails, this call and the next return the error even if the CPU backend
 * goes on: that would take longer than a search of the caller's. CUDAME_ERROR_DEVICE_MEM
 * leaves the context as it was.
 */
int cudame_loop_filter_start(cudame_context *ctx, const cudame_loop_filter *filter);

/**
 * Wait for the errors of the levels that were started; once for each start.
 * @param errors  errors[i] becomes the squared error of luma to the open frame's source,
 *                modulo 2^32, with level first_level + i, for i < levels
 */
int cudame_loop_filter_errors(cudame_context *ctx, uint32_t *errors);

#ifdef __cplusplus
}
#endif

#endif /* CUDAME_LOOP_FILTER_H */
