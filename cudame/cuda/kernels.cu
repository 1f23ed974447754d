// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Entry points. The host finds them by their names in kernel_table.h.

#include "cuda/first_pass.cuh"
#include "cuda/integer_fast.cuh"
#include "cuda/integer_full.cuh"
#include "cuda/intra_estimate.cuh"
#include "cuda/kernel_table.h"
#include "cuda/lean_drawn.cuh"
#include "cuda/lean_refine.cuh"
#include "cuda/lean_search.cuh"
#include "cuda/lean_spread.cuh"
#include "cuda/loop_filter_errors.cuh"
#include "cuda/split_chroma.cuh"
#include "cuda/subpel.cuh"
#include "cuda/subpel_tex.cuh"

using namespace cudame;

extern "C" {

__global__ void __launch_bounds__(kernel::kDiamondFast.threads, kernel::kDiamondFast.resident)
    cudame_diamond_fast(const __grid_constant__ LaunchParams p) {
    SearchFast(p);
}

__global__ void __launch_bounds__(kernel::kIterativeFast.threads, kernel::kIterativeFast.resident)
    cudame_iterative_fast(const __grid_constant__ LaunchParams p) {
    SearchLists<false, kFinal>(p);
}

__global__ void __launch_bounds__(kernel::kDiamondSplit.threads, kernel::kDiamondSplit.resident)
    cudame_diamond_split(const __grid_constant__ LaunchParams p) {
    SearchLists<true, kFinal>(p);
}

__global__ void __launch_bounds__(kernel::kDiamondInteger.threads, kernel::kDiamondInteger.resident)
    cudame_diamond_integer(const __grid_constant__ LaunchParams p) {
    SearchLists<true, kInteger>(p);
}

__global__ void __launch_bounds__(kernel::kFullFinal.threads, kernel::kFullFinal.resident)
    cudame_full_final(const __grid_constant__ LaunchParams p) {
    extern __shared__ uint32_t tile[];
    SearchFull<kFinal>(p, tile);
}

__global__ void __launch_bounds__(kernel::kFullInteger.threads, kernel::kFullInteger.resident)
    cudame_full_integer(const __grid_constant__ LaunchParams p) {
    extern __shared__ uint32_t tile[];
    SearchFull<kInteger>(p, tile);
}

__global__ void __launch_bounds__(kernel::kCoarse.threads, kernel::kCoarse.resident)
    cudame_coarse(const __grid_constant__ LaunchParams p) {
    extern __shared__ uint32_t tile[];
    SearchCoarse(p, tile);
}

__global__ void __launch_bounds__(kernel::kLeanCoarse.threads, kernel::kLeanCoarse.resident)
    cudame_lean_coarse(const __grid_constant__ LaunchParams p) {
    SearchLeanCoarse(p);
}

__global__ void __launch_bounds__(kernel::kLeanSearch.threads, kernel::kLeanSearch.resident)
    cudame_lean_search(const __grid_constant__ LaunchParams p) {
    SearchLean(p);
}

__global__ void __launch_bounds__(kernel::kLeanSpread.threads, kernel::kLeanSpread.resident)
    cudame_lean_spread(const __grid_constant__ LaunchParams p) {
    SpreadLean(p);
}

__global__ void __launch_bounds__(kernel::kLeanDrawn.threads, kernel::kLeanDrawn.resident)
    cudame_lean_drawn(const __grid_constant__ LaunchParams p) {
    extern __shared__ uint32_t tile[];
    SearchDrawn(p, tile);
}

__global__ void __launch_bounds__(kernel::kLeanRefine.threads, kernel::kLeanRefine.resident)
    cudame_lean_refine(const __grid_constant__ LaunchParams p) {
    RefineLean(p);
}

__global__ void __launch_bounds__(kernel::kHalfPlanes.threads)
    cudame_half_planes(const __grid_constant__ HalfPlanesParams p) {
    MakeHalfPlanes(p);
}

__global__ void __launch_bounds__(kernel::kRefineSubpel.threads, kernel::kRefineSubpel.resident)
    cudame_refine_subpel(const __grid_constant__ LaunchParams p) {
    RefineSubpel(p);
}

__global__ void __launch_bounds__(kernel::kRefineTex.threads, kernel::kRefineTex.resident)
    cudame_refine_tex(const __grid_constant__ LaunchParams p) {
    RefineTexRows(p);
}

__global__ void __launch_bounds__(kernel::kIntraRows.threads)
    cudame_intra_rows(const __grid_constant__ IntraParams p) {
    EstimateIntra(p);
}

__global__ void __launch_bounds__(kernel::kFirstPassSearch.threads)
    cudame_first_pass_search(const __grid_constant__ FirstPassParams p) {
    first_pass::SearchZero(p);
}

__global__ void __launch_bounds__(kernel::kFirstPassCode.threads)
    cudame_first_pass_code(const __grid_constant__ FirstPassParams p) {
    first_pass::CodeRow(p);
}

__global__ void __launch_bounds__(kernel::kFilterLevels.threads)
    cudame_filter_levels(const __grid_constant__ LoopFilterParams p) {
    loop_filter::TryLevels(p);
}

// The mean of every 4x4 pixels, edges replicated, a thread for four of them; the grid counts from
// the border.
__global__ void cudame_shrink(const __grid_constant__ ShrinkParams p) {
    const int x = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - p.border;
    const int y = static_cast<int>(blockIdx.y) - p.border;
    if (x >= p.padded_width + p.border) return;
    *reinterpret_cast<uint32_t*>(p.to + static_cast<ptrdiff_t>(y) * p.to_stride + x) =
        SmallPixels(p.from, p.from_stride, p.width, p.height, x, y);
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
