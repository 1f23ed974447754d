/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Motion between successive pictures of the lookahead queue: the vector of each
 * macroblock to the picture before, and the error of that prediction. Searched
 * at half the size, once per picture, in integer arithmetic only.
 */
#ifndef VPX_VP8_ENCODER_MP_QUEUE_MOTION_H_
#define VPX_VP8_ENCODER_MP_QUEUE_MOTION_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Width and height of a macroblock in the unit of its vector, half pixels. */
#define VP8_MP_QUEUE_MOTION_MB_UNITS 32

typedef struct vp8_mp_queue_motion_mb {
  /* Squared errors of the 64 pixels at half the size: of the best of three
   * intra predictions, and of the prediction by the vector. */
  unsigned int intra, inter;
  /* Vector to the picture before, in half pixels. */
  int16_t row, col;
} vp8_mp_queue_motion_mb;

typedef struct vp8_mp_queue_motion_queue vp8_mp_queue_motion_queue;

/* Largest number of pictures: libvpx's longest queue, 25, and the frame being
 * coded. */
#define VP8_MP_QUEUE_MOTION_MAX_PICTURES 26

/* Search the motion of all known pictures in display order: the frame being
 * coded, if it is shown, and the pictures of the queue. mb[i] gets the
 * macroblocks of picture i in raster order, valid until the next call; picture
 * 0 has no vectors. Sets *current to the index of the frame being coded.
 * Returns the number of pictures; 0: memory ran out. */
int vp8_mp_queue_motion_pictures(
    struct VP8_COMP *cpi,
    const vp8_mp_queue_motion_mb *mb[VP8_MP_QUEUE_MOTION_MAX_PICTURES],
    int *current);

/* Search the motion of picture index from picture from < index, both counted as
 * in the last call of vp8_mp_queue_motion_pictures(). Returns the macroblocks
 * in raster order, valid until the next call; NULL: memory ran out. */
const vp8_mp_queue_motion_mb *vp8_mp_queue_motion_far(struct VP8_COMP *cpi,
                                                      int index, int from);

/* When the picture's size changes, or the encoder ends. */
void vp8_mp_queue_motion_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_QUEUE_MOTION_H_
