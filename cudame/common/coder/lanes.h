// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The lanes that code a macroblock together. The coder's source is compiled twice: for the 32 lanes
// of a warp, and as the scalar reference, for one lane. Every lane runs all of it with the same
// scalars. Loops over pixels, blocks or modes are shared: lane Lane() does every kLanes-th turn.
// Arrays are in memory that all lanes see, and Sync() is between the stores of one lane and the
// loads of another.
//
// CUDAME_WARP is defined where the source is compiled for a warp.

#ifndef CUDAME_COMMON_CODER_LANES_H_
#define CUDAME_COMMON_CODER_LANES_H_

#include <cstdint>

#ifdef CUDAME_WARP
#define CODER_FN __device__ inline
#define CODER_CALL __device__ __noinline__  // called often: inlined, the kernel would be too large
#define CODER_ROLLED _Pragma("unroll 1")    // keeps a loop's code small
#define CODER_TABLE static __device__ const
#define CODER_NAMESPACE coder_warp
#else
#define CODER_FN inline
#define CODER_CALL inline
#define CODER_ROLLED
#define CODER_TABLE constexpr
#define CODER_NAMESPACE coder_scalar
#endif

namespace cudame::CODER_NAMESPACE {

#ifdef CUDAME_WARP
constexpr int kLanes = 32;
CODER_FN int Lane() { return static_cast<int>(threadIdx.x) & (kLanes - 1); }
CODER_FN void Sync() { __syncwarp(); }
CODER_FN int Shuffle(int v, int mask) { return __shfl_xor_sync(0xffffffffu, v, mask); }
// The sum over earlier lanes, and over all.
CODER_FN int SumBefore(int v, int* all) {
    int sum = v;
    for (int by = 1; by < kLanes; by <<= 1) {
        const int other = __shfl_up_sync(0xffffffffu, sum, static_cast<unsigned>(by));
        if (Lane() >= by) sum += other;
    }
    *all = __shfl_sync(0xffffffffu, sum, kLanes - 1);
    return sum - v;
}
CODER_FN uint32_t Add(uint32_t* p, uint32_t v) { return atomicAdd(p, v); }
CODER_FN int LeadingZeros(uint32_t v) { return __clz(static_cast<int>(v)); }
// Counts up. Returns the number before, the same one in all lanes.
CODER_FN int TakeNext(uint32_t* next) {
    int taken = 0;
    if (Lane() == 0) taken = static_cast<int>(Add(next, 1));
    return __shfl_sync(0xffffffffu, taken, 0);
}
#else
constexpr int kLanes = 1;
CODER_FN int Lane() { return 0; }
CODER_FN void Sync() {}
CODER_FN int Shuffle(int v, int) { return v; }
CODER_FN int SumBefore(int v, int* all) {
    *all = v;
    return 0;
}
CODER_FN uint32_t Add(uint32_t* p, uint32_t v) { return (*p += v) - v; }
CODER_FN int LeadingZeros(uint32_t v) { return v ? __builtin_clz(v) : 32; }
#endif

// The sum, the least value, or the bits that are set, over all lanes.
#if defined(CUDAME_WARP) && defined(__NVCC__) && __CUDA_ARCH__ >= 800
CODER_FN int Sum(int v) { return __reduce_add_sync(0xffffffffu, v); }
CODER_FN uint32_t LeastOf(uint32_t v) { return __reduce_min_sync(0xffffffffu, v); }
CODER_FN int Or(int v) {
    return static_cast<int>(__reduce_or_sync(0xffffffffu, static_cast<uint32_t>(v)));
}
#else
CODER_FN int Sum(int v) {
    for (int mask = kLanes / 2; mask; mask >>= 1) v += Shuffle(v, mask);
    return v;
}
CODER_FN uint32_t LeastOf(uint32_t v) {
    for (int mask = kLanes / 2; mask; mask >>= 1) {
        const uint32_t other = static_cast<uint32_t>(Shuffle(static_cast<int>(v), mask));
        v = other < v ? other : v;
    }
    return v;
}
CODER_FN int Or(int v) {
    for (int mask = kLanes / 2; mask; mask >>= 1) v |= Shuffle(v, mask);
    return v;
}
#endif
CODER_FN uint32_t SumOf(uint32_t v) { return static_cast<uint32_t>(Sum(static_cast<int>(v))); }

// Loads a value that another warp stored during this launch.
template <class T>
CODER_FN T Fresh(const T* p) {
    return *static_cast<const volatile T*>(p);
}

template <class T>
CODER_FN void CopyWords(const T* from, T* to, int bytes) {
    const uint32_t* a = reinterpret_cast<const uint32_t*>(from);
    uint32_t* b = reinterpret_cast<uint32_t*>(to);
    CODER_ROLLED
    for (int i = Lane(); i < bytes / 4; i += kLanes) b[i] = a[i];
}

CODER_FN int Min(int a, int b) { return a < b ? a : b; }
CODER_FN int Max(int a, int b) { return a > b ? a : b; }
CODER_FN uint32_t MinOf(uint32_t a, uint32_t b) { return a < b ? a : b; }
CODER_FN int Clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
CODER_FN uint8_t Pixel(int v) { return static_cast<uint8_t>(Clamp(v, 0, 255)); }
CODER_FN int Abs(int v) { return v < 0 ? -v : v; }

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_LANES_H_
