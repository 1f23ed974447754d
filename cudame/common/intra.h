// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Intra prediction estimated from source pixels (RFC 6386 section 12): constants and tables that
// both backends share.

#ifndef CUDAME_COMMON_INTRA_H_
#define CUDAME_COMMON_INTRA_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/mv_cost.h"
#include "cudame/cudame.h"

namespace cudame {

// Pixels above and left of the frame (RFC 6386 section 12.2).
constexpr uint8_t kAboveFrame = 127, kLeftOfFrame = 129;

// Rates of the sub-block modes, scaled to units of SATD.
using IntraRates = std::array<uint16_t, CUDAME_BMODES>;
inline IntraRates MakeIntraRates(const int bmode_cost[CUDAME_BMODES], int sad_per_bit) {
    IntraRates rates;
    for (size_t i = 0; i < rates.size(); i++)
        rates[i] =
            static_cast<uint16_t>(ScaleRate(std::clamp(bmode_cost[i], 0, kMaxCost), sad_per_bit));
    return rates;
}

// The edge of a sub-block, e[0] to e[12]: the column to the left from the bottom up, the pixel
// above left, and eight pixels above.
constexpr int kEdge = 13;
constexpr int kEdgeCorner = 4, kEdgeAbove = 5;

// Each of the eight modes from B_VE_PRED on predicts a pixel by one tap of this list. Tap i < kEdge
// is (e[i - 1] + 2 e[i] + e[i + 1] + 2) >> 2, with the first and last pixel of the edge repeated.
// Tap kEdgePair + i is (e[i] + e[i + 1] + 1) >> 1. Tap kEdgeLast is e[0].
constexpr int kEdgePair = 16, kEdgeLast = 28, kEdgeTaps = 29;
constexpr int kFirstDirection = 2;  // mode of the first row of kEdgeTap
// For each mode the taps of the sixteen pixels, in raster order (RFC 6386 section 12.3).
constexpr uint8_t kEdgeTap[CUDAME_BMODES - kFirstDirection][16] = {
    {5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8},             // VE
    {3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0},             // HE
    {6, 7, 8, 9, 7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12},       // LD
    {4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5, 1, 2, 3, 4},             // RD
    {20, 21, 22, 23, 4, 5, 6, 7, 3, 20, 21, 22, 2, 4, 5, 6},      // VR
    {21, 22, 23, 24, 6, 7, 8, 9, 22, 23, 24, 10, 7, 8, 9, 11},    // VL
    {19, 4, 5, 6, 18, 3, 19, 4, 17, 2, 18, 3, 16, 1, 17, 2},      // HD
    {18, 2, 17, 1, 17, 1, 16, 0, 16, 0, 28, 28, 28, 28, 28, 28},  // HU
};

}  // namespace cudame

#endif  // CUDAME_COMMON_INTRA_H_
