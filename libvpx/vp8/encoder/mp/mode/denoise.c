/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/denoise.h"

#include <limits.h>
#include <string.h>

#include "./vpx_scale_rtcd.h"
#include "vp8/common/findnearmv.h"
#include "vp8/encoder/denoising.h"
#include "vp8/encoder/mcomp.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/pickinter.h"
#include "vp8/encoder/rdopt.h"

#if CONFIG_TEMPORAL_DENOISING

/* libvpx denoises macroblocks that stand still more strongly if the content is
 * noisy: if the mean squared difference of source and denoised source is above
 * NOISY. In the adaptive mode: if that of two successive sources is above this
 * percentage of the threshold for the aggressive mode. */
#define ADAPTIVE_MODE 4
#define NOISY_ADAPTIVE_PERCENT 70
#define NOISY 1000
#define NOISY_STILL_FRAMES 20

/* A vector and its squared error. */
typedef struct match {
  unsigned int sse;
  int ref; /* INTRA_FRAME: none */
  int_mv mv;
} match;

/* The denoised picture of a golden or altref frame that is old is not used. */
static int is_old(const VP8_COMP *cpi, int ref) {
  return ref != LAST_FRAME &&
         cpi->common.current_video_frame - cpi->current_ref_frames[ref] >
             MAX_GF_ARF_DENOISE_RANGE;
}

static void try_vector(const vp8_mp_mode_decision *d, int mode, int ref,
                       int_mv mv, match *best) {
  MACROBLOCK *const x = d->x;
  unsigned int sse;

  vp8_mp_mode_set_candidate(d, mode, ref, mv);
  vp8_get_inter_mbpred_error(x, &d->cpi->fn_ptr[BLOCK_16X16], &sse, mv);
  if (sse >= best->sse) return;
  best->sse = sse;
  best->ref = ref;
  best->mv = mv;
}

static match best_zero(const vp8_mp_mode_decision *d) {
  match best = { UINT_MAX, INTRA_FRAME, { 0 } };
  int_mv zero;
  int ref;

  zero.as_int = 0;
  for (ref = LAST_FRAME; ref <= ALTREF_FRAME; ++ref) {
    if (d->plane[ref][0] && !is_old(d->cpi, ref)) {
      try_vector(d, ZEROMV, ref, zero, &best);
    }
  }
  return best;
}

/* The provider's vector of lowest SATD. */
static match best_found(const vp8_mp_mode_decision *d) {
  match best = { UINT_MAX, INTRA_FRAME, { 0 } };
  int ref, found = INTRA_FRAME;
  int_mv mv;

  for (ref = LAST_FRAME; ref <= ALTREF_FRAME; ++ref) {
    if (d->mb[ref] && !is_old(d->cpi, ref) &&
        (!found || d->mb[ref]->dist < d->mb[found]->dist)) {
      found = ref;
    }
  }
  if (!found) return best;
  mv = vp8_mp_mode_mv(d->mb[found]->mv);
  vp8_clamp_mv2(&mv, &d->x->e_mbd);
  if (mv.as_int && vp8_mp_mode_legal(d->x, mv)) {
    try_vector(d, NEWMV, found, mv, &best);
  }
  return best;
}

static int is_noisy(const VP8_COMP *cpi) {
  const VP8_DENOISER *const denoiser = &cpi->denoiser;

  if (cpi->oxcf.noise_sensitivity != ADAPTIVE_MODE) {
    return cpi->mse_source_denoised > NOISY;
  }
  return denoiser->nmse_source_diff >
         NOISY_ADAPTIVE_PERCENT * denoiser->threshold_aggressive_mode / 100;
}

static int is_increased(const VP8_COMP *cpi, const MACROBLOCK *x, int mb,
                        const match *best) {
  return !x->is_skin && !best->mv.as_int &&
         (best->ref == LAST_FRAME ||
          best->ref == cpi->closest_reference_frame) &&
         cpi->consec_zero_last[mb] >= NOISY_STILL_FRAMES && is_noisy(cpi);
}

/* Compute the SATD of the provider's vectors again. */
static void update_records(vp8_mp_mode_decision *d) {
  int_mv mv;
  int ref;

  for (ref = LAST_FRAME; ref <= ALTREF_FRAME; ++ref) {
    if (!d->mb[ref]) continue;
    mv = vp8_mp_mode_mv(d->mb[ref]->mv);
    if (!vp8_mp_mode_legal(d->x, mv)) continue;
    d->denoised[ref] = *d->mb[ref];
    d->denoised[ref].dist = vp8_mp_mode_satd(d, ref, mv, 4, 0, 0);
    d->mb[ref] = &d->denoised[ref];
  }
}

void vp8_mp_mode_denoise(vp8_mp_mode_decision *d, int recon_yoffset,
                         int recon_uvoffset) {
  VP8_COMP *const cpi = d->cpi;
  MACROBLOCK *const x = d->x;
  const int row = vp8_mp_mb_row(x), col = vp8_mp_mb_col(x);
  const int mb = vp8_mp_mb_index(x, cpi->common.mb_cols);
  match zero, best;

  if (!cpi->oxcf.noise_sensitivity) return;
  zero = best_zero(d);
  best = best_found(d);
  if (zero.sse <= best.sse) best = zero;
  x->is_skin = !cpi->oxcf.screen_content_mode && cpi->skin_map[mb];
  x->best_sse_inter_mode = best.mv.as_int ? NEWMV : ZEROMV;
  x->best_sse_mv = best.mv;
  x->need_to_clamp_best_mvs = 0; /* vectors are legal */
  x->best_reference_frame = best.ref;
  x->best_zeromv_reference_frame = zero.ref;
  x->increase_denoising = is_increased(cpi, x, mb, &best);
  x->denoise_zeromv = 0;
  vp8_denoiser_denoise_mb(&cpi->denoiser, x, best.sse, zero.sse, recon_yoffset,
                          recon_uvoffset, &cpi->common.lf_info, row, col, mb,
                          cpi->consec_zero_last_mvbias[mb]);
  if (cpi->denoiser.denoise_state[mb] != kNoFilter) update_records(d);
}

/* ---- a provider that denoises -------------------------------------------- */

const YV12_BUFFER_CONFIG *vp8_mp_mode_denoised_buffer(const VP8_COMP *cpi,
                                                      int ref) {
  return cpi->oxcf.noise_sensitivity ? &cpi->denoiser.yv12_running_avg[ref]
                                     : NULL;
}

int vp8_mp_mode_uses_denoised(const VP8_COMP *cpi, int ref) {
  return vp8_mp_is_enabled(cpi, ref) && !is_old(cpi, ref);
}

int vp8_mp_mode_strong_frames(const VP8_COMP *cpi) {
  return is_noisy(cpi) ? NOISY_STILL_FRAMES : INT_MAX;
}

uint64_t vp8_mp_mode_new_denoised_id(VP8_COMP *cpi) {
  return ++cpi->mp.mode.denoised.last_id;
}

void vp8_mp_mode_denoised_is_provided(VP8_COMP *cpi) {
  cpi->mp.mode.denoised.is_provided = 1;
}

void vp8_mp_mode_extend_denoised(VP8_COMP *cpi) {
  vp8_mp_mode_denoised *const state = &cpi->mp.mode.denoised;
  int i;

  for (i = 0; i < MAX_REF_FRAMES; ++i) {
    if (state->lacks_border[i]) {
      vp8_yv12_extend_frame_borders(&cpi->denoiser.yv12_running_avg[i]);
    }
    state->lacks_border[i] = 0;
  }
  state->is_provided = 0;
}

/* ---- the end of a frame -------------------------------------------------- */

/* libvpx samples the noise of the source every 8 frames after a key frame. */
#define NOISE_INTERVAL 8

/* libvpx makes the pictures itself. In a key frame all are the source. */
static void forget_denoised(VP8_COMP *cpi) {
  vp8_mp_mode_denoised *const state = &cpi->mp.mode.denoised;
  const int is_key = cpi->common.frame_type == KEY_FRAME;
  int i;

  for (i = 0; i < MAX_REF_FRAMES; ++i) {
    if (!i || !is_key) ++state->last_id;
    state->id[i] = state->last_id;
    state->lacks_border[i] = 0;
  }
}

/* Sets the state of the frame's denoised picture. */
static void note_denoised(VP8_COMP *cpi) {
  vp8_mp_mode_denoised *const state = &cpi->mp.mode.denoised;

  state->lacks_border[INTRA_FRAME] = state->is_provided;
  if (state->is_provided) {
    state->id[INTRA_FRAME] = state->last_id;
  } else {
    state->id[INTRA_FRAME] = ++state->last_id;
    vp8_yv12_extend_frame_borders(&cpi->denoiser.yv12_running_avg[INTRA_FRAME]);
  }
}

/* vp8_yv12_copy_frame() makes a border. */
static void copy_denoised(VP8_COMP *cpi, int to) {
  YV12_BUFFER_CONFIG *const of = cpi->denoiser.yv12_running_avg;
  vp8_mp_mode_denoised *const state = &cpi->mp.mode.denoised;

  vp8_yv12_copy_frame(&of[INTRA_FRAME], &of[to]);
  state->id[to] = state->id[INTRA_FRAME];
  state->lacks_border[to] = 0;
}

static void swap_with_last(VP8_COMP *cpi) {
  YV12_BUFFER_CONFIG *const of = cpi->denoiser.yv12_running_avg;
  vp8_mp_mode_denoised *const state = &cpi->mp.mode.denoised;
  const YV12_BUFFER_CONFIG last = of[LAST_FRAME];
  const uint64_t last_id = state->id[LAST_FRAME];
  const int last_lacks_border = state->lacks_border[LAST_FRAME];

  of[LAST_FRAME] = of[INTRA_FRAME];
  of[INTRA_FRAME] = last;
  state->id[LAST_FRAME] = state->id[INTRA_FRAME];
  state->id[INTRA_FRAME] = last_id;
  state->lacks_border[LAST_FRAME] = state->lacks_border[INTRA_FRAME];
  state->lacks_border[INTRA_FRAME] = last_lacks_border;
}

int vp8_mp_mode_update_denoised(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  if (!cpi->mp.provider || cm->frame_type == KEY_FRAME) {
    forget_denoised(cpi);
    return 0;
  }
  note_denoised(cpi);
  if (cm->refresh_alt_ref_frame || cm->copy_buffer_to_arf) {
    copy_denoised(cpi, ALTREF_FRAME);
  }
  if (cm->refresh_golden_frame || cm->copy_buffer_to_gf) {
    copy_denoised(cpi, GOLDEN_FRAME);
  }
  if (cm->refresh_last_frame) swap_with_last(cpi);
  if (cpi->oxcf.noise_sensitivity == ADAPTIVE_MODE &&
      (cpi->drop_frames_allowed ||
       cpi->frames_since_key % NOISE_INTERVAL == NOISE_INTERVAL - 1)) {
    vp8_yv12_copy_frame(cpi->Source, &cpi->denoiser.yv12_last_source);
  }
  return 1;
}

#else

void vp8_mp_mode_denoise(vp8_mp_mode_decision *d, int recon_yoffset,
                         int recon_uvoffset) {
  (void)d;
  (void)recon_yoffset;
  (void)recon_uvoffset;
}

const YV12_BUFFER_CONFIG *vp8_mp_mode_denoised_buffer(const VP8_COMP *cpi,
                                                      int ref) {
  (void)cpi;
  (void)ref;
  return NULL;
}

void vp8_mp_mode_extend_denoised(VP8_COMP *cpi) { (void)cpi; }

#endif
