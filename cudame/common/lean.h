// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The lean search: what it tries of a macroblock, by level. A vector is predicted by the last
// field and by a thin search at a quarter of the size, and descends from the best of these. What
// a few macroblocks find further away spreads to those around them. Text that still fits poorly is
// searched in full. Sub-pel vectors are tried in the references that can win, and those of smaller
// blocks only where these may.

#ifndef CUDAME_COMMON_LEAN_H_
#define CUDAME_COMMON_LEAN_H_

#include <cstdint>

#include "common/coarse.h"
#include "common/geometry.h"
#include "cudame/cudame.h"

namespace cudame {

// Blocks with whole-pixel vectors of their own. A 4x4 block has its quarter's.
constexpr int kLeanBlocks = CUDAME_BLOCK_4X4;

constexpr int WholeBlock(int block) {
    if (block < kLeanBlocks) return block;
    const int unit = block - CUDAME_BLOCK_4X4;
    return CUDAME_BLOCK_8X8 + unit / 8 * 2 + unit % 4 / 2;
}

struct LeanLevel {
    // The coarse level: besides a cross through zero every kLeanGridStep-th vector of a grid,
    // from -grid to grid; 0: one vector.
    int grid;
    bool box;  // the neighbours of every candidate are tried too
    // Other searches than the first have no passes and do not look far. Whether they have a coarse
    // level, and descend; else they try zero and the co-located vector.
    bool others;
    // A macroblock in four (LeanLooksFar()) whose SAD is more than this for each pixel looks
    // further: at all vectors of a cross, and then at so many rings around the best of them.
    int poor, rings;
    int passes;     // how often a macroblock tries the vectors of those around it
    bool pass_box;  // and their neighbours
    // A macroblock whose whole-pixel vector has a SAD of no more than this, in units of
    // sad_per_bit, keeps that vector.
    int still;
    // If the first search finds one of no more than this before its passes, the others do not
    // search the macroblock: they have the zero vector, all distortions 65535 and no flags.
    int alone;
    // Another reference than the first gets sub-pel vectors where its whole-pixel one costs no
    // more than so many permille of the first one's.
    int refs;
    // A 16x16 vector gets quarter-pel ones where that at half a pixel has a distortion of no less
    // than this, in units of sad_per_bit; 0: always.
    int quarter;
    // Smaller blocks are refined where the whole-pixel SADs of those of one size, 4x4 aside,
    // add up to no more than so many permille of the macroblock's; 0: nowhere.
    int split;
    int split_bits;  // and save so many bits' worth
    // A macroblock of a drawn picture (LeanIsDrawn()) whose first vectors and own ones all fit
    // poorly (LeanIsPoor()) after the passes tries every vector of up to so many pixels: text
    // that comes into view matches other text, to which no vector around leads. 0: none.
    int drawn;
};

constexpr int kLeanLevels = 5;
constexpr LeanLevel kLeanLevel[kLeanLevels] = {
    {32, true, true, 4, 8, 3, true, 16, 16, 1500, 0, 1000, 0, 64},
    {32, false, true, 4, 8, 3, true, 48, 96, 1200, 0, 1000, 0, 32},
    {16, false, false, 6, 0, 1, false, 96, 96, 950, 0, 920, 16, 0},
    {16, false, false, 8, 0, 1, false, 104, 96, 950, 0, 920, 24, 0},
    {16, false, false, 8, 0, 1, false, 130, 96, 950, 512, 0, 0, 0},
};

constexpr int kLeanMoves = 4;  // the most of a descent

constexpr bool LeanDescends(const LeanLevel& level, int search) { return !search || level.others; }

// The macroblocks that look far: what they find spreads in the passes.
constexpr bool LeanLooksFar(int search, int mb_row, int mb_col) {
    return !search && !(mb_row & 1) && !(mb_col & 1);
}
constexpr int kLeanFar = 32;  // of the cross, pixels to each side

struct LeanVector {
    int x, y;
};

// Vector n of the cross from its centre: across, then down.
constexpr int kLeanFarCross = 2 * (2 * kLeanFar + 1);
constexpr LeanVector LeanFarCross(int n) {
    const int down = n > 2 * kLeanFar ? n - 2 * kLeanFar - 1 : -1;
    return down < 0 ? LeanVector{n - kLeanFar, 0} : LeanVector{0, down - kLeanFar};
}

// Vector n of the rings, which are four pixels apart.
constexpr int kLeanRing = 16;
constexpr LeanVector LeanRing(int n) {
    constexpr int kX[kLeanRing] = {4, 4, 3, 2, 0, -2, -3, -4, -4, -4, -3, -2, 0, 2, 3, 4};
    const int scale = n / kLeanRing + 1;
    return {scale * kX[n % kLeanRing], scale * kX[(n + 12) % kLeanRing]};
}

// Whether a macroblock's vector gets sub-pel ones: in the first search, which is mostly that of
// the last frame, unless another is far better; in the others by level.refs. cost is its
// whole-pixel cost, first that of the first search, low the least of all.
constexpr bool LeanMoves(const LeanLevel& level, int search, int cost, int first, int low, int sad,
                         int still) {
    if (sad <= still) return false;
    return search ? static_cast<int64_t>(cost) * 1000 <= static_cast<int64_t>(first) * level.refs
                  : cost * 10 <= low * 15;
}

// Whether its smaller blocks do: sad[] of kLeanBlocks blocks.
template <class T>
constexpr bool LeanSplits(const LeanLevel& level, const T* sad, int sad_per_bit) {
    if (!level.split) return false;
    const int rows = sad[CUDAME_BLOCK_16X8] + sad[CUDAME_BLOCK_16X8 + 1];
    const int cols = sad[CUDAME_BLOCK_8X16] + sad[CUDAME_BLOCK_8X16 + 1];
    const T* quarter = sad + CUDAME_BLOCK_8X8;
    const int quarters = quarter[0] + quarter[1] + quarter[2] + quarter[3];
    int low = rows < cols ? rows : cols;
    low = quarters < low ? quarters : low;
    return low * 1000 <= sad[0] * level.split && sad[0] - low >= level.split_bits * sad_per_bit;
}

// Whether even the quarters' vectors are poor: sad[] of kLeanBlocks blocks.
constexpr int kLeanPoor = 8;  // a pixel
template <class T>
constexpr bool LeanIsPoor(const T* sad) {
    const T* quarter = sad + CUDAME_BLOCK_8X8;
    return quarter[0] + quarter[1] + quarter[2] + quarter[3] > kLeanPoor * kMb * kMb;
}

// Whether a macroblock is of a drawn picture, like text and user interfaces: of the 240 pixels
// that have a left neighbour in it, a quarter equals that. In what a camera saw few pixels do
// where there is anything to match.
constexpr int kLeanDrawnPixels = 60;
constexpr bool LeanIsDrawn(int equal) { return equal >= kLeanDrawnPixels; }

// Vector n of the box in which a drawn macroblock is searched, in raster order.
constexpr int LeanBoxSide(int range) { return 2 * range + 1; }
constexpr LeanVector LeanBoxVector(int range, int n) {
    return {n % LeanBoxSide(range) - range, n / LeanBoxSide(range) - range};
}

// Neighbours of a vector are numbered in raster order of the 3x3 around it.
constexpr int kNeighbourCount = 9, kSameVector = 4;
constexpr uint32_t kNoCost = 1u << 30;  // of a neighbour that is not legal

// The quarter-pel neighbours that are tried around half-pel neighbour `best`, as bits: to both
// sides where costs beyond it are not known, else to the side that costs less. cost[] is that of
// all half-pel neighbours.
constexpr unsigned LeanQuarters(int best, const uint32_t* cost) {
    const unsigned across = best % 3 != 1 ? 7 : cost[best - 1] < cost[best + 1] ? 3 : 6;
    const unsigned down = best / 3 != 1 ? 7 : cost[best - 3] < cost[best + 3] ? 3 : 6;
    return (down & 1 ? across : 0) | (across & 5u) << 3 | (down & 4 ? across << 6 : 0);
}

// Candidates before the descent: zero, the co-located vector and those above, left, right and
// below of it, and of the coarse level the quarter's and the whole one; without a descent the
// first two.
constexpr int kLeanCandidates = 8;

// The coarse level's vectors in their order: zero, a cross from -kLeanCross to kLeanCross - 1,
// the grid. Those of the grid that the cross has are tried twice.
constexpr int kLeanCross = 32, kLeanGridStep = 8;
constexpr int LeanGridSide(const LeanLevel& level) { return 2 * level.grid / kLeanGridStep + 1; }
constexpr int LeanCoarseVectors(const LeanLevel& level) {
    return 1 + 4 * kLeanCross + LeanGridSide(level) * LeanGridSide(level);
}
constexpr LeanVector LeanCoarseVector(const LeanLevel& level, int n) {
    if (n == 0) return {0, 0};
    n -= 1;
    if (n < 2 * kLeanCross) return {n - kLeanCross, 0};
    n -= 2 * kLeanCross;
    if (n < 2 * kLeanCross) return {0, n - kLeanCross};
    n -= 2 * kLeanCross;
    const int side = LeanGridSide(level);
    return {n % side * kLeanGridStep - level.grid, n / side * kLeanGridStep - level.grid};
}

// Coarse vectors, of a coarse macroblock: the whole one and its quarters'.
constexpr int kLeanCoarseBlocks = 5;
constexpr int LeanCoarseBlock(int i) { return i ? CUDAME_BLOCK_8X8 + i - 1 : 0; }
constexpr int LeanCoarseQuarter(int mb_row, int mb_col) {
    return 1 + 2 * (mb_row % kCoarseScale / 2) + mb_col % kCoarseScale / 2;
}

}  // namespace cudame

#endif  // CUDAME_COMMON_LEAN_H_
