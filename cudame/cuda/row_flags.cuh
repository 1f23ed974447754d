// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The progress of rows, in memory of the device: the number of macroblocks that are done.

#ifndef CUDAME_CUDA_ROW_FLAGS_CUH_
#define CUDAME_CUDA_ROW_FLAGS_CUH_

#include "common/coder/lanes.h"

namespace cudame {

// Between looks at the progress of a row, which take issue slots from other warps. A macroblock
// takes 15 us or more.
constexpr unsigned kRowNap = 200;  // ns

// Waits until `count` macroblocks of a row are done.
__device__ inline void AwaitRow(const uint32_t* done, uint32_t count) {
    if (coder_warp::Lane() == 0) {
        while (coder_warp::Fresh(done) < count) __nanosleep(kRowNap);
        __threadfence();  // later loads see what the row stored
    }
    __syncwarp();
}

// Tells the row below that `count` macroblocks are done.
__device__ inline void PublishMacroblock(uint32_t* done, uint32_t count) {
    __syncwarp();
    if (coder_warp::Lane() == 0) {
        __threadfence();
        *static_cast<volatile uint32_t*>(done) = count;
    }
}

}  // namespace cudame

#endif  // CUDAME_CUDA_ROW_FLAGS_CUH_
