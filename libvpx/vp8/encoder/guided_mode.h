/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Guided mode decision: the motion provider's distortions rank the candidates
 * of a macroblock, and only those that can win get libvpx's rate-distortion
 * evaluation.
 *
 * guided_mode.c decides, by the thresholds of guided_level.c, guided_split.c
 * plans SPLITMV, guided_key.c decides in key frames, rdopt_guided.h evaluates,
 * guided_code.c codes what was evaluated.
 * Rates are in 1/256 bit, vectors in libvpx's 1/8 pel.
 */
#ifndef VPX_VP8_ENCODER_GUIDED_MODE_H_
#define VPX_VP8_ENCODER_GUIDED_MODE_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/common/onyxc_int.h"
#include "vp8/encoder/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* What is evaluated. Thresholds are 1/1000 of the lowest cost of all candidates
 * of the macroblock. All numbers are ints. */
typedef struct vp8_gm_level {
  int lambda;     /* SATD worth one bit, percent of libvpx's SAD worth one */
  int refs;       /* references: lowest SATD of new vectors, of the best */
  int inter16x16; /* the second candidate and on */
  int max_inter16x16;
  int split;
  int shapes; /* segmentations that are planned, of the best one */
  int bpred;
  int intra16x16;
  int sole; /* an inter candidate that no other is this close to is taken without
               evaluation */
  /* What follows is 0 but at realtime. */
  int bound; /* SATD that any vector in a reference is expected to have, of the
                provider's best: what cannot come close is not computed. 0: all is */
  int fewer_modes; /* sub-modes that B_PRED is not tried with, 0 to 2 */
  int intra_wins;  /* intra modes in reach are not compared to inter ones */
  int split_best;  /* SPLITMV only in the reference of the best 16x16 candidate */
} vp8_gm_level;

/* Part of vp8_mp_state; written between frames, read by all threads. */
typedef struct vp8_gm_state {
  /* Rounding of the fast quantizer for Y with Y2, Y2 and UV: smaller where
   * the regular one's dead zone is larger. */
  DECLARE_ALIGNED(32, short, round[QINDEX_RANGE][3][16]);
  int delta_q[4]; /* what round[] was made for, and whether it was */
  vp8_gm_level level[QINDEX_RANGE];
  int level_made; /* which of the levels level[] is of; 0: none yet */
  int last_intra_percent; /* of the frame before, as vp8_gm_scene_cut() counts */
  int bmode_cost[10]; /* for the provider's intra estimates */
} vp8_gm_state;

/* Whether a provider has what its guidance needs. */
int vp8_gm_usable(const vp8e_motion_provider_t *provider);

/* Before a frame is handed to the provider. Returns its bmode_cost. */
const int *vp8_gm_frame_begin(struct VP8_COMP *cpi, int q_index);

/* Before each encode of a frame, when its quantizer is set. */
void vp8_gm_encode_begin(struct VP8_COMP *cpi);

/* Decide mode, vectors and reference of the macroblock that x is set up for,
 * like vp8_rd_pick_inter_mode(). Returns 0, with nothing decided, where it does
 * not apply: no guidance, no complete records, or a tool in use that needs
 * libvpx's own decision. */
int vp8_gm_pick_inter_mode(struct VP8_COMP *cpi, MACROBLOCK *x,
                           int recon_yoffset, int recon_uvoffset, int *rate,
                           int *distortion, int *intra_error);

/* The same for a macroblock of a key frame, like vp8_rd_pick_intra_mode(). */
int vp8_gm_pick_key_mode(struct VP8_COMP *cpi, MACROBLOCK *x, int *rate);

/* After the decision, whoever made it, and the segment's quantizer. SPLITMV of a
 * neighbour takes the vector of an intra macroblock as zero, and
 * vp8_pick_inter_mode(), which knows no SPLITMV, leaves it as it was. */
void vp8_gm_decided(struct VP8_COMP *cpi, MACROBLOCK *x);

/* Before a frame's macroblocks, and when a thread has coded its share: the macroblocks
 * that intra prediction suits at least as well as inter prediction, by estimate, coded
 * so or not. */
void vp8_gm_count_begin(struct VP8_COMP *cpi);
void vp8_gm_count_merge(struct VP8_COMP *cpi, const MACROBLOCK *thread);

/* After each encode of an inter frame: whether it should be a key frame. libvpx goes by
 * the share of macroblocks that are coded intra, which a guide lowers. */
int vp8_gm_scene_cut(const struct VP8_COMP *cpi);

/* After a frame. */
void vp8_gm_frame_end(struct VP8_COMP *cpi);

/* ---- shared by the files of the decision --------------------------------- */

/* What its steps share. */
typedef struct vp8_gm_decision {
  struct VP8_COMP *cpi;
  MACROBLOCK *x;
  unsigned char *plane[MAX_REF_FRAMES][3];
  const vp8e_mp_mb_t *mb[MAX_REF_FRAMES]; /* NULL: reference not worth a try */
  const vp8e_mp_split_t *found_split[MAX_REF_FRAMES]; /* where mb is not NULL */
  int_mv mode_mv[2][MB_MODE_COUNT], best_ref_mv[2]; /* by sign bias */
  int mdcounts[4];
  int mode_rate[VP8_MVREFS]; /* from NEARESTMV on */
  int lambda;                /* SATD worth one bit */
} vp8_gm_decision;

/* Zero, nearest, near and new of three references. */
#define VP8_GM_MAX_CANDIDATES 12

typedef struct vp8_gm_candidate {
  unsigned int cost; /* SATD and rate */
  int rate;          /* of reference, mode and vector */
  int mv_rate;
  int_mv mv;
  unsigned char mode, ref;
} vp8_gm_candidate;

/* By cost. */
typedef struct vp8_gm_candidates {
  vp8_gm_candidate c[VP8_GM_MAX_CANDIDATES];
  int n;
} vp8_gm_candidates;

/* A segmentation with everything decided. */
typedef struct vp8_gm_split {
  unsigned int cost;          /* SATD + rate */
  int ref;
  int shape;                  /* BLOCK_16X8 .. BLOCK_4X4 */
  int rate;                   /* of shape, sub-modes and vectors */
  B_PREDICTION_MODE mode[16]; /* by label */
  int_mv mv[16];
} vp8_gm_split;

/* Intra candidates. */
typedef struct vp8_gm_intra {
  unsigned int modes;           /* bits of DC_PRED..B_PRED */
  unsigned short sub_modes[16]; /* bits of B_DC_PRED..B_HU_PRED */
} vp8_gm_intra;

/* The best of what was evaluated so far. */
typedef struct vp8_gm_best {
  int rd;   /* RDCOST() of all; INT_MAX: none yet */
  int rate;
  int distortion;
  int intra_distortion; /* of the best intra mode; INT_MAX: none tried */
  MB_MODE_INFO mbmi;
  PARTITION_INFO partition;
  union b_mode_info bmi[16];
} vp8_gm_best;

/* Set the state's levels to what guide, deadline and cpu-used ask for; between
 * frames. */
void vp8_gm_make_levels(struct VP8_COMP *cpi);

/* Guided macroblocks are evaluated and coded by the fast quantizer with our
 * rounding, others by what the speed features say. */
void vp8_gm_set_quantizer(struct VP8_COMP *cpi, MACROBLOCK *x, int guided);

/* Whether the frame may lose quality for time: key frames are guided too, and
 * the loop filter's level is searched on a sample. At best, static scenes lost
 * 0.6 % by each. */
int vp8_gm_is_aggressive(const struct VP8_COMP *cpi);

/* SATD worth one bit in key frames, percent of libvpx's SAD worth one. */
#define VP8_GM_KEY_LAMBDA 170

/* SATD and rate in one figure. */
static INLINE unsigned int vp8_gm_weigh(const vp8_gm_decision *d,
                                        unsigned int satd, int rate) {
  return satd + (((unsigned int)rate * d->lambda + 128) >> 8);
}

/* SATD of the prediction of the block of 1 << log2 pixels at (bx, by) of the
 * macroblock; log2 is 4, 3 or 2. */
unsigned int vp8_gm_satd(const vp8_gm_decision *d, int ref, int_mv mv, int log2,
                         int bx, int by);

/* Whether a vector stays within the border. */
static INLINE int vp8_gm_legal(const MACROBLOCK *x, int_mv mv) {
  return (mv.as_mv.row >> 3) >= x->mv_row_min &&
         (mv.as_mv.row >> 3) <= x->mv_row_max &&
         (mv.as_mv.col >> 3) >= x->mv_col_min &&
         (mv.as_mv.col >> 3) <= x->mv_col_max;
}

/* Whether a vector can be coded as a difference to best_ref_mv. */
int vp8_gm_codable(const MACROBLOCK *x, int_mv mv, int_mv best_ref_mv);

/* A provider's vector in libvpx's unit. */
static INLINE int_mv vp8_gm_mv(vp8e_mp_mv_t v) {
  int_mv mv;

  mv.as_mv.row = v.row * 2;
  mv.as_mv.col = v.col * 2;
  return mv;
}

/* Set up x for an inter candidate. */
void vp8_gm_set_candidate(const vp8_gm_decision *d, int mode, int ref,
                          int_mv mv);

/* Best 16x16 intra mode by the pixels it will be predicted from. */
unsigned int vp8_gm_rank_intra16x16(const vp8_gm_decision *d, int *best);

#if VP8_GUIDED_LOG
/* What vp8_gm_plan_split() does for each. UINT_MAX: above limit. Returns 0 if a
 * label has no vector that can be coded. */
unsigned int vp8_gm_estimate_shape(const vp8_gm_decision *d, int ref, int shape,
                                   int rate, unsigned int limit);
int vp8_gm_plan_shape(const vp8_gm_decision *d, int ref, int shape, int rate,
                      vp8_gm_split *split);
#endif

/* The segmentation of least cost, in one of the references whose bits are set. If
 * the lowest first estimate is within limit, those are planned that are within
 * shapes / 1000 of it. Returns 0: none. */
int vp8_gm_plan_split(const vp8_gm_decision *d, unsigned int refs,
                      unsigned int limit, int shapes, vp8_gm_split *best);

/* Put a split's vectors where prediction and bitstream look for them. */
void vp8_gm_set_split(MACROBLOCK *x, const vp8_gm_split *split);

/* Rate-distortion of one candidate by libvpx's own functions, which are private
 * to rdopt.c. x has mode, reference and planes set; *best is updated. */
void vp8_gm_rd_inter16x16(struct VP8_COMP *cpi, MACROBLOCK *x, int mv_rate,
                          int mdcounts[4], vp8_gm_best *best);
void vp8_gm_rd_split(struct VP8_COMP *cpi, MACROBLOCK *x,
                     const vp8_gm_split *split, int mdcounts[4],
                     vp8_gm_best *best);
void vp8_gm_rd_intra(struct VP8_COMP *cpi, MACROBLOCK *x,
                     const vp8_gm_intra *intra, vp8_gm_best *best);

/* The best of the candidates of a key frame's macroblock, which are at least
 * one; sets its modes. To sub-blocks' candidates comes the mode that costs least
 * behind its neighbours; thorough, these too, and a second chroma mode. Returns
 * the rate. */
int vp8_gm_rd_key(MACROBLOCK *x, const vp8_gm_intra *intra, int thorough);

/* Note the macroblock's mode and vectors as the best. */
void vp8_gm_keep(const MACROBLOCK *x, vp8_gm_best *best);

/* Make the best the macroblock's, and count its vectors. */
void vp8_gm_take(MACROBLOCK *x, const vp8_gm_best *best, int_mv *best_ref_mv);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_GUIDED_MODE_H_
