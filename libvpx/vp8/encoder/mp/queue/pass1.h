/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The first of two passes with a motion provider. Its statistics are stock
 * libvpx's, byte for byte, because the second pass's thresholds are made for
 * them; what is here gets them with less work, or from the provider.
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

/* The search of the current macroblock: best_mv (whole pixels) and best_err are
 * set to what the stock search finds, if that is less than *best_err. In the
 * golden frame it stops at the first vector that is, since only that counts.
 * 0: search yourself. */
int vp8_mp_queue_pass1_search(const struct VP8_COMP *cpi, MACROBLOCK *x,
                              const YV12_BUFFER_CONFIG *ref,
                              const int_mv *ref_mv, MV *best_mv, int *best_err);

/* Before the rows of a frame, whose quantizer and costs are set: whether the
 * provider did it. If not, code the rows. */
int vp8_mp_queue_pass1_frame(struct VP8_COMP *cpi,
                             vp8e_mp_first_pass_counts_t *counts);

/* Mean weight of the pixels: the sum that simple_weight() gets by adding them
 * one by one, rounding included. */
double vp8_mp_queue_pass1_weight(const YV12_BUFFER_CONFIG *source);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_QUEUE_PASS1_H_
