// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Intra prediction from reconstructed neighbours (RFC 6386 section 12).

#ifndef CUDAME_COMMON_CODER_INTRA_H_
#define CUDAME_COMMON_CODER_INTRA_H_

#include "common/coder/macroblock.h"
#include "common/intra.h"

namespace cudame::CODER_NAMESPACE {

// Predicts a plane of s.pred from the row above it and the column to its left, which are in its
// tile.
CODER_CALL void PredictIntra(int mode, int plane) {
    Mb& s = State();
    const int log = plane ? 3 : 4, size = 1 << log, stride = plane ? kUvTileStride : kTileStride;
    const uint8_t* at00 = plane ? UvTileAt(s, plane - 1, 0, 0) : TileAt(s, 0, 0);
    uint8_t* to = s.pred + (plane == 0 ? 0 : plane == 1 ? kU : kV);
    const bool has_above = s.row > 0, has_left = s.col > 0;
    int dc = 128;
    if (mode == kDcPred && (has_above || has_left)) {
        int sum = 0;
        CODER_ROLLED
        for (int i = Lane(); i < size; i += kLanes) {
            if (has_above) sum += at00[i - stride];
            if (has_left) sum += at00[i * stride - 1];
        }
        const int shift = log + (has_above && has_left);
        dc = (Sum(sum) + (1 << (shift - 1))) >> shift;
    }
    const int corner = at00[-stride - 1];
    Sync();
    CODER_ROLLED
    for (int i = Lane(); i < size << log; i += kLanes) {
        const int y = i >> log, x = i & (size - 1);
        const int above = at00[x - stride], left = at00[y * stride - 1];
        to[i] = mode == kDcPred  ? static_cast<uint8_t>(dc)
                : mode == kVPred ? static_cast<uint8_t>(above)
                : mode == kHPred ? static_cast<uint8_t>(left)
                                 : Pixel(left + above - corner);
    }
    Sync();
}

CODER_FN void PredictIntraLuma(int mode) { PredictIntra(mode, 0); }
CODER_FN void PredictIntraChroma(int mode) {
    CODER_ROLLED
    for (int plane = 1; plane < 3; plane++) PredictIntra(mode, plane);
}

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
