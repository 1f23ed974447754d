// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Rows of the coarse level, for each instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels_shrink.cc"
#include <hwy/foreach_target.h>
// foreach_target.h must come first
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "cpu/kernels.h"
#include "cpu/kernels_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cudame {
namespace HWY_NAMESPACE {

#if CUDAME_FIXED_VECTORS

void Shrink4(const uint8_t* const rows[4], ptrdiff_t ahead, int n, uint8_t* out) {
    using D = Bytes<std::min(CUDAME_LANES, 2)>;
    const D d;
    const Words<D> d16;
    const hn::Repartition<uint32_t, D> d32;
    const hn::Rebind<uint8_t, hn::Repartition<uint32_t, D>> d8;
    const PairWeights<D> ones(1, 1);
    constexpr int kStep = static_cast<int>(hn::MaxLanes(d32));
    const auto pairs = [&](int row, int x)
                           HWY_ATTR { return MulPairs(d, hn::LoadU(d, rows[row] + x), ones); };
    int i = 0;
    for (; i + kStep <= n; i += kStep) {
        const int x = 4 * i;
        // Memory limits the speed of this loop.
        if (x % 64 == 0)
            for (int row = 0; row < 4; row++) hwy::Prefetch(rows[row] + ahead + x);
        const auto sum =
            hn::BitCast(d32, hn::Add(hn::Add(pairs(0, x), pairs(1, x)),
                                     hn::Add(hn::Add(pairs(2, x), pairs(3, x)), hn::Set(d16, 4))));
        const auto mean =
            hn::ShiftRight<4>(hn::Add(hn::And(sum, hn::Set(d32, 65535)), hn::ShiftRight<16>(sum)));
        hn::StoreU(hn::U8FromU32(mean), d8, out + i);
    }
    for (; i < n; i++) out[i] = MeanOf4x4(rows, i);
}

#endif  // CUDAME_FIXED_VECTORS

void SetShrink(Kernels* k) {
#if CUDAME_FIXED_VECTORS
    k->shrink4 = Shrink4;
#else
    (void)k;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cudame
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudame {

HWY_EXPORT(SetShrink);

void SetShrinkKernels(Kernels* k) { HWY_DYNAMIC_DISPATCH(SetShrink)(k); }

}  // namespace cudame
#endif  // HWY_ONCE
