/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Frame targets at a constant bitrate (CBR) and a realtime deadline. libvpx
 * aims at the same share of the bitrate for each frame, refines still
 * macroblocks by cyclic refresh of a twentieth of the picture in each frame,
 * and makes every 40th frame a golden frame. Here each frame gets the bits that
 * it needs at one quantizer, which follows the buffer level. Still macroblocks
 * are refined by golden frames of a lower quantizer, as often as the buffer has
 * enough bits above a reserve.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_CBR_H_
#define VPX_VP8_ENCODER_MP_RC_CBR_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state; used by the encoding thread only. */
typedef struct vp8_mp_rc_cbr_state {
  int refresh_disabled; /* libvpx's cyclic refresh was on and was turned off */

  /* Frame being coded. */
  int is_served;      /* targets are set here, not by libvpx */
  int is_golden;      /* an inter frame that becomes the golden frame */
  double golden_bits; /* expected size of a golden frame; 0: not planned here */
  double inter_factor; /* libvpx's rate_correction_factor of inter frames, saved
                          while a golden frame has its own; 0: not saved */

  /* Complexity: bits / bits by vp8_bits_per_mb[]. */
  int frames;        /* inter frames in the mean, at most MEAN_FRAMES */
  double complexity; /* running mean of inter frames; recent ones weigh more */
  double key_complexity; /* of the last key frame; 0: there was none */
} vp8_mp_rc_cbr_state;

/* Replace the target and the range of quantizers that libvpx set for a frame,
 * and choose golden frames, before its first quantizer is chosen. */
void vp8_mp_rc_cbr_begin(struct VP8_COMP *cpi);

/* After a frame of size bytes; size is 0 if it was dropped. */
void vp8_mp_rc_cbr_end(struct VP8_COMP *cpi, int size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_CBR_H_
