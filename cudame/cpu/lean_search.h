// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The whole-pixel part of the lean search of one macroblock against one reference: the
// definition, which the CUDA kernels match.

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
};

// Vectors of kLeanBlocks blocks, in whole pixels, with min(SAD + rate, 65535).
struct LeanVectors {
    LeanVec mv[kLeanBlocks];
    uint16_t cost[kLeanBlocks];
    uint16_t sad[kLeanBlocks];
    uint16_t sad_zero;
    bool settled;  // all neighbours of mv[0] were tried
};

// Searches a macroblock. Vectors in the window are tried for all blocks. Of equal costs the one
// that is tried first wins, and this is the order: zero, which is taken at any cost, and ends the
// search if its SAD is no more than half of `still`; the candidates, clamped to the window, after
// which a SAD of no more than `still` ends it, or that it does not descend; with level.box the
// eight neighbours of zero and of each candidate, in raster order; if it looks far and still fits
// poorly, the cross and then the rings, each around the best 16x16 vector so far; then the eight
// neighbours of the 16x16 vector, and around the new one as long as it moves, but no more often
// than kLeanMoves.
void LeanSearch(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
                const Vec* candidates, int count, int still, LeanVectors* result);

// Tries 16x16 vectors of macroblocks around one that was searched, clamped to its window, but for
// those that are its own: all of them; with level.pass_box the eight neighbours of each; and if
// its vector changed, the neighbours of that as in LeanSearch().
void LeanSpread(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
                const Vec* around, int count, LeanVectors* result);

// Tries every vector of the level's box around zero for a drawn macroblock, in raster order.
void LeanSearchDrawn(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
                     LeanVectors* result);

// Whether the source of a macroblock is drawn.
bool LeanSourceIsDrawn(const uint8_t* src);

// Searches a coarse macroblock, without rate: zero, which ends the search if its SAD is no more
// than `still`; LeanCoarseVector()s in their order; and then the eight neighbours of the five
// vectors in turn, as these are before the step, at half of the grid's step, down to one pixel.
void LeanCoarseSearch(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
                      int still, Vec result[kLeanCoarseBlocks]);

}  // namespace cudame

#endif  // CUDAME_CPU_LEAN_SEARCH_H_
