/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Bits of frames, for all files of mp/rc/: the bits expected at a quantizer and
 * the reverse, and the lower quantizers of key and golden frames, from which
 * others are predicted.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_MODEL_H_
#define VPX_VP8_ENCODER_MP_RC_MODEL_H_

#include "vp8/common/onyxc_int.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* From ratectrl.c: bits of a macroblock by [frame type][quantizer index], times
 * 512. */
extern const int vp8_bits_per_mb[2][QINDEX_RANGE];

/* Quantizer index of key frames, in percent of that of inter frames. */
#define VP8_MP_RC_MODEL_KEY_PERCENT 60

/* Expected bits of a frame: complexity * those of vp8_bits_per_mb[]. */
double vp8_mp_rc_model_at(const struct VP8_COMP *cpi, FRAME_TYPE type,
                          double complexity, int Q);

/* The lowest quantizer index at which inter frames of that complexity are
 * expected to take no more than these bits. */
int vp8_mp_rc_model_q(const struct VP8_COMP *cpi, double complexity,
                      double bits);

/* Quantizer index of golden frames, in percent of that of other inter frames:
 * the more macroblocks stand still, the lower. */
int vp8_mp_rc_model_golden_percent(const struct VP8_COMP *cpi);

/* Set libvpx's target of the frame being coded, in bits. All rate control here
 * sets it by this function. */
void vp8_mp_rc_model_set_target(struct VP8_COMP *cpi, int bits);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_MODEL_H_
