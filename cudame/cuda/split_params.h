// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Parameters of the kernel that separates interleaved chroma, shared by the host and the kernel.

#ifndef CUDAME_CUDA_SPLIT_PARAMS_H_
#define CUDAME_CUDA_SPLIT_PARAMS_H_

#include <cstddef>
#include <cstdint>

namespace cudame {

constexpr int kSplitThreads = 64;
constexpr int kSplitPixels = 16;  // pixels of each plane that a thread writes

// Grid: groups of pixels of a row x rows. The fake driver of the tests has a copy of this struct.
struct SplitParams {
    const uint8_t* from;
    uint8_t* to[2];  // pinned host memory; rows have room for whole kSplitPixels
    ptrdiff_t from_stride, to_stride;
    int width, height;  // of one plane
};

}  // namespace cudame

#endif  // CUDAME_CUDA_SPLIT_PARAMS_H_
