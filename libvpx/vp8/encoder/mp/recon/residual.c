/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/residual.h"

#include "./vp8_rtcd.h"
#include "./vpx_dsp_rtcd.h"
#include "vp8/common/entropy.h"
#include "vp8/encoder/block.h"

/* ---- kernels ------------------------------------------------------------- */

static void transform(int size, const unsigned char *src, int src_stride,
                      const unsigned char *pred, int pred_stride,
                      short *coeff) {
  DECLARE_ALIGNED(16, short, diff[16 * 16]);
  int x, y;

  vpx_subtract_block(size, size, diff, size, src, src_stride, pred,
                     pred_stride);
  for (y = 0; y < size; y += 4) {
    for (x = 0; x < size; x += 8) {
      vp8_short_fdct8x4(diff + y * size + x, coeff, 2 * size);
      coeff += 32;
    }
  }
}

void vp8_mp_recon_transform16x16_c(const unsigned char *src, int src_stride,
                                   const unsigned char *pred, int pred_stride,
                                   short *coeff) {
  transform(16, src, src_stride, pred, pred_stride, coeff);
}

void vp8_mp_recon_transform8x8_c(const unsigned char *src, int src_stride,
                                 const unsigned char *pred, int pred_stride,
                                 short *coeff) {
  transform(8, src, src_stride, pred, pred_stride, coeff);
}

void vp8_mp_recon_transform_batch_c(const unsigned char *src, int src_stride,
                                    const unsigned char *pred, short *coeff) {
  DECLARE_ALIGNED(16, short, diff[16]);
  int i;

  for (i = 0; i < 4; ++i) {
    vpx_subtract_block(4, 4, diff, 4, src, src_stride, pred + 4 * i, 16);
    vp8_short_fdct4x4(diff, coeff + 16 * i, 8);
  }
}

static unsigned int zigzag_bits(const short *qcoeff, int eob) {
  unsigned int bits = 0;
  int i;

  for (i = 0; i < eob; ++i) {
    bits |= (unsigned int)(qcoeff[vp8_default_zig_zag1d[i]] != 0) << i;
  }
  return bits;
}

static int squared_error(const short *coeff, const short *dqcoeff, int first) {
  int error = 0, i;

  for (i = first; i < 16; ++i) {
    error += (coeff[i] - dqcoeff[i]) * (coeff[i] - dqcoeff[i]);
  }
  return error;
}

void vp8_mp_recon_quantize_batch_c(const MACROBLOCK *x, int block, int n,
                                   const short *coeff, short *qcoeff,
                                   short *dqcoeff, unsigned short *coded,
                                   int *error) {
  BLOCK b = x->block[block];
  BLOCKD d = x->e_mbd.block[block];
  char eob;
  int i;

  d.eob = &eob;
  for (i = 0; i < n; ++i) {
    b.coeff = (short *)coeff + 16 * i;
    d.qcoeff = qcoeff + 16 * i;
    d.dqcoeff = dqcoeff + 16 * i;
    x->quantize_b(&b, &d);
    coded[i] = (unsigned short)zigzag_bits(d.qcoeff, eob);
    error[i] = squared_error(b.coeff, d.dqcoeff, 0);
  }
}

int vp8_mp_recon_quantize_c(MACROBLOCK *x, int block, int n, int first,
                            unsigned short *coded) {
  int error = 0, i;

  for (i = 0; i < n; ++i) {
    BLOCK *const b = &x->block[block + i];
    BLOCKD *const d = &x->e_mbd.block[block + i];

    x->quantize_b(b, d);
    coded[i] = (unsigned short)zigzag_bits(d->qcoeff, *d->eob);
    error += squared_error(b->coeff, d->dqcoeff, first);
  }
  return error;
}

/* ---- macroblocks --------------------------------------------------------- */

int vp8_mp_recon_code_luma(MACROBLOCK *x, const unsigned char *pred, int stride,
                           int has_y2, unsigned short coded[25]) {
  const BLOCK *const y = &x->block[0];
  BLOCK *const y2 = &x->block[24];
  int i, error;

  vp8_mp_recon_transform16x16(*y->base_src, y->src_stride, pred, stride,
                              x->coeff);
  error = vp8_mp_recon_quantize(x, 0, 16, has_y2, coded);
  if (!has_y2) return error / 4;
  for (i = 0; i < 16; ++i) y2->src_diff[i] = x->coeff[16 * i];
  x->short_walsh4x4(y2->src_diff, y2->coeff, 8);
  return ((error << 2) + vp8_mp_recon_quantize(x, 24, 1, 0, coded + 24)) >> 4;
}

int vp8_mp_recon_code_chroma(MACROBLOCK *x, const unsigned char *u,
                             const unsigned char *v, int stride,
                             unsigned short coded[25]) {
  vp8_mp_recon_transform8x8(x->src.u_buffer, x->src.uv_stride, u, stride,
                            x->coeff + 256);
  vp8_mp_recon_transform8x8(x->src.v_buffer, x->src.uv_stride, v, stride,
                            x->coeff + 320);
  return vp8_mp_recon_quantize(x, 16, 8, 0, coded + 16) / 4;
}

void vp8_mp_recon_code_batch(const MACROBLOCK *x, int block, int n,
                             vp8_mp_recon_batch *batch) {
  const BLOCK *const b = &x->block[block];

  vp8_mp_recon_transform_batch(*b->base_src + b->src, b->src_stride,
                               batch->pred[0], batch->coeff[0]);
  vp8_mp_recon_quantize_batch(x, block, n, batch->coeff[0], batch->qcoeff[0],
                              batch->dqcoeff[0], batch->coded, batch->error);
}
