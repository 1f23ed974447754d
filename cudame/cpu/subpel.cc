// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/subpel.h"

#include "common/diamond_map.h"

namespace cudame {

void RefineSubpel(const Kernels& kernels, const SearchTask& task, enum cudame_filter filter,
                  const IntegerResult& integer, SubpelResult* result) {
    const auto predict = kernels.predict[filter];
    alignas(64) uint8_t prediction[kMb * kMb];

    for (int b = 0; b < CUDAME_BLOCKS; b++) {
        const Block block = BlockAt(b);
        const MetricFn distortion = kernels.metric[static_cast<int>(Metric::kSatd)][block.size];
        const uint8_t* src = task.src + kMb * block.y + block.x;
        const uint8_t* ref = task.ref + block.y * task.stride + block.x;

        cudame_mv best = ToQuarter(integer.mv[b]);
        uint32_t best_dist = distortion(
            src, kMb, ref + integer.mv[b].y * task.stride + integer.mv[b].x, task.stride);
        uint32_t best_cost = best_dist + static_cast<uint32_t>(task.rate.At(best.row, best.col));

        for (int step = 2; step >= 1; step--) {
            const cudame_mv centre = best;
            for (const Step s : kNeighbours) {
                const int row = centre.row + step * s.y, col = centre.col + step * s.x;
                if ((!s.x && !s.y) || !task.window.ContainsQuarter(row, col)) continue;
                predict(ref + (row >> 2) * task.stride + (col >> 2), task.stride, col & 3, row & 3,
                        block.width(), block.height(), prediction);
                const uint32_t dist = distortion(src, kMb, prediction, kMb);
                const uint32_t cost = dist + static_cast<uint32_t>(task.rate.At(row, col));
                if (cost >= best_cost) continue;
                best_cost = cost;
                best_dist = dist;
                best = {static_cast<int16_t>(row), static_cast<int16_t>(col)};
            }
        }
        result->mv[b] = best;
        result->dist[b] = best_dist;
    }
}

}  // namespace cudame
