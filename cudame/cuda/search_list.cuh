// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Searches over lists of positions: the one-shot diamond of grossi-2018
// section 3.3 and the diamond that moves. A block of 128 threads works on one
// macroblock, a thread on one position.

#ifndef CUDAME_CUDA_SEARCH_LIST_CUH_
#define CUDAME_CUDA_SEARCH_LIST_CUH_

#include "coarse.h"
#include "cuda/device.cuh"
#include "diamond_map.h"

namespace cudame {

constexpr int kListThreads = 128;

// Keys order candidates: cost in the upper 17 bits, evaluation order below.
// A cost of kMaxRate or more never beats what is there, as in the reference.
constexpr int kOrderBits = 15;

template <int kCount>
struct DevMap {
    Step step[kCount];
};

template <class Map>
constexpr auto CopyMap(const Map& map) {
    DevMap<static_cast<int>(sizeof(Map) / sizeof(Step))> out{};
    for (size_t i = 0; i < sizeof(Map) / sizeof(Step); i++) out.step[i] = map[i];
    return out;
}

__constant__ const auto dev_diamond = CopyMap(kDiamond);
__constant__ const auto dev_seed_box = CopyMap(kSeedBox);
__constant__ const auto dev_refinement = CopyMap(kRefinement);
__constant__ const auto dev_large_diamond = CopyMap(kLargeDiamond);
__constant__ const auto dev_small_diamond = CopyMap(kSmallDiamond);

// State of one macroblock's search, in shared memory.
struct SearchState {
    uint32_t src[64];                            // 16 rows of 4 words
    uint32_t sad4[2][16];                        // of zero and the prediction
    uint32_t key[CUDAME_BLOCKS];                 // best so far
    uint32_t sad[CUDAME_BLOCKS];                 // without rate
    int16_t x[CUDAME_BLOCKS], y[CUDAME_BLOCKS];  // whole pixels
    uint32_t reduced[8][CUDAME_BLOCKS];          // by warp
    uint32_t sad_zero;
};

__device__ inline void LoadSource(const LaunchParams& p, int row, int col, SearchState* s) {
    if (threadIdx.x < 64) {
        const uint8_t* src = p.src +
                             static_cast<ptrdiff_t>(row * kMb + (threadIdx.x >> 2)) * p.src_stride +
                             col * kMb + (threadIdx.x & 3) * 4;
        s->src[threadIdx.x] = *reinterpret_cast<const uint32_t*>(src);
    }
}

// SADs of the 16 4x4 blocks at one position.
__device__ inline void SadBlocks(const SearchState& s, const uint8_t* ref, int stride,
                                 uint32_t (&sad)[16]) {
    const uintptr_t a = reinterpret_cast<uintptr_t>(ref);
    const uint32_t* words = reinterpret_cast<const uint32_t*>(a & ~uintptr_t{3});
    const uint32_t shift = static_cast<uint32_t>(a & 3) * 8;
#pragma unroll
    for (int b = 0; b < 16; b++) sad[b] = 0;
#pragma unroll
    for (int y = 0; y < 16; y++, words += stride / 4) {
        uint32_t w[5];
#pragma unroll
        for (int i = 0; i < 5; i++) w[i] = words[i];
        const uint4 src = *reinterpret_cast<const uint4*>(s.src + 4 * y);
        uint32_t* row = sad + 4 * (y / 4);
        row[0] = Sad4(src.x, __funnelshift_r(w[0], w[1], shift), row[0]);
        row[1] = Sad4(src.y, __funnelshift_r(w[1], w[2], shift), row[1]);
        row[2] = Sad4(src.z, __funnelshift_r(w[2], w[3], shift), row[2]);
        row[3] = Sad4(src.w, __funnelshift_r(w[3], w[4], shift), row[3]);
    }
}

__device__ inline uint32_t Sad4x4(const SearchState& s, int block, const uint8_t* ref, int stride) {
    const int x = block & 3, y = 4 * (block >> 2);
    uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
        sum = Sad4(s.src[4 * (y + i) + x],
                   LoadUnaligned(ref + static_cast<ptrdiff_t>(y + i) * stride + 4 * x), sum);
    return sum;
}

// Zero and the rounded prediction, in this order, which is also the order in
// which equal costs win. Sets the state of all blocks; ends with a barrier.
__device__ inline void StartSearch(const LaunchParams& p, const uint8_t* ref,
                                   const DevWindow& window, cudame_mv prediction, int blocks,
                                   SearchState* s) {
    const int px = min(max((prediction.col + 2) >> 2, window.x0), window.x1);
    const int py = min(max((prediction.row + 2) >> 2, window.y0), window.y1);
    __syncthreads();  // the source
    if (threadIdx.x < 32) {
        const int which = threadIdx.x >> 4;
        const uint8_t* at = which ? ref + static_cast<ptrdiff_t>(py) * p.ref_stride + px : ref;
        s->sad4[which][threadIdx.x & 15] = Sad4x4(*s, threadIdx.x & 15, at, p.ref_stride);
    }
    __syncthreads();
    if (threadIdx.x < blocks) {
        const DevBlock block = BlockOf(threadIdx.x);
        uint32_t sad[2] = {0, 0};
        for (int y = block.y / 4; y < (block.y + block.height) / 4; y++)
            for (int x = block.x / 4; x < (block.x + block.width) / 4; x++)
                for (int i = 0; i < 2; i++) sad[i] += s->sad4[i][4 * y + x];
        const uint32_t zero_cost =
            min(sad[0] + Rate(p, prediction, 0, 0), static_cast<uint32_t>(kMaxRate));
        const uint32_t pred_cost =
            min(sad[1] + Rate(p, prediction, 4 * py, 4 * px), static_cast<uint32_t>(kMaxRate));
        const bool pred = pred_cost < zero_cost;
        s->key[threadIdx.x] = (pred ? pred_cost : zero_cost) << kOrderBits;
        s->sad[threadIdx.x] = sad[pred];
        s->x[threadIdx.x] = static_cast<int16_t>(pred ? px : 0);
        s->y[threadIdx.x] = static_cast<int16_t>(pred ? py : 0);
        if (threadIdx.x == 0) s->sad_zero = sad[0];
    }
    __syncthreads();
}

__device__ inline uint32_t WarpMin(uint32_t v) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(0xffffffffu, v);
#else
    for (int m = 16; m; m >>= 1) v = min(v, __shfl_xor_sync(0xffffffffu, v, m));
    return v;
#endif
}

// All reductions at once, one barrier for all: hevc-ime-cpr's concurrent
// parallel reduction. Thread b < blocks returns the least key of block b.
template <int kBlocks, int kWarps>
__device__ inline uint32_t ReduceKeys(const uint32_t (&key)[kBlocks], SearchState* s) {
#pragma unroll
    for (int b = 0; b < kBlocks; b++) {
        const uint32_t k = WarpMin(key[b]);
        if ((threadIdx.x & 31) == 0) s->reduced[threadIdx.x >> 5][b] = k;
    }
    __syncthreads();
    uint32_t best = 0xffffffffu;
    if (threadIdx.x < kBlocks)
        for (int w = 0; w < kWarps; w++) best = min(best, s->reduced[w][threadIdx.x]);
    return best;
}

// Steps around a centre.
struct Around {
    const Step* map;
    int x, y;
    __device__ void At(int i, int* px, int* py) const {
        *px = x + map[i].x;
        *py = y + map[i].y;
    }
};

// The boxes around the seeds of one macroblock, one behind the other.
struct AroundSeeds {
    const cudame_mv* coarse;  // of its coarse macroblock
    SeedBlocks blocks;
    __device__ void At(int i, int* px, int* py) const {
        constexpr int kBox = static_cast<int>(kSeedBox.size());
        const cudame_mv seed = coarse[blocks.block[i / kBox]];  // quarters of four pixels
        *px = seed.col + dev_seed_box.step[i % kBox].x;
        *py = seed.row + dev_seed_box.step[i % kBox].y;
    }
};

// Evaluates positions, one for each thread, the first of equal costs winning;
// improves the state. Starts and ends with no thread behind a barrier.
template <bool kSplit, class Positions>
__device__ inline void EvaluateList(const LaunchParams& p, const uint8_t* ref,
                                    const DevWindow& window, cudame_mv prediction, int count,
                                    const Positions& positions, SearchState* s) {
    constexpr int kBlocks = kSplit ? CUDAME_BLOCKS : 1;
    const int i = threadIdx.x;
    uint32_t key[kBlocks];
#pragma unroll
    for (int b = 0; b < kBlocks; b++) key[b] = 0xffffffffu;

    if (i < count) {
        int x, y;
        positions.At(i, &x, &y);
        if (window.Contains(x, y)) {
            const uint8_t* at = ref + static_cast<ptrdiff_t>(y) * p.ref_stride + x;
            const uint32_t base =
                (static_cast<uint32_t>(Rate(p, prediction, 4 * y, 4 * x)) << kOrderBits) | i;
            uint32_t blocks[16];
            SadBlocks(*s, at, p.ref_stride, blocks);
            if (kSplit) {
                uint32_t sad[CUDAME_BLOCKS];
#pragma unroll
                for (int b = 0; b < 16; b++) sad[CUDAME_BLOCK_4X4 + b] = blocks[b];
                SumTree(sad);
#pragma unroll
                for (int b = 0; b < kBlocks; b++) key[b] = (sad[b] << kOrderBits) + base;
            } else {
                uint32_t sad = 0;
#pragma unroll
                for (int b = 0; b < 16; b++) sad += blocks[b];
                key[0] = (sad << kOrderBits) + base;
            }
        }
    }
    const uint32_t best = ReduceKeys<kBlocks, kListThreads / 32>(key, s);
    if (i < kBlocks && (best >> kOrderBits) < (s->key[i] >> kOrderBits)) {
        int x, y;
        positions.At(static_cast<int>(best & ((1 << kOrderBits) - 1)), &x, &y);
        s->key[i] = best;
        s->x[i] = static_cast<int16_t>(x);
        s->y[i] = static_cast<int16_t>(y);
        s->sad[i] = (best >> kOrderBits) - Rate(p, prediction, 4 * y, 4 * x);
    }
    __syncthreads();
}

// All of a map around the best 16x16 vector so far.
template <bool kSplit, int kCount>
__device__ inline void EvaluateMap(const LaunchParams& p, const uint8_t* ref,
                                   const DevWindow& window, cudame_mv prediction,
                                   const DevMap<kCount>& map, SearchState* s) {
    const Around around = {map.step, s->x[0], s->y[0]};
    __syncthreads();
    EvaluateList<kSplit>(p, ref, window, prediction, kCount, around, s);
}

template <bool kSplit>
__device__ inline void EvaluateSeeds(const LaunchParams& p, const RefParams& r, int row, int col,
                                     const uint8_t* ref, const DevWindow& window,
                                     cudame_mv prediction, SearchState* s) {
    if (!r.coarse) return;
    const int mb = row / kCoarseScale * p.coarse_cols + col / kCoarseScale;
    const AroundSeeds seeds = {r.coarse + mb * CUDAME_BLOCKS, SeedBlocksOf(row, col)};
    EvaluateList<kSplit>(p, ref, window, prediction, 3 * static_cast<int>(kSeedBox.size()), seeds,
                         s);
}

// The eight neighbours of each sub-block's own best vector: four threads for
// each of the 24 sub-blocks, two neighbours each.
__device__ inline void RefineBlocks(const LaunchParams& p, const uint8_t* ref,
                                    const DevWindow& window, cudame_mv prediction, SearchState* s) {
    const int b = 1 + static_cast<int>(threadIdx.x >> 2);
    const bool active = b < CUDAME_BLOCKS;
    uint32_t best = 0xffffffffu, best_sad = 0;
    int cx = 0, cy = 0;
    if (active) {
        const DevBlock block = BlockOf(b);
        cx = s->x[b];
        cy = s->y[b];
        for (int half = 0; half < 2; half++) {
            // Raster order without the centre: 0..3 before it, 4..7 behind it.
            const int n = 2 * static_cast<int>(threadIdx.x & 3) + half;
            const int at = n < 4 ? n : n + 1;
            const int x = cx + at % 3 - 1, y = cy + at / 3 - 1;
            if (!window.Contains(x, y)) continue;
            uint32_t sad = 0;
            for (int j = 0; j < block.height; j++) {
                const uint8_t* row =
                    ref + static_cast<ptrdiff_t>(block.y + j + y) * p.ref_stride + block.x + x;
                for (int i = 0; i < block.width; i += 4)
                    sad = Sad4(s->src[4 * (block.y + j) + (block.x + i) / 4],
                               LoadUnaligned(row + i), sad);
            }
            const uint32_t key = ((sad + Rate(p, prediction, 4 * y, 4 * x)) << kOrderBits) | at;
            if (key < best) {
                best = key;
                best_sad = sad;
            }
        }
    }
    for (int m = 1; m < 4; m <<= 1) {
        const uint32_t other = __shfl_xor_sync(0xffffffffu, best, m);
        const uint32_t other_sad = __shfl_xor_sync(0xffffffffu, best_sad, m);
        if (other < best) {
            best = other;
            best_sad = other_sad;
        }
    }
    __syncwarp();  // all have read the centre
    if (active && (threadIdx.x & 3) == 0 && (best >> kOrderBits) < (s->key[b] >> kOrderBits)) {
        const int at = static_cast<int>(best & 15);
        s->key[b] = best;
        s->sad[b] = best_sad;
        s->x[b] = static_cast<int16_t>(cx + at % 3 - 1);
        s->y[b] = static_cast<int16_t>(cy + at / 3 - 1);
    }
    __syncthreads();
}

// Writes the record; all fields of it, so that equal results are equal bytes.
// What is left to the sub-pel kernel is not stored.
template <bool kFinal>
__device__ inline void StoreRecord(const LaunchParams& p, const RefParams& r, int mb, int blocks,
                                   const SearchState& s) {
    cudame_mb* out = r.field + mb;
    const int b = threadIdx.x;
    if (b < CUDAME_BLOCKS) {
        const bool valid = b < blocks;
        const cudame_mv mv = {static_cast<int16_t>(valid ? 4 * s.y[b] : 0),
                              static_cast<int16_t>(valid ? 4 * s.x[b] : 0)};
        if (kFinal) {
            out->mv[b] = mv;
            out->dist[b] = static_cast<uint16_t>(valid ? s.sad[b] : 0);
        } else {
            r.integer[mb * CUDAME_BLOCKS + b] = mv;
        }
        if (b == 0) {
            out->dist_zero = static_cast<uint16_t>(s.sad_zero);
            out->flags = static_cast<uint16_t>((kFinal ? CUDAME_MB_FULLPEL : 0) |
                                               (blocks > 1 ? CUDAME_MB_SPLIT : 0));
            for (int i = 0; i < 3; i++) out->reserved[i] = 0;
            if (kFinal) r.best[mb] = mv;
        }
    }
}

// kFinal: no sub-pel kernel follows.
template <bool kSplit, bool kFinal>
__device__ inline void SearchList(const LaunchParams& p) {
    __shared__ __align__(16) SearchState s;
    constexpr int kBlocks = kSplit ? CUDAME_BLOCKS : 1;
    const RefParams& r = RefOf(p);
    const auto [row, col, mb, window, prediction, ref] = MacroblockAt(p, r, RowOf(p), blockIdx.x);

    LoadSource(p, row, col, &s);
    StartSearch(p, ref, window, prediction, kBlocks, &s);
    EvaluateMap<kSplit>(p, ref, window, prediction, dev_seed_box, &s);
    EvaluateSeeds<kSplit>(p, r, row, col, ref, window, prediction, &s);
    if (p.iterative) {
        for (int i = 0; i < kMaxDiamondMoves; i++) {
            const int x = s.x[0], y = s.y[0];
            EvaluateMap<kSplit>(p, ref, window, prediction, dev_large_diamond, &s);
            if (s.x[0] == x && s.y[0] == y) break;  // uniform: behind a barrier
        }
        EvaluateMap<kSplit>(p, ref, window, prediction, dev_small_diamond, &s);
    } else {
        EvaluateMap<kSplit>(p, ref, window, prediction, dev_diamond, &s);
        EvaluateMap<kSplit>(p, ref, window, prediction, dev_refinement, &s);
    }
    if (kSplit) RefineBlocks(p, ref, window, prediction, &s);
    StoreRecord<kFinal>(p, r, mb, kBlocks, s);
    if (kFinal) FinishBlock(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SEARCH_LIST_CUH_
