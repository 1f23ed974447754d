/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Segments chosen by the macroblock tree and by golden frames: four quantizers,
 * and a map that gives each macroblock one of them. In the bitstream, map and
 * quantizers stay valid until others are sent, so only changes are coded.
 * libvpx's own segments, the user's and those of cyclic refresh, are not
 * handled here, except by the last three functions.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_SEGMENTS_H_
#define VPX_VP8_ENCODER_MP_RC_SEGMENTS_H_

#include "vp8/common/blockd.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;
struct macroblock;

/* Lagrange multipliers: what one bit is worth. */
typedef struct vp8_mp_rc_segment_lambda {
  int rdmult, rddiv;           /* in squared error, as RDCOST() takes it */
  int errorperbit;             /* in squared error, for vectors */
  int sadperbit16, sadperbit4; /* in SAD, for vectors */
} vp8_mp_rc_segment_lambda;

/* Part of vp8_mp_state; written between encodes of a frame, read by all
 * threads.
 */
typedef struct vp8_mp_rc_segment_state {
  int in_use; /* the frame being coded has segments from here; 0 between frames
               */
  double step[MAX_MB_SEGMENTS]; /* log2 of the factor on the frame's step */

  /* Map and quantizers that decoders hold. After a frame without segments they
   * are unknown, because decoders may drop them. */
  unsigned char *map;
  int mbs;                            /* macroblocks in map[]; 0: unknown */
  signed char delta[MAX_MB_SEGMENTS]; /* segment's quantizer - frame's */

  /* Lagrange multipliers of each segment in the frame being coded. libvpx has
   * them for the frame's quantizer only. */
  vp8_mp_rc_segment_lambda lambda[MAX_MB_SEGMENTS];
} vp8_mp_rc_segment_state;

/* Bits to code the map; 0: decoders have it. */
int vp8_mp_rc_segment_map_bits(const struct VP8_COMP *cpi,
                               const unsigned char *map);

/* Turn segments on, before the frame's first encode. Macroblocks of segment i
 * get the frame's quantizer step * 2^step[i]. map[] has the segment of each
 * macroblock in raster order; NULL: the map that decoders have. */
void vp8_mp_rc_segment_set(struct VP8_COMP *cpi, const unsigned char *map,
                           const double step[MAX_MB_SEGMENTS]);

/* Turn segments off that were turned on here. */
void vp8_mp_rc_segment_clear(struct VP8_COMP *cpi);

/* The map that decoders have; NULL: unknown. */
const unsigned char *vp8_mp_rc_segment_known_map(const struct VP8_COMP *cpi);

/* After a frame of size bytes; size is 0 if it was dropped. */
void vp8_mp_rc_segment_frame_end(struct VP8_COMP *cpi, size_t size);

/* When the picture's size changes, or the encoder ends. */
void vp8_mp_rc_segment_free(struct VP8_COMP *cpi);

/* Compute the quantizers of the segments, within the user's limits. Call it
 * when the frame's quantizer is known, before libvpx sets up the quantizers of
 * an encode. */
void vp8_mp_rc_segment_quantizer_begin(struct VP8_COMP *cpi);

/* log2 of the AC quantizer step of a quantizer index. */
double vp8_mp_rc_segment_log_step(int q_index);

/* ---- segments of any origin ---------------------------------------------- */

/* The quantizer index of a segment; the frame's if it has no segments. */
int vp8_mp_rc_segment_q_index(const struct VP8_COMP *cpi, int segment);

/* Compute the Lagrange multipliers of the segments. Call it before each encode
 * of a frame, when the frame's own multipliers are known. */
void vp8_mp_rc_segment_encode_begin(struct VP8_COMP *cpi);

/* Set the Lagrange multipliers of the segment of x's macroblock instead of the
 * frame's. Call it after libvpx has set the quantizer of the macroblock, before
 * its mode is decided. */
void vp8_mp_rc_segment_mb_begin(const struct VP8_COMP *cpi,
                                struct macroblock *x);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_SEGMENTS_H_
