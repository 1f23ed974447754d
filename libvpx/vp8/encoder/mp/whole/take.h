/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Takes the macroblocks of a frame that the provider has coded as a whole: sets
 * their modes and counts them.
 */
#ifndef VPX_VP8_ENCODER_MP_WHOLE_TAKE_H_
#define VPX_VP8_ENCODER_MP_WHOLE_TAKE_H_

#include "vp8/encoder/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Take the current macroblock, and set *rate to that of its decision. Returns
 * 0, with nothing done, if the encoder has to code it. Any row thread may call
 * it. */
int vp8_mp_whole_take(struct VP8_COMP *cpi, MACROBLOCK *x, int *rate);

/* Take all rows, as encode_mb_row() of libvpx takes one: adds to
 * segment_counts, by segment, and to *rate. Edges, places in pictures and
 * quantizers of MACROBLOCK stay as they are. Such frames have no cyclic
 * refresh. Returns the number of rows; 0, with nothing done, if the encoder has
 * to code them. For an encoder with one thread. */
int vp8_mp_whole_take_rows(struct VP8_COMP *cpi, int *segment_counts,
                           int *rate);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_WHOLE_TAKE_H_
