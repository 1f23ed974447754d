/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/inter.h"

#include <limits.h>
#include <string.h>

#include "vp8/encoder/mp/provider/features.h"
#include "./vpx_dsp_rtcd.h"
#include "vp8/common/findnearmv.h"
#include "vp8/encoder/mp/mode/candidate.h"
#include "vp8/encoder/mp/mode/denoise.h"
#include "vp8/encoder/mp/mode/evaluate.h"
#include "vp8/encoder/mp/mode/level.h"
#include "vp8/encoder/mp/mode/rank.h"
#include "vp8/encoder/mp/mode/rd.h"
#include "vp8/encoder/mp/mode/recall.h"
#include "vp8/encoder/mp/mode/scene_cut.h"
#include "vp8/encoder/mp/mode/split.h"
#include "vp8/encoder/mp/mode/learn.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/mp/recon/code.h"
#include "vp8/encoder/mp/recon/drop.h"
#include "vp8/encoder/mp/recon/flat.h"
#include "vp8/encoder/mp/recon/portable.h"
#include "vp8/encoder/mp/recon/token_rate.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/pickinter.h"
#include "vp8/encoder/rdopt.h"
#include "vp8/encoder/mp/rc/segments.h"
#include "vpx_dsp/vpx_dsp_common.h"

#if VP8_MP_MODE_LOG
#include "vp8/encoder/mp/mode/log.h"
#else
#define vp8_mp_mode_log(d, list) ((void)0)
#endif

/* ---- frames -------------------------------------------------------------- */

int vp8_mp_mode_usable(const vp8e_motion_provider_t *provider) {
  if (!provider->guide) return 1;
  return provider->guide > VP8E_MP_GUIDE_OFF &&
         provider->guide <= VP8E_MP_GUIDE_AUTO && provider->satd[0] &&
         provider->satd[1] && provider->satd[2] && provider->intra_row;
}

const int *vp8_mp_mode_frame_begin(VP8_COMP *cpi, int q_index) {
  vp8_mp_mode_state *const state = &cpi->mp.mode;
  int percent, i;

  vp8_mp_mode_make_levels(cpi);
  percent = state->level[q_index].lambda;
  if (cpi->common.frame_type == KEY_FRAME) {
    /* The true rates of sub-block modes depend on the modes of the neighbours,
     * which the provider does not know. With RD decisions the cheap modes are
     * evaluated in any case, so SATD gets more weight there. */
    percent = cpi->sf.RD ? VP8_MP_MODE_KEY_LAMBDA / 2 : VP8_MP_MODE_KEY_LAMBDA;
  }
  for (i = 0; i < 10; ++i) {
    state->bmode_cost[i] = cpi->mb.inter_bmode_costs[i] * percent / 100;
  }
  return state->bmode_cost;
}

/* The regular quantizer widens its dead zone after zeros. Returns how much of
 * that the rounding of the fast quantizer imitates, in percent, at a quantizer
 * index. At low quantizers, where many levels are above one, it is less because
 * the rounding affects all levels. Compared to 80 % at all quantizers this
 * gains 1 to 2.5 % of bitrate by PSNR. 40 % everywhere costs 1 % by SSIM. */
static int dead_zone_percent(int q) { return clamp(30 + q, 40, 60); }

static void make_round(short *round, const short *fast_round,
                       const short *dequant, int percent) {
  /* the boost of the dead zone in vp8_regular_quantize_b(), in zigzag order, in
   * 1/128 of a quantizer step */
  static const int boost[16] = { 0,  0,  8,  10, 12, 14, 16, 20,
                                 24, 28, 32, 36, 40, 44, 44, 44 };
  int i;

  for (i = 0; i < 16; ++i) {
    const int rc = vp8_default_zig_zag1d[i];
    const int less = dequant[rc ? 1 : 0] * boost[i] * percent / (128 * 100);

    round[rc] = VPXMAX(fast_round[rc] - less, 0);
  }
}

void vp8_mp_mode_encode_begin(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  vp8_mp_mode_state *const state = &cpi->mp.mode;
  const int delta_q[4] = { 1, cm->y1dc_delta_q, cm->y2dc_delta_q,
                           cm->uvdc_delta_q };
  int i;

  if (!(cpi->mp.features & VP8_MP_GUIDE)) return;
  vp8_mp_recon_mb_memory_begin(cpi);
  vp8_mp_mode_recall_begin(cpi);
  vp8_mp_recon_rate_set(&state->zeros, &cpi->mb);
  if (!memcmp(state->delta_q, delta_q, sizeof(delta_q))) return;
  for (i = 0; i < QINDEX_RANGE; ++i) {
    const int percent = dead_zone_percent(i);

    make_round(state->round[i][0], cpi->Y1round[i], cm->Y1dequant[i], percent);
    make_round(state->round[i][1], cpi->Y2round[i], cm->Y2dequant[i], percent);
    make_round(state->round[i][2], cpi->UVround[i], cm->UVdequant[i], percent);
  }
  memcpy(state->delta_q, delta_q, sizeof(delta_q));
}

/* ---- beginning a macroblock ---------------------------------------------- */

/* Prefetch a record. Its cache lines were last written by a device, and
 * deciding the macroblock before it takes so long that the processor's own
 * prefetcher loses the sequence. */
static INLINE void prefetch_split(const vp8e_mp_split_t *split) {
  const char *const from = (const char *)split;
  size_t i;

  for (i = 0; i < sizeof(*split); i += 64) VP8_MP_RECON_PREFETCH(from + i);
  VP8_MP_RECON_PREFETCH(from + sizeof(*split) - 1);
}

/* Set d->mb[] to the records of the references to try. Returns the first
 * reference that was searched. Returns 0 if no reference was searched, or if a
 * record has no vector or only a full-pel one. */
static int choose_refs(vp8_mp_mode_decision *d) {
  const MACROBLOCK *const x = d->x;
  const int mb_col = vp8_mp_mb_col(x);
  unsigned int low = UINT_MAX;
  int ref, first = 0;

  for (ref = ALTREF_FRAME; ref >= LAST_FRAME; --ref) {
    d->mb[ref] = NULL;
    if (!x->mp_row[ref]) continue;
    d->mb[ref] = x->mp_row[ref] + mb_col;
    if (d->mb[ref]->flags & (VP8E_MP_MB_NONE | VP8E_MP_MB_FULLPEL)) return 0;
    if (d->mb[ref]->flags == VP8E_MP_MB_SPLIT && x->mp_split[ref]) {
      prefetch_split(x->mp_split[ref] + mb_col + 1);
    }
    low = VPXMIN(low, d->mb[ref]->dist);
    first = ref;
  }
  for (ref = LAST_FRAME; ref <= ALTREF_FRAME; ++ref) {
    if (d->mb[ref] &&
        !vp8_mp_mode_within(d->mb[ref]->dist, low, d->level->refs)) {
      d->mb[ref] = NULL;
    }
  }
  return first;
}

/* Set up *d for the macroblock, and x for evaluations. Returns 0, with x
 * unchanged, if libvpx has to decide. */
static int begin(VP8_COMP *cpi, MACROBLOCK *x, int recon_yoffset,
                 int recon_uvoffset, vp8_mp_mode_decision *d) {
  MACROBLOCKD *const xd = &x->e_mbd;
  int first_ref;

  if (!(cpi->mp.active && x->mp_intra &&
        (cpi->mp.features & VP8_MP_GUIDE_INTER)))
    return 0;
  d->cpi = cpi;
  d->x = x;
  d->level = &cpi->mp.mode.level[x->q_index];
  first_ref = choose_refs(d);
  if (!first_ref) return 0;

  d->intra = NULL;
  d->intra4x4 = 0;
  d->lambda = (x->sadperbit16 * d->level->lambda + 50) / 100;
  memset(d->mode_mv, 0, sizeof(d->mode_mv));
  memset(d->plane, 0, sizeof(d->plane));
  xd->mode_info_context->mbmi.ref_frame = first_ref;
  vp8_find_near_mvs_bias(xd, xd->mode_info_context, d->mode_mv, d->best_ref_mv,
                         d->mdcounts, first_ref,
                         cpi->common.ref_frame_sign_bias);
  vp8_mp_mode_set_mode_rates(d);
  get_predictor_pointers(cpi, d->plane, recon_yoffset, recon_uvoffset);

  x->zero_last_dot_suppress = 0; /* as in vp8_pick_inter_mode() */
  x->act_zbin_adj = 0;           /* reset the previous macroblock's */
  vp8_mp_mode_learn_mb_begin(cpi, x);
  vp8_mp_mode_set_quantizer(cpi, x, 1);
  return 1;
}

/* ---- ranking ------------------------------------------------------------- */

/* If the SATD of a residual is below this number of quantizer steps, almost no
 * coefficients are coded. */
#define UNCODED_STEPS 14

/* A small residual is visible in a flat area that an earlier picture covered.
 * Returns whether the SATD of the source around its mean is less than half of
 * satd. That SATD is at most 16 times the square root of the variance. */
static int is_flat(const MACROBLOCK *x, unsigned int satd) {
  static const uint8_t flat[16] = { 0 };
  const BLOCK *const b = &x->block[0];
  unsigned int sse;
  const unsigned int variance =
      vpx_variance16x16(*b->base_src, b->src_stride, flat, 0, &sse);

  return (uint64_t)variance * 256 * 4 < (uint64_t)satd * satd;
}

/* Choose the intra modes to evaluate. Ask the provider for an intra estimate
 * only if an intra mode may win or if the macroblock is sampled for scene cuts.
 * At aggressive levels skip the estimate if the inter residual is almost
 * nothing, or if intra modes were far from winning in this macroblock a few
 * frames ago. There, also skip the estimate of B_PRED if the 16x16 modes are
 * far from winning. This loses 0.5 % of bitrate. */
static void rank_intra(vp8_mp_mode_decision *d, vp8_mp_mode_ranking *r) {
  const vp8_mp_mode_level *const level = d->level;
  const int sampled = vp8_mp_mode_scene_samples(d->cpi, d->x);
  const int fewer = !sampled && (d->cpi->mp.features & VP8_MP_GUIDE_AGGRESSIVE);
  int permille =
      VPXMAX(level->bpred, level->intra16x16 + VP8_MP_MODE_INTRA_ERROR);
  unsigned int room;

  if (sampled) permille = VPXMAX(permille, 1000);
  if (fewer && vp8_mp_mode_recalls(d->cpi, d->x, r->inter16x16.c[0].mv, r->low,
                                   permille)) {
    r->intra.mb = 0;
    return;
  }
  room = vp8_mp_mode_room_for_intra(d, r->low, permille);
  if (room && (!fewer || room >= UNCODED_STEPS * d->x->e_mbd.dequant_y1[1] ||
               is_flat(d->x, room))) {
    d->intra = vp8_mp_intra(d->cpi, d->x, VP8E_MP_INTRA_16X16);
  }
  if (d->intra &&
      (!fewer || vp8_mp_mode_bpred_in_reach(d, r->low, level->bpred))) {
    d->intra = vp8_mp_intra(d->cpi, d->x, VP8E_MP_INTRA_4X4);
    d->intra4x4 = d->intra != NULL;
  }
  if (fewer && d->intra) {
    vp8_mp_mode_remember(d->cpi, d->x, r->low, vp8_mp_mode_least_intra_cost(d));
  }
  vp8_mp_mode_choose_intra(d, r->low, &r->intra);
  if (sampled) {
    vp8_mp_mode_scene_add(&d->x->mp_counts, r->low,
                          d->intra ? vp8_mp_mode_intra_cost(d) : r->low + 1);
  }
}

/* Returns whether the last plan is within reach. */
static int is_split_near(const vp8_mp_mode_ranking *r,
                         const vp8_mp_mode_level *level) {
  const int i = r->split.n - 1;

  return i ? vp8_mp_mode_within(r->split.s[i].cost, r->split.s[0].cost,
                                level->splits) &&
                 vp8_mp_mode_within(r->split.s[i].cost, r->low, level->split)
           : vp8_mp_mode_within(r->split.s[0].cost, r->low, level->split);
}

static void rank(vp8_mp_mode_decision *d, vp8_mp_mode_ranking *r) {
  const vp8_mp_mode_level *const level = d->level;
  const vp8_mp_mode_candidate *const first = &r->inter16x16.c[0];
  unsigned int split_refs;

  vp8_mp_mode_rank_inter16x16(d, &r->inter16x16);
  r->low = first->cost;
  split_refs = level->split_best ? 1u << first->ref : ~0u;
  vp8_mp_mode_plan_splits(d, split_refs, r->low,
                          vp8_mp_mode_limit(r->low, level->split), &r->split);
  if (r->split.n) r->low = VPXMIN(r->low, r->split.s[0].cost);
  while (r->split.n && !is_split_near(r, level)) --r->split.n;
  rank_intra(d, r);
}

/* ---- setting up ---------------------------------------------------------- */

static int_mv set_zero(const vp8_mp_mode_decision *d, int ref) {
  int_mv zero;

  zero.as_int = 0;
  vp8_mp_mode_set_candidate(d, ZEROMV, ref, zero);
  return zero;
}

/* ---- static macroblocks -------------------------------------------------- */

/* The squared error of luma from which on a macroblock is not static. */
static unsigned int static_limit(const MACROBLOCK *x) {
  const unsigned int step = x->e_mbd.dequant_y1[1];

  return VPXMAX(step * step >> 4, x->encode_breakout);
}

/* If the prediction error of the 16x16 candidate that x is set up for is below
 * the static threshold, take the candidate without a residual. This is the test
 * of vp8_pick_inter_mode(). The stricter test of vp8_rd_pick_inter_mode() is in
 * vp8_mp_mode_rd_inter16x16(). Returns whether it was taken. */
static int take_if_static(const vp8_mp_mode_decision *d, int_mv mv,
                          vp8_mp_mode_best *best) {
  MACROBLOCK *const x = d->x;
  unsigned int sse;

  vp8_get_inter_mbpred_error(x, &d->cpi->fn_ptr[BLOCK_16X16], &sse, mv);
  if (sse >= static_limit(x) || VP8_UVSSE(x) * 2 >= x->encode_breakout) {
    return 0;
  }
  x->skip = 1;
  ++x->mp_counts.unevaluated;
  vp8_mp_mode_keep(x, best);
  return 1;
}

static int may_be_static(const vp8_mp_mode_decision *d) {
  return d->x->encode_breakout && !d->cpi->sf.RD;
}

static int is_equal8x8(const unsigned char *a, int a_stride,
                       const unsigned char *b, int b_stride) {
  int i;

  for (i = 0; i < 8; ++i) {
    if (memcmp(a + i * a_stride, b + i * b_stride, 8)) return 0;
  }
  return 1;
}

/* Whether the chroma of the source equals that of the last frame. */
static int has_chroma_of_last(const vp8_mp_mode_decision *d) {
  const MACROBLOCK *const x = d->x;
  unsigned char *const *const last = d->plane[LAST_FRAME];
  const int stride = x->e_mbd.dst.uv_stride;

  return is_equal8x8(x->src.u_buffer, x->src.uv_stride, last[1], stride) &&
         is_equal8x8(x->src.v_buffer, x->src.uv_stride, last[2], stride);
}

/* Test the zero vector of the last frame before all other candidates, as libvpx
 * does. With RD decisions this would lose bitrate and quality, so it is off
 * there. A threshold of up to 2, which live programs set, allows no error of
 * chroma; the comparison ends sooner than a sum of squares. */
static int take_static_zero(const vp8_mp_mode_decision *d,
                            vp8_mp_mode_best *best) {
  return may_be_static(d) && d->plane[LAST_FRAME][0] &&
         (d->x->encode_breakout > 2 || has_chroma_of_last(d)) &&
         take_if_static(d, set_zero(d, LAST_FRAME), best);
}

static int take_static(const vp8_mp_mode_decision *d,
                       const vp8_mp_mode_ranking *r, vp8_mp_mode_best *best) {
  const vp8_mp_mode_candidates *const list = &r->inter16x16;
  const uint64_t limit = static_limit(d->x);
  int i;

  if (!may_be_static(d)) return 0;
  for (i = 0; i < list->n; ++i) {
    const vp8_mp_mode_candidate *const c = &list->c[i];
    const uint64_t satd = c->cost - vp8_mp_mode_weigh(d->lambda, 0, c->rate);

    /* A SATD is at most 32 times the root of the squared error. Here the error
     * is that of another filter, but few candidates are near the limit. */
    if (satd * satd >= 1024 * limit) continue;
    vp8_mp_mode_set_candidate(d, c->mode, c->ref, c->mv);
    if (take_if_static(d, c->mv, best)) return 1;
  }
  return 0;
}

/* ---- flat macroblocks ---------------------------------------------------- */

/* A macroblock of one colour is made exact after it stood still for this number
 * of frames. An intra mode takes about 11 bits in an inter frame. If the loop
 * filter spoils the macroblock again and again, this costs 2 bits a frame. */
#define STILL_FRAMES 5

/* The ranking weighs the SATD of luma against the rate. It does not see an
 * error of chroma alone, and a small error never outweighs an intra mode, but
 * the error stays for as long as the picture does. */
static int take_exact(const vp8_mp_mode_decision *d, vp8_mp_mode_best *best) {
  const VP8_COMP *const cpi = d->cpi;
  MACROBLOCK *const x = d->x;
  const MACROBLOCKD *const xd = &x->e_mbd;
  const MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;
  unsigned char *const *const last = d->plane[LAST_FRAME];

  if (!last[0] ||
      cpi->consec_zero_last[vp8_mp_mb_index(x, cpi->common.mb_cols)] <
          STILL_FRAMES ||
      !vp8_mp_recon_is_flat_and_inexact(x, last[0], xd->dst.y_stride, last[1],
                                        last[2], xd->dst.uv_stride) ||
      !vp8_mp_recon_find_exact(x)) {
    return 0;
  }
  ++x->mp_counts.unevaluated;
  vp8_mp_mode_keep(x, best);
  best->rate = x->ref_frame_cost[INTRA_FRAME] +
               x->mbmode_cost[INTER_FRAME][mbmi->mode] +
               x->intra_uv_mode_cost[INTER_FRAME][mbmi->uv_mode];
  best->distortion = best->intra_distortion = 0;
  return 1;
}

/* ---- finishing ----------------------------------------------------------- */

/* Decide a macroblock of the altref frame's own source. libvpx codes it as
 * ZEROMV of the altref frame, whatever the evaluation finds. */
static void take_alt_ref(const vp8_mp_mode_decision *d,
                         vp8_mp_mode_best *best) {
  MB_MODE_INFO *const mbmi = &d->x->e_mbd.mode_info_context->mbmi;
  const int_mv zero = set_zero(d, ALTREF_FRAME);

  ++d->x->mp_counts.unevaluated;
  mbmi->mb_skip_coeff = d->cpi->common.mb_no_coeff_skip;
  mbmi->partitioning = 0;
  vp8_mp_mode_set_unevaluated(d,
                              vp8_mp_mode_satd(d, ALTREF_FRAME, zero, 4, 0, 0),
                              d->x->ref_frame_cost[ALTREF_FRAME], best);
}

/* Set the macroblock to the best candidate. */
static void finish(vp8_mp_mode_decision *d, unsigned int low,
                   vp8_mp_mode_best *best) {
  const VP8_COMP *const cpi = d->cpi;
  MACROBLOCK *const x = d->x;
  const MB_MODE_INFO *const mbmi = &best->mbmi;
  const int bias = cpi->common.ref_frame_sign_bias[mbmi->ref_frame];

  if (!cpi->sf.RD) {
    /* If libvpx would decide without RD evaluation, its rate control expects a
     * rate without the residual, and the error of the prediction as the
     * distortion. */
    const int mode_rate = mbmi->ref_frame == INTRA_FRAME
                              ? x->mbmode_cost[INTER_FRAME][mbmi->mode]
                              : d->mode_rate[mbmi->mode - NEARESTMV];

    best->rate = x->ref_frame_cost[mbmi->ref_frame] + mode_rate;
    best->distortion = vp8_mp_mode_uncoded_distortion(low);
  }
  vp8_mp_mode_take(x, best, &d->best_ref_mv[bias]);
}

int vp8_mp_mode_pick_inter_mode(VP8_COMP *cpi, MACROBLOCK *x, int recon_yoffset,
                                int recon_uvoffset, int *rate, int *distortion,
                                int *intra_error) {
  vp8_mp_mode_decision d;
  vp8_mp_mode_best best;
  vp8_mp_mode_ranking r;

  vp8_mp_recon_coded_reset(x, &cpi->mp.mode.zeros);
  if (cpi->mp.features & VP8_MP_GUIDE) vp8_mp_rc_segment_mb_begin(cpi, x);
  x->mp_guided = begin(cpi, x, recon_yoffset, recon_uvoffset, &d);
  if (!x->mp_guided) {
    if (cpi->mp.features & VP8_MP_GUIDE) vp8_mp_mode_set_quantizer(cpi, x, 0);
    return 0;
  }
  ++x->mp_counts.guided;
  vp8_mp_mode_denoise(&d, recon_yoffset, recon_uvoffset);
  vp8_mp_recon_coded_set_dropped(
      x, vp8_mp_recon_drop_entry(cpi, vp8_mp_mb_index(x, cpi->common.mb_cols)));
  memset(&best.mbmi, 0, sizeof(best.mbmi));
  best.rd = best.rate = best.distortion = best.intra_distortion = INT_MAX;
  if (cpi->is_src_frame_alt_ref) {
    take_alt_ref(&d, &best);
  } else if (take_static_zero(&d, &best)) {
    finish(&d, vp8_mp_mode_satd(&d, LAST_FRAME, best.mbmi.mv, 4, 0, 0), &best);
  } else if (take_exact(&d, &best)) {
    finish(&d, 0, &best);
  } else {
    rank(&d, &r);
    vp8_mp_mode_log(&d, &r.inter16x16);
    if (!take_static(&d, &r, &best)) vp8_mp_mode_evaluate(&d, &r, &best);
    finish(&d, r.low, &best);
  }
  *rate = best.rate;
  *distortion = best.distortion;
  /* Only decide_key_frame() reads this, for realtime, where libvpx does not
   * call it. */
  *intra_error = best.intra_distortion != INT_MAX ? best.intra_distortion : 0;
  return 1;
}

void vp8_mp_mode_decided(VP8_COMP *cpi, MACROBLOCK *x) {
  MB_MODE_INFO *const mbmi = &x->e_mbd.mode_info_context->mbmi;

  if (!(cpi->mp.features & VP8_MP_GUIDE)) return;
  /* A neighbour with SPLITMV reads the vector of an intra macroblock as zero.
   * vp8_pick_inter_mode(), which never chooses SPLITMV, does not clear it. */
  if (mbmi->ref_frame == INTRA_FRAME) mbmi->mv.as_int = 0;
  /* Cyclic refresh may have set the quantizer of another segment. */
  if (!x->mp_guided) return;
  vp8_mp_mode_set_quantizer(cpi, x, 1);
  /* The evaluation quantized with another dead zone. */
  if (x->act_zbin_adj && cpi->sf.improved_quant) vp8_mp_recon_coded_discard(x);
}
