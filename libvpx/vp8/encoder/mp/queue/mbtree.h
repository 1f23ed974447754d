/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Macroblock tree. Distortion of a macroblock in a key, golden or alt-ref frame
 * is inherited by all pictures that are predicted from it. Their number is
 * estimated from the motion of the pictures in the lookahead queue, from the
 * last one backwards, as in x264. Macroblocks with more dependent pictures get
 * lower quantizers, by segments.
 */
#ifndef VPX_VP8_ENCODER_MP_QUEUE_MBTREE_H_
#define VPX_VP8_ENCODER_MP_QUEUE_MBTREE_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state; written between frames. */
typedef struct vp8_mp_queue_mbtree_state {
  int mbs;             /* macroblocks in each array; 0: not allocated */
  float *inherited[2]; /* dependent pictures per macroblock, of two pictures */
  float *step;         /* log2 of the factor on each macroblock's step */
  unsigned char *map;  /* segment of each macroblock */

  /* The first picture of a stream with a lookahead: number of pictures whose
   * bits its key frame takes at least. 0: unknown. */
  double first_pictures;
} vp8_mp_queue_mbtree_state;

/* After the second pass decided about a frame, with or without a lookahead: set
 * first_pictures. */
void vp8_mp_queue_mbtree_frame_decided(struct VP8_COMP *cpi);

/* When a frame's first quantizer is chosen, before libvpx sets it: give its
 * macroblocks segments, if the provider asks for it, frames are queued, and the
 * gain exceeds the bits of the map. */
void vp8_mp_queue_mbtree_frame_begin(struct VP8_COMP *cpi, int q_index);

/* When the picture's size changes, or the encoder ends. */
void vp8_mp_queue_mbtree_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_QUEUE_MBTREE_H_
