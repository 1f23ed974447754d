/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What evaluating a candidate is worth. Levels say which candidates are within
 * reach; content decides which of these ever win. So the guide remembers, by
 * kind, by how far a candidate's cost is above the lowest, and by how much of
 * the residual the quantizer leaves, what evaluations gained in the frames
 * before, and leaves those out that gain too little for their time.
 *
 * Threads count for themselves. What they counted is added up between frames,
 * and only then decided by, so that streams do not depend on their number.
 */
#ifndef VPX_VP8_ENCODER_MP_MODE_LEARN_H_
#define VPX_VP8_ENCODER_MP_MODE_LEARN_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;
struct macroblock;

/* What is evaluated when there is a best already. */
typedef enum vp8_mp_mode_learn_kind {
  VP8_MP_MODE_LEARN_INTER2, /* the second inter 16x16 candidate by cost */
  VP8_MP_MODE_LEARN_INTER3,
  VP8_MP_MODE_LEARN_INTER4, /* and all behind it */
  VP8_MP_MODE_LEARN_SPLIT,  /* the first plan of SPLITMV */
  VP8_MP_MODE_LEARN_SPLIT2, /* and all behind it */
  VP8_MP_MODE_LEARN_INTRA16X16,
  VP8_MP_MODE_LEARN_BPRED, /* with or without an intra 16x16 mode */
  VP8_MP_MODE_LEARN_PLANS, /* planning SPLITMV and evaluating what is near */
  VP8_MP_MODE_LEARN_PLAN2, /* planning a shape whose estimate is not the lowest
                            */
  VP8_MP_MODE_LEARN_KINDS
} vp8_mp_mode_learn_kind;

#define VP8_MP_MODE_LEARN_RATIOS 16
#define VP8_MP_MODE_LEARN_SIZES 4
#define VP8_MP_MODE_LEARN_BINS \
  (VP8_MP_MODE_LEARN_KINDS * VP8_MP_MODE_LEARN_RATIOS * VP8_MP_MODE_LEARN_SIZES)

typedef struct vp8_mp_mode_learn_bin {
  int64_t gain;
  int n; /* evaluations */
} vp8_mp_mode_learn_bin;

/* Part of MACROBLOCK: a thread's evaluations of the frame, and the cost of its
 * macroblocks; gains and rates are in 1/256 bit. */
typedef struct vp8_mp_mode_learn_counts {
  vp8_mp_mode_learn_bin bin[VP8_MP_MODE_LEARN_BINS];
  int64_t rate;    /* of the best of each macroblock that was evaluated, */
  int macroblocks; /* and how many these are */
  int explores;    /* the macroblock evaluates all within reach */
} vp8_mp_mode_learn_counts;

/* Part of vp8_mp_mode_state; written between frames, read by all threads. */
typedef struct vp8_mp_mode_learn_state {
  vp8_mp_mode_learn_bin
      bin[VP8_MP_MODE_LEARN_BINS]; /* gains in parts of a macroblock's mean rate
                                    */
  unsigned char pays[VP8_MP_MODE_LEARN_BINS];
  int64_t rate, macroblocks; /* of the last frames */
  int slope; /* 0: everything is evaluated, and nothing remembered */
  int turn;  /* which macroblocks evaluate everything */
} vp8_mp_mode_learn_state;

/* Before each encode of a frame: learn of the one before. */
void vp8_mp_mode_learn_encode_begin(struct VP8_COMP *cpi);

/* When a row thread has ended its part. */
void vp8_mp_mode_learn_merge(struct VP8_COMP *cpi,
                             const struct macroblock *thread);

/* Before a macroblock is decided. Some evaluate all that is within reach, to
 * keep what is remembered true. */
void vp8_mp_mode_learn_mb_begin(const struct VP8_COMP *cpi,
                                struct macroblock *x);

/* The bin of a candidate: its cost, the one to compare it to, the lowest of the
 * macroblock, SATD and rate. VP8_MP_MODE_LEARN_NONE where nothing is
 * remembered. */
#define VP8_MP_MODE_LEARN_NONE (-1)
int vp8_mp_mode_learn_bin_of(const struct VP8_COMP *cpi,
                             const struct macroblock *x,
                             vp8_mp_mode_learn_kind kind, unsigned int cost,
                             unsigned int beside, unsigned int low);

/* Whether those of the bin are worth evaluation. */
int vp8_mp_mode_learn_pays(const struct VP8_COMP *cpi,
                           const struct macroblock *x, int bin);

/* Note that one of the bin was evaluated, or planned. */
void vp8_mp_mode_learn_count(struct macroblock *x, int bin);

/* Note what that gained: the best's rate-distortion cost before, INT_MAX if
 * there was none, and after. */
void vp8_mp_mode_learn_gain(struct macroblock *x, int bin, int before,
                            int after);

/* Both, of an evaluation; neither if there was no best before. */
void vp8_mp_mode_learn_add(struct macroblock *x, int bin, int before,
                           int after);

/* Note the rate of a macroblock's best. */
void vp8_mp_mode_learn_decided(const struct VP8_COMP *cpi, struct macroblock *x,
                               int rate);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_MODE_LEARN_H_
