/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Key frames: the provider's intra estimates choose what is evaluated. */

#include <limits.h>

#include "vp8/encoder/guided_mode.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* What is evaluated, in percent of the lowest estimate. */
typedef struct key_level {
  int bpred;      /* of the best 16x16 mode */
  int intra16x16; /* of B_PRED; 0: always */
  int other16x16; /* of the best 16x16 mode; 0: all */
  int thorough;   /* more sub-modes and chroma modes */
} key_level;

/* With RD, and without. At low rates 16x16 modes win in spite of high SATD, and
 * what a key frame loses is lost for all that follow: the first is not for speed. */
static const key_level levels[2] = { { 160, 0, 0, 1 }, { 115, 115, 100, 0 } };

/* The directions next to each sub-block mode's: source pixels mislead by a step
 * where the quantizer is coarse. */
static const unsigned short beside[16] = {
  [B_VE_PRED] = 1u << B_VR_PRED | 1u << B_VL_PRED,
  [B_HE_PRED] = 1u << B_HU_PRED | 1u << B_HD_PRED,
  [B_LD_PRED] = 1u << B_VL_PRED,
  [B_RD_PRED] = 1u << B_VR_PRED | 1u << B_HD_PRED,
  [B_VR_PRED] = 1u << B_VE_PRED | 1u << B_RD_PRED,
  [B_VL_PRED] = 1u << B_VE_PRED | 1u << B_LD_PRED,
  [B_HD_PRED] = 1u << B_HE_PRED | 1u << B_RD_PRED,
  [B_HU_PRED] = 1u << B_HE_PRED,
};

int vp8_gm_pick_key_mode(VP8_COMP *cpi, MACROBLOCK *x, int *rate) {
  MACROBLOCKD *const xd = &x->e_mbd;
  const int *const mode_rates = x->mbmode_cost[xd->frame_type];
  const vp8e_mp_intra_t *estimate;
  const key_level *level;
  vp8_gm_decision d;
  vp8_gm_intra intra;
  unsigned int cost[4], low16 = UINT_MAX, low4;
  int i;

  x->mp_guided = 0;
  if (!cpi->mp.provider || !cpi->mp.provider->guide) return 0;
  if (!vp8_gm_is_aggressive(cpi) || !cpi->mp.active || !x->mp_intra ||
      cpi->oxcf.noise_sensitivity) {
    vp8_gm_set_quantizer(cpi, x, 0);
    return 0;
  }
  level = &levels[!cpi->sf.RD];
  x->mp_guided = 1;
  /* Most of a key frame is B_PRED, whose sub-blocks have no trellis that would
   * make up for the fast quantizer: it cost 3 %. */
  vp8_gm_set_quantizer(cpi, x, !cpi->sf.improved_quant);
  vp8_gm_coded_reset(x);
  xd->mode_info_context->mbmi.ref_frame = INTRA_FRAME;
  estimate = x->mp_intra + (-xd->mb_to_left_edge >> (4 + 3));
  d.lambda = (x->sadperbit16 * VP8_GM_KEY_LAMBDA + 50) / 100;

  for (i = 0; i < 4; ++i) {
    cost[i] = vp8_gm_weigh(&d, estimate->satd16[i], mode_rates[DC_PRED + i]);
    low16 = VPXMIN(low16, cost[i]);
  }
  low4 = vp8_gm_weigh(&d, estimate->cost4, mode_rates[B_PRED]);
  intra.modes = 0;
  if (!level->intra16x16 ||
      (uint64_t)low16 * 100 <= (uint64_t)low4 * level->intra16x16) {
    for (i = 0; i < 4; ++i) {
      if (!level->other16x16 ||
          (uint64_t)cost[i] * 100 <= (uint64_t)low16 * level->other16x16) {
        intra.modes |= 1u << (DC_PRED + i);
      }
    }
  }
  if (!intra.modes || (uint64_t)low4 * 100 <= (uint64_t)low16 * level->bpred) {
    intra.modes |= 1u << B_PRED;
    for (i = 0; i < 16; ++i) {
      const int best = estimate->mode4[i] & 15, next = estimate->mode4[i] >> 4;

      intra.sub_modes[i] = 1u << B_DC_PRED | 1u << best | 1u << next;
      if (level->thorough) {
        intra.sub_modes[i] |= 1u << B_TM_PRED | 1u << B_VE_PRED |
                              1u << B_HE_PRED | beside[best] | beside[next];
      }
    }
  }
  *rate = vp8_gm_rd_key(x, &intra, level->thorough);
  return 1;
}
