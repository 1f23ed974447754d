// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Half- and quarter-pel refinement of all 25 blocks.

#ifndef CUDAME_CPU_SUBPEL_H_
#define CUDAME_CPU_SUBPEL_H_

#include "cpu/integer_search.h"

namespace cudame {

// What VP8's transform sees best; the others are there to be compared.
constexpr Metric kSubpelMetric = Metric::kSatd;

struct SubpelResult {
    cudame_mv mv[CUDAME_BLOCKS];
    uint32_t dist[CUDAME_BLOCKS];
};

// From the integer vector of each block: that vector, its 8 half-pel
// neighbours, then the 8 quarter-pel neighbours of the best of these, in
// raster order, the first of equal costs winning. Vectors outside of the
// window are not tried.
void RefineSubpel(const Kernels& kernels, const SearchTask& task, enum cudame_filter filter,
                  Metric metric, const IntegerResult& integer, SubpelResult* result);

}  // namespace cudame

#endif  // CUDAME_CPU_SUBPEL_H_
