// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Rates of vectors, from the caller's tables.

#ifndef CUDAME_COMMON_MV_COST_H_
#define CUDAME_COMMON_MV_COST_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "cudame/cudame.h"

namespace cudame {

constexpr int kMaxCostIndex = 1023;
constexpr int kCostEntries = 2 * kMaxCostIndex + 1;

// Limits within which all rates are exact in 32 bits on every backend.
constexpr int kMaxCost = (1 << 19) - 1;
constexpr int kMaxSadPerBit = 2047;

// Limit of scaled rates and of costs of the whole-pixel search: they fit 16-bit lanes.
constexpr int kMaxRate = 65535;

// Saturate a distortion or a cost to the 16 bits of a record.
inline uint16_t Saturate16(uint32_t v) {
    return static_cast<uint16_t>(std::min<uint32_t>(v, 65535));
}

// The frame's copy of the caller's tables. Entry 0 is that of difference -kMaxCostIndex.
struct CostTables {
    std::array<int, kCostEntries> row{}, col{};
    int sad_per_bit = 0;

    void Set(const int* const mv_cost[2], int sad_per_bit_);
};

inline int TableAt(const std::array<int, kCostEntries>& table, int difference) {
    return table[static_cast<size_t>(std::clamp(difference, -kMaxCostIndex, kMaxCostIndex) +
                                     kMaxCostIndex)];
}

inline int ScaleRate(int cost, int sad_per_bit) {
    return std::min((cost * sad_per_bit + 128) >> 8, kMaxRate);
}

// Rates of vectors, in quarter pixels, relative to one prediction. At() scales them by lambda.
struct MvRate {
    const CostTables* tables;
    cudame_mv prediction;

    int RowCost(int row) const { return TableAt(tables->row, row - prediction.row); }
    int ColCost(int col) const { return TableAt(tables->col, col - prediction.col); }
    int At(int row, int col) const {
        return ScaleRate(RowCost(row) + ColCost(col), tables->sad_per_bit);
    }
};

}  // namespace cudame

#endif  // CUDAME_COMMON_MV_COST_H_
