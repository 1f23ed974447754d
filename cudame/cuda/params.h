// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// What host and kernels agree on.

#ifndef CUDAME_CUDA_PARAMS_H_
#define CUDAME_CUDA_PARAMS_H_

#include <cstdint>

#include "common/lean.h"
#include "cudame/cudame.h"

namespace cudame {

constexpr int kMaxSearches = CUDAME_REFS - 1;

// Keys order candidates: cost in the upper 17 bits, evaluation order below.
// A cost of kMaxRate or more never beats what is there, as in the reference.
constexpr int kOrderBits = 15;

// Parts of a row of one search that are copied to the host at once, and what is counted
// of a row: parts of all searches that are copied, and blocks of each that finished.
constexpr int kRowParts = 8, kRowCounters = 1 + kMaxSearches * kRowParts;

// A list of macroblocks: the search's number above that of the macroblock.
constexpr int kListSearchShift = 28;
constexpr uint32_t kListMb = (1u << kListSearchShift) - 1;

// What the lean search knows of a macroblock's whole-pixel vectors.
struct LeanFound {
    uint16_t cost[kLeanBlocks], sad[kLeanBlocks];
    uint16_t sad_zero;
    uint16_t alone;  // the first ones fit so well: other references are not searched
};

// Rows of vectors of a box that a thread block searches at once for a drawn macroblock.
constexpr int kDrawnRows = 24;
constexpr int DrawnSlices(int range) { return (LeanBoxSide(range) + kDrawnRows - 1) / kDrawnRows; }

constexpr int kListMbs = 4;  // macroblocks, and warps, of a block of the searches over lists
constexpr int kLeanCoarseWarps = 8;  // for each coarse macroblock of the lean search
constexpr int kLeanMbs = 2;          // macroblocks, and warps, of a block of its other kernels

constexpr int kSubpelMbs = 4, kSubpelThreads = 64;          // of a block of the sub-pel search
constexpr int kTexMbs = 2, kTexThreads = kTexMbs * 5 * 16;  // and of that on bilinear pixels

// Pixels around zero, the prediction and the seeds, in shared memory.
constexpr int kBoxes = 2 + 3;
constexpr int kBoxRows = 5 + 15, kBoxStride = 6;      // words
constexpr int kBoxWords = kBoxRows * kBoxStride + 4;  // other banks for the next one

// The full search: vectors of a thread below each other, words of a row of the
// tile for n columns of vectors, and of one of its four shifted copies: they lie
// eight banks apart, so that four neighbouring vectors never meet in one.
constexpr int kWindowThreads = 128;
constexpr int kWindowColumn = 4;
constexpr int WindowWords(int n) { return (n + 2) / 4 + 5; }
constexpr int WindowCopyWords(int words, int chunk_rows) {
    return (words * (chunk_rows + 15) + 31 - 8) / 32 * 32 + 8;
}

// One reference of a launch. Device pointers.
struct RefParams {
    const uint8_t* plane;       // first pixel inside of a border of CUDAME_REF_BORDER
    const cudame_mv* previous;  // predictions, one for each macroblock; NULL: zero
    cudame_mv* best;            // 16x16 vectors, the next frame's predictions
    cudame_mv* integer;         // CUDAME_BLOCKS for each macroblock, between two kernels
    const cudame_mv* coarse;    // the same of the coarse macroblocks, or NULL
    const uint8_t* half[3];     // lean search: planes half a pixel right, down, both
    LeanFound* lean;            // the same, for each macroblock
    cudame_mb* records;         // of all macroblocks
    cudame_split* splits;       // of their smaller blocks, or NULL
    cudame_mb* field;           // the same in pinned host memory, by complete rows
    cudame_split* field_splits;
};

// A band of macroblock rows. Grid: searches x mb_cols (or groups of them) x rows,
// so that blocks start, and rows finish, in the encoder's order.
struct LaunchParams {
    const uint8_t* src;  // padded to whole macroblocks, rows 16-byte aligned
    const int* costs;    // 2 x (2 * 1023 + 1): rows, columns
    int src_stride, ref_stride;
    int src_width, src_height;  // coarse level: of the small source that src makes
    int mb_cols, mb_rows;       // of the frame
    int first_row;              // of the band
    int sad_per_bit;
    int range;       // full search; of drawn macroblocks
    int chunk_rows;  // rows of vectors whose reference pixels fit in shared memory
    int filter;      // enum cudame_filter
    int split;       // all 25 blocks
    int iterative;   // the diamond that moves
    int cross;       // coarse level: only what kCoarseAcross and kCoarseDown have
    int coarse_cols;
    int searches;
    uint32_t key_scale;  // 1 << kOrderBits, where no compiler can see it
    uint32_t sequence;   // of the frame
    uint32_t* finished;  // by row: kRowCounters, zero between frames; see FinishBlock()
    uint32_t* progress;  // by row: sequence when it is complete; pinned host memory
    // Macroblocks that the lean search of a band searches in a box: lists from the band's first
    // macroblock of all searches on; by row, of bands' first ones, their length, and blocks that
    // are done with it. Both are 0 between frames.
    uint32_t* list;
    uint32_t* list_counts;
    // Of that list: the least of what was found for each of kLeanBlocks blocks (see
    // DrawnKey()), all ones between frames, and slices of the box that are done, 0 between frames.
    unsigned long long* drawn;
    uint32_t* drawn_done;
    LeanLevel lean;
    int still;             // SAD of level.still
    int pass;              // of the lean search, from 0 on
    cudame_mv* spread[2];  // the first search's 16x16 vectors, in whole pixels, before even and
                           // odd passes
    RefParams refs[kMaxSearches];
};

// Intra estimates of rows of macroblocks. Grid: groups of kIntraMbs x rows.
constexpr int kIntraMbs = 8;
struct IntraParams {
    const uint8_t* src;  // as that of a search
    int src_stride;
    int mb_cols;            // of the frame
    int first_row;          // of the launch
    uint32_t sequence;      // of the frame
    uint32_t* finished;     // by row: thread blocks, zero between frames
    uint32_t* progress;     // by row: sequence when it is complete; pinned host memory
    cudame_intra* records;  // pinned host memory
    uint32_t rates[CUDAME_BMODES];
};

// Shrinking a plane to a quarter of its width and height; grid covers those
// and the border.
struct ShrinkParams {
    const uint8_t* from;
    uint8_t* to;
    int from_stride, to_stride;
    int width, height;                // that come from pixels
    int padded_width, padded_height;  // of the small plane
    int border;
};

// The half-pel planes of a padded plane; the grid covers them, from kHalfMargin pixels
// outside of the frame on, in columns of four by kHalfRows pixels.
constexpr int kHalfMargin = 20, kHalfRows = 8;
struct HalfPlanesParams {
    const uint8_t* from;
    uint8_t* to[3];
    int stride;  // of all
    int width, height;
    int filter;
};

// Copying a plane into a padded one; grid covers width x rows.
struct PadParams {
    uint8_t* plane;  // first pixel of the frame
    int stride;
    int width, height;  // valid pixels
    int padded_width, padded_height;
    int border;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_PARAMS_H_
