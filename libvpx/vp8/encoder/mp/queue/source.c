/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/queue/source.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "./vp8_rtcd.h"
#include "vp8/common/extend.h"
#include "vp8/encoder/mp/rc/scene.h"
#include "vp8/encoder/onyx_int.h"

/* Rows that are loaded ahead: 5 KB of 720p. Loading none takes a tenth longer.
 */
#define AHEAD 4
/* The kernels need this alignment of rows and of their left border. */
#define ALIGNMENT 16

int vp8_mp_queue_source_is_read_by_device(const VP8_COMP *cpi) {
  return cpi->mp.whole.coded != NULL;
}

void vp8_mp_queue_source_row_c(const unsigned char *src,
                               const unsigned char *ahead, unsigned char *dst,
                               int width, int left, int right) {
  (void)ahead;
  memset(dst - left, src[0], left);
  memcpy(dst, src, width);
  memset(dst + width, src[width - 1], right);
}

void vp8_mp_queue_source_end_c(void) {}

/* Copies a plane and its border, in the order of the memory that is written.
 * One of `kept` rows stays in the caches; 0: none. */
static void copy_plane(const unsigned char *src, int stride, int width,
                       int height, unsigned char *dst, int dst_stride,
                       int border, int right, int bottom, int kept) {
  int y;

  for (y = -border; y < height + bottom; ++y) {
    const int from = y < 0 ? 0 : y < height ? y : height - 1;
    const unsigned char *const row = src + (ptrdiff_t)from * stride;
    const unsigned char *const ahead =
        y >= 0 && y < height - AHEAD ? row + AHEAD * (ptrdiff_t)stride : NULL;
    unsigned char *const to = dst + (ptrdiff_t)y * dst_stride;

    if (kept && y >= 0 && y % kept == 0) {
      vp8_mp_queue_source_row_c(row, ahead, to, width, border, right);
    } else {
      vp8_mp_queue_source_row(row, ahead, to, width, border, right);
    }
  }
}

static int is_aligned(const unsigned char *p, int stride) {
  return ((uintptr_t)p | (uintptr_t)stride) % ALIGNMENT == 0;
}

void vp8_mp_queue_source_copy(YV12_BUFFER_CONFIG *src,
                              YV12_BUFFER_CONFIG *dst) {
  const int border = dst->border, uv_border = border / 2;
  const int uv_right = uv_border + dst->uv_width - src->uv_width;
  const int uv_bottom = uv_border + dst->uv_height - src->uv_height;

  if (src->v_buffer - src->u_buffer == 1 /* interleaved, as NV12 has it */ ||
      uv_border % ALIGNMENT || !is_aligned(dst->y_buffer, dst->y_stride) ||
      !is_aligned(dst->u_buffer, dst->uv_stride) ||
      !is_aligned(dst->v_buffer, dst->uv_stride)) {
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
  vp8_mp_queue_source_end();
}
