/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The motion between the pictures of libvpx's queue: where each macroblock
 * comes from in the picture before, and how well that predicts it. It is found
 * on pictures of half the size, once for each picture, by integers alone.
 */
#ifndef VPX_VP8_ENCODER_MP_QUEUE_MOTION_H_
#define VPX_VP8_ENCODER_MP_QUEUE_MOTION_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* A macroblock's side, in the unit of its vector. */
#define VP8_MP_QUEUE_MOTION_MB_UNITS 32

typedef struct vp8_mp_queue_motion_mb {
  /* Squared errors of its 64 pixels at half the size: as the nearest of a few
   * intra predictions leaves them, and as the vector does. */
  unsigned int intra, inter;
  /* From where it is to where it was in the picture before, in half pixels. */
  int16_t row, col;
} vp8_mp_queue_motion_mb;

typedef struct vp8_mp_queue_motion_queue vp8_mp_queue_motion_queue;

/* Pictures at most: libvpx's longest queue, and the one that is coded. */
#define VP8_MP_QUEUE_MOTION_MAX_PICTURES 26

/* The pictures that are known, in their order: the one that is coded, if it is
 * shown, and those of the queue. mb[i] is picture i's, by row; the vectors of
 * picture 0 are not set. Sets *current to the one that is coded. Returns how
 * many there are; 0: memory ran out. They stay as they are until the next
 * call. */
int vp8_mp_queue_motion_pictures(
    struct VP8_COMP *cpi,
    const vp8_mp_queue_motion_mb *mb[VP8_MP_QUEUE_MOTION_MAX_PICTURES],
    int *current);

/* When the picture's size changes, or the encoder ends. */
void vp8_mp_queue_motion_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_QUEUE_MOTION_H_
