/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/whole/frame.h"

#include <string.h>

#include "vp8/common/loopfilter.h"
#include "vp8/common/setupintrarecon.h"
#include "vp8/common/swapyv12buffer.h"
#include "vp8/encoder/mp/mode/denoise.h"
#include "vp8/encoder/mp/mt/filter_level.h"
#include "vp8/encoder/mp/mt/pack.h"
#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/mp/recon/loop_filter.h"
#include "vp8/encoder/mp/recon/portable.h"
#include "vp8/encoder/mp/recon/provided.h"
#include "vp8/encoder/mp/recon/provided_modes.h"
#include "vp8/encoder/mp/whole/denoise.h"
#include "vp8/encoder/mp/whole/describe.h"
#include "vp8/encoder/mp/whole/header.h"
#include "vp8/encoder/mp/whole/vectors.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_mem/vpx_mem.h"

/* ---- frames -------------------------------------------------------------- */

void vp8_mp_whole_free(VP8_COMP *cpi) {
  vpx_free(cpi->mp.whole.kinds);
  vpx_free(cpi->mp.whole.levels);
  memset(&cpi->mp.whole, 0, sizeof(cpi->mp.whole));
}

/* Make room for the kinds and levels of all macroblocks. Returns 0, or -1 if
 * there is none. */
static int allocate(VP8_COMP *cpi) {
  vp8_mp_whole_state *const whole = &cpi->mp.whole;
  const int mbs = cpi->common.MBs;

  if (whole->mbs != mbs) {
    vp8_mp_whole_free(cpi);
    whole->kinds = vpx_malloc(mbs);
    whole->levels = vpx_malloc(mbs);
    if (whole->kinds && whole->levels) whole->mbs = mbs;
  }
  return whole->mbs && cpi->mp.mb_memory.mb ? 0 : -1;
}

int vp8_mp_whole_sets_up(VP8_COMP *cpi) {
  cpi->mp.whole.sets_up =
      cpi->mp.active && (vp8_mp_features(cpi) & VP8_MP_WHOLE);
  return cpi->mp.whole.sets_up;
}

/* Set the kinds of all macroblocks, which the search of the loop filter's level
 * reads before the modes are taken. */
static void describe_kinds(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  const vp8_mp_whole_state *const whole = &cpi->mp.whole;
  const unsigned char *const map =
      cpi->mb.e_mbd.segmentation_enabled ? cpi->segmentation_map : NULL;
  int i;

  for (i = 0; i < whole->mbs; ++i) {
    const vp8e_mp_coded_t *const c = whole->coded + i;
    const int segment = map && map[i] <= 3 ? map[i] : 0;

    VP8_MP_RECON_PREFETCH(c + 16);
    whole->kinds[i] = vp8_mp_recon_filter_kind(
        &cm->lf_info, c->mode, c->ref, segment,
        c->tokens || c->mode == B_PRED || c->mode == SPLITMV);
  }
}

/* Returns whether the provider may keep the reconstruction, because it will
 * probably measure the levels and filter. libvpx reads those of frames around
 * key frames that it has planned. */
static int may_keep_recon(VP8_COMP *cpi) {
#if CONFIG_MULTITHREAD
  return cpi->mp.provider->filter_frame && cpi->common.refresh_last_frame &&
         !cpi->this_key_frame_forced && !cpi->next_key_frame_forced &&
         vp8_mp_mt_level_can_expect(cpi) && vp8_mp_recon_provided_may_keep(cpi);
#else
  (void)cpi; /* libvpx filters */
  return 0;
#endif
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
  frame.may_keep_recon = may_keep_recon(cpi);
  frame.memory = cpi->mp.mb_memory.mb;
  if (!frame.key_bmode && vp8_mp_whole_describe_denoiser(cpi, &denoiser)) {
    frame.denoiser = &denoiser;
  }
  if (provider->code_frame(provider->priv, &frame)) return;
  whole->coded = frame.coded;
  whole->blocks = frame.blocks;
  vp8_mp_recon_provided_take(cpi, &frame);
  memcpy(cpi->mp.mb_memory.mb, frame.new_memory,
         cpi->common.MBs * sizeof(*cpi->mp.mb_memory.mb));
  if (frame.denoiser) vp8_mp_whole_take_denoised(cpi, frame.denoiser);
  whole->denoised = frame.denoiser != NULL;
  describe_kinds(cpi);
  vp8_mp_mt_level_fast_expect(cpi);
}

void vp8_mp_whole_encode_begin(VP8_COMP *cpi) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mp_whole_state *const whole = &cpi->mp.whole;
  const int sets_up = whole->sets_up;

  whole->coded = NULL;
  whole->filtered = whole->denoised = 0;
  vp8_mp_recon_provided_reset(cpi);
  vp8_mp_recon_provided_modes_reset(cpi);
  vp8_mp_mt_level_fast_forget(cpi);
  code(cpi); /* may allocate the state */
  whole->still = -1;
  vp8_mp_whole_begin_vectors(cpi);
  if (!whole->coded) vp8_mp_mode_extend_denoised(cpi);
  if (sets_up && !whole->coded) {
    vp8_setup_intra_recon(&cm->yv12_fb[cm->new_fb_idx]);
  }
}

/* ---- the loop filter ----------------------------------------------------- */

/* Set the levels of all macroblocks. Returns whether one is SPLITMV. */
static int describe_levels(VP8_COMP *cpi) {
  VP8_COMMON *const cm = &cpi->common;
  const vp8_mp_whole_state *const whole = &cpi->mp.whole;
  const loop_filter_info_n *const lfi_n = &cm->lf_info;
  const int split = lfi_n->mode_lf_lut[SPLITMV]; /* no other mode's */
  uint8_t level[VP8E_MP_FILTER_KINDS] = { 0 };
  int i, splits = 0;

  if (cm->filter_level) {
    vp8_loop_filter_frame_init(cm, &cpi->mb.e_mbd, cm->filter_level);
    vp8_mp_recon_filter_levels(lfi_n, level);
  }
  for (i = 0; i < whole->mbs; ++i) {
    const int inner = whole->kinds[i] & VP8E_MP_FILTER_INNER;
    const int kind = whole->kinds[i] - inner;

    whole->levels[i] = (uint8_t)(level[kind] + inner);
    splits |= kind >> 4 == split;
  }
  return splits;
}

/* Describe the output that the provider writes while it filters. */
static void ask(VP8_COMP *cpi, int has_modes, vp8e_mp_partition_t *partition,
                vp8e_mp_modes_t *modes, vp8e_mp_frame_filter_t *filter) {
  filter->partition = NULL;
  filter->modes = NULL;
  if (!vp8_mp_mt_pack_ask(cpi, partition)) return;
  filter->partition = partition;
  if (!has_modes) return;
  vp8_mp_whole_try_header(cpi, modes);
  filter->modes = modes;
}

/* Returns whether the provider may filter the frame. At level 0 that is only a
 * way to get a reconstruction that it keeps. */
static int can_filter(const VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  return cpi->mp.provider->filter_frame &&
         cm->filter_type == NORMAL_LOOPFILTER &&
         (cm->filter_level || cpi->mp.provided.unmade);
}

/* Returns whether the provider filtered the frame. */
static int filter(VP8_COMP *cpi) {
  VP8_COMMON *const cm = &cpi->common;
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  vp8_mp_whole_state *const whole = &cpi->mp.whole;
  vp8e_mp_frame_filter_t request;
  vp8e_mp_partition_t partition;
  vp8e_mp_modes_t modes;
  int splits, failed;

  splits = describe_levels(cpi);
  request.macroblocks = whole->levels;
  request.sharpness = cm->sharpness_level;
  request.is_key = cm->frame_type == KEY_FRAME;
  vp8_mp_buffer_changed(cpi, cm->new_fb_idx);
  request.recon = vp8_mp_whole_picture(cm->frame_to_show, 0);
  request.filtered = vp8_mp_whole_picture(&cpi->pick_lf_lvl_frame,
                                          cpi->mp.buffers.id[cm->new_fb_idx]);
  ask(cpi, !splits, &partition, &modes, &request);
  failed = provider->filter_frame(provider->priv, &request);
  if (request.partition) vp8_mp_mt_pack_take(cpi, failed ? NULL : &partition);
  if (failed) return 0;
  if (request.modes) vp8_mp_recon_provided_modes_take(cpi, &modes);
  vp8_swap_yv12_buffer(cm->frame_to_show, &cpi->pick_lf_lvl_frame);
  vp8_mp_recon_provided_filtered(cpi);
  whole->filtered = 1;
  return 1;
}

int vp8_mp_whole_filter(VP8_COMP *cpi, int is_reference) {
  if (!cpi->mp.whole.coded) return 0;
  if (is_reference && can_filter(cpi) && filter(cpi)) return 1;
  vp8_mp_recon_provided_make(cpi);
  return 0;
}
