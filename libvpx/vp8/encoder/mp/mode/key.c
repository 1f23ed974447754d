/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* The guided mode decision in key frames: the provider's intra estimates choose
 * the modes to evaluate. */

#include <limits.h>

#include "vp8/encoder/mp/mode/candidate.h"
#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/recon/code.h"
#include "vp8/encoder/mp/recon/portable.h"
#include "vp8/encoder/mp/mode/level.h"
#include "vp8/encoder/mp/mode/inter.h"
#include "vp8/encoder/mp/mode/rd.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/mp/rc/segments.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* Evaluate B_PRED if its estimate is at most this many permille of the best
 * 16x16 mode's. Always evaluate the 16x16 modes: at high quantizers they win in
 * spite of a high SATD, and all later frames inherit the loss of a key frame.
 * Leaving out 16x16 modes by their estimates saves a quarter of a realtime key
 * frame's time, but costs 4 % of bitrate at realtime, and 6 % of a talking
 * head's stream. */
#define BPRED_WITHIN 1600

/* The directions next to the direction of each sub-block mode. Estimates from
 * source pixels are often one direction off if the quantizer is coarse. */
static const unsigned short next_to[16] = {
  [B_VE_PRED] = 1u << B_VR_PRED | 1u << B_VL_PRED,
  [B_HE_PRED] = 1u << B_HU_PRED | 1u << B_HD_PRED,
  [B_LD_PRED] = 1u << B_VL_PRED,
  [B_RD_PRED] = 1u << B_VR_PRED | 1u << B_HD_PRED,
  [B_VR_PRED] = 1u << B_VE_PRED | 1u << B_RD_PRED,
  [B_VL_PRED] = 1u << B_VE_PRED | 1u << B_LD_PRED,
  [B_HD_PRED] = 1u << B_HE_PRED | 1u << B_RD_PRED,
  [B_HU_PRED] = 1u << B_HE_PRED,
};

/* Returns the modes of a sub-block to evaluate: the two best modes by the
 * estimate, and DC. thorough: more modes, and the directions next to those
 * two. */
static unsigned int choose_intra4x4(uint8_t estimate, int thorough) {
  const int best = estimate & 15, next = estimate >> 4;
  unsigned int modes = 1u << B_DC_PRED | 1u << best | 1u << next;

  if (thorough) {
    modes |= 1u << B_TM_PRED | 1u << B_VE_PRED | 1u << B_HE_PRED |
             next_to[best] | next_to[next];
  }
  return modes;
}

static void choose_modes(const MACROBLOCK *x, const vp8e_mp_intra_t *estimate,
                         int thorough, vp8_mp_mode_intra_modes *modes) {
  const int *const rates = x->mbmode_cost[x->e_mbd.frame_type];
  const int lambda = (x->sadperbit16 * VP8_MP_MODE_KEY_LAMBDA + 50) / 100;
  const unsigned int low4 =
      vp8_mp_mode_weigh(lambda, estimate->cost4, rates[B_PRED]);
  unsigned int low16 = UINT_MAX;
  int i;

  for (i = 0; i < 4; ++i) {
    const unsigned int cost =
        vp8_mp_mode_weigh(lambda, estimate->satd16[i], rates[DC_PRED + i]);

    low16 = VPXMIN(low16, cost);
  }
  modes->mb = 1u << DC_PRED | 1u << V_PRED | 1u << H_PRED | 1u << TM_PRED;
  if (vp8_mp_mode_within(low4, low16, BPRED_WITHIN)) {
    modes->mb |= 1u << B_PRED;
    for (i = 0; i < 16; ++i) {
      modes->b[i] = choose_intra4x4(estimate->mode4[i], thorough);
    }
  }
}

int vp8_mp_mode_pick_key_mode(VP8_COMP *cpi, MACROBLOCK *x, int *rate) {
  MACROBLOCKD *const xd = &x->e_mbd;
  /* Evaluate more sub-block modes and chroma modes. Not at realtime, where they
   * take a quarter of a key frame's time. */
  const int thorough = cpi->compressor_speed != 2;
  const vp8e_mp_intra_t *estimate;
  vp8_mp_mode_intra_modes modes;

  x->mp_guided = 0;
  if (!(cpi->mp.features & VP8_MP_GUIDE)) return 0;
  vp8_mp_rc_segment_mb_begin(cpi, x);
  if (!(cpi->mp.features & VP8_MP_GUIDE_KEY) || !cpi->mp.active ||
      !(estimate = vp8_mp_intra(cpi, x, VP8_MP_MODE_INTRA_ALL))) {
    vp8_mp_mode_set_quantizer(cpi, x, 0);
    return 0;
  }
  x->mp_guided = 1;
  /* The regular quantizer keeps libvpx's dead zone: most macroblocks of a key
   * frame are B_PRED, for which libvpx does not widen it. */
  vp8_mp_mode_set_quantizer(cpi, x, !cpi->sf.improved_quant);
  vp8_mp_recon_coded_reset(x, &cpi->mp.mode.zeros);
  xd->mode_info_context->mbmi.ref_frame = INTRA_FRAME;
  choose_modes(x, estimate, thorough, &modes);
  ++x->mp_counts.guided;
  x->mp_counts.evaluated += vp8_mp_recon_count_bits(modes.mb);
  *rate = vp8_mp_mode_rd_key(x, &modes, thorough);
  return 1;
}
