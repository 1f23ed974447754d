// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Every vector of a box, for all 25 blocks or the nine of the lean search: rodriguez-2013's SAD
// tree and hevc-ime-cpr's concurrent reduction, on pixels in shared memory. They are there four
// times, shifted by a byte each, so that no vector shifts its words. A thread takes four vectors
// below each other, which share 15 of 19 reference rows, and folds four rows of pixels into keys
// as soon as it has them, so that few sums are alive at once. The 32 threads of a warp have 32
// vectors next to each other, from the tile's first column on, so that their words lie in 32
// banks.
//
// A key is 17 bits of cost above 15 of order, which makes each of the 25 reductions a minimum
// (redux), all behind one barrier. Sums become keys by multiplication, and two keys at a time
// enter a minimum of three, which leaves the pipe that computes SADs alone. What comes before and
// behind the box is done by one warp, while other blocks search. The coarse level has neither
// boxes nor rates, and no 16x8 and 8x16, which seed nothing. The full search that ends a row is
// compiled for five thread blocks on a multiprocessor, the others for four of 128 registers.

#ifndef CUDAME_CUDA_INTEGER_FULL_CUH_
#define CUDAME_CUDA_INTEGER_FULL_CUH_

#include "cuda/integer_diamond.cuh"

namespace cudame {

constexpr int kWindowWarps = kWindowThreads / 32;
static_assert(kCoarseAcross.y0 % kWindowColumn == 0 && (kCoarseAcross.y1 + 1) % kWindowColumn == 0,
              "a thread's vectors are all in the cross or all beyond it");

struct WindowState {
    MbState mb;
    int start_x, start_y, seed_x, seed_y;
    uint32_t reduced[kWindowWarps][CUDAME_BLOCKS];
    // Costs of the components, before they are scaled; whole groups of rows.
    int col_costs[2 * 128 + 1];
    alignas(16) int row_costs[2 * 128 + 4];
};

// Whether a block of the coarse level seeds anything; whether one has a lean vector of its own.
__device__ constexpr bool IsWanted(Stage stage, int block) {
    if (stage == kDrawn) return block < kLeanBlocks;
    return stage != kCoarse || block == CUDAME_BLOCK_16X16 || block >= CUDAME_BLOCK_8X8;
}

// The keys of four vectors below each other, from the tile's word that has the
// first one's first pixel.
template <Stage kStage>
__device__ inline void EvaluateFour(const LaunchParams& p, const uint32_t* src, const uint32_t* at,
                                    int words, const uint32_t (&base)[kWindowColumn],
                                    uint32_t (&key)[CUDAME_BLOCKS]) {
    Sums<true> v[kWindowColumn];
    uint32_t rows[kWindowColumn][4];  // the last ones of the source
    // Keys of even vectors wait for those of odd ones: the least of three is one
    // instruction (from 9.0 on).
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

// All vectors within the range of (cx, cy), tile by tile. Starts and ends
// behind a barrier.
template <Stage kStage>
__device__ inline Searched SearchWindow(const LaunchParams& p, const Macroblock& m, int cx, int cy,
                                        uint32_t* tile, WindowState& s) {
    const int t = static_cast<int>(threadIdx.x);
    const int x0 = max(cx - p.range, m.window.x0), x1 = min(cx + p.range, m.window.x1);
    const int y0 = max(cy - p.range, m.window.y0), y1 = min(cy + p.range, m.window.y1);
    const int nx = x1 - x0 + 1;
    const int words = WindowWords(nx);
    const int copy = WindowCopyWords(words, p.chunk_rows);
    // The first column of the tile is that of the first vectors: 32 of them next to
    // each other then read 32 banks. The coarse level's are at whole words.
    const uint32_t shift = kStage == kCoarse ? 0 : static_cast<uint32_t>(x0 & 3) * 8;

    if (kStage != kCoarse) {
        for (int i = t; i < nx; i += kWindowThreads)
            s.col_costs[i] = TableCost(p.costs + kCostEntries, 4 * (x0 + i) - m.prediction.col);
        for (int i = t; i <= y1 - y0; i += kWindowThreads)
            s.row_costs[i] = TableCost(p.costs, 4 * (y0 + i) - m.prediction.row);
    }

    for (int chunk = y0; chunk <= y1; chunk += p.chunk_rows) {
        const int ny = min(p.chunk_rows, y1 + 1 - chunk);
        // Rows beyond the last vector are read by the last thread's column but
        // not used; they are not loaded.
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
        // Whole warps of columns first, so that none of them has two rows' vectors; then
        // what is left of the rows, from the thread on that has the least to do. Of a cross,
        // what is left of its arms, the same banks apart as if they met.
        const int groups = (ny + kWindowColumn - 1) / kWindowColumn;
        int skipped = 0, whole = nx & ~31, top = 0, bottom = groups;
        if (kStage == kCoarse && p.cross) {
            skipped = kCoarseDown.x0 - x0;
            whole = kCoarseDown.x1 + 1 - kCoarseDown.x0;
            top = max(kCoarseAcross.y0 - chunk, 0) / kWindowColumn;
            bottom = min((kCoarseAcross.y1 + kWindowColumn - chunk) / kWindowColumn, groups);
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
                    // No rate; zero comes before all others.
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

        // All reductions at once, one barrier for all.
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
        __syncthreads();  // the tile and what was reduced are free again
    }
    return {x0, y0, x1, y1};
}

// The 15 vectors around the best 16x16 one, unless they were searched; by one
// warp.
__device__ inline void RefineBest(const LaunchParams& p, const Macroblock& m,
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

// The box around the better of zero and the prediction, and around the best seed
// if that lies beyond it.
template <Stage kStage>
__device__ inline void SearchFull(const LaunchParams& p, uint32_t* tile) {
    __shared__ __align__(16) WindowState s;
    const RefParams& r = RefOf(p);
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
    // Not unrolled: two copies of the window's code would take turns in the instruction cache.
#pragma unroll 1
    for (int i = 0; i <= beyond; i++) {
        const Searched now =
            SearchWindow<kStage>(p, m, i ? seed_x : start_x, i ? seed_y : start_y, tile, s);
        // What follows is mostly around the better one.
        if (!i || !searched.Has(m.window, s.mb.x[0], s.mb.y[0], 1, 1)) searched = now;
    }
    if (first_warp) {
        RefineBest(p, m, searched, &s.mb);
        RefineBlocks(p, m, searched, &s.mb);
        StoreRecord<kStage>(r, m.index, p.split ? CUDAME_BLOCKS : 1, LaneOf(), s.mb);
    }
    if (kStage == kFinal) FinishBlock<1>(p);
}

// The coarse level: no rate, no seeds, and everything is in the box.
__device__ inline void SearchCoarse(const LaunchParams& p, uint32_t* tile) {
    __shared__ __align__(16) WindowState s;
    const RefParams& r = RefOf(p);
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
    if (t >= 32) return;  // nothing to refine: all of the window was searched
    StoreRecord<kCoarse>(r, m.index, CUDAME_BLOCKS, LaneOf(), s.mb);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_INTEGER_FULL_CUH_
