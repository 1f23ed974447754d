// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Only the window search of the product: like the other variants, around zero, with rates relative
// to zero.

#ifndef CUDAME_BENCH_CUDA_FULL_PRODUCT_CUH_
#define CUDAME_BENCH_CUDA_FULL_PRODUCT_CUH_

#include "bench/cuda/bench_params.h"
#include "cuda/integer_full.cuh"

namespace bench {

__device__ inline void SearchProduct(const ProductParams& p, uint32_t* tile) {
    __shared__ __align__(16) cudame::WindowState s;
    const cudame::LaunchParams& launch = p.launch;
    const cudame::Macroblock m = cudame::MacroblockAt(
        launch, launch.refs[0], static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.x));
    const int t = static_cast<int>(threadIdx.x);
    if (t < 32) {
        cudame::LoadSourceWarp(launch, m, s.mb.src);
        if (t < CUDAME_BLOCKS) s.mb.key[t] = 0xffffffffu;
    }
    const cudame::Searched box = cudame::SearchWindow<cudame::kFinal>(launch, m, 0, 0, tile, s);
    if (t >= CUDAME_BLOCKS) return;
    // Convert the order within a tile to that within the window.
    const int order = (s.mb.y[t] - box.y0) * (box.x1 - box.x0 + 1) + s.mb.x[t] - box.x0;
    p.best[m.index * CUDAME_BLOCKS + t] =
        s.mb.key[t] >> kOrderBits << kOrderBits | static_cast<uint32_t>(order);
}

}  // namespace bench

#endif  // CUDAME_BENCH_CUDA_FULL_PRODUCT_CUH_
