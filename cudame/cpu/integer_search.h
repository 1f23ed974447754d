// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The whole-pixel search of one macroblock against one reference, for the papers' searches. This is
// the definition; the CUDA kernels give the same result.

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
    bool split;         // search all 25 blocks, else only the 16x16
    Vec seeds[kSeeds];  // vectors of the coarse level, in pixels of the frame
    int seed_count;
};

struct IntegerResult {
    Vec mv[CUDAME_BLOCKS];
    uint16_t cost[CUDAME_BLOCKS];  // min(SAD + rate, 65535)
    uint16_t sad[CUDAME_BLOCKS];
    uint16_t sad_zero;
};

// Search a macroblock. Of equal costs the vector that is tried first wins. Vectors are tried in
// this order, and in raster order within each shape:
//
// 1. Zero, and the co-located vector rounded to whole pixels.
// 2. A 5x5 box around the better of these (not with FULL), and one around each seed.
// 3. The search around the best vector so far. FULL searches its range around the better vector of
//    step 1 instead, and then around the best vector so far if that is out of range.
// 4. A refinement around the 16x16 vector (not with ITERATIVE), then around the vector of each
//    smaller block.
void IntegerSearch(const Kernels& kernels, const SearchTask& task, IntegerResult* result);

// Search a macroblock of the coarse level, whatever the task's search is: zero, then in raster
// order all legal vectors of kCoarseWindow, or of the cross in it.
void CoarseSearch(const Kernels& kernels, const SearchTask& task, bool cross,
                  IntegerResult* result);

}  // namespace cudame

#endif  // CUDAME_CPU_INTEGER_SEARCH_H_
