// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/integer_search.h"

#include <algorithm>
#include <cstdlib>

#include "common/diamond_map.h"

namespace cudame {
namespace {

// Evaluates positions in batches and keeps the best one of each block.
class Evaluator {
  public:
    Evaluator(const Kernels& kernels, const SearchTask& task, IntegerResult* result)
        : k_(kernels), t_(task), r_(*result) {}

    // Try zero and the co-located vector.
    void Start() {
        const Vec zero{},
            co_located =
                t_.window.Clamp({(t_.co_located.col + 2) >> 2, (t_.co_located.row + 2) >> 2});
        Add(zero);
        if (co_located != zero) Add(co_located);
        // A block keeps zero even if zero has the highest possible cost.
        std::fill_n(r_.cost, CUDAME_BLOCKS, static_cast<uint16_t>(kMaxRate));
        Flush();
        r_.sad_zero = sads_[0];
        for (int b = 0; b < Blocks(); b++)
            if (r_.cost[b] == kMaxRate) r_.sad[b] = sads_[b * kBatchStride];
    }

    void Add(Vec v) {
        if (!t_.window.Contains(v)) return;
        offsets_[n_] = v.y * static_cast<int>(t_.stride) + v.x;
        position_[n_] = v;
        rates_[n_] = static_cast<uint16_t>(t_.rate.At(4 * v.y, 4 * v.x));
        if (++n_ == kBatch) Flush();
    }

    template <class Map>
    void AddMap(Vec centre, const Map& map) {
        for (const Step s : map) Add({centre.x + s.x, centre.y + s.y});
        Flush();
    }

    void Flush() {
        if (!n_) return;
        if (t_.split) {
            k_.sad4x4_list(t_.src, t_.ref, t_.stride, offsets_, n_,
                           sads_ + CUDAME_BLOCK_4X4 * kBatchStride);
            Tree();
        } else {
            k_.sad16_list(t_.src, t_.ref, t_.stride, offsets_, n_, sads_);
            for (int i = 0; i < n_; i++) {
                const int cost = std::min(sads_[i] + rates_[i], kMaxRate);
                if (cost < r_.cost[0]) Take(0, cost, i);
            }
        }
        n_ = 0;
    }

    // Try all vectors of a box that are in the window.
    void Box(Vec centre, int range) {
        Box({centre.x - range, centre.y - range, centre.x + range, centre.y + range});
    }
    void Box(const Window& box) {
        const int x0 = std::max(box.x0, t_.window.x0), x1 = std::min(box.x1, t_.window.x1);
        const int y0 = std::max(box.y0, t_.window.y0), y1 = std::min(box.y1, t_.window.y1);
        int col_costs[2 * 128 + 1];
        for (int x = x0; x <= x1; x++) col_costs[x - x0] = t_.rate.ColCost(4 * x);

        for (int y = y0; y <= y1; y++) {
            const int row_cost = t_.rate.RowCost(4 * y);
            for (int x = x0; x <= x1;) {
                const int n = std::min(x1 + 1 - x, kBatch - n_);
                k_.sad4x4_span(t_.src, t_.ref + y * t_.stride + x, t_.stride, n,
                               sads_ + CUDAME_BLOCK_4X4 * kBatchStride + n_);
                k_.rate_span(col_costs + (x - x0), row_cost, t_.rate.tables->sad_per_bit, n,
                             rates_ + n_);
                for (int i = 0; i < n; i++) position_[n_ + i] = {x + i, y};
                n_ += n;
                x += n;
                if (n_ == kBatch) {
                    Tree();
                    n_ = 0;
                }
            }
        }
        if (n_) Tree();
        n_ = 0;
    }

    // Try the eight neighbours of the best vector of each smaller block, for that block only.
    void RefineBlocks() {
        for (int b = 1; b < CUDAME_BLOCKS; b++) {
            const Block block = BlockAt(b);
            const MetricFn sad = k_.metric[static_cast<int>(Metric::kSad)][block.size];
            const uint8_t* src = t_.src + kMb * block.y + block.x;
            const uint8_t* ref = t_.ref + block.y * t_.stride + block.x;
            const Vec centre = r_.mv[b];
            for (const Step s : kNeighbours) {
                const Vec v{centre.x + s.x, centre.y + s.y};
                if (v == centre || !t_.window.Contains(v)) continue;
                const int d =
                    static_cast<int>(sad(src, kMb, ref + v.y * t_.stride + v.x, t_.stride));
                const int cost = std::min(d + t_.rate.At(4 * v.y, 4 * v.x), kMaxRate);
                if (cost >= r_.cost[b]) continue;
                r_.cost[b] = static_cast<uint16_t>(cost);
                r_.sad[b] = static_cast<uint16_t>(d);
                r_.mv[b] = v;
            }
        }
    }

  private:
    int Blocks() const { return t_.split ? CUDAME_BLOCKS : 1; }

    void Take(int b, int cost, int i) {
        r_.cost[b] = static_cast<uint16_t>(cost);
        r_.sad[b] = sads_[b * kBatchStride + i];
        r_.mv[b] = position_[i];
    }

    void Tree() {
        int16_t index[CUDAME_BLOCKS];
        std::fill_n(index, CUDAME_BLOCKS, static_cast<int16_t>(-1));
        k_.tree_min(sads_, rates_, n_, r_.cost, index);
        for (int b = 0; b < Blocks(); b++)
            if (index[b] >= 0) Take(b, r_.cost[b], index[b]);
    }

    const Kernels& k_;
    const SearchTask& t_;
    IntegerResult& r_;
    int n_ = 0;
    alignas(64) uint16_t sads_[CUDAME_BLOCKS * kBatchStride] = {};
    alignas(64) uint16_t rates_[kBatchStride] = {};
    Vec position_[kBatch];
    int32_t offsets_[kBatch];
};

bool IsFar(Vec a, Vec b, int range) {
    return std::abs(a.x - b.x) > range || std::abs(a.y - b.y) > range;
}

// The cross, from top to bottom.
constexpr Window kCross[] = {
    {kCoarseDown.x0, kCoarseDown.y0, kCoarseDown.x1, kCoarseAcross.y0 - 1},
    kCoarseAcross,
    {kCoarseDown.x0, kCoarseAcross.y1 + 1, kCoarseDown.x1, kCoarseDown.y1}};

}  // namespace

void CoarseSearch(const Kernels& kernels, const SearchTask& task, bool cross,
                  IntegerResult* result) {
    *result = {};
    Evaluator e(kernels, task, result);
    e.Start();
    if (!cross) return e.Box(kCoarseWindow);
    for (const Window& box : kCross) e.Box(box);
}

void IntegerSearch(const Kernels& kernels, const SearchTask& task, IntegerResult* result) {
    *result = {};
    Evaluator e(kernels, task, result);
    e.Start();
    const Vec start = result->mv[0];
    if (task.search != CUDAME_SEARCH_FULL) e.AddMap(start, kSeedBox);
    for (int i = 0; i < task.seed_count; i++) e.AddMap(task.seeds[i], kSeedBox);

    const Vec seed = result->mv[0];

    switch (task.search) {
        case CUDAME_SEARCH_FULL:
            e.Box(start, task.range);
            if (IsFar(seed, start, task.range)) e.Box(seed, task.range);
            e.AddMap(result->mv[0], kRefinement);
            break;
        case CUDAME_SEARCH_ITERATIVE:
            for (int i = 0; i < kMaxDiamondMoves; i++) {
                const Vec at = result->mv[0];
                e.AddMap(at, kLargeDiamond);
                if (result->mv[0] == at) break;
            }
            e.AddMap(result->mv[0], kSmallDiamond);
            break;
        default:
            e.AddMap(result->mv[0], kDiamond);
            e.AddMap(result->mv[0], kRefinement);
            break;
    }
    if (task.split) e.RefineBlocks();
}

}  // namespace cudame
