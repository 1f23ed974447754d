// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Intra estimates for each instruction set. A lane is a 4x4 block: a vector has one pixel of all 16
// blocks, so that neither predictions nor transforms need shuffles.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels_intra.cc"
#include <hwy/foreach_target.h>
// foreach_target.h must come first
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "cpu/kernels.h"

// Not for vectors of unknown size, because C++ has no arrays of them.
#undef CUDAME_INTRA
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
#define CUDAME_INTRA 1
#endif

HWY_BEFORE_NAMESPACE();
namespace cudame {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if CUDAME_INTRA

using D8 = hn::FixedTag<uint8_t, 16>;
using D32 = hn::FixedTag<uint32_t, 4>;
using V8 = hn::Vec<D8>;
using V32 = hn::Vec<D32>;

// Number of macroblocks that fill the widest vector of 16-bit lanes.
constexpr int kMbsAtOnce = HWY_MAX_BYTES >= 64 ? 2 : 1;
constexpr int kAllLanes = 16 * kMbsAtOnce;
using D16 = hn::CappedTag<int16_t, kAllLanes>;
using V16 = hn::Vec<D16>;

// Each row has one pixel of all blocks.
struct Lanes {
    alignas(64) uint8_t src[16][kAllLanes];
    alignas(64) uint8_t edge[kEdge][kAllLanes];  // edges of the 4x4 blocks
    alignas(64) uint8_t taps[kEdgeTaps][kAllLanes];
    alignas(64) uint8_t left[4][kAllLanes], above[4][kAllLanes];  // edges of the macroblock
    alignas(64) uint8_t corner[kAllLanes], mean[kAllLanes];
};

// Four bytes are a row of blocks. FromLeft() returns for each block the pixel of the block to its
// left, FromAbove() that of the block above. Blocks at the edge take theirs from `first`.
HWY_INLINE V32 FromLeft(V32 v, V32 first) {
    return hn::Or(hn::ShiftLeft<8>(v), hn::And(first, hn::Set(D32(), 0xFF)));
}
HWY_INLINE V32 FromAbove(V32 v, V32 first) {
    return hn::CombineShiftRightBytes<12>(D32(), v, first);
}

HWY_INLINE uint32_t Sum(const uint8_t* p) {
    return static_cast<uint32_t>(
        hn::GetLane(hn::SumOfLanes(hn::FixedTag<uint64_t, 2>(), hn::SumsOf8(hn::Load(D8(), p)))));
}

HWY_INLINE uint8_t Mean(const IntraSource& mb) {
    if (mb.has_above && mb.has_left)
        return static_cast<uint8_t>((Sum(mb.above) + Sum(mb.left) + 16) / 32);
    if (mb.has_above) return static_cast<uint8_t>((Sum(mb.above) + 8) / 16);
    if (mb.has_left) return static_cast<uint8_t>((Sum(mb.left) + 8) / 16);
    return 128;
}

// Fill the 16 lanes from `at` on with a macroblock.
HWY_INLINE void ToLanes(const IntraSource& mb, int at, Lanes* lanes) {
    const D8 d;
    const D32 d32;
    const hn::FixedTag<uint64_t, 2> d64;
    alignas(16) static constexpr uint8_t kTranspose[16] = {0, 4, 8,  12, 1, 5, 9,  13,
                                                           2, 6, 10, 14, 3, 7, 11, 15};
    alignas(16) static constexpr uint8_t kSpread[16] = {0, 0, 0, 0, 4,  4,  4,  4,
                                                        8, 8, 8, 8, 12, 12, 12, 12};
    const V8 transpose = hn::Load(d, kTranspose), spread = hn::Load(d, kSpread);
    const auto deinterleave = [&](const uint8_t* row) HWY_ATTR {
        return hn::BitCast(d32, hn::TableLookupBytes(hn::Load(d, row), transpose));
    };
    const auto store = [&](auto v, uint8_t* to)
                           HWY_ATTR { hn::Store(hn::BitCast(d, v), d, to + at); };

    V32 right[4], bottom[4];  // the right column and the bottom row of every block
    for (int y = 0; y < 4; y++) {
        const uint8_t* row = mb.pixels + kMb * y;
        const V32 r0 = deinterleave(row), r1 = deinterleave(row + 4 * kMb);
        const V32 r2 = deinterleave(row + 8 * kMb), r3 = deinterleave(row + 12 * kMb);
        const auto low01 = hn::BitCast(d64, hn::InterleaveLower(d32, r0, r1));
        const auto low23 = hn::BitCast(d64, hn::InterleaveLower(d32, r2, r3));
        const auto high01 = hn::BitCast(d64, hn::InterleaveUpper(d32, r0, r1));
        const auto high23 = hn::BitCast(d64, hn::InterleaveUpper(d32, r2, r3));
        bottom[0] = hn::BitCast(d32, hn::InterleaveLower(d64, low01, low23));
        bottom[1] = hn::BitCast(d32, hn::InterleaveUpper(d64, low01, low23));
        bottom[2] = hn::BitCast(d32, hn::InterleaveLower(d64, high01, high23));
        bottom[3] = hn::BitCast(d32, hn::InterleaveUpper(d64, high01, high23));
        for (int x = 0; x < 4; x++) store(bottom[x], lanes->src[4 * y + x]);
        right[y] = bottom[3];
    }

    const V8 corner = hn::Set(d, mb.above_left), left = hn::Load(d, mb.left);
    const V32 above = deinterleave(mb.above);
    const V32 aboves[4] = {hn::Broadcast<0>(above), hn::Broadcast<1>(above),
                           hn::Broadcast<2>(above), hn::Broadcast<3>(above)};
    V8 edge[kEdge];
    V32 lefts = hn::Zero(d32), above4 = lefts;
    for (int i = 0; i < 4; i++) {
        const V8 rows = hn::Add(spread, hn::Set(d, static_cast<uint8_t>(i)));
        lefts = hn::BitCast(d32, hn::TableLookupBytes(left, rows));
        above4 = FromAbove(bottom[i], aboves[i]);
        const V32 next = hn::Set(d32, static_cast<uint32_t>(mb.above[kMb + i]) << 24);
        edge[kEdgeCorner - 1 - i] = hn::BitCast(d, FromLeft(right[i], lefts));
        edge[kEdgeAbove + i] = hn::BitCast(d, above4);
        edge[kEdgeAbove + 4 + i] = hn::BitCast(d, hn::Or(hn::ShiftRight<8>(above4), next));
        store(lefts, lanes->left[i]);
        store(aboves[i], lanes->above[i]);
    }
    // Here lefts has the lowest pixel of the left column, and above4 the fourth pixel above.
    edge[kEdgeCorner] =
        hn::BitCast(d, FromLeft(above4, FromAbove(lefts, hn::BitCast(d32, corner))));
    store(corner, lanes->corner);
    store(hn::Set(d, Mean(mb)), lanes->mean);

    const V8 one = hn::Set(d, uint8_t{1});
    for (int i = 0; i < kEdge; i++) {
        const V8 a = edge[i > 0 ? i - 1 : 0], b = edge[i < kEdge - 1 ? i + 1 : i];
        const V8 mean_down = hn::Sub(hn::AverageRound(a, b), hn::And(hn::Xor(a, b), one));
        store(edge[i], lanes->edge[i]);
        store(hn::AverageRound(mean_down, edge[i]), lanes->taps[i]);
        if (i < kEdge - 1) store(hn::AverageRound(edge[i], b), lanes->taps[kEdgePair + i]);
    }
    store(edge[0], lanes->taps[kEdgeLast]);
}

HWY_INLINE V16 LoadLanes(const uint8_t* p) {
    const hn::Rebind<uint8_t, D16> d8;
    return hn::PromoteTo(D16(), hn::Load(d8, p));
}

// The coefficients of a 4x4 Hadamard transform before the last butterfly. It would compute x + y
// and x - y of each pair; their magnitudes add up to twice the larger of |x| and |y|.
struct Coefficients {
    // GCC gives an implicit constructor no target attribute, but vectors of NEON need one.
    HWY_INLINE Coefficients() {}
    V16 x0[4], y0[4], x1[4], y1[4];  // by column
};

// Transform a row.
template <class V>
HWY_INLINE void TransformRow(V r0, V r1, V r2, V r3, V* out) {
    const V s0 = hn::Add(r0, r1), s1 = hn::Sub(r0, r1), s2 = hn::Add(r2, r3), s3 = hn::Sub(r2, r3);
    out[0] = hn::Add(s0, s2);
    out[1] = hn::Sub(s0, s2);
    out[2] = hn::Add(s1, s3);
    out[3] = hn::Sub(s1, s3);
}

template <class Pixel>
HWY_INLINE Coefficients Transform(Pixel pixel) {
    V16 t[4][4];
    for (int y = 0; y < 4; y++)
        TransformRow(pixel(y, 0), pixel(y, 1), pixel(y, 2), pixel(y, 3), t[y]);
    Coefficients c;
    for (int u = 0; u < 4; u++) {
        c.x0[u] = hn::Add(t[0][u], t[1][u]);
        c.x1[u] = hn::Sub(t[0][u], t[1][u]);
        c.y0[u] = hn::Add(t[2][u], t[3][u]);
        c.y1[u] = hn::Sub(t[2][u], t[3][u]);
    }
    return c;
}

HWY_INLINE V16 Larger(V16 x, V16 y) { return hn::Max(hn::Abs(x), hn::Abs(y)); }

HWY_INLINE V16 HalfSum(const Coefficients& c) {
    V16 sum = hn::Zero(D16());
    for (int u = 0; u < 4; u++)
        sum = hn::Add(sum, hn::Add(Larger(c.x0[u], c.y0[u]), Larger(c.x1[u], c.y1[u])));
    return sum;
}

// SATDs of the blocks from lane `at` on, as many as a vector has lanes, for each kind of
// prediction. The transform is linear: if the transform of a prediction has few coefficients, only
// these coefficients of the source change.
class Satd {
  public:
    Satd(const Lanes& lanes, int at) : lanes_(lanes), at_(at) {
        c_ = Transform([&](int y, int x) HWY_ATTR { return Source(y, x); });
        for (int u = 0; u < 4; u++) {
            part0_[u] = Larger(c_.x0[u], c_.y0[u]);
            part1_[u] = Larger(c_.x1[u], c_.y1[u]);
        }
    }

    V16 At(const uint8_t* p) const { return LoadLanes(p + at_); }

    V16 Constant(V16 mean) const {
        const V16 x8 = hn::ShiftLeft<3>(mean);
        V16 sum = Larger(hn::Sub(c_.x0[0], x8), hn::Sub(c_.y0[0], x8));
        for (int u = 1; u < 4; u++) sum = hn::Add(sum, part0_[u]);
        for (int u = 0; u < 4; u++) sum = hn::Add(sum, part1_[u]);
        return sum;
    }

    // SATD of a prediction with four equal rows.
    V16 Vertical(V16 r0, V16 r1, V16 r2, V16 r3) const {
        V16 row[4];
        TransformRow(r0, r1, r2, r3, row);
        V16 sum = hn::Zero(D16());
        for (int u = 0; u < 4; u++) {
            const V16 x2 = hn::Add(row[u], row[u]);
            sum = hn::Add(sum, Larger(hn::Sub(c_.x0[u], x2), hn::Sub(c_.y0[u], x2)));
            sum = hn::Add(sum, part1_[u]);
        }
        return sum;
    }

    // SATD of a prediction with four equal columns.
    V16 Horizontal(V16 r0, V16 r1, V16 r2, V16 r3) const {
        const auto x4 = [](V16 v) HWY_ATTR { return hn::ShiftLeft<2>(v); };
        V16 sum = hn::Add(
            Larger(hn::Sub(c_.x0[0], x4(hn::Add(r0, r1))), hn::Sub(c_.y0[0], x4(hn::Add(r2, r3)))),
            Larger(hn::Sub(c_.x1[0], x4(hn::Sub(r0, r1))), hn::Sub(c_.y1[0], x4(hn::Sub(r2, r3)))));
        for (int u = 1; u < 4; u++) sum = hn::Add(sum, hn::Add(part0_[u], part1_[u]));
        return sum;
    }

    V16 TrueMotion(const V16* left, const V16* above, V16 corner) const {
        const V16 zero = hn::Zero(D16()), most = hn::Set(D16(), 255);
        V16 step[4];
        for (int x = 0; x < 4; x++) step[x] = hn::Sub(above[x], corner);
        return HalfSum(Transform([&](int y, int x) HWY_ATTR {
            const V16 v = hn::Min(hn::Max(hn::Add(left[y], step[x]), zero), most);
            return hn::Sub(Source(y, x), v);
        }));
    }

    template <int kMode>
    V16 Direction() const {
        return HalfSum(Transform([&](int y, int x) HWY_ATTR {
            return hn::Sub(Source(y, x),
                           At(lanes_.taps[kEdgeTap[kMode - kFirstDirection][4 * y + x]]));
        }));
    }

  private:
    V16 Source(int y, int x) const { return At(lanes_.src[4 * y + x]); }

    const Lanes& lanes_;
    const int at_;
    Coefficients c_;
    V16 part0_[4], part1_[4];
};

// The two modes with the lowest costs in every lane. Modes are tried in their order.
class TwoBest {
  public:
    using D = hn::RebindToUnsigned<D16>;
    using V = hn::Vec<D>;

    // If all costs saturate, the best modes are 0 and 1.
    TwoBest()
        : cost_(hn::Set(D(), 65535)),
          second_cost_(cost_),
          mode_(hn::Zero(D())),
          second_mode_(hn::Set(D(), 1)) {}

    void Try(int mode, V16 satd, uint16_t rate) {
        const D d;
        const V cost = hn::SaturatedAdd(hn::BitCast(d, satd), hn::Set(d, rate));
        const V m = hn::Set(d, static_cast<uint16_t>(mode));
        const auto first = hn::Lt(cost, cost_), second = hn::Lt(cost, second_cost_);
        second_mode_ = hn::IfThenElse(first, mode_, hn::IfThenElse(second, m, second_mode_));
        second_cost_ = hn::IfThenElse(first, cost_, hn::Min(cost, second_cost_));
        mode_ = hn::IfThenElse(first, m, mode_);
        cost_ = hn::Min(cost, cost_);
    }
    V cost() const { return cost_; }
    V modes() const { return hn::Or(mode_, hn::ShiftLeft<4>(second_mode_)); }

  private:
    V cost_, second_cost_, mode_, second_mode_;
};

struct Results {
    alignas(64) uint16_t satd16[4][kAllLanes], cost4[kAllLanes];
    alignas(64) uint8_t mode4[kAllLanes];
};

// Estimate the blocks from lane `at` on, as many as a vector has lanes.
void EstimateLanes(const Lanes& lanes, int at, const IntraRates& rates, Results* results) {
    const D16 d;
    const TwoBest::D du;
    const Satd satd(lanes, at);
    const auto store = [&](V16 v, uint16_t* to)
                           HWY_ATTR { hn::Store(hn::BitCast(du, v), du, to + at); };
    {
        V16 left[4], above[4];
        for (int i = 0; i < 4; i++) left[i] = satd.At(lanes.left[i]);
        for (int i = 0; i < 4; i++) above[i] = satd.At(lanes.above[i]);
        store(satd.Constant(satd.At(lanes.mean)), results->satd16[0]);
        store(satd.Vertical(above[0], above[1], above[2], above[3]), results->satd16[1]);
        store(satd.Horizontal(left[0], left[1], left[2], left[3]), results->satd16[2]);
        store(satd.TrueMotion(left, above, satd.At(lanes.corner)), results->satd16[3]);
    }
    TwoBest best;
    {
        V16 left[4], above[4], sum = hn::Set(d, 4);
        for (int i = 0; i < 4; i++) {
            left[i] = satd.At(lanes.edge[kEdgeCorner - 1 - i]);
            above[i] = satd.At(lanes.edge[kEdgeAbove + i]);
            sum = hn::Add(sum, hn::Add(left[i], above[i]));
        }
        best.Try(0, satd.Constant(hn::ShiftRight<3>(sum)), rates[0]);
        best.Try(1, satd.TrueMotion(left, above, satd.At(lanes.edge[kEdgeCorner])), rates[1]);
    }
    const auto tap = [&](int direction, int pixel)
                         HWY_ATTR { return satd.At(lanes.taps[kEdgeTap[direction][pixel]]); };
    best.Try(2, satd.Vertical(tap(0, 0), tap(0, 1), tap(0, 2), tap(0, 3)), rates[2]);
    best.Try(3, satd.Horizontal(tap(1, 0), tap(1, 4), tap(1, 8), tap(1, 12)), rates[3]);
    best.Try(4, satd.Direction<4>(), rates[4]);
    best.Try(5, satd.Direction<5>(), rates[5]);
    best.Try(6, satd.Direction<6>(), rates[6]);
    best.Try(7, satd.Direction<7>(), rates[7]);
    best.Try(8, satd.Direction<8>(), rates[8]);
    best.Try(9, satd.Direction<9>(), rates[9]);
    const hn::Rebind<uint8_t, D16> d8;
    hn::Store(best.cost(), du, results->cost4 + at);
    hn::Store(hn::DemoteTo(d8, hn::BitCast(d, best.modes())), d8, results->mode4 + at);
}

HWY_INLINE uint16_t SaturatedSum(const uint16_t* p) {
    const hn::FixedTag<uint16_t, 8> d;
    const D32 d32;
    const V32 a = hn::BitCast(d32, hn::Load(d, p)), b = hn::BitCast(d32, hn::Load(d, p + 8));
    const V32 low = hn::Set(d32, 0xFFFF);
    const V32 sum = hn::Add(hn::Add(hn::And(a, low), hn::ShiftRight<16>(a)),
                            hn::Add(hn::And(b, low), hn::ShiftRight<16>(b)));
    return static_cast<uint16_t>(std::min<uint32_t>(hn::GetLane(hn::SumOfLanes(d32, sum)), 65535));
}

void Intra(const IntraSource* mbs, int n, const IntraRates& rates, cudame_intra* out) {
    Lanes lanes;
    Results results;
    for (int i = 0; i < n; i += kMbsAtOnce) {
        // The last macroblock fills two places if it is alone.
        for (int k = 0; k < kMbsAtOnce; k++) ToLanes(mbs[std::min(i + k, n - 1)], 16 * k, &lanes);
        for (int at = 0; at < kAllLanes; at += static_cast<int>(hn::Lanes(D16())))
            EstimateLanes(lanes, at, rates, &results);
        for (int k = 0; k < std::min(kMbsAtOnce, n - i); k++) {
            cudame_intra& to = out[i + k];
            for (int mode = 0; mode < 4; mode++)
                to.satd16[mode] = SaturatedSum(results.satd16[mode] + 16 * k);
            to.cost4 = SaturatedSum(results.cost4 + 16 * k);
            memcpy(to.mode4, results.mode4 + 16 * k, sizeof(to.mode4));
            to.pending = 0;
        }
    }
}

#endif  // CUDAME_INTRA

void SetIntra(Kernels* k) {
#if CUDAME_INTRA
    k->intra = Intra;
#else
    (void)k;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cudame
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudame {

HWY_EXPORT(SetIntra);

void SetIntraKernels(Kernels* k) { HWY_DYNAMIC_DISPATCH(SetIntra)(k); }

}  // namespace cudame
#endif  // HWY_ONCE
