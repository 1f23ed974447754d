// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The diamond as grossi-2018 section 3.3 describes it: a matrix of partial differences in shared
// memory, with a row for each vector that one thread sums. MAX-SM holds all 128 rows at once.
// MAX-OCC holds a few, which leaves room for more blocks on a multiprocessor. Section 3.4 computes
// four pixels at once.

#ifndef CUDAME_BENCH_CUDA_DIAMOND_VARIANTS_CUH_
#define CUDAME_BENCH_CUDA_DIAMOND_VARIANTS_CUH_

#include "bench/cuda/bench_params.h"
#include "common/diamond_map.h"

namespace bench {

template <int kCount>
struct DevSteps {
    int8_t x[kCount], y[kCount];
};

template <class Map>
constexpr auto CopySteps(const Map& map) {
    DevSteps<static_cast<int>(sizeof(Map) / sizeof(map[0]))> out{};
    for (size_t i = 0; i < sizeof(Map) / sizeof(map[0]); i++) {
        out.x[i] = map[i].x;
        out.y[i] = map[i].y;
    }
    return out;
}

__constant__ const auto dev_steps = CopySteps(cudame::kDiamond);
__constant__ const auto dev_fine_steps = CopySteps(cudame::kRefinement);

constexpr int kDiamondThreads = 128;
constexpr int kMatrixStride = 65;  // words; odd, to avoid shared-memory bank conflicts

__device__ inline uint32_t FourUnaligned(const uint8_t* p) {
    const uintptr_t a = reinterpret_cast<uintptr_t>(p);
    const uint32_t* w = reinterpret_cast<const uint32_t*>(a & ~uintptr_t{3});
    return __funnelshift_r(w[0], w[1], static_cast<uint32_t>(a & 3) * 8);
}

// Search one map around (cx, cy). Return the least key: cost in the upper bits, index in the lower
// ones.
template <int kRows, bool kPacked, class Map>
__device__ inline uint32_t SearchMap(const DiamondParams& p, const Map& map, int count, int cx,
                                     int cy, uint32_t* matrix, uint32_t* keys) {
    const int t = static_cast<int>(threadIdx.x);
    const int row = static_cast<int>(blockIdx.y), col = static_cast<int>(blockIdx.x);
    const uint8_t* src = p.src + kMbSize * (row * p.src_stride + col);
    const uint8_t* ref = p.ref + kMbSize * (row * p.ref_stride + col);
    const auto legal = [&](int x, int y) {
        return x >= -(kMbSize * col + CUDAME_MV_BORDER) &&
               y >= -(kMbSize * row + CUDAME_MV_BORDER) &&
               x <= kMbSize * (p.mb_cols - 1 - col) + CUDAME_MV_BORDER &&
               y <= kMbSize * (p.mb_rows - 1 - row) + CUDAME_MV_BORDER;
    };
    keys[t] = 0xffffffffu;
    for (int first = 0; first < count; first += kRows) {
        if constexpr (kPacked) {
            // Threads that share a vector; one if all rows fit.
            constexpr int kTeam = kDiamondThreads / kRows;
            const int v = first + t / kTeam;
            const int x = v < count ? cx + map.x[v] : 0, y = v < count ? cy + map.y[v] : 0;
            if (v < count && legal(x, y)) {
                const uint8_t* at = ref + y * p.ref_stride + x;
#pragma unroll 16
                for (int i = t % kTeam; i < 64; i += kTeam) {
                    const int py = i >> 2, px = 4 * (i & 3);
                    const uint32_t s =
                        *reinterpret_cast<const uint32_t*>(src + py * p.src_stride + px);
                    matrix[(v - first) * kMatrixStride + i] =
                        __vsadu4(s, FourUnaligned(at + py * p.ref_stride + px));
                }
            }
        } else {
            // Two vectors at a time; thread j takes pixels j + 64 k.
            const int j = t & 63;
            for (int v = first + (t >> 6); v < min(first + kRows, count); v += 2) {
                const int x = cx + map.x[v], y = cy + map.y[v];
                if (!legal(x, y)) continue;
                const uint8_t* at = ref + y * p.ref_stride + x;
                uint32_t sum = 0;
#pragma unroll
                for (int k = 0; k < 4; k++) {
                    const int py = (j + 64 * k) >> 4, px = j & 15;
                    sum = __usad(src[py * p.src_stride + px], at[py * p.ref_stride + px], sum);
                }
                matrix[(v - first) * kMatrixStride + j] = sum;
            }
        }
        __syncthreads();
        if (t < kRows && first + t < count && legal(cx + map.x[first + t], cy + map.y[first + t])) {
            uint32_t sad = 0;
#pragma unroll
            for (int i = 0; i < 64; i++) sad += matrix[t * kMatrixStride + i];
            keys[first + t] = sad << 8 | static_cast<uint32_t>(first + t);
        }
        __syncthreads();
    }
#pragma unroll
    for (int s = kDiamondThreads / 2; s; s /= 2) {
        if (t < s) keys[t] = min(keys[t], keys[t + s]);
        __syncthreads();
    }
    const uint32_t best = keys[0];
    __syncthreads();
    return best;
}

template <int kRows, bool kPacked>
__device__ inline void SearchDiamond(const DiamondParams& p) {
    __shared__ uint32_t matrix[kRows * kMatrixStride];
    __shared__ uint32_t keys[kDiamondThreads];
    uint32_t best =
        SearchMap<kRows, kPacked>(p, dev_steps, cudame::kDiamondVectors, 0, 0, matrix, keys);
    const int x = dev_steps.x[best & 255], y = dev_steps.y[best & 255];
    best = SearchMap<kRows, kPacked>(
        p, dev_fine_steps, static_cast<int>(cudame::kRefinement.size()), x, y, matrix, keys);
    if (threadIdx.x == 0)
        p.best[blockIdx.y * p.mb_cols + blockIdx.x] = {
            static_cast<int16_t>(x + dev_fine_steps.x[best & 255]),
            static_cast<int16_t>(y + dev_fine_steps.y[best & 255]), best >> 8};
}

}  // namespace bench

#endif  // CUDAME_BENCH_CUDA_DIAMOND_VARIANTS_CUH_
