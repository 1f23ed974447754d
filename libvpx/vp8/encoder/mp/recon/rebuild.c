/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/rebuild.h"

#include <string.h>

#include "./vp8_rtcd.h"
#include "vp8/common/entropy.h"
#include "vp8/common/extend.h"
#include "vp8/common/invtrans.h"
#include "vp8/common/reconinter.h"
#include "vp8/common/reconintra.h"
#include "vp8/common/reconintra4x4.h"
#include "vp8/common/setupintrarecon.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/quantize.h"
#include "vpx_ports/system_state.h"

/* ---- tokens -------------------------------------------------------------- */

#define Y2 24 /* block of the luma blocks' DC coefficients */

static int token_of(vp8e_mp_token_t t) { return t >> VP8E_MP_TOKEN_SHIFT & 15; }

static int value_of(vp8e_mp_token_t t) {
  const unsigned int extra = t >> VP8E_MP_TOKEN_EXTRA_SHIFT;
  const int value = vp8_extra_bits[token_of(t)].base_val + (int)(extra >> 1);

  return extra & 1 ? -value : value;
}

/* Set the coefficients of a block, which are 0, from position `first` on.
 * Returns the token after its last one. */
static const vp8e_mp_token_t *set_block(MACROBLOCKD *xd, int block, int first,
                                        const vp8e_mp_token_t *t) {
  short *const qcoeff = xd->qcoeff + 16 * block;
  int i, end = 0;

  for (i = first; i < 16; ++i, ++t) {
    const int at = vp8_default_zig_zag1d[i];

    if (token_of(*t) == DCT_EOB_TOKEN) {
      ++t;
      break;
    }
    qcoeff[at] = (short)value_of(*t);
    if (qcoeff[at]) end = i + 1;
  }
  xd->eobs[block] = (char)end;
  return t;
}

/* Set the coefficients of a macroblock. */
static void set_coefficients(MACROBLOCKD *xd, int has_y2,
                             const vp8e_mp_token_t *t) {
  int i;

  memset(xd->qcoeff, 0, sizeof(xd->qcoeff));
  memset(xd->eobs, 0, sizeof(xd->eobs));
  if (has_y2) {
    t = set_block(xd, Y2, 0, t);
    vp8_dequantize_b(&xd->block[Y2], xd->dequant_y2);
  }
  for (i = 0; i < 16; ++i) t = set_block(xd, i, has_y2, t);
  for (i = 16; i < Y2; ++i) t = set_block(xd, i, 0, t);
}

/* ---- macroblocks --------------------------------------------------------- */

/* Make a B_PRED macroblock's luma. A sub-block is predicted from those before
 * it. */
static void make_sub_blocks(MACROBLOCKD *xd, int has_residual) {
  const int stride = xd->dst.y_stride;
  int i;

  intra_prediction_down_copy(xd, xd->dst.y_buffer - stride + 16);
  for (i = 0; i < 16; ++i) {
    unsigned char *const dst =
        xd->dst.y_buffer + (i >> 2) * 4 * stride + (i & 3) * 4;
    unsigned char *const above = dst - stride;

    vp8_intra4x4_predict(above, dst - 1, stride,
                         xd->mode_info_context->bmi[i].as_mode, dst, stride,
                         above[-1]);
    if (!has_residual) continue;
    if (xd->eobs[i] > 1) {
      vp8_dequant_idct_add(xd->qcoeff + 16 * i, xd->dequant_y1, dst, stride);
    } else {
      vp8_dc_only_idct_add(xd->qcoeff[16 * i] * xd->dequant_y1[0], dst, stride,
                           dst, stride);
    }
  }
}

static void predict(MACROBLOCKD *xd) {
  const MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;

  if (mbmi->ref_frame != INTRA_FRAME) {
    vp8_build_inter_predictors_mb(xd);
    return;
  }
  vp8_build_intra_predictors_mbuv_s(xd, xd->dst.u_buffer - xd->dst.uv_stride,
                                    xd->dst.v_buffer - xd->dst.uv_stride,
                                    xd->dst.u_buffer - 1, xd->dst.v_buffer - 1,
                                    xd->dst.uv_stride, xd->dst.u_buffer,
                                    xd->dst.v_buffer, xd->dst.uv_stride);
  if (mbmi->mode == B_PRED) return;
  vp8_build_intra_predictors_mby_s(xd, xd->dst.y_buffer - xd->dst.y_stride,
                                   xd->dst.y_buffer - 1, xd->dst.y_stride,
                                   xd->dst.y_buffer, xd->dst.y_stride);
}

/* Make a macroblock whose place and references are set. */
static void make(MACROBLOCKD *xd, const vp8e_mp_coded_t *c,
                 const vp8e_mp_token_t *tokens) {
  const int mode = xd->mode_info_context->mbmi.mode;

  if (c->tokens) {
    set_coefficients(xd, mode != B_PRED && mode != SPLITMV,
                     tokens + c->first_token);
  }
  predict(xd);
  if (mode == B_PRED) {
    make_sub_blocks(xd, c->tokens != 0);
  } else if (c->tokens) {
    vp8_inverse_transform_mby(xd);
  }
  if (c->tokens) {
    vp8_dequant_idct_add_uv_block(xd->qcoeff + 256, xd->dequant_uv,
                                  xd->dst.u_buffer, xd->dst.v_buffer,
                                  xd->dst.uv_stride, xd->eobs + 16);
  }
}

/* Set pointers to the pixels of a macroblock. */
static void place(YV12_BUFFER_CONFIG *to, const YV12_BUFFER_CONFIG *picture,
                  int row, int col) {
  to->y_buffer = picture->y_buffer + (row * picture->y_stride + col) * 16;
  to->u_buffer = picture->u_buffer + (row * picture->uv_stride + col) * 8;
  to->v_buffer = picture->v_buffer + (row * picture->uv_stride + col) * 8;
}

void vp8_mp_recon_rebuild(VP8_COMP *cpi, const vp8e_mp_coded_t *coded,
                          const vp8e_mp_token_t *tokens) {
  VP8_COMMON *const cm = &cpi->common;
  MACROBLOCK *const x = &cpi->mb;
  MACROBLOCKD *const xd = &x->e_mbd;
  YV12_BUFFER_CONFIG *const picture = &cm->yv12_fb[cm->new_fb_idx];
  const int of_ref[MAX_REF_FRAMES] = { cm->new_fb_idx, cm->lst_fb_idx,
                                       cm->gld_fb_idx, cm->alt_fb_idx };
  int row, col;

  vp8_setup_intra_recon(picture);
  xd->dst = *picture;
  xd->pre = *picture;
  xd->mode_info_context = cm->mi;
  for (row = 0; row < cm->mb_rows; ++row) {
    xd->up_available = row != 0;
    xd->mb_to_top_edge = -(row * 16 * 8);
    xd->mb_to_bottom_edge = (cm->mb_rows - 1 - row) * 16 * 8;
    for (col = 0; col < cm->mb_cols; ++col) {
      xd->left_available = col != 0;
      xd->mb_to_left_edge = -(col * 16 * 8);
      xd->mb_to_right_edge = (cm->mb_cols - 1 - col) * 16 * 8;
      place(&xd->dst, picture, row, col);
      place(&xd->pre,
            &cm->yv12_fb[of_ref[xd->mode_info_context->mbmi.ref_frame]], row,
            col);
      if (xd->segmentation_enabled) vp8cx_mb_init_quantizer(cpi, x, 1);
      make(xd, coded++, tokens);
      ++xd->mode_info_context;
    }
    ++xd->mode_info_context; /* the column beside the frame */
    place(&xd->dst, picture, row, cm->mb_cols);
    /* for the prediction of the row below */
    vp8_extend_mb_row(picture, xd->dst.y_buffer, xd->dst.u_buffer,
                      xd->dst.v_buffer);
  }
  vpx_clear_system_state(); /* after MMX, before floating point */
}
