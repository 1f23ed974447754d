/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/motion_provider.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "./vp8_rtcd.h"
#include "vp8/common/findnearmv.h"
#include "vp8/encoder/fast_tokens.h"
#include "vp8/encoder/guided_mode.h"
#include "vp8/encoder/mcomp.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/pickinter.h"
#include "vp8/encoder/rdopt.h"
#include "vpx_mem/vpx_mem.h"

const int vp8_mp_first_block[4] = { 0, 2, 4, 8 };

static const int ref_flag[MAX_REF_FRAMES] = { 0, VP8_LAST_FRAME,
                                              VP8_GOLD_FRAME, VP8_ALTR_FRAME };

static int ref_buffer(const VP8_COMMON *cm, int ref) {
  switch (ref) {
    case LAST_FRAME: return cm->lst_fb_idx;
    case GOLDEN_FRAME: return cm->gld_fb_idx;
    default: return cm->alt_fb_idx;
  }
}

int vp8_mp_set(VP8_COMP *cpi, const vp8e_motion_provider_t *provider) {
  int i;

  if (provider && (provider->abi_version != VP8E_MP_ABI_VERSION ||
                   !provider->frame_begin || !provider->row ||
                   (provider->filter_begin && !provider->filter_errors) ||
                   !vp8_gm_usable(provider))) {
    return -1;
  }
  cpi->mp.provider = provider;
  cpi->mp.begun = 0;
  cpi->mp.active = 0;
  /* Not in the first pass, whose statistics stay stock libvpx's. */
  VP8_MP_MIN_MV_DIFF(cpi->mb.mvcost) =
      provider && provider->repair_mv_cost && cpi->pass != 1 ? -mv_max : 0;
  /* What the buffers hold is news to this provider. */
  for (i = 0; i < NUM_YV12_BUFFERS; ++i) vp8_mp_buffer_changed(cpi, i);
  vp8_mt_set(cpi);
  vp8_ft_set(cpi);
  return 0;
}

void vp8_gm_sixtap16x16_c(unsigned char *src, int src_stride, int xoffset,
                          int yoffset, unsigned char *dst, int dst_stride) {
  vp8_sixtap_predict16x16(src, src_stride, xoffset, yoffset, dst, dst_stride);
}

void vp8_gm_sixtap8x8_c(unsigned char *src, int src_stride, int xoffset,
                        int yoffset, unsigned char *dst, int dst_stride) {
  vp8_sixtap_predict8x8(src, src_stride, xoffset, yoffset, dst, dst_stride);
}

void vp8_gm_fdct8x4_c(short *input, short *output, int pitch) {
  vp8_short_fdct8x4(input, output, pitch);
}

void vp8_gm_fdct4x4_c(short *input, short *output, int pitch) {
  vp8_short_fdct4x4(input, output, pitch);
}

void vp8_mp_set_kernels(VP8_COMP *cpi) {
  MACROBLOCKD *const xd = &cpi->mb.e_mbd;

  cpi->mb.short_fdct8x4 = cpi->mp.provider ? vp8_gm_fdct8x4 : vp8_short_fdct8x4;
  cpi->mb.short_fdct4x4 = cpi->mp.provider ? vp8_gm_fdct4x4 : vp8_short_fdct4x4;
  if (!cpi->mp.provider || cpi->common.use_bilinear_mc_filter) return;
  xd->subpixel_predict16x16 = vp8_gm_sixtap16x16;
  xd->subpixel_predict8x8 = vp8_gm_sixtap8x8;
}

static void forget_skin_map(VP8_COMP *cpi) {
  vpx_free(cpi->mp.zero_last);
  cpi->mp.zero_last = NULL;
  cpi->mp.compute_skin_map = NULL;
}

void vp8_mp_free(VP8_COMP *cpi) {
  forget_skin_map(cpi);
  vp8_fl_free(cpi);
}

static int delays_skin_map(const VP8_COMP *cpi) {
  if (!cpi->mp.provider || !cpi->mp.provider->guide ||
      cpi->oxcf.noise_sensitivity) {
    return 0;
  }
#if CONFIG_MULTITHREAD
  /* Any of the threads might be the first to need it. */
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
  /* This changes as macroblocks are coded. */
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

void vp8_mp_buffer_changed(VP8_COMP *cpi, int fb_idx) {
  cpi->mp.buf_id[fb_idx] = ++cpi->mp.last_id;
}

void vp8_mp_memory_freed(VP8_COMP *cpi) {
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  int i;

  if (provider && provider->memory_freed) provider->memory_freed(provider->priv);
  /* A key frame that is resized was begun at its old size. */
  cpi->mp.active = 0;
  for (i = 0; i < NUM_YV12_BUFFERS; ++i) vp8_mp_buffer_changed(cpi, i);
}

static void describe_buffer(const VP8_COMP *cpi, int fb_idx,
                            vp8e_mp_ref_t *ref) {
  const YV12_BUFFER_CONFIG *const fb = &cpi->common.yv12_fb[fb_idx];

  ref->id = cpi->mp.buf_id[fb_idx];
  ref->y = fb->y_buffer;
  ref->stride = fb->y_stride;
  ref->width = fb->y_width;
  ref->height = fb->y_height;
  ref->border = fb->border;
  ref->searched = 0;
}

static void announce_buffer(VP8_COMP *cpi, int fb_idx) {
  vp8_mp_state *const mp = &cpi->mp;
  vp8e_mp_ref_t ref;

  if (mp->ready_id[fb_idx] == mp->buf_id[fb_idx]) return;
  mp->ready_id[fb_idx] = mp->buf_id[fb_idx];
  if (!mp->provider->reference_ready) return;
  describe_buffer(cpi, fb_idx, &ref);
  mp->provider->reference_ready(mp->provider->priv, &ref, 0,
                                ref.height);
}

void vp8_mp_frame_begin(VP8_COMP *cpi, int Q) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mp_state *const mp = &cpi->mp;
  vp8e_mp_frame_t frame;
  /* Key frames have no motion, but intra estimates for the guide. */
  const int refs = cm->frame_type == KEY_FRAME ? 0 : cpi->ref_frame_flags;
  int i;

  mp->active = 0;
  if (!mp->provider) return;
#if CONFIG_MULTITHREAD
  vp8_mt_wake(cpi, 0);
#endif
  mp->frame_id++;
  /* Full-pixel streams (profile 3) scale vectors differently and are left to
   * the stock search. */
  if (cm->full_pixel) return;
  /* What AUTO means is known when the frame's speed features are. */
  if (cm->frame_type == KEY_FRAME &&
      mp->provider->guide < VP8E_MP_GUIDE_AGGRESSIVE) {
    return;
  }

  memset(&frame, 0, sizeof(frame));
  frame.frame_id = mp->frame_id;
  frame.mb_rows = cm->mb_rows;
  frame.mb_cols = cm->mb_cols;
  frame.src = cpi->Source->y_buffer;
  frame.src_stride = cpi->Source->y_stride;
  for (i = LAST_FRAME; i < MAX_REF_FRAMES; ++i) {
    const int fb_idx = ref_buffer(cm, i);
    if (!(refs & ref_flag[i])) continue;
    announce_buffer(cpi, fb_idx);
    describe_buffer(cpi, fb_idx, &frame.ref[i]);
    frame.ref[i].searched = 1;
  }
  vp8cx_initialize_me_consts(cpi, Q);
  frame.bilinear = cm->use_bilinear_mc_filter;
  frame.qindex = Q;
  frame.sad_per_bit = cpi->mb.sadperbit16;
  frame.error_per_bit = cpi->mb.errorperbit;
  frame.mv_cost[0] = cpi->mb.mvcost[0];
  frame.mv_cost[1] = cpi->mb.mvcost[1];
  frame.is_hidden_arf = cm->refresh_alt_ref_frame && !cm->show_frame;
  frame.is_src_of_arf = cpi->is_src_frame_alt_ref;
  if (mp->provider->guide) frame.bmode_cost = vp8_gm_frame_begin(cpi, Q);

  mp->begun = 1;
  mp->active = mp->provider->frame_begin(mp->provider->priv, &frame) == 0;
}

static void tell_frame_end(VP8_COMP *cpi, int is_key) {
  vp8_mp_state *const mp = &cpi->mp;
  uint64_t live[MAX_REF_FRAMES] = { 0 };
  int i;

  for (i = LAST_FRAME; i < MAX_REF_FRAMES; ++i) {
    live[i] = mp->buf_id[ref_buffer(&cpi->common, i)];
  }
  if (mp->provider->frame_end) {
    mp->provider->frame_end(mp->provider->priv, mp->frame_id, is_key, live);
  }
}

void vp8_mp_frame_end(VP8_COMP *cpi, size_t size) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mp_state *const mp = &cpi->mp;
  int i;

  if (!mp->provider) return;
  if (size) {
    vp8_mp_buffer_changed(cpi, cm->new_fb_idx);
    vp8_gm_scene_end(cpi);
  }
  if (size || mp->begun) {
    tell_frame_end(cpi, size && cm->last_frame_type == KEY_FRAME);
  }
  mp->begun = 0;
  mp->active = 0;
  /* Early, so that an upload overlaps with whatever the caller does next. */
  for (i = LAST_FRAME; i < MAX_REF_FRAMES; ++i) {
    announce_buffer(cpi, ref_buffer(cm, i));
  }
}

void vp8_mp_frame_failed(VP8_COMP *cpi) {
  vp8_mp_state *const mp = &cpi->mp;

#if CONFIG_MULTITHREAD
  vp8_mt_tail_abandon(cpi);
#endif
  if (mp->provider && mp->begun) tell_frame_end(cpi, 0);
  mp->begun = 0;
  mp->active = 0;
}

void vp8_mp_fetch_row(VP8_COMP *cpi, MACROBLOCK *x, int mb_row) {
  const vp8_mp_state *const mp = &cpi->mp;
  int i;

  memset(x->mp_row, 0, sizeof(x->mp_row));
  memset(x->mp_split, 0, sizeof(x->mp_split));
  x->mp_intra = NULL;
  if (!mp->active) return;
  if (cpi->common.frame_type != KEY_FRAME) {
    if (mp->provider->row(mp->provider->priv, mb_row, x->mp_row,
                          x->mp_split)) {
      memset(x->mp_row, 0, sizeof(x->mp_row));
      return;
    }
    for (i = LAST_FRAME; i < MAX_REF_FRAMES; ++i) {
      if (!(cpi->ref_frame_flags & ref_flag[i])) x->mp_row[i] = NULL;
    }
  }
  if (mp->provider->guide &&
      mp->provider->intra_row(mp->provider->priv, mb_row, &x->mp_intra)) {
    x->mp_intra = NULL;
  }
}

/* Record of the current macroblock and reference, or NULL. */
static const vp8e_mp_mb_t *current_mb(const MACROBLOCK *x) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const vp8e_mp_mb_t *mb = x->mp_row[xd->mode_info_context->mbmi.ref_frame];

  if (!mb) return NULL;
  mb += -xd->mb_to_left_edge >> (4 + 3);
  return (mb->flags & VP8E_MP_MB_NONE) ? NULL : mb;
}

/* The same of its smaller blocks. */
static const vp8e_mp_split_t *current_split(const MACROBLOCK *x,
                                            const vp8e_mp_mb_t *mb) {
  const int ref = x->e_mbd.mode_info_context->mbmi.ref_frame;

  if (!(mb->flags & VP8E_MP_MB_SPLIT) || !x->mp_split[ref]) return NULL;
  return x->mp_split[ref] + (mb - x->mp_row[ref]);
}

/* A provider's vector in libvpx's unit; 0 if it cannot be coded here. */
static int checked_mv(const MACROBLOCK *x, vp8e_mp_mv_t v, int_mv *ref_mv,
                      int_mv *mv) {
  const int row = v.row * 2, col = v.col * 2;

  /* A frame may be larger than what an int_mv reaches. */
  if (row != (int16_t)row || col != (int16_t)col || abs(row - ref_mv->as_mv.row) > VP8_MP_MAX_MV_DIFF ||
      abs(col - ref_mv->as_mv.col) > VP8_MP_MAX_MV_DIFF ||
      row < x->mv_row_min * 8 || row > x->mv_row_max * 8 ||
      col < x->mv_col_min * 8 || col > x->mv_col_max * 8) {
    return 0;
  }
  mv->as_mv.row = row;
  mv->as_mv.col = col;
  return 1;
}

/* The fractional searches take a whole-pixel vector in pixels. */
static void refine(VP8_COMP *cpi, MACROBLOCK *x, int block,
                   const vp8_variance_fn_ptr_t *fn, int_mv *ref_mv, int_mv *mv,
                   int *distortion, unsigned int *sse) {
  mv->as_mv.row >>= 3;
  mv->as_mv.col >>= 3;
  cpi->find_fractional_mv_step(x, &x->block[block], &x->e_mbd.block[block], mv,
                               ref_mv, x->errorperbit, fn, x->mvcost,
                               distortion, sse);
}

/* The block vectors of a macroblock are candidates for all of it: the provider
 * ranked them against a predicted vector, here the true one is known, and the
 * error is the one that the decision starts from. */
static void rank(MACROBLOCK *x, const vp8e_mp_mb_t *mb,
                 const vp8e_mp_split_t *split,
                 const vp8_variance_fn_ptr_t *fn, int_mv *ref_mv, int_mv *mv,
                 int *distortion, unsigned int *sse) {
  vp8e_mp_mv_t found[25];
  int best = INT_MAX;
  int i, j;

  found[0] = mb->mv;
  memcpy(found + 1, split->mv, sizeof(split->mv));
  for (i = 0; i < 25; ++i) {
    int_mv this_mv;
    unsigned int this_sse;
    int error, cost;

    for (j = 0; j < i; ++j) {
      if (found[j].row == found[i].row && found[j].col == found[i].col) break;
    }
    if (j < i || !checked_mv(x, found[i], ref_mv, &this_mv)) continue;
    error = vp8_get_inter_mbpred_error(x, fn, &this_sse, this_mv);
    cost = (x->mvcost[0][(this_mv.as_mv.row - ref_mv->as_mv.row) >> 1] +
            x->mvcost[1][(this_mv.as_mv.col - ref_mv->as_mv.col) >> 1]) *
               x->errorperbit + 128;
    cost = error + (cost >> 8);
    if (cost >= best) continue;
    best = cost;
    *mv = this_mv;
    *distortion = error;
    *sse = this_sse;
  }
}

int vp8_mp_new_mv(VP8_COMP *cpi, MACROBLOCK *x, int_mv *ref_mv, int_mv *mv,
                  int *distortion, unsigned int *sse) {
  const vp8e_mp_mb_t *const mb = current_mb(x);
  const vp8_variance_fn_ptr_t *const fn = &cpi->fn_ptr[BLOCK_16X16];
  const vp8e_mp_split_t *split;

  if (!mb || !checked_mv(x, mb->mv, ref_mv, mv)) return 0;
  if (mb->flags & VP8E_MP_MB_FULLPEL) {
    refine(cpi, x, 0, fn, ref_mv, mv, distortion, sse);
  } else if (cpi->sf.RD && (split = current_split(x, mb))) {
    rank(x, mb, split, fn, ref_mv, mv, distortion, sse);
  } else {
    *distortion = vp8_get_inter_mbpred_error(x, fn, sse, *mv);
  }
  return 1;
}

int vp8_mp_split_mv(VP8_COMP *cpi, MACROBLOCK *x, int segmentation, int label,
                    const vp8_variance_fn_ptr_t *fn, int_mv *ref_mv,
                    int_mv *mv) {
  const vp8e_mp_mb_t *const mb = current_mb(x);
  const vp8e_mp_split_t *const split = mb ? current_split(x, mb) : NULL;
  int distortion;
  unsigned int sse;

  if (!split || !checked_mv(x, split->mv[vp8_mp_first_block[segmentation] + label],
                            ref_mv, mv)) {
    return 0;
  }
  if (mb->flags & VP8E_MP_MB_FULLPEL) {
    refine(cpi, x, vp8_mbsplit_offset[segmentation][label], fn, ref_mv, mv,
           &distortion, &sse);
  }
  return 1;
}
