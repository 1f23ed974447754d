// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A macroblock's loads and stores by a warp, see common/coder/rows.h. All loads of a step are under
// way at the same time.

#ifndef CUDAME_CUDA_CODER_ROWS_CUH_
#define CUDAME_CUDA_CODER_ROWS_CUH_

#include "common/coder/rows.h"
#include "cuda/coder_blocks.cuh"
#include "cuda/coder_subblocks.cuh"
#include "cuda/row_flags.cuh"

namespace cudame::coder_warp {

static_assert(sizeof(cudame_mb) == 16 && sizeof(cudame_mb_memory) == 20 &&
                  sizeof(cudame_intra) == 28,
              "loaded in words");

// Returns the word of the state that a lane loads: lanes 0 to 11 load the records, 12 to 16 the
// memory, 17 to 23 the intra estimate.
constexpr int kStateWords = kInputWords - 2;
__device__ inline uint32_t* InputWord(Mb& s, int i) {
    return i < 12   ? reinterpret_cast<uint32_t*>(&s.record[kLast + (i >> 2)]) + (i & 3)
           : i < 17 ? reinterpret_cast<uint32_t*>(&s.memory) + (i - 12)
                    : reinterpret_cast<uint32_t*>(&s.intra) + (i - 17);
}
__device__ inline const uint32_t* WordWith(const uint8_t* byte) {
    return reinterpret_cast<const uint32_t*>(byte - (reinterpret_cast<uintptr_t>(byte) & 3));
}

// Begins to load the input of a macroblock to s.next. Lanes 24 and 25 load a word that has a byte
// of the state.
template <bool kDenoised>
__device__ inline void BeginLoad(int row, int col) {
    const CoderFrame& f = Frame();
    const int stride = kDenoised ? f.denoiser.source_stride : f.source_stride;
    const int uv_stride = kDenoised ? f.denoiser.source_uv_stride : f.source_uv_stride;
    const auto plane = [&](int i) { return kDenoised ? f.denoiser.source[i] : f.source[i]; };
    const auto words = [](const void* p) { return static_cast<const uint32_t*>(p); };
    const int i = Lane();
    const uint8_t* y = plane(0) + (16 * row + (i >> 2)) * stride + 16 * col + 4 * (i & 3);
    const uint8_t* uv =
        plane(1 + (i >> 4)) + (8 * row + (i >> 1 & 7)) * uv_stride + 8 * col + 4 * (i & 1);
    uint32_t* next = State().next;
    CopyLater(next + i, words(y));
    CopyLater(next + 32 + i, words(y + 8 * stride));
    CopyLater(next + 64 + i, words(uv));
    const int mb = row * f.mb_cols + col, ref = kLast + (i >> 2);
    const uint32_t* word = nullptr;
    if (i < 12) {
        const cudame_mb* records = kDenoised ? f.denoiser.records[ref] : f.records[ref];
        if (f.records[ref]) word = words(records + mb) + (i & 3);
    } else if (i < 17) {
        word = words(f.memory + mb) + (i - 12);
    } else if (i < kStateWords) {
        word = words(f.intra + mb) + (i - 17);
    } else if (i == kStateWords) {
        word = WordWith(f.still_frames + mb);
    } else if (i == kStateWords + 1 && f.segment) {
        word = WordWith(f.segment + mb);
    }
    if (word) CopyLater(next + kMbPixels / 4 + i, word);
}

// Copies the input from s.next to the state.
__device__ inline void EndLoad(int row, int col) {
    const CoderFrame& f = Frame();
    Mb& s = State();
    const int i = Lane(), mb = row * f.mb_cols + col;
    AwaitCopies();
    uint32_t* to = reinterpret_cast<uint32_t*>(s.source);
    to[i] = s.next[i];
    to[32 + i] = s.next[32 + i];
    to[64 + i] = s.next[64 + i];
    if (i > kStateWords + 1) return;
    const uint32_t word = s.next[kMbPixels / 4 + i];
    const auto byte = [&](const uint8_t* p) {
        return static_cast<uint8_t>(word >> 8 * (reinterpret_cast<uintptr_t>(p + mb) & 3));
    };
    if (i == kStateWords)
        s.still_frames = byte(f.still_frames);
    else if (i > kStateWords)
        s.next_segment = f.segment ? byte(f.segment) : 0;
    else
        *InputWord(s, i) = word;
}

template <bool kDenoised>
__device__ inline void LoadSource(int row, int col) {
    BeginLoad<kDenoised>(row, col);
    EndLoad(row, col);
}

// Moves the right column of a tile to the left of the next macroblock's, or sets that of a row's
// first one.
__device__ inline void MoveLeft(uint8_t* at00, int stride, int size, int row, int col, int y) {
    if (y < -1 || y >= size) return;
    uint8_t* p = at00 + y * stride;
    const int edge = row == 0 && y < 0 ? kAboveFrame : kLeftOfFrame;
    p[-1] = col ? p[size - 1] : static_cast<uint8_t>(edge);
}

// Words of Mb::bottom: luma, U and V, and `below`.
constexpr int kBottomUv = 4, kBottomNeighbour = 8;

// The word that a lane loads from above the macroblock: lanes 0 to 4 luma, 8 to 11 chroma, 16 to 23
// the neighbour; others load another lane's. Lane 4's, above right, is left to LoadAboveRight() if
// the frame has rows_done. The warp before has the row above, if it is of the same thread block.
__device__ inline uint32_t LoadAbove(int row, int col, bool is_last) {
    const CoderFrame& f = Frame();
    const int i = Lane();
    if (threadIdx.x >= kLanes) {
        const auto& bottom = (&State() - 1)->bottom;
        const int next = i == 4 && !is_last;  // above right
        const int word = i == 4   ? (is_last ? 3 : 0)
                         : i < 4  ? i
                         : i < 16 ? kBottomUv + (i & 3)
                                  : kBottomNeighbour + (i & 7);
        return bottom[(col + next) & 1][word];
    }
    const uint8_t* y = f.recon[0] + (16 * row - 1) * f.recon_stride + 16 * col;
    const uint8_t* uv = f.recon[1 + (i >> 1 & 1)] + (8 * row - 1) * f.recon_uv_stride + 8 * col;
    const Neighbour* above = f.neighbours + (row - 1) * f.mb_cols + col;
    const uint8_t* from = i < 8    ? y + 4 * Min(i, is_last || f.rows_done ? 3 : 4)
                          : i < 16 ? uv + 4 * (i & 1)
                                   : reinterpret_cast<const uint8_t*>(above) + 4 * (i & 7);
    return Fresh(reinterpret_cast<const uint32_t*>(from));
}

__device__ inline void LoadSurroundings(int row, int col) {
    Mb& s = State();
    const int i = Lane();
    const bool is_last = col + 1 == Frame().mb_cols;
    uint32_t word = i < 16 ? 0x01010101u * kAboveFrame : 0;
    if (row) {
        word = LoadAbove(row, col, is_last);
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

__device__ inline void LoadAboveRight() {
    const CoderFrame& f = Frame();
    Mb& s = State();
    if (!f.rows_done || !s.row || s.col + 1 == f.mb_cols) return;
    AwaitRow(f.rows_done + s.row - 1, static_cast<uint32_t>(s.col + 2));
    const uint8_t* from = f.recon[0] + (16 * s.row - 1) * f.recon_stride + 16 * (s.col + 1);
    if (Lane() == 0) WordAt(TileAt(s, 16, -1)) = Fresh(reinterpret_cast<const uint32_t*>(from));
    Sync();
}

// Clears the rows that StoreForBelow() has not set yet: if a macroblock fails, its row ends, but
// the rows below go on.
__device__ inline void BeginRows() {
    uint32_t* words = State().bottom[0];
    for (int i = Lane(); i < static_cast<int>(sizeof(State().bottom) / 4); i += kLanes)
        words[i] = 0;
}

// The next warp has the row below, if the thread block codes a group of rows.
__device__ inline void StoreForBelow(int row, int col) {
    Mb& s = State();
    const int i = Lane();
    if (Frame().rows_done || threadIdx.x + kLanes >= blockDim.x) {
        CopyWords(&s.below, Frame().neighbours + row * Frame().mb_cols + col, sizeof(Neighbour));
        return;
    }
    if (i >= 16) return;
    s.bottom[col & 1][i] = i < kBottomUv ? WordAt(TileAt(s, 4 * i, 15))
                           : i < kBottomNeighbour
                               ? WordAt(UvTileAt(s, i >> 1 & 1, 4 * (i & 1), 7))
                               : reinterpret_cast<const uint32_t*>(&s.below)[i - kBottomNeighbour];
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
