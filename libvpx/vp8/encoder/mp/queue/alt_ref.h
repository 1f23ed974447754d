/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Whether a hidden alt-ref frame pays, from the pictures that are queued.
 */
#ifndef VPX_VP8_ENCODER_MP_QUEUE_ALT_REF_H_
#define VPX_VP8_ENCODER_MP_QUEUE_ALT_REF_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* When a golden group begins, before libvpx decides whether the picture that
 * follows it, interval pictures after the frame being coded, becomes a hidden
 * alt-ref frame. Returns 0 if that frame would cost more than it gains. Without
 * a guide, and if the picture is not queued, libvpx alone decides: returns 1.
 */
int vp8_mp_queue_alt_ref_pays(struct VP8_COMP *cpi, int interval);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_QUEUE_ALT_REF_H_
