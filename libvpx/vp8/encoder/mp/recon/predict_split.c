/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/predict_split.h"

#include <string.h>

#include "./vp8_rtcd.h"
#include "vp8/common/blockd.h"
#include "vp8/common/reconinter.h"

static int is_subpel(int_mv mv) { return (mv.as_int & 0x00070007) != 0; }

static unsigned char *at(unsigned char *plane, int stride, int x, int y,
                         int_mv mv) {
  return plane + (y + (mv.as_mv.row >> 3)) * stride + x + (mv.as_mv.col >> 3);
}

static void copy(const unsigned char *from, int stride, int width, int height,
                 unsigned char *to, int to_stride) {
  int y;

  for (y = 0; y < height; ++y) {
    memcpy(to + y * to_stride, from + y * stride, width);
  }
}

/* ---- luma ---------------------------------------------------------------- */

/* Predict the block at (x, y) by the vector of its first 4x4 block. */
static void predict_luma(MACROBLOCKD *xd, int x, int y, int width, int height,
                         vp8_subpix_fn_t predict) {
  const int_mv mv = xd->block[y + x / 4].bmi.mv;
  const int stride = xd->pre.y_stride;
  unsigned char *const from = at(xd->pre.y_buffer, stride, x, y, mv);
  unsigned char *const to = xd->predictor + 16 * y + x;

  if (is_subpel(mv)) {
    predict(from, stride, mv.as_mv.col & 7, mv.as_mv.row & 7, to, 16);
  } else {
    copy(from, stride, width, height, to, 16);
  }
}

static void predict_quarters(MACROBLOCKD *xd) {
  int i;

  for (i = 0; i < 4; ++i) {
    predict_luma(xd, 8 * (i & 1), 8 * (i >> 1), 8, 8, xd->subpixel_predict8x8);
  }
}

/* Predict two neighbouring blocks with the same vector at once, as libvpx
 * does. */
static void predict_blocks(MACROBLOCKD *xd) {
  int i;

  for (i = 0; i < 16; i += 2) {
    const int x = 4 * (i & 3), y = i & ~3;

    if (xd->block[i].bmi.mv.as_int == xd->block[i + 1].bmi.mv.as_int) {
      predict_luma(xd, x, y, 8, 4, xd->subpixel_predict8x4);
    } else {
      predict_luma(xd, x, y, 4, 4, xd->subpixel_predict);
      predict_luma(xd, x + 4, y, 4, 4, xd->subpixel_predict);
    }
  }
}

void vp8_mp_recon_predict_split_luma(MACROBLOCKD *xd) {
  const int partitioning = xd->mode_info_context->mbmi.partitioning;
  const int is_sixtap = xd->subpixel_predict == vp8_sixtap_predict4x4;

  if (partitioning == 3) {
    predict_blocks(xd);
  } else if (partitioning == 0 && is_sixtap) {
    predict_luma(xd, 0, 0, 16, 8, vp8_mp_recon_sixtap16x8);
    predict_luma(xd, 0, 8, 16, 8, vp8_mp_recon_sixtap16x8);
  } else if (partitioning == 1 && is_sixtap) {
    predict_luma(xd, 0, 0, 8, 16, vp8_mp_recon_sixtap8x16);
    predict_luma(xd, 8, 0, 8, 16, vp8_mp_recon_sixtap8x16);
  } else {
    predict_quarters(xd);
  }
}

/* ---- chroma -------------------------------------------------------------- */

/* Returns a component of the mean of four luma vectors, rounded as in RFC
 * 6386. */
static int mean(int sum, int mask) {
  return ((sum + (sum < 0 ? -4 : 4)) / 8) & mask;
}

/* Returns the vector of the 4x4 chroma block that belongs to the four luma
 * blocks from block i on. */
static int_mv chroma_mv(const MACROBLOCKD *xd, int i) {
  const MV a = xd->block[i].bmi.mv.as_mv, b = xd->block[i + 1].bmi.mv.as_mv;
  const MV c = xd->block[i + 4].bmi.mv.as_mv, d = xd->block[i + 5].bmi.mv.as_mv;
  int_mv mv;

  mv.as_mv.row = mean(a.row + b.row + c.row + d.row, xd->fullpixel_mask);
  mv.as_mv.col = mean(a.col + b.col + c.col + d.col, xd->fullpixel_mask);
  return mv;
}

void vp8_mp_recon_predict_split_chroma(MACROBLOCKD *xd) {
  const int stride = xd->pre.uv_stride;
  int i;

  if (xd->subpixel_predict != vp8_sixtap_predict4x4) {
    vp8_build_inter4x4_predictors_mbuv(xd);
    return;
  }
  for (i = 0; i < 4; ++i) {
    const int x = 4 * (i & 1), y = 4 * (i >> 1);
    const int_mv mv = chroma_mv(xd, 2 * y + x / 2);
    unsigned char *const u = at(xd->pre.u_buffer, stride, x, y, mv);
    unsigned char *const v = at(xd->pre.v_buffer, stride, x, y, mv);
    unsigned char *const to = xd->predictor + 256 + 8 * y + x;

    if (is_subpel(mv)) {
      vp8_mp_recon_sixtap4x4_pair(u, v, stride, mv.as_mv.col & 7,
                                  mv.as_mv.row & 7, to, to + 64, 8);
    } else {
      copy(u, stride, 4, 4, to, 8);
      copy(v, stride, 4, 4, to + 64, 8);
    }
  }
}
