// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The predicted vectors that rates of the lean search are relative to. The other searches predict
// from the co-located vector of the last field.

#ifndef CUDAME_COMMON_PREDICTION_H_
#define CUDAME_COMMON_PREDICTION_H_

#include <cstdint>

#include "common/geometry.h"
#include "cudame/cudame.h"

namespace cudame {

constexpr int Least(int a, int b) { return a < b ? a : b; }
constexpr int Greatest(int a, int b) { return a < b ? b : a; }
constexpr int Median(int a, int b, int c) {
    return Greatest(Least(a, b), Least(Greatest(a, b), c));
}
constexpr int16_t Median(int a, int b, int c, int d, int e) {
    return static_cast<int16_t>(
        Median(Greatest(Least(a, b), Least(c, d)), Least(Greatest(a, b), Greatest(c, d)), e));
}

// For whole-pixel vectors: the median, by component, of the co-located vector and the four around
// it in the last field. A vector outside the frame counts as the co-located one.
constexpr cudame_mv MedianPrediction(cudame_mv at, cudame_mv above, cudame_mv left, cudame_mv right,
                                     cudame_mv below) {
    return {Median(at.row, above.row, left.row, right.row, below.row),
            Median(at.col, above.col, left.col, right.col, below.col)};
}

constexpr int Distance(cudame_mv a, cudame_mv b) {
    const int y = a.row - b.row, x = a.col - b.col;
    return (y < 0 ? -y : y) + (x < 0 ? -x : x);
}

// For sub-pel vectors, when the whole-pixel vectors of this frame are known: of the vectors above,
// left and above left, in this order, the first that is nearest to the co-located vector. In the
// first macroblock of the frame: the co-located vector.
constexpr cudame_mv NearestPrediction(cudame_mv at, cudame_mv above, cudame_mv left,
                                      cudame_mv corner, bool has_above, bool has_left) {
    cudame_mv best = has_above ? above : has_left ? left : at;
    if (has_left && Distance(left, at) < Distance(best, at)) best = left;
    if (has_above && has_left && Distance(corner, at) < Distance(best, at)) best = corner;
    return best;
}

}  // namespace cudame

#endif  // CUDAME_COMMON_PREDICTION_H_
