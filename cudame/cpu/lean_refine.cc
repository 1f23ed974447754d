// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/lean_refine.h"

#include "cpu/neighbour_rates.h"

namespace cudame {
namespace {

constexpr unsigned kAllNeighbours = (1u << kNeighbourCount) - 1;

// Distortions of a vector's neighbours, of a block or of one of its quarters.
using Distances = uint32_t[kNeighbourCount];
constexpr Distances kNone = {};

// The best vector of a block so far, and what its neighbours cost.
class Best {
  public:
    // dist: that of the vector.
    Best(const Kernels& kernels, const LeanTask& task, Vec whole, uint32_t dist)
        : k_(kernels), t_(task), mv_(ToQuarter(whole)), dist_(dist) {}

    cudame_mv mv() const { return mv_; }
    uint32_t dist() const { return dist_; }

    // Takes the best of the half-pel neighbours, and of these one's quarter-pel neighbours, those
    // wanted, by their distortions: sums of two. Of equal costs the first one wins, but none that
    // is no better than what is there.
    void TakeHalf(const Distances& first, const Distances& second) {
        const NeighbourRatesOf rates(t_.rate, mv_.row, mv_.col, 2);
        cost_[kSameVector] = dist_ + static_cast<uint32_t>(rates.Own());
        neighbour_ = Take(rates, 2, kAllNeighbours, first, second);
        wanted_ = LeanQuarters(neighbour_, cost_);
        cost_[kSameVector] = cost_[neighbour_];
    }
    void TakeQuarter(const Distances& first, const Distances& second) {
        const NeighbourRatesOf rates(t_.rate, mv_.row, mv_.col, 1);
        Take(rates, 1, wanted_, first, second);
    }

    // After TakeHalf(): the half-pel neighbour that it is, and which of its neighbours are wanted.
    int neighbour() const { return neighbour_; }
    unsigned wanted() const { return wanted_; }

  private:
    int Take(const NeighbourRates& rates, int step, unsigned wanted, const Distances& first,
             const Distances& second) {
        const int row = mv_.row, col = mv_.col;
        unsigned legal = kAllNeighbours;
        if (!t_.window.ContainsQuarter(row - step, col - step) ||
            !t_.window.ContainsQuarter(row + step, col + step))
            legal = Legal(step);
        const int low = k_.neighbour_min(rates, first, second, wanted & legal, cost_);
        for (int n = 0; legal != kAllNeighbours && n < kNeighbourCount; n++)
            if (!(legal & 1u << n)) cost_[n] = kNoCost;
        mv_ = {static_cast<int16_t>(row + step * (low / 3 - 1)),
               static_cast<int16_t>(col + step * (low % 3 - 1))};
        if (low != kSameVector) dist_ = first[low] + second[low];
        return low;
    }

    unsigned Legal(int step) const {
        unsigned legal = 1u << kSameVector;
        for (int n = 0; n < kNeighbourCount; n++)
            if (t_.window.ContainsQuarter(mv_.row + step * (n / 3 - 1),
                                          mv_.col + step * (n % 3 - 1)))
                legal |= 1u << n;
        return legal;
    }

    const Kernels& k_;
    const LeanTask& t_;
    cudame_mv mv_;
    uint32_t dist_, cost_[kNeighbourCount];
    int neighbour_ = kSameVector;
    unsigned wanted_ = 0;
};

// Distortions of a quarter: of the half-pel neighbours of a whole-pixel vector, and of the
// quarter-pel neighbours of each of these. Blocks that share a vector share them.
class QuarterTables {
  public:
    QuarterTables(const Kernels& kernels, const LeanTask& task, enum cudame_filter filter, int q)
        : k_(kernels), filter_(filter), stride_(task.stride) {
        const ptrdiff_t y = q / 2 * 8, x = q % 2 * 8;
        src_ = task.src + kMb * y + x;
        ref_ = task.ref + y * stride_ + x;
    }

    const Distances& Half(Vec whole) { return At(whole)->half; }
    const Distances& Quarter(Vec whole, int centre) {
        Entry* e = At(whole);
        Distances& quarter = e->quarter[centre];
        if (!(e->made & 1u << centre)) {
            k_.satd_quarter8(src_, e->planes, centre, quarter);
            e->made |= 1u << centre;
        }
        return quarter;
    }

  private:
    struct Entry {
        Vec whole;
        unsigned made;  // of quarter[], by half-pel neighbour
        HalfPlanes planes;
        Distances half, quarter[kNeighbourCount];
    };
    // Those of the quarter itself and of the 16x8 and 8x16 block that it is part of.
    static constexpr int kEntries = 3;

    Entry* At(Vec whole) {
        for (int i = 0; i < count_; i++)
            if (entry_[i].whole == whole) return entry_ + i;
        Entry* e = entry_ + count_++;
        e->whole = whole;
        e->made = 0;
        k_.half_planes[filter_](ref_ + whole.y * stride_ + whole.x, stride_, 8, &e->planes);
        k_.satd_half8(src_, e->planes, e->half);
        return e;
    }

    const Kernels& k_;
    const enum cudame_filter filter_;
    const ptrdiff_t stride_;
    const uint8_t *src_, *ref_;
    Entry entry_[kEntries];
    int count_ = 0;
};

// Quarters that a block larger than 4x4 is made of: one or two.
struct Quarters {
    int first, second;
};
constexpr Quarters kQuarters[kLeanBlocks] = {{},      {0, 1},  {2, 3},  {0, 2}, {1, 3},
                                             {0, -1}, {1, -1}, {2, -1}, {3, -1}};

}  // namespace

void LeanRefine(const Kernels& kernels, const LeanTask& task, enum cudame_filter filter, Vec whole,
                bool moves, cudame_mb* out) {
    const MetricFn satd = kernels.metric[static_cast<int>(Metric::kSatd)][k16x16];
    const uint8_t* ref = task.ref + whole.y * task.stride + whole.x;
    if (!moves) {
        out->mv = ToQuarter(whole);
        out->dist = Saturate16(satd(task.src, kMb, ref, task.stride));
        return;
    }
    HalfPlanes planes;
    Distances dist;
    kernels.half_planes[filter](ref, task.stride, kMb, &planes);
    kernels.satd_half16(task.src, planes, dist);
    Best best(kernels, task, whole, dist[kSameVector]);
    best.TakeHalf(dist, kNone);
    kernels.satd_quarter16(task.src, planes, best.neighbour(), best.wanted(), dist);
    best.TakeQuarter(dist, kNone);
    const cudame_mv mv = out->mv = best.mv();
    out->dist = Saturate16(best.dist());
    if (!((mv.row | mv.col) & 1)) return;
    // What was a mean.
    alignas(64) uint8_t prediction[kMb * kMb];
    kernels.predict[filter](task.ref + (mv.row >> 2) * task.stride + (mv.col >> 2), task.stride,
                            mv.col & 3, mv.row & 3, kMb, kMb, prediction);
    out->dist = Saturate16(satd(task.src, kMb, prediction, kMb));
}

void LeanRefineSplit(const Kernels& kernels, const LeanTask& task, enum cudame_filter filter,
                     const LeanVec whole[kLeanBlocks], cudame_split* out) {
    QuarterTables tables[4] = {{kernels, task, filter, 0},
                               {kernels, task, filter, 1},
                               {kernels, task, filter, 2},
                               {kernels, task, filter, 3}};
    for (int b = 1; b < kLeanBlocks; b++) {
        QuarterTables& one = tables[kQuarters[b].first];
        QuarterTables* other = kQuarters[b].second < 0 ? nullptr : tables + kQuarters[b].second;
        const Distances& first = one.Half(whole[b]);
        const Distances& second = other ? other->Half(whole[b]) : kNone;
        Best best(kernels, task, whole[b], first[kSameVector] + second[kSameVector]);
        best.TakeHalf(first, second);
        best.TakeQuarter(one.Quarter(whole[b], best.neighbour()),
                         other ? other->Quarter(whole[b], best.neighbour()) : kNone);
        out->mv[b - 1] = best.mv();
        out->dist[b - 1] = Saturate16(best.dist());
    }
    for (int b = CUDAME_BLOCK_4X4; b < CUDAME_BLOCKS; b++) {
        out->mv[b - 1] = ToQuarter(whole[WholeBlock(b)]);
        out->dist[b - 1] = UINT16_MAX;
    }
}

}  // namespace cudame
