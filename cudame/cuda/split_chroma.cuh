// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Separates interleaved chroma into two planes. It writes directly to pinned host memory, which
// saves a copy from device memory.

#ifndef CUDAME_CUDA_SPLIT_CHROMA_CUH_
#define CUDAME_CUDA_SPLIT_CHROMA_CUH_

#include "cuda/clang.cuh"
#include "cuda/split_params.h"

namespace cudame {

// Grid: see SplitParams.
__device__ inline void SplitChroma(const SplitParams& p) {
    const int x = kSplitPixels * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const ptrdiff_t y = blockIdx.y;
    if (x >= p.width) return;
    const uint8_t* from = p.from + y * p.from_stride + 2 * x;
    uint8_t* u = p.to[0] + y * p.to_stride + x;
    uint8_t* v = p.to[1] + y * p.to_stride + x;
    if (x + kSplitPixels <= p.width && reinterpret_cast<uintptr_t>(from) % 16 == 0) {
        const uint4 a = reinterpret_cast<const uint4*>(from)[0];
        const uint4 b = reinterpret_cast<const uint4*>(from)[1];
        *reinterpret_cast<uint4*>(u) =
            make_uint4(__byte_perm(a.x, a.y, 0x6420), __byte_perm(a.z, a.w, 0x6420),
                       __byte_perm(b.x, b.y, 0x6420), __byte_perm(b.z, b.w, 0x6420));
        *reinterpret_cast<uint4*>(v) =
            make_uint4(__byte_perm(a.x, a.y, 0x7531), __byte_perm(a.z, a.w, 0x7531),
                       __byte_perm(b.x, b.y, 0x7531), __byte_perm(b.z, b.w, 0x7531));
        return;
    }
    for (int i = 0; i < min(kSplitPixels, p.width - x); i++) {
        u[i] = from[2 * i];
        v[i] = from[2 * i + 1];
    }
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SPLIT_CHROMA_CUH_
