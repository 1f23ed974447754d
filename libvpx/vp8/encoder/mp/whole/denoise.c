/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/whole/denoise.h"

#include <string.h>

#include "vp8/encoder/denoising.h"
#include "vp8/encoder/mp/mode/denoise.h"
#include "vp8/encoder/mp/whole/describe.h"
#include "vp8/encoder/onyx_int.h"

#if CONFIG_TEMPORAL_DENOISING

/* vp8_denoiser_denoise_mb() multiplies these limits by the parameters of the
 * denoiser. */
#define ERROR_LIMIT (16 * 16 * 40)
#define STRONG_ERROR_LIMIT (16 * 16 * 80)
#define LENGTH_LIMIT (25 * 25)

int vp8_mp_whole_describe_denoiser(VP8_COMP *cpi, vp8e_mp_denoiser_t *d) {
  const VP8_DENOISER *const denoiser = &cpi->denoiser;
  const denoise_params *const pars = &denoiser->denoise_pars;
  const YV12_BUFFER_CONFIG *const of = denoiser->yv12_running_avg;
  int ref;

  if (!cpi->oxcf.noise_sensitivity) return 0;
  memset(d, 0, sizeof(*d));
  d->has_chroma = denoiser->denoiser_mode != kDenoiserOnYOnly;
  d->zero_percent = (int)pars->denoise_mv_bias;
  d->most_error = (int)pars->scale_sse_thresh * ERROR_LIMIT;
  d->most_strong_error = (int)pars->scale_sse_thresh * STRONG_ERROR_LIMIT;
  d->most_length = (int)pars->scale_motion_thresh * LENGTH_LIMIT;
  d->strong_length = (int)pars->scale_increase_filter * LENGTH_LIMIT;
  d->strong_frames = vp8_mp_mode_strong_frames(cpi);
  d->closest_ref = (int)cpi->closest_reference_frame;
  d->sharpness = cpi->common.last_sharpness_level;
  d->skin = cpi->oxcf.screen_content_mode ? NULL : cpi->skin_map;
  d->near_still_frames = cpi->consec_zero_last_mvbias;
  for (ref = LAST_FRAME; ref < MAX_REF_FRAMES; ++ref) {
    if (!vp8_mp_mode_uses_denoised(cpi, ref)) continue;
    d->ref[ref] = vp8_mp_whole_picture(&of[ref], cpi->mp.mode.denoised.id[ref]);
  }
  d->denoised =
      vp8_mp_whole_picture(&of[INTRA_FRAME], vp8_mp_mode_new_denoised_id(cpi));
  return 1;
}

static void copy_plane(const uint8_t *from, int from_stride, uint8_t *to,
                       int to_stride, int width, int height) {
  for (; height; --height, from += from_stride, to += to_stride) {
    memcpy(to, from, width);
  }
}

void vp8_mp_whole_take_denoised(VP8_COMP *cpi, const vp8e_mp_denoiser_t *d) {
  const YV12_BUFFER_CONFIG *const source = cpi->Source;
  const vp8e_mp_picture_t *const from = &d->denoised;

  vp8_mp_mode_denoised_is_provided(cpi);
  if (!d->has_chroma ||
      !(cpi->b_calculate_psnr || cpi->oxcf.lag_in_frames > 0)) {
    return;
  }
  copy_plane(from->plane[1], from->uv_stride, source->u_buffer,
             source->uv_stride, source->uv_width, source->uv_height);
  copy_plane(from->plane[2], from->uv_stride, source->v_buffer,
             source->uv_stride, source->uv_width, source->uv_height);
}

#else

int vp8_mp_whole_describe_denoiser(VP8_COMP *cpi, vp8e_mp_denoiser_t *d) {
  (void)cpi;
  (void)d;
  return 0;
}

void vp8_mp_whole_take_denoised(VP8_COMP *cpi, const vp8e_mp_denoiser_t *d) {
  (void)cpi;
  (void)d;
}

#endif
