/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Types and functions that all steps of the guided mode decision share: the
 * cost of a candidate, and the functions that set up a macroblock for a
 * candidate. Rates are in 1/256 bit, vectors in libvpx's unit of 1/8 pel.
 * "Cost" is SATD plus lambda times rate; "RD cost" is libvpx's RDCOST() of an
 * evaluated candidate.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_CANDIDATE_H_
#define VPX_VP8_ENCODER_MP_MODE_CANDIDATE_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/common/entropymode.h"
#include "vp8/encoder/block.h"
#include "vp8/encoder/mp/mode/level.h"
#include "vp8/encoder/mp/provider/records.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* The macroblock to decide, and its estimates from the provider. */
typedef struct vp8_mp_mode_decision {
  struct VP8_COMP *cpi;
  MACROBLOCK *x;
  const vp8_mp_mode_level *level; /* thresholds of the macroblock's quantizer */
  const vp8e_mp_intra_t
      *intra; /* NULL: there is no estimate, or no intra mode is within reach */
  int intra4x4;                           /* the 4x4 part of intra is valid */
  const vp8e_mp_mb_t *mb[MAX_REF_FRAMES]; /* NULL: do not try this reference */
  vp8e_mp_mb_t denoised[MAX_REF_FRAMES];  /* see mp/mode/denoise.h */
  unsigned char *plane[MAX_REF_FRAMES][3];
  int_mv mode_mv[2][MB_MODE_COUNT], best_ref_mv[2]; /* by sign bias */
  int mdcounts[4];
  int mode_rate[VP8_MVREFS]; /* of NEARESTMV to SPLITMV */
  int lambda;                /* SATD that costs as much as one bit */
} vp8_mp_mode_decision;

#define VP8_MP_MODE_INTRA_ALL (VP8E_MP_INTRA_16X16 | VP8E_MP_INTRA_4X4)

/* The zero, nearest, near and new vector of each of three references. */
#define VP8_MP_MODE_MAX_CANDIDATES 12

/* An inter 16x16 mode with its reference and vector. */
typedef struct vp8_mp_mode_candidate {
  unsigned int cost; /* SATD + lambda * rate */
  int rate;          /* of reference, mode and vector */
  int mv_rate;
  int_mv mv;
  unsigned char mode, ref;
} vp8_mp_mode_candidate;

/* Candidates in order of ascending cost. */
typedef struct vp8_mp_mode_candidates {
  vp8_mp_mode_candidate c[VP8_MP_MODE_MAX_CANDIDATES];
  int n;
} vp8_mp_mode_candidates;

/* A plan of SPLITMV: partitioning, sub-block modes and vectors. */
typedef struct vp8_mp_mode_split {
  unsigned int cost; /* includes the rate of reference and mode */
  int ref;
  int bin;                    /* of the planning's gain, see mp/mode/learn.h */
  int partitioning;           /* BLOCK_16X8 to BLOCK_4X4 */
  int rate;                   /* of partitioning, sub-block modes and vectors */
  B_PREDICTION_MODE mode[16]; /* by partition */
  int_mv mv[16];
} vp8_mp_mode_split;

/* The intra modes to evaluate. */
typedef struct vp8_mp_mode_intra_modes {
  unsigned int mb; /* bits 1 << DC_PRED to 1 << B_PRED */
  unsigned short
      b[16]; /* of each sub-block: bits 1 << B_DC_PRED to 1 << B_HU_PRED */
} vp8_mp_mode_intra_modes;

/* The best candidate among those evaluated so far. */
typedef struct vp8_mp_mode_best {
  int rd; /* RDCOST() of the whole macroblock; INT_MAX: none yet */
  int rate;
  int distortion;
  int intra_distortion; /* of the best intra mode; INT_MAX: none evaluated */
  MB_MODE_INFO mbmi;
  PARTITION_INFO partition;
  union b_mode_info bmi[16];
} vp8_mp_mode_best;

/* Returns the cost of a candidate. lambda is the SATD that costs as much as one
 * bit. */
static INLINE unsigned int vp8_mp_mode_weigh(int lambda, unsigned int satd,
                                             int rate) {
  return satd + (((unsigned int)rate * lambda + 128) >> 8);
}

/* Returns whether cost is at most permille / 1000 of low. */
static INLINE int vp8_mp_mode_within(unsigned int cost, unsigned int low,
                                     int permille) {
  return (uint64_t)cost * 1000 <= (uint64_t)low * permille;
}

/* Returns the highest cost that vp8_mp_mode_within() accepts. */
static INLINE unsigned int vp8_mp_mode_limit(unsigned int low, int permille) {
  return (unsigned int)((uint64_t)low * permille / 1000);
}

/* Returns the SATD of the predicted block of 1 << log2 pixels at (bx, by) of
 * the macroblock. log2 is 4, 3 or 2. */
unsigned int vp8_mp_mode_satd(const vp8_mp_mode_decision *d, int ref, int_mv mv,
                              int log2, int bx, int by);

/* Returns whether a vector stays within the border of the reference. */
static INLINE int vp8_mp_mode_legal(const MACROBLOCK *x, int_mv mv) {
  return vp8_mp_mv_in(vp8_mp_mv_legal(x, VP8_MP_MV_DECIDED), mv.as_mv.row,
                      mv.as_mv.col);
}

/* Returns whether a vector is legal and its difference to best_ref_mv can be
 * coded. */
int vp8_mp_mode_codable(const MACROBLOCK *x, int_mv mv, int_mv best_ref_mv);

/* Convert a provider's vector (quarter-pel) to libvpx's unit (1/8 pel). */
static INLINE int_mv vp8_mp_mode_mv(vp8e_mp_mv_t v) {
  int_mv mv;

  mv.as_mv.row = v.row * 2;
  mv.as_mv.col = v.col * 2;
  return mv;
}

/* Set x's mode, reference, vector and reference planes to those of an inter
 * 16x16 candidate. */
void vp8_mp_mode_set_candidate(const vp8_mp_mode_decision *d, int mode, int ref,
                               int_mv mv);

/* Set x's mode, vectors and reference planes to those of a SPLITMV plan. */
void vp8_mp_mode_set_split(const vp8_mp_mode_decision *d,
                           const vp8_mp_mode_split *split);

/* Select x's quantizer: the fast or the regular one, by libvpx's speed
 * features. For guided macroblocks the fast quantizer uses the state's
 * rounding, and the regular one a dead zone that is the same for all modes. */
void vp8_mp_mode_set_quantizer(struct VP8_COMP *cpi, MACROBLOCK *x, int guided);

/* Copy x's mode and vectors to *best. */
void vp8_mp_mode_keep(const MACROBLOCK *x, vp8_mp_mode_best *best);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_CANDIDATE_H_
