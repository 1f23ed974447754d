/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include <immintrin.h>

#include "./vpx_config.h"
#include "./vp8_rtcd.h"

/* Add the partial sums of the SAD of two rows. */
static INLINE void add_sad(__m256i *sum, __m256i source,
                           const unsigned char *at, int stride) {
  const __m256i rows = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)at)),
      _mm_loadu_si128((const __m128i *)(at + stride)), 1);

  *sum = _mm256_add_epi32(*sum, _mm256_sad_epu8(source, rows));
}

/* Sum up each of four accumulators. The SAD of 16x16 pixels fits into 16 bits.
 */
static INLINE __m128i total4(__m256i a, __m256i b, __m256i c, __m256i d) {
  const __m256i ab = _mm256_or_si256(a, _mm256_slli_epi64(b, 32));
  const __m256i cd = _mm256_or_si256(c, _mm256_slli_epi64(d, 32));
  const __m256i sum = _mm256_add_epi32(_mm256_unpacklo_epi64(ab, cd),
                                       _mm256_unpackhi_epi64(ab, cd));

  return _mm_add_epi32(_mm256_castsi256_si128(sum),
                       _mm256_extracti128_si256(sum, 1));
}

unsigned int vp8_mp_queue_pass1_best_site_avx2(const unsigned char *src,
                                               const unsigned char *at,
                                               int stride, int step) {
  const unsigned char *up = at - step * stride, *down = at + step * stride;
  __m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0;
  __m256i s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  unsigned int least;
  int i;

  for (i = 0; i < 8; ++i) {
    const __m256i source = _mm256_loadu_si256((const __m256i *)src + i);

    add_sad(&s0, source, up, stride);
    add_sad(&s1, source, down, stride);
    add_sad(&s2, source, at - step, stride);
    add_sad(&s3, source, at + step, stride);
    add_sad(&s4, source, up - step, stride);
    add_sad(&s5, source, up + step, stride);
    add_sad(&s6, source, down - step, stride);
    add_sad(&s7, source, down + step, stride);
    up += 2 * stride;
    at += 2 * stride;
    down += 2 * stride;
  }
  /* minpos: the minimum in the low 16 bits, and the index of its first
   * occurrence above. */
  least = (unsigned int)_mm_cvtsi128_si32(_mm_minpos_epu16(
      _mm_packus_epi32(total4(s0, s1, s2, s3), total4(s4, s5, s6, s7))));
  return (least & 0xffff) * 8 + (least >> 16);
}
