/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Golden frames at a constant bitrate (mp/rc/target.h). A golden frame refines
 * macroblocks that are still and were not refined since they moved: it codes
 * them at a lower quantizer, by segments. If the buffer does not have the bits
 * for all of them, the next golden frame goes on with the others.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_GOLDEN_H_
#define VPX_VP8_ENCODER_MP_RC_GOLDEN_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of vp8_mp_state; used by the encoding thread only. */
typedef struct vp8_mp_rc_golden_state {
  int mbs;            /* macroblocks in map[] */
  unsigned char *map; /* segment map of a golden frame: 1 is refined */
  int next;           /* macroblock at which the next map starts */

  double ratio; /* actual / expected bits of refinement, of golden frames so far
                 */

  /* Frame being coded, if it is a golden frame. */
  int is_planned;     /* 0: it refines nothing */
  int mean_q;         /* quantizer index of all others */
  int q_index;        /* quantizer index of refined macroblocks */
  double inter_bits;  /* expected bits of a plain inter frame at mean_q */
  double refine_bits; /* expected bits of the refinement */
} vp8_mp_rc_golden_state;

/* Before each frame. Allocates the state at the first one. */
void vp8_mp_rc_golden_begin(struct VP8_COMP *cpi);

/* Plan a golden frame that refines macroblocks at quantizer q_index, or at a
 * higher one if the bits are too few, and codes all others at mean_q.
 * inter_bits: expected bits of a plain inter frame at mean_q; most: bits
 * available. Returns the expected bits of the golden frame, or 0 if it would
 * refine too few macroblocks. */
double vp8_mp_rc_golden_plan(struct VP8_COMP *cpi, int mean_q, int q_index,
                             double inter_bits, double most);

/* Before the first encode of a frame, with quantizer Q: set its segments. */
void vp8_mp_rc_golden_frame_begin(struct VP8_COMP *cpi, int Q);

/* After a frame of size bytes; size is 0 if it was dropped. */
void vp8_mp_rc_golden_end(struct VP8_COMP *cpi, int size);

/* When the picture's size changes, or the encoder ends. */
void vp8_mp_rc_golden_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_GOLDEN_H_
