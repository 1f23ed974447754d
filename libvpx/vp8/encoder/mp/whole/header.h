/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The header of a frame whose modes and vectors a provider writes: it needs the
 * header's probabilities, and the range of the boolean encoder after it, before
 * libvpx writes the frame.
 */
#ifndef VPX_VP8_ENCODER_MP_WHOLE_HEADER_H_
#define VPX_VP8_ENCODER_MP_WHOLE_HEADER_H_

#include "vpx/vp8_mp_whole_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Set the input of *modes for the frame that is coded, after its coefficient
 * probabilities were chosen: write its header, and forget it. */
void vp8_mp_whole_try_header(struct VP8_COMP *cpi, vp8e_mp_modes_t *modes);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_WHOLE_HEADER_H_
