// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The whole-pixel part of the lean search, by one warp for each macroblock: eight vectors at a
// time, of which four lanes have a quarter each. A lane keeps the best vectors of its quarter,
// of one of the four halves, and, as all lanes do, of the macroblock.

#ifndef CUDAME_CUDA_SEARCH_LEAN_CUH_
#define CUDAME_CUDA_SEARCH_LEAN_CUH_

#include "cuda/search_warp.cuh"
#include "lean.h"

namespace cudame {

struct LeanBest {
    int x, y;
    uint32_t cost, sad;
};

// A neighbour of a vector, n < 8 in raster order.
__device__ inline Position NeighbourOf(int n) {
    const int at = n + (n >= 4);
    return {at % 3 - 1, at / 3 - 1};
}

// SAD of quarter q of the macroblock at a vector.
__device__ inline uint32_t QuarterSad(const LaunchParams& p, const Macroblock& m,
                                      const uint32_t* src, int q, int x, int y) {
    const int stride = p.ref_stride;
    const uint8_t* ref =
        m.ref + static_cast<ptrdiff_t>(y + 8 * (q >> 1)) * stride + x + 8 * (q & 1);
    const uintptr_t at = reinterpret_cast<uintptr_t>(ref);
    const uint8_t* from = ref - (at & 3);
    const uint32_t shift = static_cast<uint32_t>(at & 3) * 8;
    uint32_t sad = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const uint32_t* w =
            reinterpret_cast<const uint32_t*>(from + static_cast<ptrdiff_t>(i) * stride);
        const uint32_t w0 = __ldg(w), w1 = __ldg(w + 1), w2 = __ldg(w + 2);
        const uint32_t* s = src + 4 * (8 * (q >> 1) + i) + 2 * (q & 1);
        sad = Sad4(s[0], __funnelshift_r(w0, w1, shift), sad);
        sad = Sad4(s[1], __funnelshift_r(w1, w2, shift), sad);
    }
    return sad;
}

// The lowest cost of eight vectors, lanes 4 * i + q, for the block that a lane's sad is of:
// takes it if it is less than what is there. Of equal ones the first.
__device__ inline void TakeLowest(uint32_t sad, uint32_t rate, bool valid, int x, int y,
                                  LeanBest* best) {
    const int lane = LaneOf();
    const uint32_t cost = min(sad + rate, static_cast<uint32_t>(kMaxRate));
    uint32_t key = valid ? cost << 3 | static_cast<uint32_t>(lane >> 2) : 0xffffffffu;
#pragma unroll
    for (int m = 4; m < 32; m <<= 1) key = min(key, __shfl_xor_sync(0xffffffffu, key, m));
    const int winner = static_cast<int>(key & 7) * 4 + (lane & 3);
    const int at_x = FromLane(x, winner), at_y = FromLane(y, winner);
    const uint32_t at_sad = __shfl_sync(0xffffffffu, sad, winner);
    if (key >> 3 >= best->cost) return;
    *best = {at_x, at_y, key >> 3, at_sad};
}

struct LeanWarp {
    LeanBest whole, part, quarter;  // part: one of the 16x8 and 8x16 blocks
};

// Of one of eight vectors, by lane.
struct LeanSums {
    uint32_t whole, part, quarter, rate;
};

// Eight vectors, for all blocks.
__device__ inline LeanSums EvaluateEight(const LaunchParams& p, const Macroblock& m,
                                         const uint32_t* src, int x, int y, LeanWarp* best) {
    const int lane = LaneOf(), q = lane & 3;
    const bool valid = m.window.Contains(x, y);
    uint32_t sad = 0, rate = 0;
    if (valid) {
        sad = QuarterSad(p, m, src, q, x, y);
        rate = static_cast<uint32_t>(Rate(p, m.prediction, 4 * y, 4 * x));
    }
    uint32_t of[4];
#pragma unroll
    for (int i = 0; i < 4; i++) of[i] = __shfl_sync(0xffffffffu, sad, (lane & ~3) + i);
    const uint32_t part = q == 0   ? of[0] + of[1]
                          : q == 1 ? of[2] + of[3]
                          : q == 2 ? of[0] + of[2]
                                   : of[1] + of[3];
    const uint32_t whole = of[0] + of[1] + of[2] + of[3];
    TakeLowest(whole, rate, valid, x, y, &best->whole);
    TakeLowest(part, rate, valid, x, y, &best->part);
    TakeLowest(sad, rate, valid, x, y, &best->quarter);
    return {whole, part, sad, rate};
}

// What the vectors' rates are against, and the candidates: of lane 4 * i + q number i.
__device__ inline Position LeanCandidate(const LaunchParams& p, const RefParams& r, Macroblock* m) {
    const int i = LaneOf() >> 2;
    const int coarse = m->row / kCoarseScale * p.coarse_cols + m->col / kCoarseScale;
    const auto seed = [&](int n) {  // quarters of four pixels
        const cudame_mv v = r.coarse[coarse * CUDAME_BLOCKS + LeanCoarseBlock(n)];
        return Position{v.col, v.row};
    };
    const Position quarter = seed(LeanCoarseQuarter(m->row, m->col));
    Position v = {0, 0};
    if (r.previous) {
        const cudame_mv* at = r.previous + m->index;
        const cudame_mv near[5] = {m->co_located, at[m->row ? -p.mb_cols : 0], at[m->col ? -1 : 0],
                                   at[m->col + 1 < p.mb_cols ? 1 : 0],
                                   at[m->row + 1 < p.mb_rows ? p.mb_cols : 0]};
        m->prediction = MedianPrediction(near[0], near[1], near[2], near[3], near[4]);
        if (i == 6)
            v = quarter;
        else if (i == 7)
            v = seed(0);
        else if (i)
            v = {(near[i - 1].col + 2) >> 2, (near[i - 1].row + 2) >> 2};
    } else {
        m->prediction = {static_cast<int16_t>(4 * quarter.y), static_cast<int16_t>(4 * quarter.x)};
        if (i == 1) v = quarter;
        if (i > 1) v = seed(0);
    }
    return {min(max(v.x, m->window.x0), m->window.x1), min(max(v.y, m->window.y0), m->window.y1)};
}

// The eight neighbours of each quarter's own vector, but where they were tried.
__device__ inline void MoveQuarters(const LaunchParams& p, const Macroblock& m, const uint32_t* src,
                                    LeanWarp* best) {
    const int lane = LaneOf(), q = lane & 3;
    const Position step = NeighbourOf(lane >> 2);
    const LeanBest centre = best->quarter;
    const int x = centre.x + step.x, y = centre.y + step.y;
    const bool valid =
        m.window.Contains(x, y) && (centre.x != best->whole.x || centre.y != best->whole.y);
    uint32_t sad = 0, rate = 0;
    if (valid) {
        sad = QuarterSad(p, m, src, q, x, y);
        rate = static_cast<uint32_t>(Rate(p, m.prediction, 4 * y, 4 * x));
    }
    TakeLowest(sad, rate, valid, x, y, &best->quarter);
}

// By lanes 0 to 3: what LeanSearch() has found.
__device__ inline void StoreLean(const LaunchParams& p, const RefParams& r, const Macroblock& m,
                                 const LeanWarp& best, uint32_t sad_zero) {
    const int lane = LaneOf();
    uint32_t sads[kLeanBlocks];
    sads[0] = best.whole.sad;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        sads[CUDAME_BLOCK_16X8 + i] = __shfl_sync(0xffffffffu, best.part.sad, i);
        sads[CUDAME_BLOCK_8X8 + i] = __shfl_sync(0xffffffffu, best.quarter.sad, i);
    }
    if (lane >= 4) return;
    cudame_mv* out = r.integer + m.index * CUDAME_BLOCKS;
    const auto store = [&](int b, const LeanBest& v) {
        out[b] = {static_cast<int16_t>(4 * v.y), static_cast<int16_t>(4 * v.x)};
    };
    store(CUDAME_BLOCK_16X8 + lane, best.part);
    store(CUDAME_BLOCK_8X8 + lane, best.quarter);
    if (lane) return;
    store(0, best.whole);
    int as_int[kLeanBlocks];
#pragma unroll
    for (int i = 0; i < kLeanBlocks; i++) as_int[i] = static_cast<int>(sads[i]);
    r.lean[m.index] = {static_cast<uint16_t>(best.whole.cost),
                       static_cast<uint16_t>(best.whole.sad), static_cast<uint16_t>(sad_zero),
                       static_cast<uint16_t>(LeanSplits(p.lean, as_int, p.sad_per_bit))};
}

__device__ inline void SearchLean(const LaunchParams& p) {
    __shared__ __align__(16) uint32_t sources[kListMbs][64];
    const int warp = static_cast<int>(threadIdx.x >> 5), lane = LaneOf();
    const int col = static_cast<int>(blockIdx.y) * kListMbs + warp;
    if (col >= p.mb_cols) return;
    uint32_t* src = sources[warp];
    const RefParams& r = RefOf(p);
    Macroblock m = MacroblockAt(p, r, RowOf(p), col);
    LoadSourceWarp(p, m, src);
    const Position candidate = LeanCandidate(p, r, &m);
    __syncwarp();

    const LeanBest none = {0, 0, 0xffffffffu, 0};
    LeanWarp best = {none, none, none};
    const LeanSums sums = EvaluateEight(p, m, src, candidate.x, candidate.y, &best);
    // Number 0 is zero, in the first four lanes.
    const uint32_t rate_zero = __shfl_sync(0xffffffffu, sums.rate, 0);
    const auto zero = [&](uint32_t sum) {
        const uint32_t sad = __shfl_sync(0xffffffffu, sum, lane & 3);
        return LeanBest{0, 0, min(sad + rate_zero, static_cast<uint32_t>(kMaxRate)), sad};
    };
    const LeanWarp at_zero = {zero(sums.whole), zero(sums.part), zero(sums.quarter)};
    const uint32_t sad_zero = at_zero.whole.sad, still = static_cast<uint32_t>(p.still);
    if (2 * sad_zero <= still) {
        best = at_zero;
    } else if (best.whole.sad > still) {
        const Position step = NeighbourOf(lane >> 2);
        for (int size = p.lean.reach; size; size /= 2)
            for (int move = 0; move < p.lean.moves; move++) {
                const int x = best.whole.x, y = best.whole.y;
                EvaluateEight(p, m, src, x + size * step.x, y + size * step.y, &best);
                if (best.whole.x == x && best.whole.y == y) break;
            }
        if (p.lean.own_moves) MoveQuarters(p, m, src, &best);
    }
    StoreLean(p, r, m, best, sad_zero);
}

// ---- the coarse level -------------------------------------------------------

struct LeanCoarseBest {
    int x[kLeanCoarseBlocks], y[kLeanCoarseBlocks];
    uint32_t cost[kLeanCoarseBlocks];
};

// Adds a lane's vector to the keys of the five blocks.
__device__ inline void EvaluateCoarse(const LaunchParams& p, const Macroblock& m,
                                      const uint32_t* src, int x, int y, int order,
                                      uint32_t (&key)[kLeanCoarseBlocks]) {
    if (!m.window.Contains(x, y)) return;
    uint32_t sum = 0;
#pragma unroll 1
    for (int q = 0; q < 4; q++) {
        const uint32_t sad = QuarterSad(p, m, src, q, x, y);
        sum += sad;
        const uint32_t now = sad << kOrderBits | static_cast<uint32_t>(order);
#pragma unroll
        for (int i = 1; i < kLeanCoarseBlocks; i++)
            if (i == q + 1) key[i] = min(key[i], now);
    }
    key[0] = min(key[0], sum << kOrderBits | static_cast<uint32_t>(order));
}

__device__ inline void SearchLeanCoarse(const LaunchParams& p) {
    __shared__ __align__(16) uint32_t sources[kListMbs][64];
    const int warp = static_cast<int>(threadIdx.x >> 5), lane = LaneOf();
    const int col = static_cast<int>(blockIdx.y) * kListMbs + warp;
    if (col >= p.mb_cols) return;
    uint32_t* src = sources[warp];
    const RefParams& r = RefOf(p);
    const Macroblock m = MacroblockAt(p, r, RowOf(p), col);
#pragma unroll
    for (int i = lane; i < 64; i += 32)
        src[i] = SmallPixels<kCoarseScale>(p.src, p.src_stride, p.src_width, p.src_height,
                                           m.col * kMb + (i & 3) * 4, m.row * kMb + (i >> 2));
    __syncwarp();

    uint32_t key[kLeanCoarseBlocks];
#pragma unroll
    for (int i = 0; i < kLeanCoarseBlocks; i++) key[i] = 0xffffffffu;
    {
        uint32_t sum = lane < 4 ? QuarterSad(p, m, src, lane, 0, 0) : 0;
        for (int mask = 1; mask < 4; mask <<= 1) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
        if (__shfl_sync(0xffffffffu, sum, 0) <= static_cast<uint32_t>(p.still)) {
            if (lane < kLeanCoarseBlocks)
                r.integer[m.index * CUDAME_BLOCKS + LeanCoarseBlock(lane)] = {0, 0};
            return;
        }
    }
    for (int n = lane; n < LeanCoarseVectors(p.lean); n += 32) {
        const LeanVector v = LeanCoarseVector(p.lean, n);
        EvaluateCoarse(p, m, src, v.x, v.y, n, key);
    }
    LeanCoarseBest best;
#pragma unroll
    for (int i = 0; i < kLeanCoarseBlocks; i++) {
        const uint32_t least = WarpMin(key[i]);
        const LeanVector v = LeanCoarseVector(p.lean, OrderOf(least));
        best.x[i] = v.x;
        best.y[i] = v.y;
        best.cost[i] = least >> kOrderBits;
    }
    for (int size = p.lean.grid_step / 2; size; size /= 2) {
#pragma unroll
        for (int i = 0; i < kLeanCoarseBlocks; i++) key[i] = 0xffffffffu;
        // Neighbours of one after the other.
        const auto at = [&](int n) {
            const Position step = NeighbourOf(n & 7);
            int x = best.x[0], y = best.y[0];
#pragma unroll
            for (int i = 1; i < kLeanCoarseBlocks; i++)
                if (n >> 3 == i) {
                    x = best.x[i];
                    y = best.y[i];
                }
            return Position{x + size * step.x, y + size * step.y};
        };
        for (int n = lane; n < 8 * kLeanCoarseBlocks; n += 32) {
            const Position v = at(n);
            EvaluateCoarse(p, m, src, v.x, v.y, n, key);
        }
        __syncwarp();
        LeanCoarseBest next = best;
#pragma unroll
        for (int i = 0; i < kLeanCoarseBlocks; i++) {
            const uint32_t least = WarpMin(key[i]);
            if (least >> kOrderBits >= best.cost[i]) continue;
            const Position v = at(OrderOf(least));
            next.x[i] = v.x;
            next.y[i] = v.y;
            next.cost[i] = least >> kOrderBits;
        }
        best = next;
    }
    if (lane) return;
#pragma unroll
    for (int i = 0; i < kLeanCoarseBlocks; i++)
        r.integer[m.index * CUDAME_BLOCKS + LeanCoarseBlock(i)] = {
            static_cast<int16_t>(4 * best.y[i]), static_cast<int16_t>(4 * best.x[i])};
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SEARCH_LEAN_CUH_
