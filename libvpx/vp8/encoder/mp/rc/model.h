/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What mp/rc/vbr.c and mp/rc/cbr.c know of frames' bits: those expected at a
 * quantizer, the quantizer of others, and how much lower that of frames is
 * which last.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_MODEL_H_
#define VPX_VP8_ENCODER_MP_RC_MODEL_H_

#include "vp8/common/onyxc_int.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* ratectrl.c: bits of a macroblock of [frame type][quantizer], times 512. */
extern const int vp8_bits_per_mb[2][QINDEX_RANGE];

/* Quantizer index of key frames, percent of the others'. */
#define VP8_MP_RC_MODEL_KEY_PERCENT 60

/* Bits of a frame of that type, of complexity times as many as
 * vp8_bits_per_mb[] has. */
double vp8_mp_rc_model_at(const struct VP8_COMP *cpi, FRAME_TYPE type,
                          double complexity, int Q);

/* The quantizer index at which inter frames of that complexity take no more
 * than so many bits. */
int vp8_mp_rc_model_q(const struct VP8_COMP *cpi, double complexity,
                      double bits);

/* Quantizer index of golden frames, percent of the others'. */
int vp8_mp_rc_model_golden_percent(const struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_MODEL_H_
