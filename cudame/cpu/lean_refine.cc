// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/lean_refine.h"

#include <hwy/base.h>

#include "cpu/neighbour_rates.h"

namespace cudame {
namespace {

constexpr unsigned kAllNeighbours = (1u << kNeighbourCount) - 1;

// Distortions of a vector's neighbours, of a block or of one of its quarters.
using Distances = uint32_t[kNeighbourCount];
constexpr Distances kNone = {};

// Steps to neighbours, and LeanQuarters() by which of both sides cost less: no branches, which
// nobody could foresee.
struct NeighbourTables {
    int8_t row[kNeighbourCount], col[kNeighbourCount];
    uint16_t quarters[kNeighbourCount][2][2];
    constexpr NeighbourTables() : row(), col(), quarters() {
        for (int n = 0; n < kNeighbourCount; n++) {
            row[n] = static_cast<int8_t>(n / 3 - 1);
            col[n] = static_cast<int8_t>(n % 3 - 1);
            for (int k = 0; k < 4; k++) {
                uint32_t cost[kNeighbourCount] = {};
                for (int i = 0; i < kNeighbourCount; i++)
                    cost[i] = static_cast<uint32_t>((k & 1 ? i % 3 : 2 - i % 3) +
                                                    (k & 2 ? i / 3 * 3 : 6 - i / 3 * 3));
                quarters[n][k / 2][k % 2] = static_cast<uint16_t>(LeanQuarters(n, cost));
            }
        }
    }
};
constexpr NeighbourTables kNeighbour;

// The best vector of a block so far, and what its neighbours cost.
class Best {
  public:
    // dist: that of the vector.
    void Start(Vec whole, uint32_t dist) {
        row_ = 4 * whole.y;
        col_ = 4 * whole.x;
        dist_ = dist;
    }

    cudame_mv mv() const { return {static_cast<int16_t>(row_), static_cast<int16_t>(col_)}; }
    uint32_t dist() const { return dist_; }

    // Takes the best of the half-pel neighbours, and of these one's quarter-pel neighbours, those
    // wanted, by their distortions: sums of two. Of equal costs the first one wins, but none that
    // is no better than what is there.
    void TakeHalf(const Kernels& kernels, const LeanTask& task, const Distances& first,
                  const Distances& second) {
        const NeighbourRatesOf rates(task.rate, row_, col_, 2);
        cost()[kSameVector] = dist_ + static_cast<uint32_t>(rates.Own());
        const int n = neighbour_ =
            Take(kernels, task.window, rates, 2, kAllNeighbours, first, second);
        wanted_ =
            kNeighbour.quarters[n][cost()[n - 3] < cost()[n + 3]][cost()[n - 1] < cost()[n + 1]];
        cost()[kSameVector] = cost()[n];
    }
    void TakeQuarter(const Kernels& kernels, const LeanTask& task, const Distances& first,
                     const Distances& second) {
        const NeighbourRatesOf rates(task.rate, row_, col_, 1);
        Take(kernels, task.window, rates, 1, wanted_, first, second);
    }

    // After TakeHalf(): the half-pel neighbour that it is, and which of its neighbours are wanted.
    int neighbour() const { return neighbour_; }
    unsigned wanted() const { return wanted_; }

  private:
    int Take(const Kernels& kernels, const Window& window, const NeighbourRates& rates, int step,
             unsigned wanted, const Distances& first, const Distances& second) {
        const bool all_legal = window.ContainsQuarter(row_ - step, col_ - step) &&
                               window.ContainsQuarter(row_ + step, col_ + step);
        const int low = all_legal ? kernels.neighbour_min(rates, first, second, wanted, cost())
                                  : TakeLegal(kernels, window, rates, step, wanted, first, second);
        row_ += step * kNeighbour.row[low];
        col_ += step * kNeighbour.col[low];
        const uint32_t dist = first[low] + second[low];
        dist_ = low == kSameVector ? dist_ : dist;
        return low;
    }

    // Not inlined: it is rare.
    HWY_NOINLINE int TakeLegal(const Kernels& kernels, const Window& window,
                               const NeighbourRates& rates, int step, unsigned wanted,
                               const Distances& first, const Distances& second) {
        unsigned illegal = 0;
        for (int n = 0; n < kNeighbourCount; n++)
            if (!window.ContainsQuarter(row_ + step * kNeighbour.row[n],
                                        col_ + step * kNeighbour.col[n]))
                illegal |= 1u << n;
        illegal &= ~(1u << kSameVector);
        const int low = kernels.neighbour_min(rates, first, second, wanted & ~illegal, cost());
        for (int n = 0; n < kNeighbourCount; n++)
            if (illegal & 1u << n) cost()[n] = kNoCost;
        return low;
    }

    // With as many around as are looked at besides, whatever these are.
    static constexpr int kAround = 3;
    uint32_t* cost() { return cost_ + kAround; }

    int row_, col_;
    uint32_t dist_, cost_[kNeighbourCount + 2 * kAround] = {};
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
            quarter_[centre][kSameVector] = 0;  // is read, and not used
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
                bool moves, int quarter, cudame_mb* out) {
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
    if (best.dist() >= static_cast<uint32_t>(quarter)) {
        kernels.satd_quarter16(task.src, planes, best.neighbour(), best.wanted(), dist);
        best.TakeQuarter(kernels, task, dist, kNone);
    }
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
