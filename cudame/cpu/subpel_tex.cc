// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/subpel_tex.h"

#include <algorithm>

#include "common/tex_map.h"

namespace cudame {

void RefineTex(const Kernels& kernels, const SearchTask& task, const IntegerResult& integer,
               SubpelResult* result) {
    constexpr int kReach = 2;  // reach of the map to the left and up, in whole pixels
    constexpr int kPositions = 4;
    constexpr int kRates = 2 * kTexRange + 1;
    constexpr Step kMiddle = {0, 0};
    alignas(64) uint8_t phases[16 * kPhaseSize];

    for (int b = 0; b < CUDAME_BLOCKS; b++) {
        const Block block = BlockAt(b);
        const MetricFn sad = kernels.metric[static_cast<int>(Metric::kSad)][block.size];
        const uint8_t* src = task.src + kMb * block.y + block.x;
        const Vec at = integer.mv[b];
        kernels.bilinear_phases(
            task.ref + (block.y + at.y - kReach) * task.stride + block.x + at.x - kReach,
            task.stride, block.width() + kPositions - 1, block.height() + kPositions - 1, phases);

        const cudame_mv centre = ToQuarter(at);
        int row_costs[kRates], col_costs[kRates];
        for (int i = -kTexRange; i <= kTexRange; i++) {
            row_costs[i + kTexRange] = task.rate.RowCost(centre.row + i);
            col_costs[i + kTexRange] = task.rate.ColCost(centre.col + i);
        }
        int best_cost = kMaxRate + 1;
        const auto evaluate = [&](Step s) {
            const uint8_t* prediction = phases + (4 * (s.y & 3) + (s.x & 3)) * kPhaseSize +
                                        ((s.y >> 2) + kReach) * kPhaseStride + (s.x >> 2) + kReach;
            const uint32_t dist = sad(src, kMb, prediction, kPhaseStride);
            const int rate = ScaleRate(row_costs[s.y + kTexRange] + col_costs[s.x + kTexRange],
                                       task.rate.tables->sad_per_bit);
            const int cost = std::min(static_cast<int>(dist) + rate, kMaxRate);
            if (cost >= best_cost) return;
            best_cost = cost;
            result->dist[b] = dist;
            result->mv[b] = {static_cast<int16_t>(centre.row + s.y),
                             static_cast<int16_t>(centre.col + s.x)};
        };
        evaluate(kMiddle);
        for (const Step s : kTexMap)
            if ((s.x || s.y) && task.window.ContainsQuarter(centre.row + s.y, centre.col + s.x))
                evaluate(s);
    }
}

}  // namespace cudame
