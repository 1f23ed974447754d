/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Prediction by the six-tap filters (RFC 6386, section 18.3). Each half of a
 * vector holds a row.
 */

#include <immintrin.h>
#include <string.h>

#include "./vpx_config.h"
#include "./vp8_rtcd.h"
#include "vp8/common/filter.h"

/* Taps in pairs: the outer ones, and pairs whose sums saturate no earlier than
 * the result. */
typedef struct {
  __m256i t05, t13, t24;
} taps;

static INLINE __m256i tap_pair(int a, int b) {
  return _mm256_set1_epi16((short)((a & 255) | b * 256));
}

static INLINE taps load_taps(int offset) {
  const short *const f = vp8_sub_pel_filters[offset];
  taps t;

  t.t05 = tap_pair(f[0], f[5]);
  t.t13 = tap_pair(f[1], f[3]);
  t.t24 = tap_pair(f[2], f[4]);
  return t;
}

static INLINE __m256i filter(__m256i p05, __m256i p13, __m256i p24, taps t) {
  const __m256i sum =
      _mm256_adds_epi16(_mm256_add_epi16(_mm256_maddubs_epi16(p05, t.t05),
                                         _mm256_maddubs_epi16(p13, t.t13)),
                        _mm256_maddubs_epi16(p24, t.t24));

  /* (sum + 64) >> 7 */
  return _mm256_mulhrs_epi16(sum, _mm256_set1_epi16(256));
}

static INLINE __m256i load_rows(const unsigned char *p, int stride) {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p)),
      _mm_loadu_si128((const __m128i *)(p + stride)), 1);
}

/* Filter eight pixels of each row horizontally. Returns words. */
static INLINE __m256i filter_8_across(const unsigned char *p, int stride,
                                      taps t) {
  const __m256i x = load_rows(p - 2, stride);
  const __m256i p05 = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 5, 1, 6, 2, 7, 3, 8, 4, 9, 5, 10, 6, 11, 7, 12));
  const __m256i p13 = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(1, 3, 2, 4, 3, 5, 4, 6, 5, 7, 6, 8, 7, 9, 8, 10));
  const __m256i p24 = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(2, 4, 3, 5, 4, 6, 5, 7, 6, 8, 7, 9, 8, 10, 9, 11));

  return filter(_mm256_shuffle_epi8(x, p05), _mm256_shuffle_epi8(x, p13),
                _mm256_shuffle_epi8(x, p24), t);
}

/* Load two rows of a block, and filter them horizontally if across is set. */
static INLINE __m256i rows_of(const unsigned char *p, int stride, int size,
                              int across, taps t) {
  __m256i left, right;

  if (!across) {
    if (size == 16) return load_rows(p, stride);
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadl_epi64((const __m128i *)p)),
        _mm_loadl_epi64((const __m128i *)(p + stride)), 1);
  }
  left = filter_8_across(p, stride, t);
  right = size == 16 ? filter_8_across(p + 8, stride, t) : left;
  return _mm256_packus_epi16(left, right);
}

static INLINE void store_rows(unsigned char *p, int stride, int size,
                              __m256i rows) {
  const __m128i first = _mm256_castsi256_si128(rows);
  const __m128i second = _mm256_extracti128_si256(rows, 1);

  if (size == 16) {
    _mm_storeu_si128((__m128i *)p, first);
    _mm_storeu_si128((__m128i *)(p + stride), second);
  } else {
    _mm_storel_epi64((__m128i *)p, first);
    _mm_storel_epi64((__m128i *)(p + stride), second);
  }
}

/* Returns the second row of one pair and the first row of the next. */
static INLINE __m256i between(__m256i rows, __m256i next) {
  return _mm256_permute2x128_si256(rows, next, 0x21);
}

static INLINE void predict_down(const unsigned char *src, int src_stride,
                                int size, int height, int across, taps tx,
                                taps ty, unsigned char *dst, int dst_stride) {
  __m256i r0 = rows_of(src - 2 * src_stride, src_stride, size, across, tx);
  __m256i r2 = rows_of(src, src_stride, size, across, tx);
  __m256i r4 = rows_of(src + 2 * src_stride, src_stride, size, across, tx);
  __m256i r1 = between(r0, r2), r3 = between(r2, r4);
  int y;

  for (y = 0; y < height; y += 2) {
    /* Do not read below the last row that is needed: it may not exist. */
    const __m256i r6 =
        rows_of(src + 4 * src_stride, y < height - 2 ? src_stride : 0, size,
                across, tx);
    const __m256i r5 = between(r4, r6);
    const __m256i left =
        filter(_mm256_unpacklo_epi8(r0, r5), _mm256_unpacklo_epi8(r1, r3),
               _mm256_unpacklo_epi8(r2, r4), ty);
    const __m256i right = size == 16 ? filter(_mm256_unpackhi_epi8(r0, r5),
                                              _mm256_unpackhi_epi8(r1, r3),
                                              _mm256_unpackhi_epi8(r2, r4), ty)
                                     : left;

    store_rows(dst, dst_stride, size, _mm256_packus_epi16(left, right));
    r0 = r2;
    r1 = r3;
    r2 = r4;
    r3 = r5;
    r4 = r6;
    src += 2 * src_stride;
    dst += 2 * dst_stride;
  }
}

/* Predict a block. size is its width. */
static INLINE void predict(const unsigned char *src, int src_stride,
                           int xoffset, int yoffset, int size, int height,
                           unsigned char *dst, int dst_stride) {
  const taps tx = load_taps(xoffset), ty = load_taps(yoffset);
  int y;

  if (yoffset) {
    if (xoffset) {
      predict_down(src, src_stride, size, height, 1, tx, ty, dst, dst_stride);
    } else {
      predict_down(src, src_stride, size, height, 0, tx, ty, dst, dst_stride);
    }
    return;
  }
  for (y = 0; y < height; y += 2) {
    store_rows(dst, dst_stride, size,
               xoffset ? rows_of(src, src_stride, size, 1, tx)
                       : rows_of(src, src_stride, size, 0, tx));
    src += 2 * src_stride;
    dst += 2 * dst_stride;
  }
}

void vp8_mp_recon_sixtap16x16_avx2(unsigned char *src, int src_stride,
                                   int xoffset, int yoffset, unsigned char *dst,
                                   int dst_stride) {
  predict(src, src_stride, xoffset, yoffset, 16, 16, dst, dst_stride);
}

void vp8_mp_recon_sixtap16x8_avx2(unsigned char *src, int src_stride,
                                  int xoffset, int yoffset, unsigned char *dst,
                                  int dst_stride) {
  predict(src, src_stride, xoffset, yoffset, 16, 8, dst, dst_stride);
}

void vp8_mp_recon_sixtap8x16_avx2(unsigned char *src, int src_stride,
                                  int xoffset, int yoffset, unsigned char *dst,
                                  int dst_stride) {
  predict(src, src_stride, xoffset, yoffset, 8, 16, dst, dst_stride);
}

void vp8_mp_recon_sixtap8x8_avx2(unsigned char *src, int src_stride,
                                 int xoffset, int yoffset, unsigned char *dst,
                                 int dst_stride) {
  predict(src, src_stride, xoffset, yoffset, 8, 8, dst, dst_stride);
}

/* ---- two 4x4 blocks: one in each half of a vector ------------------------ */

static INLINE __m256i load_pair(const unsigned char *u,
                                const unsigned char *v) {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)u)),
      _mm_loadu_si128((const __m128i *)v), 1);
}

/* Filter four pixels of two rows horizontally in each block. Returns words. */
static INLINE __m256i filter_4_across(const unsigned char *u,
                                      const unsigned char *v, int stride,
                                      taps t) {
  const __m256i first = load_pair(u - 2, v - 2);
  const __m256i second = load_pair(u - 2 + stride, v - 2 + stride);
  const __m256i p05_p13 = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 5, 1, 6, 2, 7, 3, 8, 1, 3, 2, 4, 3, 5, 4, 6));
  const __m256i p24 = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(2, 4, 3, 5, 4, 6, 5, 7, 2, 4, 3, 5, 4, 6, 5, 7));
  const __m256i x = _mm256_shuffle_epi8(first, p05_p13);
  const __m256i y = _mm256_shuffle_epi8(second, p05_p13);

  return filter(_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y),
                _mm256_unpacklo_epi64(_mm256_shuffle_epi8(first, p24),
                                      _mm256_shuffle_epi8(second, p24)),
                t);
}

static INLINE int load_4(const unsigned char *p) {
  int pixels;

  memcpy(&pixels, p, 4);
  return pixels;
}

/* Load four rows of four pixels of each block, and filter them horizontally if
 * across is set. */
static INLINE __m256i rows_of_4(const unsigned char *u, const unsigned char *v,
                                int stride, int across, taps t) {
  if (!across) {
    return _mm256_setr_epi32(load_4(u), load_4(u + stride),
                             load_4(u + 2 * stride), load_4(u + 3 * stride),
                             load_4(v), load_4(v + stride),
                             load_4(v + 2 * stride), load_4(v + 3 * stride));
  }
  return _mm256_packus_epi16(
      filter_4_across(u, v, stride, t),
      filter_4_across(u + 2 * stride, v + 2 * stride, stride, t));
}

static INLINE void store_4(unsigned char *p, int stride, __m128i rows) {
  const int row[4] = { _mm_cvtsi128_si32(rows), _mm_extract_epi32(rows, 1),
                       _mm_extract_epi32(rows, 2), _mm_extract_epi32(rows, 3) };
  int i;

  for (i = 0; i < 4; ++i) memcpy(p + i * stride, &row[i], 4);
}

static INLINE __m256i predict_pair_down(const unsigned char *u,
                                        const unsigned char *v, int stride,
                                        int across, taps tx, taps ty) {
  const int above = -2 * stride, below = 2 * stride;
  const __m256i a = rows_of_4(u + above, v + above, stride, across, tx);
  const __m256i b = rows_of_4(u + below, v + below, stride, across, tx);
  /* only the first row of c is needed */
  const __m256i c = rows_of_4(u + 3 * below, v + 3 * below, 0, across, tx);
  const __m256i r1 = _mm256_alignr_epi8(b, a, 4);
  const __m256i r2 = _mm256_alignr_epi8(b, a, 8);
  const __m256i r3 = _mm256_alignr_epi8(b, a, 12);
  const __m256i r5 = _mm256_alignr_epi8(c, b, 4);

  return _mm256_packus_epi16(
      filter(_mm256_unpacklo_epi8(a, r5), _mm256_unpacklo_epi8(r1, r3),
             _mm256_unpacklo_epi8(r2, b), ty),
      filter(_mm256_unpackhi_epi8(a, r5), _mm256_unpackhi_epi8(r1, r3),
             _mm256_unpackhi_epi8(r2, b), ty));
}

void vp8_mp_recon_sixtap4x4_pair_avx2(unsigned char *u, unsigned char *v,
                                      int src_stride, int xoffset, int yoffset,
                                      unsigned char *dst_u,
                                      unsigned char *dst_v, int dst_stride) {
  const taps tx = load_taps(xoffset), ty = load_taps(yoffset);
  __m256i rows;

  if (!yoffset) {
    rows = xoffset ? rows_of_4(u, v, src_stride, 1, tx)
                   : rows_of_4(u, v, src_stride, 0, tx);
  } else if (xoffset) {
    rows = predict_pair_down(u, v, src_stride, 1, tx, ty);
  } else {
    rows = predict_pair_down(u, v, src_stride, 0, tx, ty);
  }
  store_4(dst_u, dst_stride, _mm256_castsi256_si128(rows));
  store_4(dst_v, dst_stride, _mm256_extracti128_si256(rows, 1));
}
