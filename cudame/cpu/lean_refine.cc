// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/lean_refine.h"

#include <hwy/base.h>

#include "cpu/neighbour_rates.h"

namespace cudame {
namespace {

constexpr unsigned kAllNeighbours = (1u << kNeighbourCount) - 1;

// Distortions at the neighbours of a vector, for a block or one of its quarters.
using Distances = uint32_t[kNeighbourCount];
constexpr Distances kNone = {};

// Tables of steps to neighbours, and of LeanQuarters() by the sides that cost less. A table
// replaces branches that a CPU cannot predict.
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

// The best vector of a block so far, and the costs of its neighbours.
class Best {
  public:
    // dist is the distortion at the whole-pixel vector.
    void Start(Vec whole, uint32_t dist) {
        row_ = 4 * whole.y;
        col_ = 4 * whole.x;
        dist_ = dist;
    }

    cudame_mv mv() const { return {static_cast<int16_t>(row_), static_cast<int16_t>(col_)}; }
    uint32_t dist() const { return dist_; }

    // TakeHalf() takes the best of the half-pel neighbours; TakeQuarter() takes the best of the
    // wanted quarter-pel neighbours of that one. A distortion is the sum of two. Of equal costs the
    // first wins, and the present vector before all others.
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

    // After TakeHalf(): the number of the half-pel neighbour, and the bits of its neighbours to
    // try.
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

    // Not inlined, because it is rare.
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

    // Entries before and after the nine costs. TakeHalf() reads them, but they do not change its
    // result.
    static constexpr int kAround = 3;
    uint32_t* cost() { return cost_ + kAround; }

    int row_, col_;
    uint32_t dist_, cost_[kNeighbourCount + 2 * kAround] = {};
    int neighbour_;
    unsigned wanted_;
};

// The distortions of a quarter around one whole-pixel vector: of its half-pel neighbours, and of
// the quarter-pel neighbours of each of these.
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
            quarter_[centre][kSameVector] = 0;  // is read but has no effect
            made_ |= 1u << centre;
        }
        return quarter_[centre];
    }

  private:
    Vec whole_;
    unsigned made_;  // bits of the valid entries of quarter_[]
    const uint8_t* src_;
    HalfPlanes planes_;
    Distances half_, quarter_[kNeighbourCount];
};

// The QuarterTable objects of a quarter. Blocks with the same vector share one. Up to three
// vectors: of the quarter itself, and of the 16x8 and the 8x16 block that contain it.
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

// The quarters that make up a block larger than 4x4: one or two.
struct Quarters {
    int first, second;
};
constexpr Quarters kQuarters[kLeanBlocks] = {{},      {0, 1},  {2, 3},  {0, 2}, {1, 3},
                                             {0, -1}, {1, -1}, {2, -1}, {3, -1}};

}  // namespace

void LeanRefine(const Kernels& kernels, const LeanTask& task, enum cudame_filter filter, Vec whole,
                int quarter, cudame_mb* out) {
    const MetricFn satd = kernels.metric[static_cast<int>(Metric::kSatd)][k16x16];
    const uint8_t* ref = task.ref + whole.y * task.stride + whole.x;
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
    // The distortion so far was that of a mean; measure it with VP8's filter.
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
    // Do each step for all blocks before the next step, so that no block waits for the decision of
    // another.
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
