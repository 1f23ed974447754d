/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Quantizers by importance. What a macroblock of a key, golden or alt-ref frame
 * loses is lost in all pictures that are predicted from it. How many that are
 * is found in the pictures of the queue, backwards along their motion, as
 * x264's macroblock tree does; those of which more depends get lower
 * quantizers, by segments.
 */
#ifndef VPX_VP8_ENCODER_MP_QUEUE_MBTREE_H_
#define VPX_VP8_ENCODER_MP_QUEUE_MBTREE_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;
struct vp8_mp_queue_motion_queue;

/* Part of vp8_mp_state; written between frames. */
typedef struct vp8_mp_queue_mbtree_state {
  struct vp8_mp_queue_motion_queue
      *queue;          /* mp/queue/motion.c; NULL: there is none */
  int mbs;             /* of the following ones; 0: none */
  float *inherited[2]; /* of two pictures, by macroblock */
  float *step;         /* log2 of what its step is to be multiplied by */
  unsigned char *map;  /* of segments */
} vp8_mp_queue_mbtree_state;

/* When a frame's first quantizer is chosen, before libvpx sets it: give its
 * macroblocks segments, where the provider asks for it, frames are queued, and
 * it pays. */
void vp8_mp_queue_mbtree_frame_begin(struct VP8_COMP *cpi, int q_index);

/* When the picture's size changes, or the encoder ends. */
void vp8_mp_queue_mbtree_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_QUEUE_MBTREE_H_
