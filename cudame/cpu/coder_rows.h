// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The scalar reference of a macroblock's loads and stores, see common/coder/rows.h.

#ifndef CUDAME_CPU_CODER_ROWS_H_
#define CUDAME_CPU_CODER_ROWS_H_

#include "common/coder/rows.h"

namespace cudame::CODER_NAMESPACE {

template <bool kDenoised>
inline void LoadSource(int row, int col) {
    const CoderFrame& f = Frame();
    const int stride = kDenoised ? f.denoiser.source_stride : f.source_stride;
    const int uv_stride = kDenoised ? f.denoiser.source_uv_stride : f.source_uv_stride;
    const auto plane = [&](int i) { return kDenoised ? f.denoiser.source[i] : f.source[i]; };
    Mb& s = State();
    const uint8_t* y = plane(0) + 16 * row * stride + 16 * col;
    for (int i = 0; i < 256; i++) s.source[i] = y[(i >> 4) * stride + (i & 15)];
    for (int p = 0; p < 2; p++) {
        const uint8_t* uv = plane(1 + p) + 8 * row * uv_stride + 8 * col;
        for (int i = 0; i < 64; i++)
            s.source[(p ? kV : kU) + i] = uv[(i >> 3) * uv_stride + (i & 7)];
    }
    const int mb = row * f.mb_cols + col;
    for (int ref = kLast; ref < kRefs; ref++)
        if (f.records[ref])
            s.record[ref] = (kDenoised ? f.denoiser.records[ref] : f.records[ref])[mb];
    s.intra = f.intra[mb];
    s.memory = f.memory[mb];
    s.still_frames = f.still_frames[mb];
    s.next_segment = f.segment ? f.segment[mb] : 0;
}

// Moves the right column of a tile to the left of the next macroblock's, or sets that of a row's
// first one.
inline void MoveLeft(uint8_t* at00, int stride, int size, int row, int col) {
    for (int y = -1; y < size; y++) {
        uint8_t* p = at00 + y * stride;
        const int edge = row == 0 && y < 0 ? kAboveFrame : kLeftOfFrame;
        p[-1] = col ? p[size - 1] : static_cast<uint8_t>(edge);
    }
}

// Loads `n` pixels of the row above a macroblock of `size` pixels. Above the last macroblock of a
// row ends the frame: its last pixel is repeated.
inline void LoadAbove(uint8_t* at00, int tile_stride, const uint8_t* recon, int stride, int size,
                      int n, int row, int col, int mb_cols) {
    for (int i = 0; i < n; i++) {
        const int x = col + 1 == mb_cols ? Min(i, size - 1) : i;
        at00[i - tile_stride] =
            row ? *(recon + (size * row - 1) * stride + size * col + x) : kAboveFrame;
    }
}

inline void LoadNeighbours(const CoderFrame& f, Mb& s, int row, int col) {
    constexpr int kWords = sizeof(Neighbour) / sizeof(uint32_t);
    const uint32_t* above =
        reinterpret_cast<const uint32_t*>(f.neighbours + (row - 1) * f.mb_cols + col);
    uint32_t* to = reinterpret_cast<uint32_t*>(&s.above);
    uint32_t* corner = reinterpret_cast<uint32_t*>(&s.corner);
    uint32_t* left = reinterpret_cast<uint32_t*>(&s.left);
    for (int i = 0; i < kWords; i++) {
        corner[i] = row && col ? to[i] : 0;  // what was above the macroblock before
        to[i] = row ? above[i] : 0;
        if (!col) left[i] = 0;
    }
}

inline void LoadSurroundings(int row, int col) {
    const CoderFrame& f = Frame();
    Mb& s = State();
    MoveLeft(TileAt(s, 0, 0), kTileStride, 16, row, col);
    for (int p = 0; p < 2; p++) MoveLeft(UvTileAt(s, p, 0, 0), kUvTileStride, 8, row, col);
    LoadAbove(TileAt(s, 0, 0), kTileStride, f.recon[0], f.recon_stride, 16, 20, row, col,
              f.mb_cols);
    for (int p = 0; p < 2; p++)
        LoadAbove(UvTileAt(s, p, 0, 0), kUvTileStride, f.recon[1 + p], f.recon_uv_stride, 8, 8, row,
                  col, f.mb_cols);
    LoadNeighbours(f, s, row, col);
}

inline void LoadAboveRight() {}

inline void StoreRecon(int row, int col) {
    const CoderFrame& f = Frame();
    Mb& s = State();
    uint8_t* y = f.recon[0] + 16 * row * f.recon_stride + 16 * col;
    for (int i = 0; i < 256; i++)
        y[(i >> 4) * f.recon_stride + (i & 15)] = *TileAt(s, i & 15, i >> 4);
    for (int p = 0; p < 2; p++) {
        uint8_t* uv = f.recon[1 + p] + 8 * row * f.recon_uv_stride + 8 * col;
        for (int i = 0; i < 64; i++)
            uv[(i >> 3) * f.recon_uv_stride + (i & 7)] = *UvTileAt(s, p, i & 7, i >> 3);
    }
}

inline void StoreForBelow(int row, int col) {
    Frame().neighbours[row * Frame().mb_cols + col] = State().below;
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_CPU_CODER_ROWS_H_
