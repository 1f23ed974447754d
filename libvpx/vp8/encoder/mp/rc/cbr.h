/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What frames may take at a constant bitrate and a realtime deadline. libvpx
 * aims at an equal share for each frame, refines what stands still by a
 * twentieth of the picture in every frame, and makes a golden frame of 40. Here
 * frames get what they need at one quantizer, which follows the buffer, and
 * what stands still is refined by golden frames that are better than the
 * others, as often as the buffer has the bits above a reserve.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_CBR_H_
#define VPX_VP8_ENCODER_MP_RC_CBR_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state; all of it is the encoding thread's. */
typedef struct vp8_mp_rc_cbr_state {
  int refresh_taken; /* libvpx would refresh a part of each frame */

  /* of the frame being coded */
  int is_served;       /* it has targets of ours */
  int is_golden;       /* an inter frame that becomes the golden one */
  double golden_bits;  /* what it is to take; 0: it is not placed by us */
  double inter_factor; /* libvpx's for inter frames, while it has another one
                          for a golden frame; 0: it has its own */

  /* Bits, of what vp8_bits_per_mb[] expects. */
  int frames;            /* that are in the mean */
  double complexity;     /* mean of inter frames, the last ones weighing more */
  double key_complexity; /* of the last key frame; 0: there was none */
} vp8_mp_rc_cbr_state;

/* Before the first quantizer of a frame is chosen, when libvpx has set its
 * target and the quantizers it may have: set them anew. */
void vp8_mp_rc_cbr_begin(struct VP8_COMP *cpi);

/* After a frame of size bytes; 0 if it was dropped. */
void vp8_mp_rc_cbr_end(struct VP8_COMP *cpi, int size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_CBR_H_
