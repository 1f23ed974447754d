/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef VPX_VP8_ENCODER_MP_PROVIDER_FEATURES_H_
#define VPX_VP8_ENCODER_MP_PROVIDER_FEATURES_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Features that a motion provider turns on, in addition to its vectors. */
enum {
  /* A guide is set. It gives macroblocks a quantizer's dead zone and lambda,
   * also those that libvpx decides. */
  VP8_MP_GUIDE = 1 << 0,
  /* The guide gives up quality for time beyond its thresholds: it decides key
   * frames too, and the loop filter's level is searched on a sample of rows.
   * Each costs 0.6 % of bitrate in static scenes at best. */
  VP8_MP_GUIDE_AGGRESSIVE = 1 << 1,
  /* The guide decides the modes of this inter frame, or of this key frame, if
   * the provider serves it. */
  VP8_MP_GUIDE_INTER = 1 << 2,
  VP8_MP_GUIDE_KEY = 1 << 3,
  /* Rate control: targets at a variable bitrate and at a constant one
   * (mp/rc/target.c), segments that the encoder chooses (mp/rc/segments.c). */
  VP8_MP_VBR_TARGETS = 1 << 4,
  VP8_MP_CBR_TARGETS = 1 << 5,
  VP8_MP_SEGMENTS = 1 << 6,
  /* One pass with a lookahead may start: before the first frame alone. */
  VP8_MP_LOOKAHEAD = 1 << 7,
  /* The macroblock tree sets the quantizers of this frame's macroblocks. */
  VP8_MP_MBTREE = 1 << 8,
  /* The temporal prefilter takes noise out of this frame. */
  VP8_MP_PREFILTER = 1 << 9,
  /* The provider may code this inter frame as a whole (mp/whole). */
  VP8_MP_WHOLE = 1 << 10,
  /* The second of two passes at a variable bitrate follows the sizes of coded
   * frames (mp/rc/two_passes.c). */
  VP8_MP_TWO_PASSES = 1 << 11
};

/* The features that the encoder's options, and the frame that it is about to
 * code, allow: VP8_MP_*, added up. This is the only place that weighs options
 * of libvpx against features of ours. It reads and changes nothing else; call
 * it again after a change. In a frame's macroblocks use cpi->mp.features. */
unsigned int vp8_mp_features(const struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_PROVIDER_FEATURES_H_
