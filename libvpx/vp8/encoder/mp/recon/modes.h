/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Writes the modes and vectors of an inter frame's macroblocks: the same bits
 * as libvpx's in fewer instructions. Only with a motion provider.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_MODES_H_
#define VPX_VP8_ENCODER_MP_RECON_MODES_H_

#include "vp8/encoder/treewriter.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Write all macroblocks (RFC 6386, sections 16 and 17). skip_prob: that a
 * macroblock has coefficients, if the frame says for each whether it has.
 * Returns 0, with nothing done, if libvpx has to do it. */
int vp8_mp_recon_write_modes(struct VP8_COMP *cpi, vp8_writer *w,
                             vp8_prob skip_prob);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_MODES_H_
