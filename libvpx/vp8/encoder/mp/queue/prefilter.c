/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/queue/prefilter.h"

#include <string.h>

#include "vp8/encoder/mp/provider/features.h"
#include "./vp8_rtcd.h"
#include "./vpx_dsp_rtcd.h"
#include "vp8/common/quant_common.h"
#include "vp8/encoder/mcomp.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "vpx_ports/bitops.h"

/* Number of later frames with which a key frame is averaged. */
#define KEY_FRAMES 12
/* The same for golden frames. It is smaller, because golden frames are more
 * frequent, and the time grows with this number. With 4, 14 clips take 0.1 %
 * more bitrate, and film 2.4 % (doc/lab/0023). */
#define GOLDEN_FRAMES 6
/* Number of earlier frames, and of later ones, with which a hidden frame is
 * averaged. With 6, kitti takes 0.9 % more bitrate by SSIM (doc/lab/0023). */
#define HIDDEN_FRAMES 4
#define MOST_FRAMES VPXMAX(KEY_FRAMES, 2 * HIDDEN_FRAMES)
/* A quantizer hides a squared error per pixel up to step^2 / BLOCK_SHARE. A
 * block that differs by less than that has full weight, one that differs by
 * less than twice that has half of it. So low quantizers keep detail, and
 * noise. */
#define BLOCK_SHARE 150
/* A vector is used without a search if each block differs by less than
 * 1/GOOD_SHARE of that error: with 1/1, animation takes 12 % more bitrate, with
 * 1/2 7 %, and with 1/4 3 %, not 1.5 % (doc/lab/0023). */
#define GOOD_SHARE 8
/* Or by less than GOOD_EIGHTHS/8 of the error found in the frame before. */
#define GOOD_EIGHTHS 9
/* A pixel's weight falls with its difference, to 0 if 3 * difference^2 reaches
 * 16 << strength. 1 << strength is step^2 / PIXEL_SHARE, rounded down. */
#define PIXEL_SHARE 60
/* Upper bounds of the strength. With 5 for shown frames eight clips gain 8.7 %
 * of bitrate by the filter, not 9.3 %; with 7, foliage gains 2.7 % more, and
 * foreman 0.6 % less. With 6 for hidden frames, too, roofs under a panning
 * camera take 6 % more bitrate (doc/lab/0023). */
#define SHOWN_STRENGTH 6
#define HIDDEN_STRENGTH 4

/* Pixels that a vector may move a macroblock beyond the edge. Source frames are
 * extended by 16 luma and 8 chroma pixels, of which the sixtap filter reads up
 * to three. Chroma vectors are half as long and may reach 8 - 3, so luma
 * vectors may reach 16 - 5. */
#define BORDER (16 - 5)

/* Parameters of the frame that is filtered. */
typedef struct fs_frame {
  unsigned int
      tolerance; /* largest squared error of an 8x8 block with full weight */
  int strength;  /* for vp8_mp_queue_prefilter_add8x8() */
} fs_frame;

/* A macroblock of the frame: offsets of its luma and chroma pixels. */
typedef struct fs_mb {
  int y, uv;
} fs_mb;

/* Blocks of 8x8 pixels in a macroblock: four of luma, one of each chroma. */
enum { LUMA = 4, BLOCKS = 6 };

/* Sums over other frames, see vp8_mp_queue_prefilter_add8x8(). */
typedef struct fs_sums {
  DECLARE_ALIGNED(32, short, difference[BLOCKS][8 * 8]);
  DECLARE_ALIGNED(32, unsigned short, weight[BLOCKS][8 * 8]);
} fs_sums;

/* Match of a macroblock in another frame. */
typedef struct fs_match {
  DECLARE_ALIGNED(16, unsigned char, luma[LUMA][8 * 8]);
  unsigned int error[LUMA], worst; /* squared errors, and the largest one */
  int_mv mv;
} fs_match;

typedef struct fs_plane {
  unsigned char *pixels;
  int stride;
} fs_plane;

static fs_plane block_at(const YV12_BUFFER_CONFIG *frame, const fs_mb *mb,
                         int block) {
  fs_plane p;

  if (block < LUMA) {
    p.stride = frame->y_stride;
    p.pixels =
        frame->y_buffer + mb->y + 8 * (block >> 1) * p.stride + 8 * (block & 1);
  } else {
    p.stride = frame->uv_stride;
    p.pixels = (block == LUMA ? frame->u_buffer : frame->v_buffer) + mb->uv;
  }
  return p;
}

/* ---- kernels ------------------------------------------------------------- */

void vp8_mp_queue_prefilter_add8x8_c(const unsigned char *own, int stride,
                                     const unsigned char *other, int strength,
                                     int scale, short *difference,
                                     unsigned short *weight) {
  const int round = (1 << strength) >> 1;
  int i, j;

  for (i = 0; i < 8; ++i, own += stride) {
    for (j = 0; j < 8; ++j) {
      const int d = *other++ - own[j];
      const int w = scale * (16 - VPXMIN((3 * d * d + round) >> strength, 16));

      *difference++ += (short)(w * d);
      *weight++ += (unsigned short)w;
    }
  }
}

void vp8_mp_queue_prefilter_mean8x8_c(const unsigned char *own, int stride,
                                      const short *difference,
                                      const unsigned short *weight,
                                      unsigned char *to, int to_stride) {
  int i, j;

  for (i = 0; i < 8; ++i, own += stride, to += to_stride) {
    for (j = 0; j < 8; ++j) {
      const int all = VP8_MP_QUEUE_PREFILTER_OWN_WEIGHT + *weight++;

      to[j] = (unsigned char)((own[j] * all + *difference++ + all / 2) / all);
    }
  }
}

/* ---- motion -------------------------------------------------------------- */

/* Search the macroblock in another frame, starting from a vector. */
static int_mv find(VP8_COMP *cpi, YV12_BUFFER_CONFIG *frame, const fs_mb *mb,
                   int_mv start) {
  MACROBLOCK *const x = &cpi->mb;
  MACROBLOCKD *const xd = &x->e_mbd;
  BLOCK *const b = &x->block[0];
  BLOCKD *const d = &xd->block[0];
  unsigned char **const base_src = b->base_src;
  unsigned char *const base_pre = xd->pre.y_buffer;
  const int src = b->src, src_stride = b->src_stride;
  const int pre_stride = xd->pre.y_stride, offset = d->offset;
  int_mv center, found;
  int distortion;
  unsigned int sse;

  center.as_int = 0;
  start.as_mv.row = clamp(start.as_mv.row >> 3, x->mv_row_min, x->mv_row_max);
  start.as_mv.col = clamp(start.as_mv.col >> 3, x->mv_col_min, x->mv_col_max);
  b->base_src = &cpi->Source->y_buffer;
  b->src = mb->y;
  b->src_stride = cpi->Source->y_stride;
  xd->pre.y_buffer = frame->y_buffer;
  xd->pre.y_stride = frame->y_stride;
  d->offset = mb->y;
  /* Without cost arrays, vectors have no rate. */
  vp8_hex_search(x, b, d, &start, &found, cpi->sf.first_step, x->sadperbit16,
                 &cpi->fn_ptr[BLOCK_16X16], NULL, &center);
  vp8_find_best_sub_pixel_step(x, b, d, &found, &center, x->errorperbit,
                               &cpi->fn_ptr[BLOCK_16X16], NULL, &distortion,
                               &sse);
  b->base_src = base_src;
  b->src = src;
  b->src_stride = src_stride;
  xd->pre.y_buffer = base_pre;
  xd->pre.y_stride = pre_stride;
  d->offset = offset;
  return found;
}

static void predict(fs_plane from, int_mv mv, unsigned char *to) {
  from.pixels += (mv.as_mv.row >> 3) * from.stride + (mv.as_mv.col >> 3);
  if ((mv.as_mv.row | mv.as_mv.col) & 7) {
    vp8_mp_recon_sixtap8x8(from.pixels, from.stride, mv.as_mv.col & 7,
                           mv.as_mv.row & 7, to, 8);
  } else {
    vp8_copy_mem8x8(from.pixels, from.stride, to, 8);
  }
}

static void compare(const VP8_COMP *cpi, const YV12_BUFFER_CONFIG *frame,
                    const fs_mb *mb, int_mv mv, fs_match *match) {
  int i;

  match->mv = mv;
  match->worst = 0;
  for (i = 0; i < LUMA; ++i) {
    const fs_plane own = block_at(cpi->Source, mb, i);

    predict(block_at(frame, mb, i), mv, match->luma[i]);
    vpx_variance8x8(own.pixels, own.stride, match->luma[i], 8,
                    &match->error[i]);
    match->worst = VPXMAX(match->worst, match->error[i]);
  }
}

/* Find the match of a macroblock in another frame: at the extrapolated vector,
 * at the left macroblock's vector or, if neither is good, by a search from the
 * better one. */
static void match_mb(VP8_COMP *cpi, YV12_BUFFER_CONFIG *frame, const fs_mb *mb,
                     int_mv next, int_mv left, unsigned int good,
                     fs_match *match) {
  compare(cpi, frame, mb, next, match);
  if (match->worst >= good && left.as_int != next.as_int) {
    fs_match other;

    compare(cpi, frame, mb, left, &other);
    if (other.worst < match->worst) *match = other;
  }
  if (match->worst >= good) {
    compare(cpi, frame, mb, find(cpi, frame, mb, match->mv), match);
  }
}

/* Clamp a vector to the range of the search. */
static int_mv inside(const MACROBLOCK *x, int row, int col) {
  int_mv mv;

  mv.as_mv.row = (short)clamp(row, x->mv_row_min * 8, x->mv_row_max * 8);
  mv.as_mv.col = (short)clamp(col, x->mv_col_min * 8, x->mv_col_max * 8);
  return mv;
}

/* ---- the filter ---------------------------------------------------------- */

static fs_frame kept_by(const VP8_COMP *cpi) {
  const int step = vp8_ac_yquant(cpi->active_worst_quality);
  const int most = cpi->common.show_frame ? SHOWN_STRENGTH : HIDDEN_STRENGTH;
  fs_frame kept;

  kept.tolerance = 8 * 8 * step * step / BLOCK_SHARE;
  kept.strength =
      VPXMIN(get_msb((unsigned int)VPXMAX(step * step / PIXEL_SHARE, 1)), most);
  return kept;
}

/* Add the match in another frame to the sums. Returns the sum of the scales of
 * its luma blocks; 0: none was good enough. */
static int add(const VP8_COMP *cpi, const fs_frame *kept,
               const YV12_BUFFER_CONFIG *frame, const fs_mb *mb,
               const fs_match *match, fs_sums *sums) {
  DECLARE_ALIGNED(16, unsigned char, chroma[8 * 8]);
  int_mv mv;
  int scales = 0, i;

  for (i = 0; i < BLOCKS; ++i) {
    const fs_plane own = block_at(cpi->Source, mb, i);
    const unsigned char *other = chroma;
    int scale;

    if (i < LUMA) {
      scale = match->error[i] < kept->tolerance       ? 2
              : match->error[i] < 2 * kept->tolerance ? 1
                                                      : 0;
      scales += scale;
      other = match->luma[i];
    } else {
      scale = (scales + 1) / LUMA;
    }
    if (!scale) continue;
    if (i >= LUMA) {
      /* Half the luma vector, as in libvpx's filter of alt-ref frames. */
      mv.as_mv.row = match->mv.as_mv.row >> 1;
      mv.as_mv.col = match->mv.as_mv.col >> 1;
      predict(block_at(frame, mb, i), mv, chroma);
    }
    vp8_mp_queue_prefilter_add8x8(own.pixels, own.stride, other, kept->strength,
                                  scale, sums->difference[i], sums->weight[i]);
  }
  return scales;
}

/* Add frames[from] to frames[to - 1], which are on one side of the frame,
 * nearest first. *first: vector to the first of them, input and output. left[]:
 * vectors of the left macroblock on input, of this macroblock on output. */
static void add_side(VP8_COMP *cpi, const fs_frame *kept, const fs_mb *mb,
                     int from, int to, int_mv *first, int_mv *left,
                     fs_sums *sums) {
  const unsigned int good = kept->tolerance / GOOD_SHARE;
  int_mv before, next = *first;
  unsigned int found = 0;
  int i;

  before.as_int = 0;
  for (i = from; i < to; ++i) {
    fs_match match;

    match_mb(cpi, cpi->frames[i], mb, next,
             inside(&cpi->mb, left[i].as_mv.row, left[i].as_mv.col),
             VPXMAX(good, found), &match);
    found = VPXMIN(match.worst / 8 * GOOD_EIGHTHS, kept->tolerance);
    left[i] = match.mv;
    if (i == from) *first = match.mv;
    /* A macroblock that is not found is not looked for farther away. */
    if (!add(cpi, kept, cpi->frames[i], mb, &match, sums)) return;
    /* Extrapolate the motion. */
    next = inside(&cpi->mb, 2 * match.mv.as_mv.row - before.as_mv.row,
                  2 * match.mv.as_mv.col - before.as_mv.col);
    before = match.mv;
  }
}

/* Filter a macroblock by frames[1] to frames[n], of which the first `behind`
 * are later than the frame, and the others earlier. */
static void filter_mb(VP8_COMP *cpi, const fs_frame *kept, const fs_mb *mb,
                      int behind, int n, int_mv *left) {
  fs_sums sums;
  int_mv mv = inside(&cpi->mb, left[1].as_mv.row, left[1].as_mv.col);
  int i;

  memset(&sums, 0, sizeof(sums));
  if (behind) {
    add_side(cpi, kept, mb, 1, behind + 1, &mv, left, &sums);
    mv = inside(&cpi->mb, -mv.as_mv.row, -mv.as_mv.col);
  }
  add_side(cpi, kept, mb, behind + 1, n + 1, &mv, left, &sums);
  for (i = 0; i < BLOCKS; ++i) {
    const fs_plane own = block_at(cpi->Source, mb, i);
    const fs_plane to = block_at(&cpi->alt_ref_buffer, mb, i);

    vp8_mp_queue_prefilter_mean8x8(own.pixels, own.stride, sums.difference[i],
                                   sums.weight[i], to.pixels, to.stride);
  }
}

static void filter(VP8_COMP *cpi, int behind, int n) {
  const VP8_COMMON *const cm = &cpi->common;
  MACROBLOCK *const x = &cpi->mb;
  const fs_frame kept = kept_by(cpi);
  int row, col;

  for (row = 0; row < cm->mb_rows; ++row) {
    int_mv left[1 + MOST_FRAMES];

    memset(left, 0, sizeof(left));
    x->mv_row_min = -(row * 16 + BORDER);
    x->mv_row_max = (cm->mb_rows - 1 - row) * 16 + BORDER;
    for (col = 0; col < cm->mb_cols; ++col) {
      fs_mb mb;

      x->mv_col_min = -(col * 16 + BORDER);
      x->mv_col_max = (cm->mb_cols - 1 - col) * 16 + BORDER;
      mb.y = 16 * (row * cpi->Source->y_stride + col);
      mb.uv = 8 * (row * cpi->Source->uv_stride + col);
      filter_mb(cpi, &kept, &mb, behind, n, left);
    }
  }
}

/* ---- the frame ----------------------------------------------------------- */

/* Frames of the queue that are averaged into the current one, on each side. A
 * key frame loses detail with each, and only the frames before the next key
 * frame gain by it. */
static int frames_wanted(const VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  if (!(vp8_mp_features(cpi) & VP8_MP_PREFILTER)) return 0;
  if (!cm->show_frame) return HIDDEN_FRAMES;
  if (cm->frame_type == KEY_FRAME) {
    return clamp(cpi->twopass.frames_to_key, 0, KEY_FRAMES);
  }
  return cm->refresh_golden_frame ? GOLDEN_FRAMES : 0;
}

/* Add up to `most` frames of the queue to cpi->frames[], after n others: entry
 * `from`, then in steps of 1 or -1. Returns the number of frames added. */
static int take(VP8_COMP *cpi, int from, int step, int most, int n) {
  const int depth = (int)vp8_lookahead_depth(cpi->lookahead);
  int i;

  for (i = 0; i < most && from >= 0 && from < depth; ++i, from += step) {
    struct lookahead_entry *const entry =
        vp8_lookahead_peek(cpi->lookahead, from, PEEK_FORWARD);

    cpi->frames[1 + n + i] = &entry->img;
  }
  return i;
}

void vp8_mp_queue_prefilter_frame_begin(VP8_COMP *cpi) {
  const int wanted = frames_wanted(cpi);
  /* Index in the queue; a shown frame has left the queue. */
  const int at = cpi->common.show_frame ? -1 : cpi->frames_till_alt_ref_frame;
  int behind, n;

  cpi->mp.prefilter.original = NULL;
  behind = take(cpi, at + 1, 1, wanted, 0);
  n = behind + take(cpi, at - 1, -1, wanted, behind);
  if (!n) return;
  filter(cpi, behind, n);
  cpi->mp.prefilter.original = cpi->Source;
  cpi->Source = &cpi->alt_ref_buffer;
}

void vp8_mp_queue_prefilter_frame_end(VP8_COMP *cpi) {
  vp8_mp_queue_prefilter_state *const fs = &cpi->mp.prefilter;

  if (fs->original) cpi->Source = fs->original;
  fs->original = NULL;
}
