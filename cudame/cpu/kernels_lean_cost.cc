// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The neighbours of a vector: which were tried, their offsets and their costs, for each instruction
// set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels_lean_cost.cc"
#include <hwy/foreach_target.h>
// foreach_target.h must come first
#include <hwy/highway.h>

#include <algorithm>

#include "common/mv_cost.h"
#include "cpu/kernels.h"
#include "cpu/kernels_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cudame {
namespace HWY_NAMESPACE {

#if CUDAME_FIXED_VECTORS

using D32 = hn::FixedTag<int32_t, 4>;
using Int4 = hn::Vec<D32>;

// The numbers of four 32-bit lanes of a vector.
struct Lanes {
    alignas(16) uint8_t at[16];
    constexpr Lanes(int a, int b, int c, int d) : at() {
        const int lanes[4] = {a, b, c, d};
        for (int i = 0; i < 16; i++) at[i] = static_cast<uint8_t>(4 * lanes[i / 4] + i % 4);
    }
};
// The rows and columns of neighbours 0 to 3, and of 5 to 8.
constexpr Lanes kRows[2] = {{0, 0, 0, 1}, {1, 2, 2, 2}};
constexpr Lanes kCols[2] = {{0, 1, 2, 0}, {2, 0, 1, 2}};

HWY_INLINE Int4 Pick(Int4 v, const Lanes& lanes) {
    const Bytes<1> d;
    return hn::BitCast(D32(), hn::TableLookupBytes(hn::BitCast(d, v), hn::Load(d, lanes.at)));
}

// Load three costs. The fourth lane is undefined.
HWY_INLINE Int4 Three(const int* p, int step) {
    const D32 d;
    return hn::ConcatLowerLower(d, hn::LoadU(d, p + step),
                                hn::InterleaveLower(d, hn::LoadU(d, p - step), hn::LoadU(d, p)));
}

// Rates of neighbours 0 to 3, and of 5 to 8.
struct Rates {
    Int4 v[2];
    HWY_INLINE explicit Rates(const NeighbourRates& rates) {
        const D32 d;
        const Int4 rows = Three(rates.rows, rates.step), cols = Three(rates.cols, rates.step);
        const Int4 scale = hn::Set(d, rates.sad_per_bit), round = hn::Set(d, 128);
        const auto scaled = [&](int i) HWY_ATTR {
            const Int4 sum = hn::Add(Pick(rows, kRows[i]), Pick(cols, kCols[i]));
            return hn::Min(hn::ShiftRight<8>(hn::Add(hn::Mul(sum, scale), round)),
                           hn::Set(d, kMaxRate));
        };
        v[0] = scaled(0);
        v[1] = scaled(1);
    }
};

// Tables for KnownNeighbours(): the neighbours of a centre that were tried with another vector.
// The index is kNear plus the distance from the centre to that vector, in rows or in columns. Add
// kPoint if only the vector was tried, not its eight neighbours. An entry is a mask of
// kEightNeighbours: the bits of all neighbours in rows (or in columns) that were tried.
constexpr int kNear = 2, kPoint = 8;
struct Reach {
    alignas(16) uint8_t rows[16], cols[16];
    constexpr Reach() : rows(), cols() {
        for (int i = 0; i < 16; i++)
            for (int bit = 0; bit < 8; bit++) {
                const int distance = i % kPoint - kNear, reach = i < kPoint ? 1 : 0;
                const int y = NeighbourOf(bit) / 3 - 1, x = NeighbourOf(bit) % 3 - 1;
                const int mark = 1 << bit;
                if (distance - reach <= y && y <= distance + reach)
                    rows[i] = static_cast<uint8_t>(rows[i] | mark);
                if (distance - reach <= x && x <= distance + reach)
                    cols[i] = static_cast<uint8_t>(cols[i] | mark);
            }
    }
};
constexpr Reach kReach;

unsigned KnownNeighbours(const TriedVectors& tried, LeanVec centre) {
    static_assert(TriedVectors::kMost == 16, "the bytes of a vector");
    alignas(32) static constexpr uint8_t kPoints[32] = {
        0,      0,      0,      0,      0,      0,      0,      0,      0,      0,      0,
        0,      0,      0,      0,      0,      kPoint, kPoint, kPoint, kPoint, kPoint, kPoint,
        kPoint, kPoint, kPoint, kPoint, kPoint, kPoint, kPoint, kPoint, kPoint, kPoint};
    const Bytes<1> d;
    const hn::FixedTag<int8_t, 16> d8;
    const hn::FixedTag<int16_t, 8> d16;
    const auto points = hn::LoadU(d, kPoints + 16 - tried.boxed);
    const auto known = [&](const int16_t* at, int16_t own, const uint8_t* table) HWY_ATTR {
        const auto from = hn::Set(d16, own);
        const auto low = hn::SaturatedSub(hn::LoadU(d16, at), from);
        const auto high = hn::SaturatedSub(hn::LoadU(d16, at + 8), from);
        const hn::Half<decltype(d8)> half;
        const auto distance = hn::Combine(d8, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
        // Vectors that are far away get index kPoint - 1, whose masks are empty. A negative index
        // counts as a large one.
        const auto index =
            hn::Min(hn::BitCast(d, hn::Add(distance, hn::Set(d8, kNear))), hn::Set(d, kPoint - 1));
        return hn::TableLookupBytes(hn::Load(d, table), hn::Add(index, points));
    };
    const auto bits =
        hn::And(known(tried.x, centre.x, kReach.cols), known(tried.y, centre.y, kReach.rows));
    const auto halves = hn::BitCast(hn::FixedTag<uint64_t, 2>(), bits);
    uint64_t any = hn::GetLane(hn::Or(halves, hn::Shuffle01(halves)));
    any |= any >> 32;
    any |= any >> 16;
    any |= any >> 8;
    return static_cast<unsigned>(any & 255);
}

// Shuffles that move the 16-bit lanes with set bits to the front. Highway's CompressBits() takes
// ten times as long on AVX2.
struct Compression {
    alignas(64) uint8_t at[256][8];
    constexpr Compression() : at() {
        for (int bits = 0; bits < 256; bits++)
            for (int lane = 0, n = 0; lane < 8; lane++)
                if (bits & 1 << lane) at[bits][n++] = static_cast<uint8_t>(2 * lane);
    }
};
constexpr Compression kCompression;

int ListNeighbours(LeanVec centre, int distance, unsigned wanted, int stride,
                   const NeighbourRates& rates, const VectorLists& lists) {
    alignas(16) static constexpr int16_t kX[8] = {-1, 0, 1, -1, 1, -1, 0, 1};
    alignas(16) static constexpr int16_t kY[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
    const D32 d;
    const hn::FixedTag<int16_t, 8> d16;
    const hn::FixedTag<uint16_t, 8> du;
    const hn::Half<decltype(du)> half_u;
    const hn::Half<decltype(d16)> half;
    const Rates rate(rates);
    const Bytes<1> d8;
    const hn::Half<Bytes<1>> half8;
    const auto first = hn::LoadU(half8, kCompression.at[wanted]);
    const auto lanes =
        hn::InterleaveLower(d8, hn::ZeroExtendVector(d8, first),
                            hn::ZeroExtendVector(d8, hn::Add(first, hn::Set(half8, 1))));
    const auto wanted_ones = [&](auto v) HWY_ATTR {
        return hn::BitCast(hn::DFromV<decltype(v)>(),
                           hn::TableLookupBytes(hn::BitCast(d8, v), lanes));
    };
    const auto step = hn::Set(d16, static_cast<int16_t>(distance));
    const auto x = wanted_ones(hn::Add(hn::Set(d16, centre.x), hn::Mul(step, hn::Load(d16, kX))));
    const auto y = wanted_ones(hn::Add(hn::Set(d16, centre.y), hn::Mul(step, hn::Load(d16, kY))));
    hn::StoreU(wanted_ones(hn::Combine(du, hn::DemoteTo(half_u, rate.v[1]),
                                       hn::DemoteTo(half_u, rate.v[0]))),
               du, lists.rates);
    int16_t* mv = &lists.mv->x;
    hn::StoreU(hn::InterleaveLower(d16, x, y), d16, mv);
    hn::StoreU(hn::InterleaveUpper(d16, x, y), d16, mv + 8);
    const auto offsets = [&](auto columns, auto rows) HWY_ATTR {
        return hn::Add(hn::PromoteTo(d, columns),
                       hn::Mul(hn::PromoteTo(d, rows), hn::Set(d, stride)));
    };
    hn::StoreU(offsets(hn::LowerHalf(half, x), hn::LowerHalf(half, y)), d, lists.offsets);
    hn::StoreU(offsets(hn::UpperHalf(half, x), hn::UpperHalf(half, y)), d, lists.offsets + 4);
    return static_cast<int>(hwy::PopCount(static_cast<uint64_t>(wanted)));
}

int NeighbourMin(const NeighbourRates& rates, const uint32_t first[9], const uint32_t second[9],
                 unsigned wanted, uint32_t cost[9]) {
    alignas(16) static constexpr int32_t kBits[8] = {1, 2, 4, 8, 32, 64, 128, 256};
    // The numbers of the neighbours plus 1. The vector itself has 0, so that it comes first of
    // equal costs.
    alignas(16) static constexpr int32_t kNumbers[8] = {1, 2, 3, 4, 6, 7, 8, 9};
    const D32 d;
    const hn::FixedTag<uint32_t, 4> du;
    const Rates rate(rates);
    const Int4 bits = hn::Set(d, static_cast<int32_t>(wanted));
    const auto keys = [&](int i) HWY_ATTR {
        const Int4 sum = hn::Add(rate.v[i], hn::BitCast(d, hn::Add(hn::LoadU(du, first + 5 * i),
                                                                   hn::LoadU(du, second + 5 * i))));
        hn::StoreU(hn::BitCast(du, sum), du, cost + 5 * i);
        const Int4 bit = hn::Load(d, kBits + 4 * i);
        const Int4 key = hn::Or(hn::ShiftLeft<4>(sum), hn::Load(d, kNumbers + 4 * i));
        return hn::IfThenElse(hn::Eq(hn::And(bits, bit), bit), key, hn::Set(d, INT32_MAX));
    };
    const int32_t own = static_cast<int32_t>(cost[4] << 4);
    const Int4 four = hn::Min(keys(0), keys(1));
    const Int4 two = hn::Min(four, hn::Shuffle1032(four));
    const int32_t low = hn::GetLane(hn::Min(two, hn::Shuffle2301(two)));
    return low < own ? (low & 15) - 1 : 4;
}

#endif  // CUDAME_FIXED_VECTORS

void SetLeanCost(Kernels* k) {
#if CUDAME_FIXED_VECTORS
    k->known_neighbours = KnownNeighbours;
    k->list_neighbours = ListNeighbours;
    k->neighbour_min = NeighbourMin;
#else
    (void)k;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cudame
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudame {

HWY_EXPORT(SetLeanCost);

void SetLeanCostKernels(Kernels* k) { HWY_DYNAMIC_DISPATCH(SetLeanCost)(k); }

}  // namespace cudame
#endif  // HWY_ONCE
