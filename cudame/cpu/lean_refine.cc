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
    void Start(Vec whole, uint32_t dist) {
        mv_ = ToQuarter(whole);
        dist_ = dist;
    }

    cudame_mv mv() const { return mv_; }
    uint32_t dist() const { return dist_; }

    // Takes the best of the half-pel neighbours, and of these one's quarter-pel neighbours, those
    // wanted, by their distortions: sums of two. Of equal costs the first one wins, but none that
    // is no better than what is there.
    void TakeHalf(const Kernels& kernels, const LeanTask& task, const Distances& first,
                  const Distances& second) {
        const NeighbourRatesOf rates(task.rate, mv_.row, mv_.col, 2);
        cost_[kSameVector] = dist_ + static_cast<uint32_t>(rates.Own());
        neighbour_ = Take(kernels, task.window, rates, 2, kAllNeighbours, first, second);
        wanted_ = LeanQuarters(neighbour_, cost_);
        cost_[kSameVector] = cost_[neighbour_];
    }
    void TakeQuarter(const Kernels& kernels, const LeanTask& task, const Distances& first,
                     const Distances& second) {
        const NeighbourRatesOf rates(task.rate, mv_.row, mv_.col, 1);
        Take(kernels, task.window, rates, 1, wanted_, first, second);
    }

    // After TakeHalf(): the half-pel neighbour that it is, and which of its neighbours are wanted.
    int neighbour() const { return neighbour_; }
    unsigned wanted() const { return wanted_; }

  private:
    int Take(const Kernels& kernels, const Window& window, const NeighbourRates& rates, int step,
             unsigned wanted, const Distances& first, const Distances& second) {
        const int row = mv_.row, col = mv_.col;
        unsigned legal = kAllNeighbours;
        if (!window.ContainsQuarter(row - step, col - step) ||
            !window.ContainsQuarter(row + step, col + step))
            legal = Legal(window, step);
        const int low = kernels.neighbour_min(rates, first, second, wanted & legal, cost_);
        for (int n = 0; legal != kAllNeighbours && n < kNeighbourCount; n++)
            if (!(legal & 1u << n)) cost_[n] = kNoCost;
        mv_ = {static_cast<int16_t>(row + step * (low / 3 - 1)),
               static_cast<int16_t>(col + step * (low % 3 - 1))};
        if (low != kSameVector) dist_ = first[low] + second[low];
        return low;
    }

    unsigned Legal(const Window& window, int step) const {
        unsigned legal = 1u << kSameVector;
        for (int n = 0; n < kNeighbourCount; n++)
            if (window.ContainsQuarter(mv_.row + step * (n / 3 - 1), mv_.col + step * (n % 3 - 1)))
                legal |= 1u << n;
        return legal;
    }

    cudame_mv mv_;
    uint32_t dist_, cost_[kNeighbourCount];
    int neighbour_;
    unsigned wanted_;
};

// Distortions of a quarter around one whole-pixel vector: of its half-pel neighbours, and of the
// quarter-pel neighbours of each of these.
class QuarterTable {
  public:
    void Make(const Kernels& kernels, const LeanTask& task, enum cudame_filter filter, int q,
              Vec whole) {
        const ptrdiff_t y = q / 2 * 8, x = q % 2 * 8;
        whole_ = whole;
        made_ = 0;
        src_ = task.src + kMb * y + x;
        kernels.half_planes[filter](task.ref + (y + whole.y) * task.stride + x + whole.x,
                                    task.stride, 8, &planes_);
        kernels.satd_half8(src_, planes_, half_);
    }

    Vec whole() const { return whole_; }
    const Distances& half() const { return half_; }
    const Distances& Quarter(const Kernels& kernels, int centre) {
        if (!(made_ & 1u << centre)) {
            kernels.satd_quarter8(src_, planes_, centre, quarter_[centre]);
            made_ |= 1u << centre;
        }
        return quarter_[centre];
    }

  private:
    Vec whole_;
    unsigned made_;  // of quarter_[]
    const uint8_t* src_;
    HalfPlanes planes_;
    Distances half_, quarter_[kNeighbourCount];
};

// Those of a quarter: blocks that share a vector share them. There are those of the quarter
// itself and of the 16x8 and the 8x16 block that it is part of.
class QuarterTables {
  public:
    QuarterTable* At(const Kernels& kernels, const LeanTask& task, enum cudame_filter filter, int q,
                     Vec whole) {
        for (int i = 0; i < count_; i++)
            if (table_[i].whole() == whole) return table_ + i;
        table_[count_].Make(kernels, task, filter, q, whole);
        return table_ + count_++;
    }

  private:
    QuarterTable table_[3];
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
    Best best;
    best.Start(whole, dist[kSameVector]);
    best.TakeHalf(kernels, task, dist, kNone);
    kernels.satd_quarter16(task.src, planes, best.neighbour(), best.wanted(), dist);
    best.TakeQuarter(kernels, task, dist, kNone);
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
    QuarterTables quarters[4];
    struct Block {
        QuarterTable *first, *second;
        Best best;
    } blocks[kLeanBlocks];
    // Step by step for all blocks: none has to wait for what another one decides.
    for (int b = 1; b < kLeanBlocks; b++) {
        const auto table = [&](int q) {
            return q < 0 ? nullptr : quarters[q].At(kernels, task, filter, q, whole[b]);
        };
        blocks[b].first = table(kQuarters[b].first);
        blocks[b].second = table(kQuarters[b].second);
    }
    for (int b = 1; b < kLeanBlocks; b++) {
        Block& block = blocks[b];
        const Distances& first = block.first->half();
        const Distances& second = block.second ? block.second->half() : kNone;
        block.best.Start(whole[b], first[kSameVector] + second[kSameVector]);
        block.best.TakeHalf(kernels, task, first, second);
    }
    for (int b = 1; b < kLeanBlocks; b++) {
        const Block& block = blocks[b];
        block.first->Quarter(kernels, block.best.neighbour());
        if (block.second) block.second->Quarter(kernels, block.best.neighbour());
    }
    for (int b = 1; b < kLeanBlocks; b++) {
        Block& block = blocks[b];
        const int centre = block.best.neighbour();
        block.best.TakeQuarter(kernels, task, block.first->Quarter(kernels, centre),
                               block.second ? block.second->Quarter(kernels, centre) : kNone);
        out->mv[b - 1] = block.best.mv();
        out->dist[b - 1] = Saturate16(block.best.dist());
    }
    for (int b = CUDAME_BLOCK_4X4; b < CUDAME_BLOCKS; b++) {
        out->mv[b - 1] = ToQuarter(whole[WholeBlock(b)]);
        out->dist[b - 1] = UINT16_MAX;
    }
}

}  // namespace cudame
