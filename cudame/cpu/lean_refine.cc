// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/lean_refine.h"

#include <algorithm>

namespace cudame {
namespace {

// The best vector so far; neighbour is the half-pel one that it is, or is around.
struct Best {
    cudame_mv mv;
    uint32_t dist, cost;
    int neighbour;
};

Best Start(const LeanTask& task, Vec whole, uint32_t dist) {
    const cudame_mv mv = ToQuarter(whole);
    return {mv, dist, dist + static_cast<uint32_t>(task.rate.At(mv.row, mv.col)), kSameVector};
}

// The best of a vector's neighbours, of those `wanted`, by their distortions. Of equal costs the
// first one wins, but none that is no better than what is there. Sets all wanted costs.
void Decide(const LeanTask& task, int step, unsigned wanted, const uint32_t* dist, Best* best,
            uint32_t cost[kNeighbourCount]) {
    const int row = best->mv.row, col = best->mv.col;
    int rows[3], cols[3];
    for (int i = 0; i < 3; i++) {
        rows[i] = task.rate.RowCost(row + step * (i - 1));
        cols[i] = task.rate.ColCost(col + step * (i - 1));
    }
    for (int n = 0; n < kNeighbourCount; n++)
        cost[n] = dist[n] + static_cast<uint32_t>(ScaleRate(rows[n / 3] + cols[n % 3],
                                                            task.rate.tables->sad_per_bit));
    cost[kSameVector] = best->cost;
    if (!task.window.ContainsQuarter(row - step, col - step) ||
        !task.window.ContainsQuarter(row + step, col + step))
        for (int n = 0; n < kNeighbourCount; n++)
            if (!task.window.ContainsQuarter(row + step * (n / 3 - 1), col + step * (n % 3 - 1)))
                cost[n] = kNoCost;
    int low = kSameVector;
    for (int n = 0; n < kNeighbourCount; n++)
        if (wanted & 1u << n && cost[n] < cost[low]) low = n;
    if (low == kSameVector) return;
    best->mv = {static_cast<int16_t>(row + step * (low / 3 - 1)),
                static_cast<int16_t>(col + step * (low % 3 - 1))};
    best->dist = dist[low];
    best->cost = cost[low];
    if (step == 2) best->neighbour = low;
}
constexpr unsigned kAllNeighbours = (1u << kNeighbourCount) - 1;

// Distortions around a vector of a quarter: of its 4x4 units, and their sums.
struct Distances {
    uint16_t unit[kNeighbourCount][4];
    uint32_t sum[kNeighbourCount];

    void Sum() {
        for (int n = 0; n < kNeighbourCount; n++)
            sum[n] = static_cast<uint32_t>(unit[n][0] + unit[n][1] + unit[n][2] + unit[n][3]);
    }
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
            k_.satd_quarter8(src_, e->planes, centre, quarter.unit);
            quarter.Sum();
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
        k_.satd_half8(src_, e->planes, e->half.unit);
        e->half.Sum();
        return e;
    }

    const Kernels& k_;
    const enum cudame_filter filter_;
    const ptrdiff_t stride_;
    const uint8_t *src_, *ref_;
    Entry entry_[kEntries];
    int count_ = 0;
};

// Quarters that a block larger than 4x4 is made of.
struct Quarters {
    int count, first, second;
};
constexpr Quarters kQuarters[kLeanBlocks] = {{},        {2, 0, 1}, {2, 2, 3}, {2, 0, 2}, {2, 1, 3},
                                             {1, 0, 0}, {1, 1, 1}, {1, 2, 2}, {1, 3, 3}};

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
    uint32_t dist[kNeighbourCount] = {}, cost[kNeighbourCount];
    kernels.half_planes[filter](ref, task.stride, kMb, &planes);
    kernels.satd_half16(task.src, planes, dist);
    Best best = Start(task, whole, dist[kSameVector]);
    Decide(task, 2, kAllNeighbours, dist, &best, cost);
    const unsigned wanted = LeanQuarters(best.neighbour, cost);
    kernels.satd_quarter16(task.src, planes, best.neighbour, wanted, dist);
    Decide(task, 1, wanted, dist, &best, cost);
    out->mv = best.mv;
    if ((best.mv.row | best.mv.col) & 1) {  // what was a mean
        alignas(64) uint8_t prediction[kMb * kMb];
        kernels.predict[filter](task.ref + (best.mv.row >> 2) * task.stride + (best.mv.col >> 2),
                                task.stride, best.mv.col & 3, best.mv.row & 3, kMb, kMb,
                                prediction);
        best.dist = satd(task.src, kMb, prediction, kMb);
    }
    out->dist = Saturate16(best.dist);
}

void LeanRefineSplit(const Kernels& kernels, const LeanTask& task, enum cudame_filter filter,
                     const LeanVec whole[kLeanBlocks], cudame_split* out) {
    QuarterTables tables[4] = {{kernels, task, filter, 0},
                               {kernels, task, filter, 1},
                               {kernels, task, filter, 2},
                               {kernels, task, filter, 3}};
    // half(), quarter(centre): distortions of the block's neighbours
    const auto refine = [&](int b, auto half, auto quarter) {
        uint32_t dist[kNeighbourCount], cost[kNeighbourCount];
        half(dist);
        Best best = Start(task, whole[b], dist[kSameVector]);
        Decide(task, 2, kAllNeighbours, dist, &best, cost);
        const unsigned wanted = LeanQuarters(best.neighbour, cost);
        quarter(best.neighbour, dist);
        Decide(task, 1, wanted, dist, &best, cost);
        out->mv[b - 1] = best.mv;
        out->dist[b - 1] = Saturate16(best.dist);
    };
    for (int b = 1; b < kLeanBlocks; b++) {
        const Quarters& parts = kQuarters[b];
        const auto add = [&](const Distances& first, const Distances* second, uint32_t* dist) {
            for (int n = 0; n < kNeighbourCount; n++)
                dist[n] = first.sum[n] + (second ? second->sum[n] : 0);
        };
        refine(
            b,
            [&](uint32_t* dist) {
                add(tables[parts.first].Half(whole[b]),
                    parts.count > 1 ? &tables[parts.second].Half(whole[b]) : nullptr, dist);
            },
            [&](int centre, uint32_t* dist) {
                add(tables[parts.first].Quarter(whole[b], centre),
                    parts.count > 1 ? &tables[parts.second].Quarter(whole[b], centre) : nullptr,
                    dist);
            });
    }
    for (int b = CUDAME_BLOCK_4X4; b < CUDAME_BLOCKS; b++) {
        out->mv[b - 1] = ToQuarter(whole[WholeBlock(b)]);
        out->dist[b - 1] = UINT16_MAX;
    }
}

}  // namespace cudame
