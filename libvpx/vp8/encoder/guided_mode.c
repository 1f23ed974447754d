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
#include "vpx_ports/mem.h"

/* How much of the regular quantizer's zero-run dead zone the fast one's
 * rounding makes up for, in percent: the best of 0..160. */
#define DEAD_ZONE_PERCENT 80

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

  vp8_gm_make_levels(cpi);
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
                int ref, int_mv mv, int mv_rate, int rate, unsigned int satd) {
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

/* Those of one vector, by the tree of their rates. */
static const unsigned char mode_order[VP8_MVREFS - 1] = { ZEROMV, NEARESTMV,
                                                          NEARMV, NEWMV };

/* vp8_cost_mv_ref() of all modes. */
static void set_mode_rates(vp8_gm_decision *d) {
  vp8_prob p[VP8_MVREFS - 1];
  int i, rate = 0;

  vp8_mv_ref_probs(p, d->mdcounts);
  for (i = 0; i < VP8_MVREFS - 1; ++i) {
    d->mode_rate[mode_order[i] - NEARESTMV] = rate + vp8_cost_zero(p[i]);
    rate += vp8_cost_one(p[i]);
  }
  d->mode_rate[SPLITMV - NEARESTMV] = rate;
}

/* Whether a candidate may be close to the best, whose cost is low, if no vector
 * has less SATD than floor. */
static int reaches(const vp8_gm_decision *d, const vp8_gm_level *level,
                   unsigned int floor, int rate, unsigned int low) {
  const int wide = level->max_inter16x16 > 1
                       ? VPXMAX(level->sole, level->inter16x16)
                       : 1000;

  return !level->bound || (uint64_t)vp8_gm_weigh(d, floor, rate) * 1000 <=
                              (uint64_t)low * wide;
}

static void rank_inter16x16(const vp8_gm_decision *d, int ref,
                            const vp8_gm_level *level,
                            vp8_gm_candidates *list) {
  MACROBLOCK *const x = d->x;
  MACROBLOCKD *const xd = &x->e_mbd;
  const int bias = d->cpi->common.ref_frame_sign_bias[ref];
  const int_mv found = vp8_gm_mv(d->mb[ref]->mv);
  const unsigned int satd = d->mb[ref]->dist;
  const unsigned int floor = satd * level->bound / 1000;
  int_mv best_ref_mv = d->best_ref_mv[bias];
  int_mv mv[4]; /* as mode_order */
  unsigned int low = list->n ? list->c[0].cost : UINT_MAX;
  int ok[4], rate[4], mv_rate = 0, i;

  if (!reaches(d, level, floor, x->ref_frame_cost[ref], low)) return;
  mv[0].as_int = 0;
  mv[1] = d->mode_mv[bias][NEARESTMV];
  mv[2] = d->mode_mv[bias][NEARMV];
  mv[3] = found;
  for (i = 1; i < 4; ++i) vp8_clamp_mv2(&mv[i], xd);
  ok[0] = 1;
  ok[1] = mv[1].as_int && vp8_gm_legal(x, mv[1]);
  ok[2] = mv[2].as_int && mv[2].as_int != mv[1].as_int &&
          vp8_gm_legal(x, mv[2]);
  ok[3] = mv[3].as_int && mv[3].as_int != mv[1].as_int &&
          mv[3].as_int != mv[2].as_int &&
          vp8_gm_codable(x, mv[3], best_ref_mv);
  if (ok[3]) mv_rate = vp8_mv_bit_cost(&mv[3], &best_ref_mv, x->mvcost, 96);

  for (i = 0; i < 4; ++i) {
    rate[i] = x->ref_frame_cost[ref] + d->mode_rate[mode_order[i] - NEARESTMV] +
              (i == 3 ? mv_rate : 0);
    /* The provider's SATD. */
    if (ok[i] && mv[i].as_int == found.as_int) {
      low = VPXMIN(low, vp8_gm_weigh(d, satd, rate[i]));
    }
  }
  for (i = 0; i < 4; ++i) {
    const int known = mv[i].as_int == found.as_int;

    if (!ok[i] || (!known && !reaches(d, level, floor, rate[i], low))) continue;
    add(d, list, mode_order[i], ref, mv[i], i == 3 ? mv_rate : 0, rate[i],
        known ? satd : vp8_gm_satd(d, ref, mv[i], 4, 0, 0));
    low = VPXMIN(low, list->c[0].cost);
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
      const int mode = estimate->mode4[i] & 15;

      intra->sub_modes[i] = 1u << mode;
      if (level->fewer_modes < 2) {
        intra->sub_modes[i] |= 1u << (estimate->mode4[i] >> 4);
      }
      /* DC costs little to try, and source neighbours flatter the others. A
       * provider may have said nothing that is a mode. */
      if (level->fewer_modes < 1 || mode > B_HU_PRED) {
        intra->sub_modes[i] |= 1u << B_DC_PRED;
      }
    }
  }
}

/* Whether intra prediction, by the provider's estimate, costs no more than the best
 * inter candidate. */
static int suits_intra(const vp8_gm_decision *d, const vp8e_mp_intra_t *estimate,
                       unsigned int low) {
  const int *const mode_cost = d->x->mbmode_cost[INTER_FRAME];
  const int ref_rate = d->x->ref_frame_cost[INTRA_FRAME];
  int i;

  if (vp8_gm_weigh(d, estimate->cost4, ref_rate + mode_cost[B_PRED]) <= low) {
    return 1;
  }
  for (i = DC_PRED; i <= TM_PRED; ++i) {
    if (vp8_gm_weigh(d, estimate->satd16[i], ref_rate + mode_cost[i]) <= low) {
      return 1;
    }
  }
  return 0;
}

/* Records come from a device, and are seen once: nothing else has read them, and
 * between one and the next the processor forgets that they follow each other. */
static INLINE void prefetch_split(const vp8e_mp_split_t *split) {
  const char *const from = (const char *)split;
  size_t i;

  for (i = 0; i < sizeof(*split); i += 64) __builtin_prefetch(from + i);
  __builtin_prefetch(from + sizeof(*split) - 1);
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
    if (!d->x->mp_split[ref]) return 0;
    d->mb[ref] = d->x->mp_row[ref] + mb_col;
    d->found_split[ref] = d->x->mp_split[ref] + mb_col;
    prefetch_split(d->found_split[ref] + 1);
    if (d->mb[ref]->flags != VP8E_MP_MB_SPLIT) return 0;
    low = VPXMIN(low, d->mb[ref]->dist);
    first = ref;
  }
  for (ref = LAST_FRAME; ref <= ALTREF_FRAME; ++ref) {
    if (d->mb[ref] && d->mb[ref]->dist * 1000u > low * permille) {
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
           d->mode_rate[SPLITMV - NEARESTMV];
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
  int first_ref, has_split, inter, i;

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
  set_mode_rates(&d);
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
    if (d.mb[i]) rank_inter16x16(&d, i, level, &list);
  }
  low = list.c[0].cost;
  has_split = vp8_gm_plan_split(
      &d, level->split_best ? 1u << list.c[0].ref : ~0u,
      (unsigned int)((uint64_t)low * level->split / 1000), level->shapes,
      &split);
  if (has_split) low = VPXMIN(low, split.cost);
  has_split =
      has_split && (uint64_t)split.cost * 1000 <= (uint64_t)low * level->split;
  rank_intra(&d, estimate, level, low, &intra);
  x->mp_intra_count += suits_intra(&d, estimate, low);

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
  inter = !intra.modes || !level->intra_wins;
  for (i = 0; inter && i < list.n && i < level->max_inter16x16; ++i) {
    const vp8_gm_candidate *const c = &list.c[i];

    if (i && (uint64_t)c->cost * 1000 > (uint64_t)low * level->inter16x16) break;
    vp8_gm_set_candidate(&d, c->mode, c->ref, c->mv);
    vp8_gm_rd_inter16x16(cpi, x, c->mv_rate, d.mdcounts, &best);
    if (x->skip) goto taken;
  }
  if (inter && has_split) {
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
                              : d.mode_rate[mbmi->mode - NEARESTMV];

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
  if (!x->mp_guided) x->mp_intra_count += mbmi->ref_frame == INTRA_FRAME;
  if (mbmi->ref_frame == INTRA_FRAME) mbmi->mv.as_int = 0;
  /* Cyclic refresh may have set up another segment's quantizer. */
  if (x->mp_guided) vp8_gm_set_quantizer(cpi, x, 1);
}

void vp8_gm_count_begin(VP8_COMP *cpi) {
#if CONFIG_MULTITHREAD
  int i;

  for (i = 0; i < cpi->encoding_thread_count; ++i) {
    cpi->mb_row_ei[i].mb.mp_intra_count = 0;
  }
#endif
  cpi->mb.mp_intra_count = 0;
}

void vp8_gm_count_merge(VP8_COMP *cpi, const MACROBLOCK *thread) {
  cpi->mb.mp_intra_count += thread->mp_intra_count;
}

static int intra_percent(const VP8_COMP *cpi) {
  return cpi->mb.mp_intra_count * 100 / cpi->common.MBs;
}

/* At cuts between the project's clips it is 80 to 100 %, after frames with at most
 * 42 %; elsewhere at most 65 %, after one with 45 %. */
int vp8_gm_scene_cut(const VP8_COMP *cpi) {
  const int percent = intra_percent(cpi);

  return cpi->mp.provider && cpi->mp.provider->guide && percent >= 75 &&
         percent * 2 > cpi->mp.guide.last_intra_percent * 3;
}

void vp8_gm_frame_end(VP8_COMP *cpi) {
  cpi->mp.guide.last_intra_percent =
      cpi->common.last_frame_type == KEY_FRAME ? 100 : intra_percent(cpi);
}
