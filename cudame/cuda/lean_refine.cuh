// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The sub-pel part of the lean search. One warp refines one macroblock. A lane has a unit of 4x4
// pixels and evaluates every other of the nine or eight vectors; the lanes of a block add up their
// distortions. Pixels at half-pel vectors come from planes that are made once per reference. Pixels
// at quarter-pel vectors are means of two of these.

#ifndef CUDAME_CUDA_LEAN_REFINE_CUH_
#define CUDAME_CUDA_LEAN_REFINE_CUH_

#include "cuda/filter.cuh"
#include "cuda/lean_search.cuh"

namespace cudame {

// Bytewise mean, rounded up.
__device__ inline uint32_t Mean4(uint32_t a, uint32_t b) {
    return (a | b) - ((a ^ b) >> 1 & 0x7f7f7f7fu);
}

// Loads the four rows of the unit that starts at p.
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

// A warp's state in shared memory.
struct RefineLeanState {
    alignas(16) uint32_t src[64];  // the macroblock's source pixels
    // The macroblock's position in the reference plane, and in the planes half a pixel to the
    // right, down, and both.
    const uint8_t* planes[4];
    uint32_t costs[4][kNeighbourCount];  // of the half-pel neighbours, by block of a partition
};

// Loads a unit at a vector of whole or half pixels. offset: of the unit within the macroblock.
__device__ inline void LoadHalf(const SearchParams& p, const RefineLeanState& s, int offset,
                                int row, int col, uint32_t (&rows)[4]) {
    LoadUnit(s.planes[(row & 2) + (col >> 1 & 1)] + (row >> 2) * p.ref_stride + (col >> 2) + offset,
             p.ref_stride, rows);
}

// SATD of a unit at a vector, predicted by VP8's filters. src: the unit's columns. ref: the unit's
// position at the zero vector.
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

// A block's vector during refinement.
struct LeanVectorCost {
    int row, col;
    int neighbour;  // number of the best half-pel neighbour
    uint32_t cost;
    unsigned wanted;  // neighbours to evaluate in the next step, as bits
};

// The legal ones among the neighbours of a legal vector, as bits.
__device__ inline unsigned LegalNeighbours(const DevWindow& window, int row, int col, int step) {
    unsigned legal = 0x1ff;
    if (row - step < 4 * window.y0) legal &= ~7u;
    if (row + step > 4 * window.y1) legal &= ~(7u << 6);
    if (col - step < 4 * window.x0) legal &= ~0x49u;
    if (col + step > 4 * window.x1) legal &= ~(0x49u << 2);
    return legal;
}

// Does one refinement step for all blocks of a partition. sum(n): the distortion of the lane's unit
// at neighbour n of its block. The two halves of the warp take the wanted neighbours of a block by
// turns. In the quarter-pel step (step 1) the cost of the centre is already known.
template <class Sum>
__device__ inline void LeanStep(const SearchParams& p, const Macroblock& m, int step, int group,
                                uint32_t* costs, const Sum& sum, LeanVectorCost* v) {
    const bool second = LaneOf() >> 4, leads = !(LaneOf() & (group - 1));
    uint32_t low = step == 1 ? v->cost << 4 : 0xffffffffu;
    const unsigned legal = LegalNeighbours(m.window, v->row, v->col, step);
    unsigned left = v->wanted & legal;
    const int last_row = v->row, last_col = v->col;
    __syncwarp();
    if (step == 2 && legal != 0x1ff && leads && !second)
        for (int n = 0; n < kNeighbourCount; n++)
            if (!(legal >> n & 1)) costs[n] = kNoCost;
#pragma unroll 1
    while (__any_sync(0xffffffffu, left != 0)) {
        const unsigned rest = left & (left - 1);
        const unsigned mine = second ? rest : left;
        left = rest & (rest - 1);
        const int n = mine ? __ffs(static_cast<int>(mine)) - 1 : kSameVector;
        const int row = last_row + step * (n / 3 - 1), col = last_col + step * (n % 3 - 1);
        const uint32_t rate = static_cast<uint32_t>(Rate(p, m.prediction, row, col));
        uint32_t dist = mine ? sum(n) : 0;
#pragma unroll
        for (int mask = 1; mask < 16; mask <<= 1) {
            const uint32_t other = __shfl_xor_sync(0xffffffffu, dist, mask);
            if (mask < group) dist += other;
        }
        if (!mine) continue;
        if (step == 2 && leads) costs[n] = dist + rate;
        low = min(low, (dist + rate) << 4 | static_cast<uint32_t>(n == kSameVector ? 0 : n + 1));
    }
    low = min(low, __shfl_xor_sync(0xffffffffu, low, 16));
    const int n = low & 15 ? static_cast<int>(low & 15) - 1 : kSameVector;
    v->row += step * (n / 3 - 1);
    v->col += step * (n % 3 - 1);
    v->cost = low >> 4;
    if (step == 1) return;
    v->neighbour = n;
    __syncwarp();
    v->wanted = LeanQuarters(n, costs) & ~(1u << kSameVector);
}

// Refines all blocks of a partition from their whole-pixel vectors. Returns the vector of the
// lane's block.
__device__ inline LeanVectorCost LeanPartition(const LeanRefineParams& p, const Macroblock& m,
                                               const Unit& u, cudame_mv whole, RefineLeanState* s) {
    const int offset = u.y * p.ref_stride + u.x;
    PairedPixels src;
#pragma unroll
    for (int i = 0; i < 4; i++) src.Set(i, s->src[4 * (u.y + i) + u.x / 4]);
    LeanVectorCost v = {whole.row, whole.col, kSameVector, 0, (1u << kNeighbourCount) - 1};
    uint32_t* costs = s->costs[(LaneOf() & 15) >> (__ffs(u.group) - 1)];
    LeanStep(
        p, m, 2, u.group, costs,
        [&](int n) {
            uint32_t rows[4];
            LoadHalf(p, *s, offset, whole.row + 2 * (n / 3 - 1), whole.col + 2 * (n % 3 - 1), rows);
            return Satd4x4(src, rows);
        },
        &v);
    if (u.block == CUDAME_BLOCK_16X16) {
        const int dist = static_cast<int>(v.cost) - Rate(p, m.prediction, v.row, v.col);
        if (dist < p.level.quarter * p.sad_per_bit) return v;
    }
    const int row = v.row, col = v.col, dy = v.neighbour / 3 - 1, dx = v.neighbour % 3 - 1;
    const bool same = !((dy ^ dx) & 1);
    uint32_t centre[4];
    LoadHalf(p, *s, offset, row, col, centre);
    LeanStep(
        p, m, 1, u.group, costs,
        [&](int n) {
            const int ny = 2 * (n / 3 - 1), nx = 2 * (n % 3 - 1);
            const bool diagonal = ny && nx && same;
            uint32_t rows[4], others[4];
            LoadHalf(p, *s, offset, row + ny, col + (diagonal ? 0 : nx), rows);
#pragma unroll
            for (int i = 0; i < 4; i++) others[i] = centre[i];
            if (diagonal) LoadHalf(p, *s, offset, row, col + nx, others);
#pragma unroll
            for (int i = 0; i < 4; i++) rows[i] = Mean4(rows[i], others[i]);
            return Satd4x4(src, rows);
        },
        &v);
    return v;
}

// Whether the first search fits this macroblock so well that this search skipped it.
__device__ inline bool LeanSkips(const LeanRefineParams& p, int mb) {
    return blockIdx.x && p.refs[0].found[mb].alone;
}

// The prediction that rates of sub-pel vectors are relative to, from the whole-pixel vectors of the
// neighbours.
__device__ inline cudame_mv LeanPrediction(const LeanRefineParams& p,
                                           const LeanRefineParams::Ref& r, const Macroblock& m) {
    const auto at = [&](int above, int left) {
        const int mb = m.index - (m.row ? above * p.mb_cols : 0) - (m.col ? left : 0);
        if (LeanSkips(p, mb)) return cudame_mv{0, 0};
        return r.integer[mb * CUDAME_BLOCKS];
    };
    return NearestPrediction(m.co_located, at(1, 0), at(0, 1), at(1, 1), m.row, m.col);
}

// SATD of a 4x4 block at a vector. Predictions at whole- and half-pel vectors are read from the
// planes; those at quarter-pel vectors are interpolated.
__device__ inline uint32_t LeanDistance(const LeanRefineParams& p, const RefineLeanState& s,
                                        const Unit& u, int row, int col) {
    const int offset = u.y * p.ref_stride + u.x;
    uint32_t src[4];
#pragma unroll
    for (int i = 0; i < 4; i++) src[i] = s.src[4 * (u.y + i) + u.x / 4];
    if (!((row | col) & 1)) {
        uint32_t rows[4];
        LoadHalf(p, s, offset, row, col, rows);
        return Satd4x4(src, rows);
    }
    Transpose4(src[0], src[1], src[2], src[3]);
    return ExactDistance(p.filter, s.planes[0] + offset, p.ref_stride, row, col, src);
}

__device__ inline void RefineLeanMb(const LeanRefineParams& p, const LeanRefineParams::Ref& r,
                                    Macroblock m, RefineLeanState* s) {
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
    LoadSourceWarp(p, m, s->src);
    if (lane < 4) s->planes[lane] = lane ? r.half[lane - 1] + (m.ref - r.plane) : m.ref;
    m.prediction = LeanPrediction(p, r, m);
    const LeanFound& found = r.found[m.index];
    const LeanFound& first = p.refs[0].found[m.index];
    int low = first.cost[0];
    for (int i = 1; i < p.searches && !first.alone; i++)
        low = min(low, static_cast<int>(p.refs[i].found[m.index].cost[0]));
    const bool moves = LeanMoves(p.level, static_cast<int>(blockIdx.x), found.cost[0],
                                 first.cost[0], low, found.sad[0], p.still);
    const bool splits = moves && LeanSplits(p.level, found.sad, p.sad_per_bit);
    const cudame_mv* whole = r.integer + m.index * CUDAME_BLOCKS;
    const int unit = lane & 15;
    __syncwarp();

    finish(found.sad_zero, splits ? CUDAME_MB_SPLIT : 0);
#pragma unroll 1
    for (int partition = 0; partition < (splits ? kPartitions : 1); partition++) {
        const Unit u = UnitOf(partition, unit);
        const cudame_mv from = whole[WholeBlock(u.block)];
        if (partition == kPartitions - 1) {
            if (lane < 16) StoreBlock(r, m.index, u.block, from, 65535);
            break;
        }
        LeanVectorCost v = {from.row, from.col, kSameVector, 0, 0};
        if (moves) v = LeanPartition(p, m, u, from, s);
        uint32_t dist;
        if (partition) {
            dist = v.cost - static_cast<uint32_t>(Rate(p, m.prediction, v.row, v.col));
        } else {
            dist = LeanDistance(p, *s, u, v.row, v.col);
            for (int mask = 1; mask < 16; mask <<= 1)
                dist += __shfl_xor_sync(0xffffffffu, dist, mask);
        }
        if (lane < 16 && !(unit & (u.group - 1)))
            StoreBlock(r, m.index, u.block,
                       {static_cast<int16_t>(v.row), static_cast<int16_t>(v.col)}, dist);
    }
}

// The kernel.
__device__ inline void RefineLean(const LeanRefineParams& p) {
    __shared__ RefineLeanState states[kLeanMbs];
    const int warp = static_cast<int>(threadIdx.x >> 5);
    const int col = static_cast<int>(blockIdx.y) * kLeanMbs + warp;
    const LeanRefineParams::Ref& r = RefOf(p);
    if (col < p.mb_cols) RefineLeanMb(p, r, MacroblockAt(p, r, RowOf(p), col), &states[warp]);
    FinishBlock<kLeanMbs>(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_LEAN_REFINE_CUH_
