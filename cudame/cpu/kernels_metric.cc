// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Distortion metrics of all block sizes, for each instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels_metric.cc"
#include <hwy/foreach_target.h>
// foreach_target.h must come first
#include <hwy/highway.h>

#include "cpu/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace cudame {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// Return the differences of one row, in 16 bits.
template <class D16>
HWY_INLINE hn::Vec<D16> Difference(D16 d16, const uint8_t* a, const uint8_t* b) {
    const hn::Rebind<uint8_t, D16> d8;
    return hn::Sub(hn::PromoteTo(d16, hn::LoadU(d8, a)), hn::PromoteTo(d16, hn::LoadU(d8, b)));
}

template <class D16, class V>
HWY_INLINE uint32_t SumU16(D16 d16, V v) {
    const hn::RepartitionToWide<hn::RebindToUnsigned<D16>> d32;
    const auto w = hn::BitCast(d32, v);
    const auto sum = hn::Add(hn::And(w, hn::Set(d32, 0xFFFF)), hn::ShiftRight<16>(w));
    (void)d16;
    return hn::GetLane(hn::SumOfLanes(d32, sum));
}

template <int kW, int kH>
uint32_t Sad(const uint8_t* a, ptrdiff_t as, const uint8_t* b, ptrdiff_t bs) {
    const hn::CappedTag<int16_t, kW> d16;
    constexpr size_t kWidth = kW;
    auto sum = hn::Zero(d16);  // no lane exceeds 255 * 16 * 16
    for (int y = 0; y < kH; y++, a += as, b += bs)
        for (size_t x = 0; x < kWidth; x += hn::Lanes(d16))
            sum = hn::Add(sum, hn::Abs(Difference(d16, a + x, b + x)));
    return SumU16(d16, sum);
}

template <int kW, int kH>
uint32_t Sse(const uint8_t* a, ptrdiff_t as, const uint8_t* b, ptrdiff_t bs) {
    const hn::CappedTag<int16_t, kW> d16;
    const hn::RepartitionToWide<decltype(d16)> d32;
    constexpr size_t kWidth = kW;
    auto sum0 = hn::Zero(d32), sum1 = sum0;
    for (int y = 0; y < kH; y++, a += as, b += bs)
        for (size_t x = 0; x < kWidth; x += hn::Lanes(d16)) {
            const auto v = Difference(d16, a + x, b + x);
            sum0 = hn::ReorderWidenMulAccumulate(d32, v, v, sum0, sum1);
        }
    return static_cast<uint32_t>(hn::GetLane(hn::SumOfLanes(d32, hn::Add(sum0, sum1))));
}

// Return the sum of the absolute coefficients of the 4x4 transforms that lie side by side in four
// rows of differences. The last butterfly is not computed: |a + b| + |a - b| is twice the larger of
// |a| and |b|, and both lanes of the pair have it.
template <class D16, class V>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D16>> Coefficients(D16 d, V r0, V r1, V r2, V r3) {
    const hn::RebindToUnsigned<D16> du;
    const hn::RepartitionToWide<D16> d32;
    const V a = hn::Add(r0, r1), b = hn::Sub(r0, r1), c = hn::Add(r2, r3), e = hn::Sub(r2, r3);
    const auto across = [&](V v) HWY_ATTR {
        const V swapped = hn::Reverse2(d, v);
        const V t = hn::Abs(hn::OddEven(hn::Sub(swapped, v), hn::Add(v, swapped)));
        const V other = hn::BitCast(d, hn::Shuffle2301(hn::BitCast(d32, t)));
        return hn::BitCast(du, hn::Max(t, other));
    };
    return hn::Add(hn::Add(across(hn::Add(a, c)), across(hn::Sub(a, c))),
                   hn::Add(across(hn::Add(b, e)), across(hn::Sub(b, e))));
}

template <int kW, int kH>
uint32_t Satd(const uint8_t* a, ptrdiff_t as, const uint8_t* b, ptrdiff_t bs) {
    const hn::CappedTag<int16_t, kW> d;
    constexpr size_t kWidth = kW;
    // A lane gets at most four times 2040 from four rows of eight columns, so at most 65280 from
    // all 16 rows and both halves of them.
    auto sum = hn::Zero(hn::RebindToUnsigned<decltype(d)>());
    for (int y = 0; y < kH; y += 4, a += 4 * as, b += 4 * bs)
        for (size_t x = 0; x < kWidth; x += hn::Lanes(d))
            sum = hn::Add(sum, Coefficients(d, Difference(d, a + x, b + x),
                                            Difference(d, a + as + x, b + bs + x),
                                            Difference(d, a + 2 * as + x, b + 2 * bs + x),
                                            Difference(d, a + 3 * as + x, b + 3 * bs + x)));
    return SumU16(d, sum) / 2;
}

// Predictions are not stored: the differences of each row go straight to the transform.
void Intra16(const IntraSource& mb, uint16_t satd[4]) {
    const hn::CappedTag<int16_t, 16> d;
    const hn::Rebind<uint8_t, decltype(d)> d8;
    const hn::RebindToUnsigned<decltype(d)> du;
    const auto zero = hn::Zero(d), most = hn::Set(d, 255);
    const auto mean = hn::Set(d, static_cast<int16_t>(MeanOfEdges(mb)));
    auto sum0 = hn::Zero(du), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    for (size_t x = 0; x < 16; x += hn::Lanes(d)) {
        const auto above = hn::PromoteTo(d, hn::LoadU(d8, mb.above + x));
        for (int y = 0; y < 16; y += 4) {
            const auto row = [&](int i) HWY_ATTR {
                return hn::PromoteTo(d, hn::LoadU(d8, mb.pixels + 16 * (y + i) + x));
            };
            const auto left = [&](int i) HWY_ATTR { return hn::Set(d, mb.left[y + i]); };
            const auto motion = [&](int i) HWY_ATTR {
                const auto step = hn::Set(d, static_cast<int16_t>(mb.left[y + i] - mb.above_left));
                return hn::Min(hn::Max(hn::Add(above, step), zero), most);
            };
            const auto r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3);
            const auto add = [&](auto sum, auto p0, auto p1, auto p2, auto p3) HWY_ATTR {
                return hn::Add(sum, Coefficients(d, hn::Sub(r0, p0), hn::Sub(r1, p1),
                                                 hn::Sub(r2, p2), hn::Sub(r3, p3)));
            };
            sum0 = add(sum0, mean, mean, mean, mean);
            sum1 = add(sum1, above, above, above, above);
            sum2 = add(sum2, left(0), left(1), left(2), left(3));
            sum3 = add(sum3, motion(0), motion(1), motion(2), motion(3));
        }
    }
    const auto store = [&](auto sum, int mode) HWY_ATTR {
        const uint32_t half = SumU16(d, sum) / 2;
        satd[mode] = static_cast<uint16_t>(half < 65535 ? half : 65535);
    };
    store(sum0, 0);
    store(sum1, 1);
    store(sum2, 2);
    store(sum3, 3);
}

template <class F>
void SetRow(MetricFn* row, F f16x16, F f16x8, F f8x16, F f8x8, F f4x4) {
    row[k16x16] = f16x16;
    row[k16x8] = f16x8;
    row[k8x16] = f8x16;
    row[k8x8] = f8x8;
    row[k4x4] = f4x4;
}

#endif  // HWY_TARGET != HWY_SCALAR

void SetMetrics(Kernels* k) {
#if HWY_TARGET != HWY_SCALAR
    SetRow(k->metric[static_cast<int>(Metric::kSad)], Sad<16, 16>, Sad<16, 8>, Sad<8, 16>,
           Sad<8, 8>, Sad<4, 4>);
    SetRow(k->metric[static_cast<int>(Metric::kSse)], Sse<16, 16>, Sse<16, 8>, Sse<8, 16>,
           Sse<8, 8>, Sse<4, 4>);
    SetRow(k->metric[static_cast<int>(Metric::kSatd)], Satd<16, 16>, Satd<16, 8>, Satd<8, 16>,
           Satd<8, 8>, Satd<4, 4>);
    k->intra16 = Intra16;
#else
    (void)k;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cudame
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudame {

HWY_EXPORT(SetMetrics);

void SetMetricKernels(Kernels* k) { HWY_DYNAMIC_DISPATCH(SetMetrics)(k); }

}  // namespace cudame
#endif  // HWY_ONCE
