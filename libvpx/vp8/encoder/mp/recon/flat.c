/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/flat.h"

#include <string.h>

#include "./vp8_rtcd.h"
#include "vp8/common/reconintra.h"
#include "vp8/encoder/block.h"
#include "vp8/encoder/mp/recon/code.h"
#include "vp8/encoder/mp/recon/pixels.h"
#include "vp8/encoder/mp/recon/residual.h"

/* Returns whether all pixels of a square are equal. */
static int is_flat(const unsigned char *p, int stride, int size) {
  int i;

  /* Most squares fail here. */
  for (i = 0; i < size; ++i) {
    if (p[i * stride] != p[0]) return 0;
  }
  for (i = 0; i < size; ++i) {
    if (memcmp(p + i * stride, p + i * stride + 1, size - 1)) return 0;
  }
  return 1;
}

int vp8_mp_recon_is_flat_and_inexact(const MACROBLOCK *x,
                                     const unsigned char *y, int y_stride,
                                     const unsigned char *u,
                                     const unsigned char *v, int uv_stride) {
  const BLOCK *const b = &x->block[0];

  return is_flat(*b->base_src, b->src_stride, 16) &&
         is_flat(x->src.u_buffer, x->src.uv_stride, 8) &&
         is_flat(x->src.v_buffer, x->src.uv_stride, 8) &&
         (vp8_mp_recon_luma_error(x, y, y_stride) ||
          vp8_mp_recon_chroma_error(x, u, v, uv_stride));
}

/* Set the mode of luma, or of chroma, to the first that is exact after the
 * residual that the quantizer leaves of it. TM_PRED is not tried: beside flat
 * macroblocks it predicts what H_PRED or V_PRED predicts. Return whether there
 * is one. */

static int find_luma(MACROBLOCK *x) {
  MACROBLOCKD *const xd = &x->e_mbd;
  MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;
  unsigned short coded[25];
  int mode;

  for (mode = DC_PRED; mode <= H_PRED; ++mode) {
    mbmi->mode = (unsigned char)mode;
    vp8_build_intra_predictors_mby_s(xd, xd->dst.y_buffer - xd->dst.y_stride,
                                     xd->dst.y_buffer - 1, xd->dst.y_stride,
                                     xd->predictor, 16);
    vp8_mp_recon_code_luma(x, xd->predictor, 16, 1, coded);
    if (!vp8_mp_recon_coded_luma_error(x, xd->predictor, 16, 1)) return 1;
  }
  return 0;
}

static int find_chroma(MACROBLOCK *x) {
  MACROBLOCKD *const xd = &x->e_mbd;
  MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;
  unsigned char *const u = xd->predictor + 256, *const v = xd->predictor + 320;
  unsigned short coded[25];
  int mode;

  for (mode = DC_PRED; mode <= H_PRED; ++mode) {
    mbmi->uv_mode = (unsigned char)mode;
    vp8_build_intra_predictors_mbuv_s(
        xd, xd->dst.u_buffer - xd->dst.uv_stride,
        xd->dst.v_buffer - xd->dst.uv_stride, xd->dst.u_buffer - 1,
        xd->dst.v_buffer - 1, xd->dst.uv_stride, u, v, 8);
    vp8_mp_recon_code_chroma(x, u, v, 8, coded);
    if (!vp8_mp_recon_coded_chroma_error(x, u, v, 8)) return 1;
  }
  return 0;
}

int vp8_mp_recon_find_exact(MACROBLOCK *x) {
  MB_MODE_INFO *const mbmi = &x->e_mbd.mode_info_context->mbmi;

  mbmi->ref_frame = INTRA_FRAME;
  mbmi->mv.as_int = 0;
  if (!find_luma(x) || !find_chroma(x)) return 0;
  vp8_mp_recon_coded_keep_exact(x);
  return 1;
}
