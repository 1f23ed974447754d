/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Defines what guided_rd.h declares. rdopt.c includes this file at its end,
 * because it needs functions that are private to rdopt.c.
 */

#include "vp8/encoder/fast_tokens.h"
#include "vp8/encoder/guided_code.h"
#include "vp8/encoder/guided_rd.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* Make x's candidate the best if it is, or if its skip ends the decision.
 * Returns whether it is the best so far. */
static int gm_update(MACROBLOCK *x, vp8_gm_best *best, int this_rd,
                     const RATE_DISTORTION *rd) {
  if (this_rd >= best->rd && !x->skip) return 0;
  best->rd = this_rd;
  best->rate = rd->rate2;
  best->distortion = rd->distortion2;
  vp8_gm_keep(x, best);
  return 1;
}

/* ---- inter --------------------------------------------------------------- */

/* Whether luma has coefficients. A macroblock without any may be skipped, and
 * then its tokens cost nothing. */
static int gm_luma_coded(const MACROBLOCKD *xd) {
  int i;

  if (xd->eobs[24]) return 1;
  for (i = 0; i < 16; ++i) {
    if (xd->eobs[i] > 1) return 1;
  }
  return 0;
}

/* Like evaluate_inter_mode_rd(), without its test for skipping. Returns 0,
 * without chroma, if luma alone costs no less than the best. */
static int gm_evaluate_inter(VP8_COMP *cpi, MACROBLOCK *x, int best_rd,
                             RATE_DISTORTION *rd) {
  MACROBLOCKD *const xd = &x->e_mbd;
  const int ref_cost = x->ref_frame_cost[xd->mode_info_context->mbmi.ref_frame];
  int distortion;

  vp8_build_inter16x16_predictors_mby(xd, xd->predictor, 16);
  macro_block_yrd(x, &rd->rate_y, &distortion);
  rd->rate2 += rd->rate_y;
  if (gm_luma_coded(xd) && RDCOST(x->rdmult, x->rddiv, rd->rate2 + ref_cost,
                                  distortion) >= best_rd) {
    return 0;
  }
  rd_inter16x16_uv(cpi, x, &rd->rate_uv, &rd->distortion_uv,
                   cpi->common.full_pixel);
  rd->rate2 += rd->rate_uv;
  rd->distortion2 = distortion + rd->distortion_uv;
  return 1;
}

void vp8_gm_rd_inter16x16(const vp8_gm_decision *d, int mv_rate,
                          vp8_gm_best *best) {
  MACROBLOCK *const x = d->x;
  RATE_DISTORTION rd = { 0 };
  int disable_skip = 0, other_cost = 0, this_rd = INT_MAX;

  rd.rate2 = mv_rate;
  if (x->encode_breakout) {
    int mdcounts[4];

    memcpy(mdcounts, d->mdcounts, sizeof(mdcounts));
    this_rd = evaluate_inter_mode_rd(mdcounts, &rd, &disable_skip, d->cpi, x);
  } else {
    rd.rate2 += d->mode_rate[x->e_mbd.mode_info_context->mbmi.mode - NEARESTMV];
    if (!gm_evaluate_inter(d->cpi, x, best->rd, &rd)) return;
  }
  this_rd = calculate_final_rd_costs(this_rd, &rd, &other_cost, disable_skip, 0,
                                     0, d->cpi, x);
  if (gm_update(x, best, this_rd, &rd)) vp8_gm_coded_keep(x, 0);
}

/* Like vp8_rdcost_mby(), without Y2. */
static int gm_rate_luma_with_dc(MACROBLOCK *x) {
  MACROBLOCKD *const xd = &x->e_mbd;
  ENTROPY_CONTEXT_PLANES above = *xd->above_context, left = *xd->left_context;
  ENTROPY_CONTEXT *const ta = (ENTROPY_CONTEXT *)&above;
  ENTROPY_CONTEXT *const tl = (ENTROPY_CONTEXT *)&left;
  int i, rate = 0;

  for (i = 0; i < 16; ++i) {
    rate += cost_coeffs(x, xd->block + i, PLANE_TYPE_Y_WITH_DC,
                        ta + vp8_block2above[i], tl + vp8_block2left[i]);
  }
  return rate;
}

/* Transform and quantize the luma of SPLITMV, whose prediction is in the frame.
 * Returns the rate of its tokens. */
static int gm_code_split_luma(MACROBLOCK *x) {
  MACROBLOCKD *const xd = &x->e_mbd;
  int i;

  vp8_subtract_mby(x->src_diff, *x->block[0].base_src, x->block[0].src_stride,
                   xd->dst.y_buffer, xd->dst.y_stride);
  for (i = 0; i < 16; i += 2) {
    x->short_fdct8x4(x->block[i].src_diff, x->block[i].coeff, 32);
  }
  for (i = 0; i < 16; ++i) x->quantize_b(&x->block[i], &xd->block[i]);
  return gm_rate_luma_with_dc(x);
}

void vp8_gm_rd_split(const vp8_gm_decision *d, const vp8_gm_split *split,
                     vp8_gm_best *best) {
  MACROBLOCK *const x = d->x;
  MACROBLOCKD *const xd = &x->e_mbd;
  RATE_DISTORTION rd = { 0 };
  int other_cost = 0, this_rd;

  vp8_build_inter_predictors_mb(xd);
  rd.rate_y = gm_code_split_luma(x);
  rd.rate2 = d->mode_rate[SPLITMV - NEARESTMV] + split->rate + rd.rate_y;
  rd.distortion2 = vp8_mbblock_error(x, 0) / 4;
  if (RDCOST(x->rdmult, x->rddiv, rd.rate2, rd.distortion2) >= best->rd) return;

  vp8_subtract_mbuv(x->src_diff, x->src.u_buffer, x->src.v_buffer,
                    x->src.uv_stride, xd->dst.u_buffer, xd->dst.v_buffer,
                    xd->dst.uv_stride);
  vp8_transform_mbuv(x);
  vp8_quantize_mbuv(x);
  rd.rate_uv = rd_cost_mbuv(x);
  rd.distortion_uv = vp8_mbuverror(x) / 4;
  rd.rate2 += rd.rate_uv;
  rd.distortion2 += rd.distortion_uv;
  this_rd =
      calculate_final_rd_costs(INT_MAX, &rd, &other_cost, 0, 0, 0, d->cpi, x);
  if (gm_update(x, best, this_rd, &rd)) vp8_gm_coded_keep(x, 1);
}

void vp8_gm_count_rate(MACROBLOCK *x) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const int mode = xd->mode_info_context->mbmi.mode;
  const int has_y2 = mode != B_PRED && mode != SPLITMV;

  if (!x->mp_coded.counts_rate || vp8_ft_all_zero(xd->eobs, has_y2)) return;
  x->mp_coded.token_rate =
      (has_y2 ? vp8_rdcost_mby(x) : gm_rate_luma_with_dc(x)) + rd_cost_mbuv(x);
}

/* ---- intra: chroma ------------------------------------------------------- */

static void gm_predict_uv(MACROBLOCKD *xd, int mode) {
  xd->mode_info_context->mbmi.uv_mode = mode;
  vp8_build_intra_predictors_mbuv_s(xd, xd->dst.u_buffer - xd->dst.uv_stride,
                                    xd->dst.v_buffer - xd->dst.uv_stride,
                                    xd->dst.u_buffer - 1, xd->dst.v_buffer - 1,
                                    xd->dst.uv_stride, &xd->predictor[256],
                                    &xd->predictor[320], 8);
}

static void gm_code_uv(MACROBLOCK *x, int mode) {
  MACROBLOCKD *const xd = &x->e_mbd;

  gm_predict_uv(xd, mode);
  vp8_subtract_mbuv(x->src_diff, x->src.u_buffer, x->src.v_buffer,
                    x->src.uv_stride, &xd->predictor[256], &xd->predictor[320],
                    8);
  vp8_transform_mbuv(x);
  vp8_quantize_mbuv(x);
}

/* Find the two chroma modes of least squared error and rate, the best first. */
static void gm_rank_uv(MACROBLOCK *x, int best[2]) {
  MACROBLOCKD *const xd = &x->e_mbd;
  unsigned int low[2] = { UINT_MAX, UINT_MAX };
  int mode;

  best[0] = best[1] = DC_PRED;
  for (mode = DC_PRED; mode <= TM_PRED; ++mode) {
    unsigned int u, v, cost;

    gm_predict_uv(xd, mode);
    vpx_variance8x8(x->src.u_buffer, x->src.uv_stride, &xd->predictor[256], 8,
                    &u);
    vpx_variance8x8(x->src.v_buffer, x->src.uv_stride, &xd->predictor[320], 8,
                    &v);
    cost = RDCOST(x->rdmult, x->rddiv,
                  x->intra_uv_mode_cost[xd->frame_type][mode], u + v);
    if (cost < low[0]) {
      low[1] = low[0];
      best[1] = best[0];
      low[0] = cost;
      best[0] = mode;
    } else if (cost < low[1]) {
      low[1] = cost;
      best[1] = mode;
    }
  }
}

/* Transform and quantize the best chroma mode by squared error and rate. */
static void gm_intra_uv(MACROBLOCK *x) {
  int best[2];

  gm_rank_uv(x, best);
  gm_code_uv(x, best[0]);
}

/* The same with the better of the two best by rate-distortion cost. Returns its
 * rate. */
static int gm_intra_uv_rd(MACROBLOCK *x) {
  int best[2], rate[2], rd[2];
  int i;

  gm_rank_uv(x, best);
  for (i = 1; i >= 0; --i) {
    gm_code_uv(x, best[i]);
    rate[i] =
        rd_cost_mbuv(x) + x->intra_uv_mode_cost[x->e_mbd.frame_type][best[i]];
    rd[i] = RDCOST(x->rdmult, x->rddiv, rate[i], vp8_mbuverror(x) / 4);
  }
  if (rd[0] <= rd[1]) return rate[0];
  gm_code_uv(x, best[1]);
  return rate[1];
}

/* ---- intra: luma --------------------------------------------------------- */

static void gm_predict_intra16x16(MACROBLOCKD *xd, int mode) {
  xd->mode_info_context->mbmi.mode = mode;
  vp8_build_intra_predictors_mby_s(xd, xd->dst.y_buffer - xd->dst.y_stride,
                                   xd->dst.y_buffer - 1, xd->dst.y_stride,
                                   xd->predictor, 16);
}

/* What a subblock costs. */
typedef struct gm_cost {
  int rate, token_rate; /* rate is that of mode and tokens */
  int distortion;
} gm_cost;

/* What a subblock is coded as. */
typedef struct gm_block {
  DECLARE_ALIGNED(16, unsigned char, predictor[16 * 4]);
  DECLARE_ALIGNED(16, short, qcoeff[16]);
  DECLARE_ALIGNED(16, short, dqcoeff[16]);
  char eob;
} gm_block;

static void gm_keep_block(const BLOCKD *b, gm_block *block) {
  copy_predictor(block->predictor, b->predictor);
  memcpy(block->qcoeff, b->qcoeff, sizeof(block->qcoeff));
  memcpy(block->dqcoeff, b->dqcoeff, sizeof(block->dqcoeff));
  block->eob = *b->eob;
}

/* Predict, transform and quantize a subblock. */
static void gm_code_intra4x4(MACROBLOCK *x, int i, int mode) {
  BLOCK *const be = x->block + i;
  BLOCKD *const b = x->e_mbd.block + i;
  const int stride = x->e_mbd.dst.y_stride;
  unsigned char *const dst = x->e_mbd.dst.y_buffer + b->offset;
  unsigned char *const above = dst - stride;

  vp8_intra4x4_predict(above, dst - 1, stride, mode, b->predictor, 16,
                       above[-1]);
  vp8_subtract_b(be, b, 16);
  x->short_fdct4x4(be->src_diff, be->coeff, 32);
  x->quantize_b(be, b);
}

/* Like rd_pick_intra4x4block(), with the modes whose bits are set. Leaves the
 * best's coefficients, which its tokens are made of, and reconstruction.
 * Returns its rate-distortion cost. */
static int gm_intra4x4(MACROBLOCK *x, int i, unsigned int modes,
                       const int *mode_rates, ENTROPY_CONTEXT *a,
                       ENTROPY_CONTEXT *l, gm_cost *cost) {
  MACROBLOCKD *const xd = &x->e_mbd;
  BLOCKD *const b = xd->block + i;
  const ENTROPY_CONTEXT a0 = *a, l0 = *l;
  gm_block best;
  int best_rd = INT_MAX;
  int mode, last_mode = B_DC_PRED;

  best.eob = 0;
  for (mode = B_DC_PRED; mode <= B_HU_PRED; ++mode) {
    ENTROPY_CONTEXT ta = a0, tl = l0;
    int token_rate, rate, distortion, this_rd;

    if (!(modes & (1u << mode)) ||
        RDCOST(x->rdmult, x->rddiv, mode_rates[mode], 0) >= best_rd) {
      continue;
    }
    gm_code_intra4x4(x, i, mode);
    last_mode = mode;
    token_rate = cost_coeffs(x, b, PLANE_TYPE_Y_WITH_DC, &ta, &tl);
    distortion = vp8_block_error(x->block[i].coeff, b->dqcoeff) >> 2;
    rate = token_rate + mode_rates[mode];
    this_rd = RDCOST(x->rdmult, x->rddiv, rate, distortion);
    if (this_rd >= best_rd) continue;
    best_rd = this_rd;
    cost->rate = rate;
    cost->token_rate = token_rate;
    cost->distortion = distortion;
    *a = ta;
    *l = tl;
    b->bmi.as_mode = mode;
    gm_keep_block(b, &best);
  }
  if ((int)b->bmi.as_mode != last_mode) {
    memcpy(b->qcoeff, best.qcoeff, sizeof(best.qcoeff));
    *b->eob = best.eob;
  }
  vp8_short_idct4x4llm(best.dqcoeff, best.predictor, 16,
                       xd->dst.y_buffer + b->offset, xd->dst.y_stride);
  xd->mode_info_context->bmi[i].as_mode = b->bmi.as_mode;
  return best_rd;
}

/* ---- intra modes in inter frames ----------------------------------------- */

/* The chroma of all intra modes. */
typedef struct gm_intra_chroma {
  int rate, mode_rate, distortion;
  int eobs; /* their sum; 0: without coefficients */
} gm_intra_chroma;

/* Evaluate B_PRED's luma, *rd being 0 but for the rate of the mode. rest: the
 * cost that is added to that of the subblocks if there are coefficients.
 * Returns 0, unfinished, if it costs no less than the best. */
static int gm_evaluate_bpred(MACROBLOCK *x, const unsigned short modes[16],
                             int coded, int64_t rest, int best_rd,
                             RATE_DISTORTION *rd) {
  MACROBLOCKD *const xd = &x->e_mbd;
  ENTROPY_CONTEXT_PLANES above = *xd->above_context, left = *xd->left_context;
  ENTROPY_CONTEXT *const ta = (ENTROPY_CONTEXT *)&above;
  ENTROPY_CONTEXT *const tl = (ENTROPY_CONTEXT *)&left;
  int64_t total = 0;
  int i;

  intra_prediction_down_copy(xd, xd->dst.y_buffer - xd->dst.y_stride + 16);
  for (i = 0; i < 16; ++i) {
    gm_cost cost = { 0, 0, 0 };

    total +=
        gm_intra4x4(x, i, modes[i], x->inter_bmode_costs,
                    ta + vp8_block2above[i], tl + vp8_block2left[i], &cost);
    rd->rate2 += cost.rate;
    rd->rate_y += cost.token_rate;
    rd->distortion2 += cost.distortion;
    coded |= *xd->block[i].eob;
    if (total + (coded ? rest : 0) >= best_rd) return 0;
  }
  return 1;
}

/* Evaluate the luma of an intra mode. Returns 0, unfinished, if it costs no
 * less than the best. */
static int gm_evaluate_intra(MACROBLOCK *x, int mode,
                             const vp8_gm_intra_modes *modes,
                             const gm_intra_chroma *uv, int penalty,
                             int best_rd, RATE_DISTORTION *rd) {
  MACROBLOCKD *const xd = &x->e_mbd;

  rd->rate2 = x->mbmode_cost[xd->frame_type][mode];
  if (mode == B_PRED) {
    const int rate =
        rd->rate2 + uv->rate + uv->mode_rate + x->ref_frame_cost[INTRA_FRAME];
    /* The roundings of the subblocks' costs add up to less than 16. */
    const int64_t rest =
        RDCOST(x->rdmult, x->rddiv, rate, uv->distortion) + penalty - 16;

    xd->mode_info_context->mbmi.mode = mode;
    return gm_evaluate_bpred(x, modes->b, uv->eobs, rest, best_rd, rd);
  }
  gm_predict_intra16x16(xd, mode);
  macro_block_yrd(x, &rd->rate_y, &rd->distortion2);
  rd->rate2 += rd->rate_y;
  return 1;
}

static void gm_code_intra_chroma(MACROBLOCK *x, gm_intra_chroma *uv) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;
  int i;

  gm_intra_uv(x);
  uv->rate = rd_cost_mbuv(x);
  uv->distortion = vp8_mbuverror(x) / 4;
  uv->mode_rate = x->intra_uv_mode_cost[xd->frame_type][mbmi->uv_mode];
  uv->eobs = 0;
  for (i = 16; i < 24; ++i) uv->eobs += xd->eobs[i];
}

void vp8_gm_rd_intra(const vp8_gm_decision *d, const vp8_gm_intra_modes *modes,
                     vp8_gm_best *best) {
  VP8_COMP *const cpi = d->cpi;
  MACROBLOCK *const x = d->x;
  MB_MODE_INFO *const mbmi = &x->e_mbd.mode_info_context->mbmi;
  const int penalty =
      10 * vp8_dc_quant(cpi->common.base_qindex, cpi->common.y1dc_delta_q);
  gm_intra_chroma uv;
  int mode;

  mbmi->ref_frame = INTRA_FRAME;
  mbmi->mv.as_int = 0;
  gm_code_intra_chroma(x, &uv);
  for (mode = DC_PRED; mode <= B_PRED; ++mode) {
    RATE_DISTORTION rd = { 0 };
    int other_cost = 0, this_rd;

    if (!(modes->mb & (1u << mode)) ||
        !gm_evaluate_intra(x, mode, modes, &uv, penalty, best->rd, &rd)) {
      continue;
    }
    rd.rate2 += uv.rate + uv.mode_rate;
    rd.rate_uv = uv.rate;
    rd.distortion2 += uv.distortion;
    rd.distortion_uv = uv.distortion;
    this_rd = calculate_final_rd_costs(INT_MAX, &rd, &other_cost, 0, uv.eobs,
                                       penalty, cpi, x);
    best->intra_distortion = VPXMIN(best->intra_distortion, rd.distortion2);
    if (!gm_update(x, best, this_rd, &rd)) continue;
    if (mode == B_PRED) {
      vp8_gm_coded_keep_bpred(x);
    } else {
      vp8_gm_coded_keep(x, 0);
    }
  }
}

/* ---- key frames ---------------------------------------------------------- */

/* Set x's mode to the best of the 16x16 modes, B_PRED if there are none.
 * Returns its rate-distortion cost, INT_MAX if there are none. */
static int gm_key_intra16x16(MACROBLOCK *x, unsigned int modes, int *rate) {
  MACROBLOCKD *const xd = &x->e_mbd;
  int best_rd = INT_MAX, best_mode = B_PRED;
  int mode;

  *rate = 0;
  for (mode = DC_PRED; mode <= TM_PRED; ++mode) {
    int this_rate, distortion, this_rd;

    if (!(modes & (1u << mode))) continue;
    gm_predict_intra16x16(xd, mode);
    macro_block_yrd(x, &this_rate, &distortion);
    this_rate += x->mbmode_cost[xd->frame_type][mode];
    this_rd = RDCOST(x->rdmult, x->rddiv, this_rate, distortion);
    if (this_rd >= best_rd) continue;
    best_rd = this_rd;
    best_mode = mode;
    *rate = this_rate;
    vp8_gm_coded_keep(x, 0);
  }
  xd->mode_info_context->mbmi.mode = best_mode;
  return best_rd;
}

static int gm_cheapest(const int *rates, int n) {
  int i, best = 0;

  for (i = 1; i < n; ++i) {
    if (rates[i] < rates[best]) best = i;
  }
  return best;
}

/* Set x's mode to B_PRED if it costs less than the best, and *rate to its
 * rate. */
static void gm_key_bpred(MACROBLOCK *x, const unsigned short modes[16],
                         int thorough, int best_rd, int *rate) {
  MACROBLOCKD *const xd = &x->e_mbd;
  MODE_INFO *const mic = xd->mode_info_context;
  ENTROPY_CONTEXT_PLANES above = *xd->above_context, left = *xd->left_context;
  ENTROPY_CONTEXT *const ta = (ENTROPY_CONTEXT *)&above;
  ENTROPY_CONTEXT *const tl = (ENTROPY_CONTEXT *)&left;
  int this_rate = x->mbmode_cost[xd->frame_type][B_PRED];
  int64_t total = RDCOST(x->rdmult, x->rddiv, this_rate, 0);
  int i;

  intra_prediction_down_copy(xd, xd->dst.y_buffer - xd->dst.y_stride + 16);
  for (i = 0; i < 16; ++i) {
    const B_PREDICTION_MODE a = above_block_mode(mic, i, xd->mode_info_stride);
    const B_PREDICTION_MODE l = left_block_mode(mic, i);
    const int *const rates = x->bmode_costs[a][l];
    unsigned int tried = modes[i] | 1u << gm_cheapest(rates, 10);
    gm_cost cost = { 0, 0, 0 };

    if (thorough) tried |= 1u << a | 1u << l;
    total += gm_intra4x4(x, i, tried, rates, ta + vp8_block2above[i],
                         tl + vp8_block2left[i], &cost);
    if (total >= best_rd) return;
    this_rate += cost.rate;
  }
  mic->mbmi.mode = B_PRED;
  vp8_gm_coded_keep_bpred(x);
  *rate = this_rate;
}

int vp8_gm_rd_key(MACROBLOCK *x, const vp8_gm_intra_modes *modes,
                  int thorough) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;
  int rd, rate, uv_rate;

  if (thorough) {
    uv_rate = gm_intra_uv_rd(x);
  } else {
    gm_intra_uv(x);
    uv_rate = rd_cost_mbuv(x);
    uv_rate += x->intra_uv_mode_cost[xd->frame_type][mbmi->uv_mode];
  }
  rd = gm_key_intra16x16(x, modes->mb, &rate);
  if (modes->mb & (1u << B_PRED)) {
    gm_key_bpred(x, modes->b, thorough, rd, &rate);
  }
  return rate + uv_rate;
}

/* ---- the decision -------------------------------------------------------- */

void vp8_gm_take(MACROBLOCK *x, const vp8_gm_best *best, int_mv *best_ref_mv) {
  MODE_INFO *const mic = x->e_mbd.mode_info_context;
  int i;

  mic->mbmi = best->mbmi;
  if (mic->mbmi.mode == B_PRED) {
    for (i = 0; i < 16; ++i) {
      mic->bmi[i].as_mode = best->bmi[i].as_mode;
      x->e_mbd.block[i].bmi.as_mode = best->bmi[i].as_mode;
    }
  } else if (mic->mbmi.mode == SPLITMV) {
    for (i = 0; i < 16; ++i) {
      mic->bmi[i].mv.as_int = best->bmi[i].mv.as_int;
      x->e_mbd.block[i].bmi.mv.as_int = best->bmi[i].mv.as_int;
    }
    *x->partition_info = best->partition;
    mic->mbmi.mv.as_int = best->partition.bmi[15].mv.as_int;
  }
  rd_update_mvcount(x, best_ref_mv);
}
