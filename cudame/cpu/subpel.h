// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Half- and quarter-pel refinement of all 25 blocks.

#ifndef CUDAME_CPU_SUBPEL_H_
#define CUDAME_CPU_SUBPEL_H_

#include "cpu/integer_search.h"

namespace cudame {

struct SubpelResult {
    cudame_mv mv[CUDAME_BLOCKS];
    uint32_t dist[CUDAME_BLOCKS];
};

// Refine the whole-pixel vector of each block, by SATD + rate. It tries that vector, its 8 half-pel
// neighbours, then the 8 quarter-pel neighbours of the best of these, in raster order. Of equal
// costs the first wins. Vectors outside the window are not tried.
void RefineSubpel(const Kernels& kernels, const SearchTask& task, enum cudame_filter filter,
                  const IntegerResult& integer, SubpelResult* result);

}  // namespace cudame

#endif  // CUDAME_CPU_SUBPEL_H_
