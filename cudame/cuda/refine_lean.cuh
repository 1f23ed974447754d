// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The sub-pel part of the lean search, by one warp for each macroblock. A lane has a unit of
// 4x4 pixels and every other one of the nine or eight vectors; those of a block add up. Pixels
// at half vectors come from planes that are made once of a reference, those at quarters are
// means of two.

#ifndef CUDAME_CUDA_REFINE_LEAN_CUH_
#define CUDAME_CUDA_REFINE_LEAN_CUH_

#include "cuda/search_lean.cuh"
#include "cuda/subpel.cuh"

namespace cudame {

// The mean of each byte, rounded up.
__device__ inline uint32_t Mean4(uint32_t a, uint32_t b) {
    return (a | b) - ((a ^ b) >> 1 & 0x7f7f7f7fu);
}

// Rows of a unit that starts at p.
__device__ inline void LoadUnit(const uint8_t* p, int stride, uint32_t (&rows)[4]) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(p);
    const uint8_t* from = p - (at & 3);
    const uint32_t shift = static_cast<uint32_t>(at & 3) * 8;
#pragma unroll
    for (int y = 0; y < 4; y++) {
        const uint32_t* w =
            reinterpret_cast<const uint32_t*>(from + static_cast<ptrdiff_t>(y) * stride);
        rows[y] = __funnelshift_r(__ldg(w), __ldg(w + 1), shift);
    }
}

// Pixels of the unit at (x, y) of the macroblock, at a vector of whole or half pixels.
__device__ inline void LoadHalf(const LaunchParams& p, const RefParams& r, const Macroblock& m,
                                int x, int y, int row, int col, uint32_t (&rows)[4]) {
    const int plane = (row & 2) + (col >> 1 & 1);
    const uint8_t* of = plane == 0   ? r.plane
                        : plane == 1 ? r.half[0]
                        : plane == 2 ? r.half[1]
                                     : r.half[2];
    LoadUnit(of + static_cast<ptrdiff_t>(m.row * kMb + y + (row >> 2)) * p.ref_stride +
                 m.col * kMb + x + (col >> 2),
             p.ref_stride, rows);
}

// SATD of a unit, columns of both, at a vector by VP8's filter. ref: the unit's pixels at the
// zero vector.
__device__ inline uint32_t ExactDistance(int filter, const uint8_t* ref, int stride, int row,
                                         int col, const uint32_t (&src)[4]) {
    const int fx = col & 3, fy = row & 3;
    const uint8_t* patch = ref + static_cast<ptrdiff_t>((row >> 2) - 2) * stride + (col >> 2) - 2;
    const Taps tx = TapsOf(filter, fx ? fx : 2), ty = TapsOf(filter, fy ? fy : 2);
    uint32_t t[12];
#pragma unroll
    for (int i = 0; i < kPatch; i++) {
        uint32_t b[3];
        LoadRow(patch + static_cast<ptrdiff_t>(i) * stride, b);
        t[i] = fx ? Filter4(b[0], b[1], b[2], tx) : __funnelshift_r(b[0], b[1], 16);
    }
    Columns(t);
    uint32_t q[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        q[j] = fy ? Filter4(t[j], t[4 + j], t[8 + j], ty) : __funnelshift_r(t[j], t[4 + j], 16);
    return Satd4x4(src, q);
}

// A block's vector while it is refined: the half-pel neighbour that it is, or is around, and
// the neighbours of the next step.
struct LeanVectorCost {
    int row, col, neighbour;
    uint32_t cost;
    unsigned wanted;
};

// One step of a partition: sum(n) is what a lane's unit adds to neighbour n of its block.
template <class Sum>
__device__ inline void LeanStep(const LaunchParams& p, const Macroblock& m, int step, int group,
                                const Sum& sum, LeanVectorCost* v) {
    const int half = LaneOf() >> 4;
    uint32_t low = 0xffffffffu, costs[5];
#pragma unroll
    for (int k = 0; k < 5; k++) {
        const int n = min(2 * k + half, kNeighbourCount - 1);  // the last one twice
        const bool centre = n == kSameVector;
        const int row = v->row + step * (n / 3 - 1), col = v->col + step * (n % 3 - 1);
        const bool wanted = v->wanted >> n & 1;
        uint32_t dist = (centre && step == 1) || !wanted ? 0 : sum(n);
        for (int mask = 1; mask < group; mask <<= 1)
            dist += __shfl_xor_sync(0xffffffffu, dist, mask);
        costs[k] = kNoCost;
        if (row < 4 * m.window.y0 || row > 4 * m.window.y1 || col < 4 * m.window.x0 ||
            col > 4 * m.window.x1)
            continue;
        costs[k] = dist + static_cast<uint32_t>(Rate(p, m.prediction, row, col));
        if (centre && step == 1) costs[k] = v->cost;
        if (wanted) low = min(low, costs[k] << 4 | static_cast<uint32_t>(centre ? 0 : n + 1));
    }
    low = min(low, __shfl_xor_sync(0xffffffffu, low, 16));
    const int n = low & 15 ? static_cast<int>(low & 15) - 1 : kSameVector;
    v->row += step * (n / 3 - 1);
    v->col += step * (n % 3 - 1);
    v->cost = low >> 4;
    if (step == 1) return;
    v->neighbour = n;
    uint32_t all[2 * 5];
#pragma unroll
    for (int k = 0; k < 5; k++) {
        const uint32_t other = __shfl_xor_sync(0xffffffffu, costs[k], 16);
        all[2 * k] = half ? other : costs[k];
        all[2 * k + 1] = half ? costs[k] : other;
    }
    v->wanted = LeanQuarters(n, all) | 1u << kSameVector;
}

// All blocks of a partition, from their whole-pixel vectors. Returns the vector of the lane's
// block.
__device__ inline LeanVectorCost LeanPartition(const LaunchParams& p, const RefParams& r,
                                               const Macroblock& m, const uint32_t* source,
                                               int partition, cudame_mv whole, int x, int y) {
    const int group = partition == 0 ? 16 : partition < 3 ? 8 : partition == 3 ? 4 : 1;
    uint32_t src[4];
#pragma unroll
    for (int i = 0; i < 4; i++) src[i] = source[4 * (y + i) + x / 4];
    LeanVectorCost v = {whole.row, whole.col, kSameVector, 0, (1u << kNeighbourCount) - 1};
    LeanStep(
        p, m, 2, group,
        [&](int n) {
            uint32_t rows[4];
            LoadHalf(p, r, m, x, y, whole.row + 2 * (n / 3 - 1), whole.col + 2 * (n % 3 - 1), rows);
            return Satd4x4(src, rows);
        },
        &v);
    const int row = v.row, col = v.col, dy = v.neighbour / 3 - 1, dx = v.neighbour % 3 - 1;
    const bool same = !((dy ^ dx) & 1);
    LeanStep(
        p, m, 1, group,
        [&](int n) {
            const int ny = 2 * (n / 3 - 1), nx = 2 * (n % 3 - 1);
            const bool diagonal = ny && nx && same;
            uint32_t a[4], b[4];
            LoadHalf(p, r, m, x, y, row, col + (diagonal ? nx : 0), a);
            LoadHalf(p, r, m, x, y, row + ny, col + (diagonal ? 0 : nx), b);
#pragma unroll
            for (int i = 0; i < 4; i++) a[i] = Mean4(a[i], b[i]);
            return Satd4x4(src, a);
        },
        &v);
    return v;
}

// Whether another search's macroblock fits so well that this one's was not made.
__device__ inline bool LeanSkips(const LaunchParams& p, int mb) {
    return blockIdx.x && p.refs[0].lean[mb].alone;
}

// The whole-pixel vectors around, as NearestPrediction() wants them.
__device__ inline cudame_mv LeanPrediction(const LaunchParams& p, const RefParams& r,
                                           const Macroblock& m) {
    const auto at = [&](int above, int left) {
        const int mb = m.index - (m.row ? above * p.mb_cols : 0) - (m.col ? left : 0);
        if (LeanSkips(p, mb)) return cudame_mv{0, 0};
        return r.integer[mb * CUDAME_BLOCKS];
    };
    return NearestPrediction(m.co_located, at(1, 0), at(0, 1), at(1, 1), m.row, m.col);
}

__device__ inline void RefineLeanMb(const LaunchParams& p, const RefParams& r, Macroblock m,
                                    uint32_t* src) {
    const int lane = LaneOf();
    cudame_mb* out = r.records + m.index;
    const auto finish = [&](uint32_t sad_zero, int flags) {
        if (lane) return;
        out->dist_zero = static_cast<uint16_t>(sad_zero);
        out->flags = static_cast<uint16_t>(flags);
        for (int i = 0; i < 3; i++) out->reserved[i] = 0;
    };
    if (LeanSkips(p, m.index)) {
        if (lane == 0) StoreBlock(r, m.index, 0, {0, 0}, 65535);
        return finish(65535, 0);
    }
    LoadSourceWarp(p, m, src);
    m.prediction = LeanPrediction(p, r, m);
    const LeanFound& found = r.lean[m.index];
    int low = kMaxRate;
    for (int i = 0; i < p.searches; i++)
        low = min(low, static_cast<int>(p.refs[i].lean[m.index].cost[0]));
    const bool moves = LeanMoves(p.lean, static_cast<int>(blockIdx.x), found.cost[0],
                                 p.refs[0].lean[m.index].cost[0], low, found.sad[0], p.still);
    const cudame_mv* whole = r.integer + m.index * CUDAME_BLOCKS;
    const int unit = lane & 15;
    __syncwarp();

    {
        const Unit u = UnitOf(0, unit);
        LeanVectorCost v = {whole[0].row, whole[0].col, kSameVector, 0, 0};
        if (moves) v = LeanPartition(p, r, m, src, 0, whole[0], u.x, u.y);
        uint32_t columns[4];
#pragma unroll
        for (int i = 0; i < 4; i++) columns[i] = src[4 * (u.y + i) + u.x / 4];
        Transpose4(columns[0], columns[1], columns[2], columns[3]);
        uint32_t dist =
            ExactDistance(p.filter, m.ref + static_cast<ptrdiff_t>(u.y) * p.ref_stride + u.x,
                          p.ref_stride, v.row, v.col, columns);
        for (int mask = 1; mask < 16; mask <<= 1) dist += __shfl_xor_sync(0xffffffffu, dist, mask);
        if (lane == 0)
            StoreBlock(r, m.index, 0, {static_cast<int16_t>(v.row), static_cast<int16_t>(v.col)},
                       dist);
    }
    const bool splits = moves && LeanSplits(p.lean, found.sad, p.sad_per_bit);
    finish(found.sad_zero, splits ? CUDAME_MB_SPLIT : 0);
    if (!splits) return;
#pragma unroll 1
    for (int partition = 1; partition < kPartitions; partition++) {
        const Unit u = UnitOf(partition, unit);
        const cudame_mv from = whole[WholeBlock(u.block)];
        if (partition == 4) {
            if (lane < 16) StoreBlock(r, m.index, u.block, from, 65535);
            continue;
        }
        const LeanVectorCost v = LeanPartition(p, r, m, src, partition, from, u.x, u.y);
        if (lane < 16 && !(unit & (u.group - 1)))
            StoreBlock(r, m.index, u.block,
                       {static_cast<int16_t>(v.row), static_cast<int16_t>(v.col)},
                       v.cost - static_cast<uint32_t>(Rate(p, m.prediction, v.row, v.col)));
    }
}

__device__ inline void RefineLean(const LaunchParams& p) {
    __shared__ __align__(16) uint32_t sources[kListMbs][64];
    const int warp = static_cast<int>(threadIdx.x >> 5);
    const int col = static_cast<int>(blockIdx.y) * kListMbs + warp;
    const RefParams& r = RefOf(p);
    if (col < p.mb_cols) RefineLeanMb(p, r, MacroblockAt(p, r, RowOf(p), col), sources[warp]);
    FinishBlock<kListMbs>(p);
}

// ---- half-pel planes ---------------------------------------------------------

// Pixel j of four, of rows that are words, filtered down the column from row -2 to 3.
__device__ inline int FilterDown(const uint32_t* rows, int j, const Taps& taps) {
    uint32_t low = 0, high = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) low |= (rows[i] >> 8 * j & 255) << 8 * i;
#pragma unroll
    for (int i = 0; i < 2; i++) high |= (rows[4 + i] >> 8 * j & 255) << 8 * i;
    return Dot4(low, taps.low, Dot4(high, taps.high, 64));
}

__device__ inline uint32_t FilterDown4(const uint32_t* rows, const Taps& taps) {
    return Pack7(FilterDown(rows, 0, taps), FilterDown(rows, 1, taps), FilterDown(rows, 2, taps),
                 FilterDown(rows, 3, taps));
}

__device__ inline void MakeHalfPlanes(const HalfPlanesParams& p) {
    const int x = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - kHalfMargin;
    const int y0 = kHalfRows * static_cast<int>(blockIdx.y) - kHalfMargin;
    if (x >= p.width + kHalfMargin) return;
    const Taps taps = TapsOf(p.filter, 2);
    uint32_t whole[6], across[6];  // the last rows
#pragma unroll
    for (int i = 0; i < kHalfRows + 5; i++) {
        const int y = y0 + i - 2;
        if (y > p.height + kHalfMargin + 2) return;
        uint32_t b[3];
        LoadRow(p.from + static_cast<ptrdiff_t>(y) * p.stride + x - 2, b);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            whole[k] = whole[k + 1];
            across[k] = across[k + 1];
        }
        whole[5] = __funnelshift_r(b[0], b[1], 16);
        across[5] = Filter4(b[0], b[1], b[2], taps);
        if (i < 5) continue;
        const ptrdiff_t at = static_cast<ptrdiff_t>(y - 3) * p.stride + x;
        *reinterpret_cast<uint32_t*>(p.to[0] + at) = across[2];
        *reinterpret_cast<uint32_t*>(p.to[1] + at) = FilterDown4(whole, taps);
        *reinterpret_cast<uint32_t*>(p.to[2] + at) = FilterDown4(across, taps);
    }
}

}  // namespace cudame

#endif  // CUDAME_CUDA_REFINE_LEAN_CUH_
