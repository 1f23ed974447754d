// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Kernels that make planes: shrunk ones, half-pel ones, and replicated edges.

#ifndef CUDAME_CUDA_PLANES_CUH_
#define CUDAME_CUDA_PLANES_CUH_

#include "cuda/filter.cuh"
#include "cuda/plane_params.h"

namespace cudame {

// Shrinks a plane. Each pixel is the mean of 4x4 pixels; edges are replicated. A thread makes four
// pixels. The grid counts from the border.
__device__ inline void ShrinkPlane(const ShrinkParams& p) {
    const int x = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - p.border;
    const int y = static_cast<int>(blockIdx.y) - p.border;
    if (x >= p.padded_width + p.border || y >= p.padded_height + p.border) return;
    *reinterpret_cast<uint32_t*>(p.to + static_cast<ptrdiff_t>(y) * p.to_stride + x) =
        SmallPixels(p.from, p.from_stride, p.width, p.height, x, y);
}

// Replicates the edges of rows of a plane. A thread writes four pixels.
__device__ inline void PadPlane(const PadParams& p) {
    const int y = p.first_row + static_cast<int>(blockIdx.y) - p.border;
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 4 - p.border;
    if (x >= p.padded_width + p.border || y >= p.padded_height + p.border) return;
    if (y >= 0 && y < p.height && x >= 0 && x + 4 <= p.width) return;
    const uint8_t* row = p.plane + static_cast<ptrdiff_t>(min(max(y, 0), p.height - 1)) * p.stride;
    uint8_t* out = p.plane + static_cast<ptrdiff_t>(y) * p.stride + x;
    for (int i = 0; i < 4; i++) {
        const int from = min(max(x + i, 0), p.width - 1);
        if (y < 0 || y >= p.height || x + i != from) out[i] = row[from];
    }
}

// Copies a plane to one with a border. A thread writes four pixels.
__device__ inline void TakePlane(const TakeParams::Plane& p) {
    const int y = static_cast<int>(blockIdx.y) - p.border;
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 4 - p.border;
    if (x >= p.padded_width + p.border || y >= p.padded_height + p.border) return;
    const uint8_t* row =
        p.from + static_cast<ptrdiff_t>(min(max(y, 0), p.height - 1)) * p.from_stride;
    uint32_t out = 0;
    if (x >= 0 && x + 4 <= p.width)
        out = *reinterpret_cast<const uint32_t*>(row + x);
    else
        for (int i = 0; i < 4; i++)
            out |= static_cast<uint32_t>(row[min(max(x + i, 0), p.width - 1)]) << 8 * i;
    *reinterpret_cast<uint32_t*>(p.to + static_cast<ptrdiff_t>(y) * p.to_stride + x) = out;
}

__device__ inline void TakePicture(const TakeParams& p) {
    if (blockIdx.z < kTakePlanes)
        TakePlane(p.plane[blockIdx.z]);
    else
        ShrinkPlane(p.shrink);
}

// Filters pixel j of four down a column. rows: words of rows -2 to 3.
__device__ inline int FilterDown(const uint32_t* rows, int j, const Taps& taps) {
    uint32_t low = 0, high = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) low |= (rows[i] >> 8 * j & 255) << 8 * i;
#pragma unroll
    for (int i = 0; i < 2; i++) high |= (rows[4 + i] >> 8 * j & 255) << 8 * i;
    return Dot4(low, taps.low, Dot4(high, taps.high, 64));
}

__device__ inline uint32_t FilterDown4(const uint32_t* rows, const Taps& taps) {
    return Pack7(FilterDown(rows, 0, taps), FilterDown(rows, 1, taps), FilterDown(rows, 2, taps),
                 FilterDown(rows, 3, taps));
}

// Makes the half-pel planes. Grid: see HalfPlanesParams.
__device__ inline void MakeHalfPlanes(const HalfPlanesParams& p) {
    const int x = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - kHalfMargin;
    const int y0 = kHalfRows * static_cast<int>(blockIdx.y) - kHalfMargin;
    if (x >= p.width + kHalfMargin) return;
    const Taps taps = TapsOf(p.filter, 2);
    uint32_t whole[6], across[6];  // the last six rows: source pixels, and filtered horizontally
#pragma unroll
    for (int i = 0; i < kHalfRows + 5; i++) {
        const int y = y0 + i - 2;
        if (y > p.height + kHalfMargin + 2) return;
        uint32_t b[3];
        LoadRow(p.from + static_cast<ptrdiff_t>(y) * p.stride + x - 2, b);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            whole[k] = whole[k + 1];
            across[k] = across[k + 1];
        }
        whole[5] = __funnelshift_r(b[0], b[1], 16);
        across[5] = Filter4(b[0], b[1], b[2], taps);
        if (i < 5) continue;
        const ptrdiff_t at = static_cast<ptrdiff_t>(y - 3) * p.stride + x;
        *reinterpret_cast<uint32_t*>(p.to[0] + at) = across[2];
        *reinterpret_cast<uint32_t*>(p.to[1] + at) = FilterDown4(whole, taps);
        *reinterpret_cast<uint32_t*>(p.to[2] + at) = FilterDown4(across, taps);
    }
}

}  // namespace cudame

#endif  // CUDAME_CUDA_PLANES_CUH_
