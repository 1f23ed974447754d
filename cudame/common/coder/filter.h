// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The normal loop filter of a whole frame (RFC 6386 section 15), in place. A macroblock has 32
// lines across its vertical edges, and 32 across its horizontal ones: 16 of luma, 8 of U, 8 of V.

#ifndef CUDAME_COMMON_CODER_FILTER_H_
#define CUDAME_COMMON_CODER_FILTER_H_

#include "common/coder/lanes.h"
#include "common/loop_filter.h"
#include "cudame/whole_frame.h"

namespace cudame {

// The planes to filter, of whole macroblocks.
struct FilterFrame {
    uint8_t* plane[3];
    int stride, uv_stride;
    int mb_rows, mb_cols;
    const uint8_t* macroblocks;  // as in cudame_frame_filter
    int sharpness;
    bool is_key;
};

}  // namespace cudame

namespace cudame::CODER_NAMESPACE {

// A line: four pixels before the macroblock, and up to sixteen of it, `step` bytes apart.
struct FilterLine {
    uint8_t* at;  // the first pixel of the macroblock
    int step;
    bool is_luma;
};

// The line `i` of a macroblock, 0 to 31. down: a column, which crosses horizontal edges.
CODER_FN FilterLine LineOf(const FilterFrame& f, int row, int col, int i, bool down) {
    const bool is_luma = i < 16;
    const int plane = is_luma ? 0 : 1 + (i >> 3 & 1), size = is_luma ? 16 : 8;
    const int stride = is_luma ? f.stride : f.uv_stride, k = i & (size - 1);
    uint8_t* const mb = f.plane[plane] + size * row * stride + size * col;
    if (down) return {mb + k, stride, is_luma};
    return {mb + k * stride, 1, is_luma};
}

// Filters the edges that a line crosses. outer: that of the macroblock; inner: those between its
// sub-blocks. Loads are Fresh() because other warps filter the row above. It stores pixels that it
// has not changed, too: at that time no other warp filters a macroblock that shares them.
CODER_FN void FilterAcross(const EdgeLimits& l, const FilterLine& line, bool outer, bool inner) {
    const int size = line.is_luma ? 16 : 8;
    int pixels[20] = {};
    for (int i = 0; i < 20; i++)
        if (i < 4 ? outer : i < 4 + size) pixels[i] = Fresh(line.at + (i - 4) * line.step);
    if (outer) FilterEdgeAt<4, true>(l, pixels);
    if (inner) FilterEdgeAt<8, false>(l, pixels);
    if (inner && line.is_luma) {
        FilterEdgeAt<12, false>(l, pixels);
        FilterEdgeAt<16, false>(l, pixels);
    }
    for (int i = 1; i < 20; i++)
        if (i < 4 ? outer : i < 4 + size)
            line.at[(i - 4) * line.step] = static_cast<uint8_t>(pixels[i]);
}

// Filters a macroblock after those to the left and above, and that above to the right.
CODER_FN void FilterMacroblock(const FilterFrame& f, int row, int col) {
    const int what = f.macroblocks[row * f.mb_cols + col], level = what & 63;
    if (!level) return;
    const bool inner = what & CUDAME_LOOP_FILTER_INNER;
    const EdgeLimits l = MakeEdgeLimits(level, f.sharpness, f.is_key);
    for (int i = Lane(); i < 32; i += kLanes)
        FilterAcross(l, LineOf(f, row, col, i, false), col, inner);
    Sync();
    for (int i = Lane(); i < 32; i += kLanes)
        FilterAcross(l, LineOf(f, row, col, i, true), row, inner);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_FILTER_H_
