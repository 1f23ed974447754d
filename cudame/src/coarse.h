// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The coarse level: the frame at a quarter of its width and height, fully
// searched without rate. A coarse macroblock is 4x4 macroblocks, so its SAD
// tree gives vectors for areas of 64x64, 32x32 and 16x16 pixels; they seed the
// search of the frame itself, which alone would see no further than its range.

#ifndef CUDAME_SRC_COARSE_H_
#define CUDAME_SRC_COARSE_H_

#include "geometry.h"
#include "plane.h"

namespace cudame {

constexpr int kCoarseScale = 4;
constexpr int kCoarseRange = 32;  // 128 pixels of the frame

inline Geometry CoarseGeometry(const Geometry& g) {
    return MakeGeometry(g.mb_width() / kCoarseScale, g.mb_height() / kCoarseScale);
}

// Blocks of the coarse macroblock that seed macroblock (row, col), from the
// largest to the smallest.
struct SeedBlocks {
    int block[3];
};

constexpr SeedBlocks SeedBlocksOf(int mb_row, int mb_col) {
    const int y = mb_row % kCoarseScale, x = mb_col % kCoarseScale;
    return {
        {CUDAME_BLOCK_16X16, CUDAME_BLOCK_8X8 + 2 * (y / 2) + x / 2, CUDAME_BLOCK_4X4 + 4 * y + x}};
}

// Macroblocks whose own coarse vectors the hierarchical search tries too: above,
// left, right, below; but none of a lower row of coarse macroblocks, so that rows
// can be searched as the coarse ones come. Beyond the frame: the nearest inside.
constexpr int NeighbourRow(int mb_rows, int mb_row, int i) {
    const int row = mb_row + (i == 3) - (i == 0);
    const int last = mb_row / kCoarseScale * kCoarseScale + kCoarseScale - 1;
    const int low = row < 0 ? 0 : row;
    const int high = last < mb_rows ? last : mb_rows - 1;
    return low < high ? low : high;
}
constexpr int NeighbourCol(int mb_cols, int mb_col, int i) {
    const int col = mb_col + (i == 2) - (i == 1);
    return col < 0 ? 0 : col < mb_cols ? col : mb_cols - 1;
}

// Fills a coarse plane, of CoarseGeometry(g), from a whole plane of the frame.
void Shrink(const cudame_plane& plane, const Geometry& g, PaddedPlane* coarse);

}  // namespace cudame

#endif  // CUDAME_SRC_COARSE_H_
