// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Searches every vector of a box for drawn macroblocks that fit poorly after the lean search's
// passes. A frame has few of them, or mostly them, so thread blocks share a list. A macroblock's
// box is cut into slices, because one thread block would need as long for the whole box as all
// others need for the frame.

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
static_assert(DrawnBoxesFit(), "an order has 16 bits; the last pass makes the list");

// The number of entries on the launch's list.
__device__ inline uint32_t ListLength(const LeanParams& p) {
    return p.drawn.list_counts[2 * p.first_row];
}

// Signals that this thread block is done with the list. The last thread block empties the list. One
// thread of each block calls it.
__device__ inline void LeaveList(const LeanParams& p) {
    uint32_t* counts = p.drawn.list_counts + 2 * p.first_row;
    if (atomicInc(counts + 1, gridDim.x - 1) == gridDim.x - 1) counts[0] = 0;
}

// Result of a block. The first of equal costs wins, in the box's order.
__device__ inline unsigned long long DrawnKey(uint32_t cost, int order, uint32_t sad) {
    return static_cast<unsigned long long>(cost) << 32 | static_cast<uint32_t>(order) << 16 | sad;
}

// Records a slice's vectors that are better than the known ones. After the last slice of a
// macroblock, stores them as the result. One warp calls it.
__device__ inline void FinishSlice(const LeanParams& p, const LeanParams::Ref& r,
                                   const Macroblock& m, uint32_t at, const MbState& s) {
    const int b = LaneOf();
    LeanFound& found = r.found[m.index];
    unsigned long long* least = p.drawn.least + static_cast<ptrdiff_t>(at) * kLeanBlocks + b;
    if (b < kLeanBlocks && s.key[b] >> kOrderBits < found.cost[b]) {
        const int order = (s.y[b] + p.range) * LeanBoxSide(p.range) + s.x[b] + p.range;
        atomicMin(least, DrawnKey(s.key[b] >> kOrderBits, order, s.sad[b]));
    }
    __threadfence();
    __syncwarp();
    const uint32_t before = b == 0 ? atomicAdd(p.drawn.done + at, 1u) : 0;
    if (FromLane(static_cast<int>(before), 0) + 1 < DrawnSlices(p.range)) return;
    __threadfence();
    if (b == 0) p.drawn.done[at] = 0;
    if (b >= kLeanBlocks) return;
    const unsigned long long key = atomicExch(least, ~0ull);
    if (key == ~0ull) return;
    const LeanVector v = LeanBoxVector(p.range, static_cast<int>(key >> 16 & 0xffff));
    r.integer[m.index * CUDAME_BLOCKS + b] = {static_cast<int16_t>(4 * v.y),
                                              static_cast<int16_t>(4 * v.x)};
    found.cost[b] = static_cast<uint16_t>(key >> 32);
    found.sad[b] = static_cast<uint16_t>(key);
}

// The kernel. All blocks of the grid share the list.
__device__ inline void SearchDrawn(const LeanParams& p, uint32_t* tile) {
    __shared__ __align__(16) WindowState s;
    __shared__ uint32_t count;
    const int t = static_cast<int>(threadIdx.x), lane = LaneOf();
    const uint32_t slices = static_cast<uint32_t>(DrawnSlices(p.range));
    if (t == 0) count = ListLength(p);
    __syncthreads();
    for (uint32_t i = blockIdx.x; i < count * slices; i += gridDim.x) {
        const uint32_t at = ListStart(p) + i / slices, entry = p.drawn.list[at];
        const int index = static_cast<int>(entry & kListMb);
        const LeanParams::Ref& r = p.refs[entry >> kListSearchShift];
        Macroblock m = MacroblockAt(p, r, index / p.mb_cols, index % p.mb_cols);
        m.prediction = LeanRatesAgainst(p, r, m);
        const int top = static_cast<int>(i % slices) * kDrawnRows - p.range;
        m.window.y0 = max(m.window.y0, top);
        m.window.y1 = min(m.window.y1, top + kDrawnRows - 1);
        if (t < 32) {
            LoadSourceWarp(p, m, s.mb.src);
            const uint32_t known = lane < kLeanBlocks ? r.found[index].cost[lane] : 0;
            if (lane < CUDAME_BLOCKS) s.mb.key[lane] = known << kOrderBits;
        }
        __syncthreads();
        if (m.window.y0 <= m.window.y1) SearchWindow<kDrawn>(p, m, 0, 0, tile, s);
        if (t < 32) FinishSlice(p, r, m, at, s.mb);
        __syncthreads();  // before the next slice overwrites the state
    }
    if (t == 0) LeaveList(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_LEAN_DRAWN_CUH_
