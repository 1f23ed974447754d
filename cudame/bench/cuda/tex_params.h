// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Parameters that host code and kernels of the texture benchmark share.

#ifndef CUDAME_BENCH_CUDA_TEX_PARAMS_H_
#define CUDAME_BENCH_CUDA_TEX_PARAMS_H_

#include "cuda/params.h"

namespace bench {

// Samples every quarter-pel position of the texture.
struct TexSampleParams {
    unsigned long long texture;
    float* out;  // by phase, row, column
    int width, height;
};

struct TexRateParams {
    unsigned long long texture;
    float* out;  // one for each block
    int iterations;
};
constexpr int kTexRateThreads = 256, kTexRateUnroll = 32;

// Searches the map for all blocks against one reference.
struct TexMapParams {
    cudame::LaunchParams search;
    unsigned long long texture;  // of the reference with its border
};

}  // namespace bench

#endif  // CUDAME_BENCH_CUDA_TEX_PARAMS_H_
