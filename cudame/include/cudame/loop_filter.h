/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/**
 * @file
 * The squared error of a frame after VP8's normal loop filter (RFC 6386 section 15.3),
 * for many filter levels at once. An encoder uses it to search for the best level.
 */

#ifndef CUDAME_LOOP_FILTER_H
#define CUDAME_LOOP_FILTER_H

#include "cudame/cudame.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CUDAME_LOOP_FILTER_LEVELS = 64,
    CUDAME_LOOP_FILTER_GROUP = 8,  /**< number of levels that are tried together */
    CUDAME_LOOP_FILTER_KINDS = 64, /**< kinds of macroblocks; the caller numbers them */
    CUDAME_LOOP_FILTER_INNER = 64  /**< added to the kind if the edges of the
                                        macroblock's sub-blocks are filtered too */
};

typedef struct cudame_loop_filter {
    /** Reconstructed luma before the filter: whole macroblocks in host memory. It must
     *  not change before the errors are known. */
    cudame_plane frame;
    /** One byte for each macroblock in raster order: its kind, plus
     *  CUDAME_LOOP_FILTER_INNER if its inner edges are filtered. */
    const uint8_t *macroblocks;
    /** level[l][k]: the level, 0..63, of macroblocks of kind k in a frame of level l,
     *  after segments and deltas (RFC 6386 section 9.6). 64 rows. */
    const uint8_t (*level)[CUDAME_LOOP_FILTER_KINDS];
    /** The first level of the frame to try, and the number of levels; both are multiples
     *  of CUDAME_LOOP_FILTER_GROUP. */
    int first_level, levels;
    int sharpness; /**< 0..7 */
    int key_frame; /**< not 0: use a key frame's thresholds for high edge variance */
    /** step 0: the whole frame. Else only every step-th macroblock row, beginning with
     *  row `first`; each is filtered as if the rows above and below were not. */
    int step, first;
    /** If not 0, step must be 0, and only this number of rows is filtered, from `first` on,
     *  as if the other rows were not. If the frame is the reconstruction of the last
     *  cudame_code_frame(), it must not have changed since: it is not uploaded. If that did not
     *  write it (has_recon), its content is not read. */
    int rows;
    /** Luma to compare to; NULL: the open frame's source. If `rows` is not 0, it may be the
     *  denoised picture of the last cudame_code_frame(), which must not have changed since:
     *  whole macroblocks. */
    const uint8_t *source;
    int source_stride;
} cudame_loop_filter;

/**
 * Start to try levels on the open frame. All its rows must have been waited for. No other
 * call on the context may run at the same time. The filter's pointers must stay valid and
 * unchanged until cudame_loop_filter_errors() or cudame_end_frame().
 *
 * If the device fails, this call and the next return the error even if the CPU backend
 * continues, because the caller's own search would take less time.
 * CUDAME_ERROR_DEVICE_MEM leaves the context as it was. So does CUDAME_ERROR_UNAVAILABLE of
 * this call and the next: the device is late with rows of a frame that it has coded, or does
 * not have the picture to compare to.
 */
int cudame_loop_filter_start(cudame_context *ctx, const cudame_loop_filter *filter);

/**
 * Wait for the errors of the levels. Call it once after each start.
 * @param errors  for each i < levels, errors[i] becomes the sum of squared differences
 *                between the filtered luma at level first_level + i and the luma to
 *                compare to, modulo 2^32
 */
int cudame_loop_filter_errors(cudame_context *ctx, uint32_t *errors);

#ifdef __cplusplus
}
#endif

#endif /* CUDAME_LOOP_FILTER_H */
