// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The coarse level: the frame at a quarter of its width and height, searched in a
// window around zero, without rate. A coarse macroblock is 4x4 macroblocks, so its SAD
// tree gives vectors for areas of 64x64, 32x32 and 16x16 pixels; they seed the
// search of the frame itself, which alone would see no further than its range.

#ifndef CUDAME_SRC_COARSE_H_
#define CUDAME_SRC_COARSE_H_

#include "geometry.h"

namespace cudame {

constexpr int kCoarseScale = 4;
// The vectors that are tried, in pixels of the coarse level: 64x64, which are 128 pixels of
// the frame to all sides. Columns of four of them give each thread of a block of the CUDA
// kernel eight.
constexpr Window kCoarseWindow = {-32, -32, 31, 31};
// With CUDAME_MODE_FAST only those of a cross are tried, since motion is seldom fast in both
// directions: five columns for each thread.
constexpr Window kCoarseAcross = {-32, -8, 31, 7}, kCoarseDown = {-16, -32, 15, 31};

inline Geometry CoarseGeometry(const Geometry& g) {
    return MakeGeometry(g.mb_width() / kCoarseScale, g.mb_height() / kCoarseScale);
}

constexpr int kSeeds = 3;

// Blocks of a coarse macroblock whose vectors seed macroblock (mb_row, mb_col) in it, from
// the largest to the smallest.
struct SeedBlocks {
    int block[kSeeds];
};

constexpr SeedBlocks SeedBlocksOf(int mb_row, int mb_col) {
    const int y = mb_row % kCoarseScale, x = mb_col % kCoarseScale;
    return {
        {CUDAME_BLOCK_16X16, CUDAME_BLOCK_8X8 + 2 * (y / 2) + x / 2, CUDAME_BLOCK_4X4 + 4 * y + x}};
}

// The half level, which only the hierarchical search has: the frame at half of its width
// and height. Its rates are against the zero vector, and a quarter as high, because
// distortions are. A macroblock there is 2x2 macroblocks.
constexpr int kHalfScale = 2;

inline Geometry HalfGeometry(const Geometry& g) {
    return MakeGeometry(g.mb_width() / kHalfScale, g.mb_height() / kHalfScale);
}

constexpr int HalfSadPerBit(int sad_per_bit) { return (sad_per_bit + 2) / 4; }

// Blocks of a macroblock one level up whose vectors seed macroblock (mb_row, mb_col), a
// quarter of it: the whole, the quarter, and the quarter's four quarters. i < kUpperBlocks.
constexpr int kUpperBlocks = 6;
constexpr int UpperBlock(int mb_row, int mb_col, int i) {
    const int y = mb_row % 2, x = mb_col % 2;
    if (i == 0) return CUDAME_BLOCK_16X16;
    if (i == 1) return CUDAME_BLOCK_8X8 + 2 * y + x;
    return CUDAME_BLOCK_4X4 + 4 * (2 * y + (i - 2) / 2) + 2 * x + (i - 2) % 2;
}

// In the frame itself the two smaller blocks of the coarse level are seeds as well.
constexpr int kHierarchicalSeeds = kUpperBlocks + kSeeds - 1;

}  // namespace cudame

#endif  // CUDAME_SRC_COARSE_H_
