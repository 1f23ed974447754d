/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What ranking, planning, evaluating and logging of the guided mode decision
 * share: its types, the cost of a candidate, and what sets a macroblock up for
 * one. Rates are in 1/256 bit, vectors in libvpx's 1/8 pel.
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

/* The macroblock that is decided, and what is known of it. */
typedef struct vp8_mp_mode_decision {
  struct VP8_COMP *cpi;
  MACROBLOCK *x;
  const vp8_mp_mode_level *level;         /* of its quantizer */
  const vp8e_mp_intra_t *intra;           /* NULL: out of reach, or none */
  int intra4x4;                           /* the estimate has this part */
  const vp8e_mp_mb_t *mb[MAX_REF_FRAMES]; /* NULL: reference not worth a try */
  unsigned char *plane[MAX_REF_FRAMES][3];
  int_mv mode_mv[2][MB_MODE_COUNT], best_ref_mv[2]; /* by sign bias */
  int mdcounts[4];
  int mode_rate[VP8_MVREFS]; /* of NEARESTMV, .. SPLITMV */
  int lambda;                /* SATD worth one bit */
} vp8_mp_mode_decision;

#define VP8_MP_MODE_INTRA_ALL (VP8E_MP_INTRA_16X16 | VP8E_MP_INTRA_4X4)

/* Zero, nearest, near and new of three references. */
#define VP8_MP_MODE_MAX_CANDIDATES 12

/* An inter 16x16 mode with reference and vector. */
typedef struct vp8_mp_mode_candidate {
  unsigned int cost; /* SATD and rate */
  int rate;          /* of reference, mode and vector */
  int mv_rate;
  int_mv mv;
  unsigned char mode, ref;
} vp8_mp_mode_candidate;

/* By ascending cost. */
typedef struct vp8_mp_mode_candidates {
  vp8_mp_mode_candidate c[VP8_MP_MODE_MAX_CANDIDATES];
  int n;
} vp8_mp_mode_candidates;

/* SPLITMV with its partitioning, subblock modes and vectors. */
typedef struct vp8_mp_mode_split {
  unsigned int cost; /* SATD and rate, that of reference and mode too */
  int ref;
  int bin;          /* of what planning it is worth: mp/mode/learn.h */
  int partitioning; /* BLOCK_16X8 .. BLOCK_4X4 */
  int rate;         /* of partitioning, subblock modes and vectors */
  B_PREDICTION_MODE mode[16]; /* by partition */
  int_mv mv[16];
} vp8_mp_mode_split;

/* The intra modes to evaluate. */
typedef struct vp8_mp_mode_intra_modes {
  unsigned int mb;      /* bits 1 << DC_PRED .. B_PRED */
  unsigned short b[16]; /* of each subblock: bits 1 << B_DC_PRED .. B_HU_PRED */
} vp8_mp_mode_intra_modes;

/* The best of what was evaluated so far. */
typedef struct vp8_mp_mode_best {
  int rd; /* RDCOST() of all; INT_MAX: none yet */
  int rate;
  int distortion;
  int intra_distortion; /* of the best intra mode; INT_MAX: none evaluated */
  MB_MODE_INFO mbmi;
  PARTITION_INFO partition;
  union b_mode_info bmi[16];
} vp8_mp_mode_best;

/* SATD and rate in one figure; lambda is the SATD worth one bit. */
static INLINE unsigned int vp8_mp_mode_weigh(int lambda, unsigned int satd,
                                             int rate) {
  return satd + (((unsigned int)rate * lambda + 128) >> 8);
}

/* Whether cost is no more than so many permille of low. */
static INLINE int vp8_mp_mode_within(unsigned int cost, unsigned int low,
                                     int permille) {
  return (uint64_t)cost * 1000 <= (uint64_t)low * permille;
}

/* The highest cost that is within them. */
static INLINE unsigned int vp8_mp_mode_limit(unsigned int low, int permille) {
  return (unsigned int)((uint64_t)low * permille / 1000);
}

/* SATD of the prediction of the block of 1 << log2 pixels at (bx, by) of the
 * macroblock; log2 is 4, 3 or 2. */
unsigned int vp8_mp_mode_satd(const vp8_mp_mode_decision *d, int ref, int_mv mv,
                              int log2, int bx, int by);

/* Whether a vector stays within the border. */
static INLINE int vp8_mp_mode_legal(const MACROBLOCK *x, int_mv mv) {
  return vp8_mp_mv_in(vp8_mp_mv_legal(x, VP8_MP_MV_DECIDED), mv.as_mv.row,
                      mv.as_mv.col);
}

/* Whether a legal vector can be coded as a difference to best_ref_mv. */
int vp8_mp_mode_codable(const MACROBLOCK *x, int_mv mv, int_mv best_ref_mv);

/* Returns a provider's vector in libvpx's unit. */
static INLINE int_mv vp8_mp_mode_mv(vp8e_mp_mv_t v) {
  int_mv mv;

  mv.as_mv.row = v.row * 2;
  mv.as_mv.col = v.col * 2;
  return mv;
}

/* Set x's mode, reference, vector and planes to an inter candidate's. */
void vp8_mp_mode_set_candidate(const vp8_mp_mode_decision *d, int mode, int ref,
                               int_mv mv);

/* Set x's mode, vectors and planes to SPLITMV. */
void vp8_mp_mode_set_split(const vp8_mp_mode_decision *d,
                           const vp8_mp_mode_split *split);

/* Set x's quantizer to what the speed features say. For guided macroblocks the
 * fast one has the state's rounding, and the regular one a dead zone that is
 * the same for all modes. */
void vp8_mp_mode_set_quantizer(struct VP8_COMP *cpi, MACROBLOCK *x, int guided);

/* Note x's mode and vectors as the best. */
void vp8_mp_mode_keep(const MACROBLOCK *x, vp8_mp_mode_best *best);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_CANDIDATE_H_
