// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "common/mv_cost.h"

namespace cudame {

void CostTables::Set(const int* const mv_cost[2], int sad_per_bit_) {
    std::array<int, kCostEntries>* const tables[2] = {&row, &col};
    for (int i = 0; i < 2; i++)
        for (int d = -kMaxCostIndex; d <= kMaxCostIndex; d++)
            (*tables[i])[static_cast<size_t>(d + kMaxCostIndex)] =
                mv_cost[i] ? std::clamp(mv_cost[i][d], 0, kMaxCost) : 0;
    sad_per_bit = sad_per_bit_;
}

}  // namespace cudame
