/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The trellis quantization of a block, as libvpx has it, by less work.
 *
 * libvpx follows two paths through all coefficients: each may stay, or come one
 * closer to zero where it was rounded away from it. The paths differ only
 * behind coefficients that were, and meet again at the next one that was not;
 * without any there is nothing to decide.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_TRELLIS_H_
#define VPX_VP8_ENCODER_MP_RECON_TRELLIS_H_

#include "vp8/common/blockd.h"

#ifdef __cplusplus
extern "C" {
#endif

struct macroblock;

/* Value of MACROBLOCK.optimize that asks for it; libvpx's own are 0 and 1. */
#define VP8_OPTIMIZE_FAST 2

/* Quantized and dequantized coefficients, end of block and the contexts of
 * block ib, type being its plane (RFC 6386 section 13.3), become what libvpx
 * makes of them. error_weight is what the rate counts for in this plane. */
void vp8_mp_recon_trellis_block(const struct macroblock *x, int ib, int type,
                                int error_weight, ENTROPY_CONTEXT *above,
                                ENTROPY_CONTEXT *left);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_TRELLIS_H_
