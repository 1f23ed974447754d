/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * How the macroblocks of a coded frame were decided, for a provider that asks.
 * Modes are read from the frame when it is coded; only what the guide does with
 * a macroblock is counted as it does it, by each thread in its tally.
 */
#ifndef VPX_VP8_ENCODER_MP_COUNTS_H_
#define VPX_VP8_ENCODER_MP_COUNTS_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_counts_state {
  int is_golden; /* the frame refreshes the golden one */
} vp8_mp_counts_state;

/* Before each encode of a frame: what libvpx has reset when it is coded. */
void vp8_mp_counts_encode_begin(struct VP8_COMP *cpi);

/* After a coded frame: count, and tell the provider. */
void vp8_mp_counts_frame_end(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_COUNTS_H_
