/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * libvpx's temporal denoiser with a guided mode decision. libvpx decides a
 * macroblock, denoises it, and in some cases decides once more. Here the
 * provider knows the best vector beforehand, so the macroblock is denoised
 * first, and the decision sees the pixels that are coded.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_DENOISE_H_
#define VPX_VP8_ENCODER_MP_MODE_DENOISE_H_

#include "vpx/vp8_mp_whole_frame.h"
#include "vp8/encoder/mp/mode/candidate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Denoise the source of the macroblock, if the user asks for it. x->src is the
 * source, x->thismb its luma. Replaces the records in d->mb[], whose SATD is
 * that of the source with noise, by d->denoised[]. */
void vp8_mp_mode_denoise(vp8_mp_mode_decision *d, int recon_yoffset,
                         int recon_uvoffset);

/* The buffer of a reference's denoised picture; of INTRA_FRAME that of the
 * frame. NULL: the user does not ask for the denoiser. */
const YV12_BUFFER_CONFIG *vp8_mp_mode_denoised_buffer(
    const struct VP8_COMP *cpi, int ref);

/* Describe the denoiser to a provider that codes the frame. Returns 0, with
 * nothing described, if the user does not ask for it. */
int vp8_mp_mode_describe_denoiser(struct VP8_COMP *cpi, vp8e_mp_denoiser_t *d);

/* Take the result of a provider that has coded the frame: the denoised chroma
 * becomes the source's, if its PSNR is asked for, or if a lookahead may code
 * the source again. */
void vp8_mp_mode_take_denoised(struct VP8_COMP *cpi,
                               const vp8e_mp_denoiser_t *d);

/* Replicate the edges of denoised pictures that a provider has made. Call it
 * before libvpx denoises a frame. */
void vp8_mp_mode_extend_denoised(struct VP8_COMP *cpi);

/* After a frame is coded: its denoised picture becomes that of the references
 * that the frame refreshes. The last frame's picture is swapped, which libvpx
 * copies; the copies took 4 % of an encode. Returns 0, with nothing done, if
 * libvpx has to do it. */
int vp8_mp_mode_update_denoised(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_DENOISE_H_
