/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/queue/motion.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "./vpx_dsp_rtcd.h"
#include "vp8/encoder/lookahead.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "vpx_mem/vpx_mem.h"

/* Width and height of a macroblock at half the size, in pixels. */
#define SIZE 8
/* Replicated border of a half-size picture, and the farthest that a vector may
 * move a macroblock beyond its edge, in pixels. The rest of the border is for
 * the block itself and for sub-pixel filters. */
#define BORDER 32
#define REACH 20
/* First step of the search, in pixels, and largest number of moves per step. */
#define FIRST_STEP 8
#define MAX_STEPS 8
/* Do not search further below these errors: a SAD of 2 per pixel for whole
 * pixels, a squared error of 1 per pixel for fractions. */
#define GOOD_SAD (2 * SIZE * SIZE)
#define GOOD_ERROR (SIZE * SIZE)

/* One more picture than are known at a time: the one before them. */
#define PICTURES (VP8_MP_QUEUE_MOTION_MAX_PICTURES + 1)

typedef struct picture {
  int is_known;
  int64_t start;  /* time stamp, which identifies the picture */
  int64_t before; /* time stamp of the picture that its vectors refer to */
  int has_vectors;
  uint8_t *memory, *plane;
  vp8_mp_queue_motion_mb *mb;
} picture;

struct vp8_mp_queue_motion_queue {
  int rows, cols; /* size in macroblocks */
  int stride;     /* of planes, in bytes */
  int next;       /* index of the picture that is replaced next */
  picture pictures[PICTURES];
  picture *known[VP8_MP_QUEUE_MOTION_MAX_PICTURES]; /* in display order */
  int n;                                            /* pictures in known[] */
  vp8_mp_queue_motion_mb *far; /* macroblocks of a picture, from an earlier one
                                  than the one before it */
};

/* ---- memory -------------------------------------------------------------- */

void vp8_mp_queue_motion_free(VP8_COMP *cpi) {
  vp8_mp_queue_motion_queue *const queue = cpi->mp.motion;
  int i;

  if (!queue) return;
  for (i = 0; i < PICTURES; ++i) {
    vpx_free(queue->pictures[i].memory);
    vpx_free(queue->pictures[i].mb);
  }
  vpx_free(queue->far);
  vpx_free(queue);
  cpi->mp.motion = NULL;
}

static vp8_mp_queue_motion_queue *get_queue(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  vp8_mp_queue_motion_queue *queue = cpi->mp.motion;

  if (queue && (queue->rows != cm->mb_rows || queue->cols != cm->mb_cols)) {
    vp8_mp_queue_motion_free(cpi);
    queue = NULL;
  }
  if (queue) return queue;
  queue = vpx_calloc(1, sizeof(*queue));
  if (!queue) return NULL;
  queue->rows = cm->mb_rows;
  queue->cols = cm->mb_cols;
  queue->stride = SIZE * cm->mb_cols + 2 * BORDER;
  cpi->mp.motion = queue;
  return queue;
}

/* Allocate a picture's planes at its first use: a queue may be short. */
static int allocate(const vp8_mp_queue_motion_queue *queue, picture *p) {
  const int stride = queue->stride;

  if (!p->memory) {
    p->memory = vpx_malloc((size_t)stride * (SIZE * queue->rows + 2 * BORDER));
  }
  if (!p->mb) {
    p->mb = vpx_calloc((size_t)queue->rows * queue->cols, sizeof(*p->mb));
  }
  if (!p->memory || !p->mb) return -1;
  p->plane = p->memory + BORDER * stride + BORDER;
  return 0;
}

/* ---- one picture --------------------------------------------------------- */

/* Make the half-size plane. Pictures in libvpx's queue have whole macroblocks.
 */
static void shrink(const vp8_mp_queue_motion_queue *queue, const picture *p,
                   const YV12_BUFFER_CONFIG *from) {
  const int width = SIZE * queue->cols, height = SIZE * queue->rows;
  const int stride = queue->stride;
  int x, y;

  for (y = 0; y < height; ++y) {
    const uint8_t *const above = from->y_buffer + 2 * y * from->y_stride;
    const uint8_t *const below = above + from->y_stride;
    uint8_t *const to = p->plane + y * stride;

    for (x = 0; x < width; ++x) {
      to[x] = (above[2 * x] + above[2 * x + 1] + below[2 * x] +
               below[2 * x + 1] + 2) >>
              2;
    }
    memset(to - BORDER, to[0], BORDER);
    memset(to + width, to[width - 1], BORDER);
  }
  for (y = 1; y <= BORDER; ++y) {
    uint8_t *const top = p->plane - BORDER;
    uint8_t *const bottom = top + (height - 1) * stride;

    memcpy(top - y * stride, top, stride);
    memcpy(bottom + y * stride, bottom, stride);
  }
}

/* Error of the best intra prediction: mean of the block (DC), vertical, or
 * horizontal. */
static unsigned int intra_error(const uint8_t *p, int stride) {
  static const uint8_t flat[SIZE] = { 0 };
  uint8_t left[SIZE * SIZE];
  unsigned int error, best;
  int i;

  best = vpx_variance8x8(p, stride, flat, 0, &error);
  vpx_variance8x8(p, stride, p - stride, 0, &error);
  best = VPXMIN(best, error);
  for (i = 0; i < SIZE; ++i) memset(left + SIZE * i, p[i * stride - 1], SIZE);
  vpx_variance8x8(p, stride, left, SIZE, &error);
  return VPXMIN(best, error);
}

static void find_intra_errors(const vp8_mp_queue_motion_queue *queue,
                              const picture *p) {
  int row, col;

  for (row = 0; row < queue->rows; ++row) {
    for (col = 0; col < queue->cols; ++col) {
      p->mb[row * queue->cols + col].intra = intra_error(
          p->plane + SIZE * (row * queue->stride + col), queue->stride);
    }
  }
}

/* ---- vectors ------------------------------------------------------------- */

typedef struct search {
  const uint8_t *source, *ref; /* the macroblock's position in both pictures */
  int stride;
  int row_min, row_max, col_min, col_max; /* legal vectors, pixels */
  int near_row, near_col;                 /* predicted vector, for the rate */
  int row, col;                           /* best vector so far */
  unsigned int cost;
} search;

static int is_legal(const search *s, int row, int col) {
  return row >= s->row_min && row <= s->row_max && col >= s->col_min &&
         col <= s->col_max;
}

static void try_vector(search *s, int row, int col) {
  const int distance = abs(row - s->near_row) + abs(col - s->near_col);
  unsigned int cost;

  if (!is_legal(s, row, col)) return;
  cost = vpx_sad8x8(s->source, s->stride, s->ref + row * s->stride + col,
                    s->stride) +
         (distance ? 4 + 2 * VPXMIN(distance, 16) : 0);
  if (cost < s->cost) {
    s->cost = cost;
    s->row = row;
    s->col = col;
  }
}

static void search_pixels(search *s) {
  int step, i;

  for (step = FIRST_STEP; step; step >>= 1) {
    for (i = 0; i < MAX_STEPS && s->cost > GOOD_SAD; ++i) {
      const int row = s->row, col = s->col;

      try_vector(s, row - step, col);
      try_vector(s, row + step, col);
      try_vector(s, row, col - step);
      try_vector(s, row, col + step);
      if (row == s->row && col == s->col) break;
    }
  }
}

/* Refine the vector to half, then quarter pixels of the half-size picture, by
 * squared error. */
static void search_fractions(const search *s, vp8_mp_queue_motion_mb *mb) {
  int step, y, x;

  for (step = 2; step && mb->inter > GOOD_ERROR; step >>= 1) {
    const int row = mb->row, col = mb->col;

    for (y = -step; y <= step; y += step) {
      for (x = -step; x <= step; x += step) {
        const int r = row + y, c = col + x;
        unsigned int error;

        if ((!y && !x) || !is_legal(s, r >> 2, c >> 2)) continue;
        vpx_sub_pixel_variance8x8(s->ref + (r >> 2) * s->stride + (c >> 2),
                                  s->stride, (c & 3) * 2, (r & 3) * 2,
                                  s->source, s->stride, &error);
        if (error < mb->inter) {
          mb->inter = error;
          mb->row = (int16_t)r;
          mb->col = (int16_t)c;
        }
      }
    }
  }
}

static void try_mb(search *s, const vp8_mp_queue_motion_mb *mb) {
  try_vector(s, mb->row >> 2, mb->col >> 2);
}

static void find_vector(const vp8_mp_queue_motion_queue *queue,
                        const picture *p, const picture *before, int row,
                        int col) {
  const int offset = SIZE * (row * queue->stride + col);
  vp8_mp_queue_motion_mb *const mb = p->mb + row * queue->cols + col;
  search s;

  s.source = p->plane + offset;
  s.ref = before->plane + offset;
  s.stride = queue->stride;
  s.row_min = -SIZE * row - REACH;
  s.row_max = SIZE * (queue->rows - 1 - row) + REACH;
  s.col_min = -SIZE * col - REACH;
  s.col_max = SIZE * (queue->cols - 1 - col) + REACH;
  s.near_row = col ? mb[-1].row >> 2 : 0;
  s.near_col = col ? mb[-1].col >> 2 : 0;
  s.row = s.col = 0;
  s.cost = UINT_MAX;

  try_vector(&s, 0, 0);
  if (col) try_mb(&s, mb - 1);
  if (row) {
    const vp8_mp_queue_motion_mb *const above = mb - queue->cols;

    try_mb(&s, above);
    if (col + 1 < queue->cols) try_mb(&s, above + 1);
  }
  if (before->has_vectors) try_mb(&s, before->mb + row * queue->cols + col);
  search_pixels(&s);
  mb->row = (int16_t)(4 * s.row);
  mb->col = (int16_t)(4 * s.col);
  vpx_variance8x8(s.source, s.stride, s.ref + s.row * s.stride + s.col,
                  s.stride, &mb->inter);
  search_fractions(&s, mb);
}

static void find_vectors(const vp8_mp_queue_motion_queue *queue, picture *p,
                         const picture *before) {
  int row, col;

  if (p->has_vectors && p->before == before->start) return;
  for (row = 0; row < queue->rows; ++row) {
    for (col = 0; col < queue->cols; ++col) {
      find_vector(queue, p, before, row, col);
    }
  }
  p->before = before->start;
  p->has_vectors = 1;
}

/* ---- pictures ------------------------------------------------------------ */

/* Returns the picture of a queue entry, and makes it if it is new. Returns NULL
 * if memory ran out. */
static picture *get_picture(vp8_mp_queue_motion_queue *queue,
                            const struct lookahead_entry *entry) {
  picture *p;
  int i;

  for (i = 0; i < PICTURES; ++i) {
    p = &queue->pictures[i];
    if (p->is_known && p->start == entry->ts_start) return p;
  }
  p = &queue->pictures[queue->next];
  queue->next = (queue->next + 1) % PICTURES;
  p->is_known = p->has_vectors = 0;
  if (allocate(queue, p)) return NULL;
  shrink(queue, p, &entry->img);
  find_intra_errors(queue, p);
  p->start = entry->ts_start;
  p->is_known = 1;
  return p;
}

int vp8_mp_queue_motion_pictures(
    VP8_COMP *cpi,
    const vp8_mp_queue_motion_mb *mb[VP8_MP_QUEUE_MOTION_MAX_PICTURES],
    int *current) {
  vp8_mp_queue_motion_queue *const queue = get_queue(cpi);
  const int queued = (int)vp8_lookahead_depth(cpi->lookahead);
  const int is_shown = cpi->common.show_frame;
  picture *before = NULL;
  int n = 0, i;

  if (!queue) return 0;
  queue->n = 0;
  *current = 0;
  for (i = is_shown ? -1 : 0;
       i < queued && n < VP8_MP_QUEUE_MOTION_MAX_PICTURES; ++i) {
    const struct lookahead_entry *const entry =
        i < 0 ? cpi->source
              : vp8_lookahead_peek(cpi->lookahead, i, PEEK_FORWARD);
    picture *const p = get_picture(queue, entry);

    if (!p) return 0;
    if (before) find_vectors(queue, p, before);
    if (entry == cpi->source) *current = n;
    queue->known[n] = p;
    mb[n++] = p->mb;
    before = p;
  }
  queue->n = n;
  return n;
}

const vp8_mp_queue_motion_mb *vp8_mp_queue_motion_far(VP8_COMP *cpi, int index,
                                                      int from) {
  vp8_mp_queue_motion_queue *const queue = cpi->mp.motion;
  const size_t mbs = (size_t)queue->rows * queue->cols;
  picture p;

  assert(from >= 0 && from < index && index < queue->n);
  if (!queue->far) queue->far = vpx_malloc(mbs * sizeof(*queue->far));
  if (!queue->far) return NULL;
  p = *queue->known[index];
  memcpy(queue->far, p.mb, mbs * sizeof(*p.mb)); /* for the intra errors */
  p.mb = queue->far;
  p.has_vectors = 0;
  find_vectors(queue, &p, queue->known[from]);
  return queue->far;
}
