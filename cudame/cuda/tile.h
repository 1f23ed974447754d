// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// How the full search cuts a box of vectors into tiles of reference pixels, which lie in shared
// memory with their four shifted copies.

#ifndef CUDAME_CUDA_TILE_H_
#define CUDAME_CUDA_TILE_H_

#include <algorithm>

#include "cuda/search_params.h"

namespace cudame {

struct Tile {
    int chunk_rows = 0;  // rows of vectors that one tile serves
    unsigned bytes = 0;  // of dynamic shared memory
};

// The tiles of a box of vectors; all zero if columns is 0.
inline Tile TileOf(int columns, int rows) {
    // The largest tile. It leaves room for several thread blocks on a multiprocessor.
    constexpr int kTileBytes = 40 * 1024;
    // Number of vectors whose order fits into a key.
    constexpr int kMaxOrder = (1 << kOrderBits) - 8;
    Tile tile;
    if (!columns) return tile;
    const int words = WindowWords(columns);
    const int fit = std::min({rows + 3, kMaxOrder / columns, kTileBytes / (16 * words) - 15});
    tile.chunk_rows = std::max(fit / kWindowColumn * kWindowColumn, kWindowColumn);
    tile.bytes = static_cast<unsigned>(
        std::max(16 * WindowCopyWords(words, tile.chunk_rows), 4 * kBoxes * kBoxWords));
    return tile;
}

}  // namespace cudame

#endif  // CUDAME_CUDA_TILE_H_
