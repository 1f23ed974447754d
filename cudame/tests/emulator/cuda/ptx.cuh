// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The functions of cuda/ptx.cuh in C++.

#ifndef CUDAME_TESTS_EMULATOR_CUDA_PTX_CUH_
#define CUDAME_TESTS_EMULATOR_CUDA_PTX_CUH_

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace cudame {

inline void MeetAnywhere(unsigned) { __syncthreads(); }

inline void CopyLater(uint32_t* to, const uint32_t* from) { *to = *from; }
inline void AwaitCopies() { __syncwarp(); }

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

inline uint32_t PackPixels(int a, int b, int c, int d) {
    const int values[4] = {a, b, c, d};
    uint32_t out = 0;
    for (int i = 0; i < 4; i++)
        out |= static_cast<uint32_t>(std::clamp(values[i], 0, 255)) << (8 * i);
    return out;
}
inline uint32_t Pack7(int a, int b, int c, int d) {
    return PackPixels(a >> 7, b >> 7, c >> 7, d >> 7);
}

// Apply fn to both halves of the words, which are signs and magnitudes.
template <class Fn>
uint32_t BySigned(uint32_t a, uint32_t b, Fn fn) {
    uint32_t out = 0;
    for (int i = 0; i < 32; i += 16) {
        const auto value = [i](uint32_t v) {
            const int magnitude = static_cast<int>(v >> i & 0x7fff);
            return v >> i & 0x8000 ? -magnitude : magnitude;
        };
        const int r = fn(value(a), value(b));
        if (abs(r) > 2047) abort();
        out |= (static_cast<uint32_t>(abs(r)) | (r < 0 ? 0x8000u : 0)) << i;
    }
    return out;
}
inline uint32_t Add2(uint32_t a, uint32_t b) {
    return BySigned(a, b, [](int x, int y) { return x + y; });
}
inline uint32_t Sub2(uint32_t a, uint32_t b) {
    return BySigned(a, b, [](int x, int y) { return x - y; });
}
inline uint32_t Butterfly2(uint32_t a) {
    const uint32_t low = a << 16 | (a & 0xffff), high = a >> 16 | (a & 0xffff0000u);
    return (Add2(low, high) & 0xffff) | (Sub2(low, high) & 0xffff0000u);
}
inline uint32_t MaxAbs2(uint32_t a, uint32_t b) {
    return BySigned(a, b, [](int x, int y) { return max(abs(x), abs(y)); });
}

}  // namespace cudame

#endif  // CUDAME_TESTS_EMULATOR_CUDA_PTX_CUH_
