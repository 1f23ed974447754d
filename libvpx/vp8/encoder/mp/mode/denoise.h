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

/* Whether the denoiser of the frame uses the denoised picture of a reference.
 */
int vp8_mp_mode_uses_denoised(const struct VP8_COMP *cpi, int ref);

/* The number of still frames from which on a macroblock is denoised more
 * strongly. */
int vp8_mp_mode_strong_frames(const struct VP8_COMP *cpi);

/* The id that the frame's denoised picture gets if a provider makes it. */
uint64_t vp8_mp_mode_new_denoised_id(struct VP8_COMP *cpi);

/* A provider has made the picture of the id that was given last. */
void vp8_mp_mode_denoised_is_provided(struct VP8_COMP *cpi);

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
