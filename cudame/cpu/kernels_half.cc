// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Planes of whole and half pixels around a block, for each instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels_half.cc"
#include <hwy/foreach_target.h>
// foreach_target.h must come first
#include <hwy/highway.h>

#include <algorithm>

#include "cpu/kernels.h"
#include "cpu/kernels_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cudame {
namespace HWY_NAMESPACE {

#if CUDAME_FIXED_VECTORS

// Planes are written in rows from column -1 on.
constexpr int kFirst = kHalfOrigin - 1;
constexpr int kPlane = sizeof(HalfPlanes::plane[0]);

// VP8's half-pel taps, in pairs whose sums fit 16 bits. Only the last addition can overflow,
// upwards, and then the result is 255 anyway.
constexpr int kPairs[3][2] = {{0, 5}, {1, 2}, {3, 4}};
constexpr int kBefore = 2, kAfter = 3;

template <class D>
struct SixtapWeights {
    HWY_INLINE SixtapWeights()
        : pair{{kSixtap[2][kPairs[0][0]], kSixtap[2][kPairs[0][1]]},
               {kSixtap[2][kPairs[1][0]], kSixtap[2][kPairs[1][1]]},
               {kSixtap[2][kPairs[2][0]], kSixtap[2][kPairs[2][1]]}} {}
    PairWeights<D> pair[3];
};

// Return the filter's sum divided by 128; a, b and c have the pixels of one pair of taps each.
template <class D>
HWY_INLINE hn::Vec<Words<D>> Filter(D d, const SixtapWeights<D>& w, hn::Vec<D> a, hn::Vec<D> b,
                                    hn::Vec<D> c) {
    const Words<D> d16;
    const auto sum = hn::SaturatedAdd(hn::Add(MulPairs(d, a, w.pair[0]), MulPairs(d, b, w.pair[1])),
                                      MulPairs(d, c, w.pair[2]));
#if CUDAME_SSSE3
    return hn::MulFixedPoint15(sum, hn::Set(d16, 256));
#else
    return hn::ShiftRight<7>(hn::SaturatedAdd(sum, hn::Set(d16, 64)));
#endif
}

// Shuffles that take the pixels of eight columns for each pair of taps from 16 bytes.
struct PairTables {
    alignas(16) uint8_t at[3][16];
    constexpr PairTables() : at() {
        for (int m = 0; m < 3; m++)
            for (int i = 0; i < 16; i++) at[m][i] = static_cast<uint8_t>(i / 2 + kPairs[m][i % 2]);
    }
};
constexpr PairTables kTables;

// A SIMD vector holds kRows rows of kRow bytes.
template <int kRow, int kRows>
struct Sixtap {
    using D = hn::FixedTag<uint8_t, kRow * kRows>;
    using V = hn::Vec<D>;

    // Write `count` rows of pixels half a pixel to the right.
    static HWY_INLINE void Across(const uint8_t* p, ptrdiff_t stride, int count, uint8_t* out) {
        const D d;
        const SixtapWeights<D> w;
        const auto t0 = hn::LoadDup128(d, kTables.at[0]), t1 = hn::LoadDup128(d, kTables.at[1]),
                   t2 = hn::LoadDup128(d, kTables.at[2]);
        p -= kBefore;
        for (;;) {
            const auto eight = [&](const uint8_t* from) HWY_ATTR {
                const V v = LoadRows<kRow>(d, from, stride);
                return Filter(d, w, hn::TableLookupBytes(v, t0), hn::TableLookupBytes(v, t1),
                              hn::TableLookupBytes(v, t2));
            };
            StoreRows<kRow>(d, Pack(eight(p), eight(p + 8)), out, kHalfStride);
            count -= kRows;
            if (count <= 0) return;
            // Take some rows again if the last ones do not fill a vector.
            const int step = count < kRows ? count : kRows;
            p += step * stride;
            out += step * kHalfStride;
        }
    }

    // Write rows 0..kCount - 1 of pixels half a pixel down. row(i) returns whole row i - kBefore.
    template <int kCount, class Row, class Store>
    static HWY_INLINE void Down(Row row, Store store) {
        const D d;
        const SixtapWeights<D> w;
        V low[kCount + 4], high[kCount + 4];
        const auto join = [&](int i) HWY_ATTR {
            const V a = row(i), b = row(i + 1);
            low[i] = hn::InterleaveLower(d, a, b);
            high[i] = hn::InterleaveUpper(d, a, b);
        };
        join(1);
        join(2);
        HWY_UNROLL(32)
        for (int i = 0; i < kCount; i++) {
            join(i + 3);
            const V a = row(i), f = row(i + 5);
            store(i, Pack(Filter(d, w, hn::InterleaveLower(d, a, f), low[i + 1], low[i + 3]),
                          Filter(d, w, hn::InterleaveUpper(d, a, f), high[i + 1], high[i + 3])));
        }
    }
};

template <int kRow>
HWY_INLINE void CopyRows(const uint8_t* p, ptrdiff_t stride, int count, uint8_t* out) {
    const hn::FixedTag<uint8_t, kRow> d;
    for (int i = 0; i < count; i++)
        hn::StoreU(hn::LoadU(d, p + i * stride), d, out + i * kHalfStride);
}

// Make kRow columns, from column -1 on, of the planes of a block of kSize rows at ref. out is the
// first pixel of the plane of whole pixels.
template <int kSize, int kRow>
HWY_INLINE void SixtapColumns(const uint8_t* ref, ptrdiff_t stride, uint8_t* out) {
    // Vectors of four lanes take more time to load and store, measured on Zen 4.
    constexpr int kRows = 16 * std::min(CUDAME_LANES, 2) / kRow;
    using Filters = Sixtap<kRow, kRows>;
    // rows of the planes that are half a pixel down; the first is row -1
    constexpr int kOut = kSize + 1;
    const uint8_t* p = ref - stride - 1;
    uint8_t* const across = out + kPlane;
    // Rows above and below this plane overwrite its neighbours, which are written later.
    Filters::Across(p - kBefore * stride, stride, kOut + kBefore + kAfter,
                    across - kBefore * kHalfStride);
    // The two rows of a vector are kStep apart. Both halves have the middle row.
    constexpr int kStep = kRows == 2 ? kOut / 2 : 0, kCount = kOut - kStep;
    const typename Filters::D d;
    const auto plane = [&](const uint8_t* from, ptrdiff_t step, uint8_t* to) HWY_ATTR {
        Filters::template Down<kCount>(
            [&](int i)
                HWY_ATTR { return LoadRows<kRow>(d, from + (i - kBefore) * step, kStep * step); },
            [&](int i, hn::Vec<typename Filters::D> v)
                HWY_ATTR { StoreRows<kRow>(d, v, to + i * kHalfStride, kStep * kHalfStride); });
    };
    plane(across, kHalfStride, out + 3 * kPlane);
    plane(p, stride, out + 2 * kPlane);
    CopyRows<kRow>(p, stride, kSize + 2, out);
}

template <int kSize, int kRow>
HWY_INLINE void BilinearColumns(const uint8_t* ref, ptrdiff_t stride, uint8_t* out) {
    const hn::FixedTag<uint8_t, kRow> d;
    const uint8_t* p = ref - stride - 1;
    auto whole = hn::LoadU(d, p), across = hn::AverageRound(whole, hn::LoadU(d, p + 1));
    for (int i = 0; i < kSize + 1; i++, out += kHalfStride) {
        p += stride;
        const auto next = hn::LoadU(d, p),
                   next_across = hn::AverageRound(next, hn::LoadU(d, p + 1));
        hn::StoreU(whole, d, out);
        hn::StoreU(across, d, out + kPlane);
        hn::StoreU(hn::AverageRound(whole, next), d, out + 2 * kPlane);
        hn::StoreU(hn::AverageRound(across, next_across), d, out + 3 * kPlane);
        whole = next;
        across = next_across;
    }
    hn::StoreU(whole, d, out);
    hn::StoreU(across, d, out + kPlane);
}

void SixtapPlanes(const uint8_t* ref, ptrdiff_t stride, int size, HalfPlanes* planes) {
    uint8_t* out = reinterpret_cast<uint8_t*>(planes) + kFirst - kHalfStride;
    if (size == 8) return SixtapColumns<8, 16>(ref, stride, out);
#if CUDAME_LANES > 1
    SixtapColumns<16, 32>(ref, stride, out);
#else
    SixtapColumns<16, 16>(ref, stride, out);
    SixtapColumns<16, 16>(ref + 16, stride, out + 16);
#endif
}

void BilinearPlanes(const uint8_t* ref, ptrdiff_t stride, int size, HalfPlanes* planes) {
    uint8_t* out = reinterpret_cast<uint8_t*>(planes) + kFirst - kHalfStride;
    if (size == 8) return BilinearColumns<8, 16>(ref, stride, out);
#if CUDAME_LANES > 1
    BilinearColumns<16, 32>(ref, stride, out);
#else
    BilinearColumns<16, 16>(ref, stride, out);
    BilinearColumns<16, 16>(ref + 16, stride, out + 16);
#endif
}

#endif  // CUDAME_FIXED_VECTORS

void SetHalf(Kernels* k) {
#if CUDAME_FIXED_VECTORS
    k->half_planes[CUDAME_FILTER_SIXTAP] = SixtapPlanes;
    k->half_planes[CUDAME_FILTER_BILINEAR] = BilinearPlanes;
#else
    (void)k;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cudame
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudame {

HWY_EXPORT(SetHalf);

void SetHalfKernels(Kernels* k) { HWY_DYNAMIC_DISPATCH(SetHalf)(k); }

}  // namespace cudame
#endif  // HWY_ONCE
