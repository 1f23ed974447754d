/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Expected bits of a second pass. libvpx expects the bits of a frame from the
 * first pass's errors and corrects that by half a percent a frame. Here the
 * sizes of coded frames correct it, and key frames are counted apart.
 * Sources: estimate_max_q() in libvpx's firstpass.c; doc/lab/0064, 0065.
 *
 * Used by a lookahead and by the second of two passes. Only the thread that
 * encodes may call these functions.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_EXPECTED_H_
#define VPX_VP8_ENCODER_MP_RC_EXPECTED_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

typedef struct vp8_mp_rc_expected {
  /* Sums over inter frames, which may decay: bits that they took, and bits that
   * the second pass expected at the quantizer that it allowed. */
  double coded, expected;
  double past_coded, past_expected; /* the same, of scenes before this one */
  double hidden; /* bits of the group's hidden frame, per frame of the group */

  double first_key_bits;   /* bits of the first key frame; 0: not coded */
  double key_bits;         /* bits of the last one after it; 0: none */
  double keys, key_frames; /* decaying counts of key frames after the first
                              one, and of all shown frames */
} vp8_mp_rc_expected;

/* Expected bits of the next key frame, which comes in key frames. */
double vp8_mp_rc_expected_key_bits(const struct VP8_COMP *cpi, int key);

/* Mean number of frames from one key frame to the next: those that are due, and
 * others as often as they came so far. The next known_frames frames hold
 * known_keys key frames. */
double vp8_mp_rc_expected_key_period(const struct VP8_COMP *cpi,
                                     int known_frames, int known_keys);

/* Bits that inter frames took, relative to those that the second pass expected.
 */
double vp8_mp_rc_expected_correction(const struct VP8_COMP *cpi);

/* Upper bound of the second pass's correction, as libvpx's. */
#define VP8_MP_RC_EXPECTED_MOST_CORRECTION 10

/* Set the second pass's correction of its expectation, and free its limits of
 * quantizers. keys: bits of key frames to come, of the bits left; least: lower
 * bound of the correction. */
void vp8_mp_rc_expected_correct(struct VP8_COMP *cpi, double keys,
                                double least);

/* Factor on the bits of libvpx's table that a frame is expected to take at a
 * quantizer index, by the first pass's mean squared error of a macroblock. */
double vp8_mp_rc_expected_factor(double error_per_mb, int q);
/* The same with the upper bound of estimate_max_q(). */
double vp8_mp_rc_expected_libvpx_factor(double error_per_mb, int q);

/* Bits that the second pass expects of a frame, before its correction: the
 * formula of estimate_max_q(), without its overhead for modes and vectors. */
double vp8_mp_rc_expected_bits(const struct VP8_COMP *cpi, int q,
                               double factor);

/* A scene cut, or a frame far larger than expected: the frames so far count no
 * more than the second pass's own expectation. */
void vp8_mp_rc_expected_forget(struct VP8_COMP *cpi);

/* A scene of a clip begins, with the correction of all scenes before it. That
 * of the last one says nothing if it was black. */
void vp8_mp_rc_expected_begin_scene(struct VP8_COMP *cpi);

/* After a frame of size bytes, also a hidden one. q: the quantizer index that
 * the second pass allowed; factor: that of the frame;
 * memory: number of frames in which the sums decay, 0: they do not. */
void vp8_mp_rc_expected_frame_end(struct VP8_COMP *cpi, size_t size, int q,
                                  double factor, int memory);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_EXPECTED_H_
