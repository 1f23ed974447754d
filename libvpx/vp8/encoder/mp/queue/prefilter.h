/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Temporal prefilter of key, golden and alt-ref frames, also of shown ones.
 * Noise of the source in such a frame costs bits, and is copied into all frames
 * that are predicted from it, in addition to their own noise. So each block
 * becomes the weighted mean of itself and of its match in later frames, as in
 * libaom for key frames; hidden alt-ref frames use earlier frames, too. Only
 * differences that the quantizer would hide are averaged.
 */
#ifndef VPX_VP8_ENCODER_MP_QUEUE_PREFILTER_H_
#define VPX_VP8_ENCODER_MP_QUEUE_PREFILTER_H_

#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/*
 * Kernels, declared in mp/rtcd.pl. vp8_mp_queue_prefilter_add8x8() adds another
 * frame's 8x8 block (stride 8) to sums per pixel: its weighted differences from
 * the frame's own pixels, and the weights. The weight is that of libvpx's
 * vp8_temporal_filter_apply(): scale * max(0, 16 - (3 * difference^2 >>
 * strength)), rounded; strength is at most 6, scale 1 or 2. Sums of 100 frames
 * do not overflow. vp8_mp_queue_prefilter_mean8x8() computes the weighted mean.
 * The frame's own pixels have this weight in it:
 */
#define VP8_MP_QUEUE_PREFILTER_OWN_WEIGHT 32

/* Part of vp8_mp_state. */
typedef struct vp8_mp_queue_prefilter_state {
  YV12_BUFFER_CONFIG *original; /* unfiltered source; NULL: not filtered */
} vp8_mp_queue_prefilter_state;

/* When a frame's first quantizer is chosen, before its source is used: filter
 * it if the provider asks for it, and set cpi->Source to the filtered picture.
 */
void vp8_mp_queue_prefilter_frame_begin(struct VP8_COMP *cpi);

/* When the frame was coded, dropped or failed: set cpi->Source to the
 * unfiltered source again, from which PSNR is computed. */
void vp8_mp_queue_prefilter_frame_end(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_QUEUE_PREFILTER_H_
