/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* The classes of a block's coefficients for the trellis. */

#include <emmintrin.h>

#include "./vpx_config.h"
#include "./vp8_rtcd.h"
#include "vp8/common/entropy.h"

/* Returns the bits, in zigzag order, of a block's words that are all ones. lo
 * holds the first eight words in raster order, hi the others. */
static unsigned int zigzag_bits(__m128i lo, __m128i hi) {
  const __m128i *const bits = (const __m128i *)vp8_default_zig_zag_mask;
  __m128i set = _mm_or_si128(_mm_and_si128(lo, _mm_load_si128(bits)),
                             _mm_and_si128(hi, _mm_load_si128(bits + 1)));

  set = _mm_or_si128(set, _mm_srli_si128(set, 8));
  set = _mm_or_si128(set, _mm_srli_si128(set, 4));
  set = _mm_or_si128(set, _mm_srli_si128(set, 2));
  return _mm_cvtsi128_si32(set) & 0xffff;
}

/* Differences wrap at 16 bits. They are right if each coefficient differs from
 * its dequantized value by less than 32768. */
void vp8_mp_recon_classify_sse2(const short *coeff, const short *qcoeff,
                                const short *dequant, unsigned int *nonzero,
                                unsigned int *up) {
  const __m128i zero = _mm_setzero_si128();
  __m128i is_up[2], is_nonzero[2];
  int i;

  for (i = 0; i < 2; ++i) {
    const __m128i c = _mm_loadu_si128((const __m128i *)coeff + i);
    const __m128i q = _mm_loadu_si128((const __m128i *)qcoeff + i);
    const __m128i step = _mm_loadu_si128((const __m128i *)dequant + i);
    const __m128i c_abs = _mm_max_epi16(c, _mm_sub_epi16(zero, c));
    const __m128i q_abs = _mm_max_epi16(q, _mm_sub_epi16(zero, q));
    const __m128i over = _mm_sub_epi16(_mm_mullo_epi16(q_abs, step), c_abs);

    is_up[i] =
        _mm_and_si128(_mm_cmpgt_epi16(over, zero), _mm_cmpgt_epi16(step, over));
    is_nonzero[i] = _mm_cmpgt_epi16(q_abs, zero);
  }
  *up = zigzag_bits(is_up[0], is_up[1]);
  *nonzero = zigzag_bits(is_nonzero[0], is_nonzero[1]);
}
