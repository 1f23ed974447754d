/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Defines the functions that mp/mode/rd.h declares. rdopt.c includes this file
 * at its end, because it needs functions that are private to rdopt.c.
 */

#include "vp8/encoder/mp/recon/code.h"
#include "vp8/encoder/mp/recon/predict_split.h"
#include "vp8/encoder/mp/mode/rd.h"
#include "vp8/encoder/mp/recon/residual.h"
#include "vp8/encoder/mp/recon/token_rate.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "vpx_ports/bitops.h"

/* Copy x's candidate to *best if it costs less than the best so far, or if
 * x->skip ends the decision. Returns whether it did. */
static int mp_update(MACROBLOCK *x, vp8_mp_mode_best *best, int this_rd,
                     const RATE_DISTORTION *rd) {
  if (this_rd >= best->rd && !x->skip) return 0;
  best->rd = this_rd;
  best->rate = rd->rate2;
  best->distortion = rd->distortion2;
  vp8_mp_mode_keep(x, best);
  return 1;
}

/* ---- inter --------------------------------------------------------------- */

/* Returns whether luma has coefficients. A macroblock without any may be
 * skipped, so that its tokens cost nothing. */
static int mp_luma_coded(const unsigned short coded[25]) {
  int i, bits = 0;

  for (i = 0; i < 16; ++i) bits |= coded[i];
  return bits >> 1 || coded[24];
}

/* The test of evaluate_inter_mode_rd() for a macroblock that needs no residual
 * because of the static threshold. Luma is predicted. Sets *rd, as that
 * function does, and x->skip if the test passes. Returns x->skip. */
static int mp_skips_inter(MACROBLOCK *x, RATE_DISTORTION *rd) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const BLOCK *const b = &x->block[0];
  const unsigned int step = xd->block[0].dequant[1];
  const unsigned int dc_step = xd->block[24].dequant[0];
  const unsigned int threshold = VPXMAX(step * step >> 4, x->encode_breakout);
  unsigned int sse, chroma_sse;
  const unsigned int variance =
      vpx_variance16x16(*b->base_src, b->src_stride, xd->predictor, 16, &sse);
  const unsigned int dc = sse - variance;

  if (sse >= threshold ||
      (dc >= dc_step * dc_step >> 4 && (sse / 2 <= variance || dc >= 64))) {
    return 0;
  }
  chroma_sse = VP8_UVSSE(x);
  if (chroma_sse * 2 >= threshold) return 0;
  x->skip = 1;
  rd->rate2 = 500;
  rd->rate_uv = 0;
  rd->distortion_uv = chroma_sse;
  rd->distortion2 = sse + chroma_sse;
  return 1;
}

/* Like evaluate_inter_mode_rd(), but after its test for skipping, and luma is
 * predicted. Returns 0, with *rd incomplete, if luma alone costs at least as
 * much as the best candidate. */
static int mp_evaluate_inter(MACROBLOCK *x, int best_rd, RATE_DISTORTION *rd) {
  MACROBLOCKD *const xd = &x->e_mbd;
  const int ref_cost = x->ref_frame_cost[xd->mode_info_context->mbmi.ref_frame];
  unsigned short coded[25];
  int distortion, luma_coded;

  distortion = vp8_mp_recon_code_luma(x, xd->predictor, 16, 1, coded);
  luma_coded = mp_luma_coded(coded);
  if (luma_coded && RDCOST(x->rdmult, x->rddiv, rd->rate2 + ref_cost,
                           distortion) >= best_rd) {
    return 0;
  }
  rd->rate_y = vp8_mp_recon_rate_luma(x, x->mp_coded.zeros, 1, coded);
  rd->rate2 += rd->rate_y;
  if (luma_coded && RDCOST(x->rdmult, x->rddiv, rd->rate2 + ref_cost,
                           distortion) >= best_rd) {
    return 0;
  }
  vp8_build_inter16x16_predictors_mbuv(xd);
  rd->distortion_uv = vp8_mp_recon_code_chroma(x, xd->predictor + 256,
                                               xd->predictor + 320, 8, coded);
  rd->rate_uv = vp8_mp_recon_rate_chroma(x, x->mp_coded.zeros, coded);
  rd->rate2 += rd->rate_uv;
  rd->distortion2 = distortion + rd->distortion_uv;
  return 1;
}

void vp8_mp_mode_rd_inter16x16(const vp8_mp_mode_decision *d, int mv_rate,
                               vp8_mp_mode_best *best) {
  MACROBLOCK *const x = d->x;
  RATE_DISTORTION rd = { 0 };
  int disable_skip = 0, other_cost = 0, this_rd = INT_MAX;

  vp8_build_inter16x16_predictors_mby(&x->e_mbd, x->e_mbd.predictor, 16);
  if (x->encode_breakout && mp_skips_inter(x, &rd)) {
    disable_skip = 1;
    this_rd = RDCOST(x->rdmult, x->rddiv, rd.rate2, rd.distortion2);
  } else {
    rd.rate2 = mv_rate +
               d->mode_rate[x->e_mbd.mode_info_context->mbmi.mode - NEARESTMV];
    if (!mp_evaluate_inter(x, best->rd, &rd)) return;
  }
  this_rd = calculate_final_rd_costs(this_rd, &rd, &other_cost, disable_skip, 0,
                                     0, d->cpi, x);
  if (mp_update(x, best, this_rd, &rd)) vp8_mp_recon_coded_keep(x);
}

void vp8_mp_mode_rd_split(const vp8_mp_mode_decision *d,
                          const vp8_mp_mode_split *split,
                          vp8_mp_mode_best *best) {
  MACROBLOCK *const x = d->x;
  MACROBLOCKD *const xd = &x->e_mbd;
  RATE_DISTORTION rd = { 0 };
  unsigned short coded[25];
  int other_cost = 0, this_rd;

  vp8_mp_recon_predict_split_luma(xd);
  rd.rate2 = d->mode_rate[SPLITMV - NEARESTMV] + split->rate;
  rd.distortion2 = vp8_mp_recon_code_luma(x, xd->predictor, 16, 0, coded);
  if (RDCOST(x->rdmult, x->rddiv, rd.rate2, rd.distortion2) >= best->rd) return;
  rd.rate_y = vp8_mp_recon_rate_luma(x, x->mp_coded.zeros, 0, coded);
  rd.rate2 += rd.rate_y;
  if (RDCOST(x->rdmult, x->rddiv, rd.rate2, rd.distortion2) >= best->rd) return;

  vp8_mp_recon_predict_split_chroma(xd);
  rd.distortion_uv = vp8_mp_recon_code_chroma(x, xd->predictor + 256,
                                              xd->predictor + 320, 8, coded);
  rd.rate_uv = vp8_mp_recon_rate_chroma(x, x->mp_coded.zeros, coded);
  rd.rate2 += rd.rate_uv;
  rd.distortion2 += rd.distortion_uv;
  this_rd =
      calculate_final_rd_costs(INT_MAX, &rd, &other_cost, 0, 0, 0, d->cpi, x);
  if (mp_update(x, best, this_rd, &rd)) vp8_mp_recon_coded_keep(x);
}

#include "vp8/encoder/mp/mode/rd_intra.inc.h"

/* ---- the decision -------------------------------------------------------- */

void vp8_mp_mode_count_vectors(MACROBLOCK *x, int_mv *best_ref_mv) {
  rd_update_mvcount(x, best_ref_mv);
}

void vp8_mp_mode_take(MACROBLOCK *x, const vp8_mp_mode_best *best,
                      int_mv *best_ref_mv) {
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
  vp8_mp_mode_count_vectors(x, best_ref_mv);
}
