/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Pictures that the processor hardly reads, because a device codes whole
 * frames: the copy of the source, and borders of references. Stores past the
 * caches take half the time of stores that first load the memory that they
 * overwrite.
 */
#ifndef VPX_VP8_ENCODER_MP_QUEUE_STREAM_H_
#define VPX_VP8_ENCODER_MP_QUEUE_STREAM_H_

#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Returns whether the provider will probably code the next frame. */
int vp8_mp_queue_streams(const struct VP8_COMP *cpi);

/* Copy and extend a source as vp8_copy_and_extend_frame() does. The luma rows
 * that rc/scene.h reads stay in the caches. */
void vp8_mp_queue_stream_copy(YV12_BUFFER_CONFIG *src, YV12_BUFFER_CONFIG *dst);

/* Extend the borders as vp8_yv12_extend_frame_borders() does, of a picture that
 * a device has written, so that none of it is in the caches. */
void vp8_mp_queue_stream_borders(YV12_BUFFER_CONFIG *frame);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_QUEUE_STREAM_H_
