/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/candidate.h"

#include "./vp8_rtcd.h"
#include "vp8/common/findnearmv.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/quantize.h"
#include "vp8/encoder/rdopt.h"

/* Widening of the regular quantizer's dead zone, in 1/128 of a quantizer step.
 * It is the same for all modes. libvpx widens the dead zone by mode: by 0 for
 * SPLITMV and intra modes, by 4 for vectors other than zero, and by 6 or 12 for
 * zero vectors. This favours the modes with the wider dead zone and costs 2 to
 * 3 % of bitrate. 8 costs 1 %; 28 gains nothing, and the results of clips
 * spread more. */
#define DEAD_ZONE 16

unsigned int vp8_mp_mode_satd(const vp8_mp_mode_decision *d, int ref, int_mv mv,
                              int log2, int bx, int by) {
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

int vp8_mp_mode_codable(const MACROBLOCK *x, int_mv mv, int_mv best_ref_mv) {
  return vp8_mp_mv_in(
      vp8_mp_mv_codable(x, best_ref_mv.as_mv, VP8_MP_MV_DECIDED), mv.as_mv.row,
      mv.as_mv.col);
}

void vp8_mp_mode_set_candidate(const vp8_mp_mode_decision *d, int mode, int ref,
                               int_mv mv) {
  MACROBLOCKD *const xd = &d->x->e_mbd;

  xd->mode_info_context->mbmi.ref_frame = ref;
  xd->mode_info_context->mbmi.uv_mode = DC_PRED;
  xd->pre.y_buffer = d->plane[ref][0];
  xd->pre.u_buffer = d->plane[ref][1];
  xd->pre.v_buffer = d->plane[ref][2];
  vp8_set_mbmode_and_mvs(d->x, mode, &mv);
}

void vp8_mp_mode_set_split(const vp8_mp_mode_decision *d,
                           const vp8_mp_mode_split *split) {
  MACROBLOCKD *const xd = &d->x->e_mbd;
  MODE_INFO *const mic = xd->mode_info_context;
  PARTITION_INFO *const partition = d->x->partition_info;
  int i;

  vp8_mp_mode_set_candidate(d, SPLITMV, split->ref, split->mv[0]);
  mic->mbmi.partitioning = split->partitioning;
  partition->count = vp8_mbsplit_count[split->partitioning];
  for (i = 0; i < partition->count; ++i) {
    partition->bmi[i].mode = split->mode[i];
    partition->bmi[i].mv.as_int = split->mv[i].as_int;
  }
  for (i = 0; i < 16; ++i) {
    mic->bmi[i].mv = split->mv[vp8_mbsplits[split->partitioning][i]];
    xd->block[i].bmi.mv = mic->bmi[i].mv;
  }
  partition->bmi[15].mv.as_int = mic->bmi[15].mv.as_int;
}

void vp8_mp_mode_set_quantizer(VP8_COMP *cpi, MACROBLOCK *x, int guided) {
  const int q = x->q_index, regular = cpi->sf.improved_quant;
  const int own = guided && !regular;
  short(*const round)[16] = cpi->mp.mode.round[q];
  short *const y = own ? round[0] : cpi->Y1round[q];
  short *const y2 = own ? round[1] : cpi->Y2round[q];
  short *const uv = own ? round[2] : cpi->UVround[q];
  int i;

  x->quantize_b = regular ? vp8_regular_quantize_b : vp8_fast_quantize_b;
  if (regular) {
    x->zbin_mode_boost = guided ? DEAD_ZONE : 0;
    vp8_update_zbin_extra(cpi, x);
  }
  if (x->block[24].round == y2) return;
  for (i = 0; i < 16; ++i) x->block[i].round = y;
  for (; i < 24; ++i) x->block[i].round = uv;
  x->block[24].round = y2;
}

void vp8_mp_mode_keep(const MACROBLOCK *x, vp8_mp_mode_best *best) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  int i;

  best->mbmi = xd->mode_info_context->mbmi;
  if (best->mbmi.mode == SPLITMV) best->partition = *x->partition_info;
  if (best->mbmi.mode == SPLITMV || best->mbmi.mode == B_PRED) {
    for (i = 0; i < 16; ++i) best->bmi[i] = xd->block[i].bmi;
  }
}
