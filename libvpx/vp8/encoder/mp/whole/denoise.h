/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The denoiser (mp/mode/denoise.h) of frames that a provider codes as a whole.
 */
#ifndef VPX_VP8_ENCODER_MP_WHOLE_DENOISE_H_
#define VPX_VP8_ENCODER_MP_WHOLE_DENOISE_H_

#include "vpx/vp8_mp_whole_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Describe the denoiser of an inter frame. Returns 0, with nothing described,
 * if the user does not ask for it. */
int vp8_mp_whole_describe_denoiser(struct VP8_COMP *cpi, vp8e_mp_denoiser_t *d);

/* Take the denoised picture that the provider has made. Its chroma becomes the
 * source's, if the source's PSNR is asked for, or if a lookahead may code it
 * again. */
void vp8_mp_whole_take_denoised(struct VP8_COMP *cpi,
                                const vp8e_mp_denoiser_t *d);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_WHOLE_DENOISE_H_
