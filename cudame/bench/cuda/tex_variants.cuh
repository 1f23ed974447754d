// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// grossi-2018 section 3.5: the sub-pel map on pixels that texture units interpolate, and the values
// that these units return.

#ifndef CUDAME_BENCH_CUDA_TEX_VARIANTS_CUH_
#define CUDAME_BENCH_CUDA_TEX_VARIANTS_CUH_

#include "bench/cuda/tex_params.h"
#include "cuda/subpel_tex.cuh"

namespace bench {

// The interface of cudame::Bilinear.
class TexturePhases {
  public:
    __device__ __forceinline__ TexturePhases(cudaTextureObject_t texture, int x, int y)
        : texture_(texture), x_(static_cast<float>(x) + 0.5f), y_(static_cast<float>(y) + 0.5f) {}

    template <int kX>
    __device__ __forceinline__ void SetColumn() {}

    template <int kX, int kY, int kRow, int kWord>
    __device__ __forceinline__ uint32_t Word() const {
        uint32_t p[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const float v =
                tex2D<float>(texture_, x_ + (4 * kWord + i + kX / 4.0f), y_ + (kRow + kY / 4.0f));
            // The second byte of the mantissa is the pixel, with halves rounded up, whatever the
            // last bits of v are.
            p[i] = __float_as_uint(fmaf(v, 255.0f, 32768.0f + 0.5f + 1 / 32.0f));
        }
        return __byte_perm(__byte_perm(p[0], p[1], 0x0051), __byte_perm(p[2], p[3], 0x0051),
                           0x5410);
    }

  private:
    cudaTextureObject_t texture_;
    float x_, y_;
};

__device__ inline void TexMapTexture(const TexMapParams& p) {
    cudame::RefineTex(p.search, [&p](const cudame::RefParams&, int x, int y) {
        return TexturePhases(p.texture, x + CUDAME_REF_BORDER, y + CUDAME_REF_BORDER);
    });
}

__device__ inline void TexMapIntegers(const TexMapParams& p) {
    cudame::RefineTex(p.search, [&p](const cudame::RefParams& r, int x, int y) {
        return cudame::Bilinear(r.plane + static_cast<ptrdiff_t>(y) * p.search.ref_stride + x,
                                p.search.ref_stride);
    });
}

__device__ inline void TexSample(const TexSampleParams& p) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y);
    if (x >= p.width) return;
    for (int phase = 0; phase < 16; phase++)
        p.out[(static_cast<size_t>(phase) * p.height + y) * p.width + x] = tex2D<float>(
            p.texture, static_cast<float>(x) + 0.5f + static_cast<float>(phase % 4) / 4,
            static_cast<float>(y) + 0.5f + static_cast<float>(phase / 4) / 4);
}

// Measures the rate for positions that stay in the cache.
__device__ inline void TexRate(const TexRateParams& p) {
    const float x = static_cast<float>(threadIdx.x % 16) + 0.75f;
    const float y = static_cast<float>(threadIdx.x / 16) + 0.75f;
    float sum[4] = {};
    for (int i = 0; i < p.iterations; i++)
#pragma unroll
        for (int j = 0; j < kTexRateUnroll; j++)
            sum[j % 4] +=
                tex2D<float>(p.texture, x + static_cast<float>(j), y + static_cast<float>(i & 15));
    const float all = sum[0] + sum[1] + sum[2] + sum[3];
    if (all < 0) p.out[blockIdx.x] = all;  // never true
}

}  // namespace bench

#endif  // CUDAME_BENCH_CUDA_TEX_VARIANTS_CUH_
