/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The forward transform in two forms. One transforms four 4x4 blocks at a time,
 * with subtraction and quantization and without a store in between: a vector
 * holds a row of all four blocks. The other transforms one or two blocks of
 * differences: a vector holds two rows.
 */

#include <immintrin.h>
#include <string.h>

#include "./vpx_config.h"
#include "./vp8_rtcd.h"
#include "vpx_ports/bitops.h"

typedef struct {
  __m256i round[4], quant[4]; /* by row */
} quantizer;

static INLINE __m256i load_16(const unsigned char *p) {
  return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)p));
}

/* Load eight pixels of each of two rows. */
static INLINE __m256i load_8_8(const unsigned char *p, const unsigned char *q) {
  return _mm256_cvtepu8_epi16(
      _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)p),
                         _mm_loadl_epi64((const __m128i *)q)));
}

static INLINE void load_quantizer(quantizer *to, const short *round,
                                  const short *quant) {
  int i;

  for (i = 0; i < 4; ++i) {
    to->round[i] = _mm256_broadcastq_epi64(
        _mm_loadl_epi64((const __m128i *)(round + 4 * i)));
    to->quant[i] = _mm256_broadcastq_epi64(
        _mm_loadl_epi64((const __m128i *)(quant + 4 * i)));
  }
}

static INLINE __m256i pairs(int a, int b, int c, int d) {
  return _mm256_set1_epi64x(
      (long long)((unsigned long long)(a & 0xffff) |
                  (unsigned long long)(b & 0xffff) << 16 |
                  (unsigned long long)(c & 0xffff) << 32 |
                  (unsigned long long)(d & 0xffff) << 48));
}

/* Transform a row of four values in each block. */
static INLINE __m256i transform_row(__m256i diff) {
  const __m256i reverse = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(6, 7, 4, 5, 2, 3, 0, 1, 14, 15, 12, 13, 10, 11, 8, 9));
  const __m256i x = _mm256_slli_epi16(diff, 3);
  const __m256i r = _mm256_shuffle_epi8(x, reverse);
  /* a = x0 + x3, b = x1 + x2; d = x0 - x3, c = x1 - x2 */
  const __m256i a_b_b_a = _mm256_add_epi16(x, r);
  const __m256i d_c_mc_md = _mm256_sub_epi16(x, r);
  const __m256i even = _mm256_madd_epi16(a_b_b_a, pairs(1, 1, -1, 1));
  const __m256i odd = _mm256_srai_epi32(
      _mm256_add_epi32(
          _mm256_madd_epi16(d_c_mc_md, pairs(5352, 2217, 5352, -2217)),
          _mm256_set1_epi64x(7500ll << 32 | 14500)),
      12);

  return _mm256_blend_epi16(even, _mm256_slli_epi32(odd, 16), 0xaa);
}

/* Returns (c * by_c + d * by_d + round) >> 16. */
static INLINE __m256i rotate(__m256i c, __m256i d, int by_c, int by_d,
                             int round) {
  const __m256i by = pairs(by_c, by_d, by_c, by_d);
  const __m256i add = _mm256_set1_epi32(round);
  const __m256i lo = _mm256_madd_epi16(_mm256_unpacklo_epi16(c, d), by);
  const __m256i hi = _mm256_madd_epi16(_mm256_unpackhi_epi16(c, d), by);

  return _mm256_packs_epi32(_mm256_srai_epi32(_mm256_add_epi32(lo, add), 16),
                            _mm256_srai_epi32(_mm256_add_epi32(hi, add), 16));
}

/* Transform rows of differences to rows of coefficients. */
static INLINE void transform(__m256i row[4]) {
  const __m256i r0 = transform_row(row[0]), r1 = transform_row(row[1]);
  const __m256i r2 = transform_row(row[2]), r3 = transform_row(row[3]);
  const __m256i a = _mm256_add_epi16(r0, r3), b = _mm256_add_epi16(r1, r2);
  const __m256i c = _mm256_sub_epi16(r1, r2), d = _mm256_sub_epi16(r0, r3);
  const __m256i seven = _mm256_set1_epi16(7);
  const __m256i a7 = _mm256_add_epi16(a, seven);

  row[0] = _mm256_srai_epi16(_mm256_add_epi16(a7, b), 4);
  row[2] = _mm256_srai_epi16(_mm256_sub_epi16(a7, b), 4);
  /* plus one where d is not zero */
  row[1] = _mm256_add_epi16(rotate(c, d, 2217, 5352, 12000 + 65536),
                            _mm256_cmpeq_epi16(d, _mm256_setzero_si256()));
  row[3] = rotate(c, d, -5352, 2217, 51000);
}

/* Find the ends of two blocks. */
static INLINE void find_eobs(__m256i first, __m256i second, char *eobs) {
  const __m256i zigzag = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15));
  const __m256i bytes = _mm256_permute4x64_epi64(
      _mm256_packs_epi16(first, second), _MM_SHUFFLE(3, 1, 2, 0));
  const unsigned int coded =
      ~(unsigned int)_mm256_movemask_epi8(_mm256_cmpeq_epi8(
          _mm256_shuffle_epi8(bytes, zigzag), _mm256_setzero_si256()));

  eobs[0] = (char)get_msb((coded & 0xffff) * 2 + 1);
  eobs[1] = (char)get_msb((coded >> 16) * 2 + 1);
}

static INLINE void quantize(const __m256i row[4], const quantizer *q,
                            short *qcoeff, char *eobs) {
  __m256i y[4], any, top_02, top_13, bottom_02, bottom_13, block[4];
  int i;

  for (i = 0; i < 4; ++i) {
    y[i] = _mm256_sign_epi16(
        _mm256_mulhi_epi16(
            _mm256_add_epi16(_mm256_abs_epi16(row[i]), q->round[i]),
            q->quant[i]),
        row[i]);
  }
  any =
      _mm256_or_si256(_mm256_or_si256(y[0], y[1]), _mm256_or_si256(y[2], y[3]));
  if (_mm256_testz_si256(any, any)) {
    for (i = 0; i < 4; ++i) _mm256_storeu_si256((__m256i *)qcoeff + i, any);
    memset(eobs, 0, 4);
    return;
  }
  top_02 = _mm256_unpacklo_epi64(y[0], y[1]);
  top_13 = _mm256_unpackhi_epi64(y[0], y[1]);
  bottom_02 = _mm256_unpacklo_epi64(y[2], y[3]);
  bottom_13 = _mm256_unpackhi_epi64(y[2], y[3]);
  block[0] = _mm256_permute2x128_si256(top_02, bottom_02, 0x20);
  block[1] = _mm256_permute2x128_si256(top_13, bottom_13, 0x20);
  block[2] = _mm256_permute2x128_si256(top_02, bottom_02, 0x31);
  block[3] = _mm256_permute2x128_si256(top_13, bottom_13, 0x31);
  for (i = 0; i < 4; ++i) {
    _mm256_storeu_si256((__m256i *)qcoeff + i, block[i]);
  }
  find_eobs(block[0], block[1], eobs);
  find_eobs(block[2], block[3], eobs + 2);
}

void vp8_mp_recon_residual16x16_avx2(const unsigned char *src, int src_stride,
                                     const unsigned char *pred, int pred_stride,
                                     const short *round, const short *quant,
                                     short *qcoeff, char *eobs, short *dc) {
  quantizer q;
  int y, i;

  load_quantizer(&q, round, quant);
  for (y = 0; y < 4; ++y) {
    __m256i row[4], dcs;
    int two;

    for (i = 0; i < 4; ++i) {
      row[i] = _mm256_sub_epi16(load_16(src), load_16(pred));
      src += src_stride;
      pred += pred_stride;
    }
    transform(row);
    dcs = _mm256_shuffle_epi8(row[0], _mm256_set1_epi32(0x09080100));
    two = _mm_cvtsi128_si32(_mm256_castsi256_si128(dcs));
    memcpy(dc + 4 * y, &two, 4);
    two = _mm_cvtsi128_si32(_mm256_extracti128_si256(dcs, 1));
    memcpy(dc + 4 * y + 2, &two, 4);
    quantize(row, &q, qcoeff + 64 * y, eobs + 4 * y);
  }
}

void vp8_mp_recon_residual8x8_avx2(const unsigned char *src, int src_stride,
                                   const unsigned char *pred, int pred_stride,
                                   const short *round, const short *quant,
                                   short *qcoeff, char *eobs) {
  quantizer q;
  __m256i row[4];
  int i;

  load_quantizer(&q, round, quant);
  for (i = 0; i < 4; ++i) {
    row[i] = _mm256_sub_epi16(load_8_8(src, src + 4 * src_stride),
                              load_8_8(pred, pred + 4 * pred_stride));
    src += src_stride;
    pred += pred_stride;
  }
  transform(row);
  quantize(row, &q, qcoeff, eobs);
}

/* Store rows of four blocks' coefficients block by block. */
static INLINE void store_blocks(const __m256i row[4], short *to) {
  const __m256i top_02 = _mm256_unpacklo_epi64(row[0], row[1]);
  const __m256i top_13 = _mm256_unpackhi_epi64(row[0], row[1]);
  const __m256i bottom_02 = _mm256_unpacklo_epi64(row[2], row[3]);
  const __m256i bottom_13 = _mm256_unpackhi_epi64(row[2], row[3]);
  __m256i *const block = (__m256i *)to;

  _mm256_storeu_si256(block,
                      _mm256_permute2x128_si256(top_02, bottom_02, 0x20));
  _mm256_storeu_si256(block + 1,
                      _mm256_permute2x128_si256(top_13, bottom_13, 0x20));
  _mm256_storeu_si256(block + 2,
                      _mm256_permute2x128_si256(top_02, bottom_02, 0x31));
  _mm256_storeu_si256(block + 3,
                      _mm256_permute2x128_si256(top_13, bottom_13, 0x31));
}

void vp8_mp_recon_transform16x16_avx2(const unsigned char *src, int src_stride,
                                      const unsigned char *pred,
                                      int pred_stride, short *coeff) {
  int y, i;

  for (y = 0; y < 4; ++y) {
    __m256i row[4];

    for (i = 0; i < 4; ++i) {
      row[i] = _mm256_sub_epi16(load_16(src), load_16(pred));
      src += src_stride;
      pred += pred_stride;
    }
    transform(row);
    store_blocks(row, coeff + 64 * y);
  }
}

void vp8_mp_recon_transform8x8_avx2(const unsigned char *src, int src_stride,
                                    const unsigned char *pred, int pred_stride,
                                    short *coeff) {
  __m256i row[4];
  int i;

  for (i = 0; i < 4; ++i) {
    row[i] = _mm256_sub_epi16(load_8_8(src, src + 4 * src_stride),
                              load_8_8(pred, pred + 4 * pred_stride));
    src += src_stride;
    pred += pred_stride;
  }
  transform(row);
  store_blocks(row, coeff);
}

/* Transform the residuals of four predictions of one block, side by side. */
void vp8_mp_recon_transform_batch_avx2(const unsigned char *src, int src_stride,
                                       const unsigned char *pred,
                                       short *coeff) {
  __m256i row[4];
  int i;

  for (i = 0; i < 4; ++i) {
    int pixels;

    memcpy(&pixels, src, 4);
    row[i] = _mm256_sub_epi16(_mm256_cvtepu8_epi16(_mm_set1_epi32(pixels)),
                              load_16(pred));
    src += src_stride;
    pred += 16;
  }
  transform(row);
  store_blocks(row, coeff);
}

/* pitch is in bytes, as in libvpx. */
void vp8_mp_recon_fdct8x4_avx2(short *input, short *output, int pitch) {
  const __m128i *const r[4] = { (const __m128i *)input,
                                (const __m128i *)(input + pitch / 2),
                                (const __m128i *)(input + pitch),
                                (const __m128i *)(input + 3 * pitch / 2) };
  const __m256i r0_r1 = transform_row(_mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128(r[0])), _mm_loadu_si128(r[1]), 1));
  const __m256i r3_r2 = transform_row(_mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128(r[3])), _mm_loadu_si128(r[2]), 1));
  const __m256i a_b = _mm256_add_epi16(r0_r1, r3_r2);
  const __m256i d_c = _mm256_sub_epi16(r0_r1, r3_r2);
  const __m256i b_a = _mm256_permute2x128_si256(a_b, a_b, 1);
  const __m256i c_d = _mm256_permute2x128_si256(d_c, d_c, 1);
  const __m256i first = _mm256_setr_epi32(-1, -1, -1, -1, 0, 0, 0, 0);
  const __m256i a_mb = _mm256_sign_epi16(
      a_b, _mm256_blend_epi32(_mm256_set1_epi16(-1), _mm256_set1_epi16(1), 15));
  const __m256i by = _mm256_blend_epi32(pairs(2217, -5352, 2217, -5352),
                                        pairs(2217, 5352, 2217, 5352), 15);
  const __m256i add = _mm256_blend_epi32(_mm256_set1_epi32(51000),
                                         _mm256_set1_epi32(12000 + 65536), 15);
  const __m256i lo = _mm256_madd_epi16(_mm256_unpacklo_epi16(c_d, d_c), by);
  const __m256i hi = _mm256_madd_epi16(_mm256_unpackhi_epi16(c_d, d_c), by);
  /* even: rows 0 and 2; odd: rows 1 and 3. See transform(). */
  const __m256i even = _mm256_srai_epi16(
      _mm256_add_epi16(_mm256_add_epi16(b_a, a_mb), _mm256_set1_epi16(7)), 4);
  const __m256i odd = _mm256_add_epi16(
      _mm256_packs_epi32(_mm256_srai_epi32(_mm256_add_epi32(lo, add), 16),
                         _mm256_srai_epi32(_mm256_add_epi32(hi, add), 16)),
      _mm256_and_si256(_mm256_cmpeq_epi16(d_c, _mm256_setzero_si256()), first));

  _mm256_storeu_si256((__m256i *)output, _mm256_unpacklo_epi64(even, odd));
  _mm256_storeu_si256((__m256i *)(output + 16),
                      _mm256_unpackhi_epi64(even, odd));
}

void vp8_mp_recon_fdct4x4_avx2(short *input, short *output, int pitch) {
  const __m128i *const r[4] = { (const __m128i *)input,
                                (const __m128i *)(input + pitch / 2),
                                (const __m128i *)(input + pitch),
                                (const __m128i *)(input + 3 * pitch / 2) };
  const __m256i rows = transform_row(_mm256_inserti128_si256(
      _mm256_castsi128_si256(
          _mm_unpacklo_epi64(_mm_loadl_epi64(r[0]), _mm_loadl_epi64(r[1]))),
      _mm_unpacklo_epi64(_mm_loadl_epi64(r[3]), _mm_loadl_epi64(r[2])), 1));
  const __m128i r0_r1 = _mm256_castsi256_si128(rows);
  const __m128i r3_r2 = _mm256_extracti128_si256(rows, 1);
  const __m128i a_b = _mm_add_epi16(r0_r1, r3_r2);
  const __m128i d_c = _mm_sub_epi16(r0_r1, r3_r2);
  const __m128i b_a = _mm_shuffle_epi32(a_b, _MM_SHUFFLE(1, 0, 3, 2));
  const __m128i c_d = _mm_shuffle_epi32(d_c, _MM_SHUFFLE(1, 0, 3, 2));
  const __m128i a_mb =
      _mm_sign_epi16(a_b, _mm_setr_epi16(1, 1, 1, 1, -1, -1, -1, -1));
  const __m128i row1 =
      _mm_madd_epi16(_mm_unpacklo_epi16(c_d, d_c),
                     _mm256_castsi256_si128(pairs(2217, 5352, 2217, 5352)));
  const __m128i row3 =
      _mm_madd_epi16(_mm_unpackhi_epi16(c_d, d_c),
                     _mm256_castsi256_si128(pairs(2217, -5352, 2217, -5352)));
  const __m128i even = _mm_srai_epi16(
      _mm_add_epi16(_mm_add_epi16(b_a, a_mb), _mm_set1_epi16(7)), 4);
  const __m128i odd = _mm_add_epi16(
      _mm_packs_epi32(
          _mm_srai_epi32(_mm_add_epi32(row1, _mm_set1_epi32(12000 + 65536)),
                         16),
          _mm_srai_epi32(_mm_add_epi32(row3, _mm_set1_epi32(51000)), 16)),
      _mm_and_si128(_mm_cmpeq_epi16(d_c, _mm_setzero_si128()),
                    _mm_setr_epi32(-1, -1, 0, 0)));

  _mm_storeu_si128((__m128i *)output, _mm_unpacklo_epi64(even, odd));
  _mm_storeu_si128((__m128i *)(output + 8), _mm_unpackhi_epi64(even, odd));
}
