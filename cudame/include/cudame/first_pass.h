/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/**
 * @file
 * The first of two passes of libvpx's VP8 encoder: each frame is coded roughly,
 * from whole-pixel vectors and with one quantizer, and its errors and vectors
 * are counted. The counts are libvpx's own, bit for bit, because the second
 * pass's thresholds are made for them; so is the reconstruction, which the next
 * frame is predicted from, so that either side can go on where the other one
 * stopped.
 *
 * For each macroblock, in raster order:
 *
 *  1. Intra error: of sub-blocks predicted by their DC (B_DC_PRED) and coded one
 *     after the other; in the first row or column, but not in both, of the
 *     macroblock predicted by its DC (DC_PRED).
 *  2. Vectors against the last frame, around zero and around the vector of the
 *     macroblock to the left if that was inter and not zero: five searches that
 *     begin with steps of 16, 8, 4, 2 and 1 pixels, go to the best of eight
 *     sites a step away by SAD, and go on with half the step. The least squared
 *     error with rate wins. The same against the golden frame, around zero,
 *     is only counted.
 *  3. The lesser error codes the macroblock (RFC 6386 section 14: transforms,
 *     and their inverse).
 *
 * One call at a time for each object. Errors are those of cudame.h; nothing
 * falls back here.
 */

#ifndef CUDAME_FIRST_PASS_H
#define CUDAME_FIRST_PASS_H

#include "cudame/cudame.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cudame_first_pass_config {
    size_t size;                 /**< sizeof(cudame_first_pass_config) */
    enum cudame_backend backend; /**< CPU is the definition, not optimized */
    int mb_cols, mb_rows;        /**< of the frame, up to 1024 */
    int device;                  /**< as in cudame_config */
    void *cu_context;            /**< as in cudame_config */
} cudame_first_pass_config;

/** A quantizer, [0] of the first coefficient, [1] of the others: a coefficient c
 *  is coded as sign(c) * (((abs(c) + round) * quant) >> 16). quant is below 32768,
 *  round and dequant are below 1024, and quant * dequant is at most 65536. */
typedef struct cudame_quantizer {
    int round[2], quant[2], dequant[2];
} cudame_quantizer;

typedef struct cudame_first_pass_frame {
    /** Luma of whole macroblocks. */
    cudame_plane source;
    /** The frame's source before this one; only if breakout is not 0. */
    cudame_plane last_source;
    /** Where the squared error of the zero vector between these two is less,
     *  nothing else is searched. 0: everywhere. */
    unsigned breakout;
    /** Reconstructions: of whole macroblocks; no border is read. NULL data: the
     *  frame has none (last: it is intra; golden: not counted). */
    cudame_plane last, golden;
    /** Identity of their content, not zero, never reused for other content. The
     *  CUDA backend keeps what it reconstructed or uploaded. */
    uint64_t last_id, golden_id;
    /** Gets the reconstruction, which has this id from now on. */
    uint8_t *recon;
    ptrdiff_t recon_stride;
    uint64_t recon_id;
    int recon_persistent; /**< as persistent of cudame_plane */
    cudame_quantizer y1, y2;
    /** Rate of a vector's difference to its prediction by whole pixels, 0 to 63,
     *  in 1/256 bit; [0] rows, [1] columns. Negative ones cost what zero does. */
    int mv_cost[2][64];
    int error_per_bit; /**< a rate r is worth (r * error_per_bit + 128) >> 8 */
} cudame_first_pass_frame;

/** Sums over all macroblocks; vectors in 1/8 pixel, libvpx's unit. */
typedef struct cudame_first_pass_counts {
    int64_t intra_error, coded_error;
    int inter;                /**< macroblocks coded inter */
    int second_ref;           /**< macroblocks that golden predicts better */
    int neutral;              /**< inter macroblocks whose intra error is about as
                                   low as the inter one, and both are low */
    int moving;               /**< inter macroblocks whose vector is not zero */
    int new_mv;               /**< those whose vector differs from the last one
                                   that was not zero */
    int inwards;              /**< components of vectors that point away from the
                                   frame's middle, less those that point to it */
    int mv_row, mv_col;       /**< sums */
    int mv_row_abs, mv_col_abs;
    int mv_row_squares, mv_col_squares; /**< modulo 2^32 */
} cudame_first_pass_counts;

typedef struct cudame_first_pass cudame_first_pass;

/** Create a first pass of frames of one size. On failure *pass is NULL and, where err is
 *  given, err gets the reason as text (at most err_size bytes with the terminator). */
int cudame_first_pass_create(cudame_first_pass **pass, const cudame_first_pass_config *config,
                             char *err, size_t err_size);

/** Free the object, and wait for its work. NULL is allowed. */
void cudame_first_pass_destroy(cudame_first_pass *pass);

/** Run one frame: when the call returns, *counts and the reconstruction are written.
 *  After an error the reconstruction is undefined and *counts is unchanged; the frame
 *  may be done by libvpx instead, and the next one here. */
int cudame_first_pass_run(cudame_first_pass *pass, const cudame_first_pass_frame *frame,
                          cudame_first_pass_counts *counts);

/** Stop using all persistent memory given so far, before it is freed. */
int cudame_first_pass_forget_memory(cudame_first_pass *pass);

/** Text of the last error; valid until the next call. */
const char *cudame_first_pass_last_error(const cudame_first_pass *pass);

#ifdef __cplusplus
}
#endif

#endif /* CUDAME_FIRST_PASS_H */
