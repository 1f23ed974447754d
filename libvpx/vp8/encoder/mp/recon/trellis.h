/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Trellis quantization of a block, with libvpx's result in less work.
 *
 * libvpx follows two paths through all coefficients: each coefficient may stay,
 * or become one step closer to zero if it was rounded away from zero. The paths
 * differ only after such a coefficient, and meet again at the next coefficient
 * that was not rounded away from zero. Without such coefficients there is
 * nothing to decide.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_TRELLIS_H_
#define VPX_VP8_ENCODER_MP_RECON_TRELLIS_H_

#include "vp8/common/blockd.h"

#ifdef __cplusplus
extern "C" {
#endif

struct macroblock;

/* Value of MACROBLOCK.optimize that selects this trellis; libvpx's own values
 * are 0 and 1. */
#define VP8_OPTIMIZE_FAST 2

/* Set quantized and dequantized coefficients, the end and the contexts of
 * block ib as libvpx's trellis does. type: type of plane (RFC 6386, section
 * 13.3). error_weight: libvpx's weight of the plane, by which it multiplies
 * the rate. */
void vp8_mp_recon_trellis_block(const struct macroblock *x, int ib, int type,
                                int error_weight, ENTROPY_CONTEXT *above,
                                ENTROPY_CONTEXT *left);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_TRELLIS_H_
