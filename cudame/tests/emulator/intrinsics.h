// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The part of CUDA C++ that the kernels use, for a C++ compiler; see threads.h. Included before the
// sources of the kernels.

#ifndef CUDAME_TESTS_EMULATOR_INTRINSICS_H_
#define CUDAME_TESTS_EMULATOR_INTRINSICS_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "threads.h"

#define __device__
#define __global__
#define __host__
// One thread runs all threads of a block, and no thread of another block.
#define __shared__ thread_local
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__ inline

#include "cuda/vectors.cuh"

inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t shift) {
    return static_cast<uint32_t>((static_cast<uint64_t>(high) << 32 | low) >> (shift & 31));
}
inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t shift) {
    return static_cast<uint32_t>((static_cast<uint64_t>(high) << 32 | low) << (shift & 31) >> 32);
}
inline uint32_t __byte_perm(uint32_t a, uint32_t b, uint32_t selector) {
    const uint64_t bytes = static_cast<uint64_t>(b) << 32 | a;
    uint32_t out = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t n = selector >> (4 * i) & 15;
        const uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (n & 7))) & 255;
        out |= (n & 8 ? (byte & 128 ? 255u : 0u) : byte) << (8 * i);
    }
    return out;
}
inline int __clz(int a) { return a ? __builtin_clz(static_cast<unsigned>(a)) : 32; }
inline int __ffs(int a) { return __builtin_ffs(a); }
inline uint32_t __dp4a(uint32_t a, uint32_t b, uint32_t sum) {
    for (int i = 0; i < 32; i += 8) sum += (a >> i & 255) * (b >> i & 255);
    return sum;
}

namespace emulator {
template <class Fn>
uint32_t ByHalves(uint32_t a, uint32_t b, Fn fn) {
    uint32_t out = 0;
    for (int i = 0; i < 32; i += 16) {
        const int r = fn(static_cast<int16_t>(a >> i), static_cast<int16_t>(b >> i));
        out |= static_cast<uint32_t>(static_cast<uint16_t>(r)) << i;
    }
    return out;
}
}  // namespace emulator
inline uint32_t __vadd2(uint32_t a, uint32_t b) {
    return emulator::ByHalves(a, b, [](int x, int y) { return x + y; });
}
inline uint32_t __vsub2(uint32_t a, uint32_t b) {
    return emulator::ByHalves(a, b, [](int x, int y) { return x - y; });
}
inline uint32_t __vmins2(uint32_t a, uint32_t b) {
    return emulator::ByHalves(a, b, [](int x, int y) { return min(x, y); });
}
inline uint32_t __vmaxs2(uint32_t a, uint32_t b) {
    return emulator::ByHalves(a, b, [](int x, int y) { return max(x, y); });
}

template <class T>
T __ldg(const T* p) {
    return *p;
}
template <class T>
T __ldcg(const T* p) {
    return *p;
}

inline void __syncthreads() { emulator::SyncBlock(); }
inline void __syncwarp(uint32_t = 0xffffffffu) { emulator::SyncWarp(); }
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __nanosleep(unsigned) { emulator::Yield(); }
inline void __threadfence_system() {}

// All lanes take part.
template <class T>
T __shfl_sync(uint32_t, T v, int lane, int width = emulator::kWarp) {
    static_assert(sizeof(T) == sizeof(uint32_t), "one word");
    const int first = emulator::Lane() & ~(width - 1);
    return static_cast<T>(
        emulator::Exchange(static_cast<uint32_t>(v))[first | (lane & (width - 1))]);
}
template <class T>
T __shfl_xor_sync(uint32_t, T v, int mask) {
    return static_cast<T>(emulator::Exchange(static_cast<uint32_t>(v))[emulator::Lane() ^ mask]);
}
template <class T>
T __shfl_up_sync(uint32_t, T v, unsigned by) {
    const unsigned lane = static_cast<unsigned>(emulator::Lane());
    return static_cast<T>(
        emulator::Exchange(static_cast<uint32_t>(v))[lane >= by ? lane - by : lane]);
}
inline uint32_t __ballot_sync(uint32_t, bool v) {
    const uint32_t* lanes = emulator::Exchange(v);
    uint32_t bits = 0;
    for (int i = 0; i < emulator::kWarp; i++) bits |= (lanes[i] & 1) << i;
    return bits;
}
inline int __popc(uint32_t v) { return __builtin_popcount(v); }
inline bool __any_sync(uint32_t, bool v) {
    const uint32_t* lanes = emulator::Exchange(v);
    uint32_t any = 0;
    for (int i = 0; i < emulator::kWarp; i++) any |= lanes[i];
    return any != 0;
}

template <class T, class U>
T atomicAdd(T* p, U v) {
    const T old = *p;
    *p += static_cast<T>(v);
    return old;
}
template <class T>
T atomicMin(T* p, T v) {
    const T old = *p;
    *p = v < old ? v : old;
    return old;
}
template <class T>
T atomicExch(T* p, T v) {
    const T old = *p;
    *p = v;
    return old;
}
inline uint32_t atomicInc(uint32_t* p, uint32_t last) {
    const uint32_t old = *p;
    *p = old >= last ? 0 : old + 1;
    return old;
}

#endif  // CUDAME_TESTS_EMULATOR_INTRINSICS_H_
