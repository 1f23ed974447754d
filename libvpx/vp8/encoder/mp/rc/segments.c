/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/segments.h"

#include <math.h>
#include <string.h>

#include "vp8/common/common.h"
#include "vp8/common/quant_common.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/rdopt.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "vpx_mem/vpx_mem.h"

const unsigned char *vp8_mp_rc_segment_known_map(const VP8_COMP *cpi) {
  const vp8_mp_rc_segment_state *const sg = &cpi->mp.segments;

  /* A key frame resets the map. A frame that carried it may be lost, or belong
   * to a layer that a receiver does not get. */
  if (!sg->mbs || sg->mbs != cpi->common.MBs ||
      cpi->common.frame_type == KEY_FRAME || cpi->oxcf.error_resilient_mode ||
      cpi->oxcf.number_of_layers > 1) {
    return NULL;
  }
  return sg->map;
}

/* Bits to code n ones and m zeros. */
static double entropy(double n, double m) {
  double bits = 0;

  if (n > 0) bits += n * log2((n + m) / n);
  if (m > 0) bits += m * log2((n + m) / m);
  return bits;
}

int vp8_mp_rc_segment_map_bits(const VP8_COMP *cpi, const unsigned char *map) {
  const int mbs = cpi->common.MBs;
  const unsigned char *const known = vp8_mp_rc_segment_known_map(cpi);
  int count[MAX_MB_SEGMENTS] = { 0 };
  int i;

  if (known && !memcmp(known, map, mbs)) return 0;
  for (i = 0; i < mbs; ++i) ++count[map[i]];
  /* 27 bits for three probabilities, one flag and eight bits each */
  return (int)(27 + entropy(count[0] + count[1], count[2] + count[3]) +
               entropy(count[0], count[1]) + entropy(count[2], count[3]));
}

void vp8_mp_rc_segment_set(VP8_COMP *cpi, const unsigned char *map,
                           const double step[MAX_MB_SEGMENTS]) {
  MACROBLOCKD *const xd = &cpi->mb.e_mbd;
  vp8_mp_rc_segment_state *const sg = &cpi->mp.segments;
  const unsigned char *const known = vp8_mp_rc_segment_known_map(cpi);
  const int mbs = cpi->common.MBs;
  int i;

  if (!map) map = known;
  for (i = 0; i < MAX_MB_SEGMENTS; ++i) {
    cpi->segment_encode_breakout[i] = cpi->oxcf.encode_breakout;
  }
  xd->segmentation_enabled = 1;
  xd->mb_segment_abs_delta = SEGMENT_DELTADATA;
  xd->update_mb_segmentation_map = !known || memcmp(known, map, mbs);
  memcpy(cpi->segmentation_map, map, mbs);
  memcpy(sg->step, step, sizeof(sg->step));
  sg->in_use = 1;
}

double vp8_mp_rc_segment_log_step(int q_index) {
  return log2(vp8_ac_yquant(q_index));
}

/* The quantizer index with the nearest step. */
static int index_of(double log_step) {
  int q = 0;

  while (q < MAXQ && vp8_mp_rc_segment_log_step(q) < log_step) ++q;
  if (q && log_step - vp8_mp_rc_segment_log_step(q - 1) <
               vp8_mp_rc_segment_log_step(q) - log_step) {
    --q;
  }
  return q;
}

void vp8_mp_rc_segment_quantizer_begin(VP8_COMP *cpi) {
  MACROBLOCKD *const xd = &cpi->mb.e_mbd;
  const vp8_mp_rc_segment_state *const sg = &cpi->mp.segments;
  const int base = cpi->common.base_qindex;
  signed char feature[MB_LVL_MAX][MAX_MB_SEGMENTS] = { { 0 } };
  int i;

  if (!sg->in_use) return;
  for (i = 0; i < MAX_MB_SEGMENTS; ++i) {
    const int q = index_of(vp8_mp_rc_segment_log_step(base) + sg->step[i]);

    feature[MB_LVL_ALT_Q][i] =
        (signed char)(clamp(q, cpi->best_quality, cpi->worst_quality) - base);
  }
  /* libvpx has two copies: one to be set and one that is set. */
  memcpy(cpi->segment_feature_data, feature, sizeof(feature));
  memcpy(xd->segment_feature_data, feature, sizeof(feature));
  xd->update_mb_segmentation_data =
      !vp8_mp_rc_segment_known_map(cpi) ||
      memcmp(sg->delta, feature[MB_LVL_ALT_Q], sizeof(sg->delta));
}

void vp8_mp_rc_segment_clear(VP8_COMP *cpi) {
  MACROBLOCKD *const xd = &cpi->mb.e_mbd;

  if (!cpi->mp.segments.in_use) return;
  cpi->mp.segments.in_use = 0;
  xd->segmentation_enabled = 0;
  xd->update_mb_segmentation_map = 0;
  xd->update_mb_segmentation_data = 0;
}

void vp8_mp_rc_segment_frame_end(VP8_COMP *cpi, size_t size) {
  vp8_mp_rc_segment_state *const sg = &cpi->mp.segments;
  const int mbs = cpi->common.MBs;

  if (size && !sg->in_use) sg->mbs = 0;
  if (size && sg->in_use) {
    if (sg->mbs != mbs) {
      vpx_free(sg->map);
      sg->map = vpx_malloc(mbs);
      sg->mbs = sg->map ? mbs : 0;
    }
    if (sg->mbs) memcpy(sg->map, cpi->segmentation_map, mbs);
    memcpy(sg->delta, cpi->segment_feature_data[MB_LVL_ALT_Q],
           sizeof(sg->delta));
  }
  vp8_mp_rc_segment_clear(cpi);
}

void vp8_mp_rc_segment_free(VP8_COMP *cpi) {
  vp8_mp_rc_segment_clear(cpi);
  vpx_free(cpi->mp.segments.map);
  cpi->mp.segments.map = NULL;
  cpi->mp.segments.mbs = 0;
}

/* ---- segments of any origin ---------------------------------------------- */

int vp8_mp_rc_segment_q_index(const VP8_COMP *cpi, int segment) {
  const MACROBLOCKD *const xd = &cpi->mb.e_mbd;
  const int value = xd->segment_feature_data[MB_LVL_ALT_Q][segment];

  if (!xd->segmentation_enabled) return cpi->common.base_qindex;
  if (xd->mb_segment_abs_delta == SEGMENT_ABSDATA) return clamp(value, 0, MAXQ);
  return clamp(cpi->common.base_qindex + value, 0, MAXQ);
}

void vp8_mp_rc_segment_encode_begin(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  const double frame_step = vp8_dc_quant(cm->base_qindex, cm->y1dc_delta_q);
  int i;

  if (!cpi->mb.e_mbd.segmentation_enabled) return;
  for (i = 0; i < MAX_MB_SEGMENTS; ++i) {
    vp8_mp_rc_segment_lambda *const lambda = &cpi->mp.segments.lambda[i];
    const int q = vp8_mp_rc_segment_q_index(cpi, i);
    const double step = vp8_dc_quant(q, cm->y1dc_delta_q) / frame_step;
    const double rdmult = step * step * cpi->RDMULT * 100 / cpi->RDDIV;
    /* scaled as in vp8_initialize_rd_consts() */
    const int is_large = rdmult > 1000;

    lambda->rddiv = is_large ? 1 : 100;
    lambda->rdmult = (int)(is_large ? rdmult / 100 : rdmult);
    lambda->errorperbit = VPXMAX((int)(step * step * cpi->mb.errorperbit), 1);
    vp8cx_initialize_me_consts(cpi, q);
    lambda->sadperbit16 = cpi->mb.sadperbit16;
    lambda->sadperbit4 = cpi->mb.sadperbit4;
  }
  vp8cx_initialize_me_consts(cpi, cm->base_qindex);
}

void vp8_mp_rc_segment_mb_begin(const VP8_COMP *cpi, MACROBLOCK *x) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const vp8_mp_rc_segment_lambda *lambda;

  /* Not if lambda follows activity (tuning for SSIM), and not for cyclic
   * refresh, which refines a macroblock for a short time only: that loses 0.2 %
   * of bitrate. */
  if (!xd->segmentation_enabled || cpi->cyclic_refresh_mode_enabled ||
      cpi->oxcf.tuning == VP8_TUNE_SSIM) {
    return;
  }
  lambda = &cpi->mp.segments.lambda[xd->mode_info_context->mbmi.segment_id];
  x->rdmult = lambda->rdmult;
  x->rddiv = lambda->rddiv;
  x->errorperbit = lambda->errorperbit;
  x->sadperbit16 = lambda->sadperbit16;
  x->sadperbit4 = lambda->sadperbit4;
}
