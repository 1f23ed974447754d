/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The first of two passes with a motion provider. Its statistics equal stock
 * libvpx's byte for byte, because the thresholds of the second pass are tuned
 * for them. The functions here compute them faster, or get them from the
 * provider.
 */
#ifndef VPX_VP8_ENCODER_MP_QUEUE_PASS1_H_
#define VPX_VP8_ENCODER_MP_QUEUE_PASS1_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/encoder/block.h"
#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Search the current macroblock: set best_mv (in whole pixels) and best_err to
 * the result of the stock search, if its error is below *best_err. In the
 * golden frame, stop at the first vector below it, because the first pass only
 * counts that there is one. Returns 0 if libvpx must search. */
int vp8_mp_queue_pass1_search(const struct VP8_COMP *cpi, MACROBLOCK *x,
                              const YV12_BUFFER_CONFIG *ref,
                              const int_mv *ref_mv, MV *best_mv, int *best_err);

/* Let the provider do the first pass of the frame, before its rows, when its
 * quantizer and costs are set. Returns 1 and sets *counts, or 0 if libvpx must
 * code the rows. */
int vp8_mp_queue_pass1_frame(struct VP8_COMP *cpi,
                             vp8e_mp_first_pass_counts_t *counts);

/* Mean weight of the pixels of a frame: equals simple_weight(), which adds up
 * one pixel after the other, including its rounding errors. */
double vp8_mp_queue_pass1_weight(const YV12_BUFFER_CONFIG *source);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_QUEUE_PASS1_H_
