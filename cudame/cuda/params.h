// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// What host and kernels agree on.

#ifndef CUDAME_CUDA_PARAMS_H_
#define CUDAME_CUDA_PARAMS_H_

#include <cstdint>

#include "cudame/cudame.h"

namespace cudame {

constexpr int kMaxSearches = CUDAME_REFS - 1;

// One reference of a launch. Device pointers.
struct RefParams {
    const uint8_t* plane;       // first pixel inside of a border of CUDAME_REF_BORDER
    const cudame_mv* previous;  // predictions, one for each macroblock; NULL: zero
    cudame_mv* best;            // 16x16 vectors, the next frame's predictions
    cudame_mv* integer;         // CUDAME_BLOCKS for each macroblock, between two kernels
    const cudame_mv* coarse;    // the same of the coarse macroblocks, or NULL
    cudame_mb* field;           // records, in pinned host memory
};

// A band of macroblock rows. Grid: mb_cols (or groups of them) x rows times
// searches, so that blocks start, and rows finish, in the encoder's order.
struct LaunchParams {
    const uint8_t* src;  // padded to whole macroblocks, rows 16-byte aligned
    const int* costs;    // 2 x (2 * 1023 + 1): rows, columns
    int src_stride, ref_stride;
    int mb_cols, mb_rows;  // of the frame
    int first_row;         // of the band
    int sad_per_bit;
    int range;       // full search
    int chunk_rows;  // rows of vectors whose reference pixels fit in shared memory
    int filter;      // enum cudame_filter
    int split;       // all 25 blocks
    int iterative;   // the diamond that moves
    int coarse_cols;
    int searches;
    uint32_t sequence;   // of the frame
    uint32_t* finished;  // by row: blocks that finished in this frame
    uint32_t* progress;  // by row: sequence when it is complete; pinned host memory
    RefParams refs[kMaxSearches];
};

// Shrinking a plane to a quarter of its width and height; grid covers those.
struct ShrinkParams {
    const uint8_t* from;
    uint8_t* to;
    int from_stride, to_stride;
    int width, height;  // of the small plane
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
