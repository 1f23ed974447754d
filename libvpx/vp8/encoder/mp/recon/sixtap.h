/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Predictors and transforms that return what libvpx's own do, in less time. The
 * encoder uses them where a motion provider is set. They are declared in
 * mp/rtcd.pl.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_SIXTAP_H_
#define VPX_VP8_ENCODER_MP_RECON_SIXTAP_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* After the predictors and transforms of a frame to be coded were set: set
 * these instead, or libvpx's own again. */
void vp8_mp_recon_kernels_set(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_SIXTAP_H_
