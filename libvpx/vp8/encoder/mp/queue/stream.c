/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/queue/stream.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "./vp8_rtcd.h"
#include "./vpx_scale_rtcd.h"
#include "vp8/common/extend.h"
#include "vp8/encoder/mp/rc/scene.h"
#include "vp8/encoder/mp/recon/portable.h"
#include "vp8/encoder/onyx_int.h"

/* Rows that are loaded ahead: 5 KB of 720p. Loading none takes a tenth longer.
 */
#define AHEAD 4
/* Rows whose ends are loaded ahead, because a load from memory takes longer
 * than a row. */
#define AHEAD_SIDES 8
/* The kernels need this alignment of rows and of their left border. */
#define ALIGNMENT 16

int vp8_mp_queue_streams(const VP8_COMP *cpi) {
  return cpi->mp.whole.coded != NULL;
}

void vp8_mp_queue_stream_row_c(const unsigned char *src,
                               const unsigned char *ahead, unsigned char *dst,
                               int width, int left, int right) {
  (void)ahead;
  memset(dst - left, src[0], left);
  memcpy(dst, src, width);
  memset(dst + width, src[width - 1], right);
}

void vp8_mp_queue_stream_end_c(void) {}

/* Writes a row and its border n times, to rows from dst on. */
static void repeat_row(const unsigned char *row, int n, unsigned char *dst,
                       int stride, int width, int border, int right) {
  int i;

  for (i = 0; i < n; ++i, dst += stride) {
    vp8_mp_queue_stream_row(row, NULL, dst, width, border, right);
  }
}

/* Copies a plane and its border, in the order of the memory that is written.
 * One of `kept` rows stays in the caches; 0: none. */
static void copy_plane(const unsigned char *src, int stride, int width,
                       int height, unsigned char *dst, int dst_stride,
                       int border, int right, int bottom, int kept) {
  const unsigned char *row = src;
  int y;

  repeat_row(src, border, dst - border * (ptrdiff_t)dst_stride, dst_stride,
             width, border, right);
  for (y = 0; y < height; ++y, row += stride, dst += dst_stride) {
    const unsigned char *const ahead =
        y < height - AHEAD ? row + AHEAD * (ptrdiff_t)stride : NULL;

    if (kept && y % kept == 0) {
      vp8_mp_queue_stream_row_c(row, ahead, dst, width, border, right);
    } else {
      vp8_mp_queue_stream_row(row, ahead, dst, width, border, right);
    }
  }
  repeat_row(row - stride, bottom, dst, dst_stride, width, border, right);
}

static int is_aligned(const unsigned char *p, int stride) {
  return ((uintptr_t)p | (uintptr_t)stride) % ALIGNMENT == 0;
}

static int are_aligned(const YV12_BUFFER_CONFIG *b) {
  return b->border / 2 % ALIGNMENT == 0 &&
         is_aligned(b->y_buffer, b->y_stride) &&
         is_aligned(b->u_buffer, b->uv_stride) &&
         is_aligned(b->v_buffer, b->uv_stride);
}

/* Extends a plane that is aligned. */
static void extend_plane(unsigned char *plane, int stride, int width,
                         int height, int border, int right, int bottom) {
  unsigned char *row = plane;
  int y;

  for (y = 0; y < height; ++y, row += stride) {
    /* Beyond the last row is its border. */
    const unsigned char *const ahead = row + AHEAD_SIDES * (ptrdiff_t)stride;

    VP8_MP_RECON_PREFETCH(ahead - border);
    VP8_MP_RECON_PREFETCH(ahead);
    VP8_MP_RECON_PREFETCH(ahead + width - 1);
    VP8_MP_RECON_PREFETCH(ahead + width);
    memset(row - border, row[0], border);
    memset(row + width, row[width - 1], right);
  }
  repeat_row(plane, border, plane - border * (ptrdiff_t)stride, stride, width,
             border, right);
  repeat_row(row - stride, bottom, row, stride, width, border, right);
}

void vp8_mp_queue_stream_borders(YV12_BUFFER_CONFIG *frame) {
  const int border = frame->border, uv_border = border / 2;
  const int uv_right = uv_border + frame->uv_width - frame->uv_crop_width;
  const int uv_bottom = uv_border + frame->uv_height - frame->uv_crop_height;

  if (!are_aligned(frame)) {
    vp8_yv12_extend_frame_borders(frame);
    return;
  }
  extend_plane(frame->y_buffer, frame->y_stride, frame->y_crop_width,
               frame->y_crop_height, border,
               border + frame->y_width - frame->y_crop_width,
               border + frame->y_height - frame->y_crop_height);
  extend_plane(frame->u_buffer, frame->uv_stride, frame->uv_crop_width,
               frame->uv_crop_height, uv_border, uv_right, uv_bottom);
  extend_plane(frame->v_buffer, frame->uv_stride, frame->uv_crop_width,
               frame->uv_crop_height, uv_border, uv_right, uv_bottom);
  vp8_mp_queue_stream_end();
}

void vp8_mp_queue_stream_copy(YV12_BUFFER_CONFIG *src,
                              YV12_BUFFER_CONFIG *dst) {
  const int border = dst->border, uv_border = border / 2;
  const int uv_right = uv_border + dst->uv_width - src->uv_width;
  const int uv_bottom = uv_border + dst->uv_height - src->uv_height;

  if (src->v_buffer - src->u_buffer == 1 /* interleaved, as NV12 has it */ ||
      !are_aligned(dst)) {
    vp8_copy_and_extend_frame(src, dst);
    return;
  }
  copy_plane(src->y_buffer, src->y_stride, src->y_width, src->y_height,
             dst->y_buffer, dst->y_stride, border,
             border + dst->y_width - src->y_width,
             border + dst->y_height - src->y_height, VP8_MP_RC_SCENE_ROWS);
  copy_plane(src->u_buffer, src->uv_stride, src->uv_width, src->uv_height,
             dst->u_buffer, dst->uv_stride, uv_border, uv_right, uv_bottom, 0);
  copy_plane(src->v_buffer, src->uv_stride, src->uv_width, src->uv_height,
             dst->v_buffer, dst->uv_stride, uv_border, uv_right, uv_bottom, 0);
  vp8_mp_queue_stream_end();
}
