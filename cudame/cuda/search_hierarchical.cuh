// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The hierarchical search: every vector around the best seed, for all 25 blocks, by
// a thread block for each macroblock. A thread takes four vectors below each other,
// which share 15 of 19 reference rows.

#ifndef CUDAME_CUDA_SEARCH_HIERARCHICAL_CUH_
#define CUDAME_CUDA_SEARCH_HIERARCHICAL_CUH_

#include "cuda/search_state.cuh"

namespace cudame {

constexpr int kColumn = 4;  // vectors of a thread

// Words of one row of the tile, for n columns of vectors from any alignment.
constexpr int TileWords(int n) { return (n + 15 + 3) / 4 + 2; }

// Four vectors below each other. Keys are multiplied, not shifted, because
// multiplications have a pipe of their own.
__device__ inline void EvaluateColumn(const LaunchParams& p, const SearchState& s,
                                      const uint32_t* tile, int words, int x_in_tile, int y_in_tile,
                                      const uint32_t (&base)[kColumn],
                                      uint32_t (&key)[CUDAME_BLOCKS]) {
    const uint32_t* column = tile + y_in_tile * words + (x_in_tile >> 2);
    const uint32_t shift = static_cast<uint32_t>(x_in_tile & 3) * 8;
    uint32_t sad[kColumn][CUDAME_BLOCKS];
    uint32_t src[kColumn][4];  // the last source rows
#pragma unroll
    for (int k = 0; k < kColumn; k++)
#pragma unroll
        for (int b = 0; b < 16; b++) sad[k][CUDAME_BLOCK_4X4 + b] = 0;

#pragma unroll
    for (int r = 0; r < 16 + kColumn - 1; r++) {
        uint32_t w[5], ref[4];
#pragma unroll
        for (int i = 0; i < 5; i++) w[i] = column[r * words + i];
#pragma unroll
        for (int i = 0; i < 4; i++) ref[i] = __funnelshift_r(w[i], w[i + 1], shift);
        if (r < 16) {
            const uint4 row = *reinterpret_cast<const uint4*>(s.src + 4 * r);
            src[r % kColumn][0] = row.x;
            src[r % kColumn][1] = row.y;
            src[r % kColumn][2] = row.z;
            src[r % kColumn][3] = row.w;
        }
#pragma unroll
        for (int k = 0; k < kColumn; k++) {
            const int y = r - k;  // row of the macroblock
            if (y < 0 || y > 15) continue;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                uint32_t& sum = sad[k][CUDAME_BLOCK_4X4 + 4 * (y / 4) + i];
                sum = Sad4(src[y % kColumn][i], ref[i], sum);
            }
        }
        const int done = r - 15;  // vector that is complete; two by two
        if (done > 0 && done % 2) {
            SumTree(sad[done - 1]);
            SumTree(sad[done]);
#pragma unroll
            for (int b = 0; b < CUDAME_BLOCKS; b++)
                key[b] = Min3(key[b], sad[done - 1][b] * p.key_scale + base[done - 1],
                              sad[done][b] * p.key_scale + base[done]);
        }
    }
}

// All vectors within the range of (cx, cy), tile by tile. Starts and ends
// behind a barrier.
__device__ inline Searched SearchBox(const LaunchParams& p, const Macroblock& m, int cx, int cy,
                                     uint32_t* tile, SearchState& s) {
    // Costs of the components, before they are scaled; whole groups of rows.
    __shared__ int col_costs[2 * 128 + 1];
    __shared__ __align__(16) int row_costs[2 * 128 + 4];
    const int t = threadIdx.x;
    const int x0 = max(cx - p.range, m.window.x0), x1 = min(cx + p.range, m.window.x1);
    const int y0 = max(cy - p.range, m.window.y0), y1 = min(cy + p.range, m.window.y1);
    const int nx = x1 - x0 + 1;
    const int xa = x0 & ~3;  // first column of the tile
    const int words = TileWords(nx);
    const int step_y = kListThreads / nx, step_x = kListThreads % nx;

    for (int i = t; i < nx; i += kListThreads)
        col_costs[i] = TableCost(p.costs + kCostEntries, 4 * (x0 + i) - m.prediction.col);
    for (int i = t; i <= y1 - y0; i += kListThreads)
        row_costs[i] = TableCost(p.costs, 4 * (y0 + i) - m.prediction.row);

    for (int chunk = y0; chunk <= y1; chunk += p.chunk_rows) {
        const int ny = min(p.chunk_rows, y1 + 1 - chunk);
        // Rows beyond the last vector are read by the last thread's column but
        // not used; they are not loaded.
        const uint32_t* from = reinterpret_cast<const uint32_t*>(
            m.ref + static_cast<ptrdiff_t>(chunk) * p.ref_stride + xa);
        for (int i = t & 31; i < words; i += 32)
#pragma unroll 5
            for (int y = t >> 5; y < ny + 15; y += kListThreads / 32)
                tile[y * words + i] = from[y * (p.ref_stride / 4) + i];
        __syncthreads();

        uint32_t key[CUDAME_BLOCKS];
#pragma unroll
        for (int b = 0; b < CUDAME_BLOCKS; b++) key[b] = 0xffffffffu;
        int x = t % nx, group = t / nx;
        while (group * kColumn < ny) {
            const int y = group * kColumn;
            const int4 rows = *reinterpret_cast<const int4*>(row_costs + chunk - y0 + y);
            const int row_cost[kColumn] = {rows.x, rows.y, rows.z, rows.w};
            uint32_t base[kColumn];
#pragma unroll
            for (int k = 0; k < kColumn; k++) {
                const uint32_t rate = DevScaleRate(row_cost[k] + col_costs[x], p.sad_per_bit);
                base[k] = y + k < ny ? rate * p.key_scale + static_cast<uint32_t>((y + k) * nx + x)
                                     : kNoBase;
            }
            EvaluateColumn(p, s, tile, words, x0 + x - xa, y, base, key);
            x += step_x;
            group += step_y;
            if (x >= nx) {
                x -= nx;
                group++;
            }
        }

        const uint32_t best = ReduceKeys(key, &s);
        if (t < CUDAME_BLOCKS) {
            const int order = OrderOf(best);
            ImproveState(p, m.prediction, best, {x0 + order % nx, chunk + order / nx}, &s);
        }
        __syncthreads();  // the tile and what was reduced are free again
    }
    return {x0, y0, x1, y1};
}

template <Stage kStage>
__device__ inline void SearchHierarchical(const LaunchParams& p, uint32_t* tile) {
    __shared__ __align__(16) SearchState s;
    const RefParams& r = RefOf(p);
    const Macroblock m = MacroblockAt(p, r, RowOf(p), blockIdx.y);

    {
        uint32_t key[kSplitKeys];
        EvaluateBoxes(p, r, m, tile, &s, key);
        const uint32_t best = ReduceKeys(key, &s);
        if (threadIdx.x < CUDAME_BLOCKS)
            SetState(p, m.prediction, best, EarlyPosition(s, OrderOf(best)), &s);
        __syncthreads();
    }
    const int start_x = s.x[0], start_y = s.y[0];
    __syncthreads();
    Searched searched = SearchBox(p, m, start_x, start_y, tile, s);
    const int next_x = s.x[0], next_y = s.y[0];
    if (abs(next_x - start_x) > kHierarchicalFar || abs(next_y - start_y) > kHierarchicalFar) {
        const Searched other = SearchBox(p, m, next_x, next_y, tile, s);
        // What follows is mostly around the better one.
        if (!searched.Has(m.window, s.x[0], s.y[0], 1, 1)) searched = other;
    }
    RefineBlocks(p, m, searched, &s);
    StoreRecord<kStage>(r, m.index, p.split ? CUDAME_BLOCKS : 1, threadIdx.x, s);
    if (kStage == kFinal) FinishBlock(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SEARCH_HIERARCHICAL_CUH_
