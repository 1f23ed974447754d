// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Declarations that the kernels use from the CUDA toolkit's headers, for clang without a toolkit.
// nvcc brings its own.

#ifndef CUDAME_CUDA_CLANG_CUH_
#define CUDAME_CUDA_CLANG_CUH_

#if defined(__clang__) && !defined(__NVCC__)

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__

#include <__clang_cuda_builtin_vars.h>

#include "cuda/vectors.cuh"

__device__ inline int abs(int a) { return a < 0 ? -a : a; }
__device__ inline int __clz(int a) { return a ? __builtin_clz(static_cast<unsigned>(a)) : 32; }
__device__ inline int __ffs(int a) { return __builtin_ffs(a); }

__device__ inline uint32_t __byte_perm(uint32_t a, uint32_t b, uint32_t selector) {
    return __nvvm_prmt(a, b, selector);
}
__device__ inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t shift) {
    uint32_t out;
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(low), "r"(high), "r"(shift));
    return out;
}
__device__ inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t shift) {
    uint32_t out;
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(low), "r"(high), "r"(shift));
    return out;
}
__device__ inline uint32_t __dp4a(uint32_t a, uint32_t b, uint32_t sum) {
    uint32_t out;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(out) : "r"(a), "r"(b), "r"(sum));
    return out;
}

// Operations on pairs of 16-bit values; minimum and maximum are signed.
template <class Fn>
__device__ __forceinline__ uint32_t cudame_halves(uint32_t a, uint32_t b, Fn fn) {
    const auto half = [&](int shift) {
        return static_cast<uint32_t>(
            static_cast<uint16_t>(fn(static_cast<int16_t>(static_cast<uint16_t>(a >> shift)),
                                     static_cast<int16_t>(static_cast<uint16_t>(b >> shift)))));
    };
    return half(0) | half(16) << 16;
}
__device__ inline uint32_t __vadd2(uint32_t a, uint32_t b) {
    return cudame_halves(a, b, [](int x, int y) { return x + y; });
}
__device__ inline uint32_t __vsub2(uint32_t a, uint32_t b) {
    return cudame_halves(a, b, [](int x, int y) { return x - y; });
}
__device__ inline uint32_t __vmins2(uint32_t a, uint32_t b) {
    return cudame_halves(a, b, [](int x, int y) { return x < y ? x : y; });
}
__device__ inline uint32_t __vmaxs2(uint32_t a, uint32_t b) {
    return cudame_halves(a, b, [](int x, int y) { return x > y ? x : y; });
}

__device__ inline int __ldg(const int* p) { return __nvvm_ldg_i(p); }
__device__ inline uint32_t __ldg(const uint32_t* p) { return __nvvm_ldg_ui(p); }
__device__ inline uint4 __ldcg(const uint4* p) {
    uint4 v;
    asm volatile("ld.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(p)
                 : "memory");
    return v;
}

#if __CUDA_ARCH__ >= 800
__device__ inline uint32_t __reduce_min_sync(uint32_t mask, uint32_t v) {
    uint32_t out;
    asm volatile("redux.sync.min.u32 %0, %1, %2;" : "=r"(out) : "r"(v), "r"(mask));
    return out;
}
#endif

// The last operand combines the width of a segment with its highest lane.
__device__ inline int __shfl_sync(uint32_t mask, int v, int lane, int width = 32) {
    return __nvvm_shfl_sync_idx_i32(mask, v, lane, (32 - width) << 8 | 31);
}
__device__ inline uint32_t __shfl_sync(uint32_t mask, uint32_t v, int lane, int width = 32) {
    return static_cast<uint32_t>(__shfl_sync(mask, static_cast<int>(v), lane, width));
}
__device__ inline int __shfl_xor_sync(uint32_t mask, int v, int lanes) {
    return __nvvm_shfl_sync_bfly_i32(mask, v, lanes, 31);
}
__device__ inline uint32_t __shfl_xor_sync(uint32_t mask, uint32_t v, int lanes) {
    return static_cast<uint32_t>(__shfl_xor_sync(mask, static_cast<int>(v), lanes));
}
__device__ inline int __shfl_up_sync(uint32_t mask, int v, int lanes) {
    return __nvvm_shfl_sync_up_i32(mask, v, lanes, 0);
}
__device__ inline void __syncwarp(uint32_t mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
__device__ inline uint32_t __ballot_sync(uint32_t mask, bool v) {
    return __nvvm_vote_ballot_sync(mask, v);
}
__device__ inline int __popc(uint32_t v) { return __builtin_popcount(v); }
__device__ inline bool __any_sync(uint32_t mask, bool v) { return __nvvm_vote_any_sync(mask, v); }

__device__ inline void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }
__device__ inline void __threadfence() { __nvvm_membar_gl(); }
__device__ inline void __threadfence_block() { __nvvm_membar_cta(); }
__device__ inline void __threadfence_system() { __nvvm_membar_sys(); }
__device__ inline int atomicAdd(int* p, int v) { return __nvvm_atom_add_gen_i(p, v); }
__device__ inline uint32_t atomicAdd(uint32_t* p, uint32_t v) {
    return static_cast<uint32_t>(atomicAdd(reinterpret_cast<int*>(p), static_cast<int>(v)));
}
__device__ inline unsigned long long atomicMin(unsigned long long* p, unsigned long long v) {
    unsigned long long old;
    asm volatile("atom.min.u64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(v) : "memory");
    return old;
}
__device__ inline unsigned long long atomicExch(unsigned long long* p, unsigned long long v) {
    unsigned long long old;
    asm volatile("atom.exch.b64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(v) : "memory");
    return old;
}
__device__ inline uint32_t atomicInc(uint32_t* p, uint32_t last) {
    return __nvvm_atom_inc_gen_ui(p, last);
}

#endif

#endif  // CUDAME_CUDA_CLANG_CUH_
