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

// The last field's vectors at a macroblock, above, left, right and below of it.
struct LeanNear {
    cudame_mv mv[5];
};
__device__ inline LeanNear NearOf(const LaunchParams& p, const RefParams& r, const Macroblock& m) {
    const cudame_mv* at = r.previous + m.index;
    return {{m.co_located, at[m.row ? -p.mb_cols : 0], at[m.col ? -1 : 0],
             at[m.col + 1 < p.mb_cols ? 1 : 0], at[m.row + 1 < p.mb_rows ? p.mb_cols : 0]}};
}

// Vector n of the coarse macroblock, in pixels.
__device__ inline Position LeanSeed(const LaunchParams& p, const RefParams& r, const Macroblock& m,
                                    int n) {
    const int coarse = m.row / kCoarseScale * p.coarse_cols + m.col / kCoarseScale;
    const cudame_mv v = r.coarse[coarse * CUDAME_BLOCKS + LeanCoarseBlock(n)];
    return {v.col, v.row};  // quarters of four pixels
}

// What rates of whole-pixel vectors are against.
__device__ inline cudame_mv LeanRatesAgainst(const LaunchParams& p, const RefParams& r,
                                             const Macroblock& m) {
    if (r.previous) {
        const LeanNear near = NearOf(p, r, m);
        return MedianPrediction(near.mv[0], near.mv[1], near.mv[2], near.mv[3], near.mv[4]);
    }
    const Position seed = LeanSeed(p, r, m, LeanCoarseQuarter(m.row, m.col));
    return {static_cast<int16_t>(4 * seed.y), static_cast<int16_t>(4 * seed.x)};
}

__device__ inline Position ClampTo(const DevWindow& window, Position v) {
    return {min(max(v.x, window.x0), window.x1), min(max(v.y, window.y0), window.y1)};
}

// Of lane 4 * i + q candidate number i, of which number 0 is zero.
__device__ inline Position LeanCandidate(const LaunchParams& p, const RefParams& r,
                                         const Macroblock& m) {
    const int i = LaneOf() >> 2;
    if (i == 0) return {0, 0};
    if (!LeanDescends(p.lean, static_cast<int>(blockIdx.x))) {
        if (i > 1 || !r.previous) return {0, 0};
        return ClampTo(m.window, {(m.co_located.col + 2) >> 2, (m.co_located.row + 2) >> 2});
    }
    const Position quarter = LeanSeed(p, r, m, LeanCoarseQuarter(m.row, m.col));
    const Position whole = LeanSeed(p, r, m, 0);
    if (!r.previous) return ClampTo(m.window, i == 1 ? quarter : whole);
    if (i >= 6) return ClampTo(m.window, i == 6 ? quarter : whole);
    const cudame_mv near = NearOf(p, r, m).mv[i - 1];
    return ClampTo(m.window, {(near.col + 2) >> 2, (near.row + 2) >> 2});
}

// The neighbours of those of the candidates, a lane's as above, that are not the same as another
// one before or, unless that is NULL, as `but`.
__device__ inline void TryBoxes(const LaunchParams& p, const Macroblock& m, const uint32_t* src,
                                Position candidate, const Position* but, LeanWarp* best) {
    const Position step = NeighbourOf(LaneOf() >> 2);
#pragma unroll 1
    for (int n = 0; n < 8; n++) {
        const Position at = {FromLane(candidate.x, 4 * n), FromLane(candidate.y, 4 * n)};
        bool tried = but && at.x == but->x && at.y == but->y;
        for (int i = 0; i < n; i++) {
            const int x = FromLane(candidate.x, 4 * i), y = FromLane(candidate.y, 4 * i);
            tried |= at.x == x && at.y == y;
        }
        if (!tried) EvaluateEight(p, m, src, at.x + step.x, at.y + step.y, best);
    }
}

__device__ inline void Descend(const LaunchParams& p, const Macroblock& m, const uint32_t* src,
                               LeanWarp* best) {
    const Position step = NeighbourOf(LaneOf() >> 2);
    for (int move = 0; move < kLeanMoves; move++) {
        const int x = best->whole.x, y = best->whole.y;
        EvaluateEight(p, m, src, x + step.x, y + step.y, best);
        if (best->whole.x == x && best->whole.y == y) break;
    }
}

__device__ inline void LookFar(const LaunchParams& p, const Macroblock& m, const uint32_t* src,
                               LeanWarp* best) {
    const int i = LaneOf() >> 2;
    int x = best->whole.x, y = best->whole.y;
    for (int n = i; n < kLeanFarCross + i; n += 8) {
        const LeanVector v = LeanFarCross(min(n, kLeanFarCross - 1));  // the last one again
        EvaluateEight(p, m, src, x + v.x, y + v.y, best);
    }
    x = best->whole.x;
    y = best->whole.y;
    for (int n = i; n < p.lean.rings * kLeanRing; n += 8) {
        const LeanVector v = LeanRing(n);
        EvaluateEight(p, m, src, x + v.x, y + v.y, best);
    }
}

// All but the SAD at zero, which is as it was, and whether it is still.
__device__ inline void StoreVectors(const RefParams& r, const Macroblock& m, const LeanWarp& best) {
    const int lane = LaneOf();
    if (lane >= 4) return;
    LeanFound* found = r.lean + m.index;
    const auto store = [&](int b, const LeanBest& v) {
        r.integer[m.index * CUDAME_BLOCKS + b] = {static_cast<int16_t>(4 * v.y),
                                                  static_cast<int16_t>(4 * v.x)};
        found->cost[b] = static_cast<uint16_t>(v.cost);
        found->sad[b] = static_cast<uint16_t>(v.sad);
    };
    store(CUDAME_BLOCK_16X8 + lane, best.part);
    store(CUDAME_BLOCK_8X8 + lane, best.quarter);
    if (lane == 0) store(0, best.whole);
}

__device__ inline LeanWarp LoadVectors(const RefParams& r, const Macroblock& m) {
    const int q = LaneOf() & 3;
    const LeanFound& found = r.lean[m.index];
    const auto load = [&](int b) {
        const cudame_mv v = r.integer[m.index * CUDAME_BLOCKS + b];
        return LeanBest{v.col >> 2, v.row >> 2, found.cost[b], found.sad[b]};
    };
    return {load(0), load(CUDAME_BLOCK_16X8 + q), load(CUDAME_BLOCK_8X8 + q)};
}

// By lane 0: the vector that the next pass takes.
__device__ inline void StoreSpread(const LaunchParams& p, const Macroblock& m, int pass,
                                   const LeanBest& v) {
    p.spread[pass & 1][m.index] = {static_cast<int16_t>(v.y), static_cast<int16_t>(v.x)};
}

__device__ inline void SearchLean(const LaunchParams& p) {
    __shared__ __align__(16) uint32_t sources[kListMbs][64];
    const int warp = static_cast<int>(threadIdx.x >> 5), lane = LaneOf();
    const int col = static_cast<int>(blockIdx.y) * kListMbs + warp;
    const int search = static_cast<int>(blockIdx.x);
    if (col >= p.mb_cols) return;
    uint32_t* src = sources[warp];
    const RefParams& r = RefOf(p);
    Macroblock m = MacroblockAt(p, r, RowOf(p), col);
    LoadSourceWarp(p, m, src);
    m.prediction = LeanRatesAgainst(p, r, m);
    const Position candidate = LeanCandidate(p, r, m);
    __syncwarp();

    const LeanBest none = {0, 0, 0xffffffffu, 0};
    LeanWarp best = {none, none, none};
    const LeanSums sums = EvaluateEight(p, m, src, candidate.x, candidate.y, &best);
    const uint32_t rate_zero = __shfl_sync(0xffffffffu, sums.rate, 0);
    const auto zero = [&](uint32_t sum) {
        const uint32_t sad = __shfl_sync(0xffffffffu, sum, lane & 3);
        return LeanBest{0, 0, min(sad + rate_zero, static_cast<uint32_t>(kMaxRate)), sad};
    };
    const LeanWarp at_zero = {zero(sums.whole), zero(sums.part), zero(sums.quarter)};
    const uint32_t sad_zero = at_zero.whole.sad, still = static_cast<uint32_t>(p.still);
    if (2 * sad_zero <= still) {
        best = at_zero;
    } else if (best.whole.sad > still && LeanDescends(p.lean, search)) {
        if (p.lean.box) TryBoxes(p, m, src, candidate, nullptr, &best);
        if (LeanLooksFar(search, m.row, m.col) &&
            best.whole.sad > static_cast<uint32_t>(p.lean.poor * kMb * kMb))
            LookFar(p, m, src, &best);
        Descend(p, m, src, &best);
    }
    StoreVectors(r, m, best);
    if (lane) return;
    r.lean[m.index].sad_zero = static_cast<uint16_t>(sad_zero);
    r.lean[m.index].still = best.whole.sad <= still;
    if (!search) StoreSpread(p, m, 0, best.whole);
}

// The vector of neighbour lane / 4 before the pass; of one that the frame lacks, `own`.
__device__ inline Position SpreadCandidate(const LaunchParams& p, const Macroblock& m,
                                           Position own) {
    const Position at = NeighbourOf(LaneOf() >> 2);
    const int row = m.row + at.y, col = m.col + at.x;
    if (row < 0 || row >= p.mb_rows || col < 0 || col >= p.mb_cols) return own;
    const cudame_mv v = p.spread[p.pass & 1][row * p.mb_cols + col];
    return ClampTo(m.window, {v.col, v.row});
}

// Of the first search alone.
__device__ inline void SpreadLean(const LaunchParams& p) {
    __shared__ __align__(16) uint32_t sources[kListMbs][64];
    const int warp = static_cast<int>(threadIdx.x >> 5), lane = LaneOf();
    const int col = static_cast<int>(blockIdx.y) * kListMbs + warp;
    if (col >= p.mb_cols) return;
    const RefParams& r = RefOf(p);
    Macroblock m = MacroblockAt(p, r, RowOf(p), col);
    LeanWarp best = LoadVectors(r, m);
    const Position own = {best.whole.x, best.whole.y};
    const Position candidate = SpreadCandidate(p, m, own);
    const bool differs = candidate.x != own.x || candidate.y != own.y;
    if (__any_sync(0xffffffffu, differs) && best.whole.sad > static_cast<uint32_t>(p.still)) {
        uint32_t* src = sources[warp];
        LoadSourceWarp(p, m, src);
        m.prediction = LeanRatesAgainst(p, r, m);
        __syncwarp();
        EvaluateEight(p, m, src, candidate.x, candidate.y, &best);
        if (p.lean.pass_box) TryBoxes(p, m, src, candidate, &own, &best);
        if (best.whole.x != own.x || best.whole.y != own.y) Descend(p, m, src, &best);
        StoreVectors(r, m, best);
    }
    if (p.pass + 1 == p.lean.passes) {
        __syncwarp();
        if (lane == 0) r.lean[m.index].poor = LeanIsPoor(r.lean[m.index].sad);
    } else if (lane == 0) {
        StoreSpread(p, m, p.pass + 1, best.whole);
    }
}

// ---- drawn macroblocks ------------------------------------------------------

// A thread block for a macroblock: few are searched, and warps share the box by slices.
__device__ inline void SearchDrawn(const LaunchParams& p) {
    __shared__ __align__(16) uint32_t src[64];
    __shared__ LeanBest found[kDrawnWarps][kLeanBlocks];
    const int warp = static_cast<int>(threadIdx.x >> 5), lane = LaneOf(), q = lane & 3;
    const RefParams& r = RefOf(p);
    Macroblock m = MacroblockAt(p, r, RowOf(p), static_cast<int>(blockIdx.y));
    const LeanFound &first = p.refs[0].lean[m.index], &own = r.lean[m.index];
    if (!first.poor || (blockIdx.x && first.still) || !LeanIsPoor(own.sad)) return;
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
        EvaluateEight(p, m, src, v.x, v.y, &best);
    }
    if (lane < 4) {
        found[warp][CUDAME_BLOCK_16X8 + q] = best.part;
        found[warp][CUDAME_BLOCK_8X8 + q] = best.quarter;
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
    take(CUDAME_BLOCK_16X8 + q, &best.part);
    take(CUDAME_BLOCK_8X8 + q, &best.quarter);
    StoreVectors(r, m, best);
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
    for (int size = kLeanGridStep / 2; size; size /= 2) {
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
