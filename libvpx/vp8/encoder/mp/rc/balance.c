/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/balance.h"

#include <limits.h>

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/rc/layers.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* doc/lab/0070 has half and double of most constants. */

/* Variable bitrate: time in which the balance is brought back to zero, in
 * seconds, and bits that a frame may take ahead, in seconds of the bitrate.
 * With half of the time film takes 7.5 % more bitrate, and bee 3 %
 * (doc/lab/0047). */
#define HORIZON_SECONDS 16
#define BURST_SECONDS 3
/* Constant bitrate: the mean frame takes this percentage more at a full buffer,
 * and less at an empty one. At a full buffer 33 costs 2 % of bitrate, and 50
 * costs 4 % (doc/lab/0047). */
#define GAIN_PERCENT 33
/* Lowest part of its share that the mean frame takes, in percent. */
#define LEAST_PERCENT 50
/* Reserve of the buffer that a frame's target may not use, because frames take
 * more or less than expected: percent of the buffer's size, or of one second's
 * bits if the buffer is longer. With 40, 14 clips take 0.5 % more bitrate
 * (doc/lab/0019); with 50 for key frames, 0.3 to 0.4 % more (doc/lab/0048). Of
 * a buffer of six seconds, 30 % leave a frame half of its share (doc/lab/0018).
 */
#define RESERVE_PERCENT 30
/* An inter frame may use 1/INTER_PARTS of the buffer above the reserve. With 8,
 * three clips take 0.7 % more bitrate (doc/lab/0018). */
#define INTER_PARTS 4
/* Time for which an inter frame of a constant bitrate is planned to occupy the
 * channel, in milliseconds, and in frames if these are longer. A golden frame
 * can take half more than planned: 120 ms. 100 ms, with golden frames of a
 * third of the picture, cost 0.5 % of bitrate, and two frames 0.1 %
 * (doc/lab/0048). */
#define MOST_MS 80
#define MOST_FRAMES 2.4
/* Size of a buffer that the user does not limit: libvpx's at a variable
 * bitrate. Its defaults (vp8_cx_iface.c) are no limit of the user's. */
#define UNLIMITED_MS 240000.
#define DEFAULT_MS 6000
#define DEFAULT_PEAK_PERCENT 400
/* If one bitrate is at least this percentage of another one, the mean
 * complexity counts as that of a few frames: complexity depends on the
 * quantizer. For four clips that change between 1500 and 300 kb/s every two
 * seconds, the first second is 8.6 % off on average, and 15.5 % with all
 * frames; the second one 5.4 and 7.1 %. 2 to 16 frames do not differ by more
 * than four clips can tell. 125 was not measured. */
#define OTHER_PERCENT 125
#define RELEARN_FRAMES 4
/* libvpx's optimal level of a buffer whose size is not given. */
#define LIBVPX_OPTIMAL_MS 125
/* Level of the user's buffer at the start, in percent. */
#define START_PERCENT 75

int vp8_mp_rc_balance_is_constant(const VP8_COMP *cpi) {
  return cpi->oxcf.end_usage == USAGE_STREAM_FROM_SERVER;
}

static double second(const VP8_COMP *cpi) { return cpi->oxcf.target_bandwidth; }

/* ---- the account --------------------------------------------------------- */

static int is_other(double rate, double old) {
  return VPXMAX(rate, old) * 100 > VPXMIN(rate, old) * OTHER_PERCENT;
}

/* When the bitrate changes, keep the distance of libvpx's buffer from its
 * optimal level, and the balance: no more bits than before, and no more time.
 * libvpx keeps the level in bits, so that the next seconds would take far more
 * or fewer bits than the new rate has. */
static void follow(VP8_COMP *cpi, const VP8_CONFIG *user) {
  vp8_mp_rc_balance *const balance = &cpi->mp.balance;
  const double rate = user->target_bandwidth;
  const double optimal =
      rate * (user->optimal_buffer_level ? user->optimal_buffer_level
                                         : LIBVPX_OPTIMAL_MS);

  /* libvpx sets the buffers of temporal layers itself. */
  if (cpi->mp.provider && balance->rate > 0 &&
      cpi->oxcf.number_of_layers == 1 &&
      (rate != balance->rate || optimal != balance->optimal)) {
    const double part = VPXMIN(rate / balance->rate, 1);

    if (vp8_mp_rc_balance_is_constant(cpi)) {
      cpi->bits_off_target =
          (int64_t)(optimal + part * (cpi->bits_off_target - balance->optimal));
      cpi->buffer_level = cpi->bits_off_target;
    }
    balance->saved *= part;
    if (is_other(rate, balance->rate)) {
      cpi->mp.model.frames = VPXMIN(cpi->mp.model.frames, RELEARN_FRAMES);
    }
  }
  balance->rate = rate;
  balance->optimal = optimal;
}

void vp8_mp_rc_balance_configure(VP8_COMP *cpi, const VP8_CONFIG *user) {
  vp8_mp_rc_balance *const balance = &cpi->mp.balance;
  const int is_default =
      user->maximum_buffer_size <= 0 ||
      (user->maximum_buffer_size == DEFAULT_MS &&
       user->two_pass_vbrmax_section == DEFAULT_PEAK_PERCENT);
  const double milliseconds =
      is_default ? UNLIMITED_MS : (double)user->maximum_buffer_size;
  const double size = user->target_bandwidth * milliseconds;

  balance->peak =
      user->target_bandwidth * 10. * VPXMAX(user->two_pass_vbrmax_section, 100);
  balance->level = balance->size > 0 ? balance->level * (size / balance->size)
                                     : size * START_PERCENT / 100;
  balance->size = size;
  follow(cpi, user);
  /* libvpx reads it only when the encoder is created. */
  if (cpi->mp.provider) cpi->key_frame_frequency = user->key_freq;
}

/* When the bitrate changes, libvpx changes the size of its buffer but keeps its
 * level, which can then be off by a minute's bits. Set the level by the bits
 * that were saved. */
void vp8_mp_rc_balance_begin(VP8_COMP *cpi) {
  vp8_mp_rc_balance *const balance = &cpi->mp.balance;
  const int64_t start = cpi->oxcf.starting_buffer_level;

  if ((vp8_mp_features(cpi) & VP8_MP_VBR_TARGETS) && balance->start_level &&
      balance->start_level != start) {
    cpi->bits_off_target = start + (int64_t)balance->saved;
    cpi->buffer_level = cpi->bits_off_target;
  }
  balance->start_level = start;
}

/* Bits by which the buffer is filled while a frame is shown. */
static double fill(const VP8_COMP *cpi) {
  return cpi->av_per_frame_bandwidth * cpi->mp.balance.peak /
         VPXMAX(second(cpi), 1);
}

void vp8_mp_rc_balance_end(VP8_COMP *cpi, int size) {
  vp8_mp_rc_balance *const balance = &cpi->mp.balance;

  if (cpi->common.show_frame) {
    balance->saved += cpi->av_per_frame_bandwidth;
    balance->level = VPXMIN(balance->level + fill(cpi), balance->size);
  }
  balance->saved -= size * 8.;
  balance->level -= size * 8.;
}

/* ---- the controller ------------------------------------------------------ */

double vp8_mp_rc_balance_frames(const VP8_COMP *cpi) {
  const double bits = vp8_mp_rc_balance_is_constant(cpi)
                          ? (double)cpi->oxcf.maximum_buffer_size
                          : second(cpi) * HORIZON_SECONDS;

  return bits / VPXMAX(cpi->av_per_frame_bandwidth, 1);
}

double vp8_mp_rc_balance_frame_bits(const VP8_COMP *cpi) {
  const int bits =
      vp8_mp_rc_layers_is_base(cpi)
          ? 0
          : cpi->layer_context[cpi->current_layer].avg_frame_size_for_layer;

  /* A layer that adds no frames has none of its own. */
  return bits > 0 ? bits : cpi->av_per_frame_bandwidth;
}

/* The part of its share by which the mean frame takes more or less. */
static double correction(const VP8_COMP *cpi) {
  const VP8_CONFIG *const oxcf = &cpi->oxcf;

  if (vp8_mp_rc_balance_is_constant(cpi)) {
    const double size = (double)oxcf->maximum_buffer_size;
    const double optimal = (double)oxcf->optimal_buffer_level;
    const double by = (double)cpi->buffer_level - optimal;

    return by / VPXMAX(by > 0 ? size - optimal : optimal, 1) * GAIN_PERCENT /
           100;
  }
  return cpi->mp.balance.saved / (second(cpi) * HORIZON_SECONDS);
}

double vp8_mp_rc_balance_share(const VP8_COMP *cpi) {
  const VP8_CONFIG *const oxcf = &cpi->oxcf;
  const double least =
      VPXMAX(100 - oxcf->under_shoot_pct, LEAST_PERCENT) / 100.;
  const double most = 1 + oxcf->over_shoot_pct / 100.;

  return vp8_mp_rc_balance_frame_bits(cpi) *
         VPXMIN(VPXMAX(1 + correction(cpi), least), most);
}

/* ---- the buffer ---------------------------------------------------------- */

static double buffer_level(const VP8_COMP *cpi) {
  return vp8_mp_rc_balance_is_constant(cpi) ? (double)cpi->buffer_level
                                            : cpi->mp.balance.level;
}

/* Bits in the buffer above the reserve. */
static double above_reserve(const VP8_COMP *cpi) {
  const vp8_mp_rc_balance *const balance = &cpi->mp.balance;
  const double of =
      vp8_mp_rc_balance_is_constant(cpi)
          ? VPXMIN((double)cpi->oxcf.maximum_buffer_size, second(cpi))
          : VPXMIN(balance->size, balance->peak);

  return buffer_level(cpi) - of * RESERVE_PERCENT / 100;
}

int vp8_mp_rc_balance_is_full(const VP8_COMP *cpi) {
  return vp8_mp_rc_balance_is_constant(cpi) &&
         cpi->buffer_level >= cpi->oxcf.maximum_buffer_size;
}

/* Most bits of an inter frame, whatever the buffer holds: at a constant bitrate
 * by the time that it occupies the channel. */
static double longest(const VP8_COMP *cpi) {
  if (vp8_mp_rc_balance_is_constant(cpi)) {
    return VPXMAX(second(cpi) * MOST_MS / 1000,
                  vp8_mp_rc_balance_frame_bits(cpi) * MOST_FRAMES);
  }
  return second(cpi) * BURST_SECONDS + cpi->mp.balance.saved;
}

double vp8_mp_rc_balance_most_inter(const VP8_COMP *cpi) {
  const double most = VPXMIN(above_reserve(cpi) / INTER_PARTS, longest(cpi));

  return VPXMAX(most, vp8_mp_rc_balance_share(cpi));
}

double vp8_mp_rc_balance_most_golden(const VP8_COMP *cpi) {
  return VPXMAX(VPXMIN(above_reserve(cpi), longest(cpi)),
                vp8_mp_rc_balance_most_inter(cpi));
}

double vp8_mp_rc_balance_most_key(const VP8_COMP *cpi) {
  double most = VPXMAX(above_reserve(cpi),
                       VPXMIN(cpi->this_frame_target, buffer_level(cpi) / 2));

  if (!vp8_mp_rc_balance_is_constant(cpi)) {
    most = VPXMIN(most, second(cpi) * VP8_MP_RC_BALANCE_KEY_SECONDS +
                            VPXMIN(cpi->mp.balance.saved, 0) / 4);
  }
  return VPXMAX(most, vp8_mp_rc_balance_frame_bits(cpi));
}

/* Bits in the buffer above those of a key frame and the reserve; if the buffer
 * is too small for both, the level above a full buffer. */
static double above_key(const VP8_COMP *cpi, double key_bits) {
  return VPXMAX(above_reserve(cpi) - key_bits,
                buffer_level(cpi) - (double)cpi->oxcf.maximum_buffer_size);
}

double vp8_mp_rc_balance_share_before_key(const VP8_COMP *cpi, double key_bits,
                                          int frames) {
  const double share = vp8_mp_rc_balance_frame_bits(cpi);

  return VPXMAX(share + above_key(cpi, key_bits) / frames,
                share * LEAST_PERCENT / 100);
}

double vp8_mp_rc_balance_most_before_key(const VP8_COMP *cpi, double key_bits,
                                         int frames) {
  const double share = vp8_mp_rc_balance_frame_bits(cpi);
  const double later = share * (100 - LEAST_PERCENT) / 100 * (frames - 1);

  return VPXMAX(share + above_key(cpi, key_bits) + later, share);
}

double vp8_mp_rc_balance_most_first_key(const VP8_COMP *cpi) {
  const double share = vp8_mp_rc_balance_frame_bits(cpi);

  if (!cpi->oxcf.auto_key) return INT_MAX;
  return VPXMAX(share * cpi->key_frame_frequency / 2, share);
}

/* ---- with a lookahead ---------------------------------------------------- */

/* Bits in the buffer above the reserve, or above all that the following frames
 * fill it by, if these are fewer. */
static double ahead(const VP8_COMP *cpi, int following) {
  return VPXMAX(above_reserve(cpi), buffer_level(cpi) - fill(cpi) * following);
}

/* That number of frames, or fewer if the buffer fills before their end with
 * these bits a frame. */
static double frames_until_full(const VP8_COMP *cpi, int frames, double bits) {
  return VPXMIN(frames, VPXMAX(cpi->mp.balance.size / VPXMAX(bits, 1), 1));
}

double vp8_mp_rc_balance_ahead_mean(const VP8_COMP *cpi, int frames) {
  return fill(cpi) + VPXMAX(above_reserve(cpi), 0) /
                         frames_until_full(cpi, frames, fill(cpi));
}

double vp8_mp_rc_balance_ahead_saved(const VP8_COMP *cpi, double saved,
                                     int frames) {
  if (saved <= 0) return saved / frames;
  return saved / frames_until_full(cpi, frames, cpi->av_per_frame_bandwidth);
}

double vp8_mp_rc_balance_ahead_inter(const VP8_COMP *cpi, int following) {
  const double share = fill(cpi);

  return VPXMAX(share + (ahead(cpi, following) - share) / INTER_PARTS,
                share / INTER_PARTS);
}

double vp8_mp_rc_balance_ahead_golden(const VP8_COMP *cpi, int following) {
  return VPXMAX(ahead(cpi, following), fill(cpi));
}

double vp8_mp_rc_balance_ahead_key(const VP8_COMP *cpi, int following) {
  return VPXMAX(vp8_mp_rc_balance_ahead_golden(cpi, following),
                buffer_level(cpi) / 2);
}
