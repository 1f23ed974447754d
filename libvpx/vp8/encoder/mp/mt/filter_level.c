/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mt/filter_level.h"

#include <string.h>

#include "vp8/encoder/mp/mode/denoise.h"
#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/recon/loop_filter.h"
#include "vp8/encoder/mp/recon/provided.h"
#include "vp8/common/loopfilter.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/picklpf.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "vpx_mem/vpx_mem.h"

/* Number of levels to request from the provider, around the start of the
 * search. The search seldom leaves them: its first step is 4, or a quarter of
 * the level. */
#define LEVELS 32

/* The same for the fast search in a part of the frame. It moves by one or two
 * levels, and seldom more than four. */
#define FAST_LEVELS 16
#define FAST_REACH 4

/* With an aggressive guide, trials in inter frames filter one of this many rows
 * of macroblocks. This saves an eighth of the time at deadline best and costs
 * 0.1 % of bitrate on average, 0.5 % in a static scene. */
#define SAMPLE 4

static int can_ask(const VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  return cpi->mp.active && cpi->mp.provider->filter_begin && !cm->no_lpf &&
         cm->filter_type == NORMAL_LOOPFILTER;
}

/* Returns whether to request levels of the whole frame from the provider. With
 * the denoiser, that search compares to the denoised picture, which the
 * provider has only of frames that it has coded. */
static int asks(const VP8_COMP *cpi) {
  return cpi->sf.auto_filter && can_ask(cpi) && !cpi->oxcf.noise_sensitivity;
}

int vp8_mp_mt_level_needs_trials(const VP8_COMP *cpi) {
  return cpi->sf.auto_filter && !cpi->common.no_lpf &&
         (cpi->mp.level.declined || !asks(cpi));
}

static int samples(const VP8_COMP *cpi) {
  return vp8_mp_mt_enabled(cpi) &&
         (cpi->mp.features & VP8_MP_GUIDE_AGGRESSIVE) &&
         cpi->common.frame_type != KEY_FRAME;
}

static int allocate_request(vp8_mp_mt_level_state *state) {
  if (!state->request) state->request = vpx_calloc(1, sizeof(*state->request));
  return state->request != NULL;
}

static int allocate(VP8_COMP *cpi) {
  vp8_mp_mt_level_state *const state = &cpi->mp.level;
  const int mbs = cpi->common.mb_rows * cpi->common.mb_cols;

  if (state->capacity < mbs) {
    vpx_free(state->macroblocks);
    state->macroblocks = vpx_malloc(mbs);
    state->capacity = state->macroblocks ? mbs : 0;
  }
  return allocate_request(state) && state->macroblocks;
}

static void describe_levels(VP8_COMP *cpi, vp8e_mp_loop_filter_t *request) {
  VP8_COMMON *const cm = &cpi->common;
  int i;

  for (i = 0; i < request->levels; ++i) {
    const int level = request->first_level + i;

    /* libvpx's fast search leaves out the segments' differences. */
    if (!request->rows) vp8cx_set_alt_lf_level(cpi, level);
    vp8_loop_filter_frame_init(cm, &cpi->mb.e_mbd, level);
    vp8_mp_recon_filter_levels(&cm->lf_info, request->level[level]);
  }
}

static void describe_macroblocks(const VP8_COMMON *cm, uint8_t *to) {
  const MODE_INFO *mi = cm->mi;
  int row, col;

  for (row = 0; row < cm->mb_rows; ++row, ++mi) {
    for (col = 0; col < cm->mb_cols; ++col, ++mi) {
      const MB_MODE_INFO *const mbmi = &mi->mbmi;

      *to++ = vp8_mp_recon_filter_kind(&cm->lf_info, mbmi->mode,
                                       mbmi->ref_frame, mbmi->segment_id & 3,
                                       vp8_mp_recon_filters_inner(mbmi));
    }
  }
}

/* Returns whether the source and the coded frame are whole macroblocks. */
static int is_whole(const VP8_COMMON *cm, const YV12_BUFFER_CONFIG *source,
                    const YV12_BUFFER_CONFIG *unfiltered) {
  return source->y_width == unfiltered->y_width &&
         source->y_height == unfiltered->y_height &&
         unfiltered->y_width == 16 * cm->mb_cols &&
         unfiltered->y_height == 16 * cm->mb_rows;
}

/* Set the parts of a request that do not depend on rows and levels. */
static void describe_frame(const VP8_COMMON *cm,
                           const YV12_BUFFER_CONFIG *unfiltered,
                           const uint8_t *macroblocks,
                           vp8e_mp_loop_filter_t *request) {
  request->mb_rows = cm->mb_rows;
  request->mb_cols = cm->mb_cols;
  request->y = unfiltered->y_buffer;
  request->stride = unfiltered->y_stride;
  request->border = unfiltered->border;
  request->macroblocks = macroblocks;
  request->sharpness = cm->sharpness_level;
  request->is_key = cm->frame_type == KEY_FRAME;
  request->source = NULL;
}

/* Returns whether the provider has the picture that libvpx's fast search
 * compares to: the source, or the denoised picture that it has made. */
static int has_source(const VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source) {
  return source == cpi->Source ||
         (cpi->mp.whole.denoised &&
          source == vp8_mp_mode_denoised_buffer(cpi, INTRA_FRAME));
}

void vp8_mp_mt_level_begin(VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                           const YV12_BUFFER_CONFIG *unfiltered, int level) {
  const VP8_COMMON *const cm = &cpi->common;
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  vp8_mp_mt_level_state *const state = &cpi->mp.level;
  vp8e_mp_loop_filter_t *request;

  state->known = 0;
  state->declined = 0;
  state->step = samples(cpi) ? SAMPLE : 0;
  state->first = state->step && cm->mb_rows > SAMPLE / 2 ? SAMPLE / 2 : 0;
  if (!asks(cpi) || source != cpi->Source ||
      !is_whole(cm, source, unfiltered) || !allocate(cpi)) {
    return;
  }
  request = state->request;
  describe_frame(cm, unfiltered, state->macroblocks, request);
  request->first_level = VPXMIN(VPXMAX(level - LEVELS / 2, 0) & ~7,
                                VP8E_MP_FILTER_LEVELS - LEVELS);
  request->levels = LEVELS;
  request->step = state->step;
  request->first = state->first;
  request->rows = 0;
  describe_levels(cpi, request);
  describe_macroblocks(cm, state->macroblocks);
  state->first_level = request->first_level;
  state->declined = provider->filter_begin(provider->priv, request) != 0;
  if (state->declined) return;
  /* Write tokens while the provider works: they do not depend on the level. */
  vp8_mp_mt_pack_ahead(cpi);
  state->declined = provider->filter_errors(provider->priv, state->error) != 0;
  state->known = state->declined ? 0 : request->levels;
}

/* Returns whether a provider that has coded the frame can measure the fast
 * search's levels. A frame of one row of macroblocks has no middle, see
 * vp8_mp_recon_filter_partial(). */
static int serves_fast(VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                       const YV12_BUFFER_CONFIG *unfiltered) {
  const VP8_COMMON *const cm = &cpi->common;

  return cm->mb_rows >= 2 && can_ask(cpi) && is_whole(cm, source, unfiltered) &&
         allocate_request(&cpi->mp.level);
}

static int can_ask_fast(VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                        const YV12_BUFFER_CONFIG *unfiltered) {
  return cpi->mp.whole.coded && has_source(cpi, source) &&
         serves_fast(cpi, source, unfiltered);
}

int vp8_mp_mt_level_can_expect(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  return !cpi->sf.auto_filter &&
         serves_fast(cpi, cpi->Source, &cm->yv12_fb[cm->new_fb_idx]);
}

/* Sets *fast, with its padding. */
static void describe_fast(const VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                          const YV12_BUFFER_CONFIG *unfiltered, int level,
                          vp8_mp_mt_level_fast *fast) {
  const MACROBLOCKD *const xd = &cpi->mb.e_mbd;

  memset(fast, 0, sizeof(*fast));
  fast->source = source;
  fast->unfiltered = unfiltered;
  fast->first_level = VPXMIN(VPXMAX(level - FAST_REACH, 0) & ~7,
                             VP8E_MP_FILTER_LEVELS - FAST_LEVELS);
  fast->is_key = cpi->common.frame_type == KEY_FRAME;
  fast->sharpness = fast->is_key ? 0 : cpi->oxcf.Sharpness;
  fast->has_segments = xd->segmentation_enabled;
  fast->is_absolute = xd->mb_segment_abs_delta;
  fast->has_deltas = xd->mode_ref_lf_delta_enabled;
  memcpy(fast->segment, xd->segment_feature_data[MB_LVL_ALT_LF],
         sizeof(fast->segment));
  memcpy(fast->ref_delta, xd->ref_lf_deltas, sizeof(fast->ref_delta));
  memcpy(fast->mode_delta, xd->mode_lf_deltas, sizeof(fast->mode_delta));
}

/* Let the provider begin to measure. Returns whether it does. */
static int begin_fast(VP8_COMP *cpi, const vp8_mp_mt_level_fast *fast) {
  const VP8_COMMON *const cm = &cpi->common;
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  vp8e_mp_loop_filter_t *const request = cpi->mp.level.request;

  memcpy(&cpi->mp.level.fast, fast, sizeof(*fast));
  describe_frame(cm, fast->unfiltered, cpi->mp.whole.kinds, request);
  request->sharpness = fast->sharpness;
  if (fast->source != cpi->Source) {
    request->source = fast->source->y_buffer;
    request->source_stride = fast->source->y_stride;
  }
  request->first_level = fast->first_level;
  request->levels = FAST_LEVELS;
  request->step = 0;
  request->first = cm->mb_rows / 2;
  request->rows = VPXMAX(cm->mb_rows / PARTIAL_FRAME_FRACTION, 1);
  describe_levels(cpi, request);
  return !provider->filter_begin(provider->priv, request);
}

void vp8_mp_mt_level_fast_expect(VP8_COMP *cpi) {
  VP8_COMMON *const cm = &cpi->common;
  const YV12_BUFFER_CONFIG *const unfiltered = &cm->yv12_fb[cm->new_fb_idx];
  const YV12_BUFFER_CONFIG *const source =
      cpi->mp.whole.denoised ? vp8_mp_mode_denoised_buffer(cpi, INTRA_FRAME)
                             : cpi->Source;
  const int sharpness = cm->sharpness_level;
  vp8_mp_mt_level_fast fast;

  if (cpi->sf.auto_filter || !can_ask_fast(cpi, source, unfiltered)) return;
  describe_fast(cpi, source, unfiltered, cm->filter_level, &fast);
  /* The tables of limits depend on the sharpness, and levels do not. The search
   * sets both, but not if the frame is dropped before. */
  cm->sharpness_level = cm->last_sharpness_level;
  cpi->mp.level.early = begin_fast(cpi, &fast) ? 1 : -1;
  cm->sharpness_level = sharpness;
}

void vp8_mp_mt_level_fast_forget(VP8_COMP *cpi) {
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  vp8_mp_mt_level_state *const state = &cpi->mp.level;

  if (state->early > 0 && cpi->mp.active) {
    provider->filter_errors(provider->priv, state->error);
  }
  state->early = 0;
}

void vp8_mp_mt_level_fast_begin(VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                                const YV12_BUFFER_CONFIG *unfiltered,
                                int level) {
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  vp8_mp_mt_level_state *const state = &cpi->mp.level;
  vp8_mp_mt_level_fast fast;
  int begun;

  state->known = 0;
  if (!can_ask_fast(cpi, source, unfiltered)) {
    vp8_mp_mt_level_fast_forget(cpi);
    return;
  }
  describe_fast(cpi, source, unfiltered, level, &fast);
  if (memcmp(&fast, &state->fast, sizeof(fast))) {
    vp8_mp_mt_level_fast_forget(cpi);
  }
  begun = state->early ? state->early > 0 : begin_fast(cpi, &fast);
  state->early = 0;
  if (!begun) return;
  state->first_level = fast.first_level;
  if (!provider->filter_errors(provider->priv, state->error)) {
    state->known = FAST_LEVELS;
  }
}

int vp8_mp_mt_level_known(VP8_COMP *cpi, int level, int *error) {
  const vp8_mp_mt_level_state *const state = &cpi->mp.level;
  const int i = level - state->first_level;

  if (i < 0 || i >= state->known) {
    vp8_mp_recon_provided_make(cpi);
    return 0;
  }
  *error = (int)state->error[i];
  return 1;
}

int vp8_mp_mt_level_error(VP8_COMP *cpi, const YV12_BUFFER_CONFIG *source,
                          const YV12_BUFFER_CONFIG *unfiltered, int level,
                          int *error) {
  const vp8_mp_mt_level_state *const state = &cpi->mp.level;

  if (vp8_mp_mt_level_known(cpi, level, error)) return 1;
  if (!vp8_mp_mt_enabled(cpi) || source->y_width != unfiltered->y_width ||
      source->y_height != unfiltered->y_height) {
    return 0;
  }
  vp8cx_set_alt_lf_level(cpi, level);
  vp8_loop_filter_frame_init(&cpi->common, &cpi->mb.e_mbd, level);
  *error = vp8_mp_mt_filter_error(cpi, source, unfiltered, state->step,
                                  state->first);
  return 1;
}

void vp8_mp_mt_level_free(VP8_COMP *cpi) {
  vpx_free(cpi->mp.level.request);
  vpx_free(cpi->mp.level.macroblocks);
  memset(&cpi->mp.level, 0, sizeof(cpi->mp.level));
}
