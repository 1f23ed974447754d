/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Key frames: the provider's intra estimates choose what is evaluated. */

#include <limits.h>

#include "vp8/encoder/guided_candidate.h"
#include "vp8/encoder/guided_code.h"
#include "vp8/encoder/guided_level.h"
#include "vp8/encoder/guided_mode.h"
#include "vp8/encoder/guided_rd.h"
#include "vp8/encoder/motion_provider.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* What is evaluated; thresholds are permille of the lowest estimate. */
typedef struct key_level {
  int bpred;      /* B_PRED: of the best 16x16 mode */
  int intra16x16; /* the best 16x16 mode: of B_PRED; 0: always */
  int other16x16; /* other 16x16 modes: of the best one; 0: always */
  int thorough;   /* more modes of subblocks and of chroma */
} key_level;

/* With RD little is left out for speed: at low rates 16x16 modes win in spite
 * of high SATD, and all frames that follow inherit what a key frame loses. */
static const key_level rd_level = {
  .bpred = 1600, .intra16x16 = 0, .other16x16 = 0, .thorough = 1
};
static const key_level fast_level = {
  .bpred = 1150, .intra16x16 = 1150, .other16x16 = 1000, .thorough = 0
};

/* The directions next to each subblock mode's: estimates from source pixels are
 * a step off where the quantizer is coarse. */
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

/* The modes of a subblock by its estimate: the lowest, the next and DC. */
static unsigned int choose_intra4x4(uint8_t estimate, int thorough) {
  const int best = estimate & 15, next = estimate >> 4;
  unsigned int modes = 1u << B_DC_PRED | 1u << best | 1u << next;

  if (thorough) {
    modes |= 1u << B_TM_PRED | 1u << B_VE_PRED | 1u << B_HE_PRED |
             beside[best] | beside[next];
  }
  return modes;
}

static void choose_modes(const MACROBLOCK *x, const vp8e_mp_intra_t *estimate,
                         const key_level *level, vp8_gm_intra_modes *modes) {
  const int *const rates = x->mbmode_cost[x->e_mbd.frame_type];
  const int lambda = (x->sadperbit16 * VP8_GM_KEY_LAMBDA + 50) / 100;
  const unsigned int low4 =
      vp8_gm_weigh(lambda, estimate->cost4, rates[B_PRED]);
  unsigned int cost[4], low16 = UINT_MAX;
  int i;

  for (i = 0; i < 4; ++i) {
    cost[i] = vp8_gm_weigh(lambda, estimate->satd16[i], rates[DC_PRED + i]);
    low16 = VPXMIN(low16, cost[i]);
  }
  modes->mb = 0;
  if (!level->intra16x16 || vp8_gm_within(low16, low4, level->intra16x16)) {
    for (i = 0; i < 4; ++i) {
      if (!level->other16x16 ||
          vp8_gm_within(cost[i], low16, level->other16x16)) {
        modes->mb |= 1u << (DC_PRED + i);
      }
    }
  }
  if (!modes->mb || vp8_gm_within(low4, low16, level->bpred)) {
    modes->mb |= 1u << B_PRED;
    for (i = 0; i < 16; ++i) {
      modes->b[i] = choose_intra4x4(estimate->mode4[i], level->thorough);
    }
  }
}

int vp8_gm_pick_key_mode(VP8_COMP *cpi, MACROBLOCK *x, int *rate) {
  MACROBLOCKD *const xd = &x->e_mbd;
  const key_level *const level = cpi->sf.RD ? &rd_level : &fast_level;
  const vp8e_mp_intra_t *estimate;
  vp8_gm_intra_modes modes;

  x->mp_guided = 0;
  if (!cpi->mp.provider || !cpi->mp.provider->guide) return 0;
  if (!vp8_gm_is_aggressive(cpi) || !cpi->mp.active ||
      cpi->oxcf.noise_sensitivity || !(estimate = vp8_mp_intra(cpi, x, VP8_GM_INTRA_ALL))) {
    vp8_gm_set_quantizer(cpi, x, 0);
    return 0;
  }
  x->mp_guided = 1;
  /* Where libvpx has the regular quantizer it stays: most of a key frame is
   * B_PRED, whose subblocks have no trellis that makes up for the fast one.
   * That costs 3 % of bitrate. */
  vp8_gm_set_quantizer(cpi, x, !cpi->sf.improved_quant);
  vp8_gm_coded_reset(x);
  xd->mode_info_context->mbmi.ref_frame = INTRA_FRAME;
  choose_modes(x, estimate, level, &modes);
  *rate = vp8_gm_rd_key(x, &modes, level->thorough);
  return 1;
}
