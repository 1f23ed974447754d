// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The whole-pixel part of the lean search of one macroblock against one reference. This is the
// definition; the CUDA kernels give the same result.

#ifndef CUDAME_CPU_LEAN_SEARCH_H_
#define CUDAME_CPU_LEAN_SEARCH_H_

#include "common/geometry.h"
#include "common/lean.h"
#include "common/mv_cost.h"
#include "cpu/kernels.h"

namespace cudame {

struct LeanTask {
    const uint8_t* src;  // 16 rows of 16 pixels, 16-byte aligned
    const uint8_t* ref;  // the pixel that the zero vector points to
    ptrdiff_t stride;
    Window window;
    MvRate rate;
    bool descends, looks_far;
    // The SAD of the zero vector, which LeanSearch() reads at levels without smaller blocks.
    uint16_t sad_zero;
};

// The vectors of kLeanBlocks blocks, in whole pixels, and their costs min(SAD + rate, 65535).
struct LeanVectors {
    LeanVec mv[kLeanBlocks];
    uint16_t cost[kLeanBlocks];
    uint16_t sad[kLeanBlocks];
    uint16_t sad_zero;
    bool settled;  // all neighbours of mv[0] were tried
};

// Search a macroblock. Each vector is tried for all blocks; vectors outside the window are not
// tried. Of equal costs the vector that is tried first wins. The order is:
//
// 1. Zero, which is taken at any cost. A SAD of at most still / 2 ends the search.
// 2. The candidates, clamped to the window. The search ends if the SAD is at most `still`, or if
//    the task does not descend.
// 3. With level.box, the eight neighbours of zero and of each candidate, in raster order.
// 4. If the task looks far and the SAD is still too high, the cross and then the rings, each around
// the best 16x16 vector so far.
// 5. The eight neighbours of the 16x16 vector, and again around the new vector as long as it moves,
// at most kLeanMoves times.
void LeanSearch(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
                const Vec* candidates, int count, int still, LeanVectors* result);

// Try the 16x16 vectors of neighbouring macroblocks for a macroblock that was searched, clamped to
// its window: all that differ from its own vector; with level.pass_box also the eight neighbours of
// each. If its vector changes, descend as in LeanSearch().
void LeanSpread(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
                const Vec* around, int count, LeanVectors* result);

// Try every vector of the level's box around zero for a drawn macroblock, in raster order.
void LeanSearchDrawn(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
                     LeanVectors* result);

// Return whether a source macroblock is drawn, see LeanIsDrawn().
bool LeanSourceIsDrawn(const uint8_t* src);

// Search a coarse macroblock without rates: zero, which ends the search if its SAD is at most
// `still`; then the vectors of LeanCoarseVector() in their order; then the eight neighbours of each
// of the five best vectors, at half of the grid's step, a quarter, and so on down to one pixel. A
// step starts from the five vectors that the step before found.
void LeanCoarseSearch(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
                      int still, Vec result[kLeanCoarseBlocks]);

}  // namespace cudame

#endif  // CUDAME_CPU_LEAN_SEARCH_H_
