// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Full search of 25 blocks that does little except packed SADs. The tile exists four times, each
// shifted by a byte, so that no candidate shifts its words. A thread takes kColumn vectors below
// each other, which share reference rows. It folds four rows of pixels into keys as soon as it has
// them, so that few sums are alive at once.

#ifndef CUDAME_BENCH_CUDA_FULL_COLUMNS_CUH_
#define CUDAME_BENCH_CUDA_FULL_COLUMNS_CUH_

#include "bench/cuda/full_variants.cuh"

namespace bench {

__device__ inline uint32_t SadWord(uint32_t a, uint32_t b, uint32_t sum) {
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}

template <int kColumn, int kThreads>
__device__ inline void SearchColumns(const FullParams& p, uint32_t* shared) {
    __shared__ uint32_t reduced[kThreads / 32][CUDAME_BLOCKS];
    __shared__ __align__(16) uint32_t src_words[64];
    const int row = static_cast<int>(blockIdx.y), col = static_cast<int>(blockIdx.x);
    const int t = static_cast<int>(threadIdx.x);
    const DevBox box = WindowOf(p, row, col);
    const uint8_t* src = p.src + kMbSize * (row * p.src_stride + col);
    const uint8_t* ref = p.ref + kMbSize * (row * p.ref_stride + col);
    const int xa = box.x0 & ~3;
    const int words = TileWords(box.nx);
    const int rows = box.ny + 15;
    // Rows that only invalid vectors of the last column read stay as they are.
    const int copy = CopyWords(words, rows + kColumn - 1);
    if (t < 64)
        src_words[t] =
            *reinterpret_cast<const uint32_t*>(src + (t >> 2) * p.src_stride + 4 * (t & 3));
    const uint32_t* from = reinterpret_cast<const uint32_t*>(ref + box.y0 * p.ref_stride + xa);
    for (int i = t; i < rows * words; i += kThreads) {
        const uint32_t* at = from + (i / words) * (p.ref_stride / 4) + i % words;
        const uint32_t low = at[0], high = at[1];
        shared[i] = low;
        shared[copy + i] = __funnelshift_r(low, high, 8);
        shared[2 * copy + i] = __funnelshift_r(low, high, 16);
        shared[3 * copy + i] = __funnelshift_r(low, high, 24);
    }
    __syncthreads();

    uint32_t key[CUDAME_BLOCKS];
#pragma unroll
    for (int b = 0; b < CUDAME_BLOCKS; b++) key[b] = 0xffffffffu;
    const int columns = (box.ny + kColumn - 1) / kColumn * box.nx;
    for (int i = t; i < columns; i += kThreads) {
        const int x = i % box.nx, y = i / box.nx * kColumn;
        const int at_x = box.x0 - xa + x;
        const uint32_t* at = shared + (at_x & 3) * copy + y * words + (at_x >> 2);
        uint32_t base[kColumn];
#pragma unroll
        for (int k = 0; k < kColumn; k++)
            // No real key is that large, and adding to it does not overflow.
            base[k] = y + k < box.ny ? BaseKey(p, box, (y + k) * box.nx + x) : 0x80000000u;

        static_assert(kColumn == 2 || kColumn == 4);  // more vectors would share the pending keys
        uint32_t sad[kColumn][4];                     // of the current four rows
        uint32_t quad[kColumn][4];                    // 8x8
        uint32_t four[kColumn][4];                    // the last kColumn source rows
        // Keys of even vectors wait for those of odd ones, because the least of three is one
        // instruction from compute capability 9.0 on.
        uint32_t pending[4], pending_sum[9];
#pragma unroll
        for (int r = 0; r < 16 + kColumn - 1; r++) {
            uint32_t w[4];
#pragma unroll
            for (int j = 0; j < 4; j++) w[j] = at[r * words + j];
            if (r < 16) {
                const uint4 s = *reinterpret_cast<const uint4*>(src_words + 4 * r);
                four[r % kColumn][0] = s.x;
                four[r % kColumn][1] = s.y;
                four[r % kColumn][2] = s.z;
                four[r % kColumn][3] = s.w;
            }
#pragma unroll
            for (int k = 0; k < kColumn; k++) {
                const int j = r - k;  // row of the macroblock
                if (j < 0 || j > 15) continue;
#pragma unroll
                for (int b = 0; b < 4; b++)
                    sad[k][b] = j % 4 ? SadWord(four[j % kColumn][b], w[b], sad[k][b])
                                      : __vsadu4(four[j % kColumn][b], w[b]);
                if (j % 4 != 3) continue;
                const int band = j / 4;
#pragma unroll
                for (int b = 0; b < 4; b++) {
                    const uint32_t now = (sad[k][b] << kOrderBits) + base[k];
                    uint32_t& least = key[CUDAME_BLOCK_4X4 + 4 * band + b];
                    if (k % 2)
                        least = min(min(least, pending[b]), now);
                    else
                        pending[b] = now;
                }
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    uint32_t& q = quad[k][2 * (band / 2) + h];
                    q = sad[k][2 * h] + sad[k][2 * h + 1] + (band % 2 ? q : 0);
                }
                if (j != 15) continue;
                const uint32_t(&q)[4] = quad[k];
                const uint32_t sum[9] = {q[0] + q[1] + q[2] + q[3],
                                         q[0] + q[1],
                                         q[2] + q[3],
                                         q[0] + q[2],
                                         q[1] + q[3],
                                         q[0],
                                         q[1],
                                         q[2],
                                         q[3]};
#pragma unroll
                for (int b = 0; b < 9; b++) {
                    const uint32_t now = (sum[b] << kOrderBits) + base[k];
                    if (k % 2)
                        key[b] = min(min(key[b], pending_sum[b]), now);
                    else
                        pending_sum[b] = now;
                }
            }
        }
    }

#pragma unroll
    for (int b = 0; b < CUDAME_BLOCKS; b++) {
        uint32_t least = key[b];
#if __CUDA_ARCH__ >= 800
        least = __reduce_min_sync(0xffffffffu, least);
#else
        for (int m = 16; m; m >>= 1) least = min(least, __shfl_xor_sync(0xffffffffu, least, m));
#endif
        if (t % 32 == 0) reduced[t / 32][b] = least;
    }
    __syncthreads();
    if (t < CUDAME_BLOCKS) {
        uint32_t least = reduced[0][t];
        for (int w = 1; w < kThreads / 32; w++) least = min(least, reduced[w][t]);
        p.best[(row * p.mb_cols + col) * CUDAME_BLOCKS + t] = least;
    }
}

}  // namespace bench

#endif  // CUDAME_BENCH_CUDA_FULL_COLUMNS_CUH_
