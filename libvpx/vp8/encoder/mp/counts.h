/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Statistics of the coded frame for the callback frame_counts(). Modes,
 * references and segments are counted after the frame is coded. The guided mode
 * decision counts its own work in a tally per thread (MACROBLOCK.mp_counts).
 */
#ifndef VPX_VP8_ENCODER_MP_COUNTS_H_
#define VPX_VP8_ENCODER_MP_COUNTS_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_counts_state {
  int is_golden; /* an inter frame that refreshes the golden frame */
} vp8_mp_counts_state;

/* Before each encode of a frame: note flags that libvpx resets before the frame
 * ends. */
void vp8_mp_counts_encode_begin(struct VP8_COMP *cpi);

/* After a coded frame: count, and report to the provider. */
void vp8_mp_counts_frame_end(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_COUNTS_H_
