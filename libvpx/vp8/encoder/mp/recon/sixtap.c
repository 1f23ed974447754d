/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/sixtap.h"

#include "./vp8_rtcd.h"
#include "vp8/encoder/onyx_int.h"

void vp8_mp_recon_sixtap16x16_c(unsigned char *src, int src_stride, int xoffset,
                                int yoffset, unsigned char *dst,
                                int dst_stride) {
  vp8_sixtap_predict16x16(src, src_stride, xoffset, yoffset, dst, dst_stride);
}

void vp8_mp_recon_sixtap8x8_c(unsigned char *src, int src_stride, int xoffset,
                              int yoffset, unsigned char *dst, int dst_stride) {
  vp8_sixtap_predict8x8(src, src_stride, xoffset, yoffset, dst, dst_stride);
}

void vp8_mp_recon_sixtap16x8_c(unsigned char *src, int src_stride, int xoffset,
                               int yoffset, unsigned char *dst,
                               int dst_stride) {
  vp8_sixtap_predict8x8(src, src_stride, xoffset, yoffset, dst, dst_stride);
  vp8_sixtap_predict8x8(src + 8, src_stride, xoffset, yoffset, dst + 8,
                        dst_stride);
}

void vp8_mp_recon_sixtap8x16_c(unsigned char *src, int src_stride, int xoffset,
                               int yoffset, unsigned char *dst,
                               int dst_stride) {
  vp8_sixtap_predict8x8(src, src_stride, xoffset, yoffset, dst, dst_stride);
  vp8_sixtap_predict8x8(src + 8 * src_stride, src_stride, xoffset, yoffset,
                        dst + 8 * dst_stride, dst_stride);
}

void vp8_mp_recon_sixtap4x4_pair_c(unsigned char *u, unsigned char *v,
                                   int src_stride, int xoffset, int yoffset,
                                   unsigned char *dst_u, unsigned char *dst_v,
                                   int dst_stride) {
  vp8_sixtap_predict4x4(u, src_stride, xoffset, yoffset, dst_u, dst_stride);
  vp8_sixtap_predict4x4(v, src_stride, xoffset, yoffset, dst_v, dst_stride);
}

void vp8_mp_recon_fdct8x4_c(short *input, short *output, int pitch) {
  vp8_short_fdct8x4(input, output, pitch);
}

void vp8_mp_recon_fdct4x4_c(short *input, short *output, int pitch) {
  vp8_short_fdct4x4(input, output, pitch);
}

void vp8_mp_recon_kernels_set(VP8_COMP *cpi) {
  MACROBLOCKD *const xd = &cpi->mb.e_mbd;

  cpi->mb.short_fdct8x4 =
      cpi->mp.provider ? vp8_mp_recon_fdct8x4 : vp8_short_fdct8x4;
  cpi->mb.short_fdct4x4 =
      cpi->mp.provider ? vp8_mp_recon_fdct4x4 : vp8_short_fdct4x4;
  if (!cpi->mp.provider || cpi->common.use_bilinear_mc_filter) return;
  xd->subpixel_predict16x16 = vp8_mp_recon_sixtap16x16;
  xd->subpixel_predict8x8 = vp8_mp_recon_sixtap8x8;
}
