/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Frames that many others are predicted from, filtered although they are shown.
 * What a key or golden frame has of the source's noise costs bits, and then
 * stays in all frames that are predicted from it, beside their own. So each
 * block is made the mean of what it was and of what is found of it in the
 * frames behind it, as libaom does with key frames; but only where these differ
 * by no more than the quantizer hides.
 */
#ifndef VPX_VP8_ENCODER_MP_QUEUE_PREFILTER_H_
#define VPX_VP8_ENCODER_MP_QUEUE_PREFILTER_H_

#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/*
 * The kernels, in mp/rtcd.pl. vp8_mp_queue_prefilter_add8x8() adds to sums of a
 * block's pixels, by row, what another frame has there (by row, stride 8): its
 * differences from the block's own pixels, weighted, and the weights. These are
 * libvpx's of vp8_temporal_filter_apply(): 16 less 3 times the squared
 * difference, shifted by strength (at most 6), times scale (at most 2). The
 * sums of 100 frames fit. vp8_mp_queue_prefilter_mean8x8() makes the weighted
 * mean of all, where the own pixels have:
 */
#define VP8_MP_QUEUE_PREFILTER_OWN_WEIGHT 32

/* Part of vp8_mp_state. */
typedef struct vp8_mp_queue_prefilter_state {
  YV12_BUFFER_CONFIG *original; /* NULL: the frame is coded as it is */
} vp8_mp_queue_prefilter_state;

/* When a frame's first quantizer is chosen, before anything is done with its
 * source: code the filtered one, where the provider asks for it. */
void vp8_mp_queue_prefilter_frame_begin(struct VP8_COMP *cpi);

/* When it was coded, dropped, or failed: the frame has its own source again,
 * which its PSNR is that of. */
void vp8_mp_queue_prefilter_frame_end(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_QUEUE_PREFILTER_H_
