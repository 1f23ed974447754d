// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Brings the pixels and neighbours of a macroblock together, and writes its reconstruction.

#ifndef CUDAME_COMMON_CODER_ROWS_H_
#define CUDAME_COMMON_CODER_ROWS_H_

#include "common/coder/code.h"

namespace cudame::CODER_NAMESPACE {

CODER_FN void LoadSource(const CoderFrame& f, Mb& s, int row, int col) {
    const uint8_t* y = f.source[0] + 16 * row * f.source_stride + 16 * col;
    for (int i = Lane(); i < 256; i += kLanes)
        s.source[i] = y[(i >> 4) * f.source_stride + (i & 15)];
    for (int p = 0; p < 2; p++) {
        const uint8_t* uv = f.source[1 + p] + 8 * row * f.source_uv_stride + 8 * col;
        for (int i = Lane(); i < 64; i += kLanes)
            s.source[(p ? kV : kU) + i] = uv[(i >> 3) * f.source_uv_stride + (i & 7)];
    }
}

// Moves the right column of a tile to the left of the next macroblock's, or sets that of a row's
// first one.
CODER_FN void MoveLeft(uint8_t* at00, int stride, int size, int row, int col) {
    for (int y = Lane() - 1; y < size; y += kLanes) {
        uint8_t* p = at00 + y * stride;
        const int edge = row == 0 && y < 0 ? kAboveFrame : kLeftOfFrame;
        p[-1] = col ? p[size - 1] : static_cast<uint8_t>(edge);
    }
}

// Loads `n` pixels of the row above a macroblock of `size` pixels. Above the last macroblock of a
// row ends the frame: its last pixel is repeated.
CODER_FN void LoadAbove(uint8_t* at00, int tile_stride, const uint8_t* recon, int stride, int size,
                        int n, int row, int col, int mb_cols) {
    for (int i = Lane(); i < n; i += kLanes) {
        const int x = col + 1 == mb_cols ? Min(i, size - 1) : i;
        at00[i - tile_stride] =
            row ? Fresh(recon + (size * row - 1) * stride + size * col + x) : kAboveFrame;
    }
}

CODER_FN void LoadEdges(const CoderFrame& f, Mb& s, int row, int col) {
    MoveLeft(TileAt(s, 0, 0), kTileStride, 16, row, col);
    for (int p = 0; p < 2; p++) MoveLeft(UvTileAt(s, p, 0, 0), kUvTileStride, 8, row, col);
    Sync();
    LoadAbove(TileAt(s, 0, 0), kTileStride, f.recon[0], f.recon_stride, 16, 20, row, col,
              f.mb_cols);
    for (int p = 0; p < 2; p++)
        LoadAbove(UvTileAt(s, p, 0, 0), kUvTileStride, f.recon[1 + p], f.recon_uv_stride, 8, 8, row,
                  col, f.mb_cols);
}

// Neighbours outside of the frame are intra, without coefficients.
CODER_FN void LoadNeighbours(const CoderFrame& f, Mb& s, int row, int col) {
    constexpr int kWords = sizeof(Neighbour) / sizeof(uint32_t);
    const uint32_t* above =
        reinterpret_cast<const uint32_t*>(f.neighbours + (row - 1) * f.mb_cols + col);
    uint32_t* to = reinterpret_cast<uint32_t*>(&s.above);
    uint32_t* corner = reinterpret_cast<uint32_t*>(&s.corner);
    uint32_t* left = reinterpret_cast<uint32_t*>(&s.left);
    for (int i = Lane(); i < kWords; i += kLanes) {
        corner[i] = row && col ? to[i] : 0;  // what was above the macroblock before
        to[i] = row ? Fresh(above + i) : 0;
        if (!col) left[i] = 0;
    }
}

CODER_FN void StoreRecon(const CoderFrame& f, Mb& s, int row, int col) {
    uint8_t* y = f.recon[0] + 16 * row * f.recon_stride + 16 * col;
    for (int i = Lane(); i < 256; i += kLanes)
        y[(i >> 4) * f.recon_stride + (i & 15)] = *TileAt(s, i & 15, i >> 4);
    for (int p = 0; p < 2; p++) {
        uint8_t* uv = f.recon[1 + p] + 8 * row * f.recon_uv_stride + 8 * col;
        for (int i = Lane(); i < 64; i += kLanes)
            uv[(i >> 3) * f.recon_uv_stride + (i & 7)] = *UvTileAt(s, p, i & 7, i >> 3);
    }
}

// Codes macroblock `col` of a row after all before it and, in the row above, after that at col + 1.
// Returns false if libvpx has to code the frame.
CODER_FN bool CodeNext(const CoderFrame& f, Mb& s, int row, int col) {
    const int mb = row * f.mb_cols + col;
    LoadSource(f, s, row, col);
    LoadEdges(f, s, row, col);
    LoadNeighbours(f, s, row, col);
    Sync();
    const int segment = f.segment && f.segment[mb] <= 3 ? f.segment[mb] : 0;
    const At at = {f,
                   s,
                   row,
                   col,
                   mb,
                   -col * 128,
                   (f.mb_cols - 1 - col) * 128,
                   -row * 128,
                   (f.mb_rows - 1 - row) * 128,
                   f.segments[segment]};
    Neighbour below = {}, right = {};
    if (!CodeMacroblock(at, &below, &right)) return false;
    Sync();
    StoreRecon(f, s, row, col);
    if (Lane() == 0) {
        s.left = right;
        f.neighbours[mb] = below;
    }
    Sync();
    return true;
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_ROWS_H_
