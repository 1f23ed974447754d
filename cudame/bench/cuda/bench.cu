// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Entry points of the benchmark's own kernels, which the host finds by name.

#include "bench/cuda/diamond_variants.cuh"
#include "bench/cuda/full_columns.cuh"
#include "bench/cuda/full_product.cuh"
#include "bench/cuda/full_variants.cuh"
#include "bench/cuda/rates.cuh"
#include "bench/cuda/tex_variants.cuh"

using namespace bench;

// Number of diamond blocks that fill a multiprocessor.
#if __CUDA_ARCH__ == 750
#define MAX_THREADS 1024
#elif __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000 || __CUDA_ARCH__ == 1030
#define MAX_THREADS 2048
#else
#define MAX_THREADS 1536
#endif
constexpr int kFullOccupancy = MAX_THREADS / kDiamondThreads;

extern __shared__ uint32_t dynamic_shared[];

extern "C" {

#define THREAD_PER_BLOCK(name, padded)                                       \
    __global__ void full_##name##_1(const __grid_constant__ FullParams p) {  \
        ThreadPerBlock<1, padded>(p);                                        \
    }                                                                        \
    __global__ void full_##name##_25(const __grid_constant__ FullParams p) { \
        ThreadPerBlock<CUDAME_BLOCKS, padded>(p);                            \
    }
THREAD_PER_BLOCK(thread, false)
THREAD_PER_BLOCK(thread_padded, true)

#define BLOCK_PER_MB_OF(name, blocks, threads, ...)                          \
    __global__ void __launch_bounds__(threads)                               \
        full_##name##_##blocks(const __grid_constant__ FullParams p) {       \
        BlockPerMacroblock<blocks, threads, __VA_ARGS__>(p, dynamic_shared); \
    }
#define BLOCK_PER_MB(name, threads, ...)           \
    BLOCK_PER_MB_OF(name, 1, threads, __VA_ARGS__) \
    BLOCK_PER_MB_OF(name, 25, threads, __VA_ARGS__)
BLOCK_PER_MB(block, 256, kGlobalBytes, kInterleaved, false)
BLOCK_PER_MB(block_shared, 256, kSharedBytes, kInterleaved, false)
BLOCK_PER_MB(block_packed, 256, kSharedWords, kInterleaved, false)
BLOCK_PER_MB(block_pr, 256, kSharedWords, kConventional, false)
BLOCK_PER_MB(block_pr1024, 1024, kSharedWords, kConventional, false)
BLOCK_PER_MB(block_cpr, 256, kSharedWords, kConcurrent, false)
BLOCK_PER_MB(block_cpr1024, 1024, kSharedWords, kConcurrent, false)
BLOCK_PER_MB(block_once, 256, kSharedWords, kConcurrent, true)

#define COLUMN(name, column, threads, blocks)                    \
    __global__ void __launch_bounds__(threads, blocks)           \
        full_##name##_25(const __grid_constant__ FullParams p) { \
        SearchColumns<column, threads>(p, dynamic_shared);       \
    }
COLUMN(column2, 2, 128, 6)
COLUMN(column4, 4, 128, 5)
__global__ void __launch_bounds__(cudame::kWindowThreads, 5)
    full_window_25(const __grid_constant__ ProductParams p) {
    SearchProduct(p, dynamic_shared);
}

#define DIAMOND(name, rows, packed, ...)                              \
    __global__ void __launch_bounds__(kDiamondThreads, ##__VA_ARGS__) \
        diamond_##name(const __grid_constant__ DiamondParams p) {     \
        SearchDiamond<rows, packed>(p);                               \
    }
DIAMOND(max_sm, 128, false)
DIAMOND(max_occ, 16, false)
DIAMOND(max_sm_packed, 128, true)
DIAMOND(max_occ_packed, 16, true, kFullOccupancy)

#define RATE(name, Op)                                                            \
    __global__ void rate_##name##_chain(const __grid_constant__ RateParams p) {   \
        MeasureRate<Op, 1>(p);                                                    \
    }                                                                             \
    __global__ void rate_##name##_streams(const __grid_constant__ RateParams p) { \
        MeasureRate<Op, 8>(p);                                                    \
    }
RATE(sad4, OpSad4)
RATE(vsadu4, OpVsadu4)
RATE(dp4a, OpDot4)
RATE(min, OpMin)
RATE(min3, OpMin3)
RATE(add, OpAdd)
RATE(shift, OpShift)
RATE(sad4_shift, OpSad4Shift)
RATE(sad4_min, OpSad4Min)
RATE(sad4_add, OpSad4Add)
RATE(sad4_mad, OpSad4Mad)

__global__ void tex_sample(const __grid_constant__ TexSampleParams p) { TexSample(p); }
__global__ void __launch_bounds__(kTexRateThreads)
    tex_rate(const __grid_constant__ TexRateParams p) {
    TexRate(p);
}
__global__ void __launch_bounds__(cudame::kTexThreads, 3)
    tex_map_texture(const __grid_constant__ TexMapParams p) {
    TexMapTexture(p);
}
__global__ void __launch_bounds__(cudame::kTexThreads, 3)
    tex_map_integers(const __grid_constant__ TexMapParams p) {
    TexMapIntegers(p);
}

}  // extern "C"
