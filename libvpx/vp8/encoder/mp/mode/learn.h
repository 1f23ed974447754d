/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Learned gain of evaluations. The level says which candidates are within
 * reach; the content decides which of them ever win. So the guide adds up the
 * gains of evaluations in the frames before, in bins by kind of candidate, by
 * the distance of its cost from the lowest cost, and by how much of the
 * residual the quantizer leaves. It leaves out the candidates of bins that gain
 * too little for the time they take.
 *
 * Each thread counts for itself. The counts are added up between frames, and
 * decisions use only these sums, so streams do not depend on the number of
 * threads.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_LEARN_H_
#define VPX_VP8_ENCODER_MP_MODE_LEARN_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;
struct macroblock;

/* Evaluations after the first one, by kind of candidate. */
typedef enum vp8_mp_mode_learn_kind {
  VP8_MP_MODE_LEARN_INTER2, /* the second inter 16x16 candidate by cost */
  VP8_MP_MODE_LEARN_INTER3,
  VP8_MP_MODE_LEARN_INTER4, /* and all later ones */
  VP8_MP_MODE_LEARN_SPLIT,  /* the first plan of SPLITMV */
  VP8_MP_MODE_LEARN_SPLIT2, /* and all later ones */
  VP8_MP_MODE_LEARN_INTRA16X16,
  VP8_MP_MODE_LEARN_BPRED, /* and the intra 16x16 mode, if there is one */
  VP8_MP_MODE_LEARN_PLANS, /* planning SPLITMV, and evaluating the plans within
                              reach */
  VP8_MP_MODE_LEARN_PLAN2, /* planning a partitioning whose estimate is not the
                              lowest */
  VP8_MP_MODE_LEARN_KINDS
} vp8_mp_mode_learn_kind;

#define VP8_MP_MODE_LEARN_RATIOS 16
#define VP8_MP_MODE_LEARN_SIZES 4
#define VP8_MP_MODE_LEARN_BINS \
  (VP8_MP_MODE_LEARN_KINDS * VP8_MP_MODE_LEARN_RATIOS * VP8_MP_MODE_LEARN_SIZES)

typedef struct vp8_mp_mode_learn_bin {
  int64_t gain;
  int n; /* number of evaluations */
} vp8_mp_mode_learn_bin;

/* Part of MACROBLOCK: the evaluations of one thread in the frame. Gains and
 * rates are in 1/256 bit. */
typedef struct vp8_mp_mode_learn_counts {
  vp8_mp_mode_learn_bin bin[VP8_MP_MODE_LEARN_BINS];
  int64_t rate;    /* sum over the evaluated macroblocks of the best candidate's
                      rate */
  int macroblocks; /* number of evaluated macroblocks */
  int explores; /* the current macroblock evaluates all candidates within reach
                 */
} vp8_mp_mode_learn_counts;

/* Part of vp8_mp_mode_state. Written between frames, read by all threads. */
typedef struct vp8_mp_mode_learn_state {
  vp8_mp_mode_learn_bin
      bin[VP8_MP_MODE_LEARN_BINS]; /* gains relative to the mean rate of a
                                      macroblock */
  unsigned char pays[VP8_MP_MODE_LEARN_BINS];
  int64_t rate, macroblocks; /* of the last frames, decaying */
  int slope; /* the gain that is asked for, see vp8_mp_mode_slope(); 0: evaluate
                everything and count nothing */
  int turn;  /* selects the macroblocks that evaluate everything */
} vp8_mp_mode_learn_state;

/* Learn from the previous encode. Call it before each encode of a frame. */
void vp8_mp_mode_learn_encode_begin(struct VP8_COMP *cpi);

/* Add the counts of a row thread that has finished its rows. */
void vp8_mp_mode_learn_merge(struct VP8_COMP *cpi,
                             const struct macroblock *thread);

/* Begin a macroblock. Some macroblocks evaluate all candidates within reach, to
 * keep the learned gains up to date. */
void vp8_mp_mode_learn_mb_begin(const struct VP8_COMP *cpi,
                                struct macroblock *x);

/* Returns the bin of a candidate, or VP8_MP_MODE_LEARN_NONE if nothing is
 * learned. cost: of the candidate. compared_to: the cost that it competes with.
 * low: the lowest cost of the macroblock. */
#define VP8_MP_MODE_LEARN_NONE (-1)
int vp8_mp_mode_learn_bin_of(const struct VP8_COMP *cpi,
                             const struct macroblock *x,
                             vp8_mp_mode_learn_kind kind, unsigned int cost,
                             unsigned int compared_to, unsigned int low);

/* Returns whether evaluating candidates of the bin pays. */
int vp8_mp_mode_learn_pays(const struct VP8_COMP *cpi,
                           const struct macroblock *x, int bin);

/* Count an evaluation, or a plan, of the bin. */
void vp8_mp_mode_learn_count(struct macroblock *x, int bin);

/* Add the gain of an evaluation to the bin: the RD cost of the best candidate
 * before (INT_MAX if there was none) and after it. */
void vp8_mp_mode_learn_gain(struct macroblock *x, int bin, int before,
                            int after);

/* Count an evaluation and its gain. Does nothing if there was no best candidate
 * before. */
void vp8_mp_mode_learn_add(struct macroblock *x, int bin, int before,
                           int after);

/* Count a macroblock that was evaluated, with the rate of its best
 * candidate. */
void vp8_mp_mode_learn_decided(const struct VP8_COMP *cpi, struct macroblock *x,
                               int rate);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_LEARN_H_
