/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Predictors and transforms with the same results as libvpx's in less time.
 * Encoders with a motion provider use them. They are declared in mp/rtcd.pl.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_SIXTAP_H_
#define VPX_VP8_ENCODER_MP_RECON_SIXTAP_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Set these predictors and transforms for a frame, or libvpx's again without a
 * provider. Call it after libvpx has set its own. */
void vp8_mp_recon_kernels_set(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_SIXTAP_H_
