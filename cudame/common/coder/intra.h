// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Intra prediction from reconstructed neighbours (RFC 6386 section 12).

#ifndef CUDAME_COMMON_CODER_INTRA_H_
#define CUDAME_COMMON_CODER_INTRA_H_

#include "common/coder/macroblock.h"
#include "common/intra.h"

namespace cudame::CODER_NAMESPACE {

// Predict luma, or U and V, of s.pred from the row above and the column to the left, which are in
// the tiles. In cpu/coder_blocks.h for one lane and in cuda/coder_blocks.cuh for a warp.
CODER_FN void PredictIntraLuma(int mode);
CODER_FN void PredictIntraChroma(int mode);

// ---- sub-blocks ---------------------------------------------------------------------------------

// A pixel of a sub-block's edge, see common/intra.h. The sub-blocks at the right edge of a
// macroblock all use the row above the macroblock.
CODER_FN int EdgeAt(Mb& s, int block, int i) {
    const int x = 4 * (block & 3), y = 4 * (block >> 2);
    if (i < kEdgeCorner) return *TileAt(s, x - 1, y + 3 - i);
    const int over = i - kEdgeAbove;  // -1 for the corner
    return *TileAt(s, x + over, over >= 4 && x == 12 ? -1 : y - 1);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_INTRA_H_
