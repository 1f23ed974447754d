/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/drop.h"

#include <string.h>

#include "vp8/encoder/mp/recon/pixels.h"
#include "vp8/encoder/mp/recon/token_rate.h"
#include "vp8/encoder/mp/recon/tokens.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* In a picture that stands still, the error of the prediction changes only by
 * the loop filter. The noise of a camera changes it more: the squared errors of
 * 384 samples of noise in two frames differ with a standard deviation of a
 * tenth, so that one frame in eight seems to stand still by chance. */
#define SAME_SHIFT 6 /* 1/64 */

/* The longest wait that counts. At quantizer index 4, where a bit costs a
 * squared error of 1.8, a gain of 1 is worth 140 bits then. */
#define MOST_FRAMES 255

/* A moving macroblock is tested only if the ends of its blocks add up to this
 * at most: a residual of more coefficients is seldom dropped, and its rate
 * takes long to count. Without this limit 0.4 % of bitrate are gained at
 * realtime, cpu-used -8, in 2 to 7 % more instructions. */
#define FEW 16

vp8e_mp_dropped_t *vp8_mp_recon_drop_entry(VP8_COMP *cpi, int mb) {
  return cpi->mp.mb_memory.mb ? &cpi->mp.mb_memory.mb[mb].dropped : NULL;
}

/* Returns the sum of the ends of eight blocks. */
static int sum_eobs(const char *eobs) {
  uint64_t e;

  memcpy(&e, eobs, sizeof(e));
  /* The product's upper byte is the sum, at most 8 * 16. */
  return (int)((e * 0x0101010101010101ull) >> 56);
}

/* Set coded[] of n blocks to the bits of the coefficients that are not zero, in
 * zigzag order. Returns whether there are any. */
static int find_coded(const MACROBLOCKD *xd, int block, int n, int first,
                      unsigned short *coded) {
  int any = 0, i, j;

  for (i = block; i < block + n; ++i) {
    const short *const qcoeff = xd->qcoeff + 16 * i;
    unsigned int bits = 0;

    for (j = first; j < xd->eobs[i]; ++j) {
      bits |= (unsigned int)(qcoeff[vp8_default_zig_zag1d[j]] != 0) << j;
    }
    coded[i] = (unsigned short)bits;
    any |= bits != 0;
  }
  return any;
}

static void clear(MACROBLOCKD *xd, int block, int n) {
  memset(xd->qcoeff + 16 * block, 0, 16 * n * sizeof(*xd->qcoeff));
  memset(xd->dqcoeff + 16 * block, 0, 16 * n * sizeof(*xd->dqcoeff));
  memset(xd->eobs + block, 0, n);
}

/* Returns whether all vectors of an inter macroblock are zero. */
static int stands_still(const MODE_INFO *mic) {
  int i;

  if (mic->mbmi.mode != SPLITMV) return !mic->mbmi.mv.as_int;
  for (i = 0; i < 16; ++i) {
    if (mic->bmi[i].mv.as_int) return 0;
  }
  return 1;
}

/* A residual gains its reduction of the error in each frame until the
 * macroblock changes, but nobody knows when that will be. Returns for how many
 * frames the macroblock has been the same while its residual was dropped. The
 * caller codes the residual when it would have been worth its rate over these
 * frames. If the time of the change were known, a macroblock would cost at
 * least half as much. error: squared error of the prediction. */
static unsigned int frames_waited(vp8e_mp_dropped_t *last, unsigned int error) {
  const unsigned int difference =
      error > last->error ? error - last->error : last->error - error;
  const int same = difference <= error >> SAME_SHIFT;

  last->error = error;
  last->frames = same ? VPXMIN(last->frames + 1, MOST_FRAMES) : 0;
  return last->frames;
}

static int64_t rd_rate(const MACROBLOCK *x, int rate) {
  return ((int64_t)rate * x->rdmult) >> 8;
}

/* Returns the rate of the tokens of a luma without coefficients that has no
 * neighbours with coefficients. */
static int empty_luma(const MACROBLOCK *x, int has_y2) {
  const int y = x->token_costs[has_y2 ? 0 : 3][has_y2][0][DCT_EOB_TOKEN];

  return 16 * y + (has_y2 ? x->token_costs[1][0][0][DCT_EOB_TOKEN] : 0);
}

/* Return whether a residual is worth its rate. error: that of the prediction.
 * weight: RD cost of an error of 1. */

static int luma_pays(MACROBLOCK *x, const unsigned short coded[25], int has_y2,
                     unsigned int error, int64_t weight) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const unsigned int with = vp8_mp_recon_coded_luma_error(
      x, xd->dst.y_buffer, xd->dst.y_stride, has_y2);

  return with < error &&
         weight * (error - with) >
             rd_rate(x, vp8_mp_recon_rate_luma(x, x->mp_coded.zeros, has_y2,
                                               coded));
}

/* luma_rate: rate of luma's tokens that chroma's residual alone makes
 * necessary. */
static int chroma_pays(MACROBLOCK *x, const unsigned short coded[25],
                       int luma_rate, unsigned int error, int64_t weight) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const unsigned int with = vp8_mp_recon_coded_chroma_error(
      x, xd->dst.u_buffer, xd->dst.v_buffer, xd->dst.uv_stride);

  return with < error &&
         weight * (error - with) >
             rd_rate(x, luma_rate + vp8_mp_recon_rate_chroma(
                                        x, x->mp_coded.zeros, coded));
}

void vp8_mp_recon_drop(MACROBLOCK *x) {
  MACROBLOCKD *const xd = &x->e_mbd;
  MODE_INFO *const mic = xd->mode_info_context;
  vp8e_mp_dropped_t *const last = x->mp_coded.dropped;
  const int has_y2 = mic->mbmi.mode != SPLITMV;
  const int chroma_eobs = sum_eobs(xd->eobs + 16);
  const int luma_eobs =
      sum_eobs(xd->eobs) + sum_eobs(xd->eobs + 8) + (has_y2 ? xd->eobs[24] : 0);
  unsigned int luma_error, chroma_error;
  unsigned short coded[25];
  int64_t weight = x->rddiv;
  int still, luma = 0, chroma = 0, keep_luma = 0, keep_chroma = 0;

  if (has_y2 && vp8_mp_recon_all_zero(xd->eobs, 1)) return;
  still = stands_still(mic);
  if (!still && luma_eobs + chroma_eobs > FEW) return;
  if (luma_eobs) {
    luma = find_coded(xd, 0, 16, has_y2, coded);
    if (has_y2) luma |= find_coded(xd, 24, 1, 0, coded);
  }
  if (chroma_eobs) chroma = find_coded(xd, 16, 8, 0, coded);
  if (luma || chroma) {
    luma_error = vp8_mp_recon_luma_error(x, xd->dst.y_buffer, xd->dst.y_stride);
    chroma_error = vp8_mp_recon_chroma_error(
        x, xd->dst.u_buffer, xd->dst.v_buffer, xd->dst.uv_stride);
    if (still && last) {
      weight *= 1 + frames_waited(last, luma_error + chroma_error);
    }
    keep_luma = luma && luma_pays(x, coded, has_y2, luma_error, weight);
    keep_chroma =
        chroma && chroma_pays(x, coded, keep_luma ? 0 : empty_luma(x, has_y2),
                              chroma_error, weight);
  }
  if (luma && !keep_luma) {
    clear(xd, 0, 16);
    if (has_y2) clear(xd, 24, 1);
  }
  if (chroma && !keep_chroma) clear(xd, 16, 8);
  if (keep_luma || keep_chroma) {
    if (last) last->frames = 0;
  } else if (still && !has_y2) {
    /* SPLITMV was chosen for a residual without Y2. Without any, ZEROMV is the
     * same in fewer bits. */
    mic->mbmi.mode = ZEROMV;
    clear(xd, 24, 1);
  }
}
