/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/whole/frame.h"

#include <string.h>

#include "vp8/common/findnearmv.h"
#include "vp8/common/loopfilter.h"
#include "vp8/common/setupintrarecon.h"
#include "vp8/common/swapyv12buffer.h"
#include "vp8/encoder/mp/mode/candidate.h"
#include "vp8/encoder/mp/mode/denoise.h"
#include "vp8/encoder/mp/mode/rd.h"
#include "vp8/encoder/mp/mt/pack.h"
#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/mp/recon/loop_filter.h"
#include "vp8/encoder/mp/recon/provided.h"
#include "vp8/encoder/mp/whole/denoise.h"
#include "vp8/encoder/mp/whole/describe.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_mem/vpx_mem.h"

/* ---- frames -------------------------------------------------------------- */

void vp8_mp_whole_free(VP8_COMP *cpi) {
  vpx_free(cpi->mp.whole.memory);
  memset(&cpi->mp.whole, 0, sizeof(cpi->mp.whole));
}

/* Make room for the memory of all macroblocks. Returns 0, or -1 if there is
 * none. */
static int allocate(VP8_COMP *cpi) {
  vp8_mp_whole_state *const whole = &cpi->mp.whole;
  const int mbs = cpi->common.MBs;

  if (whole->mbs != mbs) {
    vp8_mp_whole_free(cpi);
    whole->memory = vpx_malloc(mbs * (sizeof(*whole->memory) + 1));
    if (whole->memory) {
      whole->levels = (uint8_t *)(whole->memory + mbs);
      whole->mbs = mbs;
    }
  }
  return whole->memory && cpi->mp.mode.recall.mb && cpi->mp.drop.mb ? 0 : -1;
}

static void get_memory(const VP8_COMP *cpi, vp8e_mp_memory_t *memory) {
  int i;

  for (i = 0; i < cpi->common.MBs; ++i) {
    const vp8_mp_mode_recalled *const recalled = &cpi->mp.mode.recall.mb[i];
    const vp8_mp_recon_dropped *const dropped = &cpi->mp.drop.mb[i];

    memory[i].recalled.inter = recalled->inter;
    memory[i].recalled.intra = recalled->intra;
    memory[i].recalled.frames = recalled->frames;
    memory[i].dropped.error = dropped->error;
    memory[i].dropped.frames = dropped->frames;
  }
}

static void set_memory(VP8_COMP *cpi, const vp8e_mp_memory_t *memory) {
  int i;

  for (i = 0; i < cpi->common.MBs; ++i) {
    vp8_mp_mode_recalled *const recalled = &cpi->mp.mode.recall.mb[i];
    vp8_mp_recon_dropped *const dropped = &cpi->mp.drop.mb[i];

    recalled->inter = memory[i].recalled.inter;
    recalled->intra = memory[i].recalled.intra;
    recalled->frames = memory[i].recalled.frames;
    dropped->error = memory[i].dropped.error;
    dropped->frames = memory[i].dropped.frames;
  }
}

int vp8_mp_whole_sets_up(VP8_COMP *cpi) {
  cpi->mp.whole.sets_up =
      cpi->mp.active && (vp8_mp_features(cpi) & VP8_MP_WHOLE);
  return cpi->mp.whole.sets_up;
}

static void code(VP8_COMP *cpi) {
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  vp8_mp_whole_state *const whole = &cpi->mp.whole;
  vp8e_mp_segment_t segments[MAX_MB_SEGMENTS];
  vp8e_mp_rates_t rates;
  vp8e_mp_whole_frame_t frame;
  vp8e_mp_denoiser_t denoiser;

  if (!cpi->mp.active || !(cpi->mp.features & VP8_MP_WHOLE) || allocate(cpi)) {
    return;
  }
  vp8_mp_whole_describe(cpi, &frame, segments, &rates);
  get_memory(cpi, whole->memory);
  frame.memory = whole->memory;
  if (!frame.key_bmode && vp8_mp_whole_describe_denoiser(cpi, &denoiser)) {
    frame.denoiser = &denoiser;
  }
  if (provider->code_frame(provider->priv, &frame)) return;
  whole->coded = frame.coded;
  vp8_mp_recon_provided_take(cpi, &frame);
  set_memory(cpi, frame.new_memory);
  if (frame.denoiser) vp8_mp_whole_take_denoised(cpi, frame.denoiser);
}

void vp8_mp_whole_encode_begin(VP8_COMP *cpi) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mp_whole_state *const whole = &cpi->mp.whole;
  const int sets_up = whole->sets_up;

  whole->coded = NULL;
  whole->filtered = 0;
  vp8_mp_recon_provided_reset(cpi);
  code(cpi); /* may allocate the state */
  if (!whole->coded) vp8_mp_mode_extend_denoised(cpi);
  if (sets_up && !whole->coded) {
    vp8_setup_intra_recon(&cm->yv12_fb[cm->new_fb_idx]);
  }
}

/* ---- macroblocks --------------------------------------------------------- */

static int_mv vector(const int16_t v[2]) {
  int_mv mv;

  mv.as_mv.row = v[0];
  mv.as_mv.col = v[1];
  return mv;
}

/* Set the parts of *best that vp8_mp_mode_take() reads to the coded
 * macroblock. */
static void set_best(const MACROBLOCK *x, const vp8e_mp_coded_t *c,
                     vp8_mp_mode_best *best) {
  const MB_MODE_INFO *const before = &x->e_mbd.mode_info_context->mbmi;
  int i;

  memset(&best->mbmi, 0, sizeof(best->mbmi));
  best->mbmi.mode = c->flags & VP8E_MP_CODED_STILL ? SPLITMV : c->mode;
  best->mbmi.uv_mode = c->uv_mode;
  best->mbmi.ref_frame = c->ref;
  best->mbmi.partitioning = c->partitioning;
  best->mbmi.segment_id = before->segment_id;
  if (c->mode == B_PRED) {
    for (i = 0; i < 16; ++i) {
      best->bmi[i].as_mode = (B_PREDICTION_MODE)c->block.bmode[i];
    }
  } else if (c->ref != INTRA_FRAME) {
    best->mbmi.mv = vector(c->block.mv[15]);
  }
  if (best->mbmi.mode != SPLITMV) return;
  memset(&best->partition, 0, sizeof(best->partition));
  best->partition.count = vp8_mbsplit_count[c->partitioning];
  for (i = 0; i < best->partition.count; ++i) {
    const int block = vp8_mbsplit_offset[c->partitioning][i];

    best->partition.bmi[i].mode = (B_PREDICTION_MODE)c->split_mode[i];
    best->partition.bmi[i].mv = vector(c->block.mv[block]);
  }
  for (i = 0; i < 16; ++i) best->bmi[i].mv = vector(c->block.mv[i]);
  best->partition.bmi[15].mv = best->bmi[15].mv;
}

int vp8_mp_whole_take(VP8_COMP *cpi, MACROBLOCK *x, int *rate) {
  const vp8_mp_whole_state *const whole = &cpi->mp.whole;
  MACROBLOCKD *const xd = &x->e_mbd;
  MB_MODE_INFO *const mbmi = &xd->mode_info_context->mbmi;
  const vp8e_mp_coded_t *c;
  vp8_mp_mode_best best;
  int_mv best_mv;

  if (!whole->coded) return 0;
  c = whole->coded + vp8_mp_mb_index(x, cpi->common.mb_cols);
  x->mp_guided = 1;
  x->zero_last_dot_suppress = 0;
  x->act_zbin_adj = 0;
  ++x->mp_counts.guided;
  x->mp_counts.evaluated += c->evaluated;
  if (c->flags & VP8E_MP_CODED_UNEVALUATED) ++x->mp_counts.unevaluated;
  x->prediction_error += c->distortion;
  x->intra_error += c->intra_error;

  set_best(x, c, &best);
  best_mv = vector(c->best_mv);
  vp8_mp_mode_take(x, &best, &best_mv);
  mbmi->mode = c->mode;
  if (xd->frame_type != KEY_FRAME) {
    ++x->count_mb_ref_frame_usage[mbmi->ref_frame];
  }
  if (mbmi->ref_frame == INTRA_FRAME) {
    ++x->ymode_count[mbmi->mode];
    ++x->uv_mode_count[mbmi->uv_mode];
  }
  mbmi->mb_skip_coeff = !c->tokens;
  if (!c->tokens) ++x->skip_true_count;
  *rate = c->rate;
  return 1;
}

/* ---- the loop filter ----------------------------------------------------- */

static void describe_levels(const VP8_COMMON *cm, uint8_t *to) {
  const MODE_INFO *mi = cm->mi;
  int row, col;

  for (row = 0; row < cm->mb_rows; ++row, ++mi) {
    for (col = 0; col < cm->mb_cols; ++col, ++mi) {
      *to++ =
          vp8_mp_recon_filter_level(&cm->lf_info, &mi->mbmi) |
          (vp8_mp_recon_filters_inner(&mi->mbmi) ? VP8E_MP_FILTER_INNER : 0);
    }
  }
}

int vp8_mp_whole_filter(VP8_COMP *cpi) {
  VP8_COMMON *const cm = &cpi->common;
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  vp8_mp_whole_state *const whole = &cpi->mp.whole;
  vp8e_mp_frame_filter_t filter;
  vp8e_mp_partition_t partition;
  int failed;

  if (!whole->coded || !provider->filter_frame ||
      cm->filter_type != NORMAL_LOOPFILTER) {
    return 0;
  }
  vp8_loop_filter_frame_init(cm, &cpi->mb.e_mbd, cm->filter_level);
  describe_levels(cm, whole->levels);
  filter.macroblocks = whole->levels;
  filter.sharpness = cm->sharpness_level;
  filter.is_key = cm->frame_type == KEY_FRAME;
  vp8_mp_buffer_changed(cpi, cm->new_fb_idx);
  filter.recon = vp8_mp_whole_picture(cm->frame_to_show, 0);
  filter.filtered = vp8_mp_whole_picture(&cpi->pick_lf_lvl_frame,
                                         cpi->mp.buffers.id[cm->new_fb_idx]);
  filter.partition = vp8_mp_mt_pack_ask(cpi, &partition) ? &partition : NULL;
  failed = provider->filter_frame(provider->priv, &filter);
  if (filter.partition) vp8_mp_mt_pack_take(cpi, failed ? NULL : &partition);
  if (failed) return 0;
  vp8_swap_yv12_buffer(cm->frame_to_show, &cpi->pick_lf_lvl_frame);
  whole->filtered = 1;
  return 1;
}
