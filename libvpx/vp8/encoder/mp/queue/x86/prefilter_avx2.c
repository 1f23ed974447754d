/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Kernels of mp/queue/prefilter.h, for two rows of eight pixels at a time.
 */

#include <immintrin.h>

#include "./vpx_config.h"
#include "./vp8_rtcd.h"
#include "vp8/encoder/mp/queue/prefilter.h"

/* Clamp differences to this size, at which the weight is 0 at any strength. The
 * square of a larger one times 3 would not fit into 16 bits. */
#define LARGE 31

static INLINE __m128i load_rows(const unsigned char *p, int stride) {
  return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)p),
                            _mm_loadl_epi64((const __m128i *)(p + stride)));
}

void vp8_mp_queue_prefilter_add8x8_avx2(const unsigned char *own, int stride,
                                        const unsigned char *other,
                                        int strength, int scale,
                                        short *difference,
                                        unsigned short *weight) {
  const __m256i round = _mm256_set1_epi16((short)((1 << strength) >> 1));
  const __m256i most = _mm256_set1_epi16(16);
  const __m128i shift = _mm_cvtsi32_si128(strength);
  const __m128i scales = _mm_cvtsi32_si128(scale >> 1);
  int i;

  for (i = 0; i < 8; i += 2) {
    __m256i *const sum = (__m256i *)(difference + 8 * i);
    __m256i *const weights = (__m256i *)(weight + 8 * i);
    const __m256i here = _mm256_cvtepu8_epi16(load_rows(own, stride));
    const __m256i there =
        _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(other + 8 * i)));
    const __m256i d = _mm256_sub_epi16(there, here);
    const __m256i size =
        _mm256_min_epi16(_mm256_abs_epi16(d), _mm256_set1_epi16(LARGE));
    __m256i w = _mm256_mullo_epi16(size, size);

    w = _mm256_add_epi16(_mm256_add_epi16(w, round), _mm256_add_epi16(w, w));
    w = _mm256_min_epi16(_mm256_srl_epi16(w, shift), most);
    w = _mm256_sll_epi16(_mm256_sub_epi16(most, w), scales);
    _mm256_storeu_si256(weights,
                        _mm256_add_epi16(_mm256_loadu_si256(weights), w));
    _mm256_storeu_si256(sum, _mm256_add_epi16(_mm256_loadu_si256(sum),
                                              _mm256_mullo_epi16(w, d)));
    own += 2 * stride;
  }
}

/* Divide in floating point. Quotients are far smaller than 2^24 / all, so none
 * is rounded up to the next integer, and the result is exact. */
static INLINE __m256i mean(__m128i own, __m128i difference, __m128i weight) {
  const __m256i all =
      _mm256_add_epi32(_mm256_cvtepu16_epi32(weight),
                       _mm256_set1_epi32(VP8_MP_QUEUE_PREFILTER_OWN_WEIGHT));
  const __m256i sum = _mm256_add_epi32(_mm256_cvtepi16_epi32(difference),
                                       _mm256_srli_epi32(all, 1));
  const __m256 quotient =
      _mm256_div_ps(_mm256_cvtepi32_ps(sum), _mm256_cvtepi32_ps(all));

  return _mm256_add_epi32(_mm256_cvtepu8_epi32(own),
                          _mm256_cvtps_epi32(_mm256_floor_ps(quotient)));
}

void vp8_mp_queue_prefilter_mean8x8_avx2(const unsigned char *own, int stride,
                                         const short *difference,
                                         const unsigned short *weight,
                                         unsigned char *to, int to_stride) {
  int i;

  for (i = 0; i < 8; ++i, own += stride, to += to_stride) {
    const __m256i pixels =
        mean(_mm_loadl_epi64((const __m128i *)own),
             _mm_loadu_si128((const __m128i *)(difference + 8 * i)),
             _mm_loadu_si128((const __m128i *)(weight + 8 * i)));
    const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(pixels),
                                           _mm256_extracti128_si256(pixels, 1));

    _mm_storel_epi64((__m128i *)to, _mm_packus_epi16(words, words));
  }
}
