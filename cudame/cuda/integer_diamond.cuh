// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Searches over lists of positions. One warp searches one macroblock: first the positions that are
// known before any distortion (the zero vector, the prediction, the seeds, and a box around each),
// then the one-shot diamond of grossi-2018 section 3.3 or a diamond that moves, and at last a
// refinement of the smaller blocks. There are no barriers: a warp stays in step, and other warps
// hide its latency. A lane evaluates whole vectors and keeps the best key of each block. Only the
// best 16x16 vector is reduced immediately, because the next positions depend on it.
//
// All boxes are evaluated before it is known which of them count. A lane has a column of five
// vectors, which share rows of pixels. Then each lane has four vectors of the diamond. Pixels come
// from shared memory.

#ifndef CUDAME_CUDA_INTEGER_DIAMOND_CUH_
#define CUDAME_CUDA_INTEGER_DIAMOND_CUH_

#include "cuda/integer_list.cuh"

namespace cudame {

// Cost of a component outside of the window.
constexpr uint32_t kBeyond = 1u << 30;

// State of one macroblock's search, in shared memory.
struct MbState {
    alignas(16) uint32_t src[64];                // 16 rows of 4 words
    uint32_t key[CUDAME_BLOCKS];                 // best key so far
    uint32_t sad[CUDAME_BLOCKS];                 // its SAD, without rate
    int16_t x[CUDAME_BLOCKS], y[CUDAME_BLOCKS];  // whole pixels
    uint32_t zero_sad[CUDAME_BLOCKS];            // SAD at the zero vector
    uint32_t reduced[CUDAME_BLOCKS];
};

// A warp's other shared memory.
struct ListState {
    uint32_t tile[kListTile];
    // Costs of the components of vectors around the diamond's centre.
    uint32_t col_costs[2 * kMapX + 1], row_costs[2 * kMapY + 1];
    // Centres of the diamonds in their order.
    int16_t map_x[kMaxDiamondMoves + 1], map_y[kMaxDiamondMoves + 1];
};

// Centres of the boxes.
struct Centres {
    int x, y;   // in lane b: the centre of box b
    int start;  // which of the first two centres is better
};

__device__ inline int LaneOf() { return static_cast<int>(threadIdx.x & 31); }

__device__ inline int FromLane(int v, int lane) { return __shfl_sync(0xffffffffu, v, lane); }

// Cost of one component of a vector in whole pixels.
__device__ inline uint32_t ColCost(const SearchParams& p, const Macroblock& m, int x) {
    return x >= m.window.x0 && x <= m.window.x1
               ? TableCost(p.costs + kCostEntries, 4 * x - m.prediction.col)
               : kBeyond;
}
__device__ inline uint32_t RowCost(const SearchParams& p, const Macroblock& m, int y) {
    return y >= m.window.y0 && y <= m.window.y1 ? TableCost(p.costs, 4 * y - m.prediction.row)
                                                : kBeyond;
}

// The part of a key that rate and order make up. costs: sum of the costs of both components.
__device__ inline uint32_t KeyBase(const SearchParams& p, uint32_t costs, int order) {
    // As DevScaleRate(), except that costs outside of the window may overflow.
    const uint32_t rate = min((costs * static_cast<uint32_t>(p.sad_per_bit) + 128) >> 8,
                              static_cast<uint32_t>(kMaxRate));
    return costs < kBeyond ? rate * p.key_scale + static_cast<uint32_t>(order) : kNoBase;
}

// Distortions of one vector while rows are added: of the current four 4x4 blocks and of the 8x8
// blocks, or only the sum.
template <bool kSplit>
struct Sums {
    uint32_t sad[kSplit ? 4 : 1], quad[kSplit ? 4 : 1];
};

// Adds row j. Calls take(block, distortion) for each block that the row completes.
template <bool kSplit, class Take>
__device__ inline void AddRow(Sums<kSplit>& v, int j, const uint32_t (&src)[4],
                              const uint32_t (&ref)[4], const Take& take) {
    if constexpr (!kSplit) {
#pragma unroll
        for (int b = 0; b < 4; b++) v.sad[0] = Sad4(src[b], ref[b], j || b ? v.sad[0] : 0);
        if (j == 15) take(0, v.sad[0]);
    } else {
#pragma unroll
        for (int b = 0; b < 4; b++) v.sad[b] = Sad4(src[b], ref[b], j % 4 ? v.sad[b] : 0);
        if (j % 4 != 3) return;
        const int band = j / 4;
#pragma unroll
        for (int b = 0; b < 4; b++) take(CUDAME_BLOCK_4X4 + 4 * band + b, v.sad[b]);
#pragma unroll
        for (int h = 0; h < 2; h++) {
            uint32_t& q = v.quad[2 * (band / 2) + h];
            q = v.sad[2 * h] + v.sad[2 * h + 1] + (band % 2 ? q : 0);
        }
        if (j != 15) return;
        const uint32_t(&q)[4] = v.quad;
        take(0, q[0] + q[1] + q[2] + q[3]);
        take(CUDAME_BLOCK_16X8, q[0] + q[1]);
        take(CUDAME_BLOCK_16X8 + 1, q[2] + q[3]);
        take(CUDAME_BLOCK_8X16, q[0] + q[2]);
        take(CUDAME_BLOCK_8X16 + 1, q[1] + q[3]);
#pragma unroll
        for (int b = 0; b < 4; b++) take(CUDAME_BLOCK_8X8 + b, q[b]);
    }
}

__device__ inline void LoadSourceRow(const uint32_t* src, int j, uint32_t (&row)[4]) {
    const uint4 four = *reinterpret_cast<const uint4*>(src + 4 * j);
    row[0] = four.x;
    row[1] = four.y;
    row[2] = four.z;
    row[3] = four.w;
}

// Keeps rows in order in unrolled loops. Without it a compiler may group similar instructions of
// all rows, keep all values alive at once, and spill registers.
__device__ inline void EndOfRow() { asm volatile("" ::: "memory"); }

// Loads the macroblock's source pixels. One warp calls it.
__device__ inline void LoadSourceWarp(const SearchParams& p, const Macroblock& m, uint32_t* src) {
    const int lane = LaneOf(), x = m.col * kMb + (lane & 1) * 8, y = m.row * kMb + (lane >> 1);
    *reinterpret_cast<uint2*>(src + 2 * lane) =
        *reinterpret_cast<const uint2*>(p.src + static_cast<ptrdiff_t>(y) * p.src_stride + x);
}

// Evaluates kCount vectors in each lane. at[k]: the word with the first pixel of vector k;
// shift[k]: the first pixel's position in that word, in bits.
template <bool kSplit, int kCount, int kBlocks>
__device__ inline void EvaluateVectors(const SearchParams& p, const uint32_t* src,
                                       const uint32_t* const (&at)[kCount],
                                       const uint32_t (&shift)[kCount], int stride,
                                       const uint32_t (&base)[kCount], uint32_t (&key)[kBlocks]) {
    if constexpr (!kSplit) {
        uint32_t sad[kCount] = {};
#pragma unroll 4
        for (int j = 0; j < 16; j++) {
            uint32_t row[4], ref[4];
            LoadSourceRow(src, j, row);
#pragma unroll
            for (int k = 0; k < kCount; k++) {
                LoadFour(at[k] + j * stride, shift[k], ref);
#pragma unroll
                for (int b = 0; b < 4; b++) sad[k] = Sad4(row[b], ref[b], sad[k]);
            }
        }
#pragma unroll
        for (int k = 0; k < kCount; k++) key[0] = min(key[0], sad[k] * p.key_scale + base[k]);
    } else {
        Sums<true> v[kCount];
#pragma unroll
        for (int j = 0; j < 16; j++) {
            uint32_t row[4], ref[4];
            LoadSourceRow(src, j, row);
#pragma unroll
            for (int k = 0; k < kCount; k++) {
                LoadFour(at[k] + j * stride, shift[k], ref);
                AddRow<true>(v[k], j, row, ref, [&](int b, uint32_t sad) {
                    key[b] = min(key[b], sad * p.key_scale + base[k]);
                });
            }
            EndOfRow();
        }
    }
}

// Evaluates the zero vector, the rounded prediction, a box around the better of the two if
// kStartBox, and a box around each seed. Lane 5 * box + x has a column of five vectors. All keys
// start with the zero vector's at the highest cost, so that the zero vector wins if all costs
// saturate. The source must have been loaded.
template <bool kSplit, bool kStartBox, int kBlocks>
__device__ inline Centres EvaluateSeeds(const IntegerParams& p, const IntegerParams::Ref& r,
                                        const Macroblock& m, uint32_t* tile, MbState* s,
                                        uint32_t (&key)[kBlocks]) {
    const int lane = LaneOf();
    Centres c;
    {
        const Position mine = BoxCentre(p, r, m, min(lane, kBoxes - 1));
        c.x = mine.x;
        c.y = mine.y;
    }
    // A box may extend beyond the window, but not beyond the plane's border.
    const int near_x = min(max(c.x, m.window.x0 - 2), m.window.x1 + 2);
    const int near_y = min(max(c.y, m.window.y0 - 2), m.window.y1 + 2);
    const int word = lane % kBoxStride, first = lane / kBoxStride;  // five rows at once
#pragma unroll
    for (int box = 0; box < kBoxes; box++) {
        const int x = FromLane(near_x, box), y = FromLane(near_y, box);
        if (first >= 5) continue;
        const uint8_t* from = m.ref + static_cast<ptrdiff_t>(y - 2 + first) * p.ref_stride +
                              ((x - 2) & ~3) + 4 * word;
        uint32_t* to = tile + box * kBoxWords + lane;
#pragma unroll
        for (int i = 0; i < kBoxRows; i += 5)
            to[i * kBoxStride] =
                *reinterpret_cast<const uint32_t*>(from + static_cast<ptrdiff_t>(i) * p.ref_stride);
    }
    __syncwarp();

    {  // compare the first two centres, with a lane for each row
        const int half = lane >> 4, j = lane & 15;
        const int x = FromLane(c.x, half), y = FromLane(c.y, half);
        const int byte = ((x - 2) & 3) + 2;
        uint32_t row[4], ref[4], sad = 0;
        LoadSourceRow(s->src, j, row);
        LoadFour(tile + half * kBoxWords + (j + 2) * kBoxStride + (byte >> 2), 8 * (byte & 3), ref);
#pragma unroll
        for (int b = 0; b < 4; b++) sad = Sad4(row[b], ref[b], sad);
#pragma unroll
        for (int mask = 1; mask < 16; mask <<= 1) sad += __shfl_xor_sync(0xffffffffu, sad, mask);
        const int cost = min(static_cast<int>(sad) + Rate(p, m.prediction, 4 * y, 4 * x), kMaxRate);
        c.start = FromLane(cost, 16) < FromLane(cost, 0);
    }

    const int box = min(lane / 5, kBoxes - 1), dx = lane < 5 * kBoxes ? lane % 5 : 4;
    const int in_tile = ((FromLane(near_x, box) - 2) & 3) + dx;
    const uint32_t row_cost = RowCost(p, m, FromLane(c.y, box) + dx - 2);
    uint32_t col_cost = ColCost(p, m, FromLane(c.x, box) + dx - 2);
    if (lane >= 5 * kBoxes) col_cost = kBeyond;
    const bool centre = box < 2 && dx == 2;
    const bool whole = box >= 2 || (kStartBox && box == c.start);
    const int order = (box < 2 ? kStartOrder : kSeedOrder + (box - 2) * kBoxSize) + dx;
    uint32_t base[5];
#pragma unroll
    for (int i = 0; i < 5; i++) {
        const uint32_t costs = col_cost + __shfl_sync(0xffffffffu, row_cost, 5 * box + i);
        const bool start = i == 2 && centre;
        base[i] = start || whole ? KeyBase(p, costs, start ? box : order + 5 * i) : kNoBase;
    }

#pragma unroll
    for (int b = 0; b < kBlocks; b++) key[b] = static_cast<uint32_t>(kMaxRate) << kOrderBits;
    const uint32_t* words = tile + box * kBoxWords + (in_tile >> 2);
    const uint32_t shift = static_cast<uint32_t>(in_tile & 3) * 8;
    Sums<kSplit> v[5];
    uint32_t rows[5][4];  // the last rows of the source
#pragma unroll
    for (int y = 0; y < kBoxRows; y++) {
        uint32_t ref[4];
        LoadFour(words + y * kBoxStride, shift, ref);
        if (y < 16) LoadSourceRow(s->src, y, rows[y % 5]);
#pragma unroll
        for (int i = 0; i < 5; i++) {
            if (y < i || y > i + 15) continue;
            AddRow<kSplit>(v[i], y - i, rows[(y - i) % 5], ref, [&](int b, uint32_t sad) {
                key[b] = min(key[b], sad * p.key_scale + base[i]);
                if (i == 2 && lane == 2) s->zero_sad[b] = sad;
            });
        }
        EndOfRow();
    }
    __syncwarp();
    return c;
}

// Returns the position of an order below kSearchOrder. All lanes call it.
__device__ inline Position SeedPosition(const Centres& c, int order) {
    const int seed = order - kSeedOrder;
    const int box = order < kStartOrder ? order : seed < 0 ? c.start : 2 + seed / kBoxSize;
    const int n = order < kStartOrder ? kBoxSize / 2
                  : seed < 0          ? order - kStartOrder
                                      : seed % kBoxSize;
    return {FromLane(c.x, box) + n % 5 - 2, FromLane(c.y, box) + n / 5 - 2};
}

// Returns the position of any order. All lanes call it.
__device__ inline Position PositionOf(const IntegerParams& p, const Centres& c, const ListState& l,
                                      int order) {
    const bool early = order < kSearchOrder;
    const Position seed = SeedPosition(c, early ? order : 0);
    if (early) return seed;
    int map = 0;
    Step step;
    if (p.iterative) {
        constexpr int kLarge = static_cast<int>(kLargeDiamond.size());
        const int n = order - kSearchOrder;
        map = n / kLarge;
        step = map < kMaxDiamondMoves ? dev_large_diamond.step[n % kLarge]
                                      : dev_small_diamond.step[n % kLarge];
    } else if (order < kRefinementOrder) {
        step = dev_diamond.step[order - kSearchOrder];
    } else {
        const int n = order - kRefinementOrder;
        map = 1;
        step = {static_cast<int8_t>(n % 5 - 2), static_cast<int8_t>(n / 5 - 1)};
    }
    return {l.map_x[map] + step.x, l.map_y[map] + step.y};
}

// Evaluates one vector in each lane, with pixels from device memory.
template <bool kSplit, int kBlocks>
__device__ inline void EvaluateAt(const SearchParams& p, const Macroblock& m, const uint32_t* src,
                                  int x, int y, int order, bool wanted, uint32_t (&key)[kBlocks]) {
    const uint8_t* from = m.ref + static_cast<ptrdiff_t>(y) * p.ref_stride + (x & ~3);
    const uint32_t* const at[1] = {reinterpret_cast<const uint32_t*>(from)};
    const uint32_t shift[1] = {static_cast<uint32_t>(x & 3) * 8};
    const uint32_t base[1] = {wanted ? KeyBase(p, ColCost(p, m, x) + RowCost(p, m, y), order)
                                     : kNoBase};
    EvaluateVectors<kSplit>(p, src, at, shift, p.ref_stride / 4, base, key);
}

// Moves the diamond to its best vector until that is its centre.
template <bool kSplit, int kBlocks>
__device__ inline void MoveDiamond(const IntegerParams& p, const Macroblock& m, const MbState& s,
                                   const Centres& c, uint32_t best, ListState* l,
                                   uint32_t (&key)[kBlocks]) {
    constexpr int kLarge = static_cast<int>(kLargeDiamond.size());
    constexpr int kSmall = static_cast<int>(kSmallDiamond.size());
    const int lane = LaneOf();
    Position at = PositionOf(p, c, *l, OrderOf(best));
    for (int map = 0; map <= kMaxDiamondMoves;) {
        const bool large = map < kMaxDiamondMoves;
        const int n = min(lane, (large ? kLarge : kSmall) - 1);
        const Step by = large ? dev_large_diamond.step[n] : dev_small_diamond.step[n];
        if (lane == 0) {
            l->map_x[map] = static_cast<int16_t>(at.x);
            l->map_y[map] = static_cast<int16_t>(at.y);
        }
        __syncwarp();
        EvaluateAt<kSplit>(p, m, s.src, at.x + by.x, at.y + by.y, kSearchOrder + map * kLarge + n,
                           n == lane, key);
        if (!large) return;
        const uint32_t now = WarpMin(key[0]);
        if (now < best) {
            best = now;
            at = PositionOf(p, c, *l, OrderOf(best));
            map++;
        } else {
            map = kMaxDiamondMoves;
        }
    }
}

// Evaluates the one-shot diamond around the best vector so far, then the refinement around the best
// vector after that.
template <bool kSplit, int kBlocks>
__device__ inline void SearchDiamond(const IntegerParams& p, const Macroblock& m, const MbState& s,
                                     const Centres& c, uint32_t best, ListState* l,
                                     uint32_t (&key)[kBlocks]) {
    const int lane = LaneOf();
    const Position at = PositionOf(p, c, *l, OrderOf(best));
    const int xa = (at.x - kMapX) & ~3, ya = at.y - kMapY;
    {
        const int word = lane & 15, first = lane >> 4;  // two rows at once
        const uint8_t* from =
            m.ref + static_cast<ptrdiff_t>(ya + first) * p.ref_stride + xa + 4 * word;
        uint32_t* to = l->tile + first * kMapStride + word;
        if (word < kMapRowWords) {
#pragma unroll
            for (int y = 0; y < kMapRows; y += 2)
                to[y * kMapStride] = *reinterpret_cast<const uint32_t*>(
                    from + static_cast<ptrdiff_t>(y) * p.ref_stride);
        }
    }
    for (int i = lane; i < 2 * kMapX + 1; i += 32)
        l->col_costs[i] = ColCost(p, m, at.x - kMapX + i);
    if (lane < 2 * kMapY + 1) l->row_costs[lane] = RowCost(p, m, at.y - kMapY + lane);
    if (lane == 0) {
        l->map_x[0] = static_cast<int16_t>(at.x);
        l->map_y[0] = static_cast<int16_t>(at.y);
    }
    __syncwarp();

    const uint32_t* const corner = l->tile;
    const int off_x = at.x - xa;
    constexpr int kAtOnce = 2;
#pragma unroll
    for (int first = 0; first < 128; first += 32 * kAtOnce) {
        const uint32_t* from[kAtOnce];
        uint32_t shift[kAtOnce], base[kAtOnce];
#pragma unroll
        for (int k = 0; k < kAtOnce; k++) {
            const int n = first + 32 * k + lane;
            const Step by = dev_diamond.step[min(n, kDiamondVectors - 1)];
            const int x = off_x + by.x;
            from[k] = corner + (by.y + kMapY) * kMapStride + (x >> 2);
            shift[k] = static_cast<uint32_t>(x & 3) * 8;
            const uint32_t costs = l->col_costs[by.x + kMapX] + l->row_costs[by.y + kMapY];
            base[k] = n < kDiamondVectors ? KeyBase(p, costs, kSearchOrder + n) : kNoBase;
        }
        EvaluateVectors<kSplit>(p, s.src, from, shift, kMapStride, base, key);
    }

    best = WarpMin(key[0]);
    const Position now = PositionOf(p, c, *l, OrderOf(best));
    if (lane == 0) {
        l->map_x[1] = static_cast<int16_t>(now.x);
        l->map_y[1] = static_cast<int16_t>(now.y);
    }
    constexpr int kSteps = static_cast<int>(kRefinement.size());
    const int n = min(lane, kSteps - 1);
    const int dx = now.x - at.x + n % 5 - 2, dy = now.y - at.y + n / 5 - 1;
    const int x = off_x + dx;
    const uint32_t costs = l->col_costs[dx + kMapX] + l->row_costs[dy + kMapY];
    const uint32_t* const from[1] = {corner + (dy + kMapY) * kMapStride + (x >> 2)};
    const uint32_t shift[1] = {static_cast<uint32_t>(x & 3) * 8};
    const uint32_t base[1] = {lane < kSteps ? KeyBase(p, costs, kRefinementOrder + n) : kNoBase};
    EvaluateVectors<kSplit>(p, s.src, from, shift, kMapStride, base, key);
    __syncwarp();
}

// Finds the least key of each block over all lanes. Lane b returns that of block b; lanes without a
// block return 0.
template <int kBlocks>
__device__ inline uint32_t LeastKeys(const uint32_t (&key)[kBlocks]) {
    uint32_t least = 0;
#pragma unroll
    for (int b = 0; b < kBlocks; b++) {
        const uint32_t k = WarpMin(key[b]);
        if (LaneOf() == b) least = k;
    }
    return least;
}

// Stores the best vector of each block. Lane b < blocks has that of block b.
__device__ inline void NoteBest(const SearchParams& p, const Macroblock& m, int blocks,
                                uint32_t best, Position at, MbState* s) {
    const int b = LaneOf();
    if (b < blocks) {
        s->key[b] = best;
        s->x[b] = static_cast<int16_t>(at.x);
        s->y[b] = static_cast<int16_t>(at.y);
        s->sad[b] = OrderOf(best) == 0
                        ? s->zero_sad[b]
                        : (best >> kOrderBits) - Rate(p, m.prediction, 4 * at.y, 4 * at.x);
    }
    __syncwarp();
}

// The same for all blocks, but only if the cost is less than the known one. The order in `best` is
// not meaningful afterwards.
__device__ inline void NoteBetter(const SearchParams& p, const Macroblock& m, uint32_t best,
                                  Position at, MbState* s) {
    const int b = LaneOf();
    __syncwarp();  // all lanes have read the known vectors
    if (b < CUDAME_BLOCKS && (best >> kOrderBits) < (s->key[b] >> kOrderBits)) {
        s->key[b] = best;
        s->x[b] = static_cast<int16_t>(at.x);
        s->y[b] = static_cast<int16_t>(at.y);
        s->sad[b] = (best >> kOrderBits) - Rate(p, m.prediction, 4 * at.y, 4 * at.x);
    }
    __syncwarp();
}

// Evaluates the eight neighbours of each smaller block's best vector, unless all of them were
// searched. A lane has 4x4 pixels of a partition; two turns cover the four partitions.
__device__ inline void RefineBlocks(const SearchParams& p, const Macroblock& m, Searched searched,
                                    MbState* s) {
    const int lane = LaneOf();
#pragma unroll 1
    for (int turn = 0; turn < 2; turn++) {
        const Unit unit = UnitOf(1 + 2 * turn + (lane >> 4), lane & 15);
        const int cx = s->x[unit.block], cy = s->y[unit.block];
        uint32_t best = 0xffffffffu;
        if (__any_sync(0xffffffffu, !searched.Has(m.window, cx, cy, 1, 1))) {
            const uint8_t* at =
                m.ref + static_cast<ptrdiff_t>(unit.y + cy - 1) * p.ref_stride + unit.x + cx - 1;
            const uintptr_t a = reinterpret_cast<uintptr_t>(at);
            const uint32_t* words = reinterpret_cast<const uint32_t*>(a & ~uintptr_t{3});
            const uint32_t shift = static_cast<uint32_t>(a & 3) * 8;
            uint32_t src[4], sad[9];
#pragma unroll
            for (int i = 0; i < 4; i++) src[i] = s->src[4 * (unit.y + i) + unit.x / 4];
#pragma unroll
            for (int i = 0; i < 9; i++) sad[i] = 0;
#pragma unroll
            for (int i = 0; i < 6; i++, words += p.ref_stride / 4) {
                const uint32_t low = __funnelshift_r(words[0], words[1], shift);
                const uint32_t high = __funnelshift_r(words[1], words[2], shift);
                const uint32_t ref[3] = {low, __funnelshift_r(low, high, 8),
                                         __funnelshift_r(low, high, 16)};
#pragma unroll
                for (int dy = 0; dy < 3; dy++)
#pragma unroll
                    for (int dx = 0; dx < 3; dx++) {
                        if (i < dy || i > dy + 3 || (dy == 1 && dx == 1)) continue;
                        sad[3 * dy + dx] = Sad4(src[i - dy], ref[dx], sad[3 * dy + dx]);
                    }
            }
            uint32_t rows[3], cols[3];
#pragma unroll
            for (int i = 0; i < 3; i++) {
                rows[i] = RowCost(p, m, cy + i - 1);
                cols[i] = ColCost(p, m, cx + i - 1);
            }
#pragma unroll
            for (int n = 0; n < 9; n++) {
                if (n == 4) continue;
#pragma unroll
                for (int mask = 1; mask < 8; mask <<= 1) {
                    const uint32_t other = __shfl_xor_sync(0xffffffffu, sad[n], mask);
                    if (mask < unit.group) sad[n] += other;
                }
                best = min(best, sad[n] * p.key_scale + KeyBase(p, rows[n / 3] + cols[n % 3], n));
            }
        }
        if ((lane & (unit.group - 1)) == 0) s->reduced[unit.block] = best;
    }
    if (lane == 0) s->reduced[0] = 0xffffffffu;
    __syncwarp();
    const int b = min(lane, CUDAME_BLOCKS - 1), n = OrderOf(s->reduced[b]) % 9;
    NoteBetter(p, m, s->reduced[b], {s->x[b] + n % 3 - 1, s->y[b] + n / 3 - 1}, s);
}

// The kernel. kSplit: for all 25 blocks, else for the 16x16 block only.
template <bool kSplit, Stage kStage>
__device__ inline void SearchLists(const IntegerParams& p) {
    __shared__ __align__(16) MbState states[kListMbs];
    __shared__ ListState lists[kListMbs];
    constexpr int kBlocks = kSplit ? CUDAME_BLOCKS : 1;
    const int warp = static_cast<int>(threadIdx.x >> 5);
    const int col = static_cast<int>(blockIdx.y) * kListMbs + warp;
    if (col < p.mb_cols) {
        MbState& s = states[warp];
        ListState& l = lists[warp];
        const IntegerParams::Ref& r = RefOf(p);
        const Macroblock m = MacroblockAt(p, r, RowOf(p), col);
        LoadSourceWarp(p, m, s.src);
        uint32_t key[kBlocks];
        const Centres c = EvaluateSeeds<kSplit, true>(p, r, m, l.tile, &s, key);
        const uint32_t best = WarpMin(key[0]);
        if (p.iterative)
            MoveDiamond<kSplit>(p, m, s, c, best, &l, key);
        else
            SearchDiamond<kSplit>(p, m, s, c, best, &l, key);
        const uint32_t least = LeastKeys(key);
        NoteBest(p, m, kBlocks, least, PositionOf(p, c, l, OrderOf(least)), &s);
        constexpr Searched nothing = {1, 1, 0, 0};
        if constexpr (kSplit) RefineBlocks(p, m, nothing, &s);
        StoreRecord<kStage>(r, m.index, kBlocks, LaneOf(), s);
    }
    if (kStage == kFinal) FinishBlock<kListMbs>(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_INTEGER_DIAMOND_CUH_
