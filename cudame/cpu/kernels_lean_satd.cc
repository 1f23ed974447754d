// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// SATDs of a block at all vectors around one, for each instruction set. The transform is linear, so
// the source is transformed only once.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels_lean_satd.cc"
#include <hwy/foreach_target.h>
// foreach_target.h must come first
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "cpu/kernels.h"
#include "cpu/kernels_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cudame {
namespace HWY_NAMESPACE {

#if CUDAME_FIXED_VECTORS

constexpr ptrdiff_t kRow = kHalfStride;
constexpr int kSourceRow = 16;

// Each 128-bit lane has a row of four 4x4 units. The transform adds and subtracts pixels two
// columns apart, then rows two rows apart, then neighbouring columns. It does not compute the sums
// and differences of neighbouring rows, because half of |a + b| + |a - b| is the larger of |a| and
// |b|. Neighbouring vectors share the results for common columns and rows.
//
// A pair has pixels 0 and 2, or 1 and 3, of each unit, twice: once for sums and once for
// differences.
struct Order {
    alignas(16) uint8_t even[16], odd[16];
    constexpr Order(int u0, int u1, int u2, int u3) : even(), odd() {
        const int first[4] = {u0, u1, u2, u3};
        for (int i = 0; i < 16; i++) {
            even[i] = static_cast<uint8_t>(first[i / 2 % 4] + i % 2 * 2);
            odd[i] = static_cast<uint8_t>(even[i] + 1);
        }
    }
};
constexpr Order kSixteen(0, 4, 8, 12);  // 16 pixels, or two times eight
constexpr Order kShifted(0, 4, 1, 5);   // eight pixels, and eight from the second one on
constexpr Order kTwice(0, 4, 0, 4);     // eight pixels, twice

template <class D>
HWY_INLINE hn::Vec<D> Even(D d, const Order& order, hn::Vec<D> v) {
    return hn::TableLookupBytes(v, hn::LoadDup128(d, order.even));
}
template <class D>
HWY_INLINE hn::Vec<D> Odd(D d, const Order& order, hn::Vec<D> v) {
    return hn::TableLookupBytes(v, hn::LoadDup128(d, order.odd));
}

// Keep GCC from reordering these additions, which would take more of them.
template <class V>
HWY_INLINE V Whole(V v) {
#if HWY_COMPILER_GCC_ACTUAL && HWY_ARCH_X86
    asm("" : "+v"(v.raw));
#endif
    return v;
}

// Keep GCC from holding this memory in registers too; there are not enough.
template <class T>
HWY_INLINE void Settle(T* memory) {
#if HWY_COMPILER_GCC_ACTUAL
    asm("" : "+m"(*memory));
#endif
    (void)memory;
}

// Transforms vectors of type D.
template <class D>
class Transform {
  public:
    using D16 = Words<D>;
    using V = hn::Vec<D>;
    using V16 = hn::Vec<D16>;
    static constexpr int kWords = hn::MaxLanes(D16());
    static constexpr int kSource = 8 * kWords;  // words of a transformed source

    HWY_INLINE Transform() : weights_(D(), {1, 1}, {1, -1}) {}

    HWY_INLINE V16 Across(V pairs) const { return MulPairs(D(), pairs, weights_); }
    HWY_INLINE V16 Even(const Order& order, V v) const {
        return Across(HWY_NAMESPACE::Even(D(), order, v));
    }
    HWY_INLINE V16 Odd(const Order& order, V v) const {
        return Across(HWY_NAMESPACE::Odd(D(), order, v));
    }

    // row(i, q) sets q[0] and q[1] to Even() and Odd() of row i.
    template <class Fn>
    HWY_INLINE void Source(Fn row, int16_t* out) const {
        V16 q[4][2];
        for (int i = 0; i < 4; i++) row(i, q[i]);
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < 2; k++) {
                const V16 even = Whole(AddOrSub(s, q[k][0], q[k + 2][0]));
                const V16 odd = Whole(AddOrSub(s, q[k][1], q[k + 2][1]));
                for (int h = 0; h < 2; h++)
                    hn::Store(AddOrSub(h, even, odd), D16(), At(out, s, h, k));
            }
    }

    // SATDs at kRows x kColumns neighbouring vectors. The SATD of each 4x4 unit is the sum of two
    // words, one in the lower and one in the upper half of a lane. row(i, q) sets q[c] to Even() or
    // Odd() of row i, beginning with column c.
    template <int kRows, int kColumns, class Fn>
    HWY_INLINE void Satd(Fn row, const int16_t* source, V16 (&sum)[kRows][kColumns]) const {
        V16 q[kRows + 3][kColumns + 1], v[kRows + 1][kColumns][2][2];
        const auto pair = [&](int k) HWY_ATTR {
            for (int s = 0; s < 2; s++) {
                V16 x[kColumns + 1];
                for (int c = 0; c < kColumns + 1; c++)
                    x[c] = Whole(AddOrSub(s, q[k][c], q[k + 2][c]));
                for (int c = 0; c < kColumns; c++)
                    for (int h = 0; h < 2; h++) v[k][c][s][h] = Whole(AddOrSub(h, x[c], x[c + 1]));
            }
        };
        row(0, q[0]);
        row(2, q[2]);
        pair(0);
        row(1, q[1]);
        HWY_UNROLL(2)
        for (int r = 0; r < kRows; r++) {
            row(r + 3, q[r + 3]);
            pair(r + 1);
            HWY_UNROLL(8)
            for (int c = 0; c < kColumns; c++) {
                const auto larger = [&](int s, int h) HWY_ATTR {
                    return hn::Max(Difference(v[r][c][s][h], At(source, s, h, 0)),
                                   Difference(v[r + 1][c][s][h], At(source, s, h, 1)));
                };
                sum[r][c] = hn::Add(hn::Add(larger(0, 0), larger(0, 1)),
                                    hn::Add(larger(1, 0), larger(1, 1)));
            }
        }
    }

  private:
    static HWY_INLINE V16 AddOrSub(int which, V16 a, V16 b) {
        return which ? hn::Sub(a, b) : hn::Add(a, b);
    }
    static HWY_INLINE V16 Difference(V16 v, const int16_t* source) {
        return hn::Abs(hn::Sub(v, hn::Load(D16(), source)));
    }
    template <class T>
    static HWY_INLINE T* At(T* source, int s, int h, int k) {
        return source + (4 * s + 2 * h + k) * kWords;
    }

    PairWeights<D> weights_;
};

// ---- 16x16 ----

constexpr int kLanes16 = CUDAME_LANES, kGroups = 4 / kLanes16;
using D16x16 = Bytes<kLanes16>;
using Words16x16 = hn::Vec<Words<D16x16>>;
constexpr int kVector = 16 * kLanes16;

// Load row i of the units of a group.
HWY_INLINE hn::Vec<D16x16> LoadUnits(const uint8_t* p, ptrdiff_t stride, int group, int i) {
    return LoadLanes(D16x16(), p + (4 * kLanes16 * group + i) * stride, 4 * stride);
}

struct Source16 {
    HWY_ALIGN int16_t group[kGroups][Transform<D16x16>::kSource];
    HWY_INLINE Source16(const Transform<D16x16>& t, const uint8_t* src) {
        for (int g = 0; g < kGroups; g++)
            t.Source(
                [&](int i, Words16x16* q) HWY_ATTR {
                    const auto v = LoadUnits(src, kSourceRow, g, i);
                    q[0] = t.Even(kSixteen, v);
                    q[1] = t.Odd(kSixteen, v);
                },
                group[g]);
        Settle(this);
    }
};

// Return eight partial sums of a block. Each is below 32768, because the SATD of a unit is at most
// 16 * 255 * 2.
template <class D>
HWY_INLINE void StoreSums(D d, hn::Vec<D> v, int16_t* out) {
    if constexpr (hn::MaxLanes(D()) == 8) {
        hn::Store(v, d, out);
    } else {
        const hn::Half<D> half;
        StoreSums(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), out);
    }
}

// Return the sums of neighbouring words, which are not negative.
HWY_INLINE hn::Vec<hn::FixedTag<uint32_t, 4>> SumPairs(hn::Vec<hn::FixedTag<int16_t, 8>> v) {
    const hn::FixedTag<uint32_t, 4> d;
#if CUDAME_SSSE3
    const hn::FixedTag<int16_t, 8> d16;
    return hn::Vec<decltype(d)>{_mm_madd_epi16(v.raw, hn::Set(d16, 1).raw)};
#else
    const auto pairs = hn::BitCast(d, v);
    return hn::Add(hn::And(pairs, hn::Set(d, 0xFFFF)), hn::ShiftRight<16>(pairs));
#endif
}

// Store the totals of four blocks from their eight partial sums.
HWY_INLINE void StoreTotals(const int16_t* sums, uint32_t* dist) {
    const hn::FixedTag<uint32_t, 4> d;
    const hn::FixedTag<uint64_t, 2> d64;
    const hn::FixedTag<int16_t, 8> d16;
    using V = hn::Vec<decltype(d)>;
    const auto load = [&](int i) HWY_ATTR { return SumPairs(hn::Load(d16, sums + 8 * i)); };
    const auto two = [&](V a, V b) HWY_ATTR {
        return hn::BitCast(d64,
                           hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)));
    };
    const auto a = two(load(0), load(1)), b = two(load(2), load(3));
    hn::StoreU(hn::Add(hn::BitCast(d, hn::InterleaveLower(d64, a, b)),
                       hn::BitCast(d, hn::InterleaveUpper(d64, a, b))),
               d, dist);
}

// SATDs at kRows x kColumns vectors, one pixel apart. In `sums`, they are two entries apart in a
// row and six in a column.
template <int kRows, int kColumns>
HWY_INLINE void SatdNeighbours(const Transform<D16x16>& t, const Source16& source, const uint8_t* p,
                               int16_t (*sums)[8]) {
    const Words<D16x16> d16;
    Words16x16 total[kRows][kColumns];
    for (auto& row : total)
        for (auto& v : row) v = hn::Zero(d16);
    for (int g = 0; g < kGroups; g++) {
        Words16x16 sum[kRows][kColumns];
        t.template Satd<kRows, kColumns>(
            [&](int i, Words16x16* q) HWY_ATTR {
                const auto first = LoadUnits(p, kRow, g, i);
                const auto last = kColumns == 2 ? LoadUnits(p + 1, kRow, g, i) : first;
                q[0] = t.Even(kSixteen, first);
                if (kColumns == 2) q[1] = t.Even(kSixteen, last);
                q[kColumns] = t.Odd(kSixteen, last);
            },
            source.group[g], sum);
        for (int r = 0; r < kRows; r++)
            for (int c = 0; c < kColumns; c++) total[r][c] = hn::Add(total[r][c], sum[r][c]);
    }
    for (int r = 0; r < kRows; r++)
        for (int c = 0; c < kColumns; c++) StoreSums(d16, total[r][c], sums[6 * r + 2 * c]);
}

void SatdHalf16(const uint8_t* src, const HalfPlanes& planes, uint32_t dist[9]) {
    const Transform<D16x16> t;
    const Source16 source(t, src);
    HWY_ALIGN int16_t sums[9][8];
    SatdNeighbours<2, 2>(t, source, planes.At(-1, -1), sums);
    SatdNeighbours<2, 1>(t, source, planes.At(-1, 0), sums + 1);
    SatdNeighbours<1, 2>(t, source, planes.At(0, -1), sums + 3);
    SatdNeighbours<1, 1>(t, source, planes.At(0, 0), sums + 4);
    StoreTotals(sums[0], dist);
    StoreTotals(sums[4], dist + 4);
    StoreTotals(sums[5], dist + 5);
}

void SatdQuarter16(const uint8_t* src, const HalfPlanes& planes, int centre, unsigned wanted,
                   uint32_t dist[9]) {
    const D16x16 d;
    const Words<D16x16> d16;
    const Transform<D16x16> t;
    const Source16 source(t, src);
    const int row = centre / 3 - 1, col = centre % 3 - 1;
    // A diagonal neighbour lies between four pixels: take the two that are half-pel in one
    // direction.
    const bool straight = !((row ^ col) & 1);

    // Rows of pixels to the left, at the centre and to the right; and rows of pixels above and
    // below.
    HWY_ALIGN uint8_t level[3][kGroups][4 * kVector], upright[3][kGroups][5 * kVector];
    const auto collect = [&](const uint8_t* p, int count, auto& out) HWY_ATTR {
        for (int g = 0; g < kGroups; g++)
            for (int i = 0; i < count; i++)
                hn::Store(LoadUnits(p, kRow, g, i), d, out[g] + i * kVector);
    };
    for (int dx = 0; dx < 3; dx++) {
        if (dx != 1 && !(wanted & 0x49u << dx)) continue;
        collect(planes.At(row, col + dx - 1), 4, level[dx]);
        if (dx == 1 || !straight) collect(planes.At(row - 1, col + dx - 1), 5, upright[dx]);
    }

    HWY_ALIGN int16_t sums[8][8];
    for (int n = 0, k = 0; n < 9; n++) {
        if (n == 4) continue;
        if (!(wanted & 1u << n)) {
            k++;
            continue;
        }
        const int dx = n % 3;
        const bool diagonal = n % 2 == 0;
        const uint8_t* a = level[diagonal && straight ? dx : 1][0];
        const uint8_t* b;
        ptrdiff_t step = 4 * kVector;
        if (n / 3 == 1) {
            b = level[dx][0];
        } else {
            b = upright[diagonal && straight ? 1 : dx][0] + n / 6 * kVector;
            step = 5 * kVector;
        }
        Words16x16 total = hn::Zero(d16);
        for (int g = 0; g < kGroups; g++, a += 4 * kVector, b += step) {
            Words16x16 sum[1][1];
            t.Satd<1, 1>(
                [&](int i, Words16x16* q) HWY_ATTR {
                    const auto mean = hn::AverageRound(hn::Load(d, a + i * kVector),
                                                       hn::Load(d, b + i * kVector));
                    q[0] = t.Even(kSixteen, mean);
                    q[1] = t.Odd(kSixteen, mean);
                },
                source.group[g], sum);
            total = hn::Add(total, sum[0][0]);
        }
        StoreSums(d16, total, sums[k++]);
    }
    StoreTotals(sums[0], dist);
    StoreTotals(sums[4], dist + 5);
}

// ---- 8x8 ----

// A lane has one of the two rows of units, of two predictions.
constexpr int kLanes8 = std::min(CUDAME_LANES, 2), kHalves = 2 / kLanes8;
using D8x8 = Bytes<kLanes8>;
using Words8x8 = hn::Vec<Words<D8x8>>;
constexpr int kVector8 = 16 * kLanes8;

HWY_INLINE hn::Vec<D8x8> LoadUnits8(const uint8_t* p, ptrdiff_t stride, int half, int i) {
    return LoadLanes(D8x8(), p + (4 * half + i) * stride, 4 * stride);
}

HWY_INLINE hn::Vec<Bytes<1>> LoadPair(const uint8_t* a, const uint8_t* b) {
    const Bytes<1> d;
    const hn::Half<Bytes<1>> half;
    return hn::Combine(d, hn::LoadU(half, b), hn::LoadU(half, a));
}

// The same for eight pixels of a and eight of b.
template <class D>
HWY_INLINE hn::Vec<D> LoadPairs(D d, const uint8_t* a, const uint8_t* b, ptrdiff_t stride) {
    if constexpr (hn::MaxLanes(D()) == 16) {
        return LoadPair(a, b);
    } else {
        return hn::Combine(d, LoadPair(a + 4 * stride, b + 4 * stride), LoadPair(a, b));
    }
}

// The sums of two words for each unit of two predictions. They are below 32768, because the SATD of
// a unit is at most 16 * 255 * 2. Lanes 0 and 2 belong to the first prediction, lanes 1 and 3 to
// the second.
using Sums8 = hn::Vec<hn::FixedTag<uint32_t, 4>>;
template <class V>
HWY_INLINE Sums8 SumsOf(const V* halves) {
    const hn::FixedTag<int16_t, 8> d;
    if constexpr (kLanes8 == 1) {
        return SumPairs(hn::Add(halves[0], halves[kHalves - 1]));
    } else {
        return SumPairs(hn::Add(hn::LowerHalf(d, halves[0]), hn::UpperHalf(d, halves[0])));
    }
}

// Return the SATDs of the four predictions in a and b.
HWY_INLINE Sums8 Totals(Sums8 a, Sums8 b) {
    const hn::FixedTag<uint32_t, 4> d;
    const hn::FixedTag<uint64_t, 2> d64;
    const auto x = hn::BitCast(d64, a), y = hn::BitCast(d64, b);
    return hn::Add(hn::BitCast(d, hn::InterleaveLower(d64, x, y)),
                   hn::BitCast(d, hn::InterleaveUpper(d64, x, y)));
}

// The numbers of four lanes out of a and b; those of b continue after those of a.
struct Mix {
    alignas(16) uint8_t a[16], b[16];
    constexpr Mix(int l0, int l1, int l2, int l3) : a(), b() {
        const int lanes[4] = {l0, l1, l2, l3};
        for (int i = 0; i < 16; i++) {
            const int byte = 4 * lanes[i / 4] + i % 4;
            a[i] = static_cast<uint8_t>(byte < 16 ? byte : 0x80);
            b[i] = static_cast<uint8_t>(byte < 16 ? 0x80 : byte - 16);
        }
    }
};
HWY_INLINE void StoreMix(Sums8 a, Sums8 b, const Mix& mix, uint32_t* out) {
    const Bytes<1> d;
    const hn::FixedTag<uint32_t, 4> d32;
    const auto x = hn::TableLookupBytesOr0(hn::BitCast(d, a), hn::Load(d, mix.a));
    const auto y = hn::TableLookupBytesOr0(hn::BitCast(d, b), hn::Load(d, mix.b));
    hn::StoreU(hn::BitCast(d32, hn::Or(x, y)), d32, out);
}
// a has neighbours 0, 2, 3 and 5; b has 1, 7, 6 and 8.
HWY_INLINE void StoreNeighbours(Sums8 a, Sums8 b, uint32_t dist[9]) {
    static constexpr Mix kFirst(0, 4, 1, 2), kLast(3, 6, 5, 7);
    StoreMix(a, b, kFirst, dist);
    StoreMix(a, b, kLast, dist + 5);
}

struct Source8 {
    HWY_ALIGN int16_t half[kHalves][Transform<D8x8>::kSource];
    HWY_INLINE Source8(const Transform<D8x8>& t, const uint8_t* src) {
        for (int h = 0; h < kHalves; h++)
            t.Source(
                [&](int i, Words8x8* q) HWY_ATTR {
                    const uint8_t* p = src + (4 * h + i) * kSourceRow;
                    const auto v = LoadPairs(D8x8(), p, p, kSourceRow);
                    q[0] = t.Even(kSixteen, v);
                    q[1] = t.Odd(kSixteen, v);
                },
                half[h]);
        Settle(this);
    }
};

void SatdHalf8(const uint8_t* src, const HalfPlanes& planes, uint32_t dist[9]) {
    const Transform<D8x8> t;
    const Source8 source(t, src);
    Words8x8 corners[2][kHalves], middle[2][kHalves], level[kHalves];
    const uint8_t *diagonal = planes.At(-1, -1), *side = planes.At(0, -1);
    // The whole pixels of the row above are not needed.
    const uint8_t *upright = planes.At(-1, 0), *whole = planes.At(0, 0) - kRow;
    for (int h = 0; h < kHalves; h++) {
        const auto shifted = [&](const uint8_t* p) HWY_ATTR {
            return [&t, p, h](int i, Words8x8* q) HWY_ATTR {
                const auto v = LoadUnits8(p, kRow, h, i);
                q[0] = t.Even(kShifted, v);
                q[1] = t.Odd(kShifted, v);
            };
        };
        Words8x8 two[2][1], one[1][1];
        t.Satd<2, 1>(shifted(diagonal), source.half[h], two);
        corners[0][h] = two[0][0];
        corners[1][h] = two[1][0];
        t.Satd<2, 1>(
            [&](int i, Words8x8* q) HWY_ATTR {
                const ptrdiff_t at = (4 * h + i) * kRow;
                const auto v = LoadPairs(D8x8(), upright + at, whole + at, kRow);
                q[0] = t.Even(kSixteen, v);
                q[1] = t.Odd(kSixteen, v);
            },
            source.half[h], two);
        middle[0][h] = two[0][0];
        middle[1][h] = two[1][0];
        t.Satd<1, 1>(shifted(side), source.half[h], one);
        level[h] = one[0][0];
    }
    // Neighbours 1 and 7.
    const hn::FixedTag<uint32_t, 4> d32;
    const hn::FixedTag<uint64_t, 2> d64;
    const auto above = SumsOf(middle[0]), below = SumsOf(middle[1]);
    const auto both =
        hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<32>(hn::BitCast(d64, below))), above);
    StoreNeighbours(Totals(SumsOf(corners[0]), SumsOf(level)), Totals(both, SumsOf(corners[1])),
                    dist);
    dist[4] = hn::ExtractLane(hn::Add(below, hn::Shuffle1032(below)), 1);
}

// Rows of two predictions: even and odd pairs.
struct PairRows {
    HWY_ALIGN uint8_t row[5][2][kVector8];
    HWY_INLINE void Set(int i, hn::Vec<D8x8> even, hn::Vec<D8x8> odd) {
        hn::Store(even, D8x8(), row[i][0]);
        hn::Store(odd, D8x8(), row[i][1]);
    }
    HWY_INLINE hn::Vec<D8x8> Get(int i, int odd) const { return hn::Load(D8x8(), row[i][odd]); }
};

void SatdQuarter8(const uint8_t* src, const HalfPlanes& planes, int centre, uint32_t dist[9]) {
    const D8x8 d;
    const Transform<D8x8> t;
    const Source8 source(t, src);
    const int row = centre / 3 - 1, col = centre % 3 - 1;
    const bool straight = !((row ^ col) & 1);
    Words8x8 result[4][kHalves];
    for (int h = 0; h < kHalves; h++) {
        // Pixels at the centre; left and right of it; above it and, one row on, below it; both of
        // these; and in the corners.
        PairRows middle, sides, upright, ends, corners;
        const auto split = [&](const Order& order, const uint8_t* p, int count, PairRows* out)
                               HWY_ATTR {
                                   for (int i = 0; i < count; i++) {
                                       const auto v = LoadUnits8(p, kRow, h, i);
                                       out->Set(i, Even(d, order, v), Odd(d, order, v));
                                   }
                               };
        split(kTwice, planes.At(row, col), 4, &middle);
        split(kShifted, planes.At(row, col - 1), 4, &sides);
        split(kTwice, planes.At(row - 1, col), 5, &upright);
        const auto first = hn::BitCast(d, hn::Set(hn::Repartition<uint64_t, D8x8>(), 0xFFFFFFFFu));
        for (int i = 0; i < 4; i++) {
            const auto end = [&](int odd) HWY_ATTR {
                return hn::IfThenElse(hn::MaskFromVec(first), upright.Get(i, odd),
                                      upright.Get(i + 1, odd));
            };
            ends.Set(i, end(0), end(1));
        }
        const PairRows *a = &sides, *b = &upright;
        if (!straight) {
            split(kShifted, planes.At(row - 1, col - 1), 5, &corners);
            a = &middle;
            b = &corners;
        }
        const auto satd = [&](const PairRows& p, const PairRows& q, int q_row) HWY_ATTR {
            Words8x8 sum[1][1];
            t.Satd<1, 1>(
                [&](int i, Words8x8* q_words) HWY_ATTR {
                    for (int odd = 0; odd < 2; odd++)
                        q_words[odd] =
                            t.Across(hn::AverageRound(p.Get(i, odd), q.Get(q_row + i, odd)));
                },
                source.half[h], sum);
            return sum[0][0];
        };
        result[0][h] = satd(*a, *b, 0);
        result[1][h] = satd(middle, ends, 0);
        result[2][h] = satd(middle, sides, 0);
        result[3][h] = satd(*a, *b, 1);
    }
    StoreNeighbours(Totals(SumsOf(result[0]), SumsOf(result[2])),
                    Totals(SumsOf(result[1]), SumsOf(result[3])), dist);
}

#endif  // CUDAME_FIXED_VECTORS

void SetLeanSatd(Kernels* k) {
#if CUDAME_FIXED_VECTORS
    k->satd_half16 = SatdHalf16;
    k->satd_quarter16 = SatdQuarter16;
    k->satd_half8 = SatdHalf8;
    k->satd_quarter8 = SatdQuarter8;
#else
    (void)k;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cudame
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudame {

HWY_EXPORT(SetLeanSatd);

void SetLeanSatdKernels(Kernels* k) { HWY_DYNAMIC_DISPATCH(SetLeanSatd)(k); }

}  // namespace cudame
#endif  // HWY_ONCE
