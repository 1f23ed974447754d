// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Entry points. The host finds them by name in the embedded module.

#include "cuda/search_full.cuh"
#include "cuda/subpel.cuh"

using namespace cudame;

extern "C" {

__global__ void __launch_bounds__(kListThreads)
    cudame_diamond_fast(const __grid_constant__ LaunchParams p) {
    SearchList<false, true>(p);
}

__global__ void __launch_bounds__(kListThreads)
    cudame_diamond_split(const __grid_constant__ LaunchParams p) {
    SearchList<true, true>(p);
}

__global__ void __launch_bounds__(kListThreads)
    cudame_diamond_integer(const __grid_constant__ LaunchParams p) {
    SearchList<true, false>(p);
}

__global__ void __launch_bounds__(kFullThreads, 3)
    cudame_full_final(const __grid_constant__ LaunchParams p) {
    extern __shared__ uint32_t tile[];
    SearchFull<true>(p, tile);
}

__global__ void __launch_bounds__(kFullThreads, 3)
    cudame_full_integer(const __grid_constant__ LaunchParams p) {
    extern __shared__ uint32_t tile[];
    SearchFull<false>(p, tile);
}

__global__ void __launch_bounds__(kSubpelThreads)
    cudame_refine_subpel(const __grid_constant__ LaunchParams p) {
    RefineSubpel(p);
}

// The mean of every 4x4 pixels, a thread for four of them.
__global__ void cudame_shrink(const __grid_constant__ ShrinkParams p) {
    const int x = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y);
    if (x >= p.width) return;
    const uint8_t* from = p.from + static_cast<ptrdiff_t>(4 * y) * p.from_stride + 4 * x;
    uint32_t sum[4] = {8, 8, 8, 8};
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const uint4 row =
            *reinterpret_cast<const uint4*>(from + static_cast<ptrdiff_t>(j) * p.from_stride);
        sum[0] = Sad4(row.x, 0, sum[0]);
        sum[1] = Sad4(row.y, 0, sum[1]);
        sum[2] = Sad4(row.z, 0, sum[2]);
        sum[3] = Sad4(row.w, 0, sum[3]);
    }
    *reinterpret_cast<uint32_t*>(p.to + static_cast<ptrdiff_t>(y) * p.to_stride + x) =
        sum[0] >> 4 | sum[1] >> 4 << 8 | sum[2] >> 4 << 16 | sum[3] >> 4 << 24;
}

// Replicates the edges of rows [0, rows) of a plane, grid: words x rows. first
// counts from the top border.
__global__ void cudame_pad(const __grid_constant__ PadParams p, int first) {
    const int y = first + static_cast<int>(blockIdx.y) - p.border;
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 4 - p.border;
    if (x >= p.padded_width + p.border || y >= p.padded_height + p.border) return;
    if (y >= 0 && y < p.height && x >= 0 && x + 4 <= p.width) return;
    const uint8_t* row = p.plane + static_cast<ptrdiff_t>(min(max(y, 0), p.height - 1)) * p.stride;
    uint8_t* out = p.plane + static_cast<ptrdiff_t>(y) * p.stride + x;
    for (int i = 0; i < 4; i++) {
        const int from = min(max(x + i, 0), p.width - 1);
        if (y < 0 || y >= p.height || x + i != from) out[i] = row[from];
    }
}

}  // extern "C"
