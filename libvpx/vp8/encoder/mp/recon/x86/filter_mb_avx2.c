/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The normal loop filter (RFC 6386, section 15) of a macroblock. A "line" is a
 * vector of pixels parallel to the edges: 16 of luma in the lower half, 8 of U
 * and 8 of V in the upper half. Line 4 is the first one of the macroblock. It
 * has 16 lines of luma and 8 of chroma.
 */

#include <immintrin.h>
#include <stddef.h>
#include <string.h>

#include "./vpx_config.h"
#include "./vp8_rtcd.h"
#include "vp8/common/loopfilter.h"
#include "vp8/encoder/mp/recon/loop_filter.h"
#include "vpx/vpx_integer.h"

#define LINES (4 + 16)

/* where: mask of the bytes that may be filtered. Limits of zero would do the
 * same, but then the comparisons would read a new frame's uninitialized border,
 * which memory checkers report. */
typedef struct {
  __m256i edge, inside, high_variance, where;
} limits;

static INLINE __m256i abs_diff(__m256i a, __m256i b) {
  return _mm256_or_si256(_mm256_subs_epu8(a, b), _mm256_subs_epu8(b, a));
}

/* Returns bytes that are not zero where a is above the limit. */
static INLINE __m256i above(__m256i a, __m256i limit) {
  return _mm256_subs_epu8(a, limit);
}

static INLINE __m256i shift_3(__m256i a) {
  const __m256i sign = _mm256_set1_epi8(0x10);
  const __m256i bits =
      _mm256_and_si256(_mm256_srli_epi16(a, 3), _mm256_set1_epi8(0x1f));

  return _mm256_sub_epi8(_mm256_xor_si256(bits, sign), sign);
}

/* Compare the eight lines around an edge. Sets masks: *filtered where the edge
 * is filtered, *smooth where its variance is not high. */
static INLINE void compare(const __m256i *l, const limits *limit,
                           __m256i *filtered, __m256i *smooth) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i near =
      _mm256_max_epu8(abs_diff(l[2], l[3]), abs_diff(l[5], l[4]));
  const __m256i far = _mm256_max_epu8(
      _mm256_max_epu8(abs_diff(l[0], l[1]), abs_diff(l[1], l[2])),
      _mm256_max_epu8(abs_diff(l[7], l[6]), abs_diff(l[6], l[5])));
  const __m256i across = abs_diff(l[3], l[4]);
  const __m256i half = _mm256_srli_epi16(
      _mm256_and_si256(abs_diff(l[2], l[5]), _mm256_set1_epi8((char)0xfe)), 1);
  const __m256i edge = _mm256_adds_epu8(_mm256_adds_epu8(across, across), half);

  *filtered = _mm256_cmpeq_epi8(
      _mm256_or_si256(above(edge, limit->edge),
                      above(_mm256_max_epu8(near, far), limit->inside)),
      zero);
  *filtered = _mm256_and_si256(*filtered, limit->where);
  *smooth = _mm256_cmpeq_epi8(above(near, limit->high_variance), zero);
}

/* Returns outer + 3 * (q0 - p0), saturated. */
static INLINE __m256i common_value(__m256i outer, __m256i p0, __m256i q0) {
  const __m256i diff = _mm256_subs_epi8(q0, p0);

  return _mm256_adds_epi8(_mm256_adds_epi8(_mm256_adds_epi8(outer, diff), diff),
                          diff);
}

static VPX_FORCE_INLINE void filter_inner(__m256i *l, const limits *limit) {
  const __m256i sign = _mm256_set1_epi8((char)0x80);
  const __m256i p1 = _mm256_xor_si256(l[2], sign);
  const __m256i p0 = _mm256_xor_si256(l[3], sign);
  const __m256i q0 = _mm256_xor_si256(l[4], sign);
  const __m256i q1 = _mm256_xor_si256(l[5], sign);
  __m256i filtered, smooth, value, for_q, outer;

  compare(l, limit, &filtered, &smooth);
  value = _mm256_andnot_si256(smooth, _mm256_subs_epi8(p1, q1));
  value = _mm256_and_si256(common_value(value, p0, q0), filtered);
  for_q = shift_3(_mm256_adds_epi8(value, _mm256_set1_epi8(4)));
  value = shift_3(_mm256_adds_epi8(value, _mm256_set1_epi8(3)));
  l[3] = _mm256_xor_si256(_mm256_adds_epi8(p0, value), sign);
  l[4] = _mm256_xor_si256(_mm256_subs_epi8(q0, for_q), sign);
  /* (for_q + 1) >> 1 */
  outer = _mm256_sub_epi8(_mm256_avg_epu8(_mm256_xor_si256(for_q, sign), sign),
                          sign);
  outer = _mm256_and_si256(outer, smooth);
  l[2] = _mm256_xor_si256(_mm256_adds_epi8(p1, outer), sign);
  l[5] = _mm256_xor_si256(_mm256_subs_epi8(q1, outer), sign);
}

static VPX_FORCE_INLINE void filter_edge(__m256i *l, const limits *limit) {
  const __m256i sign = _mm256_set1_epi8((char)0x80);
  const __m256i zero = _mm256_setzero_si256();
  const __m256i nine = _mm256_set1_epi16(9 << 8);
  const __m256i p1 = _mm256_xor_si256(l[2], sign);
  const __m256i q1 = _mm256_xor_si256(l[5], sign);
  __m256i p0 = _mm256_xor_si256(l[3], sign);
  __m256i q0 = _mm256_xor_si256(l[4], sign);
  __m256i filtered, smooth, value, high, lo9, hi9, lo, hi;
  int i;

  compare(l, limit, &filtered, &smooth);
  value = _mm256_and_si256(common_value(_mm256_subs_epi8(p1, q1), p0, q0),
                           filtered);
  high = _mm256_andnot_si256(smooth, value);
  q0 = _mm256_subs_epi8(q0,
                        shift_3(_mm256_adds_epi8(high, _mm256_set1_epi8(4))));
  p0 = _mm256_adds_epi8(p0,
                        shift_3(_mm256_adds_epi8(high, _mm256_set1_epi8(3))));
  l[3] = _mm256_xor_si256(p0, sign);
  l[4] = _mm256_xor_si256(q0, sign);
  /* (63 + 9 * n * value) >> 7, beginning with the outermost line */
  value = _mm256_and_si256(value, smooth);
  lo9 = _mm256_mulhi_epi16(_mm256_unpacklo_epi8(zero, value), nine);
  hi9 = _mm256_mulhi_epi16(_mm256_unpackhi_epi8(zero, value), nine);
  lo = hi = _mm256_set1_epi16(63);
  for (i = 1; i < 4; ++i) {
    __m256i change;

    lo = _mm256_add_epi16(lo, lo9);
    hi = _mm256_add_epi16(hi, hi9);
    change =
        _mm256_packs_epi16(_mm256_srai_epi16(lo, 7), _mm256_srai_epi16(hi, 7));
    l[i] = _mm256_xor_si256(
        _mm256_adds_epi8(_mm256_xor_si256(l[i], sign), change), sign);
    l[7 - i] = _mm256_xor_si256(
        _mm256_subs_epi8(_mm256_xor_si256(l[7 - i], sign), change), sign);
  }
}

static INLINE __m256i both(const unsigned char *limit) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)limit));
}

static VPX_FORCE_INLINE void filter_lines(__m256i l[LINES],
                                          const loop_filter_info *lfi, int edge,
                                          int inner) {
  limits limit;

  limit.high_variance = both(lfi->hev_thr);
  limit.edge = both(lfi->mblim);
  limit.inside = both(lfi->lim);
  limit.where = _mm256_set1_epi32(-edge); /* 0 at the frame's edge */
  filter_edge(l, &limit);
  if (inner) {
    limit.edge = both(lfi->blim);
    limit.where = _mm256_set1_epi32(-1);
    filter_inner(l + 4, &limit);
    /* Chroma has only one inner edge. */
    limit.where = _mm256_zextsi128_si256(_mm_set1_epi32(-1));
    filter_inner(l + 8, &limit);
    filter_inner(l + 12, &limit);
  }
}

/* Transpose 16x16 bytes in each half. */
static VPX_FORCE_INLINE void transpose_16(__m256i v[16]) {
  __m256i t[16];
  int round, i;

  for (round = 0; round < 4; ++round) {
    for (i = 0; i < 8; ++i) {
      t[2 * i] = _mm256_unpacklo_epi8(v[i], v[i + 8]);
      t[2 * i + 1] = _mm256_unpackhi_epi8(v[i], v[i + 8]);
    }
    for (i = 0; i < 16; ++i) v[i] = t[i];
  }
}

/* Load four rows of four bytes. */
static INLINE __m128i load_4x4(const unsigned char *p, ptrdiff_t stride) {
  int row[4], i;

  for (i = 0; i < 4; ++i) memcpy(&row[i], p + i * stride, 4);
  return _mm_setr_epi32(row[0], row[1], row[2], row[3]);
}

static INLINE void store_4x4(unsigned char *p, ptrdiff_t stride, __m128i rows) {
  int row[4], i;

  row[0] = _mm_cvtsi128_si32(rows);
  row[1] = _mm_extract_epi32(rows, 1);
  row[2] = _mm_extract_epi32(rows, 2);
  row[3] = _mm_extract_epi32(rows, 3);
  for (i = 0; i < 4; ++i) memcpy(p + i * stride, &row[i], 4);
}

static INLINE __m128i transpose_4x4(__m128i v) {
  return _mm_shuffle_epi8(
      v, _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
}

/* Transpose 4x4 words of four bytes. */
static INLINE void transpose_words(__m128i v[4]) {
  const __m128i a = _mm_unpacklo_epi32(v[0], v[1]);
  const __m128i b = _mm_unpacklo_epi32(v[2], v[3]);
  const __m128i c = _mm_unpackhi_epi32(v[0], v[1]);
  const __m128i d = _mm_unpackhi_epi32(v[2], v[3]);

  v[0] = _mm_unpacklo_epi64(a, b);
  v[1] = _mm_unpackhi_epi64(a, b);
  v[2] = _mm_unpacklo_epi64(c, d);
  v[3] = _mm_unpackhi_epi64(c, d);
}

static VPX_FORCE_INLINE __m256i load_row(const unsigned char *y,
                                         const unsigned char *uv, int has_uv) {
  const __m256i luma =
      _mm256_zextsi128_si256(_mm_loadu_si128((const __m128i *)y));

  return has_uv ? _mm256_inserti128_si256(
                      luma, _mm_loadu_si128((const __m128i *)uv), 1)
                : luma;
}

static VPX_FORCE_INLINE void store_row(unsigned char *y, unsigned char *uv,
                                       int has_uv, __m256i row) {
  _mm_storeu_si128((__m128i *)y, _mm256_castsi256_si128(row));
  if (has_uv) {
    _mm_storeu_si128((__m128i *)uv, _mm256_extracti128_si256(row, 1));
  }
}

/* Filter the vertical edges. Lines are columns: 16 columns from 4 left of the
 * macroblock on, and the last four of luma. */
static VPX_FORCE_INLINE void filter_columns(unsigned char *y, unsigned char *u,
                                            unsigned char *v,
                                            ptrdiff_t y_stride,
                                            ptrdiff_t uv_stride,
                                            const loop_filter_info *lfi,
                                            int edge, int inner, int has_uv) {
  __m256i l[LINES];
  __m128i last[4];
  unsigned char *at = y - 4, *uv = u - 4;
  int i;

  for (i = 0; i < 16; i += 4) {
    l[i] = load_row(at, uv, has_uv);
    l[i + 1] = load_row(at + y_stride, uv + uv_stride, has_uv);
    l[i + 2] = load_row(at + 2 * y_stride, uv + 2 * uv_stride, has_uv);
    l[i + 3] = load_row(at + 3 * y_stride, uv + 3 * uv_stride, has_uv);
    at += 4 * y_stride;
    uv = i == 4 ? v - 4 : uv + 4 * uv_stride;
  }
  transpose_16(l);
  if (inner) {
    for (i = 0; i < 4; ++i) {
      last[i] = transpose_4x4(load_4x4(y + 4 * i * y_stride + 12, y_stride));
    }
    transpose_words(last);
    for (i = 0; i < 4; ++i) l[16 + i] = _mm256_zextsi128_si256(last[i]);
  }
  filter_lines(l, lfi, edge, inner);
  transpose_16(l);
  at = y - 4;
  uv = u - 4;
  for (i = 0; i < 16; i += 4) {
    store_row(at, uv, has_uv, l[i]);
    store_row(at + y_stride, uv + uv_stride, has_uv, l[i + 1]);
    store_row(at + 2 * y_stride, uv + 2 * uv_stride, has_uv, l[i + 2]);
    store_row(at + 3 * y_stride, uv + 3 * uv_stride, has_uv, l[i + 3]);
    at += 4 * y_stride;
    uv = i == 4 ? v - 4 : uv + 4 * uv_stride;
  }
  if (inner) {
    for (i = 0; i < 4; ++i) last[i] = _mm256_castsi256_si128(l[16 + i]);
    transpose_words(last);
    for (i = 0; i < 4; ++i) {
      store_4x4(y + 4 * i * y_stride + 12, y_stride, transpose_4x4(last[i]));
    }
  }
}

static INLINE __m256i load_line(const unsigned char *y, const unsigned char *u,
                                const unsigned char *v, ptrdiff_t y_stride,
                                ptrdiff_t uv_stride, int at, int has_uv) {
  const __m256i luma = _mm256_zextsi128_si256(
      _mm_loadu_si128((const __m128i *)(y + at * y_stride)));

  if (!has_uv) return luma;
  return _mm256_inserti128_si256(
      luma,
      _mm_unpacklo_epi64(
          _mm_loadl_epi64((const __m128i *)(u + at * uv_stride)),
          _mm_loadl_epi64((const __m128i *)(v + at * uv_stride))),
      1);
}

static INLINE void store_line(unsigned char *y, unsigned char *u,
                              unsigned char *v, ptrdiff_t y_stride,
                              ptrdiff_t uv_stride, int at, int has_uv,
                              __m256i line) {
  _mm_storeu_si128((__m128i *)(y + at * y_stride),
                   _mm256_castsi256_si128(line));
  if (has_uv) {
    const __m128i uv = _mm256_extracti128_si256(line, 1);

    _mm_storel_epi64((__m128i *)(u + at * uv_stride), uv);
    _mm_storeh_pd((double *)(v + at * uv_stride), _mm_castsi128_pd(uv));
  }
}

static VPX_FORCE_INLINE void filter_rows(unsigned char *y, unsigned char *u,
                                         unsigned char *v, ptrdiff_t y_stride,
                                         ptrdiff_t uv_stride,
                                         const loop_filter_info *lfi, int edge,
                                         int inner, int has_uv) {
  __m256i l[LINES];
  int i;

  for (i = 0; i < 8; ++i) {
    l[i] = load_line(y, u, v, y_stride, uv_stride, i - 4, has_uv);
  }
  if (inner) {
    for (i = 8; i < 12; ++i) {
      l[i] = load_line(y, u, v, y_stride, uv_stride, i - 4, has_uv);
    }
    for (i = 12; i < 20; ++i) {
      l[i] = load_line(y, u, v, y_stride, uv_stride, i - 4, 0);
    }
  }
  filter_lines(l, lfi, edge, inner);
  for (i = 1; i < 7; ++i) {
    store_line(y, u, v, y_stride, uv_stride, i - 4, has_uv, l[i]);
  }
  if (inner) {
    for (i = 7; i < 10; ++i) {
      store_line(y, u, v, y_stride, uv_stride, i - 4, has_uv, l[i]);
    }
    for (i = 10; i < 18; ++i) {
      store_line(y, u, v, y_stride, uv_stride, i - 4, 0, l[i]);
    }
  }
}

static VPX_FORCE_INLINE void filter_both(unsigned char *y, unsigned char *u,
                                         unsigned char *v, ptrdiff_t y_stride,
                                         ptrdiff_t uv_stride,
                                         const loop_filter_info *lfi, int edges,
                                         int inner, int has_uv) {
  const int left = !!(edges & VP8_MP_RECON_LEFT),
            top = !!(edges & VP8_MP_RECON_TOP);

  filter_columns(y, u, v, y_stride, uv_stride, lfi, left, inner, has_uv);
  filter_rows(y, u, v, y_stride, uv_stride, lfi, top, inner, has_uv);
}

void vp8_mp_recon_filter_mb_avx2(unsigned char *y, unsigned char *u,
                                 unsigned char *v, int y_stride, int uv_stride,
                                 struct loop_filter_info *lfi, int edges) {
  if (u) {
    if (edges & VP8_MP_RECON_INNER) {
      filter_both(y, u, v, y_stride, uv_stride, lfi, edges, 1, 1);
    } else {
      filter_both(y, u, v, y_stride, uv_stride, lfi, edges, 0, 1);
    }
  } else {
    if (edges & VP8_MP_RECON_INNER) {
      filter_both(y, y, y, y_stride, 0, lfi, edges, 1, 0);
    } else {
      filter_both(y, y, y, y_stride, 0, lfi, edges, 0, 0);
    }
  }
}
