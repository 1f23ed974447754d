// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// SADs of a macroblock and of its quarters, and the best positions of the blocks that quarters make
// up, for each instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels_lean_sad.cc"
#include <hwy/foreach_target.h>
// foreach_target.h must come first
#include <hwy/highway.h>

#include <algorithm>
#include <utility>

#include "cpu/kernels.h"
#include "cpu/kernels_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cudame {
namespace HWY_NAMESPACE {

#if CUDAME_FIXED_VECTORS

template <class V>
HWY_INLINE V AbsDifference(V a, V b) {
    return hn::Or(hn::SaturatedSub(a, b), hn::SaturatedSub(b, a));
}

#if CUDAME_SSSE3
HWY_INLINE hn::Vec128<uint64_t> Sad8(hn::Vec128<uint8_t> a, hn::Vec128<uint8_t> b) {
    return hn::Vec128<uint64_t>{_mm_sad_epu8(a.raw, b.raw)};
}
#if CUDAME_LANES >= 2
HWY_INLINE hn::Vec256<uint64_t> Sad8(hn::Vec256<uint8_t> a, hn::Vec256<uint8_t> b) {
    return hn::Vec256<uint64_t>{_mm256_sad_epu8(a.raw, b.raw)};
}
#endif
#if CUDAME_LANES >= 4
HWY_INLINE hn::Vec512<uint64_t> Sad8(hn::Vec512<uint8_t> a, hn::Vec512<uint8_t> b) {
    return hn::Vec512<uint64_t>{_mm512_sad_epu8(a.raw, b.raw)};
}
#endif
#else
template <class V>
HWY_INLINE hn::Vec128<uint64_t> Sad8(V a, V b) {
    return hn::SumsOf8(AbsDifference(a, b));
}
#endif

// Return the sum of the 128-bit lanes of a vector.
template <class D>
HWY_INLINE hn::Vec128<uint64_t> SumOfBlocks(D d, hn::Vec<D> v) {
    (void)d;
    if constexpr (hn::MaxLanes(D()) == 2) {
        return v;
    } else {
        const hn::Half<D> half;
        return SumOfBlocks(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
    }
}

// Not in a loop: GCC would first copy the memory piece by piece, and loads would wait for that.
template <class D, size_t kCount>
struct Vectors {
    hn::Vec<D> v[kCount];
};
template <class D, size_t... k>
HWY_INLINE Vectors<D, sizeof...(k)> LoadAll(D d, const uint8_t* p, std::index_sequence<k...>) {
    return {{hn::Load(d, p + k * hn::MaxLanes(D()))...}};
}

void Sad16List(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, const int32_t* offsets,
               int n, uint16_t* sads) {
    constexpr int kLanes = std::min(CUDAME_LANES, 2), kVectors = 16 / kLanes;
    const Bytes<kLanes> d;
    const Quads<Bytes<kLanes>> d64;
    const auto source = LoadAll(d, src, std::make_index_sequence<kVectors>());
    for (int i = 0; i < n; i++) {
        const uint8_t* p = ref + offsets[i];
        auto sum = Sad8(source.v[0], LoadLanes(d, p, stride));
        for (int k = 1; k < kVectors; k++)
            sum = hn::Add(sum, Sad8(source.v[k], LoadLanes(d, p + k * kLanes * stride, stride)));
        const auto halves = SumOfBlocks(d64, sum);
        sads[i] = static_cast<uint16_t>(hn::GetLane(halves) + hn::ExtractLane(halves, 1));
    }
}

// The 64-bit sums of 8x8 blocks are below 65536, so the sums of four positions fit the place of
// one.
void Sad8x8List(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, const int32_t* offsets,
                int n, uint16_t* sads) {
    // Loads limit the speed: vectors of four lanes take more of them to fill.
    constexpr int kLanes = std::min(CUDAME_LANES, 2), kVectors = 16 / kLanes;
    const Bytes<kLanes> d;
    const Quads<Bytes<kLanes>> d64;
    const Quads<Bytes<1>> d128;
    const auto source = LoadAll(d, src, std::make_index_sequence<kVectors>());
    const auto half = [&](const uint8_t* p, int first) HWY_ATTR {
        auto sum = Sad8(source.v[first], LoadLanes(d, p, stride));
        for (int k = 1; k < kVectors / 2; k++)
            sum = hn::Add(sum,
                          Sad8(source.v[first + k], LoadLanes(d, p + k * kLanes * stride, stride)));
        return SumOfBlocks(d64, sum);
    };
    const auto four = [&](const int32_t* at, int count, auto* top, auto* bottom) HWY_ATTR {
        *top = *bottom = hn::Zero(d128);
        const auto add = [&](int k) HWY_ATTR {
            const uint8_t* p = ref + at[k];
            *top = hn::Or(hn::ShiftLeft<16>(*top), half(p, 0));
            *bottom = hn::Or(hn::ShiftLeft<16>(*bottom), half(p + 8 * stride, kVectors / 2));
        };
        for (int k = std::min(count, 4) - 1; k >= 0; k--) add(k);
    };
    // Store whole vectors, as quarter_min() loads them. A load would have to wait for smaller
    // stores.
    for (int i = 0; i < n; i += 8) {
        hn::Vec<Quads<Bytes<1>>> top[2], bottom[2];
        four(offsets + i, n - i, top, bottom);
        four(offsets + i + 4, n - i - 4, top + 1, bottom + 1);
        const auto store = [&](int q, hn::Vec<Quads<Bytes<1>>> v) HWY_ATTR {
            const hn::Repartition<uint16_t, Bytes<1>> d16;
            hn::StoreU(hn::BitCast(d16, v), d16, sads + q * kQuarterStride + i);
        };
        store(0, hn::InterleaveLower(d128, top[0], top[1]));
        store(1, hn::InterleaveUpper(d128, top[0], top[1]));
        store(2, hn::InterleaveLower(d128, bottom[0], bottom[1]));
        store(3, hn::InterleaveUpper(d128, bottom[0], bottom[1]));
    }
}

// The lowest costs of the blocks among eight positions.
struct QuarterCosts {
    static constexpr int kBlocks = 9;
    using D = hn::FixedTag<uint16_t, 8>;
    using V = hn::Vec<D>;
    V rate, cost[kBlocks];

    HWY_INLINE QuarterCosts(const uint16_t* quarters, const uint16_t* rates, int n) {
        const D d;
        // Positions after the last get the highest rate, which never wins.
        rate = hn::Or(hn::LoadU(d, rates), hn::LoadU(d, Beyond(n)));
        V q[4];
        for (int i = 0; i < 4; i++) q[i] = hn::LoadU(d, quarters + i * kQuarterStride);
        const V top = hn::Add(q[0], q[1]), bottom = hn::Add(q[2], q[3]);
        const V sads[kBlocks] = {hn::Add(top, bottom),
                                 top,
                                 bottom,
                                 hn::Add(q[0], q[2]),
                                 hn::Add(q[1], q[3]),
                                 q[0],
                                 q[1],
                                 q[2],
                                 q[3]};
        for (int b = 0; b < kBlocks; b++) cost[b] = hn::SaturatedAdd(sads[b], rate);
    }

  private:
    // Return a mask with all bits of lanes n and above.
    static const uint16_t* Beyond(int n) {
        alignas(32) static constexpr uint16_t kBits[16] = {
            0, 0, 0, 0, 0, 0, 0, 0, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535};
        return kBits + 8 - std::min(n, 8);
    }
};

#if HWY_TARGET <= HWY_SSE4 && HWY_ARCH_X86

// Gather eight results of phminposuw into 16-bit lanes: the minima, and their positions in *where.
HWY_INLINE __m128i Gather(const __m128i* r, __m128i* where) {
    const __m128i a =
        _mm_unpacklo_epi64(_mm_unpacklo_epi32(r[0], r[1]), _mm_unpacklo_epi32(r[2], r[3]));
    const __m128i b =
        _mm_unpacklo_epi64(_mm_unpacklo_epi32(r[4], r[5]), _mm_unpacklo_epi32(r[6], r[7]));
    *where = _mm_packus_epi32(_mm_srli_epi32(a, 16), _mm_srli_epi32(b, 16));
    return _mm_packus_epi32(_mm_blend_epi16(a, _mm_setzero_si128(), 0xAA),
                            _mm_blend_epi16(b, _mm_setzero_si128(), 0xAA));
}

HWY_INLINE void QuarterMin8(const uint16_t* quarters, const uint16_t* rates, int n, int first,
                            uint16_t cost[9], uint16_t sad[9], int8_t index[9]) {
    const QuarterCosts costs(quarters, rates, n);
    __m128i r[9];
    for (int b = 0; b < 9; b++) r[b] = _mm_minpos_epu16(costs.cost[b].raw);

    __m128i where;
    const __m128i lowest = Gather(r, &where);
    const __m128i before = _mm_loadu_si128(reinterpret_cast<const __m128i*>(cost));
    const __m128i keep = _mm_cmpeq_epi16(_mm_min_epu16(lowest, before), before);
    // A cost that is less than another one is not saturated.
    const __m128i at =
        _mm_add_epi16(_mm_mullo_epi16(where, _mm_set1_epi16(0x202)), _mm_set1_epi16(0x100));
    const __m128i sads = _mm_sub_epi16(lowest, _mm_shuffle_epi8(costs.rate.raw, at));
    const auto update = [&](uint16_t* p, __m128i v) HWY_ATTR {
        __m128i* const to = reinterpret_cast<__m128i*>(p);
        _mm_storeu_si128(to, _mm_blendv_epi8(v, _mm_loadu_si128(to), keep));
    };
    update(cost, lowest);
    update(sad, sads);
    const __m128i indices = _mm_add_epi16(where, _mm_set1_epi16(static_cast<int16_t>(first)));
    __m128i* const to = reinterpret_cast<__m128i*>(index);
    _mm_storel_epi64(to, _mm_blendv_epi8(_mm_packs_epi16(indices, indices), _mm_loadl_epi64(to),
                                         _mm_packs_epi16(keep, keep)));

    const uint32_t last = static_cast<uint32_t>(_mm_cvtsi128_si32(r[8]));
    const uint32_t last_cost = last & 65535, last_at = last >> 16;
    const bool better = last_cost < cost[8];
    const uint32_t last_sad = last_cost - rates[last_at];
    cost[8] = static_cast<uint16_t>(better ? last_cost : cost[8]);
    sad[8] = static_cast<uint16_t>(better ? last_sad : sad[8]);
    index[8] = static_cast<int8_t>(better ? static_cast<int>(last_at) + first : index[8]);
}

#else

HWY_INLINE void QuarterMin8(const uint16_t* quarters, const uint16_t* rates, int n, int first,
                            uint16_t cost[9], uint16_t sad[9], int8_t index[9]) {
    const QuarterCosts costs(quarters, rates, n);
    const QuarterCosts::D d;
    for (int b = 0; b < QuarterCosts::kBlocks; b++) {
        const auto lowest = hn::MinOfLanes(d, costs.cost[b]);
        const uint16_t best = hn::GetLane(lowest);
        if (best >= cost[b]) continue;
        const intptr_t at = hn::FindFirstTrue(d, hn::Eq(costs.cost[b], lowest));
        cost[b] = best;
        // A cost that is less than another one is not saturated.
        sad[b] = static_cast<uint16_t>(best - rates[at]);
        index[b] = static_cast<int8_t>(first + at);
    }
}

#endif

void QuarterMin(const uint16_t* quarters, const uint16_t* rates, int n, uint16_t cost[9],
                uint16_t sad[9], int8_t index[9]) {
    for (int i = 0; i < n; i += 8) QuarterMin8(quarters + i, rates + i, n - i, i, cost, sad, index);
}

#endif  // CUDAME_FIXED_VECTORS

void SetLeanSad(Kernels* k) {
#if CUDAME_FIXED_VECTORS
    k->sad16_list = Sad16List;
    k->sad8x8_list = Sad8x8List;
    k->quarter_min = QuarterMin;
#else
    (void)k;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cudame
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudame {

HWY_EXPORT(SetLeanSad);

void SetLeanSadKernels(Kernels* k) { HWY_DYNAMIC_DISPATCH(SetLeanSad)(k); }

}  // namespace cudame
#endif  // HWY_ONCE
