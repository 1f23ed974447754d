/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What golden frames refine at a constant bitrate (mp/rc/cbr.h): macroblocks
 * that stand still and were not refined since they moved, as many as the buffer
 * has bits for, by segments; the next ones in the next golden frame.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_CBR_GOLDEN_H_
#define VPX_VP8_ENCODER_MP_RC_CBR_GOLDEN_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* When a macroblock was refined, and how much. */
typedef struct vp8_mp_rc_golden_mb {
  unsigned int frame; /* 0: it was not */
  int q_index;
} vp8_mp_rc_golden_mb;

/* Part of vp8_mp_state; all of it is the encoding thread's. */
typedef struct vp8_mp_rc_golden_state {
  int mbs; /* of mb[] and map[] */
  vp8_mp_rc_golden_mb *mb;
  unsigned char
      *map; /* 1: is refined in the frame; its segments, if not all are */
  unsigned int frame; /* that is coded, from 1 on */
  int next;           /* macroblock that is looked at first */

  /* Inter frames' bits at a lower quantizer are theirs times what
   * vp8_bits_per_mb[] has there, of what it has at theirs, to this power. */
  double power;

  /* of the frame being coded, if it is a golden one */
  int refines;         /* 0: it is none of ours */
  int still, count;    /* macroblocks that stand still, and are refined */
  int mean_q, q_index; /* quantizers of the others, and of those */
  double inter_bits;   /* of an inter frame at that of the others */
} vp8_mp_rc_golden_state;

/* Before a frame. */
void vp8_mp_rc_golden_begin(struct VP8_COMP *cpi);

/* Plan an inter frame that becomes the golden one: q_index is the quantizer of
 * what is refined, mean_q that of the rest. inter_bits: of an inter frame
 * there; key_bits: of a key frame at q_index, 0: unknown; most: what there are.
 * Returns the bits that it is expected to take, 0 if it would refine next to
 * nothing. */
double vp8_mp_rc_golden_plan(struct VP8_COMP *cpi, int mean_q, int q_index,
                             double inter_bits, double key_bits, double most);

/* The quantizer of the planned frame: that of what is refined, if that is all.
 */
int vp8_mp_rc_golden_frame_q(const struct VP8_COMP *cpi);

/* Before its first encode, by quantizer Q: give it its segments. */
void vp8_mp_rc_golden_frame_begin(struct VP8_COMP *cpi, int Q);

/* After a frame of size bytes; 0 if it was dropped. */
void vp8_mp_rc_golden_end(struct VP8_COMP *cpi, int size);

/* When the picture's size changes, or the encoder ends. */
void vp8_mp_rc_golden_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_CBR_GOLDEN_H_
