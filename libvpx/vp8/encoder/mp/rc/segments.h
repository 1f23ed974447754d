/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Segments that the encoder chooses: four quantizers, and a map that says which
 * one a macroblock has. Map and quantizers hold until others are sent, so only
 * what changes is coded. Segments of the user's, and those of cyclic refresh,
 * are libvpx's.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_SEGMENTS_H_
#define VPX_VP8_ENCODER_MP_RC_SEGMENTS_H_

#include "vp8/common/blockd.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;
struct macroblock;

/* What a bit is worth. */
typedef struct vp8_mp_rc_segment_lambda {
  int rdmult, rddiv;           /* squared error, as RDCOST() takes it */
  int errorperbit;             /* squared error of vectors */
  int sadperbit16, sadperbit4; /* SAD */
} vp8_mp_rc_segment_lambda;

/* Part of vp8_mp_state; written between encodes of a frame. */
typedef struct vp8_mp_rc_segment_state {
  int in_use; /* in the frame being coded; between frames in none */
  double step[MAX_MB_SEGMENTS]; /* log2 of what the frame's is multiplied by */

  /* What decoders hold. They may forget both at frames without segments. */
  unsigned char *map;
  int mbs; /* of map[]; 0: they hold nothing that is known */
  signed char delta[MAX_MB_SEGMENTS];

  /* Of macroblocks of each segment in the frame being coded: what libvpx has
   * for the frame's quantizer alone. */
  vp8_mp_rc_segment_lambda lambda[MAX_MB_SEGMENTS];
} vp8_mp_rc_segment_state;

/* What it takes to tell decoders of the map, in bits; 0: they have it. */
int vp8_mp_rc_segment_map_bits(const struct VP8_COMP *cpi,
                               const unsigned char *map);

/* Give macroblocks of segment i the frame's quantizer step times 2 to the power
 * of step[i], before the frame's first encode. map[] has a segment for each
 * macroblock, by row; NULL: the one that decoders have. */
void vp8_mp_rc_segment_set(struct VP8_COMP *cpi, const unsigned char *map,
                           const double step[MAX_MB_SEGMENTS]);

/* Take that back: the frame has no segments. */
void vp8_mp_rc_segment_clear(struct VP8_COMP *cpi);

/* The map that decoders have, or NULL. */
const unsigned char *vp8_mp_rc_segment_known_map(const struct VP8_COMP *cpi);

/* After a frame of size bytes; 0 if it was dropped. */
void vp8_mp_rc_segment_frame_end(struct VP8_COMP *cpi, size_t size);

/* When the picture's size changes, or the encoder ends. */
void vp8_mp_rc_segment_free(struct VP8_COMP *cpi);

/* Before libvpx sets up the quantizers of an encode, when the frame's is known:
 * find those of our segments, within what the user allows. */
void vp8_mp_rc_segment_quantizer_begin(struct VP8_COMP *cpi);

/* log2 of the step of a quantizer index. */
double vp8_mp_rc_segment_log_step(int q_index);

/* ---- whosever the segments are ------------------------------------------- */

/* The quantizer index of a segment: the frame's, if that has none. */
int vp8_mp_rc_segment_q_index(const struct VP8_COMP *cpi, int segment);

/* Before an encode of the frame, when its lambda is known: find those of the
 * segments. */
void vp8_mp_rc_segment_encode_begin(struct VP8_COMP *cpi);

/* Before x's macroblock is decided, when libvpx has set its quantizer: weigh
 * its rate by that, and not by the frame's. */
void vp8_mp_rc_segment_mb_begin(const struct VP8_COMP *cpi,
                                struct macroblock *x);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_SEGMENTS_H_
