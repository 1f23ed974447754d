// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The coarse level: the frame at a quarter of its width and height, searched in a window around
// zero, without rate. A coarse macroblock covers 4x4 macroblocks, so its SAD tree gives vectors for
// areas of 64x64, 32x32 and 16x16 pixels. They seed the search of the frame itself, which would
// otherwise find nothing beyond its own range.

#ifndef CUDAME_COMMON_COARSE_H_
#define CUDAME_COMMON_COARSE_H_

#include "common/geometry.h"

namespace cudame {

constexpr int kCoarseScale = 4;
// The vectors that are tried, in pixels of the coarse level: 64x64, that is 128 pixels of the frame
// in each direction. Each thread of a CUDA block gets eight columns of four vectors.
constexpr Window kCoarseWindow = {-32, -32, 31, 31};
// CUDAME_MODE_FAST tries only a cross, because motion is seldom fast in both directions. Each
// thread gets five columns.
constexpr Window kCoarseAcross = {-32, -8, 31, 7}, kCoarseDown = {-16, -32, 15, 31};

inline Geometry CoarseGeometry(const Geometry& g) {
    return MakeGeometry(g.mb_width() / kCoarseScale, g.mb_height() / kCoarseScale);
}

constexpr int kSeeds = 3;

// The blocks of a coarse macroblock that seed macroblock (mb_row, mb_col), from the largest to the
// smallest.
struct SeedBlocks {
    int block[kSeeds];
};

constexpr SeedBlocks SeedBlocksOf(int mb_row, int mb_col) {
    const int y = mb_row % kCoarseScale, x = mb_col % kCoarseScale;
    return {
        {CUDAME_BLOCK_16X16, CUDAME_BLOCK_8X8 + 2 * (y / 2) + x / 2, CUDAME_BLOCK_4X4 + 4 * y + x}};
}

}  // namespace cudame

#endif  // CUDAME_COMMON_COARSE_H_
