// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A macroblock's loads and stores by a warp, see common/coder/rows.h. All loads of a step are under
// way at the same time.

#ifndef CUDAME_CUDA_CODER_ROWS_CUH_
#define CUDAME_CUDA_CODER_ROWS_CUH_

#include "common/coder/rows.h"
#include "cuda/coder_blocks.cuh"
#include "cuda/coder_subblocks.cuh"

namespace cudame::coder_warp {

static_assert(sizeof(cudame_mb) == 16 && sizeof(cudame_mb_memory) == 20 &&
                  sizeof(cudame_intra) == 28,
              "loaded in words");

template <bool kDenoised>
__device__ inline void LoadSource(int row, int col) {
    const CoderFrame& f = Frame();
    const int stride = kDenoised ? f.denoiser.source_stride : f.source_stride;
    const int uv_stride = kDenoised ? f.denoiser.source_uv_stride : f.source_uv_stride;
    const auto plane = [&](int i) { return kDenoised ? f.denoiser.source[i] : f.source[i]; };
    Mb& s = State();
    const int i = Lane();
    const uint8_t* y = plane(0) + 16 * row * stride + 16 * col;
    const uint8_t* uv = plane(1 + (i >> 4)) + 8 * row * uv_stride + 8 * col;
    const uint32_t a = WordAt(y + (i >> 2) * stride + 4 * (i & 3));
    const uint32_t b = WordAt(y + (8 + (i >> 2)) * stride + 4 * (i & 3));
    const uint32_t c = WordAt(uv + (i >> 1 & 7) * uv_stride + 4 * (i & 1));
    // Lanes 0 to 11 load the records, 12 to 16 memory, 17 to 23 the intra estimate, 24 and 25 a
    // byte each.
    const int mb = row * f.mb_cols + col, ref = kLast + (i >> 2);
    const uint32_t* word = nullptr;
    uint32_t* store = nullptr;
    uint32_t loaded = 0;
    if (i < 12) {
        const cudame_mb* records = kDenoised ? f.denoiser.records[ref] : f.records[ref];
        if (f.records[ref]) word = reinterpret_cast<const uint32_t*>(records + mb) + (i & 3);
        store = reinterpret_cast<uint32_t*>(&s.record[ref]) + (i & 3);
    } else if (i < 17) {
        word = reinterpret_cast<const uint32_t*>(f.memory + mb) + (i - 12);
        store = reinterpret_cast<uint32_t*>(&s.memory) + (i - 12);
    } else if (i < 24) {
        word = reinterpret_cast<const uint32_t*>(f.intra + mb) + (i - 17);
        store = reinterpret_cast<uint32_t*>(&s.intra) + (i - 17);
    }
    if (word) loaded = *word;
    if (i == 24) loaded = f.still_frames[mb];
    if (i == 25 && f.segment) loaded = f.segment[mb];
    uint32_t* to = reinterpret_cast<uint32_t*>(s.source);
    to[i] = a;
    to[32 + i] = b;
    to[64 + i] = c;
    if (word) *store = loaded;
    if (i == 24) s.still_frames = static_cast<uint8_t>(loaded);
    if (i == 25) s.next_segment = static_cast<uint8_t>(loaded);
}

// Moves the right column of a tile to the left of the next macroblock's, or sets that of a row's
// first one.
__device__ inline void MoveLeft(uint8_t* at00, int stride, int size, int row, int col, int y) {
    if (y < -1 || y >= size) return;
    uint8_t* p = at00 + y * stride;
    const int edge = row == 0 && y < 0 ? kAboveFrame : kLeftOfFrame;
    p[-1] = col ? p[size - 1] : static_cast<uint8_t>(edge);
}

// Lanes 0 to 4 load luma above, 8 to 11 chroma, 16 to 23 the neighbour above.
__device__ inline void LoadSurroundings(int row, int col) {
    const CoderFrame& f = Frame();
    Mb& s = State();
    const int i = Lane();
    const bool is_last = col + 1 == f.mb_cols;
    uint32_t word = i < 16 ? 0x01010101u * kAboveFrame : 0;
    if (row) {
        const uint8_t* y = f.recon[0] + (16 * row - 1) * f.recon_stride + 16 * col;
        const uint8_t* uv = f.recon[1 + (i >> 1 & 1)] + (8 * row - 1) * f.recon_uv_stride + 8 * col;
        const Neighbour* above = f.neighbours + (row - 1) * f.mb_cols + col;
        const uint8_t* from = nullptr;
        if (i < 5)
            from = y + 4 * (i == 4 && is_last ? 3 : i);
        else if (i >= 8 && i < 12)
            from = uv + 4 * (i & 1);
        else if (i >= 16 && i < 24)
            from = reinterpret_cast<const uint8_t*>(above) + 4 * (i - 16);
        if (from) word = Fresh(reinterpret_cast<const uint32_t*>(from));
        if (i == 4 && is_last) word = 0x01010101u * (word >> 24);
    }
    MoveLeft(TileAt(s, 0, 0), kTileStride, 16, row, col, i - 1);
    MoveLeft(UvTileAt(s, i >> 4, 0, 0), kUvTileStride, 8, row, col, (i & 15) - 1);
    Sync();
    if (i < 5) WordAt(TileAt(s, 4 * i, -1)) = word;
    if (i >= 8 && i < 12) WordAt(UvTileAt(s, i >> 1 & 1, 4 * (i & 1), -1)) = word;
    if (i < 16) return;
    uint32_t* above = reinterpret_cast<uint32_t*>(&s.above);
    uint32_t* corner = reinterpret_cast<uint32_t*>(&s.corner);
    uint32_t* left = reinterpret_cast<uint32_t*>(&s.left);
    const int n = i - 16;
    if (n >= 8) return;
    corner[n] = row && col ? above[n] : 0;  // what was above the macroblock before
    above[n] = word;
    if (!col) left[n] = 0;
}

__device__ inline void StoreRecon(int row, int col) {
    const CoderFrame& f = Frame();
    Mb& s = State();
    const int i = Lane();
    uint8_t* y = f.recon[0] + 16 * row * f.recon_stride + 16 * col;
    uint8_t* uv = f.recon[1 + (i >> 4)] + 8 * row * f.recon_uv_stride + 8 * col;
    const int x = 4 * (i & 3), k = i >> 2;
    WordAt(y + k * f.recon_stride + x) = WordAt(TileAt(s, x, k));
    WordAt(y + (8 + k) * f.recon_stride + x) = WordAt(TileAt(s, x, 8 + k));
    WordAt(uv + (i >> 1 & 7) * f.recon_uv_stride + 4 * (i & 1)) =
        WordAt(UvTileAt(s, i >> 4, 4 * (i & 1), i >> 1 & 7));
}

}  // namespace cudame::coder_warp

#endif  // CUDAME_CUDA_CODER_ROWS_CUH_
