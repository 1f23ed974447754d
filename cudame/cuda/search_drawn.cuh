// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Macroblocks of a drawn picture that fit poorly after the lean search's passes: every vector of a
// box, against all references.

#ifndef CUDAME_CUDA_SEARCH_DRAWN_CUH_
#define CUDAME_CUDA_SEARCH_DRAWN_CUH_

#include "cuda/search_lean.cuh"

namespace cudame {

// A thread block for a macroblock: few are searched, and warps share the box by slices.
__device__ inline void SearchDrawn(const LaunchParams& p) {
    __shared__ __align__(16) uint32_t src[64];
    __shared__ LeanBest found[kDrawnWarps][kLeanBlocks];
    const int warp = static_cast<int>(threadIdx.x >> 5), lane = LaneOf(), q = lane & 3;
    const RefParams& r = RefOf(p);
    Macroblock m = MacroblockAt(p, r, RowOf(p), static_cast<int>(blockIdx.y));
    const LeanFound &first = p.refs[0].lean[m.index], &own = r.lean[m.index];
    if (!first.poor || (blockIdx.x && first.alone) || !LeanIsPoor(own.sad)) return;
    if (warp == 0) LoadSourceWarp(p, m, src);
    __syncthreads();
    int equal = 0;
    for (int i = lane; i < kMb * kMb; i += 32) {
        const uint8_t* pixel = reinterpret_cast<const uint8_t*>(src) + i;
        if (i % kMb) equal += pixel[0] == pixel[-1];
    }
    for (int mask = 1; mask < 32; mask <<= 1) equal += __shfl_xor_sync(0xffffffffu, equal, mask);
    if (!LeanIsDrawn(equal)) return;

    m.prediction = LeanRatesAgainst(p, r, m);
    LeanWarp best = LoadVectors(r, m);
    const int side = LeanBoxSide(p.lean.drawn), count = side * side;
    const int slice = (count + 8 * kDrawnWarps - 1) / (8 * kDrawnWarps) * 8;
    const int end = min(slice * (warp + 1), count);
    for (int n = slice * warp; n < end; n += 8) {
        // the last one again
        const LeanVector v = LeanBoxVector(p.lean.drawn, min(n + (lane >> 2), end - 1));
        EvaluateEight(p, m, src, {nullptr, kNoWindow, 0}, v.x, v.y, &best);
    }
    LeanBest part = LowestOf(best.part), quarter = LowestOf(best.quarter);
    if (lane < 4) {
        found[warp][CUDAME_BLOCK_16X8 + q] = part;
        found[warp][CUDAME_BLOCK_8X8 + q] = quarter;
        if (lane == 0) found[warp][0] = best.whole;
    }
    __syncthreads();
    if (warp) return;
    // In the order of the box, so that of equal costs the first wins.
    const auto take = [&](int b, LeanBest* v) {
        for (int i = 1; i < kDrawnWarps; i++)
            if (found[i][b].cost < v->cost) *v = found[i][b];
    };
    take(0, &best.whole);
    take(CUDAME_BLOCK_16X8 + q, &part);
    take(CUDAME_BLOCK_8X8 + q, &quarter);
    StoreVectors(r, m, {best.whole, AsFirst(part), AsFirst(quarter), 1});
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SEARCH_DRAWN_CUH_
