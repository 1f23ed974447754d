// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The lean search's passes. One warp serves one macroblock and tries the vectors of the macroblocks
// around it. After the last pass, drawn macroblocks that still fit poorly are put on a list.

#ifndef CUDAME_CUDA_LEAN_SPREAD_CUH_
#define CUDAME_CUDA_LEAN_SPREAD_CUH_

#include "cuda/lean_search.cuh"

namespace cudame {

// Adds an entry to the list of drawn macroblocks. One thread calls it.
__device__ inline void AddToList(const LeanParams& p, uint32_t entry) {
    p.drawn.list[ListStart(p) + atomicAdd(p.drawn.list_counts + 2 * p.first_row, 1u)] = entry;
}

// Puts a macroblock on the list for every search that fits it poorly, if it is a drawn one. src:
// the warp's shared memory for source pixels.
__device__ inline void ListDrawn(const LeanParams& p, const Macroblock& m, uint32_t* src) {
    const int lane = LaneOf();
    __syncwarp();  // the other lanes have stored their results
    const LeanFound& first = p.refs[0].found[m.index];
    if (!LeanIsPoor(first.sad)) return;
    LoadSourceWarp(p, m, src);
    __syncwarp();
    int equal = 0;
    for (int i = lane; i < kMb * kMb; i += 32) {
        const uint8_t* pixel = reinterpret_cast<const uint8_t*>(src) + i;
        if (i % kMb) equal += pixel[0] == pixel[-1];
    }
    for (int mask = 1; mask < 32; mask <<= 1) equal += __shfl_xor_sync(0xffffffffu, equal, mask);
    if (!LeanIsDrawn(equal) || lane >= p.searches) return;
    if (lane && (first.alone || !LeanIsPoor(p.refs[lane].found[m.index].sad))) return;
    AddToList(p, static_cast<uint32_t>(m.index) | static_cast<uint32_t>(lane) << kListSearchShift);
}

// Returns the vector of neighbour lane / 4 before this pass, or `own` outside of the frame.
__device__ inline Position SpreadCandidate(const LeanParams& p, const Macroblock& m, Position own) {
    const Position at = NeighbourOf(LaneOf() >> 2);
    const int row = m.row + at.y, col = m.col + at.x;
    if (row < 0 || row >= p.mb_rows || col < 0 || col >= p.mb_cols) return own;
    const cudame_mv v = p.spread[p.pass & 1][row * p.mb_cols + col];
    return ClampTo(m.window, {v.col, v.row});
}

// The kernel of a pass. Only the first search has passes.
__device__ inline void SpreadLean(const LeanParams& p) {
    __shared__ __align__(16) uint32_t sources[kLeanMbs][64], pixels[kLeanMbs][kLeanPixels];
    const int warp = static_cast<int>(threadIdx.x >> 5), lane = LaneOf();
    const int col = static_cast<int>(blockIdx.y) * kLeanMbs + warp;
    if (col >= p.mb_cols) return;
    const LeanParams::Ref& r = RefOf(p);
    Macroblock m = MacroblockAt(p, r, RowOf(p), col);
    LeanWarp best = LoadVectors(r, m);
    const Position own = {best.whole.x, best.whole.y};
    const Position candidate = SpreadCandidate(p, m, own);
    const bool differs = candidate.x != own.x || candidate.y != own.y;
    if (__any_sync(0xffffffffu, differs) && best.whole.sad > static_cast<uint32_t>(p.still)) {
        uint32_t* src = sources[warp];
        LoadSourceWarp(p, m, src);
        m.prediction = LeanRatesAgainst(p, r, m);
        LeanWindow window = {pixels[warp], kNoWindow, 0};
        FetchWindow(p, m, own.x, own.y, &window);
        EvaluateEight(p, m, src, window, candidate.x, candidate.y, &best);
        if (p.level.pass_box) TryBoxes(p, m, src, window, candidate, &own, &best);
        if (best.whole.x != own.x || best.whole.y != own.y) Descend(p, m, src, &window, &best);
        StoreVectors(r, m, best);
    }
    if (p.pass + 1 < p.level.passes) {
        if (lane == 0) StoreSpread(p, m, p.pass + 1, best.whole);
    } else if (p.level.drawn) {
        ListDrawn(p, m, sources[warp]);
    }
}

}  // namespace cudame

#endif  // CUDAME_CUDA_LEAN_SPREAD_CUH_
