// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Search shapes of grossi-2018 and of the classic diamond search. Vectors are in raster order; of
// equal costs the first wins.

#ifndef CUDAME_COMMON_DIAMOND_MAP_H_
#define CUDAME_COMMON_DIAMOND_MAP_H_

#include <array>
#include <cstdint>

namespace cudame {

struct Step {
    int8_t x, y;
};

constexpr int kDiamondRangeX = 16;
constexpr int kDiamondRangeY = 12;
constexpr int kDiamondVectors = 127;

// The one-shot map of grossi-2018 section 3.3: two pixels between neighbours of a row and between
// rows, every other row shifted by one pixel, so that fewer positions are further than one pixel
// from a sample. 55 instead of 48 (the plain rhombus through the four tips) gives the paper's 127
// vectors: one for each thread but one of a 128-thread block.
constexpr bool InDiamond(int x, int y) {
    const int ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
    return ay % 2 == 0 && (ax + ay / 2) % 2 == 0 && 3 * ax + 4 * ay <= 55;
}

constexpr int CountDiamond() {
    int n = 0;
    for (int y = -kDiamondRangeY; y <= kDiamondRangeY; y++)
        for (int x = -kDiamondRangeX; x <= kDiamondRangeX; x++) n += InDiamond(x, y);
    return n;
}
static_assert(CountDiamond() == kDiamondVectors, "one vector per thread");

constexpr std::array<Step, kDiamondVectors> MakeDiamond() {
    std::array<Step, kDiamondVectors> map{};
    size_t n = 0;
    for (int y = -kDiamondRangeY; y <= kDiamondRangeY; y++)
        for (int x = -kDiamondRangeX; x <= kDiamondRangeX; x++)
            if (InDiamond(x, y)) map[n++] = {static_cast<int8_t>(x), static_cast<int8_t>(y)};
    return map;
}

template <int kX, int kY>
constexpr std::array<Step, (2 * kX + 1) * (2 * kY + 1)> MakeBox() {
    std::array<Step, (2 * kX + 1) * (2 * kY + 1)> map{};
    size_t n = 0;
    for (int y = -kY; y <= kY; y++)
        for (int x = -kX; x <= kX; x++) map[n++] = {static_cast<int8_t>(x), static_cast<int8_t>(y)};
    return map;
}

inline constexpr auto kDiamond = MakeDiamond();

// The refinement: 15 vectors. It reaches further sideways, because a row of the map has only every
// other vector.
inline constexpr auto kRefinement = MakeBox<2, 1>();
inline constexpr auto kNeighbours = MakeBox<1, 1>();

// The vectors around a seed, because vectors of the coarse level are multiples of four pixels.
inline constexpr auto kSeedBox = MakeBox<2, 2>();

inline constexpr std::array<Step, 9> kLargeDiamond = {
    {{0, -2}, {-1, -1}, {1, -1}, {-2, 0}, {0, 0}, {2, 0}, {-1, 1}, {1, 1}, {0, 2}}};
inline constexpr std::array<Step, 5> kSmallDiamond = {{{0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}}};

// Largest number of moves of the iterative search. A move is at most two pixels, so the search
// stays within 64 pixels of its start.
constexpr int kMaxDiamondMoves = 32;

}  // namespace cudame

#endif  // CUDAME_COMMON_DIAMOND_MAP_H_
