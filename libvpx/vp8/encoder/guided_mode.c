/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/guided_mode.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "./vp8_rtcd.h"
#include "vp8/common/findnearmv.h"
#include "vp8/common/reconinter.h"
#include "vp8/common/reconintra.h"
#include "vp8/encoder/guided_log.h"
#include "vp8/encoder/mcomp.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/rdopt.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* How much of the regular quantizer's zero-run dead zone the fast one's
 * rounding makes up for, in percent: the best of 0..160. */
#define DEAD_ZONE_PERCENT 80

/* Levels are given at these indices of quantizers, and linear between them. Each
 * is tools/guide/derive.py's for one slope: percent of bitrate that a microsecond
 * of evaluation in a macroblock must gain. */
#define LEVEL_POINTS 4
static const int level_points[LEVEL_POINTS] = { 18, 31, 55, 88 };

static const vp8_gm_level levels[][LEVEL_POINTS] = {
  { { 0 } }, /* VP8E_MP_GUIDE_OFF */
  {          /* _SAFE: 0.8 */
    { 275, 5000, 1160, 3, 1250, 1100, 1200, 900, 1100 },
    { 275, 1600, 1160, 3, 1250, 1030, 1100, 950, 1100 },
    { 275, 5000, 1200, 3, 1250, 1200, 1050, 1050, 1150 },
    { 275, 5000, 1130, 4, 1200, 1200, 1050, 1100, 1200 } },
  { /* _NORMAL: 3 */
    { 275, 1600, 1040, 3, 1080, 1100, 1050, 750, 1030 },
    { 275, 1600, 1080, 2, 1120, 1030, 1050, 650, 1080 },
    { 275, 5000, 1080, 3, 1150, 1070, 950, 800, 1060 },
    { 275, 5000, 1060, 3, 1150, 1150, 950, 850, 1060 } },
  { /* _AGGRESSIVE: 16 */
    { 275, 1200, 1100, 1, 1035, 1000, 700, 600, 1010 },
    { 275, 1300, 1100, 1, 1050, 1030, 700, 600, 1030 },
    { 275, 5000, 1100, 1, 1080, 1070, 850, 650, 1040 },
    { 275, 5000, 1100, 1, 1050, 1150, 800, 700, 1200 } },
  { /* the same where libvpx decides by rate and distortion: 10 */
    { 275, 1250, 1100, 1, 1050, 1000, 850, 600, 1020 },
    { 275, 1400, 1100, 1, 1080, 1030, 850, 600, 1040 },
    { 275, 5000, 1100, 1, 1080, 1070, 850, 650, 1040 },
    { 275, 5000, 1100, 1, 1080, 1150, 800, 700, 1030 } },
};

static int guide_of(const VP8_COMP *cpi) {
  const int guide = cpi->mp.provider->guide;

  if (guide != VP8E_MP_GUIDE_AUTO) return guide;
  return cpi->sf.RD ? VP8E_MP_GUIDE_NORMAL : VP8E_MP_GUIDE_AGGRESSIVE;
}

/* The provider's level for every quantizer. */
static void make_levels(VP8_COMP *cpi) {
  vp8_gm_state *const gm = &cpi->mp.guide;
  const int guide = guide_of(cpi);
  const int n = guide + (guide == VP8E_MP_GUIDE_AGGRESSIVE && cpi->sf.RD);
  const vp8_gm_level *points = levels[n];
  int q, i;

  if (gm->level_made == n) return;
#if VP8_GUIDED_LOG
  points = vp8_gm_log_level(points, LEVEL_POINTS);
#endif
  gm->level_made = n;
  for (q = 0; q < QINDEX_RANGE; ++q) {
    int *const to = (int *)&gm->level[q];
    int p = 0;

    while (p < LEVEL_POINTS - 2 && q > level_points[p + 1]) ++p;
    for (i = 0; i < (int)(sizeof(vp8_gm_level) / sizeof(int)); ++i) {
      const int a = ((const int *)&points[p])[i];
      const int b = ((const int *)&points[p + 1])[i];
      const int span = level_points[p + 1] - level_points[p];
      const int at = clamp(q - level_points[p], 0, span);

      to[i] = a + (b - a) * at / span;
    }
  }
}

int vp8_gm_usable(const vp8e_motion_provider_t *provider) {
  if (!provider->guide) return 1;
  return provider->guide > VP8E_MP_GUIDE_OFF &&
         provider->guide <= VP8E_MP_GUIDE_AUTO && provider->satd[0] &&
         provider->satd[1] && provider->satd[2] && provider->intra_row;
}

static void make_round(short *round, const short *fast_round, int dc, int ac) {
  /* of vp8_regular_quantize_b(), in zigzag order, 1/128 of a step */
  static const int boost[16] = { 0,  0,  8,  10, 12, 14, 16, 20,
                                 24, 28, 32, 36, 40, 44, 44, 44 };
  int i;

  for (i = 0; i < 16; ++i) {
    const int rc = vp8_default_zig_zag1d[i];
    const int less =
        (rc ? ac : dc) * boost[i] * DEAD_ZONE_PERCENT / (128 * 100);
    round[rc] = VPXMAX(fast_round[rc] - less, 0);
  }
}

const int *vp8_gm_frame_begin(VP8_COMP *cpi, int q_index) {
  vp8_gm_state *const gm = &cpi->mp.guide;
  int percent, i;

  make_levels(cpi);
  percent = gm->level[q_index].lambda;
  if (cpi->common.frame_type == KEY_FRAME) {
    /* Rates depend on the neighbours, and with RD those modes that cost little
     * are tried anyway. */
    percent = cpi->sf.RD ? VP8_GM_KEY_LAMBDA / 2 : VP8_GM_KEY_LAMBDA;
  }
  for (i = 0; i < 10; ++i) {
    gm->bmode_cost[i] = cpi->mb.inter_bmode_costs[i] * percent / 100;
  }
  return gm->bmode_cost;
}

void vp8_gm_encode_begin(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  vp8_gm_state *const gm = &cpi->mp.guide;
  const int delta_q[4] = { 1, cm->y1dc_delta_q, cm->y2dc_delta_q,
                           cm->uvdc_delta_q };
  int i;

  if (!cpi->mp.provider || !cpi->mp.provider->guide) return;
  if (!memcmp(gm->delta_q, delta_q, sizeof(delta_q))) return;
  for (i = 0; i < QINDEX_RANGE; ++i) {
    make_round(gm->round[i][0], cpi->Y1round[i], cm->Y1dequant[i][0],
               cm->Y1dequant[i][1]);
    make_round(gm->round[i][1], cpi->Y2round[i], cm->Y2dequant[i][0],
               cm->Y2dequant[i][1]);
    make_round(gm->round[i][2], cpi->UVround[i], cm->UVdequant[i][0],
               cm->UVdequant[i][1]);
  }
  memcpy(gm->delta_q, delta_q, sizeof(delta_q));
}

void vp8_gm_set_quantizer(VP8_COMP *cpi, MACROBLOCK *x, int guided) {
  const int q = x->q_index;
  short(*const round)[16] = cpi->mp.guide.round[q];
  int i;

  x->quantize_b = guided || !cpi->sf.improved_quant ? vp8_fast_quantize_b
                                                  : vp8_regular_quantize_b;
  if (x->block[24].round == (guided ? round[1] : cpi->Y2round[q])) return;
  for (i = 0; i < 16; ++i) {
    x->block[i].round = guided ? round[0] : cpi->Y1round[q];
  }
  for (; i < 24; ++i) x->block[i].round = guided ? round[2] : cpi->UVround[q];
  x->block[24].round = guided ? round[1] : cpi->Y2round[q];
}

int vp8_gm_is_aggressive(const VP8_COMP *cpi) {
  return cpi->mp.provider && guide_of(cpi) == VP8E_MP_GUIDE_AGGRESSIVE;
}

unsigned int vp8_gm_satd(const vp8_gm_decision *d, int ref, int_mv mv, int log2,
                         int bx, int by) {
  const MACROBLOCKD *const xd = &d->x->e_mbd;
  const BLOCK *const b = &d->x->block[0];
  int stride = xd->dst.y_stride;
  unsigned char *p = d->plane[ref][0] + (by + (mv.as_mv.row >> 3)) * stride +
                     bx + (mv.as_mv.col >> 3);
  DECLARE_ALIGNED(16, unsigned char, prediction[16 * 16]);

  if (mv.as_int & 0x00070007) {
    const vp8_subpix_fn_t predict = log2 == 4   ? xd->subpixel_predict16x16
                                    : log2 == 3 ? xd->subpixel_predict8x8
                                                : xd->subpixel_predict;
    predict(p, stride, mv.as_mv.col & 7, mv.as_mv.row & 7, prediction, 16);
    p = prediction;
    stride = 16;
  }
  return d->cpi->mp.provider->satd[4 - log2](
      *b->base_src + by * b->src_stride + bx, b->src_stride, p, stride);
}

int vp8_gm_codable(const MACROBLOCK *x, int_mv mv, int_mv best_ref_mv) {
  return abs(mv.as_mv.row - best_ref_mv.as_mv.row) <= VP8_MP_MAX_MV_DIFF &&
         abs(mv.as_mv.col - best_ref_mv.as_mv.col) <= VP8_MP_MAX_MV_DIFF &&
         vp8_gm_legal(x, mv);
}

void vp8_gm_set_candidate(const vp8_gm_decision *d, int mode, int ref,
                          int_mv mv) {
  MACROBLOCKD *const xd = &d->x->e_mbd;

  xd->mode_info_context->mbmi.ref_frame = ref;
  xd->mode_info_context->mbmi.uv_mode = DC_PRED;
  xd->pre.y_buffer = d->plane[ref][0];
  xd->pre.u_buffer = d->plane[ref][1];
  xd->pre.v_buffer = d->plane[ref][2];
  vp8_set_mbmode_and_mvs(d->x, mode, &mv);
}

/* Keeps the list sorted. */
static void add(const vp8_gm_decision *d, vp8_gm_candidates *list, int mode,
                int ref, int_mv mv, int mv_rate, unsigned int satd) {
  const int rate =
      d->x->ref_frame_cost[ref] + vp8_cost_mv_ref(mode, d->mdcounts) + mv_rate;
  const unsigned int cost = vp8_gm_weigh(d, satd, rate);
  vp8_gm_candidate *c = &list->c[list->n++];

  for (; c > list->c && c[-1].cost > cost; --c) *c = c[-1];
  c->cost = cost;
  c->rate = rate;
  c->mv_rate = mv_rate;
  c->mv = mv;
  c->mode = mode;
  c->ref = ref;
}

/* SATD of a 16x16 vector; the provider's is known. */
static unsigned int satd16x16(const vp8_gm_decision *d, int ref, int_mv mv,
                              int_mv new_mv) {
  return mv.as_int == new_mv.as_int ? d->mb[ref]->dist[0]
                                    : vp8_gm_satd(d, ref, mv, 4, 0, 0);
}

static void rank_inter16x16(const vp8_gm_decision *d, int ref,
                            vp8_gm_candidates *list) {
  MACROBLOCK *const x = d->x;
  MACROBLOCKD *const xd = &x->e_mbd;
  const int bias = d->cpi->common.ref_frame_sign_bias[ref];
  const int_mv found = vp8_gm_mv(d->mb[ref]->mv[0]);
  int_mv best_ref_mv = d->best_ref_mv[bias];
  int_mv nearest = d->mode_mv[bias][NEARESTMV];
  int_mv near = d->mode_mv[bias][NEARMV];
  int_mv new_mv = found, zero;

  zero.as_int = 0;
  vp8_clamp_mv2(&nearest, xd);
  vp8_clamp_mv2(&near, xd);
  vp8_clamp_mv2(&new_mv, xd);

  add(d, list, ZEROMV, ref, zero, 0, satd16x16(d, ref, zero, found));
  if (nearest.as_int && vp8_gm_legal(x, nearest)) {
    add(d, list, NEARESTMV, ref, nearest, 0,
        satd16x16(d, ref, nearest, found));
  }
  if (near.as_int && near.as_int != nearest.as_int && vp8_gm_legal(x, near)) {
    add(d, list, NEARMV, ref, near, 0, satd16x16(d, ref, near, found));
  }
  if (new_mv.as_int && new_mv.as_int != nearest.as_int &&
      new_mv.as_int != near.as_int &&
      vp8_gm_codable(x, new_mv, best_ref_mv)) {
    add(d, list, NEWMV, ref, new_mv,
        vp8_mv_bit_cost(&new_mv, &best_ref_mv, x->mvcost, 96),
        satd16x16(d, ref, new_mv, found));
  }
}

unsigned int vp8_gm_rank_intra16x16(const vp8_gm_decision *d, int *best) {
  MACROBLOCK *const x = d->x;
  MACROBLOCKD *const xd = &x->e_mbd;
  const BLOCK *const b = &x->block[0];
  unsigned int low = UINT_MAX;
  int mode;

  for (mode = DC_PRED; mode <= TM_PRED; ++mode) {
    unsigned int cost;

    xd->mode_info_context->mbmi.mode = mode;
    vp8_build_intra_predictors_mby_s(xd, xd->dst.y_buffer - xd->dst.y_stride,
                                     xd->dst.y_buffer - 1, xd->dst.y_stride,
                                     xd->predictor, 16);
    cost = vp8_gm_weigh(d,
                        d->cpi->mp.provider->satd[0](*b->base_src,
                                                     b->src_stride,
                                                     xd->predictor, 16),
                        x->mbmode_cost[xd->frame_type][mode] +
                            x->ref_frame_cost[INTRA_FRAME]);
    if (cost < low) {
      low = cost;
      *best = mode;
    }
  }
  return low;
}

/* Intra modes within reach of the lowest inter cost. */
static void rank_intra(const vp8_gm_decision *d, const vp8e_mp_intra_t *estimate,
                       const vp8_gm_level *level, unsigned int low,
                       vp8_gm_intra *intra) {
  const MACROBLOCK *const x = d->x;
  const int ref_rate = x->ref_frame_cost[INTRA_FRAME];
  const uint16_t *const satd = estimate->satd16;
  const unsigned int low16 = VPXMIN(VPXMIN(satd[0], satd[1]),
                                    VPXMIN(satd[2], satd[3]));
  int i, mode = DC_PRED;

  intra->modes = 0;
  if ((uint64_t)vp8_gm_weigh(d, low16, ref_rate) * 1000 <=
          (uint64_t)low * (level->intra16x16 + 200) &&
      (uint64_t)vp8_gm_rank_intra16x16(d, &mode) * 1000 <=
          (uint64_t)low * level->intra16x16) {
    intra->modes |= 1u << mode;
  }
  if ((uint64_t)vp8_gm_weigh(d, estimate->cost4,
                             ref_rate + x->mbmode_cost[INTER_FRAME][B_PRED]) *
          1000 <=
      (uint64_t)low * level->bpred) {
    intra->modes |= 1u << B_PRED;
    for (i = 0; i < 16; ++i) {
      /* DC costs little to try, and source neighbours flatter the others. */
      intra->sub_modes[i] =
          1u << B_DC_PRED | 1u << (estimate->mode4[i] & 15) |
          1u << (estimate->mode4[i] >> 4);
    }
  }
}

/* The records of the references that are worth a try. Returns the first one
 * that is searched, or 0: not all of a macroblock is known. */
static int choose_refs(vp8_gm_decision *d, unsigned int permille) {
  const int mb_col = -d->x->e_mbd.mb_to_left_edge >> (4 + 3);
  unsigned int low = UINT_MAX;
  int ref, first = 0;

  for (ref = ALTREF_FRAME; ref >= LAST_FRAME; --ref) {
    d->mb[ref] = NULL;
    if (!d->x->mp_row[ref]) continue;
    d->mb[ref] = d->x->mp_row[ref] + mb_col;
    if (d->mb[ref]->flags != VP8E_MP_MB_SPLIT) return 0;
    low = VPXMIN(low, d->mb[ref]->dist[0]);
    first = ref;
  }
  for (ref = LAST_FRAME; ref <= ALTREF_FRAME; ++ref) {
    if (d->mb[ref] && d->mb[ref]->dist[0] * 1000u > low * permille) {
      d->mb[ref] = NULL;
    }
  }
  return first;
}

/* Rate and distortion of a residual that is not coded for trial: its mean over
 * the project's clips, within a factor of two, and what white noise of this SATD
 * has. Rate control uses sums of these. */
static void estimate_residual(const vp8_gm_decision *d, unsigned int satd,
                              int mode_rate, vp8_gm_best *best) {
  const int step = d->x->e_mbd.dequant_y1[1];

  best->rate =
      mode_rate + VPXMIN(512 * VPXMAX((int)satd / step - 14, 0), 256 * 4096);
  best->distortion =
      (int)VPXMIN((uint64_t)satd * satd / 650, 255 * 255 * 256);
}

void vp8_gm_keep(const MACROBLOCK *x, vp8_gm_best *best) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  int i;

  best->mbmi = xd->mode_info_context->mbmi;
  if (best->mbmi.mode == SPLITMV) best->partition = *x->partition_info;
  if (best->mbmi.mode == SPLITMV || best->mbmi.mode == B_PRED) {
    for (i = 0; i < 16; ++i) best->bmi[i] = xd->block[i].bmi;
  }
}

/* Take what is alone at the front as it is. */
static void take_sole(const vp8_gm_decision *d, const vp8_gm_candidate *c,
                      const vp8_gm_split *split, vp8_gm_best *best) {
  unsigned int cost = c->cost;
  int rate = c->rate;

  if (split) {
    vp8_gm_set_candidate(d, SPLITMV, split->ref, split->mv[0]);
    vp8_gm_set_split(d->x, split);
    cost = split->cost;
    rate = split->rate + d->x->ref_frame_cost[split->ref] +
           vp8_cost_mv_ref(SPLITMV, d->mdcounts);
  } else {
    vp8_gm_set_candidate(d, c->mode, c->ref, c->mv);
  }
  vp8_gm_keep(d->x, best);
  estimate_residual(d, cost - vp8_gm_weigh(d, 0, rate), rate, best);
}

/* The source of the alt-ref frame: libvpx codes it by that frame, whatever its
 * evaluation finds. */
static void take_alt_ref(const vp8_gm_decision *d, vp8_gm_best *best) {
  MB_MODE_INFO *const mbmi = &d->x->e_mbd.mode_info_context->mbmi;
  int_mv zero;

  zero.as_int = 0;
  vp8_gm_set_candidate(d, ZEROMV, ALTREF_FRAME, zero);
  mbmi->mb_skip_coeff = d->cpi->common.mb_no_coeff_skip;
  mbmi->partitioning = 0;
  estimate_residual(d, vp8_gm_satd(d, ALTREF_FRAME, zero, 4, 0, 0),
                    d->x->ref_frame_cost[ALTREF_FRAME], best);
}

/* Whether libvpx's own decision is not needed. */
static int applies(const VP8_COMP *cpi, const MACROBLOCK *x) {
  return cpi->mp.active && cpi->mp.provider->guide && x->mp_intra &&
         !cpi->oxcf.noise_sensitivity && !cpi->active_map_enabled &&
         !cpi->common.full_pixel &&
         (!cpi->is_src_frame_alt_ref ||
          (cpi->ref_frame_flags & VP8_ALTR_FRAME))
#if CONFIG_MULTI_RES_ENCODING
         && !cpi->oxcf.mr_encoder_id
#endif
      ;
}

int vp8_gm_pick_inter_mode(VP8_COMP *cpi, MACROBLOCK *x, int recon_yoffset,
                           int recon_uvoffset, int *rate, int *distortion,
                           int *intra_error) {
  MACROBLOCKD *const xd = &x->e_mbd;
  const int *const sign_bias = cpi->common.ref_frame_sign_bias;
  const vp8e_mp_intra_t *estimate;
  const vp8_gm_level *level;
  vp8_gm_decision d;
  vp8_gm_best best;
  vp8_gm_split split;
  vp8_gm_intra intra;
  vp8_gm_candidates list;
  unsigned int low;
  int first_ref, has_split, i;

  x->mp_guided = 0;
  if (!applies(cpi, x)) {
    if (cpi->mp.provider && cpi->mp.provider->guide) vp8_gm_set_quantizer(cpi, x, 0);
    return 0;
  }
  level = &cpi->mp.guide.level[x->q_index];
  d.cpi = cpi;
  d.x = x;
  first_ref = choose_refs(&d, level->refs);
  if (!first_ref) {
    vp8_gm_set_quantizer(cpi, x, 0);
    return 0;
  }
  x->mp_guided = 1;
  x->zero_last_dot_suppress = 0; /* as vp8_pick_inter_mode() does */
  estimate = x->mp_intra + (-xd->mb_to_left_edge >> (4 + 3));
  vp8_gm_coded_reset(x);
  d.lambda = (x->sadperbit16 * level->lambda + 50) / 100;
  memset(d.mode_mv, 0, sizeof(d.mode_mv));
  memset(d.plane, 0, sizeof(d.plane));
  xd->mode_info_context->mbmi.ref_frame = first_ref;
  vp8_find_near_mvs_bias(xd, xd->mode_info_context, d.mode_mv, d.best_ref_mv,
                         d.mdcounts, first_ref,
                         cpi->common.ref_frame_sign_bias);
  get_predictor_pointers(cpi, d.plane, recon_yoffset, recon_uvoffset);
  memset(&best.mbmi, 0, sizeof(best.mbmi));
  best.rd = best.rate = best.distortion = best.intra_distortion = INT_MAX;
  vp8_gm_set_quantizer(cpi, x, 1);

  if (cpi->is_src_frame_alt_ref) {
    take_alt_ref(&d, &best);
    *rate = best.rate;
    *distortion = best.distortion;
    *intra_error = estimate->variance * 256;
    return 1;
  }

  list.n = 0;
  for (i = LAST_FRAME; i <= ALTREF_FRAME; ++i) {
    if (d.mb[i]) rank_inter16x16(&d, i, &list);
  }
  low = list.c[0].cost;
  has_split = vp8_gm_plan_split(
      &d, (unsigned int)((uint64_t)low * level->split / 1000), level->shapes,
      &split);
  if (has_split) low = VPXMIN(low, split.cost);
  has_split =
      has_split && (uint64_t)split.cost * 1000 <= (uint64_t)low * level->split;
  rank_intra(&d, estimate, level, low, &intra);

#if VP8_GUIDED_LOG
  vp8_gm_log(&d, &list, estimate);
#endif

  if (!intra.modes) {
    const uint64_t limit = (uint64_t)low * level->sole;
    const int first = (uint64_t)list.c[0].cost * 1000 <= limit;
    const int second = VPXMIN(list.n, level->max_inter16x16) > 1 &&
                       (uint64_t)list.c[1].cost * 1000 <= limit;
    const int splits = has_split && (uint64_t)split.cost * 1000 <= limit;

    /* Evaluation may find that a static macroblock needs no residual. */
    if (first + second + splits == 1 && (splits || !x->encode_breakout)) {
      take_sole(&d, &list.c[0], splits ? &split : NULL, &best);
      goto taken;
    }
  }
  for (i = 0; i < list.n && i < level->max_inter16x16; ++i) {
    const vp8_gm_candidate *const c = &list.c[i];

    if (i && (uint64_t)c->cost * 1000 > (uint64_t)low * level->inter16x16) break;
    vp8_gm_set_candidate(&d, c->mode, c->ref, c->mv);
    vp8_gm_rd_inter16x16(cpi, x, c->mv_rate, d.mdcounts, &best);
    if (x->skip) goto taken;
  }
  if (has_split) {
    vp8_gm_set_candidate(&d, SPLITMV, split.ref, split.mv[0]);
    vp8_gm_rd_split(cpi, x, &split, d.mdcounts, &best);
  }
  if (intra.modes) vp8_gm_rd_intra(cpi, x, &intra, &best);

taken:
  if (!cpi->sf.RD) {
    /* Without evaluation, libvpx's rate control expects no residual's rate, and
     * the error of the prediction. */
    const MB_MODE_INFO *const mbmi = &best.mbmi;
    const int mode_rate = mbmi->ref_frame == INTRA_FRAME
                              ? x->mbmode_cost[INTER_FRAME][mbmi->mode]
                              : vp8_cost_mv_ref(mbmi->mode, d.mdcounts);

    estimate_residual(&d, low, 0, &best);
    best.rate = x->ref_frame_cost[mbmi->ref_frame] + mode_rate;
  }
  *rate = best.rate;
  *distortion = best.distortion;
  /* Not tried: about what prediction by its mean leaves. */
  *intra_error = best.intra_distortion != INT_MAX ? best.intra_distortion
                                                  : estimate->variance * 256;
  vp8_gm_take(x, &best, &d.best_ref_mv[sign_bias[best.mbmi.ref_frame]]);
  return 1;
}

void vp8_gm_decided(VP8_COMP *cpi, MACROBLOCK *x) {
  MB_MODE_INFO *const mbmi = &x->e_mbd.mode_info_context->mbmi;

  if (!cpi->mp.provider || !cpi->mp.provider->guide) return;
  if (mbmi->ref_frame == INTRA_FRAME) mbmi->mv.as_int = 0;
  /* Cyclic refresh may have set up another segment's quantizer. */
  if (x->mp_guided) vp8_gm_set_quantizer(cpi, x, 1);
}
