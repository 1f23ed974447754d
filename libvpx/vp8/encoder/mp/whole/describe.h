/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Describes a frame to a provider that codes it as a whole: all that the guided
 * mode decision reads from the encoder.
 */
#ifndef VPX_VP8_ENCODER_MP_WHOLE_DESCRIBE_H_
#define VPX_VP8_ENCODER_MP_WHOLE_DESCRIBE_H_

#include "vpx/vp8_mp_whole_frame.h"
#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* id: that of the reference; 0 for a source. */
vp8e_mp_picture_t vp8_mp_whole_picture(const YV12_BUFFER_CONFIG *buffer,
                                       uint64_t id);

/* Set the input of *frame, but for its memory; segments[] has four. Call it
 * when an encode of the frame is set up. */
void vp8_mp_whole_describe(struct VP8_COMP *cpi, vp8e_mp_whole_frame_t *frame,
                           vp8e_mp_segment_t *segments, vp8e_mp_rates_t *rates);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_WHOLE_DESCRIBE_H_
