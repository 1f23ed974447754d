// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Macroblocks of a drawn picture that fit poorly after the lean search's passes: every vector of a
// box. They are few or most of a frame, so thread blocks share a list of them, and a macroblock's
// box is cut into slices: one block would take as long for it as all others for their frame.

#ifndef CUDAME_CUDA_LEAN_DRAWN_CUH_
#define CUDAME_CUDA_LEAN_DRAWN_CUH_

#include "cuda/integer_full.cuh"
#include "cuda/lean_search.cuh"

namespace cudame {

constexpr bool DrawnBoxesFit() {
    for (const LeanLevel& level : kLeanLevel)
        if (level.drawn > 127 || (level.drawn && !(level.passes && level.split))) return false;
    return true;
}
static_assert(DrawnBoxesFit(), "an order has 16 bits, the last pass makes the list of quarters");

// What is found for a block. Of equal costs the first vector of the box wins.
__device__ inline unsigned long long DrawnKey(uint32_t cost, int order, uint32_t sad) {
    return static_cast<unsigned long long>(cost) << 32 | static_cast<uint32_t>(order) << 16 | sad;
}

// By one warp: a slice's vectors that are better than what was known; behind the macroblock's last
// slice they become that.
__device__ inline void FinishSlice(const LaunchParams& p, const RefParams& r, const Macroblock& m,
                                   uint32_t at, const MbState& s) {
    const int b = LaneOf();
    LeanFound& found = r.lean[m.index];
    unsigned long long* least = p.drawn + static_cast<ptrdiff_t>(at) * kLeanBlocks + b;
    if (b < kLeanBlocks && s.key[b] >> kOrderBits < found.cost[b]) {
        const int order = (s.y[b] + p.range) * LeanBoxSide(p.range) + s.x[b] + p.range;
        atomicMin(least, DrawnKey(s.key[b] >> kOrderBits, order, s.sad[b]));
    }
    __threadfence();
    __syncwarp();
    const uint32_t before = b == 0 ? atomicAdd(p.drawn_done + at, 1u) : 0;
    if (FromLane(static_cast<int>(before), 0) + 1 < DrawnSlices(p.range)) return;
    __threadfence();
    if (b == 0) p.drawn_done[at] = 0;
    if (b >= kLeanBlocks) return;
    const unsigned long long key = atomicExch(least, ~0ull);
    if (key == ~0ull) return;
    const LeanVector v = LeanBoxVector(p.range, static_cast<int>(key >> 16 & 0xffff));
    r.integer[m.index * CUDAME_BLOCKS + b] = {static_cast<int16_t>(4 * v.y),
                                              static_cast<int16_t>(4 * v.x)};
    found.cost[b] = static_cast<uint16_t>(key >> 32);
    found.sad[b] = static_cast<uint16_t>(key);
}

// What is on the list, by all blocks of the grid.
__device__ inline void SearchDrawn(const LaunchParams& p, uint32_t* tile) {
    __shared__ __align__(16) WindowState s;
    __shared__ uint32_t count;
    const int t = static_cast<int>(threadIdx.x), lane = LaneOf();
    const uint32_t slices = static_cast<uint32_t>(DrawnSlices(p.range));
    if (t == 0) count = ListLength(p);
    __syncthreads();
    for (uint32_t i = blockIdx.x; i < count * slices; i += gridDim.x) {
        const uint32_t at = ListStart(p) + i / slices, entry = p.list[at];
        const int index = static_cast<int>(entry & kListMb);
        const RefParams& r = p.refs[entry >> kListSearchShift];
        Macroblock m = MacroblockAt(p, r, index / p.mb_cols, index % p.mb_cols);
        m.prediction = LeanRatesAgainst(p, r, m);
        const int top = static_cast<int>(i % slices) * kDrawnRows - p.range;
        m.window.y0 = max(m.window.y0, top);
        m.window.y1 = min(m.window.y1, top + kDrawnRows - 1);
        if (t < 32) {
            LoadSourceWarp(p, m, s.mb.src);
            const uint32_t known = lane < kLeanBlocks ? r.lean[index].cost[lane] : 0;
            if (lane < CUDAME_BLOCKS) s.mb.key[lane] = known << kOrderBits;
        }
        __syncthreads();
        if (m.window.y0 <= m.window.y1) SearchWindow<kDrawn>(p, m, 0, 0, tile, s);
        if (t < 32) FinishSlice(p, r, m, at, s.mb);
        __syncthreads();  // the state is free again
    }
    if (t == 0) LeaveList(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_LEAN_DRAWN_CUH_
