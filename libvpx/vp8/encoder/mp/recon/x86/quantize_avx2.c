/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The fast and the regular quantizer, two blocks at a time. In the regular one,
 * the dead zone of a coefficient depends on the number of zeros before it in
 * zigzag order, so one decision depends on those before. But most coefficients
 * fail even without zeros before them, or pass with the largest possible number
 * of zeros. The few others are decided one by one.
 */

#include <immintrin.h>

#include "./vpx_config.h"
#include "./vp8_rtcd.h"
#include "vp8/common/blockd.h"
#include "vp8/common/entropy.h"
#include "vp8/encoder/block.h"
#include "vpx_ports/bitops.h"

typedef struct quantizer {
  __m256i round, quant, shift, dequant;
  __m256i zbin;    /* including zbin_extra */
  __m256i boost;   /* boost of each coefficient if all before it are zeros, in
                      raster order */
  __m256i counted; /* mask of the coefficients whose error counts */
  const short *zrun_zbin_boost;
} quantizer;

static INLINE __m256i load(const short *p) {
  return _mm256_loadu_si256((const __m256i *)p);
}

static INLINE quantizer load_quantizer(const BLOCK *b, const short *dequant,
                                       int first, int regular) {
  quantizer q;

  q.dequant = load(dequant);
  q.round = load(b->round);
  q.counted =
      _mm256_setr_epi32(first ? -65536 : -1, -1, -1, -1, -1, -1, -1, -1);
  if (!regular) {
    q.quant = load(b->quant_fast);
    return q;
  }
  q.quant = load(b->quant);
  q.shift = load(b->quant_shift);
  q.zbin = _mm256_add_epi16(load(b->zbin), _mm256_set1_epi16(b->zbin_extra));
  {
    /* shuffle from zigzag order to raster order: 0 1 5 6 2 4 7 12, 3 8 11 13 9
     * 10 14 15 */
    const __m256i boost = load(b->zrun_zbin_boost);
    const __m256i first_half = _mm256_permute2x128_si256(boost, boost, 0x00);
    const __m256i second_half = _mm256_permute2x128_si256(boost, boost, 0x11);
    const __m256i from_first = _mm256_shuffle_epi8(
        first_half, _mm256_setr_epi8(0, 1, 2, 3, 10, 11, 12, 13, 4, 5, 8, 9, 14,
                                     15, -1, -1, 6, 7, -1, -1, -1, -1, -1, -1,
                                     -1, -1, -1, -1, -1, -1, -1, -1));
    const __m256i from_second = _mm256_shuffle_epi8(
        second_half, _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                      -1, -1, -1, -1, 8, 9, -1, -1, 0, 1, 6, 7,
                                      10, 11, 2, 3, 4, 5, 12, 13, 14, 15));

    q.boost = _mm256_or_si256(from_first, from_second);
    q.zrun_zbin_boost = b->zrun_zbin_boost;
  }
  return q;
}

/* Returns the bits, in zigzag order, of the words of two blocks that are all
 * ones. The bits of the second block are the upper ones. */
static INLINE unsigned int zigzag_bits(__m256i first, __m256i second) {
  const __m256i zigzag = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15));
  const __m256i bytes = _mm256_permute4x64_epi64(
      _mm256_packs_epi16(first, second), _MM_SHUFFLE(3, 1, 2, 0));

  return (unsigned int)_mm256_movemask_epi8(_mm256_shuffle_epi8(bytes, zigzag));
}

/* Returns all ones in the words of a block whose bits are set. */
static INLINE __m256i words_of(unsigned int bits) {
  const __m256i in_place = load(vp8_default_zig_zag_mask);

  return _mm256_cmpeq_epi16(
      _mm256_and_si256(_mm256_set1_epi16((short)bits), in_place), in_place);
}

/* Clear the bits of the coefficients that fail the dead zone. over: by how much
 * each coefficient exceeds the dead zone without boost. open: bits of the
 * coefficients for which the zeros before them decide. */
static INLINE unsigned int pass(unsigned int bits, unsigned int open,
                                const short *over, const short *boost) {
  while (open) {
    const int i = get_lsb(open);
    const unsigned int before = bits & ((1u << i) - 1);
    const int zeros = before ? i - 1 - get_msb(before) : i;

    open &= open - 1;
    if (over[vp8_default_zig_zag1d[i]] < boost[zeros]) bits &= ~(1u << i);
  }
  return bits;
}

/* Quantize a block of coefficients z. Returns absolute levels; those that fail
 * the dead zone even without zeros before them are 0. */
static INLINE __m256i quantize(const quantizer *q, int regular, __m256i z,
                               __m256i *over) {
  const __m256i x = _mm256_abs_epi16(z);
  const __m256i rounded = _mm256_add_epi16(x, q->round);
  __m256i y = _mm256_mulhi_epi16(rounded, q->quant);

  if (!regular) return y;
  y = _mm256_mulhi_epi16(_mm256_add_epi16(y, rounded), q->shift);
  *over = _mm256_sub_epi16(x, q->zbin);
  return _mm256_andnot_si256(_mm256_srai_epi16(*over, 15), y);
}

/* Store levels and dequantized values. Returns partial sums of the squared
 * error. */
static INLINE __m256i finish(const quantizer *q, __m256i z, __m256i y,
                             short *qcoeff, short *dqcoeff) {
  const __m256i level = _mm256_sign_epi16(y, z);
  const __m256i value = _mm256_mullo_epi16(level, q->dequant);
  const __m256i e = _mm256_and_si256(_mm256_sub_epi16(z, value), q->counted);

  _mm256_storeu_si256((__m256i *)qcoeff, level);
  _mm256_storeu_si256((__m256i *)dqcoeff, value);
  return _mm256_madd_epi16(e, e);
}

static INLINE int sum(__m256i x) {
  __m128i s =
      _mm_add_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));

  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, _MM_SHUFFLE(1, 0, 3, 2)));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, _MM_SHUFFLE(2, 3, 0, 1)));
  return _mm_cvtsi128_si32(s);
}

static INLINE unsigned int pass_one(const quantizer *q, unsigned int bits,
                                    unsigned int open, __m256i over,
                                    __m256i *y) {
  DECLARE_ALIGNED(32, short, each[16]);
  unsigned int passed;

  if (!open) return bits;
  _mm256_store_si256((__m256i *)each, over);
  passed = pass(bits, open, each, q->zrun_zbin_boost);
  if (passed != bits) *y = _mm256_and_si256(*y, words_of(passed));
  return passed;
}

/* Quantize two blocks of coefficients. Returns the bits of the levels that are
 * not zero, those of the second block in the upper half. */
static INLINE unsigned int quantize_two(const quantizer *q, int regular,
                                        __m256i z0, __m256i z1, __m256i *y0,
                                        __m256i *y1) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i over0 = zero, over1 = zero;
  unsigned int bits, open;

  *y0 = quantize(q, regular, z0, &over0);
  *y1 = quantize(q, regular, z1, &over1);
  bits =
      zigzag_bits(_mm256_cmpgt_epi16(*y0, zero), _mm256_cmpgt_epi16(*y1, zero));
  if (!regular || !bits) return bits;
  open = bits & zigzag_bits(_mm256_cmpgt_epi16(q->boost, over0),
                            _mm256_cmpgt_epi16(q->boost, over1));
  if (!open) return bits;
  return pass_one(q, bits & 0xffff, open & 0xffff, over0, y0) |
         pass_one(q, bits >> 16, open >> 16, over1, y1) << 16;
}

static INLINE int quantize_blocks(const quantizer *q, int regular,
                                  const BLOCKD *d, const short *coeff, int n,
                                  unsigned short *coded) {
  __m256i error = _mm256_setzero_si256(), y0, y1;
  unsigned int bits;
  int i;

  for (i = 0; i + 1 < n; i += 2) {
    const int at = 16 * i;
    const __m256i z0 = load(coeff + at), z1 = load(coeff + at + 16);
    __m256i e0, e1;

    bits = quantize_two(q, regular, z0, z1, &y0, &y1);
    e0 = finish(q, z0, y0, d->qcoeff + at, d->dqcoeff + at);
    e1 = finish(q, z1, y1, d->qcoeff + at + 16, d->dqcoeff + at + 16);
    error = _mm256_add_epi32(error, _mm256_add_epi32(e0, e1));
    coded[i] = (unsigned short)(bits & 0xffff);
    coded[i + 1] = (unsigned short)(bits >> 16);
    d->eob[i] = (char)get_msb((bits & 0xffff) * 2 + 1);
    d->eob[i + 1] = (char)get_msb((bits >> 16) * 2 + 1);
  }
  if (i < n) {
    const __m256i z = load(coeff + 16 * i);

    bits = quantize_two(q, regular, z, _mm256_setzero_si256(), &y0, &y1);
    error = _mm256_add_epi32(
        error, finish(q, z, y0, d->qcoeff + 16 * i, d->dqcoeff + 16 * i));
    coded[i] = (unsigned short)bits;
    d->eob[i] = (char)get_msb(bits * 2 + 1);
  }
  return sum(error);
}

int vp8_mp_recon_quantize_avx2(MACROBLOCK *x, int block, int n, int first,
                               unsigned short *coded) {
  const BLOCK *const b = &x->block[block];
  const BLOCKD *const d = &x->e_mbd.block[block];
  quantizer q;

  if (x->quantize_b == vp8_fast_quantize_b) {
    q = load_quantizer(b, d->dequant, first, 0);
    return quantize_blocks(&q, 0, d, b->coeff, n, coded);
  }
  q = load_quantizer(b, d->dequant, first, 1);
  return quantize_blocks(&q, 1, d, b->coeff, n, coded);
}

static INLINE void quantize_each(const quantizer *q, int regular, int n,
                                 const short *coeff, short *qcoeff,
                                 short *dqcoeff, unsigned short *coded,
                                 int *error) {
  int i;

  for (i = 0; i < n; i += 2) {
    const int last = i + 1 == n;
    const __m256i z0 = load(coeff + 16 * i);
    const __m256i z1 = load(coeff + 16 * (last ? i : i + 1));
    __m256i y0, y1;
    const unsigned int bits = quantize_two(q, regular, z0, z1, &y0, &y1);

    error[i] = sum(finish(q, z0, y0, qcoeff + 16 * i, dqcoeff + 16 * i));
    coded[i] = (unsigned short)(bits & 0xffff);
    if (last) break;
    error[i + 1] =
        sum(finish(q, z1, y1, qcoeff + 16 * i + 16, dqcoeff + 16 * i + 16));
    coded[i + 1] = (unsigned short)(bits >> 16);
  }
}

void vp8_mp_recon_quantize_batch_avx2(const MACROBLOCK *x, int block, int n,
                                      const short *coeff, short *qcoeff,
                                      short *dqcoeff, unsigned short *coded,
                                      int *error) {
  const BLOCK *const b = &x->block[block];
  const short *const dequant = x->e_mbd.block[block].dequant;
  quantizer q;

  if (x->quantize_b == vp8_fast_quantize_b) {
    q = load_quantizer(b, dequant, 0, 0);
    quantize_each(&q, 0, n, coeff, qcoeff, dqcoeff, coded, error);
  } else {
    q = load_quantizer(b, dequant, 0, 1);
    quantize_each(&q, 1, n, coeff, qcoeff, dqcoeff, coded, error);
  }
}
