// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Types and functions that CUDA C++ predefines and that need no special instruction, for clang
// without a toolkit and for tests/emulator. __device__ must be defined before.

#ifndef CUDAME_CUDA_VECTORS_CUH_
#define CUDAME_CUDA_VECTORS_CUH_

#include <cstdint>

struct alignas(8) uint2 {
    uint32_t x, y;
};
struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};
struct alignas(16) int4 {
    int x, y, z, w;
};
__device__ inline uint2 make_uint2(uint32_t x, uint32_t y) { return {x, y}; }
__device__ inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w) {
    return {x, y, z, w};
}

__device__ inline int min(int a, int b) { return a < b ? a : b; }
__device__ inline int max(int a, int b) { return a > b ? a : b; }
__device__ inline uint32_t min(uint32_t a, uint32_t b) { return a < b ? a : b; }
__device__ inline uint32_t max(uint32_t a, uint32_t b) { return a > b ? a : b; }

#endif  // CUDAME_CUDA_VECTORS_CUH_
