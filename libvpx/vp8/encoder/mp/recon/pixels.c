/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/pixels.h"

#include <string.h>

#include "./vp8_rtcd.h"
#include "./vpx_dsp_rtcd.h"
#include "vp8/common/invtrans.h"
#include "vp8/encoder/block.h"

unsigned int vp8_mp_recon_luma_error(const MACROBLOCK *x,
                                     const unsigned char *y, int stride) {
  const BLOCK *const b = &x->block[0];
  unsigned int error;

  vpx_mse16x16(*b->base_src, b->src_stride, y, stride, &error);
  return error;
}

unsigned int vp8_mp_recon_chroma_error(const MACROBLOCK *x,
                                       const unsigned char *u,
                                       const unsigned char *v, int stride) {
  unsigned int error_u, error_v;

  vpx_variance8x8(x->src.u_buffer, x->src.uv_stride, u, stride, &error_u);
  vpx_variance8x8(x->src.v_buffer, x->src.uv_stride, v, stride, &error_v);
  return error_u + error_v;
}

static void copy_square(unsigned char *to, const unsigned char *from,
                        int from_stride, int size) {
  int i;

  for (i = 0; i < size; ++i) {
    memcpy(to + i * size, from + i * from_stride, size);
  }
}

/* The inverse transforms clear the coefficients, so they get a copy. */

unsigned int vp8_mp_recon_coded_luma_error(MACROBLOCK *x,
                                           const unsigned char *y, int stride,
                                           int has_y2) {
  MACROBLOCKD *const xd = &x->e_mbd;
  DECLARE_ALIGNED(32, unsigned char, coded[16 * 16]);
  DECLARE_ALIGNED(32, short, qcoeff[16 * 16]);
  DECLARE_ALIGNED(16, char, eobs[16]);

  copy_square(coded, y, stride, 16);
  memcpy(qcoeff, xd->qcoeff, sizeof(qcoeff));
  memcpy(eobs, xd->eobs, sizeof(eobs));
  if (has_y2) {
    /* as in vp8_inverse_transform_mby() */
    if (xd->eobs[24] > 1) {
      vp8_short_inv_walsh4x4(xd->block[24].dqcoeff, qcoeff);
    } else {
      vp8_short_inv_walsh4x4_1(xd->block[24].dqcoeff, qcoeff);
    }
    eob_adjust(eobs, qcoeff);
  }
  vp8_dequant_idct_add_y_block(
      qcoeff, has_y2 ? xd->dequant_y1_dc : xd->dequant_y1, coded, 16, eobs);
  return vp8_mp_recon_luma_error(x, coded, 16);
}

unsigned int vp8_mp_recon_coded_chroma_error(MACROBLOCK *x,
                                             const unsigned char *u,
                                             const unsigned char *v,
                                             int stride) {
  MACROBLOCKD *const xd = &x->e_mbd;
  DECLARE_ALIGNED(32, unsigned char, coded[2][8 * 8]);
  DECLARE_ALIGNED(32, short, qcoeff[8 * 16]);
  DECLARE_ALIGNED(16, char, eobs[8]);

  copy_square(coded[0], u, stride, 8);
  copy_square(coded[1], v, stride, 8);
  memcpy(qcoeff, xd->qcoeff + 16 * 16, sizeof(qcoeff));
  memcpy(eobs, xd->eobs + 16, sizeof(eobs));
  vp8_dequant_idct_add_uv_block(qcoeff, xd->dequant_uv, coded[0], coded[1], 8,
                                eobs);
  return vp8_mp_recon_chroma_error(x, coded[0], coded[1], 8);
}
