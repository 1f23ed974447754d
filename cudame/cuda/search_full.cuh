// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Every vector of a box, for all 25 blocks: rodriguez-2013's SAD tree and
// hevc-ime-cpr's concurrent reduction, on pixels in shared memory. A thread
// takes four vectors below each other, which share 15 of 19 reference rows.

#ifndef CUDAME_CUDA_SEARCH_FULL_CUH_
#define CUDAME_CUDA_SEARCH_FULL_CUH_

#include "cuda/search_list.cuh"

namespace cudame {

constexpr int kFullThreads = 128;
constexpr int kColumn = 4;  // vectors of a thread

// Words of one row of the tile, for n columns of vectors from any alignment.
constexpr int TileWords(int n) { return (n + 15 + 3) / 4 + 2; }

__device__ inline void EvaluateColumn(const LaunchParams& p, const SearchState& s,
                                      const uint32_t* tile, int words, int x_in_tile, int y_in_tile,
                                      int rows, const uint32_t (&base)[kColumn],
                                      uint32_t (&key)[CUDAME_BLOCKS]) {
    const uint32_t* column = tile + y_in_tile * words + (x_in_tile >> 2);
    const uint32_t shift = static_cast<uint32_t>(x_in_tile & 3) * 8;
    uint32_t sad[kColumn][16];  // 4x4 blocks
    uint32_t src[kColumn][4];   // the last source rows
#pragma unroll
    for (int k = 0; k < kColumn; k++)
#pragma unroll
        for (int b = 0; b < 16; b++) sad[k][b] = 0;

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
            for (int i = 0; i < 4; i++)
                sad[k][4 * (y / 4) + i] =
                    Sad4(src[y % kColumn][i], ref[i], sad[k][4 * (y / 4) + i]);
            if (y == 15 && k < rows) {
                uint32_t sum[CUDAME_BLOCKS];
#pragma unroll
                for (int b = 0; b < 16; b++) sum[CUDAME_BLOCK_4X4 + b] = sad[k][b];
                SumTree(sum);
#pragma unroll
                for (int b = 0; b < CUDAME_BLOCKS; b++)
                    key[b] = min(key[b], (sum[b] << kOrderBits) + base[k]);
            }
        }
    }
}

// All vectors within the range of (cx, cy), tile by tile.
__device__ inline void SearchBox(const LaunchParams& p, const uint8_t* ref, const DevWindow& window,
                                 cudame_mv prediction, int cx, int cy, uint32_t* tile,
                                 SearchState& s) {
    const int x0 = max(cx - p.range, window.x0), x1 = min(cx + p.range, window.x1);
    const int y0 = max(cy - p.range, window.y0), y1 = min(cy + p.range, window.y1);
    const int nx = x1 - x0 + 1;
    const int xa = x0 & ~3;  // first column of the tile
    const int words = TileWords(nx);

    for (int chunk = y0; chunk <= y1; chunk += p.chunk_rows) {
        const int ny = min(p.chunk_rows, y1 + 1 - chunk);
        // Rows beyond the last vector are read by the last thread's column but
        // not used; they are not loaded.
        const uint32_t* from = reinterpret_cast<const uint32_t*>(
            ref + static_cast<ptrdiff_t>(chunk) * p.ref_stride + xa);
        __syncthreads();  // the last chunk's tile was read
        for (int i = threadIdx.x; i < (ny + 15) * words; i += kFullThreads)
            tile[i] = from[(i / words) * (p.ref_stride / 4) + i % words];
        __syncthreads();

        uint32_t key[CUDAME_BLOCKS];
#pragma unroll
        for (int b = 0; b < CUDAME_BLOCKS; b++) key[b] = 0xffffffffu;
        const int groups = (ny + kColumn - 1) / kColumn;
        for (int i = threadIdx.x; i < groups * nx; i += kFullThreads) {
            const int x = i % nx, y = i / nx * kColumn;
            const int col_cost = TableCost(p.costs + kCostEntries, 4 * (x0 + x) - prediction.col);
            uint32_t base[kColumn];
#pragma unroll
            for (int k = 0; k < kColumn; k++) {
                const int row_cost = TableCost(p.costs, 4 * (chunk + y + k) - prediction.row);
                base[k] = (static_cast<uint32_t>(DevScaleRate(row_cost + col_cost, p.sad_per_bit))
                           << kOrderBits) |
                          static_cast<uint32_t>((y + k) * nx + x);
            }
            EvaluateColumn(p, s, tile, words, x0 + x - xa, y, ny - y, base, key);
        }

        const uint32_t best = ReduceKeys<CUDAME_BLOCKS, kFullThreads / 32>(key, &s);
        const int b = threadIdx.x;
        if (b < CUDAME_BLOCKS && (best >> kOrderBits) < (s.key[b] >> kOrderBits)) {
            const int order = static_cast<int>(best & ((1 << kOrderBits) - 1));
            const int x = x0 + order % nx, y = chunk + order / nx;
            s.key[b] = best;
            s.x[b] = static_cast<int16_t>(x);
            s.y[b] = static_cast<int16_t>(y);
            s.sad[b] = (best >> kOrderBits) - Rate(p, prediction, 4 * y, 4 * x);
        }
    }
    __syncthreads();
}

template <bool kFinal>
__device__ inline void SearchFull(const LaunchParams& p, uint32_t* tile) {
    __shared__ __align__(16) SearchState s;
    const RefParams& r = RefOf(p);
    const auto [row, col, mb, window, prediction, ref] = MacroblockAt(p, r, RowOf(p), blockIdx.x);

    LoadSource(p, row, col, &s);
    StartSearch(p, ref, window, prediction, CUDAME_BLOCKS, &s);

    const int start_x = s.x[0], start_y = s.y[0];
    __syncthreads();
    EvaluateSeeds<true>(p, r, row, col, ref, window, prediction, &s);

    const int seed_x = s.x[0], seed_y = s.y[0];
    __syncthreads();
    SearchBox(p, ref, window, prediction, start_x, start_y, tile, s);
    if (abs(seed_x - start_x) > p.range || abs(seed_y - start_y) > p.range)
        SearchBox(p, ref, window, prediction, seed_x, seed_y, tile, s);
    EvaluateMap<true>(p, ref, window, prediction, dev_refinement, &s);
    RefineBlocks(p, ref, window, prediction, &s);
    StoreRecord<kFinal>(p, r, mb, p.split ? CUDAME_BLOCKS : 1, s);
    if (kFinal) FinishBlock(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SEARCH_FULL_CUH_
