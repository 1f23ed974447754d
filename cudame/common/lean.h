// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The lean search: which vectors it tries for a macroblock, by level. The last field and a sparse
// search at a quarter of the size predict vectors; the search descends from the best of these.
// Vectors that a few macroblocks find further away spread to their neighbours. Text that still
// matches poorly gets a full search. Sub-pel vectors are tried only in references that can win,
// and smaller blocks only if they may win.

#ifndef CUDAME_COMMON_LEAN_H_
#define CUDAME_COMMON_LEAN_H_

#include <cstdint>

#include "common/coarse.h"
#include "common/geometry.h"
#include "cudame/cudame.h"

namespace cudame {

// Number of blocks with whole-pixel vectors of their own. A 4x4 block uses that of its quarter.
constexpr int kLeanBlocks = CUDAME_BLOCK_4X4;

constexpr int WholeBlock(int block) {
    if (block < kLeanBlocks) return block;
    const int unit = block - CUDAME_BLOCK_4X4;
    return CUDAME_BLOCK_8X8 + unit / 8 * 2 + unit % 4 / 2;
}

// The parameters of a level. "The first search" is that of the first slot, mostly the last frame.
// Distortions in units of sad_per_bit are distortions worth that many bits.
struct LeanLevel {
    // Coarse level: besides a cross through zero, the search tries every kLeanGridStep-th vector
    // of a grid from -grid to grid, in coarse pixels. A grid of half the step gains 0.1 % of
    // bitrate.
    int grid;
    // The eight neighbours of every candidate are tried too. At best quality this gains 1.3 % on
    // clips with far motion in the same time, at good 2 0.3 % in 1.09 times the time.
    bool box;
    // The other searches have a coarse level and descend. If not, they try zero and the co-located
    // vector only: at realtime -8 this costs 0.2 % and takes 0.79 of the time; at good 2 it costs
    // 0.6 % and takes 0.86. They never have passes and never look far.
    bool others;
    // One macroblock of four (LeanLooksFar()) looks further if its SAD is more than `poor` for
    // each pixel: at all vectors of a cross, then at `rings` rings around the best of them. At
    // best quality cross and rings gain 0.5 % in 1.11 times the time. At good 5 rings gain nothing
    // and take 4 % of the time.
    int poor, rings;
    // How often a macroblock tries the vectors of its eight neighbours. At good 2 a third pass
    // gains 0.1 %; at realtime -8 a second one gains nothing.
    int passes;
    // The passes also try the neighbours of these vectors: 0.5 % at good 2; 0.2 % at realtime -8,
    // for 3 % of the time.
    bool pass_box;
    // A macroblock with a whole-pixel SAD of at most this keeps the vector. Unit: sad_per_bit. At
    // realtime -8, 64 instead of 96 gains 0.6 % and takes 1.11 times the time; at -16, from 128 on,
    // each 16 more cost 0.7 %.
    int still;
    // If the first search has found a SAD of at most this before its passes, the other searches
    // skip the macroblock: they report the zero vector, distortions of 65535 and no flags. Unit:
    // sad_per_bit. At good 2, 160 instead of 96 costs 0.5 % and takes 0.98 of the time; at realtime
    // -6, 160 costs 0.3 % and takes 0.96 of the time, 240 costs 0.8 % and takes 0.95.
    int alone;
    // Another reference gets sub-pel vectors if its whole-pixel cost is at most this many permille
    // of the first search's. 950 instead of 1100 gains 0.6 % at realtime -8; 850 instead of 950 is
    // level at -6 and takes 0.99 of the time.
    int refs;
    // A 16x16 vector gets quarter-pel vectors if its half-pel SATD is at least this; 0: always.
    // Unit: sad_per_bit. At realtime -16, 256 costs 0.3 %, 512 0.8 % at 0.94 of the instructions;
    // at -6, 256 costs 0.4 % and takes 0.98 of the time.
    int quarter;
    // Smaller blocks are refined if the whole-pixel SADs of the blocks of one size, except 4x4, add
    // up to at most this many permille of the macroblock's SAD; 0: never. At realtime -6 and -8,
    // 920 gains 3 % and takes 1.05 and 1.12 times the time.
    int split;
    // They must also save this many bits. At good 2, 0 instead of 6 gains 0.8 % and takes 1.12
    // times the time. 48 instead of 16 cost realtime -6, which had smaller blocks then, 0.8 %, and
    // took 0.94 of the time.
    int split_bits;
    // A macroblock of a drawn picture (LeanIsDrawn()) that matches poorly (LeanIsPoor()) after the
    // passes tries every vector of up to this many pixels; 0: none. Text that comes into view
    // matches other text, to which no neighbouring vector leads. On a clip of code at best
    // quality, 32 in the first search alone saves 3 % of the bytes, 64 7 %.
    int drawn;
};

// The numbers come from the tables of doc/lab/0038 to 0045, 0051 and 0072, which the comments above
// quote. libavcodec takes level 0 at best quality and good 0 and 1, level 1 at good 2 to 4 and
// realtime -1 to -3, level 2 at good 5 and realtime -4 and -5, level 3 at realtime -6 to -11 and
// without a negative cpu-used, and level 4 from -12 on. No measurement is noted for split_bits
// of 16.
// clang-format off
constexpr int kLeanLevels = 5;
constexpr LeanLevel kLeanLevel[kLeanLevels] = {
    // grid  box    others poor rings passes pass_box still alone  refs quarter split split_bits drawn
    {  32,   true,  true,  4,   8,    3,     true,    16,   16,    1500, 0,     1000, 0,         64 },
    {  32,   false, true,  4,   8,    3,     true,    48,   96,    1200, 0,     1000, 0,         32 },
    {  16,   false, false, 6,   0,    1,     false,   96,   96,     950, 0,      920, 16,         0 },
    {  16,   false, false, 8,   0,    1,     false,   104, 160,     850, 256,      0, 0,          0 },
    {  16,   false, false, 8,   0,    1,     false,   130,  96,     950, 512,      0, 0,          0 },
};
// clang-format on

// A macroblock that ends its first search at the zero vector, with a SAD of at most still / 2, is
// skipped by the other searches.
constexpr bool LeanStillIsAlone() {
    for (const LeanLevel& level : kLeanLevel)
        if (level.still > 2 * level.alone) return false;
    return true;
}
static_assert(LeanStillIsAlone(), "the CPU's search does without the cost of such a macroblock");

constexpr int kLeanMoves = 4;  // most moves of a descent

constexpr bool LeanDescends(const LeanLevel& level, int search) { return !search || level.others; }

// Return whether a macroblock may look far. Its vectors spread to the others in the passes.
constexpr bool LeanLooksFar(int search, int mb_row, int mb_col) {
    return !search && !(mb_row & 1) && !(mb_col & 1);
}
constexpr int kLeanFar = 32;  // reach of the cross, pixels to each side

struct LeanVector {
    int x, y;
};

// LeanFarCross(n) is vector n of the cross, relative to its centre: first the row, then the column.
constexpr int kLeanFarCross = 2 * (2 * kLeanFar + 1);
constexpr LeanVector LeanFarCross(int n) {
    const int down = n > 2 * kLeanFar ? n - 2 * kLeanFar - 1 : -1;
    return down < 0 ? LeanVector{n - kLeanFar, 0} : LeanVector{0, down - kLeanFar};
}

// LeanRing(n) is vector n of the rings, relative to their centre. Rings are four pixels apart.
constexpr int kLeanRing = 16;
constexpr LeanVector LeanRing(int n) {
    constexpr int kX[kLeanRing] = {4, 4, 3, 2, 0, -2, -3, -4, -4, -4, -3, -2, 0, 2, 3, 4};
    const int scale = n / kLeanRing + 1;
    return {scale * kX[n % kLeanRing], scale * kX[(n + 12) % kLeanRing]};
}

// Return whether a macroblock gets sub-pel vectors in a search. In the first search: unless another
// is far better. In the others: by level.refs. cost is the whole-pixel cost of this search, first
// that of the first search, low the lowest of all. still is the SAD of level.still.
constexpr bool LeanMoves(const LeanLevel& level, int search, int cost, int first, int low, int sad,
                         int still) {
    if (sad <= still) return false;
    return search ? static_cast<int64_t>(cost) * 1000 <= static_cast<int64_t>(first) * level.refs
                  : cost * 10 <= low * 15;
}

// Return whether the smaller blocks of a macroblock get sub-pel vectors. sad[] has kLeanBlocks
// entries.
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

// Return whether even the vectors of the quarters match poorly. sad[] has kLeanBlocks entries.
constexpr int kLeanPoor = 8;  // SAD of a pixel
template <class T>
constexpr bool LeanIsPoor(const T* sad) {
    const T* quarter = sad + CUDAME_BLOCK_8X8;
    return quarter[0] + quarter[1] + quarter[2] + quarter[3] > kLeanPoor * kMb * kMb;
}

// Return whether a macroblock belongs to a drawn picture, like text or a user interface: of the 240
// pixels that have a left neighbour in the macroblock, at least a quarter equal it. In camera
// pictures few pixels do, except in flat areas that need no search.
constexpr int kLeanDrawnPixels = 60;
constexpr bool LeanIsDrawn(int equal) { return equal >= kLeanDrawnPixels; }

// Return vector n of the box in which a drawn macroblock is searched, in raster order.
constexpr int LeanBoxSide(int range) { return 2 * range + 1; }
constexpr LeanVector LeanBoxVector(int range, int n) {
    return {n % LeanBoxSide(range) - range, n / LeanBoxSide(range) - range};
}

// The 3x3 vectors around a vector are numbered in raster order; number kSameVector is the vector
// itself.
constexpr int kNeighbourCount = 9, kSameVector = 4;
constexpr uint32_t kNoCost = 1u << 30;  // cost of a neighbour that is not legal

// Return the quarter-pel neighbours that are tried around half-pel neighbour number `best`, as
// bits. On each axis: both sides if the costs beyond `best` are not known, else the side that costs
// less. cost[] has the costs of all nine half-pel neighbours.
constexpr unsigned LeanQuarters(int best, const uint32_t* cost) {
    const unsigned across = best % 3 != 1 ? 7 : cost[best - 1] < cost[best + 1] ? 3 : 6;
    const unsigned down = best / 3 != 1 ? 7 : cost[best - 3] < cost[best + 3] ? 3 : 6;
    return (down & 1 ? across : 0) | (across & 5u) << 3 | (down & 4 ? across << 6 : 0);
}

// Most candidates before the descent: zero, the co-located vector of the last field and the vectors
// above, left, right and below of it, and two vectors of the coarse level: that of the quarter and
// that of the whole coarse macroblock. A search without a descent has the first two.
constexpr int kLeanCandidates = 8;

// The vectors of the coarse level in their order: zero, a cross from -kLeanCross to kLeanCross - 1,
// the grid. Vectors that are on both are tried twice.
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

// Vectors of a coarse macroblock: one for all of it and one for each quarter.
constexpr int kLeanCoarseBlocks = 5;
constexpr int LeanCoarseBlock(int i) { return i ? CUDAME_BLOCK_8X8 + i - 1 : 0; }
constexpr int LeanCoarseQuarter(int mb_row, int mb_col) {
    return 1 + 2 * (mb_row % kCoarseScale / 2) + mb_col % kCoarseScale / 2;
}

}  // namespace cudame

#endif  // CUDAME_COMMON_LEAN_H_
