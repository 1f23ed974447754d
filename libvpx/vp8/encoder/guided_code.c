/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/guided_code.h"

#include <string.h>

#include "./vp8_rtcd.h"
#include "vp8/encoder/block.h"
#include "vp8/encoder/encodemb.h"

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

void vp8_gm_coded_reset(MACROBLOCK *x) { x->mp_coded.q_index = -1; }

void vp8_gm_coded_keep(MACROBLOCK *x, int in_dst) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  vp8_gm_coded *const c = &x->mp_coded;

  if (in_dst) {
    copy_plane(c->predictor, 16, xd->dst.y_buffer, xd->dst.y_stride, 16);
    copy_plane(c->predictor + 256, 8, xd->dst.u_buffer, xd->dst.uv_stride, 8);
    copy_plane(c->predictor + 320, 8, xd->dst.v_buffer, xd->dst.uv_stride, 8);
  } else {
    memcpy(c->predictor, xd->predictor, sizeof(c->predictor));
  }
  memcpy(c->qcoeff, xd->qcoeff, sizeof(c->qcoeff));
  memcpy(c->dqcoeff, xd->dqcoeff, sizeof(c->dqcoeff));
  memcpy(c->eobs, xd->eobs, sizeof(c->eobs));
  /* for the trellis */
  if (x->optimize) memcpy(c->coeff, x->coeff, sizeof(c->coeff));
  c->q_index = x->q_index;
  c->in_place = 0;
}

void vp8_gm_coded_keep_bpred(MACROBLOCK *x) {
  x->mp_coded.q_index = x->q_index;
  x->mp_coded.in_place = 1;
}

int vp8_gm_encode(MACROBLOCK *x) {
  MACROBLOCKD *const xd = &x->e_mbd;
  vp8_gm_coded *const c = &x->mp_coded;

  if (!x->mp_guided || c->q_index != x->q_index) return 0;
  if (c->in_place) {
    copy_chroma_to_dst(xd, xd->predictor);
  } else {
    copy_plane(xd->dst.y_buffer, xd->dst.y_stride, c->predictor, 16, 16);
    copy_chroma_to_dst(xd, c->predictor);
    memcpy(xd->qcoeff, c->qcoeff, sizeof(c->qcoeff));
    memcpy(xd->dqcoeff, c->dqcoeff, sizeof(c->dqcoeff));
    memcpy(xd->eobs, c->eobs, sizeof(c->eobs));
    if (x->optimize) memcpy(x->coeff, c->coeff, sizeof(c->coeff));
  }
  if (x->optimize) {
    /* libvpx takes sub-blocks as they come. */
    if (!c->in_place) vp8_optimize_mby(x);
    vp8_optimize_mbuv(x);
  }
  return 1;
}
