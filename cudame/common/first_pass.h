// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The first of two passes: the rules of its counts, which both backends share, and the interface.

#ifndef CUDAME_COMMON_FIRST_PASS_H_
#define CUDAME_COMMON_FIRST_PASS_H_

#include <cstdint>

#include "cudame/first_pass.h"

namespace cudame {

// Added to the error of an intra macroblock and of each vector that a search finds, as in libvpx.
constexpr int kFirstPassPenalty = 256;
constexpr int kFirstPassRuns = 5;
// First step of the first run, in pixels. Steps are halved, so no site is further than 31 pixels
// from the start of a run.
constexpr int kFirstPassStep = 16;

// The contribution of a vector component to cudame_first_pass_counts.inwards; the macroblock is
// number `at` of `size` in its row or column. -1 if the component points to the middle of the
// frame: positive in the first half, negative in the second. 1 if it points away, 0 if the
// component is 0.
constexpr int PointsInwards(int component, int at, int size) {
    const int sign = (component > 0) - (component < 0);
    return at < size / 2 ? -sign : at > size / 2 ? sign : 0;
}

// The counts of one row of macroblocks. Vectors are in whole pixels.
struct FirstPassRow {
    int64_t intra_error, coded_error;
    int32_t inter, second_ref, neutral, moving, new_mv, inwards;
    int32_t mv_row, mv_col, mv_row_abs, mv_col_abs, mv_row_squares, mv_col_squares;
    // The first and the last vector of the row that is not zero. new_mv compares each moving vector
    // with the one before it. FirstPassSum compares the first vector with the last one of the rows
    // above.
    int16_t first_row, first_col, last_row, last_col;

    // Count an inter macroblock with the vector (x, y).
    constexpr void Count(int x, int y, int col, int row, int cols, int rows) {
        inter++;
        mv_row += y;
        mv_col += x;
        mv_row_abs += y < 0 ? -y : y;
        mv_col_abs += x < 0 ? -x : x;
        mv_row_squares += y * y;
        mv_col_squares += x * x;
        if (!x && !y) return;
        if (!moving) {
            first_row = static_cast<int16_t>(y);
            first_col = static_cast<int16_t>(x);
        }
        moving++;
        new_mv += x != last_col || y != last_row;
        last_row = static_cast<int16_t>(y);
        last_col = static_cast<int16_t>(x);
        inwards += PointsInwards(y, row, rows) + PointsInwards(x, col, cols);
    }
};

// Sums the rows of a frame. Rows must come in order.
class FirstPassSum {
  public:
    void Add(const FirstPassRow& row);
    cudame_first_pass_counts counts() const { return counts_; }

  private:
    cudame_first_pass_counts counts_ = {};
    int16_t last_row_ = 0, last_col_ = 0;
};

// The interface: cudame/first_pass.h without its checks.
class FirstPass {
  public:
    virtual ~FirstPass() = default;
    virtual cudame_first_pass_counts Run(const cudame_first_pass_frame& frame) = 0;
    virtual void ForgetMemory() {}
};

}  // namespace cudame

#endif  // CUDAME_COMMON_FIRST_PASS_H_
