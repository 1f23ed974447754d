// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Parameters of the lean search that the host and the kernels share. All pointers are device
// pointers.

#ifndef CUDAME_CUDA_LEAN_PARAMS_H_
#define CUDAME_CUDA_LEAN_PARAMS_H_

#include <cstdint>

#include "common/lean.h"
#include "cuda/search_params.h"

namespace cudame {

constexpr int kLeanCoarseWarps = 8;  // of a thread block, which searches one coarse macroblock
constexpr int kLeanMbs = 2;          // macroblocks, and warps, of a thread block of other kernels

// The whole-pixel results of a macroblock.
struct LeanFound {
    uint16_t cost[kLeanBlocks], sad[kLeanBlocks];
    uint16_t sad_zero;
    uint16_t alone;  // this search fits so well that the other references are not searched
};

// The box of a drawn macroblock is cut into slices of kDrawnRows rows of vectors. A thread block
// searches one slice at a time.
constexpr int kDrawnRows = 24;
constexpr int DrawnSlices(int range) { return (LeanBoxSide(range) + kDrawnRows - 1) / kDrawnRows; }

// An entry of the list of drawn macroblocks: the search's number above the macroblock's.
constexpr int kListSearchShift = 28;
constexpr uint32_t kListMb = (1u << kListSearchShift) - 1;

// The list of drawn macroblocks. Each launch has a part of it, which starts at the number of the
// launch's first macroblock times the number of searches.
struct DrawnParams {
    uint32_t* list;
    // By a launch's first row: the length of its list, and the number of thread blocks that are
    // done with it. Both are 0 between frames.
    uint32_t* list_counts;
    // kLeanBlocks keys for each entry of the list: the lowest DrawnKey() of each block so far. All
    // bits of the keys are set between frames.
    unsigned long long* least;
    uint32_t* done;  // by entry, number of slices that are done; 0 between frames
};

struct LeanCoarseParams : SearchParams {
    int src_width, src_height;  // of the shrunk source, in pixels
    LeanLevel level;
    int still;  // a lower SAD at the zero vector ends the search: level.still in units of SAD
    struct Ref : RefParams {
        cudame_mv* integer;  // gets CUDAME_BLOCKS vectors for each coarse macroblock
    } refs[kMaxSearches];
};

// The whole-pixel kernels: search, passes, drawn macroblocks.
struct LeanParams : SearchParams, WindowParams {  // the window is that of drawn macroblocks
    LeanLevel level;
    int still;        // as above
    int coarse_cols;  // coarse macroblocks of a row
    int pass;         // number of the pass, from 0 on
    cudame_mv*
        spread[2];  // 16x16 vectors of the first search before even and odd passes, in pixels
    DrawnParams drawn;
    struct Ref : RefParams {
        const cudame_mv* coarse;  // CUDAME_BLOCKS vectors for each coarse macroblock
        cudame_mv* integer;       // gets the same for each macroblock
        LeanFound* found;
    } refs[kMaxSearches];
};

struct LeanRefineParams : SearchParams, RowParams {
    LeanLevel level;
    int still;   // as above
    int filter;  // enum cudame_filter
    struct Ref : RefParams, RefOutput {
        const cudame_mv* integer;
        const uint8_t* half[3];  // planes half a pixel to the right, down, and both
        const LeanFound* found;
    } refs[kMaxSearches];
};

}  // namespace cudame

#endif  // CUDAME_CUDA_LEAN_PARAMS_H_
