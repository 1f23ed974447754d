// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Definitions that all searches share: orders of positions, keys, seeds, and records.

#ifndef CUDAME_CUDA_INTEGER_SEARCH_CUH_
#define CUDAME_CUDA_INTEGER_SEARCH_CUH_

#include "common/coarse.h"
#include "common/diamond_map.h"
#include "cuda/device.cuh"

namespace cudame {

// Orders of positions: the zero vector (0), the prediction (1), the box around the better of the
// two, the boxes around the seeds, and then the positions of the search.
constexpr int kStartOrder = 2;
constexpr int kSeedOrder = 27;
constexpr int kSearchOrder = 128;
constexpr int kRefinementOrder = 256;

constexpr int kBoxSize = static_cast<int>(kSeedBox.size());

// The result of a search: seeds (kCoarse), vectors for the sub-pel kernel (kInteger), the final
// result (kFinal), or the lean search's vectors for macroblocks of drawn pictures, like text
// (kDrawn, see LeanIsDrawn()).
enum Stage { kCoarse, kInteger, kFinal, kDrawn };

struct Position {
    int x, y;
};

// Loads sixteen pixels of a row that start `shift` bits after the first word's start.
__device__ inline void LoadFour(const uint32_t* words, uint32_t shift, uint32_t (&ref)[4]) {
    uint32_t w[5];
#pragma unroll
    for (int i = 0; i < 5; i++) w[i] = words[i];
#pragma unroll
    for (int i = 0; i < 4; i++) ref[i] = __funnelshift_r(w[i], w[i + 1], shift);
}

// A base for positions that must not win: it stands for a cost of 65536 or more.
constexpr uint32_t kNoBase = 0x80000000u;

__device__ inline uint32_t WarpMin(uint32_t v) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(0xffffffffu, v);
#else
    for (int m = 16; m; m >>= 1) v = min(v, __shfl_xor_sync(0xffffffffu, v, m));
    return v;
#endif
}

__device__ inline int OrderOf(uint32_t key) {
    return static_cast<int>(key & ((1u << kOrderBits) - 1));
}

// Returns the centre of a box: 0 is the zero vector, 1 the prediction, 2 to 4 are the seeds.
__device__ inline Position BoxCentre(const IntegerParams& p, const IntegerParams::Ref& r,
                                     const Macroblock& m, int box) {
    if (box == 0) return {0, 0};
    if (box == 1)
        return {min(max((m.co_located.col + 2) >> 2, m.window.x0), m.window.x1),
                min(max((m.co_located.row + 2) >> 2, m.window.y0), m.window.y1)};
    const int mb = m.row / kCoarseScale * p.coarse_cols + m.col / kCoarseScale;
    const SeedBlocks blocks = SeedBlocksOf(m.row, m.col);
    const int block = box == 2 ? blocks.block[0] : box == 3 ? blocks.block[1] : blocks.block[2];
    // Quarter pixels of the coarse level are whole pixels of the frame.
    const cudame_mv seed = r.coarse[mb * CUDAME_BLOCKS + block];
    return {seed.col, seed.row};
}

// A box in which all legal vectors were evaluated.
struct Searched {
    int x0, y0, x1, y1;
    // Whether the box contains all legal vectors within (rx, ry) of (x, y).
    __device__ bool Has(const DevWindow& window, int x, int y, int rx, int ry) const {
        return max(x - rx, window.x0) >= x0 && min(x + rx, window.x1) <= x1 &&
               max(y - ry, window.y0) >= y0 && min(y + ry, window.y1) <= y1;
    }
};

// Stores the results of block b, in each thread another one. It writes all fields of a record, so
// that equal results are equal bytes, except those that the sub-pel kernel writes later.
template <Stage kStage, class Ref, class State>
__device__ inline void StoreRecord(const Ref& r, int mb, int blocks, int b, const State& s) {
    if (b >= CUDAME_BLOCKS) return;
    const bool valid = b < blocks;
    const cudame_mv mv = {static_cast<int16_t>(valid ? 4 * s.y[b] : 0),
                          static_cast<int16_t>(valid ? 4 * s.x[b] : 0)};
    if (kStage != kFinal) r.integer[mb * CUDAME_BLOCKS + b] = mv;
    if constexpr (kStage != kCoarse) {
        if (kStage == kFinal && valid) StoreBlock(r, mb, b, mv, s.sad[b]);
        if (b) return;
        cudame_mb* out = r.records + mb;
        out->dist_zero = static_cast<uint16_t>(s.zero_sad[0]);
        out->flags = static_cast<uint16_t>((kStage == kFinal ? CUDAME_MB_FULLPEL : 0) |
                                           (blocks > 1 ? CUDAME_MB_SPLIT : 0));
        for (int i = 0; i < 3; i++) out->reserved[i] = 0;
    }
}

}  // namespace cudame

#endif  // CUDAME_CUDA_INTEGER_SEARCH_CUH_
