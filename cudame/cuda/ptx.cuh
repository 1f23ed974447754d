// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Instructions of the PTX ISA that the kernels use and that have no intrinsic.
// tests/emulator has them in C++.

#ifndef CUDAME_CUDA_PTX_CUH_
#define CUDAME_CUDA_PTX_CUH_

#include <cstdint>

namespace cudame {

// Sum of absolute differences of four bytes each, added to sum.
__device__ inline uint32_t Sad4(uint32_t a, uint32_t b, uint32_t sum) {
    uint32_t out;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(out) : "r"(a), "r"(b), "r"(sum));
    return out;
}

// Sum of four products of unsigned pixels and signed taps, added to sum.
__device__ inline int Dot4(uint32_t pixels, uint32_t taps, int sum) {
    int out;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(out) : "r"(pixels), "r"(taps), "r"(sum));
    return out;
}

// Four sums of the filters, rounded and clamped, packed from the first.
__device__ inline uint32_t Pack7(int a, int b, int c, int d) {
    uint32_t high, out;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(high) : "r"(d >> 7), "r"(c >> 7));
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;"
        : "=r"(out)
        : "r"(b >> 7), "r"(a >> 7), "r"(high));
    return out;
}

}  // namespace cudame

#endif  // CUDAME_CUDA_PTX_CUH_
