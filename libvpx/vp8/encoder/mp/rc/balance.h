/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The balance of bits: those of the bitrate that were not spent so far,
 * negative if more were spent, and the controller that brings it back to zero.
 * At a constant bitrate it is the distance of the buffer's level from the
 * optimal one. The buffer limits the bits of a single frame. At a variable
 * bitrate its size is the user's buffer size, and the user's peak rate fills
 * it.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_BALANCE_H_
#define VPX_VP8_ENCODER_MP_RC_BALANCE_H_

#include <stdint.h>

#include "vp8/common/onyx.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Most bits of libvpx's first key frame at a variable bitrate, in seconds of
 * the bitrate. With 4 for due key frames, pdf takes 4 % less bitrate, but 8 %
 * more than its rate (doc/lab/0017). */
#define VP8_MP_RC_BALANCE_KEY_SECONDS 1.5

/* Part of vp8_mp_state; used by the encoding thread only. */
typedef struct vp8_mp_rc_balance {
  /* Bits of the bitrate that were not spent; negative: overspent. libvpx's
   * buffer level tells the same, unless the bitrate changes. */
  double saved;
  int64_t start_level; /* initial level of libvpx's buffer at this bitrate */
  double rate;         /* configured bitrate, in kb/s */
  double optimal;      /* configured level of libvpx's buffer, in bits */

  /* The user's buffer at a variable bitrate, in bits. libvpx does not use it.
   */
  double peak; /* bits per second that fill it */
  double size;
  double level;
} vp8_mp_rc_balance;

/* After the encoder's configuration is set or changed, to user. */
void vp8_mp_rc_balance_configure(struct VP8_COMP *cpi, const VP8_CONFIG *user);

/* Before each frame. */
void vp8_mp_rc_balance_begin(struct VP8_COMP *cpi);

/* After a frame of size bytes; size is 0 if it was dropped. */
void vp8_mp_rc_balance_end(struct VP8_COMP *cpi, int size);

/* Frames in whose time the balance is brought back to zero. */
double vp8_mp_rc_balance_frames(const struct VP8_COMP *cpi);

/* The frame's share of the bitrate in bits: with temporal layers, of those that
 * its layer adds. */
double vp8_mp_rc_balance_frame_bits(const struct VP8_COMP *cpi);

/* Bits that the mean frame should take now: the frame's share of the bitrate,
 * corrected for the balance. */
double vp8_mp_rc_balance_share(const struct VP8_COMP *cpi);

int vp8_mp_rc_balance_is_constant(const struct VP8_COMP *cpi);

/* Whether the buffer of a constant bitrate is full: bits get lost. */
int vp8_mp_rc_balance_is_full(const struct VP8_COMP *cpi);

/* Most bits that frames may take: a plain inter frame, a golden frame, and a
 * key frame. */
double vp8_mp_rc_balance_most_inter(const struct VP8_COMP *cpi);
double vp8_mp_rc_balance_most_golden(const struct VP8_COMP *cpi);
double vp8_mp_rc_balance_most_key(const struct VP8_COMP *cpi);
/* The first key frame: half of the bits up to the next one that is due. */
double vp8_mp_rc_balance_most_first_key(const struct VP8_COMP *cpi);

/* Bits of the mean frame, and most bits of an inter frame, at a constant
 * bitrate, so that the buffer holds enough for a key frame of key_bits bits
 * that is due in that number of frames. */
double vp8_mp_rc_balance_share_before_key(const struct VP8_COMP *cpi,
                                          double key_bits, int frames);
double vp8_mp_rc_balance_most_before_key(const struct VP8_COMP *cpi,
                                         double key_bits, int frames);

/* The same with a lookahead, so that the user's buffer does not run empty. At
 * most that number of frames follows this one. A golden frame may be a hidden
 * altref frame. */
double vp8_mp_rc_balance_ahead_inter(const struct VP8_COMP *cpi, int following);
double vp8_mp_rc_balance_ahead_golden(const struct VP8_COMP *cpi,
                                      int following);
double vp8_mp_rc_balance_ahead_key(const struct VP8_COMP *cpi, int following);

/* With a lookahead: most bits that each of that number of frames may take on
 * average, so that together they use the buffer down to its reserve. If an
 * empty buffer fills in fewer frames, it is divided among those frames only,
 * because a full buffer takes no more bits. */
double vp8_mp_rc_balance_ahead_mean(const struct VP8_COMP *cpi, int frames);

/* With a lookahead: the part of the saved bits that each of that number of
 * frames may take in addition. If saved is negative, the part of the debt that
 * each repays. If the buffer holds the mean bits of fewer frames, saved bits
 * are divided among those frames only. */
double vp8_mp_rc_balance_ahead_saved(const struct VP8_COMP *cpi, double saved,
                                     int frames);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_BALANCE_H_
