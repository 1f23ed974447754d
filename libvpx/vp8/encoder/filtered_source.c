/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/filtered_source.h"

#include "./vp8_rtcd.h"
#include "./vpx_dsp_rtcd.h"
#include "vp8/common/quant_common.h"
#include "vp8/encoder/mcomp.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "vpx_ports/bitops.h"

/* Frames behind a key frame that it is made of. */
#define KEY_FRAMES 12
/* Golden frames are more, and each takes the time of so many searches. */
#define GOLDEN_FRAMES 6
/* Frames before a hidden one, and as many behind it. */
#define HIDDEN_FRAMES 4
/* What a quantizer of this step hides: of a block's squared error by pixel, the
 * squared step divided by this. A block that differs by less counts in full, one
 * of less than twice as much half. Low quantizers keep detail, and noise. */
#define BLOCK_SHARE 150
/* A pixel counts the less the more it differs, and nothing if three times the
 * square is this share of the squared step, times 16, */
#define PIXEL_SHARE 60
/* but no more than at these of libvpx's strengths: with 6 for hidden frames too,
 * roofs under a camera that pans take 6 % more. */
#define SHOWN_STRENGTH 6
#define HIDDEN_STRENGTH 4

/* Vectors end so many pixels outside: frames are extended by 16, of which the
 * sixtap filter reads three, and chroma has half. */
#define BORDER (16 - 5)

/* What the frame that is filtered keeps. */
typedef struct fs_frame {
  unsigned int tolerance; /* squared error of an 8x8 block that counts in full */
  int strength;           /* of vp8_temporal_filter_apply() */
} fs_frame;

/* A macroblock in it: offsets of its pixels. */
typedef struct fs_mb {
  int y, uv;
} fs_mb;

/* Its blocks of 8x8: four of luma, one of each chroma. */
enum { LUMA = 4, BLOCKS = 6 };

typedef struct fs_sums {
  DECLARE_ALIGNED(16, unsigned int, total[BLOCKS][8 * 8]);
  DECLARE_ALIGNED(16, unsigned short, count[BLOCKS][8 * 8]);
} fs_sums;

typedef struct fs_plane {
  unsigned char *pixels;
  int stride;
} fs_plane;

static fs_plane block_at(const YV12_BUFFER_CONFIG *frame, const fs_mb *mb,
                         int block) {
  fs_plane p;

  if (block < LUMA) {
    p.stride = frame->y_stride;
    p.pixels = frame->y_buffer + mb->y + 8 * (block >> 1) * p.stride +
               8 * (block & 1);
  } else {
    p.stride = frame->uv_stride;
    p.pixels = (block == LUMA ? frame->u_buffer : frame->v_buffer) + mb->uv;
  }
  return p;
}

/* ---- motion -------------------------------------------------------------- */

/* Find the macroblock in another frame, from a vector on. */
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
  start.as_mv.row =
      clamp(start.as_mv.row >> 3, x->mv_row_min, x->mv_row_max);
  start.as_mv.col =
      clamp(start.as_mv.col >> 3, x->mv_col_min, x->mv_col_max);
  b->base_src = &cpi->Source->y_buffer;
  b->src = mb->y;
  b->src_stride = cpi->Source->y_stride;
  xd->pre.y_buffer = frame->y_buffer;
  xd->pre.y_stride = frame->y_stride;
  d->offset = mb->y;
  /* without cost arrays vectors cost nothing */
  vp8_hex_search(x, b, d, &start, &found, cpi->sf.first_step, x->sadperbit16,
                 &cpi->fn_ptr[BLOCK_16X16], NULL, &center);
  cpi->find_fractional_mv_step(x, b, d, &found, &center, x->errorperbit,
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

static void predict(const MACROBLOCKD *xd, fs_plane from, int_mv mv,
                    unsigned char *to) {
  from.pixels += (mv.as_mv.row >> 3) * from.stride + (mv.as_mv.col >> 3);
  if ((mv.as_mv.row | mv.as_mv.col) & 7) {
    xd->subpixel_predict8x8(from.pixels, from.stride, mv.as_mv.col & 7,
                            mv.as_mv.row & 7, to, 8);
  } else {
    vp8_copy_mem8x8(from.pixels, from.stride, to, 8);
  }
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

/* The frame's own pixels count as those of a block that is the same. */
static void begin(fs_plane own, unsigned int *total, unsigned short *count) {
  int i, j;

  for (i = 0; i < 8; ++i, own.pixels += own.stride) {
    for (j = 0; j < 8; ++j) {
      *total++ = 32 * own.pixels[j];
      *count++ = 32;
    }
  }
}

/* Add what another frame has of it. */
static void add(const VP8_COMP *cpi, const fs_frame *kept,
                YV12_BUFFER_CONFIG *frame, const fs_mb *mb, int_mv mv,
                fs_sums *sums) {
  const MACROBLOCKD *const xd = &cpi->mb.e_mbd;
  DECLARE_ALIGNED(16, unsigned char, pixels[8 * 8]);
  int weights = 0, i;

  for (i = 0; i < BLOCKS; ++i) {
    const fs_plane own = block_at(cpi->Source, mb, i);
    int weight;

    if (i == LUMA) {
      /* half the vector, as libvpx filters alt-ref frames */
      mv.as_mv.row >>= 1;
      mv.as_mv.col >>= 1;
    }
    if (i >= LUMA && weights < 2) break;
    predict(xd, block_at(frame, mb, i), mv, pixels);
    if (i < LUMA) {
      unsigned int sse;

      vpx_variance8x8(own.pixels, own.stride, pixels, 8, &sse);
      weight = sse < kept->tolerance       ? 2
               : sse < 2 * kept->tolerance ? 1
                                                         : 0;
      weights += weight;
    } else {
      weight = (weights + 1) / LUMA;
    }
    if (!weight) continue;
    vp8_temporal_filter_apply(own.pixels, own.stride, pixels, 8,
                              kept->strength, weight, sums->total[i],
                              sums->count[i]);
  }
}

static void end(const VP8_COMP *cpi, const unsigned int *total,
                const unsigned short *count, fs_plane to) {
  int i, j;

  for (i = 0; i < 8; ++i, to.pixels += to.stride) {
    for (j = 0; j < 8; ++j, ++total, ++count) {
      to.pixels[j] =
          (unsigned char)((*total + *count / 2) * cpi->fixed_divide[*count] >>
                          19);
    }
  }
}

/* Filter the macroblock by frames[1] to frames[n], of which as many as are
 * behind it come first. */
static void filter_mb(VP8_COMP *cpi, const fs_frame *kept, const fs_mb *mb,
                      int behind, int n) {
  fs_sums sums;
  int_mv mv;
  int i;

  for (i = 0; i < BLOCKS; ++i) {
    begin(block_at(cpi->Source, mb, i), sums.total[i], sums.count[i]);
  }
  for (i = 1; i <= n; ++i) {
    /* What moves goes on as it did. */
    if (i == 1 || i == behind + 1) mv.as_int = 0;
    mv = find(cpi, cpi->frames[i], mb, mv);
    add(cpi, kept, cpi->frames[i], mb, mv, &sums);
  }
  for (i = 0; i < BLOCKS; ++i) {
    end(cpi, sums.total[i], sums.count[i],
        block_at(&cpi->alt_ref_buffer, mb, i));
  }
}

static void filter(VP8_COMP *cpi, int behind, int n) {
  const VP8_COMMON *const cm = &cpi->common;
  MACROBLOCK *const x = &cpi->mb;
  const fs_frame kept = kept_by(cpi);
  int row, col;

  for (row = 0; row < cm->mb_rows; ++row) {
    x->mv_row_min = -(row * 16 + BORDER);
    x->mv_row_max = (cm->mb_rows - 1 - row) * 16 + BORDER;
    for (col = 0; col < cm->mb_cols; ++col) {
      fs_mb mb;

      x->mv_col_min = -(col * 16 + BORDER);
      x->mv_col_max = (cm->mb_cols - 1 - col) * 16 + BORDER;
      mb.y = 16 * (row * cpi->Source->y_stride + col);
      mb.uv = 8 * (row * cpi->Source->uv_stride + col);
      filter_mb(cpi, &kept, &mb, behind, n);
    }
  }
}

/* ---- the frame ----------------------------------------------------------- */

/* Frames that the current one is made of besides, on one side. An alt-ref that
 * is shown was filtered when it was hidden. */
static int frames_wanted(const VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  const int kind =
      cm->show_frame ? VP8E_MP_FILTER_SHOWN : VP8E_MP_FILTER_HIDDEN;

  if (!(cpi->mp.provider->filter_source & kind) || cpi->pass != 2 ||
      cpi->is_src_frame_alt_ref || cpi->oxcf.noise_sensitivity ||
      cpi->Source != &cpi->source->img) {
    return 0;
  }
  if (!cm->show_frame) return HIDDEN_FRAMES;
  if (cm->frame_type == KEY_FRAME) return KEY_FRAMES;
  return cm->refresh_golden_frame ? GOLDEN_FRAMES : 0;
}

/* Add frames of the queue to cpi->frames, from one on in steps of 1 or -1.
 * Returns how many these are. */
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

void vp8_fs_frame_begin(VP8_COMP *cpi) {
  const int wanted = frames_wanted(cpi);
  /* A frame that is shown is no longer in the queue. */
  const int at = cpi->common.show_frame ? -1 : cpi->frames_till_alt_ref_frame;
  int behind, n;

  cpi->mp.filtered.original = NULL;
  behind = take(cpi, at + 1, 1, wanted, 0);
  n = behind + take(cpi, at - 1, -1, wanted, behind);
  if (!n) return;
  /* This runs before what sets it for the frame. */
  cpi->mb.e_mbd.subpixel_predict8x8 = vp8_sixtap_predict8x8;
  filter(cpi, behind, n);
  cpi->mp.filtered.original = cpi->Source;
  cpi->Source = &cpi->alt_ref_buffer;
}

void vp8_fs_frame_end(VP8_COMP *cpi) {
  vp8_fs_state *const fs = &cpi->mp.filtered;

  if (fs->original) cpi->Source = fs->original;
  fs->original = NULL;
}
