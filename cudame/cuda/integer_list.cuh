// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Position lists of the diamond of grossi-2018 section 3.3 and of the diamond that moves.

#ifndef CUDAME_CUDA_INTEGER_LIST_CUH_
#define CUDAME_CUDA_INTEGER_LIST_CUH_

#include "cuda/integer_search.cuh"

namespace cudame {

template <int kCount>
struct DevMap {
    Step step[kCount];
};

template <class Map>
constexpr auto CopyMap(const Map& map) {
    DevMap<static_cast<int>(sizeof(Map) / sizeof(Step))> out{};
    for (size_t i = 0; i < sizeof(Map) / sizeof(Step); i++) out.step[i] = map[i];
    return out;
}

// In global memory, because the lanes of a warp read different steps, which constant memory would
// serve one after the other.
__device__ const auto dev_diamond = CopyMap(kDiamond);
__device__ const auto dev_large_diamond = CopyMap(kLargeDiamond);
__device__ const auto dev_small_diamond = CopyMap(kSmallDiamond);

// A tile holds the pixels of the diamond and of the refinement around its best vector. The stride
// keeps rows that a warp reads at the same time in different banks.
constexpr int kMapX = kDiamondRangeX + 2, kMapY = kDiamondRangeY + 1;
constexpr int kMapRows = 2 * kMapY + 16, kMapRowWords = 14, kMapStride = 26;

constexpr int kListTile =
    kMapRows * kMapStride > kBoxes* kBoxWords ? kMapRows* kMapStride : kBoxes* kBoxWords;

}  // namespace cudame

#endif  // CUDAME_CUDA_INTEGER_LIST_CUH_
