// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The whole-pixel search of one macroblock against one reference: the definition, which the
// CUDA kernels match.

#ifndef CUDAME_CPU_INTEGER_SEARCH_H_
#define CUDAME_CPU_INTEGER_SEARCH_H_

#include "common/coarse.h"
#include "common/geometry.h"
#include "common/mv_cost.h"
#include "cpu/kernels.h"
#include "cudame/cudame.h"

namespace cudame {

struct SearchTask {
    const uint8_t* src;  // 16 rows of 16 pixels
    const uint8_t* ref;  // the pixel that the zero vector points to
    ptrdiff_t stride;
    Window window;
    MvRate rate;
    cudame_mv co_located;       // of the last field, in quarter pixels
    enum cudame_search search;  // not DEFAULT
    int range;
    bool split;         // all 25 blocks, or the 16x16 alone
    Vec seeds[kSeeds];  // of the coarse search
    int seed_count;
};

struct IntegerResult {
    Vec mv[CUDAME_BLOCKS];
    uint16_t cost[CUDAME_BLOCKS];  // min(SAD + rate, 65535)
    uint16_t sad[CUDAME_BLOCKS];
    uint16_t sad_zero;
};

// Searches a macroblock. Of equal costs the vector that is tried first wins, and this is the
// order, in raster order within each shape:
//
//  1. zero, and the co-located vector rounded to whole pixels;
//  2. a 5x5 box around the better of these (not with FULL), and around each seed;
//  3. the search around the best so far. FULL searches its range around the better of the
//     first two instead, and then around the best so far if that lies beyond;
//  4. a refinement around the 16x16 vector (not ITERATIVE), then around each smaller block's.
void IntegerSearch(const Kernels& kernels, const SearchTask& task, IntegerResult* result);

// Searches a macroblock of the coarse level, whatever the task's search: zero, then in raster
// order all legal vectors of kCoarseWindow, or with `cross` those of the cross in it.
void CoarseSearch(const Kernels& kernels, const SearchTask& task, bool cross,
                  IntegerResult* result);

}  // namespace cudame

#endif  // CUDAME_CPU_INTEGER_SEARCH_H_
