// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The sub-pel map of grossi-2018 section 3.5: 93 vectors within 1.75 pixels.

#ifndef CUDAME_COMMON_TEX_MAP_H_
#define CUDAME_COMMON_TEX_MAP_H_

#include <array>

#include "common/diamond_map.h"

namespace cudame {

constexpr int kTexRange = 7;  // in quarter pixels
constexpr int kTexVectors = 93;

// Steps in quarter pixels: all up to 1.25 pixels from the middle, every other one beyond, and the
// tips. The paper has a figure and no formula. This map has its count, its reach and its two
// resolutions.
constexpr bool InTexMap(int x, int y) {
    const int ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, sum = ax + ay;
    if (ax % 2 == 1 && ay % 2 == 1) return sum <= kTexRange + 1;
    return sum <= 5 || (sum == kTexRange && ax * ay == 0);
}

constexpr int CountTexMap() {
    int n = 0;
    for (int y = -kTexRange; y <= kTexRange; y++)
        for (int x = -kTexRange; x <= kTexRange; x++) n += InTexMap(x, y);
    return n;
}
static_assert(CountTexMap() == kTexVectors, "as the paper has it");

constexpr std::array<Step, kTexVectors> MakeTexMap() {
    std::array<Step, kTexVectors> map{};
    size_t n = 0;
    for (int y = -kTexRange; y <= kTexRange; y++)
        for (int x = -kTexRange; x <= kTexRange; x++)
            if (InTexMap(x, y)) map[n++] = {static_cast<int8_t>(x), static_cast<int8_t>(y)};
    return map;
}

inline constexpr auto kTexMap = MakeTexMap();

}  // namespace cudame

#endif  // CUDAME_COMMON_TEX_MAP_H_
