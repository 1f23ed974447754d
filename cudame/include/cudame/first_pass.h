/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/**
 * @file
 * The first of two passes of libvpx's VP8 encoder. It codes each frame roughly, with
 * whole-pixel vectors and one quantizer, and counts errors and vectors. The counts
 * equal libvpx's bit for bit, because the thresholds of the second pass were chosen
 * for them. The reconstruction, which predicts the next frame, is equal too, so that
 * libvpx can continue after any frame of this library, and the other way round.
 *
 * For each macroblock, in raster order:
 *
 *  1. Intra error. Sub-blocks are predicted by B_DC_PRED and coded one after the
 *     other. A macroblock in the first row or the first column, but not the one in
 *     both, is predicted by DC_PRED instead.
 *  2. Vectors against the last frame. The search starts at zero, and again at the
 *     vector of the macroblock to the left if that is inter and not zero. Each time
 *     it makes five runs with first steps of 16, 8, 4, 2 and 1 pixels. A run moves to
 *     the best of eight sites one step away, by SAD, and halves the step. The vector
 *     with the lowest squared error plus rate wins. A search of the golden frame
 *     around zero is counted but codes nothing.
 *  3. The prediction with the lower error codes the macroblock, with the transforms
 *     of RFC 6386 section 14 and their inverse.
 *
 * Threads: one call at a time for each object. Errors are those of cudame.h. A failed
 * device does not fall back to the CPU.
 */

#ifndef CUDAME_FIRST_PASS_H
#define CUDAME_FIRST_PASS_H

#include "cudame/cudame.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cudame_first_pass_config {
    size_t size;                 /**< sizeof(cudame_first_pass_config) */
    enum cudame_backend backend; /**< CPU: the scalar definition, slow */
    int mb_cols, mb_rows;        /**< of the frame, macroblocks, 1..1024 */
    int device;                  /**< as in cudame_config */
    void *cu_context;            /**< as in cudame_config */
} cudame_first_pass_config;

/** A quantizer, [0] for the first coefficient, [1] for the others. A coefficient c
 *  is coded as sign(c) * (((abs(c) + round) * quant) >> 16). quant is below 32768,
 *  round and dequant are below 1024, and quant * dequant is at most 65536. */
typedef struct cudame_quantizer {
    int round[2], quant[2], dequant[2];
} cudame_quantizer;

typedef struct cudame_first_pass_frame {
    /** Luma of whole macroblocks. */
    cudame_plane source;
    /** The source of the frame before. Needed only if breakout is not 0. */
    cudame_plane last_source;
    /** If the squared error between a macroblock of source and the same of last_source
     *  is less than this, only the zero vector is tried. 0: always search. */
    unsigned breakout;
    /** Reconstructed frames, whole macroblocks; no border is read. NULL data means
     *  none: without last all macroblocks are intra, without golden it is not counted. */
    cudame_plane last, golden;
    /** Ids of their content, not 0 and never used again for other content. The CUDA
     *  backend does not upload a frame that it reconstructed or uploaded before. */
    uint64_t last_id, golden_id;
    /** Memory for the reconstruction, with mb_rows * 16 rows. Its content has recon_id
     *  from now on. */
    uint8_t *recon;
    ptrdiff_t recon_stride;
    uint64_t recon_id;
    int recon_persistent; /**< see cudame_plane.persistent */
    cudame_quantizer y1, y2;
    /** Rate in 1/256 bit of the difference between a vector and its prediction, by
     *  whole pixels 0..63; [0] rows, [1] columns. A negative difference costs the same
     *  as zero, as in libvpx. */
    int mv_cost[2][64];
    int error_per_bit; /**< a rate r is worth (r * error_per_bit + 128) >> 8 */
} cudame_first_pass_frame;

/** Sums over all macroblocks. Vectors are in 1/8 pixel, the unit of libvpx's counts. */
typedef struct cudame_first_pass_counts {
    int64_t intra_error, coded_error;
    int inter;                /**< macroblocks coded inter */
    int second_ref;           /**< macroblocks that golden predicts better */
    int neutral;              /**< inter macroblocks with low errors, inter and intra
                                   about equal */
    int moving;               /**< inter macroblocks whose vector is not zero */
    int new_mv;               /**< moving macroblocks whose vector differs from the
                                   last vector that was not zero */
    int inwards;              /**< vector components that point away from the middle of
                                   the frame, minus those that point towards it */
    int mv_row, mv_col;       /**< sums of components */
    int mv_row_abs, mv_col_abs;
    int mv_row_squares, mv_col_squares; /**< modulo 2^32 */
} cudame_first_pass_counts;

typedef struct cudame_first_pass cudame_first_pass;

/** Create a first pass for frames of one size. On failure *pass becomes NULL and err, if not
 *  NULL, gets the reason as text, at most err_size bytes with the terminator. */
int cudame_first_pass_create(cudame_first_pass **pass, const cudame_first_pass_config *config,
                             char *err, size_t err_size);

/** Free the object. Waits for its work. NULL is allowed. */
void cudame_first_pass_destroy(cudame_first_pass *pass);

/** Run one frame. When the call returns, *counts and the reconstruction are written. After
 *  an error *counts is unchanged and the reconstruction is undefined. libvpx may then do the
 *  frame, and this object the next one. */
int cudame_first_pass_run(cudame_first_pass *pass, const cudame_first_pass_frame *frame,
                          cudame_first_pass_counts *counts);

/** Stop using all persistent memory given so far, before it is freed. */
int cudame_first_pass_forget_memory(cudame_first_pass *pass);

/** Return the text of the last error, valid until the next call. */
const char *cudame_first_pass_last_error(const cudame_first_pass *pass);

#ifdef __cplusplus
}
#endif

#endif /* CUDAME_FIRST_PASS_H */
