/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Copies a source frame into the queue without a trace in the processor's
 * caches. If a device codes whole frames, the processor reads little of the
 * source. A copy past the caches takes half the time of one that first loads
 * the memory that it overwrites.
 */
#ifndef VPX_VP8_ENCODER_MP_QUEUE_SOURCE_H_
#define VPX_VP8_ENCODER_MP_QUEUE_SOURCE_H_

#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Returns whether the provider will probably code the next frame. */
int vp8_mp_queue_source_is_read_by_device(const struct VP8_COMP *cpi);

/* Copy and extend a frame as vp8_copy_and_extend_frame() does. The luma rows
 * that rc/scene.h reads stay in the caches. */
void vp8_mp_queue_source_copy(YV12_BUFFER_CONFIG *src, YV12_BUFFER_CONFIG *dst);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_QUEUE_SOURCE_H_
