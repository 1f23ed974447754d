/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/provider/records.h"

#include <limits.h>
#include <string.h>

#include "vp8/encoder/mcomp.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/pickinter.h"

const int vp8_mp_first_block[4] = { 0, 2, 4, 8 };

static const int ref_flag[MAX_REF_FRAMES] = { 0, VP8_LAST_FRAME, VP8_GOLD_FRAME,
                                              VP8_ALTR_FRAME };

static int ref_buffer(const VP8_COMMON *cm, int ref) {
  switch (ref) {
    case LAST_FRAME: return cm->lst_fb_idx;
    case GOLDEN_FRAME: return cm->gld_fb_idx;
    default: return cm->alt_fb_idx;
  }
}

void vp8_mp_buffer_changed(VP8_COMP *cpi, int fb_idx) {
  cpi->mp.buffers.id[fb_idx] = ++cpi->mp.buffers.last_id;
}

void vp8_mp_buffers_changed(VP8_COMP *cpi) {
  int i;

  for (i = 0; i < NUM_YV12_BUFFERS; ++i) vp8_mp_buffer_changed(cpi, i);
}

void vp8_mp_attach(VP8_COMP *cpi, const vp8e_motion_provider_t *provider) {
  cpi->mp.provider = provider;
  vp8_mp_buffers_changed(cpi);
}

void vp8_mp_buffer_copied(VP8_COMP *cpi, int from, int to) {
  cpi->mp.buffers.id[to] = cpi->mp.buffers.id[from];
}

void vp8_mp_buffers_swapped(VP8_COMP *cpi, int a, int b) {
  uint64_t *const id = cpi->mp.buffers.id;
  const uint64_t was_a = id[a];

  id[a] = id[b];
  id[b] = was_a;
}

static void describe_buffer(const VP8_COMP *cpi, int fb_idx,
                            vp8e_mp_ref_t *ref) {
  const YV12_BUFFER_CONFIG *const fb = &cpi->common.yv12_fb[fb_idx];

  ref->id = cpi->mp.buffers.id[fb_idx];
  ref->y = fb->y_buffer;
  ref->stride = fb->y_stride;
  ref->width = fb->y_width;
  ref->height = fb->y_height;
  ref->border = fb->border;
  ref->searched = 0;
}

static void announce_buffer(VP8_COMP *cpi, int fb_idx) {
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  vp8_mp_buffers *const buffers = &cpi->mp.buffers;
  vp8e_mp_ref_t ref;

  if (buffers->ready_id[fb_idx] == buffers->id[fb_idx]) return;
  buffers->ready_id[fb_idx] = buffers->id[fb_idx];
  if (!provider->reference_ready) return;
  describe_buffer(cpi, fb_idx, &ref);
  provider->reference_ready(provider->priv, &ref, 0, ref.height);
}

void vp8_mp_announce_refs(VP8_COMP *cpi) {
  int i;

  for (i = LAST_FRAME; i < MAX_REF_FRAMES; ++i) {
    announce_buffer(cpi, ref_buffer(&cpi->common, i));
  }
}

void vp8_mp_describe_refs(VP8_COMP *cpi, int flags,
                          vp8e_mp_ref_t ref[MAX_REF_FRAMES]) {
  int i;

  cpi->mp.buffers.searched = flags;
  for (i = LAST_FRAME; i < MAX_REF_FRAMES; ++i) {
    const int fb_idx = ref_buffer(&cpi->common, i);

    if (!(flags & ref_flag[i])) continue;
    announce_buffer(cpi, fb_idx);
    describe_buffer(cpi, fb_idx, &ref[i]);
    ref[i].searched = 1;
  }
}

int vp8_mp_is_enabled(const VP8_COMP *cpi, int ref) {
  return (cpi->ref_frame_flags & ref_flag[ref]) != 0;
}

int vp8_mp_is_searched(const VP8_COMP *cpi, int ref) {
  return vp8_mp_is_enabled(cpi, ref) &&
         (cpi->mp.buffers.searched & ref_flag[ref]);
}

void vp8_mp_live_refs(const VP8_COMP *cpi, uint64_t live[MAX_REF_FRAMES]) {
  int i;

  live[INTRA_FRAME] = 0;
  for (i = LAST_FRAME; i < MAX_REF_FRAMES; ++i) {
    live[i] = cpi->mp.buffers.id[ref_buffer(&cpi->common, i)];
  }
}

void vp8_mp_fetch_row(VP8_COMP *cpi, MACROBLOCK *x, int mb_row) {
  const vp8_mp_state *const mp = &cpi->mp;
  int i;

  memset(x->mp_row, 0, sizeof(x->mp_row));
  memset(x->mp_split, 0, sizeof(x->mp_split));
  x->mp_intra = NULL;
  if (!mp->active || mp->whole.coded) return;
  if (cpi->common.frame_type != KEY_FRAME) {
    if (mp->provider->row(mp->provider->priv, mb_row, x->mp_row, x->mp_split)) {
      memset(x->mp_row, 0, sizeof(x->mp_row));
      return;
    }
    for (i = LAST_FRAME; i < MAX_REF_FRAMES; ++i) {
      if (!vp8_mp_is_searched(cpi, i)) x->mp_row[i] = NULL;
    }
  }
  if (mp->provider->guide &&
      mp->provider->intra_row(mp->provider->priv, mb_row, &x->mp_intra)) {
    x->mp_intra = NULL;
  }
}

const vp8e_mp_split_t *vp8_mp_split(const VP8_COMP *cpi, const MACROBLOCK *x,
                                    int ref) {
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  const int mb_col = vp8_mp_mb_col(x);
  const int flags = x->mp_row[ref] ? x->mp_row[ref][mb_col].flags : 0;

  if (!(flags & VP8E_MP_MB_SPLIT) || !x->mp_split[ref]) return NULL;
  if ((flags & VP8E_MP_MB_PENDING) &&
      (!provider->complete_split ||
       provider->complete_split(provider->priv, vp8_mp_mb_row(x), mb_col,
                                ref))) {
    return NULL;
  }
  return x->mp_split[ref] + mb_col;
}

const vp8e_mp_intra_t *vp8_mp_intra(const VP8_COMP *cpi, const MACROBLOCK *x,
                                    int parts) {
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  const int mb_col = vp8_mp_mb_col(x);

  if (!x->mp_intra) return NULL;
  if ((x->mp_intra[mb_col].pending & parts) &&
      (!provider->complete_intra ||
       provider->complete_intra(provider->priv, vp8_mp_mb_row(x), mb_col,
                                parts))) {
    return NULL;
  }
  return x->mp_intra + mb_col;
}

/* Record of the current macroblock for x's reference; NULL: none. */
static const vp8e_mp_mb_t *current_mb(const MACROBLOCK *x) {
  const MACROBLOCKD *const xd = &x->e_mbd;
  const vp8e_mp_mb_t *mb = x->mp_row[xd->mode_info_context->mbmi.ref_frame];

  if (!mb) return NULL;
  mb += vp8_mp_mb_col(x);
  return (mb->flags & VP8E_MP_MB_NONE) ? NULL : mb;
}

/* Set mv to a provider's vector, in libvpx's unit. Returns 0 if it cannot be
 * coded here. */
static int checked_mv(const MACROBLOCK *x, vp8e_mp_mv_t v, int_mv *ref_mv,
                      int_mv *mv) {
  const int row = v.row * 2, col = v.col * 2;

  /* A frame may be larger than int_mv can reach. */
  if (row != (int16_t)row || col != (int16_t)col ||
      !vp8_mp_mv_in(vp8_mp_mv_codable(x, ref_mv->as_mv, VP8_MP_MV_SEARCHED),
                    row, col)) {
    return 0;
  }
  mv->as_mv.row = row;
  mv->as_mv.col = col;
  return 1;
}

/* Refine a whole-pixel vector. libvpx's sub-pixel searches take it in pixels.
 */
static void refine(VP8_COMP *cpi, MACROBLOCK *x, int block,
                   const vp8_variance_fn_ptr_t *fn, int_mv *ref_mv, int_mv *mv,
                   int *distortion, unsigned int *sse) {
  mv->as_mv.row >>= 3;
  mv->as_mv.col >>= 3;
  cpi->find_fractional_mv_step(x, &x->block[block], &x->e_mbd.block[block], mv,
                               ref_mv, x->errorperbit, fn, x->mvcost,
                               distortion, sse);
}

/* Choose the vector of the whole macroblock among the vectors of all its
 * blocks. The provider ranked them by an estimate of the predicted vector. Here
 * the true one is known, and the error is the metric that mode decision uses.
 */
static void rank(MACROBLOCK *x, const vp8e_mp_mb_t *mb,
                 const vp8e_mp_split_t *split, const vp8_variance_fn_ptr_t *fn,
                 int_mv *ref_mv, int_mv *mv, int *distortion,
                 unsigned int *sse) {
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
               x->errorperbit +
           128;
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
  const int ref = x->e_mbd.mode_info_context->mbmi.ref_frame;
  const vp8e_mp_split_t *split;

  if (!mb || !checked_mv(x, mb->mv, ref_mv, mv)) return 0;
  if (mb->flags & VP8E_MP_MB_FULLPEL) {
    refine(cpi, x, 0, fn, ref_mv, mv, distortion, sse);
  } else if (cpi->sf.RD && (split = vp8_mp_split(cpi, x, ref))) {
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
  const int ref = x->e_mbd.mode_info_context->mbmi.ref_frame;
  const vp8e_mp_split_t *const split = mb ? vp8_mp_split(cpi, x, ref) : NULL;
  const int block = vp8_mp_first_block[segmentation] + label;
  int distortion;
  unsigned int sse;

  if (!split || !checked_mv(x, split->mv[block], ref_mv, mv)) {
    return 0;
  }
  if (mb->flags & VP8E_MP_MB_FULLPEL) {
    refine(cpi, x, vp8_mbsplit_offset[segmentation][label], fn, ref_mv, mv,
           &distortion, &sse);
  }
  return 1;
}
