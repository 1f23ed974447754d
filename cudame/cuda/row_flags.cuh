// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The progress of rows: the number of macroblocks that are done, in memory of the device or in a
// thread block's shared memory.

#ifndef CUDAME_CUDA_ROW_FLAGS_CUH_
#define CUDAME_CUDA_ROW_FLAGS_CUH_

#include "common/coder/lanes.h"

namespace cudame {

// The warps that see the progress of a row: those of all thread blocks, or of the row's own one, in
// whose shared memory it is.
enum class RowScope { kDevice, kBlock };

// ns between looks at the progress of a row, which take issue slots from other warps. The coder
// takes 15 us or more for a macroblock.
template <RowScope kScope>
constexpr unsigned kRowNap = kScope == RowScope::kDevice ? 200 : 20;

// Orders the stores and loads of macroblocks before and after it for the warps of a scope.
template <RowScope kScope>
__device__ inline void FenceRow() {
    if constexpr (kScope == RowScope::kDevice)
        __threadfence();
    else
        __threadfence_block();
}

// Waits until `count` macroblocks of a row are done. Later loads see the stores of that row.
template <RowScope kScope = RowScope::kDevice>
__device__ inline void AwaitRow(const uint32_t* done, uint32_t count) {
    if (coder_warp::Lane() == 0) {
        while (coder_warp::Fresh(done) < count) __nanosleep(kRowNap<kScope>);
        FenceRow<kScope>();
    }
    __syncwarp();
}

// Tells the row below that `count` macroblocks are done.
template <RowScope kScope = RowScope::kDevice>
__device__ inline void PublishMacroblock(uint32_t* done, uint32_t count) {
    __syncwarp();
    if (coder_warp::Lane() == 0) {
        FenceRow<kScope>();
        *static_cast<volatile uint32_t*>(done) = count;
    }
}

}  // namespace cudame

#endif  // CUDAME_CUDA_ROW_FLAGS_CUH_
