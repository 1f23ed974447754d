/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/loop_filter.h"

#include "./vp8_rtcd.h"
#include "vp8/common/loopfilter.h"
#include "vp8/encoder/onyx_int.h"

void vp8_mp_recon_filter_mb_c(unsigned char *y, unsigned char *u,
                              unsigned char *v, int y_stride, int uv_stride,
                              struct loop_filter_info *lfi, int edges) {
  const int inner = edges & VP8_MP_RECON_INNER;

  if (edges & VP8_MP_RECON_LEFT) {
    vp8_loop_filter_mbv(y, u, v, y_stride, uv_stride, lfi);
  }
  if (inner) vp8_loop_filter_bv(y, u, v, y_stride, uv_stride, lfi);
  if (edges & VP8_MP_RECON_TOP) {
    vp8_loop_filter_mbh(y, u, v, y_stride, uv_stride, lfi);
  }
  if (inner) vp8_loop_filter_bh(y, u, v, y_stride, uv_stride, lfi);
}

static void filter_mb_simple(unsigned char *y, int stride,
                             const loop_filter_info *lfi, int edges) {
  const int inner = edges & VP8_MP_RECON_INNER;

  if (edges & VP8_MP_RECON_LEFT)
    vp8_loop_filter_simple_mbv(y, stride, lfi->mblim);
  if (inner) vp8_loop_filter_simple_bv(y, stride, lfi->blim);
  if (edges & VP8_MP_RECON_TOP)
    vp8_loop_filter_simple_mbh(y, stride, lfi->mblim);
  if (inner) vp8_loop_filter_simple_bh(y, stride, lfi->blim);
}

void vp8_mp_recon_filter_levels(const loop_filter_info_n *lfi_n,
                                unsigned char *kinds) {
  int segment, ref, mode;

  for (mode = 0; mode < 4; ++mode) {
    for (ref = 0; ref < MAX_REF_FRAMES; ++ref) {
      for (segment = 0; segment < MAX_MB_SEGMENTS; ++segment) {
        *kinds++ = lfi_n->lvl[segment][ref][mode];
      }
    }
  }
}

/* Set *lfi to a macroblock's limits. Returns the edges to filter; 0: none. */
static int edges_of(const VP8_COMMON *cm, int frame_type, const MODE_INFO *mi,
                    int mb_row, int mb_col, loop_filter_info *lfi) {
  const loop_filter_info_n *const lfi_n = &cm->lf_info;
  const MB_MODE_INFO *const mbmi = &mi->mbmi;
  const int level = vp8_mp_recon_filter_level(lfi_n, mbmi);

  if (!level) return 0;
  lfi->mblim = lfi_n->mblim[level];
  lfi->blim = lfi_n->blim[level];
  lfi->lim = lfi_n->lim[level];
  lfi->hev_thr = lfi_n->hev_thr[lfi_n->hev_thr_lut[frame_type][level]];
  return (mb_col ? VP8_MP_RECON_LEFT : 0) | (mb_row ? VP8_MP_RECON_TOP : 0) |
         (vp8_mp_recon_filters_inner(mbmi) ? VP8_MP_RECON_INNER : 0);
}

void vp8_mp_recon_filter_mbs(const VP8_COMMON *cm, int frame_type, int mb_row,
                             int first, int end, int chroma) {
  const YV12_BUFFER_CONFIG *const fb = cm->frame_to_show;
  const MODE_INFO *const mi = cm->mi + mb_row * cm->mode_info_stride;
  unsigned char *const y = fb->y_buffer + mb_row * 16 * fb->y_stride;
  unsigned char *const u = fb->u_buffer + mb_row * 8 * fb->uv_stride;
  unsigned char *const v = fb->v_buffer + mb_row * 8 * fb->uv_stride;
  int col;

  for (col = first; col < end; ++col) {
    loop_filter_info lfi;
    const int edges = edges_of(cm, frame_type, mi + col, mb_row, col, &lfi);

    if (!edges) continue;
    if (cm->filter_type != NORMAL_LOOPFILTER) {
      filter_mb_simple(y + col * 16, fb->y_stride, &lfi, edges);
    } else {
      vp8_mp_recon_filter_mb(y + col * 16, chroma ? u + col * 8 : NULL,
                             chroma ? v + col * 8 : NULL, fb->y_stride,
                             fb->uv_stride, &lfi, edges);
    }
  }
}

/* Filter rows of macroblocks, first to end (exclusive), at a level. */
static void filter_rows(VP8_COMP *cpi, int level, int frame_type, int first,
                        int end, int chroma) {
  VP8_COMMON *const cm = &cpi->common;
  int row;

  vp8_loop_filter_frame_init(cm, &cpi->mb.e_mbd, level);
  for (row = first; row < end; ++row) {
    vp8_mp_recon_filter_mbs(cm, frame_type, row, 0, cm->mb_cols, chroma);
  }
}

int vp8_mp_recon_filter_frame(VP8_COMP *cpi, int frame_type) {
  if (!cpi->mp.provider) return 0;
  filter_rows(cpi, cpi->common.filter_level, frame_type, 0, cpi->common.mb_rows,
              1);
  return 1;
}

void vp8_mp_recon_filter_partial(VP8_COMP *cpi, int level) {
  VP8_COMMON *const cm = &cpi->common;
  const int first = cm->frame_to_show->y_height >> 5;
  const int rows = VPXMAX(cm->mb_rows / PARTIAL_FRAME_FRACTION, 1);

  /* In a frame of one macroblock row libvpx also filters the row's upper edge,
   * so it does that itself. */
  if (!cpi->mp.provider || !first) {
    vp8_loop_filter_partial_frame(cm, &cpi->mb.e_mbd, level);
  } else {
    filter_rows(cpi, level, cm->frame_type, first, first + rows, 0);
  }
}
