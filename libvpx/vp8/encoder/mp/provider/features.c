/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/provider/features.h"

#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/onyx_int.h"

/* A lookahead of fewer frames than this is none. */
#define MIN_LOOKAHEAD 3

static int is_multi_resolution(const VP8_COMP *cpi) {
#if CONFIG_MULTI_RES_ENCODING
  return cpi->oxcf.mr_total_resolutions > 1;
#else
  (void)cpi;
  return 0;
#endif
}

/* Whether an encoder of several resolutions takes motion from another one. */
static int takes_motion_from_lower(const VP8_COMP *cpi) {
#if CONFIG_MULTI_RES_ENCODING
  return cpi->oxcf.mr_encoder_id != 0;
#else
  (void)cpi;
  return 0;
#endif
}

/* The user's segments, from a region of interest map. */
static int has_user_segments(const VP8_COMP *cpi) {
  return cpi->mb.e_mbd.segmentation_enabled &&
         !cpi->cyclic_refresh_mode_enabled;
}

static int is_aggressive(const VP8_COMP *cpi) {
  const int guide = cpi->mp.provider->guide;

  return guide == VP8E_MP_GUIDE_AGGRESSIVE ||
         (guide == VP8E_MP_GUIDE_AUTO && !cpi->sf.RD);
}

/* The guide decides a whole macroblock at once: it knows no active map,
 * full-pixel vectors, or modes of a lower resolution. */
static unsigned int guide_features(const VP8_COMP *cpi) {
  unsigned int features = VP8_MP_GUIDE;

  if (is_aggressive(cpi))
    features |= VP8_MP_GUIDE_AGGRESSIVE | VP8_MP_GUIDE_KEY;
  if (!cpi->active_map_enabled && !cpi->common.full_pixel &&
      (!cpi->is_src_frame_alt_ref || (cpi->ref_frame_flags & VP8_ALTR_FRAME)) &&
      !takes_motion_from_lower(cpi)) {
    features |= VP8_MP_GUIDE_INTER;
  }
  return features;
}

/* Targets of ours replace those of libvpx's one pass. */
static unsigned int target_features(const VP8_COMP *cpi) {
  const VP8_CONFIG *const oxcf = &cpi->oxcf;

  if (cpi->common.full_pixel || cpi->pass != 0 || oxcf->fixed_q >= 0 ||
      !cpi->buffered_mode) {
    return 0;
  }
  if (oxcf->end_usage == USAGE_LOCAL_FILE_PLAYBACK) {
    return oxcf->number_of_layers == 1 ? VP8_MP_VBR_TARGETS : 0;
  }
  /* Whoever sets one of these at a constant bitrate asks for bits that these
   * targets are made of. */
  if (oxcf->end_usage != USAGE_STREAM_FROM_SERVER ||
      cpi->compressor_speed != 2 || oxcf->maximum_buffer_size <= 0 ||
      oxcf->gf_cbr_boost_pct || cpi->active_map_enabled ||
      has_user_segments(cpi)) {
    return 0;
  }
  return VP8_MP_CBR_TARGETS;
}

static int allows_segments(const VP8_COMP *cpi) {
  const VP8_CONFIG *const oxcf = &cpi->oxcf;

  return !cpi->mb.e_mbd.segmentation_enabled &&
         !cpi->cyclic_refresh_mode_enabled && !cpi->active_map_enabled &&
         !cpi->common.full_pixel && oxcf->tuning == VP8_TUNE_PSNR &&
         cpi->pass != 1 &&
         /* Users who choose what a frame refreshes may drop frames. */
         (!cpi->ext_refresh_frame_flags_pending ||
          oxcf->number_of_layers > 1) &&
         !is_multi_resolution(cpi);
}

static int allows_lookahead(const VP8_COMP *cpi) {
  const VP8_CONFIG *const oxcf = &cpi->oxcf;

  return cpi->mp.provider->lookahead >= MIN_LOOKAHEAD &&
         !cpi->common.current_video_frame && cpi->pass == 0 &&
         oxcf->key_freq > 1 && /* key frames alone share out nothing */
         cpi->compressor_speed < 2 && oxcf->number_of_layers == 1 &&
         !oxcf->error_resilient_mode && oxcf->fixed_q < 0 &&
         (oxcf->end_usage == USAGE_LOCAL_FILE_PLAYBACK ||
          oxcf->end_usage == USAGE_CONSTRAINED_QUALITY) &&
         oxcf->best_allowed_q < oxcf->worst_allowed_q &&
         cpi->common.horiz_scale == VP8E_NORMAL &&
         cpi->common.vert_scale == VP8E_NORMAL &&
         !vp8_lookahead_depth(cpi->lookahead);
}

static int allows_two_passes(const VP8_COMP *cpi) {
  const VP8_CONFIG *const oxcf = &cpi->oxcf;

  return cpi->pass == 2 && !cpi->mp.lookahead &&
         oxcf->end_usage == USAGE_LOCAL_FILE_PLAYBACK &&
         oxcf->number_of_layers == 1 && !oxcf->error_resilient_mode &&
         oxcf->fixed_q < 0;
}

/* The frames that others are predicted from: in any other frame the map of
 * segments takes more bits than it gains. A shown altref frame has next to no
 * residual, and a key frame whose size the user limits no bits to move. */
static int allows_mbtree(const VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  return cpi->mp.provider->mbtree && cpi->pass == 2 &&
         !cpi->oxcf.error_resilient_mode && !cpi->oxcf.noise_sensitivity &&
         cpi->oxcf.number_of_layers == 1 && !cpi->is_src_frame_alt_ref &&
         cpi->best_quality < cpi->worst_quality &&
         (cm->frame_type == KEY_FRAME
              ? !cpi->oxcf.rc_max_intra_bitrate_pct
              : cm->refresh_golden_frame || cm->refresh_alt_ref_frame);
}

/* An altref frame that is shown was filtered when it was hidden. */
static int allows_prefilter(const VP8_COMP *cpi) {
  const int kind = cpi->common.show_frame ? VP8E_MP_PREFILTER_SHOWN
                                          : VP8E_MP_PREFILTER_HIDDEN;

  return (cpi->mp.provider->prefilter & kind) && cpi->pass == 2 &&
         !cpi->is_src_frame_alt_ref && !cpi->oxcf.noise_sensitivity &&
         cpi->source && cpi->Source == &cpi->source->img;
}

/* The candidate of a picture that returns needs a reference that the provider
 * has searched. */
static int allows_whole_inter_frames(const VP8_COMP *cpi,
                                     unsigned int features) {
  const int returned = cpi->mp.memory.returned;

  return (features & VP8_MP_GUIDE_INTER) && !cpi->is_src_frame_alt_ref &&
         (!returned || vp8_mp_is_searched(cpi, returned));
}

/* What a provider codes as a whole is decided without evaluations by the
 * regular quantizer, as at realtime from cpu-used -4 on. Cyclic refresh changes
 * quantizers after the decision. */
/* Without repair_threads, row threads of libvpx count only a part of their
 * tokens, and a provider counts all. */
static int counts_all_tokens(const VP8_COMP *cpi) {
#if CONFIG_MULTITHREAD
  return cpi->mp.provider->repair_threads ||
         !vpx_atomic_load_acquire(&cpi->b_multi_threaded);
#else
  (void)cpi;
  return 1;
#endif
}

static int allows_whole_frames(const VP8_COMP *cpi, unsigned int features) {
  const VP8_COMMON *const cm = &cpi->common;

  return cpi->mp.provider->code_frame && (features & VP8_MP_GUIDE_AGGRESSIVE) &&
         cpi->compressor_speed == 2 && !cpi->sf.RD && !cpi->sf.improved_quant &&
         !cpi->sf.optimize_coefficients && cm->mb_no_coeff_skip &&
         !cm->use_bilinear_mc_filter && !cpi->cyclic_refresh_mode_enabled &&
         cpi->oxcf.tuning == VP8_TUNE_PSNR && !is_multi_resolution(cpi) &&
         counts_all_tokens(cpi) &&
         (cm->frame_type == KEY_FRAME
              ? (features & VP8_MP_GUIDE_KEY) != 0
              : allows_whole_inter_frames(cpi, features));
}

unsigned int vp8_mp_features(const VP8_COMP *cpi) {
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  unsigned int features = 0;

  /* Segments that were begun stay until the frame ends. */
  if (cpi->mp.segments.in_use) features |= VP8_MP_SEGMENTS;
  if (!provider) return features;
  if (provider->guide) {
    features |= guide_features(cpi) | target_features(cpi);
    if (allows_segments(cpi)) features |= VP8_MP_SEGMENTS;
    if (allows_two_passes(cpi)) features |= VP8_MP_TWO_PASSES;
  }
  if (allows_whole_frames(cpi, features)) features |= VP8_MP_WHOLE;
  if (allows_lookahead(cpi)) features |= VP8_MP_LOOKAHEAD;
  if ((features & VP8_MP_SEGMENTS) && allows_mbtree(cpi)) {
    features |= VP8_MP_MBTREE;
  }
  if (allows_prefilter(cpi)) features |= VP8_MP_PREFILTER;
  return features;
}
