// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// cuda/ptx.cuh in C++.

#ifndef CUDAME_TESTS_EMULATOR_CUDA_PTX_CUH_
#define CUDAME_TESTS_EMULATOR_CUDA_PTX_CUH_

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace cudame {

inline uint32_t Sad4(uint32_t a, uint32_t b, uint32_t sum) {
    for (int i = 0; i < 32; i += 8)
        sum += static_cast<uint32_t>(
            std::abs(static_cast<int>(a >> i & 255) - static_cast<int>(b >> i & 255)));
    return sum;
}

inline int Dot4(uint32_t pixels, uint32_t taps, int sum) {
    for (int i = 0; i < 32; i += 8)
        sum += static_cast<int>(pixels >> i & 255) * static_cast<int8_t>(taps >> i & 255);
    return sum;
}

inline uint32_t Pack7(int a, int b, int c, int d) {
    const int sums[4] = {a, b, c, d};
    uint32_t out = 0;
    for (int i = 0; i < 4; i++)
        out |= static_cast<uint32_t>(std::clamp(sums[i] >> 7, 0, 255)) << (8 * i);
    return out;
}

}  // namespace cudame

#endif  // CUDAME_TESTS_EMULATOR_CUDA_PTX_CUH_
