// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Frame geometry, vectors and the legal window.

#ifndef CUDAME_COMMON_GEOMETRY_H_
#define CUDAME_COMMON_GEOMETRY_H_

#include <algorithm>

#include "cudame/cudame.h"

namespace cudame {

constexpr int kMb = 16;

struct Geometry {
    int width = 0, height = 0;     // of the frame, pixels
    int mb_cols = 0, mb_rows = 0;  // whole macroblocks, rounded up
    int mb_width() const { return mb_cols * kMb; }
    int mb_height() const { return mb_rows * kMb; }
    int mbs() const { return mb_cols * mb_rows; }
};

inline Geometry MakeGeometry(int width, int height) {
    Geometry g;
    g.width = width;
    g.height = height;
    g.mb_cols = (width + kMb - 1) / kMb;
    g.mb_rows = (height + kMb - 1) / kMb;
    return g;
}

// Return the geometry of one of a frame's chroma planes, which covers the same whole macroblocks.
inline Geometry ChromaGeometry(const Geometry& g) {
    return MakeGeometry(g.mb_width() / 2, g.mb_height() / 2);
}

// A vector in whole pixels.
struct Vec {
    int x = 0, y = 0;
    bool operator==(const Vec& o) const { return x == o.x && y == o.y; }
    bool operator!=(const Vec& o) const { return !(*this == o); }
};

inline cudame_mv ToQuarter(Vec v) {
    return {static_cast<int16_t>(v.y * 4), static_cast<int16_t>(v.x * 4)};
}

// A box of vectors in whole pixels, both ends included.
struct Window {
    int x0, y0, x1, y1;

    bool Contains(Vec v) const { return v.x >= x0 && v.x <= x1 && v.y >= y0 && v.y <= y1; }
    bool ContainsQuarter(int row, int col) const {
        return col >= 4 * x0 && col <= 4 * x1 && row >= 4 * y0 && row <= 4 * y1;
    }
    Vec Clamp(Vec v) const { return {std::clamp(v.x, x0, x1), std::clamp(v.y, y0, y1)}; }
};

// Longest component of a vector, in pixels, so that quarter pixels fit 16 bits. It limits vectors
// only in frames wider or higher than half of VP8's maximum.
constexpr int kMaxVector = 8191;

// The legal vectors of a macroblock and its smaller blocks. They move no edge of the macroblock
// further than CUDAME_MV_BORDER beyond the padded frame.
inline Window LegalWindow(const Geometry& g, int mb_row, int mb_col) {
    const auto low = [](int mb) { return std::max(-(kMb * mb + CUDAME_MV_BORDER), -kMaxVector); };
    const auto high = [](int mb, int mbs) {
        return std::min(kMb * (mbs - 1 - mb) + CUDAME_MV_BORDER, kMaxVector);
    };
    return {low(mb_col), low(mb_row), high(mb_col, g.mb_cols), high(mb_row, g.mb_rows)};
}

}  // namespace cudame

#endif  // CUDAME_COMMON_GEOMETRY_H_
