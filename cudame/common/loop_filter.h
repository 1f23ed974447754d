// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// VP8's normal loop filter of luma (RFC 6386 section 15): the arithmetic of an edge, which both
// backends share, and the choice of filtered rows.

#ifndef CUDAME_COMMON_LOOP_FILTER_H_
#define CUDAME_COMMON_LOOP_FILTER_H_

#include <cstdint>

#include "common/geometry.h"
#include "common/transform.h"
#include "cudame/loop_filter.h"

namespace cudame {

// The thresholds of the edges of a macroblock, computed from its level and the sharpness.
struct EdgeLimits {
    int mb_edge, sub_edge;  // across an edge between macroblocks; between sub-blocks
    int interior;           // between neighbours on one side of the edge
    int hev;                // threshold of high edge variance
};

constexpr EdgeLimits MakeEdgeLimits(int level, int sharpness, bool key_frame) {
    int interior = level >> ((sharpness > 0) + (sharpness > 4));
    if (sharpness && interior > 9 - sharpness) interior = 9 - sharpness;
    if (interior < 1) interior = 1;
    const int hev =
        key_frame ? (level >= 40) + (level >= 15) : (level >= 40) + (level >= 20) + (level >= 15);
    return {2 * level + 4 + interior, 2 * level + interior, interior, hev};
}

// Eight pixels across an edge. v[3] and v[4] touch the edge.
struct Edge {
    int v[8];
};

constexpr int Distance(int a, int b) { return a < b ? b - a : a - b; }
constexpr int ClampTo(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
constexpr int ClampSigned(int v) { return ClampTo(v, -128, 127); }

constexpr bool IsFiltered(const EdgeLimits& l, int edge, const Edge& e) {
    return 2 * Distance(e.v[3], e.v[4]) + (Distance(e.v[2], e.v[5]) >> 1) <= edge &&
           Distance(e.v[0], e.v[1]) <= l.interior && Distance(e.v[1], e.v[2]) <= l.interior &&
           Distance(e.v[2], e.v[3]) <= l.interior && Distance(e.v[4], e.v[5]) <= l.interior &&
           Distance(e.v[5], e.v[6]) <= l.interior && Distance(e.v[6], e.v[7]) <= l.interior;
}
constexpr bool IsHighVariance(const EdgeLimits& l, const Edge& e) {
    return Distance(e.v[2], e.v[3]) > l.hev || Distance(e.v[4], e.v[5]) > l.hev;
}

// Move the two pixels that touch the edge towards each other by an eighth of the step. Both sides
// round differently.
constexpr Edge FilterNearest(Edge e, int step) {
    e.v[4] = ClampPixel(e.v[4] - (ClampSigned(step + 4) >> 3));
    e.v[3] = ClampPixel(e.v[3] + (ClampSigned(step + 3) >> 3));
    return e;
}

// Filter an edge between macroblocks (RFC 6386 section 15.3). The RFC first subtracts 128 from
// pixels. This code does not: differences are the same, and it clamps to 0 and 255.
constexpr Edge FilterMbEdge(const EdgeLimits& l, Edge e) {
    if (!IsFiltered(l, l.mb_edge, e)) return e;
    const int step = ClampSigned(ClampSigned(e.v[2] - e.v[5]) + 3 * (e.v[4] - e.v[3]));
    if (IsHighVariance(l, e)) return FilterNearest(e, step);
    const int a = (27 * step + 63) >> 7, b = (18 * step + 63) >> 7, c = (9 * step + 63) >> 7;
    e.v[3] = ClampPixel(e.v[3] + a);
    e.v[4] = ClampPixel(e.v[4] - a);
    e.v[2] = ClampPixel(e.v[2] + b);
    e.v[5] = ClampPixel(e.v[5] - b);
    e.v[1] = ClampPixel(e.v[1] + c);
    e.v[6] = ClampPixel(e.v[6] - c);
    return e;
}

// Filter an edge between sub-blocks.
constexpr Edge FilterSubEdge(const EdgeLimits& l, Edge e) {
    if (!IsFiltered(l, l.sub_edge, e)) return e;
    const bool high = IsHighVariance(l, e);
    const int step = ClampSigned((high ? ClampSigned(e.v[2] - e.v[5]) : 0) + 3 * (e.v[4] - e.v[3]));
    e = FilterNearest(e, step);
    if (high) return e;
    const int outer = ((ClampSigned(step + 4) >> 3) + 1) >> 1;
    e.v[2] = ClampPixel(e.v[2] + outer);
    e.v[5] = ClampPixel(e.v[5] - outer);
    return e;
}

// Filter the edge before pixel kAt of a line.
template <int kAt, bool kMbEdge>
constexpr void FilterEdgeAt(const EdgeLimits& l, int* pixels) {
    Edge e = {};
    for (int i = 0; i < 8; i++) e.v[i] = pixels[kAt - 4 + i];
    e = kMbEdge ? FilterMbEdge(l, e) : FilterSubEdge(l, e);
    for (int i = 1; i < 7; i++) pixels[kAt - 4 + i] = e.v[i];
}

// The macroblock rows that a search filters.
struct FilterRows {
    int first, step, count;
    bool alone;  // filter each row as if no other row was filtered
};
FilterRows RowsOf(const cudame_loop_filter& filter, const Geometry& g);

// Throw unless all fields are within their limits for a frame of this geometry.
void CheckLoopFilter(const cudame_loop_filter& filter, const Geometry& g);

}  // namespace cudame

#endif  // CUDAME_COMMON_LOOP_FILTER_H_
