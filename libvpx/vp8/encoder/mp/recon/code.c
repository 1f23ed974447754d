/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/code.h"

#include <string.h>

#include "./vp8_rtcd.h"
#include "./vpx_dsp_rtcd.h"
#include "vp8/encoder/block.h"
#include "vp8/common/reconinter.h"
#include "vp8/encoder/encodemb.h"
#include "vp8/encoder/mp/recon/drop.h"
#include "vp8/encoder/mp/recon/tokens.h"
#include "vp8/encoder/mp/recon/residual.h"
#include "vp8/encoder/mp/recon/token_rate.h"

static void copy_plane(unsigned char *to, int to_stride,
                       const unsigned char *from, int from_stride, int size) {
  int i;

  for (i = 0; i < size; ++i) {
    memcpy(to + i * to_stride, from + i * from_stride, size);
  }
}

static void copy_chroma_to_dst(const MACROBLOCKD *xd,
                               const unsigned char *predictor) {
  copy_plane(xd->dst.u_buffer, xd->dst.uv_stride, predictor + 256, 8, 8);
  copy_plane(xd->dst.v_buffer, xd->dst.uv_stride, predictor + 320, 8, 8);
}

void vp8_mp_recon_coded_reset(MACROBLOCK *x,
                              const struct vp8_mp_recon_rate_zeros *zeros) {
  x->mp_coded.zeros = zeros;
  x->mp_coded.dropped = NULL;
  x->mp_coded.q_index = -1;
  x->mp_coded.exact = 0;
  x->mp_coded.counts_rate = x->mp_coded.token_rate = 0;
}

void vp8_mp_recon_coded_discard(MACROBLOCK *x) {
  x->mp_coded.q_index = -1;
  x->mp_coded.exact = 0;
}

void vp8_mp_recon_coded_set_dropped(MACROBLOCK *x, vp8e_mp_dropped_t *dropped) {
  x->mp_coded.dropped = dropped;
}

void vp8_mp_recon_coded_count_rate(MACROBLOCK *x, int counts_rate) {
  x->mp_coded.counts_rate = counts_rate;
}

void vp8_mp_recon_coded_keep(MACROBLOCK *x) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  vp8_mp_recon_coded *const c = &x->mp_coded;

  memcpy(c->predictor, xd->predictor, sizeof(c->predictor));
  memcpy(c->qcoeff, xd->qcoeff, sizeof(c->qcoeff));
  memcpy(c->dqcoeff, xd->dqcoeff, sizeof(c->dqcoeff));
  memcpy(c->eobs, xd->eobs, sizeof(c->eobs));
  /* for the trellis */
  if (x->optimize) memcpy(c->coeff, x->coeff, sizeof(c->coeff));
  c->q_index = x->q_index;
  c->in_place = 0;
}

void vp8_mp_recon_coded_keep_exact(MACROBLOCK *x) {
  vp8_mp_recon_coded_keep(x);
  x->mp_coded.exact = 1;
}

void vp8_mp_recon_coded_keep_bpred(MACROBLOCK *x) {
  x->mp_coded.q_index = x->q_index;
  x->mp_coded.in_place = 1;
}

/* C version of the kernels below, by libvpx's functions, which transform two
 * blocks at once. */
static void residual(int size, const unsigned char *src, int src_stride,
                     const unsigned char *pred, int pred_stride,
                     const short *round, const short *quant, short *qcoeff,
                     char *eobs, short *dc) {
  DECLARE_ALIGNED(16, short, diff[16 * 16]);
  DECLARE_ALIGNED(16, short, coeff[2 * 16]);
  DECLARE_ALIGNED(16, short, dqcoeff[16]);
  DECLARE_ALIGNED(16, short, dequant[16]) = { 0 };
  BLOCK b;
  BLOCKD d;
  int i, j;

  vpx_subtract_block(size, size, diff, size, src, src_stride, pred,
                     pred_stride);
  memset(&b, 0, sizeof(b));
  memset(&d, 0, sizeof(d));
  b.round = (short *)round;
  b.quant_fast = (short *)quant;
  d.dqcoeff = dqcoeff;
  d.dequant = dequant;
  for (i = 0; i < size * size / 16; i += 2) {
    const int x = i * 4 % size, y = i * 4 / size * 4;

    vp8_short_fdct8x4(diff + y * size + x, coeff, 2 * size);
    for (j = 0; j < 2; ++j) {
      b.coeff = coeff + 16 * j;
      d.qcoeff = qcoeff + 16 * (i + j);
      d.eob = eobs + i + j;
      vp8_fast_quantize_b(&b, &d);
      if (dc) dc[i + j] = b.coeff[0];
    }
  }
}

void vp8_mp_recon_residual16x16_c(const unsigned char *src, int src_stride,
                                  const unsigned char *pred, int pred_stride,
                                  const short *round, const short *quant,
                                  short *qcoeff, char *eobs, short *dc) {
  residual(16, src, src_stride, pred, pred_stride, round, quant, qcoeff, eobs,
           dc);
}

void vp8_mp_recon_residual8x8_c(const unsigned char *src, int src_stride,
                                const unsigned char *pred, int pred_stride,
                                const short *round, const short *quant,
                                short *qcoeff, char *eobs) {
  residual(8, src, src_stride, pred, pred_stride, round, quant, qcoeff, eobs,
           NULL);
}

/* Code an inter macroblock with the fast quantizer, if neither a trellis nor a
 * rate is wanted. */
static void encode_fast(MACROBLOCK *x, int has_y2) {
  MACROBLOCKD *const xd = &x->e_mbd;
  const BLOCK *const y = &x->block[0], *const uv = &x->block[16];
  BLOCK *const y2 = &x->block[24];

  vp8_mp_recon_residual16x16(*y->base_src, y->src_stride, xd->dst.y_buffer,
                             xd->dst.y_stride, y->round, y->quant_fast,
                             xd->qcoeff, xd->eobs, y2->src_diff);
  vp8_mp_recon_residual8x8(x->src.u_buffer, x->src.uv_stride, xd->dst.u_buffer,
                           xd->dst.uv_stride, uv->round, uv->quant_fast,
                           xd->qcoeff + 256, xd->eobs + 16);
  vp8_mp_recon_residual8x8(x->src.v_buffer, x->src.uv_stride, xd->dst.v_buffer,
                           xd->dst.uv_stride, uv->round, uv->quant_fast,
                           xd->qcoeff + 320, xd->eobs + 20);
  if (has_y2) {
    x->short_walsh4x4(y2->src_diff, y2->coeff, 8);
    x->quantize_b(y2, &xd->block[24]);
  }
}

/* Code an inter macroblock with any quantizer. */
static void encode_thoroughly(MACROBLOCK *x, int has_y2) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  unsigned short coded[25];

  vp8_mp_recon_code_luma(x, xd->dst.y_buffer, xd->dst.y_stride, has_y2, coded);
  vp8_mp_recon_code_chroma(x, xd->dst.u_buffer, xd->dst.v_buffer,
                           xd->dst.uv_stride, coded);
  /* Count the rate before the trellis, as the evaluation does. */
  if (x->mp_coded.counts_rate && !vp8_mp_recon_all_zero(xd->eobs, has_y2)) {
    x->mp_coded.token_rate =
        vp8_mp_recon_rate_luma(x, x->mp_coded.zeros, has_y2, coded) +
        vp8_mp_recon_rate_chroma(x, x->mp_coded.zeros, coded);
  }
}

/* Code a macroblock that was decided without evaluation. Returns 0, with
 * nothing done, if it is intra. */
static int encode_unevaluated(MACROBLOCK *x) {
  const MB_MODE_INFO *const mbmi = &x->e_mbd.mode_info_context->mbmi;
  const int has_y2 = mbmi->mode != SPLITMV;

  if (mbmi->ref_frame == INTRA_FRAME) return 0;
  vp8_build_inter_predictors_mb(&x->e_mbd);
  if (x->optimize || x->mp_coded.counts_rate ||
      x->quantize_b != vp8_fast_quantize_b) {
    encode_thoroughly(x, has_y2);
  } else {
    encode_fast(x, has_y2);
  }
  return 1;
}

static void take_kept(MACROBLOCK *x) {
  MACROBLOCKD *const xd = &x->e_mbd;
  const vp8_mp_recon_coded *const c = &x->mp_coded;

  if (c->in_place) {
    copy_chroma_to_dst(xd, xd->predictor);
    return;
  }
  copy_plane(xd->dst.y_buffer, xd->dst.y_stride, c->predictor, 16, 16);
  copy_chroma_to_dst(xd, c->predictor);
  memcpy(xd->qcoeff, c->qcoeff, sizeof(c->qcoeff));
  memcpy(xd->dqcoeff, c->dqcoeff, sizeof(c->dqcoeff));
  memcpy(xd->eobs, c->eobs, sizeof(c->eobs));
  if (x->optimize) memcpy(x->coeff, c->coeff, sizeof(c->coeff));
}

int vp8_mp_recon_encode_mb(MACROBLOCK *x) {
  if (!x->mp_guided) return 0;
  if (x->mp_coded.q_index == x->q_index) {
    take_kept(x);
  } else if (!encode_unevaluated(x)) {
    return 0;
  }
  if (x->optimize && !x->mp_coded.exact) {
    /* libvpx has no trellis for the luma of B_PRED. */
    if (x->e_mbd.mode_info_context->mbmi.mode != B_PRED) vp8_optimize_mby(x);
    vp8_optimize_mbuv(x);
  }
  if (x->e_mbd.mode_info_context->mbmi.ref_frame != INTRA_FRAME) {
    vp8_mp_recon_drop(x);
  }
  return 1;
}
