// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// SAD kernels and the minimum over the partition tree, for each instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels_sad.cc"
#include <hwy/foreach_target.h>
// foreach_target.h must come first
#include <hwy/highway.h>

#include <cstring>

#include "common/mv_cost.h"
#include "cpu/kernels.h"

// The whole-pixel search spends most of its time on sums of absolute differences of four pixels at
// sliding positions. Highway 1.0 has no function for that; x86 has two instructions.
#undef CUDAME_DBSAD
#undef CUDAME_MPSAD
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
#define CUDAME_DBSAD 1
#elif HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
#define CUDAME_MPSAD 32
#elif HWY_TARGET <= HWY_SSE4 && HWY_ARCH_X86
#define CUDAME_MPSAD 16
#endif

HWY_BEFORE_NAMESPACE();
namespace cudame {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D8x16 = hn::CappedTag<uint8_t, 16>;

#if HWY_TARGET != HWY_SCALAR

template <class V>
HWY_INLINE V AbsDifference(V a, V b) {
    return hn::Or(hn::SaturatedSub(a, b), hn::SaturatedSub(b, a));
}

// Vectors of 16-bit positions, no wider than the padding of a batch.
using DPos = hn::CappedTag<uint16_t, 32>;

void Sad4x4List(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, const int32_t* offsets,
                int n, uint16_t* sads) {
    const D8x16 d;
    const hn::Repartition<uint16_t, D8x16> d16;
    const hn::Repartition<uint32_t, D8x16> d32;
    const size_t lanes = hn::Lanes(d);
    const auto low8 = hn::Set(d16, 0x00FF);
    const auto low16 = hn::Set(d32, 0x0000FFFF);
    for (int i = 0; i < n; i++) {
        const uint8_t* p = ref + offsets[i];
        for (int by = 0; by < 4; by++, p += 4 * stride)
            for (size_t x = 0; x < 16; x += lanes) {
                auto pairs = hn::Zero(d16);
                for (int y = 0; y < 4; y++) {
                    const auto diff =
                        hn::BitCast(d16, AbsDifference(hn::Load(d, src + 16 * (4 * by + y) + x),
                                                       hn::LoadU(d, p + y * stride + x)));
                    pairs = hn::Add(pairs, hn::Add(hn::And(diff, low8), hn::ShiftRight<8>(diff)));
                }
                const auto p32 = hn::BitCast(d32, pairs);
                HWY_ALIGN uint32_t quads[4];
                hn::Store(hn::Add(hn::And(p32, low16), hn::ShiftRight<16>(p32)), d32, quads);
                for (size_t b = 0; b < lanes / 4; b++)
                    sads[(4 * static_cast<size_t>(by) + x / 4 + b) * kBatchStride +
                         static_cast<size_t>(i)] = static_cast<uint16_t>(quads[b]);
            }
    }
}

#if CUDAME_DBSAD

// 32 positions. 128-bit lane k of a vector has the 16 bytes from 8 * k on. dbsad compares eight
// overlapping groups of four of them with the source's group.
void Sad4x4Span(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, int n, uint16_t* sads) {
    const __m512i lanes0 = _mm512_setr_epi64(0, 1, 1, 2, 2, 3, 3, 4);
    const __m512i lanes8 = _mm512_setr_epi64(1, 2, 2, 3, 3, 4, 4, 5);
    for (int i = 0; i < n; i += 32)
        for (int by = 0; by < 4; by++) {
            __m512i sum0 = _mm512_setzero_si512(), sum1 = sum0, sum2 = sum0, sum3 = sum0;
            for (int y = 4 * by; y < 4 * by + 4; y++) {
                int32_t s[4];
                memcpy(s, src + 16 * y, 16);
                const __m512i r = _mm512_loadu_si512(ref + y * stride + i);
                const __m512i r0 = _mm512_permutexvar_epi64(lanes0, r);
                const __m512i r8 = _mm512_permutexvar_epi64(lanes8, r);
                // 0x94: dwords 0 1 1 2; 0xE9: dwords 1 2 2 3
                sum0 = _mm512_add_epi16(sum0, _mm512_dbsad_epu8(_mm512_set1_epi32(s[0]), r0, 0x94));
                sum1 = _mm512_add_epi16(sum1, _mm512_dbsad_epu8(_mm512_set1_epi32(s[1]), r0, 0xE9));
                sum2 = _mm512_add_epi16(sum2, _mm512_dbsad_epu8(_mm512_set1_epi32(s[2]), r8, 0x94));
                sum3 = _mm512_add_epi16(sum3, _mm512_dbsad_epu8(_mm512_set1_epi32(s[3]), r8, 0xE9));
            }
            uint16_t* out = sads + 4 * by * kBatchStride + i;
            _mm512_storeu_si512(out, sum0);
            _mm512_storeu_si512(out + kBatchStride, sum1);
            _mm512_storeu_si512(out + 2 * kBatchStride, sum2);
            _mm512_storeu_si512(out + 3 * kBatchStride, sum3);
        }
}

#elif CUDAME_MPSAD == 32

void Sad4x4Span(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, int n, uint16_t* sads) {
    for (int i = 0; i < n; i += 16)
        for (int by = 0; by < 4; by++) {
            __m256i sum0 = _mm256_setzero_si256(), sum1 = sum0, sum2 = sum0, sum3 = sum0;
            for (int y = 4 * by; y < 4 * by + 4; y++) {
                const __m256i s = _mm256_broadcastsi128_si256(
                    _mm_load_si128(reinterpret_cast<const __m128i*>(src + 16 * y)));
                const __m256i r =
                    _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ref + y * stride + i));
                // The 16 bytes from 0 and 8 on, and those from 8 and 16 on.
                const __m256i r0 = _mm256_permute4x64_epi64(r, 0x94);
                const __m256i r8 = _mm256_permute4x64_epi64(r, 0xE9);
                // For each lane, bit 2 moves the positions by 4, and bits 0-1 choose the group of
                // the source.
                sum0 = _mm256_add_epi16(sum0, _mm256_mpsadbw_epu8(r0, s, 0x00));
                sum1 = _mm256_add_epi16(sum1, _mm256_mpsadbw_epu8(r0, s, 0x2D));
                sum2 = _mm256_add_epi16(sum2, _mm256_mpsadbw_epu8(r8, s, 0x12));
                sum3 = _mm256_add_epi16(sum3, _mm256_mpsadbw_epu8(r8, s, 0x3F));
            }
            __m256i sums[4] = {sum0, sum1, sum2, sum3};
            for (int bx = 0; bx < 4; bx++)
                _mm256_storeu_si256(
                    reinterpret_cast<__m256i*>(sads + (4 * by + bx) * kBatchStride + i), sums[bx]);
        }
}

#elif CUDAME_MPSAD == 16

void Sad4x4Span(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, int n, uint16_t* sads) {
    for (int i = 0; i < n; i += 8)
        for (int by = 0; by < 4; by++) {
            __m128i sum0 = _mm_setzero_si128(), sum1 = sum0, sum2 = sum0, sum3 = sum0;
            for (int y = 4 * by; y < 4 * by + 4; y++) {
                const uint8_t* p = ref + y * stride + i;
                const __m128i s = _mm_load_si128(reinterpret_cast<const __m128i*>(src + 16 * y));
                const __m128i r0 = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
                const __m128i r8 = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 8));
                sum0 = _mm_add_epi16(sum0, _mm_mpsadbw_epu8(r0, s, 0));
                sum1 = _mm_add_epi16(sum1, _mm_mpsadbw_epu8(r0, s, 5));
                sum2 = _mm_add_epi16(sum2, _mm_mpsadbw_epu8(r8, s, 2));
                sum3 = _mm_add_epi16(sum3, _mm_mpsadbw_epu8(r8, s, 7));
            }
            __m128i sums[4] = {sum0, sum1, sum2, sum3};
            for (int bx = 0; bx < 4; bx++)
                _mm_storeu_si128(
                    reinterpret_cast<__m128i*>(sads + (4 * by + bx) * kBatchStride + i), sums[bx]);
        }
}

#else

// Compares one pixel of the source at as many positions as a vector holds.
void Sad4x4Span(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, int n, uint16_t* sads) {
    const hn::CappedTag<uint16_t, 16> d16;
    const hn::Rebind<uint8_t, decltype(d16)> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < n; i += lanes)
        for (int b = 0; b < 16; b++) {
            const int bx = 4 * (b % 4), by = 4 * (b / 4);
            auto sum = hn::Zero(d16);
            for (int y = by; y < by + 4; y++)
                for (int x = bx; x < bx + 4; x++)
                    sum = hn::Add(
                        sum,
                        hn::PromoteTo(d16, AbsDifference(hn::Set(d, src[16 * y + x]),
                                                         hn::LoadU(d, ref + y * stride + x + i))));
            hn::StoreU(sum, d16, sads + b * kBatchStride + i);
        }
}

#endif

void RateSpan(const int* col_costs, int row_cost, int sad_per_bit, int n, uint16_t* rates) {
    const hn::CappedTag<int32_t, 16> d;
    const hn::Rebind<uint16_t, decltype(d)> d16;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto row = hn::Set(d, row_cost), factor = hn::Set(d, sad_per_bit);
    const auto half = hn::Set(d, 128), most = hn::Set(d, kMaxRate);
    int i = 0;
    for (; i + lanes <= n; i += lanes) {
        const auto cost = hn::Mul(hn::Add(row, hn::LoadU(d, col_costs + i)), factor);
        const auto rate = hn::Min(hn::ShiftRight<8>(hn::Add(cost, half)), most);
        hn::StoreU(hn::DemoteTo(d16, rate), d16, rates + i);
    }
    for (; i < n; i++)
        rates[i] = static_cast<uint16_t>(ScaleRate(row_cost + col_costs[i], sad_per_bit));
}

void TreeMin(uint16_t* sads, uint16_t* rates, int n, uint16_t cost[CUDAME_BLOCKS],
             int16_t index[CUDAME_BLOCKS]) {
    const DPos d;
    using V = hn::Vec<DPos>;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const int padded = (n + lanes - 1) / lanes * lanes;
    // Positions after the last get the highest rate, which never wins.
    for (int i = n; i < padded; i++) rates[i] = kMaxRate;

    const auto load = [&](int b, int i)
                          HWY_ATTR { return hn::Load(d, sads + b * kBatchStride + i); };
    const auto store = [&](V v, int b, int i)
                           HWY_ATTR { hn::Store(v, d, sads + b * kBatchStride + i); };
    for (int i = 0; i < padded; i += lanes) {
        const auto quad = [&](int b) HWY_ATTR {
            return hn::Add(hn::Add(load(b, i), load(b + 1, i)),
                           hn::Add(load(b + 4, i), load(b + 5, i)));
        };
        const V q0 = quad(CUDAME_BLOCK_4X4), q1 = quad(CUDAME_BLOCK_4X4 + 2);
        const V q2 = quad(CUDAME_BLOCK_4X4 + 8), q3 = quad(CUDAME_BLOCK_4X4 + 10);
        const V top = hn::Add(q0, q1), bottom = hn::Add(q2, q3);
        store(q0, CUDAME_BLOCK_8X8, i);
        store(q1, CUDAME_BLOCK_8X8 + 1, i);
        store(q2, CUDAME_BLOCK_8X8 + 2, i);
        store(q3, CUDAME_BLOCK_8X8 + 3, i);
        store(hn::Add(q0, q2), CUDAME_BLOCK_8X16, i);
        store(hn::Add(q1, q3), CUDAME_BLOCK_8X16 + 1, i);
        store(top, CUDAME_BLOCK_16X8, i);
        store(bottom, CUDAME_BLOCK_16X8 + 1, i);
        store(hn::Add(top, bottom), CUDAME_BLOCK_16X16, i);
    }

    for (int b = 0; b < CUDAME_BLOCKS; b++) {
        const auto cost_at = [&](int i) HWY_ATTR {
            return hn::SaturatedAdd(load(b, i), hn::Load(d, rates + i));
        };
        const V before = hn::Set(d, cost[b]);
        V best = before;
        for (int i = 0; i < padded; i += lanes) best = hn::Min(best, cost_at(i));
        if (hn::AllTrue(d, hn::Eq(best, before))) continue;

        const V lowest = hn::MinOfLanes(d, best);
        for (int i = 0; i < padded; i += lanes) {
            const intptr_t lane = hn::FindFirstTrue(d, hn::Eq(cost_at(i), lowest));
            if (lane < 0) continue;
            cost[b] = hn::GetLane(lowest);
            index[b] = static_cast<int16_t>(i + lane);
            break;
        }
    }
}

#endif  // HWY_TARGET != HWY_SCALAR

void SetSad(Kernels* k) {
    k->name = hwy::TargetName(HWY_TARGET);
#if HWY_TARGET != HWY_SCALAR
    k->sad4x4_list = Sad4x4List;
    k->sad4x4_span = Sad4x4Span;
    k->rate_span = RateSpan;
    k->tree_min = TreeMin;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cudame
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudame {

HWY_EXPORT(SetSad);

void SetSadKernels(Kernels* k) { HWY_DYNAMIC_DISPATCH(SetSad)(k); }

}  // namespace cudame
#endif  // HWY_ONCE
