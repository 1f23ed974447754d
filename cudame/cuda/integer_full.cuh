// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Evaluates every vector of a box, for all 25 blocks or for the nine of the lean search. It
// combines rodriguez-2013's SAD tree with hevc-ime-cpr's concurrent reduction. Shared memory holds
// four copies of the reference pixels, each shifted by one more byte, so that no vector has to
// shift its words. A thread takes four vectors below each other, which share 15 of 19 reference
// rows. It folds each four rows of pixels into keys immediately, so that few sums are alive at
// once. The 32 threads of a warp have 32 neighbouring columns, starting at the tile's first, so
// that their words lie in 32 different banks.
//
// A key is 17 bits of cost above 15 bits of order. So each of the 25 reductions is a minimum
// (redux), and one barrier serves all. Sums become keys by multiplication, and two keys at a time
// enter a minimum of three; neither uses the pipe that computes SADs. One warp does the work before
// and after the box while other blocks search. The coarse level has no seeds, no rates, and no 16x8
// and 8x16 blocks, because these seed nothing. The full search that ends a row is compiled for five
// thread blocks on a multiprocessor, the others for four blocks with 128 registers.

#ifndef CUDAME_CUDA_INTEGER_FULL_CUH_
#define CUDAME_CUDA_INTEGER_FULL_CUH_

#include "common/lean.h"
#include "cuda/integer_diamond.cuh"

namespace cudame {

constexpr int kWindowWarps = kWindowThreads / 32;
static_assert(kCoarseAcross.y0 % kWindowColumn == 0 && (kCoarseAcross.y1 + 1) % kWindowColumn == 0,
              "the vectors of a thread are all inside or all outside of the cross");

struct WindowState {
    MbState mb;
    int start_x, start_y, seed_x, seed_y;
    uint32_t reduced[kWindowWarps][CUDAME_BLOCKS];
    // Costs of the vector components before scaling; rows are rounded up to whole groups of four.
    int col_costs[2 * 128 + 1];
    alignas(16) int row_costs[2 * 128 + 4];
};

// Whether a stage needs a block. The coarse level needs the blocks that seed; the lean search needs
// the blocks that have a whole-pixel vector of their own.
__device__ constexpr bool IsWanted(Stage stage, int block) {
    if (stage == kDrawn) return block < kLeanBlocks;
    return stage != kCoarse || block == CUDAME_BLOCK_16X16 || block >= CUDAME_BLOCK_8X8;
}

// Evaluates four vectors below each other. at: the tile's word with the first pixel of the first
// vector.
template <Stage kStage>
__device__ inline void EvaluateFour(const SearchParams& p, const uint32_t* src, const uint32_t* at,
                                    int words, const uint32_t (&base)[kWindowColumn],
                                    uint32_t (&key)[CUDAME_BLOCKS]) {
    Sums<true> v[kWindowColumn];
    uint32_t rows[kWindowColumn][4];  // the last rows of the source
    // Keys of even vectors wait for those of odd ones, because the minimum of three values is one
    // instruction from compute capability 9.0 on.
    uint32_t pending[CUDAME_BLOCKS];
#pragma unroll
    for (int y = 0; y < 16 + kWindowColumn - 1; y++, at += words) {
        const uint32_t ref[4] = {at[0], at[1], at[2], at[3]};
        if (y < 16) LoadSourceRow(src, y, rows[y % kWindowColumn]);
#pragma unroll
        for (int k = 0; k < kWindowColumn; k++) {
            if (y < k || y > k + 15) continue;
            AddRow<true>(v[k], y - k, rows[(y - k) % kWindowColumn], ref, [&](int b, uint32_t sad) {
                if (!IsWanted(kStage, b)) return;
                const uint32_t now = sad * p.key_scale + base[k];
                if (k % 2)
                    key[b] = Min3(key[b], pending[b], now);
                else
                    pending[b] = now;
            });
        }
        EndOfRow();
    }
}

// Evaluates all legal vectors within the range of (cx, cy), tile by tile. All threads of the block
// call it. It ends with a barrier.
template <Stage kStage, class Params>
__device__ inline Searched SearchWindow(const Params& p, const Macroblock& m, int cx, int cy,
                                        uint32_t* tile, WindowState& s) {
    const int t = static_cast<int>(threadIdx.x);
    const int x0 = max(cx - p.range, m.window.x0), x1 = min(cx + p.range, m.window.x1);
    const int y0 = max(cy - p.range, m.window.y0), y1 = min(cy + p.range, m.window.y1);
    const int nx = x1 - x0 + 1;
    const int words = WindowWords(nx);
    const int copy = WindowCopyWords(words, p.chunk_rows);
    // The tile starts with the first vector's column, so that 32 neighbouring vectors read 32
    // banks. The coarse level's tiles start at whole words anyway.
    const uint32_t shift = kStage == kCoarse ? 0 : static_cast<uint32_t>(x0 & 3) * 8;

    if (kStage != kCoarse) {
        for (int i = t; i < nx; i += kWindowThreads)
            s.col_costs[i] = TableCost(p.costs + kCostEntries, 4 * (x0 + i) - m.prediction.col);
        for (int i = t; i <= y1 - y0; i += kWindowThreads)
            s.row_costs[i] = TableCost(p.costs, 4 * (y0 + i) - m.prediction.row);
    }

    for (int chunk = y0; chunk <= y1; chunk += p.chunk_rows) {
        const int ny = min(p.chunk_rows, y1 + 1 - chunk);
        // The last group of vectors may read rows beyond the last vector. Their results are not
        // used, so these rows are not loaded.
        const uint32_t* from = reinterpret_cast<const uint32_t*>(
            m.ref + static_cast<ptrdiff_t>(chunk) * p.ref_stride + (x0 & ~3));
        for (int i = t & 31; i < words; i += 32)
#pragma unroll 4
            for (int y = t >> 5; y < ny + 15; y += kWindowThreads / 32) {
                const uint32_t* words_of = from + y * (p.ref_stride / 4) + i;
                uint32_t low = words_of[0], high = words_of[1];
                if (kStage != kCoarse) {
                    low = __funnelshift_r(low, high, shift);
                    high = __funnelshift_r(high, words_of[2], shift);
                }
                uint32_t* to = tile + y * words + i;
                to[0] = low;
                to[copy] = __funnelshift_r(low, high, 8);
                to[2 * copy] = __funnelshift_r(low, high, 16);
                to[3 * copy] = __funnelshift_r(low, high, 24);
            }
        __syncthreads();

        uint32_t key[CUDAME_BLOCKS];
#pragma unroll
        for (int b = 0; b < CUDAME_BLOCKS; b++) key[b] = 0xffffffffu;
        // First search as many columns as fill whole warps, so that a warp's vectors are in one
        // row. Then search the remaining columns, starting with the thread that has the least to
        // do. For a cross the first part is its vertical arm; the rest are the two halves of its
        // horizontal arm, whose words lie in the same banks as if the halves met.
        const int groups = (ny + kWindowColumn - 1) / kWindowColumn;
        int skipped = 0, whole = nx & ~31, top = 0, bottom = groups;
        if constexpr (kStage == kCoarse) {
            if (p.cross) {
                skipped = kCoarseDown.x0 - x0;
                whole = kCoarseDown.x1 + 1 - kCoarseDown.x0;
                top = max(kCoarseAcross.y0 - chunk, 0) / kWindowColumn;
                bottom = min((kCoarseAcross.y1 + kWindowColumn - chunk) / kWindowColumn, groups);
            }
        }
#pragma unroll 1
        for (int part = 0; part < 2; part++) {
            const int width = part ? nx - whole : whole;
            if (!width) continue;
            const int turn = part ? (t - whole * groups) & (kWindowThreads - 1) : t;
            const int step_y = kWindowThreads / width, step_x = kWindowThreads % width;
            const int end = part ? bottom : groups;
            int in_part = turn % width, group = turn / width + (part ? top : 0);
            while (group < end) {
                const int x = in_part + (!part ? skipped : in_part < skipped ? 0 : whole);
                const int y = group * kWindowColumn;
                uint32_t base[kWindowColumn];
                if (kStage == kCoarse) {
                    // No rate. The zero vector comes first in the order.
#pragma unroll
                    for (int k = 0; k < kWindowColumn; k++) {
                        const int order =
                            x0 + x == 0 && chunk + y + k == 0 ? 0 : (y + k) * nx + x + 1;
                        base[k] = y + k < ny ? static_cast<uint32_t>(order) : kNoBase;
                    }
                } else {
                    const int4 rows = *reinterpret_cast<const int4*>(s.row_costs + chunk - y0 + y);
                    const int row_cost[kWindowColumn] = {rows.x, rows.y, rows.z, rows.w};
                    const int col_cost = s.col_costs[x];
#pragma unroll
                    for (int k = 0; k < kWindowColumn; k++) {
                        const uint32_t rate = DevScaleRate(row_cost[k] + col_cost, p.sad_per_bit);
                        base[k] = y + k < ny
                                      ? rate * p.key_scale + static_cast<uint32_t>((y + k) * nx + x)
                                      : kNoBase;
                    }
                }
                EvaluateFour<kStage>(p, s.mb.src, tile + (x & 3) * copy + y * words + (x >> 2),
                                     words, base, key);
                in_part += step_x;
                group += step_y;
                if (in_part >= width) {
                    in_part -= width;
                    group++;
                }
            }
        }

        // Do all reductions with one barrier.
#pragma unroll
        for (int b = 0; b < CUDAME_BLOCKS; b++) {
            if (!IsWanted(kStage, b)) continue;
            const uint32_t k = WarpMin(key[b]);
            if ((t & 31) == 0) s.reduced[t >> 5][b] = k;
        }
        __syncthreads();
        if (t < 32) {
            const int b = min(t, CUDAME_BLOCKS - 1);
            uint32_t best = 0xffffffffu;
#pragma unroll
            for (int w = 0; w < kWindowWarps; w++)
                if (IsWanted(kStage, b)) best = min(best, s.reduced[w][b]);
            int order = OrderOf(best);
            if (kStage == kCoarse) order = order ? order - 1 : -x0 - chunk * nx;
            NoteBetter(p, m, best, {x0 + order % nx, chunk + order / nx}, &s.mb);
        }
        __syncthreads();  // before the next chunk overwrites the tile and s.reduced
    }
    return {x0, y0, x1, y1};
}

// Evaluates the 15 vectors around the best 16x16 vector, unless they were searched. One warp calls
// it.
__device__ inline void RefineBest(const SearchParams& p, const Macroblock& m,
                                  const Searched& searched, MbState* s) {
    const int cx = s->x[0], cy = s->y[0];
    if (searched.Has(m.window, cx, cy, 2, 1)) return;
    constexpr int kSteps = static_cast<int>(kRefinement.size());
    uint32_t key[CUDAME_BLOCKS];
#pragma unroll
    for (int b = 0; b < CUDAME_BLOCKS; b++) key[b] = 0xffffffffu;
    const int n = min(LaneOf(), kSteps - 1);
    EvaluateAt<true>(p, m, s->src, cx + n % 5 - 2, cy + n / 5 - 1, n, n == LaneOf(), key);
    const uint32_t best = LeastKeys(key);
    const int order = min(OrderOf(best), kSteps - 1);
    NoteBetter(p, m, best, {cx + order % 5 - 2, cy + order / 5 - 1}, s);
}

// The full-search kernel: evaluates the box around the better of the zero vector and the
// prediction, and the box around the best seed if that lies outside of the first box.
template <Stage kStage>
__device__ inline void SearchFull(const IntegerParams& p, uint32_t* tile) {
    __shared__ __align__(16) WindowState s;
    const IntegerParams::Ref& r = RefOf(p);
    const Macroblock m = MacroblockAt(p, r, RowOf(p), static_cast<int>(blockIdx.y));
    const bool first_warp = threadIdx.x < 32;

    if (first_warp) {
        LoadSourceWarp(p, m, s.mb.src);
        uint32_t key[CUDAME_BLOCKS];
        const Centres c = EvaluateSeeds<true, false>(p, r, m, tile, &s.mb, key);
        const uint32_t least = LeastKeys(key);
        const Position at = SeedPosition(c, OrderOf(least));
        NoteBest(p, m, CUDAME_BLOCKS, least, at, &s.mb);
        const int start_x = FromLane(c.x, c.start), start_y = FromLane(c.y, c.start);
        if (threadIdx.x == 0) {
            s.start_x = start_x;
            s.start_y = start_y;
            s.seed_x = at.x;
            s.seed_y = at.y;
        }
    }
    __syncthreads();
    const int start_x = s.start_x, start_y = s.start_y, seed_x = s.seed_x, seed_y = s.seed_y;
    const bool beyond = abs(seed_x - start_x) > p.range || abs(seed_y - start_y) > p.range;
    Searched searched = {1, 1, 0, 0};
    // Not unrolled: two copies of the window's code would evict each other from the instruction
    // cache.
#pragma unroll 1
    for (int i = 0; i <= beyond; i++) {
        const Searched now =
            SearchWindow<kStage>(p, m, i ? seed_x : start_x, i ? seed_y : start_y, tile, s);
        // The refinement skips vectors that were searched: keep the box around the best vector.
        if (!i || !searched.Has(m.window, s.mb.x[0], s.mb.y[0], 1, 1)) searched = now;
    }
    if (first_warp) {
        RefineBest(p, m, searched, &s.mb);
        RefineBlocks(p, m, searched, &s.mb);
        StoreRecord<kStage>(r, m.index, r.splits ? CUDAME_BLOCKS : 1, LaneOf(), s.mb);
    }
    if (kStage == kFinal) FinishBlock<1>(p);
}

// The coarse kernel: a full search without rates and seeds.
__device__ inline void SearchCoarse(const CoarseParams& p, uint32_t* tile) {
    __shared__ __align__(16) WindowState s;
    const CoarseParams::Ref& r = RefOf(p);
    Macroblock m = MacroblockAt(p, r, RowOf(p), static_cast<int>(blockIdx.y));
    m.window = {max(m.window.x0, kCoarseWindow.x0), max(m.window.y0, kCoarseWindow.y0),
                min(m.window.x1, kCoarseWindow.x1), min(m.window.y1, kCoarseWindow.y1)};
    const int t = static_cast<int>(threadIdx.x);
    if (t < 64) {
        s.mb.src[t] = SmallPixels(p.src, p.src_stride, p.src_width, p.src_height,
                                  m.col * kMb + (t & 3) * 4, m.row * kMb + (t >> 2));
    } else if (t < 64 + CUDAME_BLOCKS) {
        const int b = t - 64;
        s.mb.key[b] = IsWanted(kCoarse, b) ? 0xffffffffu : 0;
        s.mb.x[b] = s.mb.y[b] = 0;
    }
    SearchWindow<kCoarse>(p, m, 0, 0, tile, s);
    if (t >= 32) return;  // there is nothing to refine
    StoreRecord<kCoarse>(r, m.index, CUDAME_BLOCKS, LaneOf(), s.mb);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_INTEGER_FULL_CUH_
