// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Full search as in the papers, one idea after the other: ece1782's thread for each macroblock and
// thread block for each macroblock, rodriguez-2013's tree of SADs and reduction, hevc-ime-cpr's
// concurrent reductions. All return the same keys.

#ifndef CUDAME_BENCH_CUDA_FULL_VARIANTS_CUH_
#define CUDAME_BENCH_CUDA_FULL_VARIANTS_CUH_

#include "bench/cuda/bench_params.h"

namespace bench {

struct DevBox {
    int x0, y0, nx, ny;
};

__device__ inline DevBox WindowOf(const FullParams& p, int row, int col) {
    const int x0 = max(-(kMbSize * col + CUDAME_MV_BORDER), -p.range);
    const int y0 = max(-(kMbSize * row + CUDAME_MV_BORDER), -p.range);
    const int x1 = min(kMbSize * (p.mb_cols - 1 - col) + CUDAME_MV_BORDER, p.range);
    const int y1 = min(kMbSize * (p.mb_rows - 1 - row) + CUDAME_MV_BORDER, p.range);
    return {x0, y0, x1 - x0 + 1, y1 - y0 + 1};
}

__device__ inline uint32_t BaseKey(const FullParams& p, const DevBox& box, int i) {
    const int x = box.x0 + i % box.nx, y = box.y0 + i / box.nx;
    const int cost =
        __ldg(p.costs + kMaxRange + y) + __ldg(p.costs + 2 * kMaxRange + 1 + kMaxRange + x);
    return static_cast<uint32_t>(min((cost * p.sad_per_bit + 128) >> 8, kMaxRate)) << kOrderBits |
           static_cast<uint32_t>(i);
}

// Improve the keys of 1 or 25 blocks by the SADs of sixteen 4x4 blocks.
template <int kBlocks>
__device__ inline void Improve(const uint32_t (&sad)[16], uint32_t base, uint32_t (&key)[kBlocks]) {
    if constexpr (kBlocks == 1) {
        uint32_t sum = 0;
#pragma unroll
        for (int b = 0; b < 16; b++) sum += sad[b];
        key[0] = min(key[0], (sum << kOrderBits) + base);
    } else {
        uint32_t s[CUDAME_BLOCKS];
#pragma unroll
        for (int b = 0; b < 16; b++) s[CUDAME_BLOCK_4X4 + b] = sad[b];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int c = 8 * (i / 2) + 2 * (i % 2);
            s[CUDAME_BLOCK_8X8 + i] = sad[c] + sad[c + 1] + sad[c + 4] + sad[c + 5];
        }
        s[1] = s[5] + s[6];
        s[2] = s[7] + s[8];
        s[3] = s[5] + s[7];
        s[4] = s[6] + s[8];
        s[0] = s[1] + s[2];
#pragma unroll
        for (int b = 0; b < kBlocks; b++) key[b] = min(key[b], (s[b] << kOrderBits) + base);
    }
}

// Compute SADs byte by byte. Pixel returns the reference pixel (x, y) of a candidate.
template <class Pixel>
__device__ inline void SadBytes(const uint8_t* src, int src_stride, const Pixel& pixel,
                                uint32_t (&sad)[16]) {
#pragma unroll
    for (int b = 0; b < 16; b++) sad[b] = 0;
#pragma unroll
    for (int y = 0; y < 16; y++)
#pragma unroll
        for (int x = 0; x < 16; x++)
            sad[4 * (y / 4) + x / 4] =
                __usad(src[y * src_stride + x], pixel(x, y), sad[4 * (y / 4) + x / 4]);
}

struct PlainPixel {
    const uint8_t* at;
    int stride;
    __device__ uint32_t operator()(int x, int y) const { return at[y * stride + x]; }
};

struct ClampedPixel {
    const uint8_t* plane;
    int stride, x0, y0, right, bottom;
    __device__ uint32_t operator()(int x, int y) const {
        return plane[min(max(y0 + y, 0), bottom) * stride + min(max(x0 + x, 0), right)];
    }
};

// ece1782 approach 1: a thread searches a whole macroblock. Without padding every candidate checks
// whether it is inside the frame.
template <int kBlocks, bool kPadded>
__device__ inline void ThreadPerBlock(const FullParams& p) {
    const int mb = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (mb >= p.mb_cols * p.mb_rows) return;
    const int row = mb / p.mb_cols, col = mb % p.mb_cols;
    const DevBox box = WindowOf(p, row, col);
    const uint8_t* src = p.src + kMbSize * (row * p.src_stride + col);
    uint32_t key[kBlocks];
#pragma unroll
    for (int b = 0; b < kBlocks; b++) key[b] = 0xffffffffu;
    for (int i = 0; i < box.nx * box.ny; i++) {
        const int x = kMbSize * col + box.x0 + i % box.nx, y = kMbSize * row + box.y0 + i / box.nx;
        const int right = kMbSize * p.mb_cols - 1, bottom = kMbSize * p.mb_rows - 1;
        uint32_t sad[16];
        if (kPadded)
            SadBytes(src, p.src_stride, PlainPixel{p.ref + y * p.ref_stride + x, p.ref_stride},
                     sad);
        else if (x >= 0 && y >= 0 && x + 15 <= right && y + 15 <= bottom)
            SadBytes(src, p.src_stride, PlainPixel{p.bare + y * p.bare_stride + x, p.bare_stride},
                     sad);
        else
            SadBytes(src, p.src_stride, ClampedPixel{p.bare, p.bare_stride, x, y, right, bottom},
                     sad);
        Improve(sad, BaseKey(p, box, i), key);
    }
#pragma unroll
    for (int b = 0; b < kBlocks; b++) p.best[mb * CUDAME_BLOCKS + b] = key[b];
}

enum Pixels { kGlobalBytes, kSharedBytes, kSharedWords };
enum Reduction { kInterleaved, kConventional, kConcurrent };

// Words of shared memory that Reduce() needs.
template <int kBlocks, int kThreads, Reduction kReduction>
constexpr int ReductionWords() {
    return kReduction == kConcurrent ? kBlocks * kThreads : kThreads;
}

// Reduce the least keys of all threads into best[], if they are less. There is no barrier at the
// start or the end; the caller puts one between two calls.
template <int kBlocks, int kThreads, Reduction kReduction>
__device__ inline void Reduce(const uint32_t (&key)[kBlocks], uint32_t* red, uint32_t* best) {
    const int t = static_cast<int>(threadIdx.x);
    if constexpr (kReduction == kConcurrent) {
        // All groups at once: a warp takes a group, so only its lanes depend on each other.
#pragma unroll
        for (int b = 0; b < kBlocks; b++) red[b * kThreads + t] = key[b];
        __syncthreads();
        for (int b = t / 32; b < kBlocks; b += kThreads / 32) {
            uint32_t least = 0xffffffffu;
#pragma unroll
            for (int i = 0; i < kThreads; i += 32)
                least = min(least, red[b * kThreads + i + t % 32]);
#pragma unroll
            for (int m = 16; m; m >>= 1) least = min(least, __shfl_xor_sync(0xffffffffu, least, m));
            if (t % 32 == 0) best[b] = min(best[b], least);
        }
    } else {
        // One group after the other, with a barrier for every halving.
#pragma unroll
        for (int b = 0; b < kBlocks; b++) {
            __syncthreads();
            red[t] = key[b];
            __syncthreads();
            if constexpr (kReduction == kInterleaved) {
                for (int s = 1; s < kThreads; s *= 2) {
                    if (t % (2 * s) == 0) red[t] = min(red[t], red[t + s]);
                    __syncthreads();
                }
            } else {
#pragma unroll
                for (int s = kThreads / 2; s; s /= 2) {
                    if (t < s) red[t] = min(red[t], red[t + s]);
                    __syncthreads();
                }
            }
            if (t == 0) best[b] = min(best[b], red[0]);
        }
    }
}

// Approach 2: a thread block searches a macroblock, a thread a vector. After every kThreads vectors
// the block reduces, as in the papers. kRunning keeps the least keys of each thread in registers
// and reduces once.
template <int kBlocks, int kThreads, Pixels kPixels, Reduction kReduction, bool kRunning>
__device__ inline void BlockPerMacroblock(const FullParams& p, uint32_t* shared) {
    __shared__ uint32_t best[kBlocks];
    __shared__ __align__(16) uint32_t src_words[64];
    const int row = static_cast<int>(blockIdx.y), col = static_cast<int>(blockIdx.x);
    const int t = static_cast<int>(threadIdx.x);
    const DevBox box = WindowOf(p, row, col);
    const uint8_t* src = p.src + kMbSize * (row * p.src_stride + col);
    const uint8_t* ref = p.ref + kMbSize * (row * p.ref_stride + col);
    uint32_t* tile = shared + ReductionWords<kBlocks, kThreads, kReduction>();
    const int xa = box.x0 & ~3;  // first column of the tile
    const int words = TileWords(box.nx);
    if (t < kBlocks) best[t] = 0xffffffffu;
    if constexpr (kPixels != kGlobalBytes) {
        if (t < 64)
            src_words[t] =
                *reinterpret_cast<const uint32_t*>(src + (t >> 2) * p.src_stride + 4 * (t & 3));
        const uint32_t* from = reinterpret_cast<const uint32_t*>(ref + box.y0 * p.ref_stride + xa);
        for (int i = t; i < (box.ny + 15) * words; i += kThreads)
            tile[i] = from[(i / words) * (p.ref_stride / 4) + i % words];
    }
    __syncthreads();

    uint32_t key[kBlocks];
#pragma unroll
    for (int b = 0; b < kBlocks; b++) key[b] = 0xffffffffu;
    for (int first = 0; first < box.nx * box.ny; first += kThreads) {
        const int i = first + t;
        if (i < box.nx * box.ny) {
            const int x = i % box.nx, y = i / box.nx;
            uint32_t sad[16];
            if constexpr (kPixels == kGlobalBytes) {
                SadBytes(src, p.src_stride,
                         PlainPixel{ref + (box.y0 + y) * p.ref_stride + box.x0 + x, p.ref_stride},
                         sad);
            } else if constexpr (kPixels == kSharedBytes) {
                const uint8_t* at =
                    reinterpret_cast<const uint8_t*>(tile) + 4 * y * words + box.x0 - xa + x;
                SadBytes(reinterpret_cast<const uint8_t*>(src_words), 16, PlainPixel{at, 4 * words},
                         sad);
            } else {
                const uint32_t shift = static_cast<uint32_t>((box.x0 - xa + x) & 3) * 8;
                const uint32_t* at = tile + y * words + ((box.x0 - xa + x) >> 2);
#pragma unroll
                for (int b = 0; b < 16; b++) sad[b] = 0;
#pragma unroll
                for (int j = 0; j < 16; j++) {
                    uint32_t w[5];
#pragma unroll
                    for (int k = 0; k < 5; k++) w[k] = at[j * words + k];
                    const uint4 s = *reinterpret_cast<const uint4*>(src_words + 4 * j);
                    const uint32_t four[4] = {s.x, s.y, s.z, s.w};
#pragma unroll
                    for (int k = 0; k < 4; k++) {
                        uint32_t& sum = sad[4 * (j / 4) + k];
                        const uint32_t r = __funnelshift_r(w[k], w[k + 1], shift);
                        asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %0;"
                            : "+r"(sum)
                            : "r"(four[k]), "r"(r));
                    }
                }
            }
            Improve(sad, BaseKey(p, box, i), key);
        }
        if constexpr (!kRunning) {
            Reduce<kBlocks, kThreads, kReduction>(key, shared, best);
            __syncthreads();
#pragma unroll
            for (int b = 0; b < kBlocks; b++) key[b] = 0xffffffffu;
        }
    }
    if constexpr (kRunning) {
        Reduce<kBlocks, kThreads, kReduction>(key, shared, best);
        __syncthreads();
    }
    if (t < kBlocks) p.best[(row * p.mb_cols + col) * CUDAME_BLOCKS + t] = best[t];
}

}  // namespace bench

#endif  // CUDAME_BENCH_CUDA_FULL_VARIANTS_CUH_
