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

// A line: four pixels before the macroblock, and up to sixteen of it. A row crosses vertical edges.
// A column, whose pixels are `stride` bytes apart, crosses horizontal ones.
struct FilterLine {
    uint8_t* at;  // the first pixel of the macroblock
    int stride;
    bool is_luma;
};

// The line `i` of a macroblock, 0 to 31.
template <bool kIsColumn>
CODER_FN FilterLine LineOf(const FilterFrame& f, int row, int col, int i) {
    const bool is_luma = i < 16;
    const int plane = is_luma ? 0 : 1 + (i >> 3 & 1), size = is_luma ? 16 : 8;
    const int stride = is_luma ? f.stride : f.uv_stride, k = i & (size - 1);
    uint8_t* const mb = f.plane[plane] + size * row * stride + size * col;
    return {mb + k * (kIsColumn ? 1 : stride), stride, is_luma};
}

// Four pixels of a row, which a warp loads and stores at once. Loads are fresh because other warps
// filter the row above.
CODER_FN uint32_t FreshPixels(const uint8_t* p) {
#ifdef CUDAME_WARP
    return Fresh(reinterpret_cast<const uint32_t*>(p));
#else
    return p[0] | p[1] << 8 | p[2] << 16 | static_cast<uint32_t>(p[3]) << 24;
#endif
}
CODER_FN void StorePixels(uint32_t v, uint8_t* p) {
#ifdef CUDAME_WARP
    *reinterpret_cast<uint32_t*>(p) = v;
#else
    for (int i = 0; i < 4; i++) p[i] = static_cast<uint8_t>(v >> 8 * i);
#endif
}

// Loads and stores 20 pixels of a line, or 12 of chroma. Without `outer`, those before the
// macroblock are left out. Pixels are stored even if they have not changed: at that time no other
// warp filters a macroblock that shares them. The first one of a column never changes.
template <bool kIsColumn>
CODER_FN void LoadLine(const FilterLine& line, bool outer, int (&pixels)[20]) {
    const int size = line.is_luma ? 16 : 8;
    for (int i = 0; i < 20; i += kIsColumn ? 1 : 4) {
        if (!(i < 4 ? outer : i < 4 + size)) continue;
        if (kIsColumn) {
            pixels[i] = Fresh(line.at + (i - 4) * line.stride);
            continue;
        }
        const uint32_t four = FreshPixels(line.at + i - 4);
        for (int k = 0; k < 4; k++) pixels[i + k] = static_cast<int>(four >> 8 * k & 255);
    }
}
template <bool kIsColumn>
CODER_FN void StoreLine(const FilterLine& line, bool outer, const int (&pixels)[20]) {
    const int size = line.is_luma ? 16 : 8;
    for (int i = kIsColumn ? 1 : 0; i < 20; i += kIsColumn ? 1 : 4) {
        if (!(i < 4 ? outer : i < 4 + size)) continue;
        if (kIsColumn) {
            line.at[(i - 4) * line.stride] = static_cast<uint8_t>(pixels[i]);
            continue;
        }
        uint32_t four = 0;
        for (int k = 0; k < 4; k++) four |= static_cast<uint32_t>(pixels[i + k]) << 8 * k;
        StorePixels(four, line.at + i - 4);
    }
}

// Filters the edges that a line crosses. outer: that of the macroblock; inner: those between its
// sub-blocks.
template <bool kIsColumn>
CODER_FN void FilterAcross(const EdgeLimits& l, const FilterLine& line, bool outer, bool inner) {
    int pixels[20] = {};
    LoadLine<kIsColumn>(line, outer, pixels);
    if (outer) FilterEdgeAt<4, true>(l, pixels);
    if (inner) FilterEdgeAt<8, false>(l, pixels);
    if (inner && line.is_luma) {
        FilterEdgeAt<12, false>(l, pixels);
        FilterEdgeAt<16, false>(l, pixels);
    }
    StoreLine<kIsColumn>(line, outer, pixels);
}

// Filters a macroblock after those to the left and above, and that above to the right.
CODER_FN void FilterMacroblock(const FilterFrame& f, int row, int col) {
    const int what = f.macroblocks[row * f.mb_cols + col], level = what & 63;
    if (!level) return;
    const bool inner = what & CUDAME_LOOP_FILTER_INNER;
    const EdgeLimits l = MakeEdgeLimits(level, f.sharpness, f.is_key);
    for (int i = Lane(); i < 32; i += kLanes)
        FilterAcross<false>(l, LineOf<false>(f, row, col, i), col, inner);
    Sync();
    for (int i = Lane(); i < 32; i += kLanes)
        FilterAcross<true>(l, LineOf<true>(f, row, col, i), row, inner);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_FILTER_H_
