// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Code that the kernels of the lean search share, for each instruction set: vectors as rows of
// 16-byte lanes, and sums of products of neighbouring bytes.

#if defined(CUDAME_CPU_KERNELS_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CUDAME_CPU_KERNELS_VECTORS_INL_H_
#undef CUDAME_CPU_KERNELS_VECTORS_INL_H_
#else
#define CUDAME_CPU_KERNELS_VECTORS_INL_H_
#endif

#include <hwy/highway.h>

// SVE does not promise vectors of fixed sizes. It keeps the scalar kernels, because it would need
// code of its own.
#undef CUDAME_FIXED_VECTORS
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
#define CUDAME_FIXED_VECTORS 1
#endif

// Highway 1.0 has neither pmaddubsw nor packuswb for whole vectors.
#undef CUDAME_SSSE3
#if HWY_TARGET <= HWY_SSSE3 && HWY_ARCH_X86
#define CUDAME_SSSE3 1
#endif

// Number of 16-byte lanes of the widest vector.
#undef CUDAME_LANES
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
#define CUDAME_LANES 4
#elif HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
#define CUDAME_LANES 2
#else
#define CUDAME_LANES 1
#endif

#if CUDAME_FIXED_VECTORS

HWY_BEFORE_NAMESPACE();
namespace cudame {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <int kLanes>
using Bytes = hn::FixedTag<uint8_t, static_cast<size_t>(16 * kLanes)>;
template <class D>
using Words = hn::Repartition<int16_t, D>;
template <class D>
using Quads = hn::Repartition<uint64_t, D>;

// hn::Combine() for 512 bits first clears the upper half, which takes time.
template <class D, class V>
HWY_INLINE hn::Vec<D> Join(D d, V high, V low) {
#if CUDAME_LANES >= 4
    if constexpr (hn::MaxLanes(D()) == 64)
        return hn::Vec<D>{_mm512_inserti64x4(_mm512_castsi256_si512(low.raw), high.raw, 1)};
    else
#endif
        return hn::Combine(d, high, low);
}

// Load a row of kRow bytes from each of p, p + step, ...
template <int kRow, class D>
HWY_INLINE hn::Vec<D> LoadRows(D d, const uint8_t* p, ptrdiff_t step) {
    if constexpr (hn::MaxLanes(D()) == kRow) {
        return hn::LoadU(d, p);
    } else {
        const hn::Half<D> half;
        constexpr ptrdiff_t kRows = hn::MaxLanes(D()) / 2 / kRow;
        return Join(d, LoadRows<kRow>(half, p + kRows * step, step), LoadRows<kRow>(half, p, step));
    }
}
template <class D>
HWY_INLINE hn::Vec<D> LoadLanes(D d, const uint8_t* p, ptrdiff_t step) {
    return LoadRows<16>(d, p, step);
}

template <int kRow, class D>
HWY_INLINE void StoreRows(D d, hn::Vec<D> v, uint8_t* p, ptrdiff_t step) {
    if constexpr (hn::MaxLanes(D()) == kRow) {
        hn::StoreU(v, d, p);
    } else {
        const hn::Half<D> half;
        constexpr ptrdiff_t kRows = hn::MaxLanes(D()) / 2 / kRow;
        StoreRows<kRow>(half, hn::LowerHalf(half, v), p, step);
        StoreRows<kRow>(half, hn::UpperHalf(half, v), p + kRows * step, step);
    }
}

// Factors for the even and the odd bytes of each lane. The sum of both products must fit 16 bits.
template <class D>
struct PairWeights {
    using V16 = hn::Vec<Words<D>>;
    HWY_INLINE PairWeights(int first, int second) {
        const Words<D> d16;
#if CUDAME_SSSE3
        both = hn::Set(d16, static_cast<int16_t>((first & 255) | second * 256));
#else
        even = hn::Set(d16, static_cast<int16_t>(first));
        odd = hn::Set(d16, static_cast<int16_t>(second));
#endif
    }
    // Different factors for the lower and the upper half of each lane.
    HWY_INLINE PairWeights(D d, const PairWeights& low, const PairWeights& high) {
        const auto join = [&](V16 a, V16 b) HWY_ATTR {
            const Quads<D> d64;
            return hn::BitCast(Words<D>(),
                               hn::InterleaveLower(d64, hn::BitCast(d64, a), hn::BitCast(d64, b)));
        };
        (void)d;
#if CUDAME_SSSE3
        both = join(low.both, high.both);
#else
        even = join(low.even, high.even);
        odd = join(low.odd, high.odd);
#endif
    }
#if CUDAME_SSSE3
    V16 both;
#else
    V16 even, odd;
#endif
};

#if CUDAME_SSSE3
HWY_INLINE hn::Vec128<int16_t> MulPairs(hn::Vec128<uint8_t> v, hn::Vec128<int16_t> w) {
    return hn::Vec128<int16_t>{_mm_maddubs_epi16(v.raw, w.raw)};
}
HWY_INLINE hn::Vec128<uint8_t> Pack(hn::Vec128<int16_t> low, hn::Vec128<int16_t> high) {
    return hn::Vec128<uint8_t>{_mm_packus_epi16(low.raw, high.raw)};
}
#if CUDAME_LANES >= 2
HWY_INLINE hn::Vec256<int16_t> MulPairs(hn::Vec256<uint8_t> v, hn::Vec256<int16_t> w) {
    return hn::Vec256<int16_t>{_mm256_maddubs_epi16(v.raw, w.raw)};
}
HWY_INLINE hn::Vec256<uint8_t> Pack(hn::Vec256<int16_t> low, hn::Vec256<int16_t> high) {
    return hn::Vec256<uint8_t>{_mm256_packus_epi16(low.raw, high.raw)};
}
#endif
#if CUDAME_LANES >= 4
HWY_INLINE hn::Vec512<int16_t> MulPairs(hn::Vec512<uint8_t> v, hn::Vec512<int16_t> w) {
    return hn::Vec512<int16_t>{_mm512_maddubs_epi16(v.raw, w.raw)};
}
HWY_INLINE hn::Vec512<uint8_t> Pack(hn::Vec512<int16_t> low, hn::Vec512<int16_t> high) {
    return hn::Vec512<uint8_t>{_mm512_packus_epi16(low.raw, high.raw)};
}
#endif
#else
template <class V>
HWY_INLINE hn::Vec128<uint8_t> Pack(V low, V high) {
    const hn::Half<Bytes<1>> d8;
    return hn::Combine(Bytes<1>(), hn::DemoteTo(d8, high), hn::DemoteTo(d8, low));
}
#endif

template <class D>
HWY_INLINE hn::Vec<Words<D>> MulPairs(D d, hn::Vec<D> v, const PairWeights<D>& w) {
#if CUDAME_SSSE3
    (void)d;
    return MulPairs(v, w.both);
#else
    const Words<D> d16;
    const hn::RebindToUnsigned<Words<D>> du;
    const auto even = hn::And(hn::BitCast(d16, v), hn::Set(d16, 255));
    const auto odd = hn::BitCast(d16, hn::ShiftRight<8>(hn::BitCast(du, hn::BitCast(d, v))));
    return hn::Add(hn::Mul(even, w.even), hn::Mul(odd, w.odd));
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cudame
HWY_AFTER_NAMESPACE();

#endif  // CUDAME_FIXED_VECTORS

#endif  // include guard
