/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/hooks.h"

#include <string.h>

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/recon/provided.h"
#include "vp8/encoder/mp/recon/tokens.h"
#include "vp8/encoder/mp/queue/prefilter.h"
#include "vp8/encoder/mp/counts.h"
#include "vp8/encoder/mp/mode/denoise.h"
#include "vp8/encoder/mp/mode/inter.h"
#include "vp8/encoder/mp/mode/refs.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/mp/rc/lookahead_rc.h"
#include "vp8/encoder/mp/queue/mbtree.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/rdopt.h"
#include "vp8/encoder/mp/rc/segments.h"
#include "vp8/encoder/mp/rc/target.h"
#include "vp8/encoder/mp/whole/frame.h"
#include "vpx_mem/vpx_mem.h"

static int usable(const vp8e_motion_provider_t *provider) {
  return provider->abi_version == VP8E_MP_ABI_VERSION &&
         provider->frame_begin && provider->row &&
         (!provider->filter_begin || provider->filter_errors) &&
         vp8_mp_mode_usable(provider);
}

static void announce(VP8_COMP *cpi, const YV12_BUFFER_CONFIG *buffer) {
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;

  if (buffer && buffer->buffer_alloc) {
    provider->memory_ready(provider->priv, buffer->buffer_alloc,
                           buffer->buffer_alloc_sz);
  }
}

/* Tell the provider where pictures will be. */
static void announce_memory(VP8_COMP *cpi) {
  const YV12_BUFFER_CONFIG *source;
  unsigned int i;

  if (cpi->mp.knows_memory || !cpi->mp.provider ||
      !cpi->mp.provider->memory_ready) {
    return;
  }
  cpi->mp.knows_memory = 1;
  for (i = 0; i < NUM_YV12_BUFFERS; ++i) announce(cpi, &cpi->common.yv12_fb[i]);
  announce(cpi, &cpi->pick_lf_lvl_frame);
  for (i = 0; i < MAX_REF_FRAMES; ++i) {
    announce(cpi, vp8_mp_mode_denoised_buffer(cpi, (int)i));
  }
  for (i = 0; (source = vp8_lookahead_image(cpi->lookahead, i)) != NULL; ++i) {
    announce(cpi, source);
  }
}

int vp8_mp_set_provider(VP8_COMP *cpi, const vp8e_motion_provider_t *provider) {
  vp8_mp_state *const mp = &cpi->mp;

  if (provider && !usable(provider)) return -1;
  vp8_mp_mode_extend_denoised(cpi);
  vp8_mp_attach(cpi, provider);
  mp->begun = 0;
  mp->active = 0;
  mp->knows_memory = 0;
  announce_memory(cpi);
  /* Not in the first pass: its statistics must equal stock libvpx's. */
  cpi->mb.mv_cost_min =
      provider && provider->repair_mv_cost && cpi->pass != 1 ? -mv_max : 0;
  cpi->repair_dropped_probs = provider && provider->repair_drops;
  vp8_mp_mt_rows_free(cpi);
  vp8_mp_mt_pack_free(cpi);
  vp8_mp_mt_set_sync_range(cpi);
  vp8_mp_recon_tokens_set(cpi);
  return 0;
}

static void forget_skin_map(VP8_COMP *cpi) {
  vpx_free(cpi->mp.zero_last);
  cpi->mp.zero_last = NULL;
  cpi->mp.compute_skin_map = NULL;
}

/* Free the maps that have an entry per macroblock. */
static void free_maps(VP8_COMP *cpi) {
  vp8_mp_rc_segment_free(cpi);
  vp8_mp_rc_golden_free(cpi);
  vp8_mp_rc_reached_free(cpi);
  vp8_mp_queue_mbtree_free(cpi);
}

void vp8_mp_free(VP8_COMP *cpi) {
  vp8_mp_mt_rows_free(cpi);
  vp8_mp_mt_pack_free(cpi);
  vp8_mp_mt_level_free(cpi);
  vp8_mp_recon_mb_memory_free(cpi);
  vp8_mp_whole_free(cpi);
  vp8_mp_rc_clip_free(cpi);
  free_maps(cpi);
  forget_skin_map(cpi);
}

void vp8_mp_memory_freed(VP8_COMP *cpi) {
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;

  vp8_mp_mt_level_fast_forget(cpi);
  if (provider && provider->memory_freed) {
    provider->memory_freed(provider->priv);
  }
  /* With a lookahead, the planes of the first pass belong to another encoder.
   */
  if (provider && provider->first_pass_freed && !cpi->mp.lookahead) {
    provider->first_pass_freed(provider->priv);
  }
  cpi->mp.knows_memory = 0;
  free_maps(cpi);
  /* A key frame that changes the size was begun at the old one. */
  cpi->mp.active = 0;
  vp8_mp_buffers_changed(cpi);
}

/* Whether the provider is asked for the frame at all. */
static int is_served(const VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  /* Full-pixel streams (profile 3) scale vectors differently and are left to
   * the stock search. */
  if (cm->full_pixel) return 0;
  /* Key frames have no motion, but intra estimates for the guide. What AUTO
   * means is known when the frame's speed features are. */
  return cm->frame_type != KEY_FRAME ||
         cpi->mp.provider->guide >= VP8E_MP_GUIDE_AGGRESSIVE;
}

void vp8_mp_frame_begin(VP8_COMP *cpi, int Q) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mp_state *const mp = &cpi->mp;
  vp8e_mp_frame_t frame;

  mp->active = 0;
  if (!mp->provider) return;
  announce_memory(cpi);
  vp8_mp_mt_wake(cpi, 0);
  mp->frame_id++;
  vp8_mp_queue_prefilter_frame_begin(cpi);
  vp8_mp_queue_mbtree_frame_begin(cpi, Q);
  vp8_mp_rc_golden_frame_begin(cpi, Q);
  if (!is_served(cpi)) return;

  memset(&frame, 0, sizeof(frame));
  frame.frame_id = mp->frame_id;
  frame.mb_rows = cm->mb_rows;
  frame.mb_cols = cm->mb_cols;
  frame.src = cpi->Source->y_buffer;
  frame.src_stride = cpi->Source->y_stride;
  if (cm->frame_type != KEY_FRAME) {
    vp8_mp_describe_refs(cpi, vp8_mp_mode_searched_refs(cpi), frame.ref);
  }
  vp8cx_initialize_me_consts(cpi, Q);
  frame.bilinear = cm->use_bilinear_mc_filter;
  frame.sad_per_bit = cpi->mb.sadperbit16;
  frame.mv_cost[0] = cpi->mb.mvcost[0];
  frame.mv_cost[1] = cpi->mb.mvcost[1];
  if (mp->provider->guide) frame.bmode_cost = vp8_mp_mode_frame_begin(cpi, Q);

  mp->begun = 1;
  mp->active = mp->provider->frame_begin(mp->provider->priv, &frame) == 0;
}

void vp8_mp_encode_begin(VP8_COMP *cpi) {
  cpi->mp.features = vp8_mp_features(cpi);
  vp8_mp_mode_encode_begin(cpi);
  vp8_mp_mode_learn_encode_begin(cpi);
  vp8_mp_rc_segment_encode_begin(cpi);
  vp8_mp_mode_counts_begin(cpi);
  vp8_mp_counts_encode_begin(cpi);
  vp8_mp_whole_encode_begin(cpi);
}

void vp8_mp_thread_end(VP8_COMP *cpi, const MACROBLOCK *thread) {
  vp8_mp_mt_rows_merge(cpi, thread);
  vp8_mp_mode_counts_merge(cpi, thread);
  vp8_mp_mode_learn_merge(cpi, thread);
}

static void tell_frame_end(VP8_COMP *cpi, int is_key) {
  vp8_mp_state *const mp = &cpi->mp;
  uint64_t live[MAX_REF_FRAMES];

  if (mp->provider->frame_end) {
    vp8_mp_live_refs(cpi, live);
    mp->provider->frame_end(mp->provider->priv, mp->frame_id, is_key, live);
  }
}

void vp8_mp_frame_end(VP8_COMP *cpi, size_t size) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mp_state *const mp = &cpi->mp;

  vp8_mp_mt_level_fast_forget(cpi); /* of a frame that was dropped */
  vp8_mp_recon_provided_end(cpi);   /* likewise */
  vp8_mp_mt_finish_end(cpi);
  vp8_mp_queue_prefilter_frame_end(cpi);
  /* Also without a provider: a lookahead goes on when its provider is detached,
   * and uses the balance. */
  vp8_mp_rc_target_end(cpi, (int)size);
  if (size && mp->provider) {
    if (!mp->whole.filtered) vp8_mp_buffer_changed(cpi, cm->new_fb_idx);
    vp8_mp_mode_scene_end(cpi);
    vp8_mp_counts_frame_end(cpi);
  }
  vp8_mp_rc_segment_frame_end(cpi, size);
  if (!mp->provider) return;
  if (size || mp->begun) {
    tell_frame_end(cpi, size && cm->last_frame_type == KEY_FRAME);
  }
  mp->begun = 0;
  mp->active = 0;
  /* Announce early, so that an upload overlaps with the caller's work. */
  vp8_mp_announce_refs(cpi);
}

void vp8_mp_frame_failed(VP8_COMP *cpi) {
  vp8_mp_state *const mp = &cpi->mp;

  vp8_mp_mt_level_fast_forget(cpi);
  vp8_mp_mt_finish_abandon(cpi);
  vp8_mp_queue_prefilter_frame_end(cpi);
  vp8_mp_rc_segment_clear(cpi);
  if (mp->provider && mp->begun) tell_frame_end(cpi, 0);
  mp->begun = 0;
  mp->active = 0;
}

/* ---- skin map ------------------------------------------------------------ */

/* The denoiser reads the map in every macroblock. */
static int delays_skin_map(const VP8_COMP *cpi) {
  if (!cpi->mp.provider || !cpi->mp.provider->guide ||
      cpi->oxcf.noise_sensitivity) {
    return 0;
  }
#if CONFIG_MULTITHREAD
  /* Any row thread might be the first to need the map. */
  if (vpx_atomic_load_acquire(&cpi->b_multi_threaded)) return 0;
#endif
  return 1;
}

void vp8_mp_delay_skin_map(VP8_COMP *cpi, void (*compute)(VP8_COMP *cpi)) {
  const size_t size = (size_t)cpi->common.mb_rows * cpi->common.mb_cols;

  forget_skin_map(cpi);
  if (delays_skin_map(cpi)) cpi->mp.zero_last = vpx_malloc(size);
  if (!cpi->mp.zero_last) {
    compute(cpi);
    return;
  }
  /* consec_zero_last changes as macroblocks are coded: copy it. */
  memcpy(cpi->mp.zero_last, cpi->consec_zero_last, size);
  cpi->mp.skin_source = cpi->Source;
  cpi->mp.compute_skin_map = compute;
}

const unsigned char *vp8_mp_skin_map(VP8_COMP *cpi) {
  if (cpi->mp.compute_skin_map) {
    unsigned char *const zero_last = cpi->consec_zero_last;
    YV12_BUFFER_CONFIG *const source = cpi->Source;

    cpi->consec_zero_last = cpi->mp.zero_last;
    cpi->Source = cpi->mp.skin_source;
    cpi->mp.compute_skin_map(cpi);
    cpi->consec_zero_last = zero_last;
    cpi->Source = source;
    cpi->mp.compute_skin_map = NULL;
  }
  return cpi->skin_map;
}
