/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Predicts SPLITMV into MACROBLOCKD.predictor. Chroma is separate from luma,
 * because it is not needed if luma alone costs too much.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_PREDICT_SPLIT_H_
#define VPX_VP8_ENCODER_MP_RECON_PREDICT_SPLIT_H_

#ifdef __cplusplus
extern "C" {
#endif

struct macroblockd;

/* Predict by the vectors of xd's blocks, which need no clamping. */
void vp8_mp_recon_predict_split_luma(struct macroblockd *xd);
void vp8_mp_recon_predict_split_chroma(struct macroblockd *xd);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_PREDICT_SPLIT_H_
