/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The intra modes' part of mp/mode/rd.inc.h, which includes this file.
 */

/* ---- intra: chroma ------------------------------------------------------- */

static void mp_predict_uv(MACROBLOCKD *xd, int mode) {
  xd->mode_info_context->mbmi.uv_mode = mode;
  vp8_build_intra_predictors_mbuv_s(xd, xd->dst.u_buffer - xd->dst.uv_stride,
                                    xd->dst.v_buffer - xd->dst.uv_stride,
                                    xd->dst.u_buffer - 1, xd->dst.v_buffer - 1,
                                    xd->dst.uv_stride, &xd->predictor[256],
                                    &xd->predictor[320], 8);
}

/* Transform and quantize chroma, predicted by a mode. Returns the rate of its
 * tokens. */
static int mp_code_uv(MACROBLOCK *x, int mode, int *distortion) {
  MACROBLOCKD *const xd = &x->e_mbd;
  unsigned short coded[25];

  mp_predict_uv(xd, mode);
  *distortion = vp8_mp_recon_code_chroma(x, &xd->predictor[256],
                                         &xd->predictor[320], 8, coded);
  return vp8_mp_recon_rate_chroma(x, x->mp_coded.zeros, coded);
}

/* Find the two chroma modes of lowest squared error and rate, the best
 * first. */
static void mp_rank_uv(MACROBLOCK *x, int best[2]) {
  MACROBLOCKD *const xd = &x->e_mbd;
  unsigned int low[2] = { UINT_MAX, UINT_MAX };
  int mode;

  best[0] = best[1] = DC_PRED;
  for (mode = DC_PRED; mode <= TM_PRED; ++mode) {
    unsigned int u, v, cost;

    mp_predict_uv(xd, mode);
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

/* Code chroma by the mode of lowest squared error and rate. Returns the rate of
 * the tokens. */
static int mp_intra_uv(MACROBLOCK *x, int *distortion) {
  int best[2];

  mp_rank_uv(x, best);
  return mp_code_uv(x, best[0], distortion);
}

/* Code chroma by the two best modes, and keep the one of lower RD cost. Returns
 * the rate of mode and tokens. */
static int mp_intra_uv_rd(MACROBLOCK *x) {
  int best[2], rate[2], rd[2];
  int i, distortion;

  mp_rank_uv(x, best);
  for (i = 1; i >= 0; --i) {
    rate[i] = mp_code_uv(x, best[i], &distortion) +
              x->intra_uv_mode_cost[x->e_mbd.frame_type][best[i]];
    rd[i] = RDCOST(x->rdmult, x->rddiv, rate[i], distortion);
  }
  if (rd[0] <= rd[1]) return rate[0];
  mp_code_uv(x, best[1], &distortion);
  return rate[1];
}

/* ---- intra: luma --------------------------------------------------------- */

/* Predict luma by an intra 16x16 mode, transform and quantize it. Returns the
 * rate of its tokens. */
static int mp_code_intra16x16(MACROBLOCK *x, int mode, int *distortion) {
  MACROBLOCKD *const xd = &x->e_mbd;
  unsigned short coded[25];

  xd->mode_info_context->mbmi.mode = mode;
  vp8_build_intra_predictors_mby_s(xd, xd->dst.y_buffer - xd->dst.y_stride,
                                   xd->dst.y_buffer - 1, xd->dst.y_stride,
                                   xd->predictor, 16);
  *distortion = vp8_mp_recon_code_luma(x, xd->predictor, 16, 1, coded);
  return vp8_mp_recon_rate_luma(x, x->mp_coded.zeros, 1, coded);
}

/* Rate and distortion of a sub-block. */
typedef struct mp_cost {
  int rate, token_rate; /* rate: mode and tokens */
  int distortion;
} mp_cost;

/* Number of batches of four predictions that hold all modes of a sub-block. */
#define MP_BATCHES ((B_HU_PRED + 4) / 4)

/* Predict, transform and quantize a sub-block by each mode whose bit is set.
 * Sets list[] to these modes. Returns their number. */
static int mp_code_intra4x4(const MACROBLOCK *x, int i, unsigned int modes,
                            vp8_mp_recon_batch batches[MP_BATCHES],
                            unsigned char list[4 * MP_BATCHES]) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const int stride = xd->dst.y_stride;
  unsigned char *const dst = xd->dst.y_buffer + xd->block[i].offset;
  unsigned char *const above = dst - stride;
  int n, k;

  modes &=
      (2u << B_HU_PRED) - 1; /* a provider may name modes that do not exist */
  for (n = 0; modes; modes &= modes - 1) {
    const int mode = get_lsb(modes);

    vp8_intra4x4_predict(above, dst - 1, stride, (B_PREDICTION_MODE)mode,
                         batches[n >> 2].pred[0] + 4 * (n & 3), 16, above[-1]);
    list[n++] = (unsigned char)mode;
  }
  for (k = 0; k < n; k += 4) {
    vp8_mp_recon_code_batch(x, i, VPXMIN(n - k, 4), &batches[k >> 2]);
  }
  return n;
}

/* Set the coefficients of a sub-block to those of prediction k of a batch, and
 * reconstruct it. */
static void mp_take_intra4x4(const MACROBLOCKD *xd, int i,
                             vp8_mp_recon_batch *batches, int k) {
  const BLOCKD *const b = &xd->block[i];

  memcpy(b->qcoeff, batches->qcoeff[k], sizeof(batches->qcoeff[k]));
  *b->eob = (char)(batches->coded[k] ? 1 + get_msb(batches->coded[k]) : 0);
  vp8_short_idct4x4llm(batches->dqcoeff[k], batches->pred[0] + 4 * k, 16,
                       xd->dst.y_buffer + b->offset, xd->dst.y_stride);
}

/* Like rd_pick_intra4x4block(), but evaluates only the modes whose bits are
 * set. Leaves the best mode's coefficients, for the tokens, and its
 * reconstruction. Returns its RD cost. */
static int mp_intra4x4(MACROBLOCK *x, int i, unsigned int modes,
                       const int *mode_rates, ENTROPY_CONTEXT *a,
                       ENTROPY_CONTEXT *l, mp_cost *cost) {
  MACROBLOCKD *const xd = &x->e_mbd;
  const int neighbours = *a + *l;
  vp8_mp_recon_batch batches[MP_BATCHES];
  unsigned char list[4 * MP_BATCHES];
  const int n = mp_code_intra4x4(x, i, modes, batches, list);
  int best_rd = INT_MAX, best = 0;
  int k;

  for (k = 0; k < n; ++k) {
    const vp8_mp_recon_batch *const t = &batches[k >> 2];
    const int mode_rate = mode_rates[list[k]];
    const int distortion = t->error[k & 3] >> 2;
    int token_rate, this_rd;

    if (RDCOST(x->rdmult, x->rddiv, mode_rate, distortion) >= best_rd) continue;
    token_rate =
        vp8_mp_recon_rate_block(x, x->mp_coded.zeros, PLANE_TYPE_Y_WITH_DC,
                                t->qcoeff[k & 3], t->coded[k & 3], neighbours);
    this_rd = RDCOST(x->rdmult, x->rddiv, token_rate + mode_rate, distortion);
    if (this_rd >= best_rd) continue;
    best_rd = this_rd;
    cost->rate = token_rate + mode_rate;
    cost->token_rate = token_rate;
    cost->distortion = distortion;
    best = k;
  }
  *a = *l = batches[best >> 2].coded[best & 3] != 0;
  mp_take_intra4x4(xd, i, &batches[best >> 2], best & 3);
  xd->block[i].bmi.as_mode = (B_PREDICTION_MODE)list[best];
  xd->mode_info_context->bmi[i].as_mode = (B_PREDICTION_MODE)list[best];
  return best_rd;
}

/* ---- intra modes in inter frames ----------------------------------------- */

/* Rate and distortion of chroma, which is the same for all intra modes. */
typedef struct mp_intra_chroma {
  int rate, mode_rate, distortion;
  int eobs; /* sum over the blocks; 0: no coefficients */
} mp_intra_chroma;

/* Returns the lowest RD cost that a sub-block of B_PRED may have in an inter
 * frame: that of its mode and its first token. */
static int mp_least_intra4x4(const MACROBLOCK *x) {
  int rate = x->inter_bmode_costs[B_DC_PRED];
  int mode;

  for (mode = B_TM_PRED; mode <= B_HU_PRED; ++mode) {
    rate = VPXMIN(rate, x->inter_bmode_costs[mode]);
  }
  rate += x->mp_coded.zeros->least_first[PLANE_TYPE_Y_WITH_DC];
  return RDCOST(x->rdmult, x->rddiv, rate, 0);
}

/* Evaluate the luma of B_PRED. *rd holds the rate of the mode, and is 0
 * otherwise. rest is the cost to add to that of the sub-blocks if there are
 * coefficients. Returns 0, with *rd incomplete, if it costs at least as much as
 * the best candidate. */
static int mp_evaluate_bpred(MACROBLOCK *x, const unsigned short modes[16],
                             int coded, int64_t rest, int best_rd,
                             RATE_DISTORTION *rd) {
  MACROBLOCKD *const xd = &x->e_mbd;
  ENTROPY_CONTEXT_PLANES above = *xd->above_context, left = *xd->left_context;
  ENTROPY_CONTEXT *const ta = (ENTROPY_CONTEXT *)&above;
  ENTROPY_CONTEXT *const tl = (ENTROPY_CONTEXT *)&left;
  const int least = mp_least_intra4x4(x);
  int64_t total = 0;
  int i;

  intra_prediction_down_copy(xd, xd->dst.y_buffer - xd->dst.y_stride + 16);
  for (i = 0; i < 16; ++i) {
    mp_cost cost = { 0, 0, 0 };

    total +=
        mp_intra4x4(x, i, modes[i], x->inter_bmode_costs,
                    ta + vp8_block2above[i], tl + vp8_block2left[i], &cost);
    rd->rate2 += cost.rate;
    rd->rate_y += cost.token_rate;
    rd->distortion2 += cost.distortion;
    coded |= *xd->block[i].eob;
    if (total + (coded ? rest : 0) + (15 - i) * least >= best_rd) return 0;
  }
  return 1;
}

/* Evaluate the luma of an intra mode. Returns 0, with *rd incomplete, if it
 * costs at least as much as the best candidate. */
static int mp_evaluate_intra(MACROBLOCK *x, int mode,
                             const vp8_mp_mode_intra_modes *modes,
                             const mp_intra_chroma *uv, int penalty,
                             int best_rd, RATE_DISTORTION *rd) {
  MACROBLOCKD *const xd = &x->e_mbd;

  rd->rate2 = x->mbmode_cost[xd->frame_type][mode];
  if (mode == B_PRED) {
    const int rate =
        rd->rate2 + uv->rate + uv->mode_rate + x->ref_frame_cost[INTRA_FRAME];
    /* The rounding errors of the sub-blocks' costs add up to less than 16. */
    const int64_t rest =
        RDCOST(x->rdmult, x->rddiv, rate, uv->distortion) + penalty - 16;

    xd->mode_info_context->mbmi.mode = mode;
    return mp_evaluate_bpred(x, modes->b, uv->eobs, rest, best_rd, rd);
  }
  rd->rate_y = mp_code_intra16x16(x, mode, &rd->distortion2);
  rd->rate2 += rd->rate_y;
  return 1;
}

static void mp_code_intra_chroma(MACROBLOCK *x, mp_intra_chroma *uv) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;
  int i;

  uv->rate = mp_intra_uv(x, &uv->distortion);
  uv->mode_rate = x->intra_uv_mode_cost[xd->frame_type][mbmi->uv_mode];
  uv->eobs = 0;
  for (i = 16; i < 24; ++i) uv->eobs += xd->eobs[i];
}

void vp8_mp_mode_rd_intra(const vp8_mp_mode_decision *d,
                          const vp8_mp_mode_intra_modes *modes,
                          vp8_mp_mode_best *best) {
  VP8_COMP *const cpi = d->cpi;
  MACROBLOCK *const x = d->x;
  MB_MODE_INFO *const mbmi = &x->e_mbd.mode_info_context->mbmi;
  const int penalty =
      10 * vp8_dc_quant(cpi->common.base_qindex, cpi->common.y1dc_delta_q);
  mp_intra_chroma uv;
  int mode;

  mbmi->ref_frame = INTRA_FRAME;
  mbmi->mv.as_int = 0;
  mp_code_intra_chroma(x, &uv);
  for (mode = DC_PRED; mode <= B_PRED; ++mode) {
    RATE_DISTORTION rd = { 0 };
    int other_cost = 0, this_rd;

    if (!(modes->mb & (1u << mode)) ||
        !mp_evaluate_intra(x, mode, modes, &uv, penalty, best->rd, &rd)) {
      continue;
    }
    rd.rate2 += uv.rate + uv.mode_rate;
    rd.rate_uv = uv.rate;
    rd.distortion2 += uv.distortion;
    rd.distortion_uv = uv.distortion;
    this_rd = calculate_final_rd_costs(INT_MAX, &rd, &other_cost, 0, uv.eobs,
                                       penalty, cpi, x);
    best->intra_distortion = VPXMIN(best->intra_distortion, rd.distortion2);
    if (!mp_update(x, best, this_rd, &rd)) continue;
    if (mode == B_PRED) {
      vp8_mp_recon_coded_keep_bpred(x);
    } else {
      vp8_mp_recon_coded_keep(x);
    }
  }
}

/* ---- key frames ---------------------------------------------------------- */

/* Set x's mode to the best of the 16x16 modes whose bits are set. Returns its
 * RD cost. Without any, sets it to B_PRED and returns INT_MAX. */
static int mp_key_intra16x16(MACROBLOCK *x, unsigned int modes, int *rate) {
  MACROBLOCKD *const xd = &x->e_mbd;
  int best_rd = INT_MAX, best_mode = B_PRED;
  int mode;

  *rate = 0;
  for (mode = DC_PRED; mode <= TM_PRED; ++mode) {
    int this_rate, distortion, this_rd;

    if (!(modes & (1u << mode))) continue;
    this_rate = mp_code_intra16x16(x, mode, &distortion);
    this_rate += x->mbmode_cost[xd->frame_type][mode];
    this_rd = RDCOST(x->rdmult, x->rddiv, this_rate, distortion);
    if (this_rd >= best_rd) continue;
    best_rd = this_rd;
    best_mode = mode;
    *rate = this_rate;
    vp8_mp_recon_coded_keep(x);
  }
  xd->mode_info_context->mbmi.mode = best_mode;
  return best_rd;
}

static int mp_cheapest(const int *rates, int n) {
  int i, best = 0;

  for (i = 1; i < n; ++i) {
    if (rates[i] < rates[best]) best = i;
  }
  return best;
}

/* If B_PRED costs less than best_rd, set x's mode to it, and *rate to its
 * rate. */
static void mp_key_bpred(MACROBLOCK *x, const unsigned short modes[16],
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
    unsigned int tried = modes[i] | 1u << mp_cheapest(rates, 10);
    mp_cost cost = { 0, 0, 0 };

    if (thorough) tried |= 1u << a | 1u << l;
    total += mp_intra4x4(x, i, tried, rates, ta + vp8_block2above[i],
                         tl + vp8_block2left[i], &cost);
    if (total >= best_rd) return;
    this_rate += cost.rate;
  }
  mic->mbmi.mode = B_PRED;
  vp8_mp_recon_coded_keep_bpred(x);
  *rate = this_rate;
}

int vp8_mp_mode_rd_key(MACROBLOCK *x, const vp8_mp_mode_intra_modes *modes,
                       int thorough) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;
  int rd, rate, uv_rate;

  if (thorough) {
    uv_rate = mp_intra_uv_rd(x);
  } else {
    int distortion;

    uv_rate = mp_intra_uv(x, &distortion);
    uv_rate += x->intra_uv_mode_cost[xd->frame_type][mbmi->uv_mode];
  }
  rd = mp_key_intra16x16(x, modes->mb, &rate);
  if (modes->mb & (1u << B_PRED)) {
    mp_key_bpred(x, modes->b, thorough, rd, &rate);
  }
  return rate + uv_rate;
}
