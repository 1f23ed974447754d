// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// VP8's sub-pel predictors, for each instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels_predict.cc"
#include <hwy/foreach_target.h>
// foreach_target.h must come first
#include <hwy/highway.h>

#include <cstring>

#include "cpu/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace cudame {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// Sums of products, with rounding, are between -8096 and 40864. That does not fit signed 16 bits,
// but fits unsigned ones after adding 64 << 7.
constexpr uint16_t kBias = 64;

template <class D16, class V>
HWY_INLINE hn::Vec<hn::Rebind<uint8_t, D16>> Round7(D16 d, V sum) {
    const hn::RebindToSigned<D16> di;
    const hn::Rebind<uint8_t, D16> d8;
    const auto v = hn::ShiftRight<7>(hn::Add(sum, hn::Set(d, (kBias << 7) + 64)));
    return hn::DemoteTo(d8, hn::BitCast(di, hn::SaturatedSub(v, hn::Set(d, kBias))));
}

template <int kW>
HWY_INLINE void Filter6(const uint8_t* p, ptrdiff_t p_stride, ptrdiff_t step, int f, int rows,
                        uint8_t* out) {
    const hn::CappedTag<uint16_t, kW> d;
    const hn::Rebind<uint8_t, decltype(d)> d8;
    constexpr size_t kWidth = kW;
    const auto t0 = hn::Set(d, static_cast<uint16_t>(kSixtap[f][0]));
    const auto t1 = hn::Set(d, static_cast<uint16_t>(kSixtap[f][1]));
    const auto t2 = hn::Set(d, static_cast<uint16_t>(kSixtap[f][2]));
    const auto t3 = hn::Set(d, static_cast<uint16_t>(kSixtap[f][3]));
    const auto t4 = hn::Set(d, static_cast<uint16_t>(kSixtap[f][4]));
    const auto t5 = hn::Set(d, static_cast<uint16_t>(kSixtap[f][5]));
    for (int y = 0; y < rows; y++, p += p_stride, out += 16)
        for (size_t x = 0; x < kWidth; x += hn::Lanes(d)) {
            const auto at = [&](int k) HWY_ATTR {
                return hn::PromoteTo(d, hn::LoadU(d8, p + (k - 2) * step + x));
            };
            const auto sum = hn::Add(hn::Add(hn::Add(hn::Mul(at(0), t0), hn::Mul(at(1), t1)),
                                             hn::Add(hn::Mul(at(2), t2), hn::Mul(at(3), t3))),
                                     hn::Add(hn::Mul(at(4), t4), hn::Mul(at(5), t5)));
            hn::StoreU(Round7(d, sum), d8, out + x);
        }
}

template <int kW>
HWY_INLINE void Filter2(const uint8_t* p, ptrdiff_t p_stride, ptrdiff_t step, int f, int rows,
                        uint8_t* out) {
    const hn::CappedTag<uint16_t, kW> d;
    const hn::Rebind<uint8_t, decltype(d)> d8;
    constexpr size_t kWidth = kW;
    const auto t0 = hn::Set(d, static_cast<uint16_t>(128 - 32 * f));
    const auto t1 = hn::Set(d, static_cast<uint16_t>(32 * f));
    for (int y = 0; y < rows; y++, p += p_stride, out += 16)
        for (size_t x = 0; x < kWidth; x += hn::Lanes(d)) {
            const auto a = hn::PromoteTo(d, hn::LoadU(d8, p + x));
            const auto b = hn::PromoteTo(d, hn::LoadU(d8, p + step + x));
            hn::StoreU(Round7(d, hn::Add(hn::Mul(a, t0), hn::Mul(b, t1))), d8, out + x);
        }
}

template <int kW>
HWY_INLINE void Copy(const uint8_t* p, ptrdiff_t stride, int rows, uint8_t* out) {
    for (int y = 0; y < rows; y++) memcpy(out + 16 * y, p + y * stride, kW);
}

template <int kW>
void Sixtap(const uint8_t* ref, ptrdiff_t stride, int fx, int fy, int height, uint8_t* dst) {
    if (!fy) {
        if (fx)
            Filter6<kW>(ref, stride, 1, fx, height, dst);
        else
            Copy<kW>(ref, stride, height, dst);
        return;
    }
    if (!fx) return Filter6<kW>(ref, stride, stride, fy, height, dst);
    HWY_ALIGN uint8_t tmp[21 * 16];
    Filter6<kW>(ref - 2 * stride, stride, 1, fx, height + 5, tmp);
    Filter6<kW>(tmp + 2 * 16, 16, 16, fy, height, dst);
}

template <int kW>
void Bilinear(const uint8_t* ref, ptrdiff_t stride, int fx, int fy, int height, uint8_t* dst) {
    if (!fy) {
        if (fx)
            Filter2<kW>(ref, stride, 1, fx, height, dst);
        else
            Copy<kW>(ref, stride, height, dst);
        return;
    }
    if (!fx) return Filter2<kW>(ref, stride, stride, fy, height, dst);
    HWY_ALIGN uint8_t tmp[17 * 16];
    Filter2<kW>(ref, stride, 1, fx, height + 1, tmp);
    Filter2<kW>(tmp, 16, 16, fy, height, dst);
}

void PredictSixtap(const uint8_t* ref, ptrdiff_t stride, int fx, int fy, int width, int height,
                   uint8_t* dst) {
    const auto f = width == 16 ? Sixtap<16> : width == 8 ? Sixtap<8> : Sixtap<4>;
    f(ref, stride, fx, fy, height, dst);
}

void PredictBilinear(const uint8_t* ref, ptrdiff_t stride, int fx, int fy, int width, int height,
                     uint8_t* dst) {
    const auto f = width == 16 ? Bilinear<16> : width == 8 ? Bilinear<8> : Bilinear<4>;
    f(ref, stride, fx, fy, height, dst);
}

// Columns of whole vectors: first four sums of two neighbours each, then sums of two rows of these.
// Products stay below 16 * 255.
template <int kW>
void Phases(const uint8_t* ref, ptrdiff_t stride, int height, uint8_t* out) {
    const hn::CappedTag<uint16_t, kW> d;
    const hn::Rebind<uint8_t, decltype(d)> d8;
    const auto half = hn::Set(d, 8);
    constexpr size_t kWidth = kW;
    for (size_t x = 0; x < kWidth; x += hn::Lanes(d)) {
        auto last1 = hn::Zero(d), last2 = last1, last3 = last1, last0 = last1;
        for (int y = 0; y <= height; y++) {
            const uint8_t* p = ref + y * stride + x;
            const auto a = hn::PromoteTo(d, hn::LoadU(d8, p));
            const auto b = hn::PromoteTo(d, hn::LoadU(d8, p + 1));
            const auto twice = hn::Add(a, b);
            const auto now0 = hn::ShiftLeft<2>(a);
            const auto now1 = hn::Add(twice, hn::Add(a, a));
            const auto now2 = hn::Add(twice, twice);
            const auto now3 = hn::Add(twice, hn::Add(b, b));
            if (y) {
                uint8_t* to = out + static_cast<ptrdiff_t>(y - 1) * kPhaseStride + x;
                const auto store = [&](auto sum, int phase) HWY_ATTR {
                    hn::StoreU(hn::TruncateTo(d8, hn::ShiftRight<4>(hn::Add(sum, half))), d8,
                               to + phase * kPhaseSize);
                };
                const auto column = [&](auto top, auto bottom, int fx) HWY_ATTR {
                    const auto sum = hn::Add(top, bottom);
                    store(hn::ShiftLeft<2>(top), fx);
                    store(hn::Add(sum, hn::Add(top, top)), 4 + fx);
                    store(hn::Add(sum, sum), 8 + fx);
                    store(hn::Add(sum, hn::Add(bottom, bottom)), 12 + fx);
                };
                column(last0, now0, 0);
                column(last1, now1, 1);
                column(last2, now2, 2);
                column(last3, now3, 3);
            }
            last0 = now0;
            last1 = now1;
            last2 = now2;
            last3 = now3;
        }
    }
}

void BilinearPhases(const uint8_t* ref, ptrdiff_t stride, int width, int height, uint8_t* out) {
    const auto f = width > 16 ? Phases<32> : width > 8 ? Phases<16> : Phases<8>;
    f(ref, stride, height, out);
}

#endif  // HWY_TARGET != HWY_SCALAR

void SetPredict(Kernels* k) {
#if HWY_TARGET != HWY_SCALAR
    k->predict[CUDAME_FILTER_SIXTAP] = PredictSixtap;
    k->predict[CUDAME_FILTER_BILINEAR] = PredictBilinear;
    k->bilinear_phases = BilinearPhases;
#else
    (void)k;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cudame
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudame {

HWY_EXPORT(SetPredict);

void SetPredictKernels(Kernels* k) { HWY_DYNAMIC_DISPATCH(SetPredict)(k); }

}  // namespace cudame
#endif  // HWY_ONCE
