/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/queue/pass1.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "./vp8_rtcd.h"
#include "./vpx_dsp_rtcd.h"
#include "vp8/common/findnearmv.h"
#include "vp8/encoder/mcomp.h"
#include "vp8/encoder/onyx_int.h"

/* The stock search makes up to five runs from the same vector, with first steps
 * of 16, 8, 4, 2 and 1 pixels. Each run moves to the best of eight sites one
 * step away if its SAD is lower, then halves the step, down to one pixel. The
 * run that ends with the lowest squared error + rate wins, the earlier one of
 * equals. */
#define RUNS 5
#define FIRST_STEP 16
#define SITES 8

/* Constant that the first pass adds to the cost of each vector. */
#define VECTOR_PENALTY 256

/* Sites in libvpx's order, which decides between equals. */
static const signed char site_row[SITES] = { -1, 1, 0, 0, -1, -1, 1, 1 };
static const signed char site_col[SITES] = { 0, 0, -1, 1, -1, 1, -1, 1 };

typedef struct {
  const MACROBLOCK *x;
  const uint8_t *pre; /* reference at the zero vector */
  int stride;
} block_t;

typedef struct {
  int row, col;
  unsigned int sad;
} point_t;

static unsigned int least(const unsigned int sad[SITES]) {
  unsigned int best = UINT_MAX;
  int i;

  for (i = 0; i < SITES; ++i) {
    const unsigned int key = sad[i] * SITES + i;

    best = key < best ? key : best;
  }
  return best;
}

static const uint8_t *pixels(const block_t *b, int row, int col) {
  return b->pre + row * b->stride + col;
}

unsigned int vp8_mp_queue_pass1_best_site_c(const unsigned char *src,
                                            const unsigned char *at, int stride,
                                            int step) {
  const ptrdiff_t down = (ptrdiff_t)step * stride;
  const unsigned char *const straight[4] = { at - down, at + down, at - step,
                                             at + step };
  const unsigned char *const oblique[4] = { at - down - step, at - down + step,
                                            at + down - step,
                                            at + down + step };
  unsigned int sad[SITES];

  vpx_sad16x16x4d(src, 16, straight, stride, sad);
  vpx_sad16x16x4d(src, 16, oblique, stride, sad + 4);
  return least(sad);
}

/* best_site() if some sites are outside of the legal range. */
static unsigned int best_legal_site(const block_t *b, const point_t *p,
                                    int step) {
  const MACROBLOCK *const x = b->x;
  unsigned int sad[SITES];
  int i;

  for (i = 0; i < SITES; ++i) {
    const int row = p->row + site_row[i] * step;
    const int col = p->col + site_col[i] * step;

    sad[i] = row > x->mv_row_min && row < x->mv_row_max &&
                     col > x->mv_col_min && col < x->mv_col_max
                 ? vpx_sad16x16(x->thismb, 16, pixels(b, row, col), b->stride)
                 : UINT_MAX / SITES;
  }
  return least(sad);
}

static unsigned int best_site(const block_t *b, const point_t *p, int step) {
  const MACROBLOCK *const x = b->x;

  if (p->row - step > x->mv_row_min && p->row + step < x->mv_row_max &&
      p->col - step > x->mv_col_min && p->col + step < x->mv_col_max) {
    return vp8_mp_queue_pass1_best_site(x->thismb, pixels(b, p->row, p->col),
                                        b->stride, step);
  }
  return best_legal_site(b, p, step);
}

/* Make one step. Returns whether the point moved. */
static int go(const block_t *b, point_t *p, int step) {
  const unsigned int best = best_site(b, p, step);

  if (best / SITES >= p->sad) return 0;
  p->row += site_row[best % SITES] * step;
  p->col += site_col[best % SITES] * step;
  p->sad = best / SITES;
  return 1;
}

/* Append a point unless it is in the list. Returns the number of points. */
static int add(point_t *points, int n, const point_t *p) {
  int i;

  for (i = 0; i < n; ++i) {
    if (points[i].row == p->row && points[i].col == p->col) return n;
  }
  points[n] = *p;
  return n + 1;
}

/* Rate as in the stock search: a negative difference counts as zero. */
static int mv_cost(const MACROBLOCK *x, const point_t *p,
                   const int_mv *ref_mv) {
  const int row = (p->row * 8 - ref_mv->as_mv.row) >> 1;
  const int col = (p->col * 8 - ref_mv->as_mv.col) >> 1;

  return ((x->mvcost[0][row > 0 ? row : 0] + x->mvcost[1][col > 0 ? col : 0]) *
              x->errorperbit +
          128) >>
         8;
}

/* Replace the best vector if this one has less error. Returns whether it has.
 */
static int judge(const block_t *b, const point_t *p, const int_mv *ref_mv,
                 MV *best_mv, int *best_err) {
  const int cost = mv_cost(b->x, p, ref_mv) + VECTOR_PENALTY;
  unsigned int sse;

  /* The squared error is at least SAD^2 / 256. */
  if (cost >= *best_err ||
      (uint64_t)p->sad * p->sad >= (uint64_t)(*best_err - cost) << 8) {
    return 0;
  }
  vpx_mse16x16(b->x->thismb, 16, pixels(b, p->row, p->col), b->stride, &sse);
  if ((int)sse + cost >= *best_err) return 0;
  *best_err = (int)sse + cost;
  best_mv->row = p->row;
  best_mv->col = p->col;
  return 1;
}

int vp8_mp_queue_pass1_search(const VP8_COMP *cpi, MACROBLOCK *x,
                              const YV12_BUFFER_CONFIG *ref,
                              const int_mv *ref_mv, MV *best_mv,
                              int *best_err) {
  const int is_golden = ref == &cpi->common.yv12_fb[cpi->common.gld_fb_idx];
  const block_t b = { x, x->e_mbd.pre.y_buffer, x->e_mbd.pre.y_stride };
  point_t centre, p;
  point_t left[RUNS]; /* runs that left the centre, in order */
  int_mv mv;
  int step, i, nb_left = 0;

  /* Only for runs that compare SAD without rate, as those of the first pass do.
   */
  if (!cpi->mp.provider || x->sadperbit16 || x->searches_per_step != SITES) {
    return 0;
  }
  if (*best_err <= VECTOR_PENALTY) return 1;

  mv.as_mv.row = ref_mv->as_mv.row >> 3;
  mv.as_mv.col = ref_mv->as_mv.col >> 3;
  vp8_clamp_mv(&mv, x->mv_col_min, x->mv_col_max, x->mv_row_min, x->mv_row_max);
  centre.row = mv.as_mv.row;
  centre.col = mv.as_mv.col;
  centre.sad =
      vpx_sad16x16(x->thismb, 16, pixels(&b, centre.row, centre.col), b.stride);

  /* Advance all runs together, so that they are independent in the pipeline.
   * Runs that meet are merged. A run that stays at the centre with its first
   * step becomes equal to the next run, so that only one run is at the centre.
   */
  for (step = FIRST_STEP; step; step >>= 1) {
    const int n = nb_left;

    nb_left = 0;
    for (i = 0; i < n; ++i) {
      p = left[i];
      go(&b, &p, step);
      nb_left = add(left, nb_left, &p);
    }
    p = centre;
    if (go(&b, &p, step) || step == 1) nb_left = add(left, nb_left, &p);
  }
  for (i = 0; i < nb_left; ++i) {
    if (judge(&b, &left[i], ref_mv, best_mv, best_err) && is_golden) break;
  }
  return 1;
}

/* Weight of a pixel: DARK up to this value, then (value - DARK_MAX) / DARK_MAX,
 * at most 1. */
#define DARK_MAX 32
#define DARK 0.02

static double add_row(const uint8_t *src, int width, double sum) {
  int i;

  for (i = 0; i < width; ++i) {
    if (src[i] <= DARK_MAX) {
      sum += DARK;
    } else {
      sum += (src[i] < 2 * DARK_MAX ? src[i] - DARK_MAX : DARK_MAX) /
             (double)DARK_MAX;
    }
  }
  return sum;
}

static int exponent(double x) {
  int e;

  frexp(x, &e);
  return e;
}

double vp8_mp_queue_pass1_weight(const YV12_BUFFER_CONFIG *source) {
  const uint8_t *src = source->y_buffer;
  double sum = 0.0;
  int row;

  for (row = 0; row < source->y_height; ++row, src += source->y_stride) {
    double next, dark;
    int dark_pixels = 0, other = 0, i = 0;

    while (i < source->y_width) {
      /* Few enough pixels for 16-bit sums, of which a vector register holds
       * more.
       */
      const int end = VPXMIN(i + 1024, source->y_width);
      uint16_t n = 0, units = 0;

      for (; i < end; ++i) {
        const uint8_t bright = src[i] < DARK_MAX ? DARK_MAX : src[i];

        n += src[i] <= DARK_MAX;
        units += (bright < 2 * DARK_MAX ? bright : 2 * DARK_MAX) - DARK_MAX;
      }
      dark_pixels += n;
      other += units;
    }
    /* While the exponent of sum is constant, each dark pixel adds the same
     * multiple of the unit in the last place of sum (ties would need a sum
     * below 1), and all other pixels add exact multiples of it. So the order of
     * the additions does not matter, and one multiplication has the same
     * result. */
    dark = (sum + DARK) - sum;
    next = sum + dark * dark_pixels + other / (double)DARK_MAX;
    if (FLT_EVAL_METHOD == 0 && sum >= 1.0 && exponent(next) == exponent(sum)) {
      sum = next;
    } else {
      sum = add_row(src, source->y_width, sum);
    }
  }
  return sum / (source->y_height * source->y_width);
}

/* Whether two planes have the same size and stride, so that one offset fits
 * both.
 */
static int same_layout(const YV12_BUFFER_CONFIG *a,
                       const YV12_BUFFER_CONFIG *b) {
  return a->y_width == b->y_width && a->y_height == b->y_height &&
         a->y_stride == b->y_stride;
}

static int copy_quantizer(const MACROBLOCK *x, int block,
                          vp8e_mp_quantizer_t *q) {
  const BLOCK *const b = &x->block[block];
  const short *const dequant = x->e_mbd.block[block].dequant;
  int i;

  for (i = 0; i < 2; ++i) {
    q->round[i] = b->round[i];
    q->quant[i] = b->quant_fast[i];
    q->dequant[i] = dequant[i];
  }
  for (; i < 16; ++i) {
    if (b->round[i] != q->round[1] || b->quant_fast[i] != q->quant[1] ||
        dequant[i] != q->dequant[1]) {
      return 0;
    }
  }
  return 1;
}

/* Whether the encoder's transforms, quantizers, search and planes are those
 * that vp8e_mp_first_pass_t can describe. Sets the frame's quantizers. */
static int is_exact(const VP8_COMP *cpi, vp8e_mp_first_pass_t *frame) {
  const VP8_COMMON *const cm = &cpi->common;
  const MACROBLOCK *const x = &cpi->mb;
  const YV12_BUFFER_CONFIG *const last = &cm->yv12_fb[cm->lst_fb_idx];
  int i;

  if (cm->new_fb_idx == cm->lst_fb_idx || cm->new_fb_idx == cm->gld_fb_idx ||
      cm->lst_fb_idx == cm->gld_fb_idx || last->y_width != cm->mb_cols * 16 ||
      last->y_height != cm->mb_rows * 16 || !same_layout(last, cpi->Source) ||
      !same_layout(last, &cm->yv12_fb[cm->new_fb_idx]) ||
      !same_layout(last, &cm->yv12_fb[cm->gld_fb_idx]) ||
      (frame->breakout &&
       !same_layout(last, cpi->last_frame_unscaled_source))) {
    return 0;
  }
  if (x->sadperbit16 || x->searches_per_step != SITES || x->mv_cost_min ||
      x->optimize || x->quantize_b != vp8_fast_quantize_b ||
      x->short_fdct4x4 != vp8_short_fdct4x4 ||
      x->short_fdct8x4 != vp8_short_fdct8x4 ||
      x->short_walsh4x4 != vp8_short_walsh4x4) {
    return 0;
  }
  for (i = 1; i < 16; ++i) {
    if (x->block[i].round != x->block[0].round ||
        x->block[i].quant_fast != x->block[0].quant_fast ||
        x->e_mbd.block[i].dequant != x->e_mbd.block[0].dequant) {
      return 0;
    }
  }
  return copy_quantizer(x, 0, &frame->y1) && copy_quantizer(x, 24, &frame->y2);
}

static void describe(const VP8_COMP *cpi, int fb_idx, vp8e_mp_plane_t *plane) {
  plane->y = cpi->common.yv12_fb[fb_idx].y_buffer;
  plane->stride = cpi->common.yv12_fb[fb_idx].y_stride;
  plane->id = cpi->mp.buffers.id[fb_idx];
}

int vp8_mp_queue_pass1_frame(VP8_COMP *cpi,
                             vp8e_mp_first_pass_counts_t *counts) {
  const vp8e_motion_provider_t *const provider = cpi->mp.provider;
  const VP8_COMMON *const cm = &cpi->common;
  vp8e_mp_first_pass_t frame;
  int i;

  if (!provider) return 0;
  vp8_mp_buffer_changed(cpi, cm->new_fb_idx);
  if (!provider->first_pass) return 0;

  memset(&frame, 0, sizeof(frame));
  if (cm->current_video_frame > 0) {
    frame.breakout = VPXMAX(cpi->oxcf.encode_breakout, 0);
  }
  if (!is_exact(cpi, &frame)) return 0;
  frame.mb_rows = cm->mb_rows;
  frame.mb_cols = cm->mb_cols;
  frame.source.y = cpi->Source->y_buffer;
  frame.source.stride = cpi->Source->y_stride;
  if (frame.breakout) {
    frame.last_source.y = cpi->last_frame_unscaled_source->y_buffer;
    frame.last_source.stride = cpi->last_frame_unscaled_source->y_stride;
  }
  if (cm->current_video_frame > 0) describe(cpi, cm->lst_fb_idx, &frame.last);
  if (cm->current_video_frame > 1) describe(cpi, cm->gld_fb_idx, &frame.golden);
  frame.recon = cm->yv12_fb[cm->new_fb_idx].y_buffer;
  frame.recon_stride = cm->yv12_fb[cm->new_fb_idx].y_stride;
  frame.recon_id = cpi->mp.buffers.id[cm->new_fb_idx];
  for (i = 0; i < 64; ++i) {
    /* Vectors are in 1/8 pixel, and the tables are indexed in 1/4 pixel. */
    frame.mv_cost[0][i] = cpi->mb.mvcost[0][4 * i];
    frame.mv_cost[1][i] = cpi->mb.mvcost[1][4 * i];
  }
  frame.error_per_bit = cpi->mb.errorperbit;

  if (provider->first_pass(provider->priv, &frame, counts) == 0) return 1;
  /* libvpx codes the frame itself: this is other content than the provider was
   * told of. */
  vp8_mp_buffer_changed(cpi, cm->new_fb_idx);
  return 0;
}
