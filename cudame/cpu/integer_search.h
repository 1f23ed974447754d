// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Integer search of one macroblock against one reference.

#ifndef CUDAME_CPU_INTEGER_SEARCH_H_
#define CUDAME_CPU_INTEGER_SEARCH_H_

#include "coarse.h"
#include "cpu/kernels.h"
#include "cudame/cudame.h"
#include "geometry.h"
#include "mv_cost.h"

namespace cudame {

struct SearchTask {
    const uint8_t* src;  // 16 rows of 16
    const uint8_t* ref;  // the pixel that the zero vector points to
    ptrdiff_t stride;
    Window window;
    MvRate rate;
    cudame_mv co_located;       // vector of the last field
    enum cudame_search search;  // not DEFAULT
    int range;
    bool split;                     // all 25 blocks, or the 16x16 alone
    bool half;                      // the hierarchical search's half level
    Vec seeds[kHierarchicalSeeds];  // of the coarse search and the half level
    int seed_count;
};

struct IntegerResult {
    Vec mv[CUDAME_BLOCKS];
    uint16_t cost[CUDAME_BLOCKS];  // min(SAD + rate, 65535)
    uint16_t sad[CUDAME_BLOCKS];
    uint16_t sad_zero;
};

// Evaluation order, in which the first of equal costs wins: zero, the rounded
// co-located vector, (unless the search is full) a box around the better one, boxes
// around the seeds, then the search: around the best of all these, or, if it is
// full, around the better of the first two, so that its range holds, and
// around the best of all these if it is out of that range; a refinement of the
// 16x16 vector, and one of each sub-block's. Each in raster order.
//
// The hierarchical search has smaller boxes, around the first two and its seeds,
// then a patch around the best (on the half level one around zero before), and no
// refinements. In the frame, what is poor then is searched as the full search does.
void IntegerSearch(const Kernels& kernels, const SearchTask& task, IntegerResult* result);

// Of a macroblock of the coarse level, whatever the task's search: zero, then all legal
// vectors of the window, or of the cross in it, in raster order.
void CoarseSearch(const Kernels& kernels, const SearchTask& task, bool cross,
                  IntegerResult* result);

}  // namespace cudame

#endif  // CUDAME_CPU_INTEGER_SEARCH_H_
