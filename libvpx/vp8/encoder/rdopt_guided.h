/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The guided mode decision's way to the functions that are private to rdopt.c,
 * which includes this file at its end.
 */

#include "vp8/encoder/guided_mode.h"

/* Returns whether this is the best so far. */
static int gm_update(MACROBLOCK *x, vp8_gm_best *best, int this_rd,
                     const RATE_DISTORTION *rd) {
  if (this_rd >= best->rd && !x->skip) return 0;
  best->rd = this_rd;
  best->rate = rd->rate2;
  best->distortion = rd->distortion2;
  vp8_gm_keep(x, best);
  return 1;
}

/* Whether luma has coefficients. Without any, its tokens may cost nothing. */
static int gm_luma_coded(const MACROBLOCKD *xd) {
  int i;

  if (xd->eobs[24]) return 1;
  for (i = 0; i < 16; ++i) {
    if (xd->eobs[i] > 1) return 1;
  }
  return 0;
}

/* evaluate_inter_mode_rd() without what libvpx looks at for skipping, and
 * without chroma where luma is too much already. Returns 0: it is. */
static int gm_evaluate_inter(VP8_COMP *cpi, MACROBLOCK *x, int best_rd,
                             RATE_DISTORTION *rd) {
  MACROBLOCKD *const xd = &x->e_mbd;
  const int ref_cost = x->ref_frame_cost[xd->mode_info_context->mbmi.ref_frame];
  int distortion;

  vp8_build_inter16x16_predictors_mby(xd, xd->predictor, 16);
  macro_block_yrd(x, &rd->rate_y, &distortion);
  rd->rate2 += rd->rate_y;
  if (gm_luma_coded(xd) &&
      RDCOST(x->rdmult, x->rddiv, rd->rate2 + ref_cost, distortion) >=
          best_rd) {
    return 0;
  }
  rd_inter16x16_uv(cpi, x, &rd->rate_uv, &rd->distortion_uv,
                   cpi->common.full_pixel);
  rd->rate2 += rd->rate_uv;
  rd->distortion2 = distortion + rd->distortion_uv;
  return 1;
}

void vp8_gm_rd_inter16x16(VP8_COMP *cpi, MACROBLOCK *x, int mv_rate,
                          int mdcounts[4], vp8_gm_best *best) {
  RATE_DISTORTION rd = { 0 };
  int disable_skip = 0, other_cost = 0, this_rd;

  rd.rate2 = mv_rate;
  if (x->encode_breakout) {
    this_rd = evaluate_inter_mode_rd(mdcounts, &rd, &disable_skip, cpi, x);
  } else {
    rd.rate2 +=
        vp8_cost_mv_ref(x->e_mbd.mode_info_context->mbmi.mode, mdcounts);
    this_rd = INT_MAX;
    if (!gm_evaluate_inter(cpi, x, best->rd, &rd)) return;
  }
  this_rd = calculate_final_rd_costs(this_rd, &rd, &other_cost, disable_skip, 0,
                                     0, cpi, x);
  if (gm_update(x, best, this_rd, &rd)) vp8_gm_coded_keep(x, 0);
}

void vp8_gm_rd_split(VP8_COMP *cpi, MACROBLOCK *x, const vp8_gm_split *split,
                     int mdcounts[4], vp8_gm_best *best) {
  MACROBLOCKD *const xd = &x->e_mbd;
  RATE_DISTORTION rd = { 0 };
  ENTROPY_CONTEXT_PLANES above = *xd->above_context, left = *xd->left_context;
  ENTROPY_CONTEXT *const ta = (ENTROPY_CONTEXT *)&above;
  ENTROPY_CONTEXT *const tl = (ENTROPY_CONTEXT *)&left;
  int other_cost = 0, this_rd, distortion = 0;
  int i;

  vp8_gm_set_split(x, split);

  vp8_build_inter_predictors_mb(xd);
  vp8_subtract_mby(x->src_diff, *x->block[0].base_src, x->block[0].src_stride,
                   xd->dst.y_buffer, xd->dst.y_stride);
  for (i = 0; i < 16; i += 2) {
    x->short_fdct8x4(x->block[i].src_diff, x->block[i].coeff, 32);
  }
  rd.rate2 = vp8_cost_mv_ref(SPLITMV, mdcounts) + split->rate;
  for (i = 0; i < 16; ++i) {
    x->quantize_b(&x->block[i], &xd->block[i]);
    rd.rate_y += cost_coeffs(x, xd->block + i, PLANE_TYPE_Y_WITH_DC,
                             ta + vp8_block2above[i], tl + vp8_block2left[i]);
  }
  distortion = vp8_mbblock_error(x, 0) / 4;
  rd.rate2 += rd.rate_y;
  rd.distortion2 = distortion;
  if (RDCOST(x->rdmult, x->rddiv, rd.rate2, distortion) >= best->rd) return;

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
      calculate_final_rd_costs(INT_MAX, &rd, &other_cost, 0, 0, 0, cpi, x);
  if (gm_update(x, best, this_rd, &rd)) vp8_gm_coded_keep(x, 1);
}

/* Rate-distortion of one sub-block with the modes of a mask; like
 * rd_pick_intra4x4block(). Leaves the best's coefficients, for its tokens. */
static int gm_intra4x4(MACROBLOCK *x, int i, unsigned int modes,
                       const int *mode_rates, ENTROPY_CONTEXT *a,
                       ENTROPY_CONTEXT *l, int *rate, int *rate_y,
                       int *distortion) {
  MACROBLOCKD *const xd = &x->e_mbd;
  BLOCK *const be = x->block + i;
  BLOCKD *const b = xd->block + i;
  const int stride = xd->dst.y_stride;
  unsigned char *const dst = xd->dst.y_buffer + b->offset;
  unsigned char *const above = dst - stride;
  const ENTROPY_CONTEXT a0 = *a, l0 = *l;
  DECLARE_ALIGNED(16, unsigned char, best_predictor[16 * 4]);
  DECLARE_ALIGNED(16, short, best_qcoeff[16]);
  DECLARE_ALIGNED(16, short, best_dqcoeff[16]);
  char best_eob = 0;
  int best_rd = INT_MAX;
  int mode, last_mode = B_DC_PRED;

  for (mode = B_DC_PRED; mode <= B_HU_PRED; ++mode) {
    ENTROPY_CONTEXT ta = a0, tl = l0;
    int r, d, this_rd;

    if (!(modes & (1u << mode)) ||
        RDCOST(x->rdmult, x->rddiv, mode_rates[mode], 0) >= best_rd) {
      continue;
    }
    vp8_intra4x4_predict(above, dst - 1, stride, mode, b->predictor, 16,
                         above[-1]);
    vp8_subtract_b(be, b, 16);
    x->short_fdct4x4(be->src_diff, be->coeff, 32);
    x->quantize_b(be, b);
    last_mode = mode;
    r = cost_coeffs(x, b, PLANE_TYPE_Y_WITH_DC, &ta, &tl);
    d = vp8_block_error(be->coeff, b->dqcoeff) >> 2;
    this_rd = RDCOST(x->rdmult, x->rddiv, r + mode_rates[mode], d);
    if (this_rd >= best_rd) continue;
    best_rd = this_rd;
    *rate = r + mode_rates[mode];
    *rate_y = r;
    *distortion = d;
    *a = ta;
    *l = tl;
    b->bmi.as_mode = mode;
    copy_predictor(best_predictor, b->predictor);
    memcpy(best_qcoeff, b->qcoeff, sizeof(best_qcoeff));
    memcpy(best_dqcoeff, b->dqcoeff, sizeof(best_dqcoeff));
    best_eob = *b->eob;
  }
  if (b->bmi.as_mode != last_mode) {
    memcpy(b->qcoeff, best_qcoeff, sizeof(best_qcoeff));
    *b->eob = best_eob;
  }
  vp8_short_idct4x4llm(best_dqcoeff, best_predictor, 16, dst, stride);
  xd->mode_info_context->bmi[i].as_mode = b->bmi.as_mode;
  return best_rd;
}

static void gm_predict_uv(MACROBLOCKD *xd, int mode) {
  xd->mode_info_context->mbmi.uv_mode = mode;
  vp8_build_intra_predictors_mbuv_s(
      xd, xd->dst.u_buffer - xd->dst.uv_stride,
      xd->dst.v_buffer - xd->dst.uv_stride, xd->dst.u_buffer - 1,
      xd->dst.v_buffer - 1, xd->dst.uv_stride, &xd->predictor[256],
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

/* The chroma modes of least squared error: the best and the second. */
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

/* Choose the chroma mode, and transform and quantize it. */
static void gm_intra_uv(MACROBLOCK *x) {
  int best[2];

  gm_rank_uv(x, best);
  gm_code_uv(x, best[0]);
}

/* The same by rate and distortion of the best two. Returns the rate. */
static int gm_intra_uv_rd(MACROBLOCK *x) {
  int best[2], rate[2], rd[2];
  int i;

  gm_rank_uv(x, best);
  for (i = 1; i >= 0; --i) {
    gm_code_uv(x, best[i]);
    rate[i] = rd_cost_mbuv(x) +
              x->intra_uv_mode_cost[x->e_mbd.frame_type][best[i]];
    rd[i] = RDCOST(x->rdmult, x->rddiv, rate[i], vp8_mbuverror(x) / 4);
  }
  if (rd[0] <= rd[1]) return rate[0];
  gm_code_uv(x, best[1]);
  return rate[1];
}

void vp8_gm_rd_intra(VP8_COMP *cpi, MACROBLOCK *x, const vp8_gm_intra *intra,
                     vp8_gm_best *best) {
  MACROBLOCKD *const xd = &x->e_mbd;
  MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;
  const int penalty =
      10 * vp8_dc_quant(cpi->common.base_qindex, cpi->common.y1dc_delta_q);
  int uv_rate, uv_distortion, uv_tteob = 0, uv_mode_rate;
  int i, mode;

  mbmi->ref_frame = INTRA_FRAME;
  mbmi->mv.as_int = 0;
  gm_intra_uv(x);
  uv_rate = rd_cost_mbuv(x);
  uv_distortion = vp8_mbuverror(x) / 4;
  uv_mode_rate = x->intra_uv_mode_cost[xd->frame_type][mbmi->uv_mode];
  for (i = 16; i < 24; ++i) uv_tteob += xd->eobs[i];

  for (mode = DC_PRED; mode <= B_PRED; ++mode) {
    RATE_DISTORTION rd = { 0 };
    int distortion = 0, other_cost = 0, this_rd = INT_MAX;

    if (!(intra->modes & (1u << mode))) continue;
    mbmi->mode = mode;
    rd.rate2 = x->mbmode_cost[xd->frame_type][mode];
    if (mode == B_PRED) {
      ENTROPY_CONTEXT_PLANES above = *xd->above_context;
      ENTROPY_CONTEXT_PLANES left = *xd->left_context;
      ENTROPY_CONTEXT *const ta = (ENTROPY_CONTEXT *)&above;
      ENTROPY_CONTEXT *const tl = (ENTROPY_CONTEXT *)&left;
      /* What is sure to be added, less rounding. */
      const int64_t rest = RDCOST(x->rdmult, x->rddiv,
                                  rd.rate2 + uv_rate + uv_mode_rate +
                                      x->ref_frame_cost[INTRA_FRAME],
                                  uv_distortion) +
                           penalty - 16;
      int64_t total = 0;
      int coded = uv_tteob; /* without coefficients tokens cost nothing */

      intra_prediction_down_copy(xd, xd->dst.y_buffer - xd->dst.y_stride + 16);
      for (i = 0; i < 16; ++i) {
        int r = 0, ry = 0, d = 0;
        total += gm_intra4x4(x, i, intra->sub_modes[i], x->inter_bmode_costs,
                             ta + vp8_block2above[i], tl + vp8_block2left[i],
                             &r, &ry, &d);
        rd.rate2 += r;
        rd.rate_y += ry;
        distortion += d;
        coded |= *xd->block[i].eob;
        if (total + (coded ? rest : 0) >= best->rd) break;
      }
      if (i < 16) continue;
    } else {
      vp8_build_intra_predictors_mby_s(
          xd, xd->dst.y_buffer - xd->dst.y_stride, xd->dst.y_buffer - 1,
          xd->dst.y_stride, xd->predictor, 16);
      macro_block_yrd(x, &rd.rate_y, &distortion);
      rd.rate2 += rd.rate_y;
    }
    rd.rate2 += uv_rate + uv_mode_rate;
    rd.rate_uv = uv_rate;
    rd.distortion2 = distortion + uv_distortion;
    rd.distortion_uv = uv_distortion;
    this_rd = calculate_final_rd_costs(this_rd, &rd, &other_cost, 0, uv_tteob,
                                       penalty, cpi, x);
    if (rd.distortion2 < best->intra_distortion) {
      best->intra_distortion = rd.distortion2;
    }
    if (gm_update(x, best, this_rd, &rd)) {
      if (mode == B_PRED) {
        vp8_gm_coded_keep_bpred(x);
      } else {
        vp8_gm_coded_keep(x, 0);
      }
    }
  }
}

static int gm_cheapest(const int *rates, int n) {
  int i, best = 0;

  for (i = 1; i < n; ++i) {
    if (rates[i] < rates[best]) best = i;
  }
  return best;
}

int vp8_gm_rd_key(MACROBLOCK *x, const vp8_gm_intra *intra, int thorough) {
  MACROBLOCKD *const xd = &x->e_mbd;
  MODE_INFO *const mic = xd->mode_info_context;
  ENTROPY_CONTEXT_PLANES above = *xd->above_context, left = *xd->left_context;
  ENTROPY_CONTEXT *const ta = (ENTROPY_CONTEXT *)&above;
  ENTROPY_CONTEXT *const tl = (ENTROPY_CONTEXT *)&left;
  int best_rd = INT_MAX, best_mode = B_PRED, best_rate = 0, uv_rate;
  int mode, i, rate, r, d;
  int64_t total;

  if (thorough) {
    uv_rate = gm_intra_uv_rd(x);
  } else {
    gm_intra_uv(x);
    uv_rate = rd_cost_mbuv(x) +
              x->intra_uv_mode_cost[xd->frame_type][mic->mbmi.uv_mode];
  }
  for (mode = DC_PRED; mode <= TM_PRED; ++mode) {
    int this_rd;

    if (!(intra->modes & (1u << mode))) continue;
    mic->mbmi.mode = mode;
    vp8_build_intra_predictors_mby_s(xd, xd->dst.y_buffer - xd->dst.y_stride,
                                     xd->dst.y_buffer - 1, xd->dst.y_stride,
                                     xd->predictor, 16);
    macro_block_yrd(x, &r, &d);
    r += x->mbmode_cost[xd->frame_type][mode];
    this_rd = RDCOST(x->rdmult, x->rddiv, r, d);
    if (this_rd >= best_rd) continue;
    best_rd = this_rd;
    best_mode = mode;
    best_rate = r;
    vp8_gm_coded_keep(x, 0);
  }
  mic->mbmi.mode = best_mode;
  if (!(intra->modes & (1u << B_PRED))) return best_rate + uv_rate;

  intra_prediction_down_copy(xd, xd->dst.y_buffer - xd->dst.y_stride + 16);
  rate = x->mbmode_cost[xd->frame_type][B_PRED];
  total = RDCOST(x->rdmult, x->rddiv, rate, 0);
  for (i = 0; i < 16; ++i) {
    const B_PREDICTION_MODE a = above_block_mode(mic, i, xd->mode_info_stride);
    const B_PREDICTION_MODE l = left_block_mode(mic, i);
    const int *const rates = x->bmode_costs[a][l];
    unsigned int modes = intra->sub_modes[i] | 1u << gm_cheapest(rates, 10);
    int rate_y;

    if (thorough) modes |= 1u << a | 1u << l;
    total += gm_intra4x4(x, i, modes, rates, ta + vp8_block2above[i],
                         tl + vp8_block2left[i], &r, &rate_y, &d);
    if (total >= best_rd) return best_rate + uv_rate;
    rate += r;
  }
  mic->mbmi.mode = B_PRED;
  vp8_gm_coded_keep_bpred(x);
  return rate + uv_rate;
}

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
