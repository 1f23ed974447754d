// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// PTX instructions that the kernels use and that have no intrinsic function. tests/emulator has the
// same functions in C++.

#ifndef CUDAME_CUDA_PTX_CUH_
#define CUDAME_CUDA_PTX_CUH_

#include <cstdint>

namespace cudame {

// Waits until all threads of a block have come here or to another call of this function. threads:
// of the block. With __syncthreads() all threads must come to the same call.
__device__ inline void MeetAnywhere(unsigned threads) {
    asm volatile("barrier.sync 1, %0;" ::"r"(threads) : "memory");
}

// Begins to copy a word from global to shared memory. The copy is done after AwaitCopies().
__device__ inline void CopyLater(uint32_t* to, const uint32_t* from) {
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "{.reg .u64 shared; cvta.to.shared.u64 shared, %0;"
        "cp.async.ca.shared.global [shared], [%1], 4;}" ::"l"(to),
        "l"(from)
        : "memory");
#else
    *to = *from;
#endif
}
// Waits for the copies of the lanes of a warp.
__device__ inline void AwaitCopies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
    __syncwarp();
}

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

// Four values, clamped to pixels, packed from the first.
__device__ inline uint32_t PackPixels(int a, int b, int c, int d) {
    uint32_t high, out;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(high) : "r"(d), "r"(c));
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(b), "r"(a), "r"(high));
    return out;
}
// Four sums of the filters, rounded.
__device__ inline uint32_t Pack7(int a, int b, int c, int d) {
    return PackPixels(a >> 7, b >> 7, c >> 7, d >> 7);
}

// The next functions work on pairs of integers with magnitudes below 2048. Each half of a word
// holds a sign bit and a magnitude. Read as fp16, such a half is that multiple of the smallest fp16
// number, so fp16 sums are exact. fp16 instructions are faster than those for pairs of integers,
// and run in parallel with integer instructions.
__device__ inline uint32_t Add2(uint32_t a, uint32_t b) {
    uint32_t out;
    asm("add.rn.f16x2 %0, %1, %2;" : "=r"(out) : "r"(a), "r"(b));
    return out;
}
__device__ inline uint32_t Sub2(uint32_t a, uint32_t b) {
    uint32_t out;
    asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(out) : "r"(a), "r"(b));
    return out;
}

// Returns low + high in the lower half and low - high in the upper half.
__device__ inline uint32_t Butterfly2(uint32_t a) {
    uint32_t out;
    asm("{.reg .b16 low, high; .reg .b32 lows, highs; mov.b32 {low, high}, %1;"
        "mov.b32 lows, {low, low}; mov.b32 highs, {high, high};"
        "fma.rn.f16x2 %0, highs, %2, lows;}"
        : "=r"(out)
        : "r"(a), "r"(0xbc003c00u));  // 1 and -1
    return out;
}

// The larger magnitude of each pair, as an unsigned integer.
__device__ inline uint32_t MaxAbs2(uint32_t a, uint32_t b) {
#if __CUDA_ARCH__ >= 800
    uint32_t out;
    asm("{.reg .b32 x, y; abs.f16x2 x, %1; abs.f16x2 y, %2; max.f16x2 %0, x, y;}"
        : "=r"(out)
        : "r"(a), "r"(b));
    return out;
#else
    return __vmaxs2(a & 0x7fff7fffu, b & 0x7fff7fffu);
#endif
}

}  // namespace cudame

#endif  // CUDAME_CUDA_PTX_CUH_
