// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The rates of the neighbours of a vector, as kernels read them.

#ifndef CUDAME_CPU_NEIGHBOUR_RATES_H_
#define CUDAME_CPU_NEIGHBOUR_RATES_H_

#include <hwy/base.h>

#include <array>

#include "common/mv_cost.h"
#include "cpu/kernels.h"

namespace cudame {

// The rates of neighbours that are `step` quarter pixels away, at most kMostStep. Points into the
// frame's tables, or to copies near the ends of the tables. All rates are zero without tables.
class NeighbourRatesOf : public NeighbourRates {
  public:
    static constexpr int kMostStep = 4;

    NeighbourRatesOf(const MvRate& rate, int row, int col, int step_) {
        static constexpr int kZero[1 + kReadBeyond] = {};
        rows = cols = kZero;
        step = sad_per_bit = 0;
        if (!rate.tables) return;
        rows = Costs(rate.tables->row, row - rate.prediction.row, step_, copies_[0]);
        cols = Costs(rate.tables->col, col - rate.prediction.col, step_, copies_[1]);
        step = step_;
        sad_per_bit = rate.tables->sad_per_bit;
    }
    NeighbourRatesOf(const NeighbourRatesOf&) = delete;
    NeighbourRatesOf& operator=(const NeighbourRatesOf&) = delete;

    int Own() const { return ScaleRate(rows[0] + cols[0], sad_per_bit); }

  private:
    using Table = std::array<int, kCostEntries>;

    static const int* Costs(const Table& table, int at, int step, int* copies) {
        constexpr int kMost = kMaxCostIndex - kMostStep - kReadBeyond;
        if (static_cast<unsigned>(at + kMost) <= 2 * kMost)
            return table.data() + at + kMaxCostIndex;
        return Copies(table, at, step, copies);
    }

    // Not inlined, because it is rare.
    HWY_NOINLINE static const int* Copies(const Table& table, int at, int step, int* copies) {
        for (int i = -1; i <= 1; i++) copies[kMostStep + step * i] = TableAt(table, at + step * i);
        return copies + kMostStep;
    }

    int copies_[2][2 * kMostStep + 1 + kReadBeyond];
};

}  // namespace cudame

#endif  // CUDAME_CPU_NEIGHBOUR_RATES_H_
