/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Frames that many others are predicted from, filtered although they are shown.
 * What a key or golden frame has of the source's noise costs bits, and then
 * stays in all frames that are predicted from it, beside their own. So each
 * block is made the mean of what it was and of what is found of it in the frames
 * behind it, as libaom does with key frames; but only where these differ by no
 * more than the quantizer hides.
 */
#ifndef VPX_VP8_ENCODER_FILTERED_SOURCE_H_
#define VPX_VP8_ENCODER_FILTERED_SOURCE_H_

#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state. */
typedef struct vp8_fs_state {
  YV12_BUFFER_CONFIG *original; /* NULL: the frame is coded as it is */
} vp8_fs_state;

/* When a frame's first quantizer is chosen, before anything is done with its
 * source: code the filtered one, where the provider asks for it. */
void vp8_fs_frame_begin(struct VP8_COMP *cpi);

/* When it was coded, dropped, or failed: the frame has its own source again,
 * which its PSNR is that of. */
void vp8_fs_frame_end(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_FILTERED_SOURCE_H_
