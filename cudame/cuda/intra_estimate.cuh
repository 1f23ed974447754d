// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Intra estimates. Each thread has one 4x4 block: it tries all sub-block modes, and computes its
// part of the macroblock's 16x16 modes. A word holds a row of four pixels, or a pair of transform
// values. The estimates read only the source, so they do not wait for a search. Records are written
// directly to pinned host memory, and to device memory for the coder of whole frames.

#ifndef CUDAME_CUDA_INTRA_ESTIMATE_CUH_
#define CUDAME_CUDA_INTRA_ESTIMATE_CUH_

#include "common/intra.h"
#include "cuda/device.cuh"
#include "cuda/intra_params.h"

namespace cudame {

// A 4x4 Hadamard transform without its last butterfly. A word holds two coefficients x and y as
// x + (y << 16); sums and differences of such words are exact. The last butterfly is not needed,
// because |x + y| + |x - y| is twice the larger magnitude.
struct IntraCoefficients {
    // Sums and differences of horizontal neighbours, by vertical frequency.
    uint32_t sum[4], difference[4];
};

__device__ inline void TransformColumn(uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3,
                                       uint32_t (&out)[4]) {
    const uint32_t t0 = r0 + r1, t1 = r0 - r1, t2 = r2 + r3, t3 = r2 - r3;
    out[0] = t0 + t2;
    out[1] = t0 - t2;
    out[2] = t1 + t3;
    out[3] = t1 - t3;
}

// Transforms four rows. even: pixels 0 and 2 of each row; odd: pixels 1 and 3.
__device__ inline IntraCoefficients IntraTransform(const uint32_t (&even)[4],
                                                   const uint32_t (&odd)[4]) {
    IntraCoefficients c;
    TransformColumn(even[0] + odd[0], even[1] + odd[1], even[2] + odd[2], even[3] + odd[3], c.sum);
    TransformColumn(even[0] - odd[0], even[1] - odd[1], even[2] - odd[2], even[3] - odd[3],
                    c.difference);
    return c;
}

__device__ inline uint32_t Even(uint32_t pixels) { return pixels & 0x00ff00ffu; }
__device__ inline uint32_t Odd(uint32_t pixels) { return __byte_perm(pixels, 0, 0x4341); }

__device__ inline IntraCoefficients IntraTransform(uint32_t r0, uint32_t r1, uint32_t r2,
                                                   uint32_t r3) {
    const uint32_t even[4] = {Even(r0), Even(r1), Even(r2), Even(r3)};
    const uint32_t odd[4] = {Odd(r0), Odd(r1), Odd(r2), Odd(r3)};
    return IntraTransform(even, odd);
}

__device__ inline uint32_t LargerOfPair(uint32_t pair) {
    const int x = static_cast<int16_t>(pair & 0xffff);
    const int y = static_cast<int>(pair + 0x8000u) >> 16;
    return max(abs(x), abs(y));
}

// SATD of a block for each kind of mode. The transform is linear, so a prediction with few nonzero
// coefficients changes only those of the source.
struct IntraSatd {
    IntraCoefficients src;
    uint32_t sum[4], difference[4];  // contributions of the source's own coefficients

    __device__ explicit IntraSatd(const uint32_t (&rows)[4])
        : src(IntraTransform(rows[0], rows[1], rows[2], rows[3])) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            sum[i] = LargerOfPair(src.sum[i]);
            difference[i] = LargerOfPair(src.difference[i]);
        }
    }

    __device__ uint32_t Of(const IntraCoefficients& c) const {
        uint32_t out = 0;
#pragma unroll
        for (int i = 0; i < 4; i++)
            out += LargerOfPair(src.sum[i] - c.sum[i]) +
                   LargerOfPair(src.difference[i] - c.difference[i]);
        return out;
    }

    // Sum of the contributions that neither Constant() nor Vertical() changes.
    __device__ uint32_t Rest() const {
        return sum[1] + sum[2] + sum[3] + difference[1] + difference[2] + difference[3];
    }
    __device__ uint32_t Constant(uint32_t mean) const {
        return LargerOfPair(src.sum[0] - 8 * mean * 0x10001u) + difference[0] + Rest();
    }
    __device__ uint32_t Vertical(uint32_t row) const {
        return LargerOfPair(src.sum[0] - 4 * (Even(row) + Odd(row))) +
               LargerOfPair(src.difference[0] - 4 * (Even(row) - Odd(row))) + Rest();
    }
    // Byte i of `column` predicts row i.
    __device__ uint32_t Horizontal(uint32_t column) const {
        const uint32_t pair = 2 * 0x10001u;
        uint32_t c[4], out = difference[0] + difference[1] + difference[2] + difference[3];
        TransformColumn((column & 255) * pair, (column >> 8 & 255) * pair,
                        (column >> 16 & 255) * pair, (column >> 24) * pair, c);
#pragma unroll
        for (int i = 0; i < 4; i++) out += LargerOfPair(src.sum[i] - c[i]);
        return out;
    }
    __device__ uint32_t TrueMotion(uint32_t column, uint32_t row, uint32_t corner) const {
        const uint32_t even_step = __vsub2(Even(row), corner * 0x10001u);
        const uint32_t odd_step = __vsub2(Odd(row), corner * 0x10001u);
        uint32_t even[4], odd[4];
#pragma unroll
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t left = __byte_perm(column, 0, 0x4040 + 0x0101 * i);
            even[i] = __vmaxs2(__vmins2(__vadd2(even_step, left), 0x00ff00ffu), 0);
            odd[i] = __vmaxs2(__vmins2(__vadd2(odd_step, left), 0x00ff00ffu), 0);
        }
        return Of(IntraTransform(even, odd));
    }
    __device__ uint32_t Rows(uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3) const {
        return Of(IntraTransform(r0, r1, r2, r3));
    }
};

// Bytewise (a + b + 1) >> 1, and (a + 2 b + c + 2) >> 2.
__device__ inline uint32_t Average2(uint32_t a, uint32_t b) {
    return (a | b) - ((a ^ b) >> 1 & 0x7f7f7f7fu);
}
__device__ inline uint32_t Average3(uint32_t a, uint32_t b, uint32_t c) {
    return Average2((a & c) + ((a ^ c) >> 1 & 0x7f7f7f7fu), b);
}

__device__ inline uint32_t SumBytes(uint32_t v) { return Sad4(v, 0, 0); }

// The two modes with the lowest costs, each as cost << 4 | mode.
struct TwoBest {
    uint32_t best = ~0u, second = ~0u;
    __device__ void Try(const IntraParams& p, uint32_t mode, uint32_t satd) {
        const uint32_t key = min(satd + p.rates[mode], 65535u) << 4 | mode;
        second = min(second, max(best, key));
        best = min(best, key);
    }
};

// Tries all sub-block modes. left: a column of four pixels; above and right: eight pixels above;
// corner: the pixel above left.
__device__ inline TwoBest TrySubBlockModes(const IntraParams& p, const IntraSatd& satd,
                                           uint32_t left, uint32_t above, uint32_t right,
                                           uint32_t corner) {
    TwoBest best;
    best.Try(p, 0, satd.Constant((SumBytes(left) + SumBytes(above) + 4) >> 3));
    best.Try(p, 1, satd.TrueMotion(left, above, corner));

    // e: the 13 edge pixels, from the bottom of the column to the end of the row above. n: the
    // same, one pixel later. m2: means of a pixel and the next. m3: weighted means of three pixels.
    const uint32_t e0 = __byte_perm(left, 0, 0x0123), e1 = corner | above << 8;
    const uint32_t e2 = __funnelshift_l(above, right, 8), e3 = __byte_perm(right, 0, 0x3333);
    const uint32_t n0 = __funnelshift_r(e0, e1, 8), n1 = __funnelshift_r(e1, e2, 8);
    const uint32_t n2 = __funnelshift_r(e2, e3, 8);
    const uint32_t m2[3] = {Average2(e0, n0), Average2(e1, n1), Average2(e2, n2)};
    const uint32_t m3[4] = {
        Average3(__byte_perm(e0, 0, 0x2100), e0, n0), Average3(__funnelshift_l(e0, e1, 8), e1, n1),
        Average3(__funnelshift_l(e1, e2, 8), e2, n2), Average3(__funnelshift_l(e2, e3, 8), e3, e3)};

    best.Try(p, 2, satd.Vertical(__funnelshift_r(m3[1], m3[2], 8)));
    best.Try(p, 3, satd.Horizontal(__byte_perm(m3[0], 0, 0x0123)));
    const uint32_t from6 = __funnelshift_r(m3[1], m3[2], 16);
    const uint32_t from10 = __funnelshift_r(m3[2], m3[3], 16);
    best.Try(p, 4,
             satd.Rows(from6, __funnelshift_r(from6, from10, 8), m3[2],
                       __funnelshift_r(m3[2], m3[3], 8)));
    best.Try(p, 5,
             satd.Rows(m3[1], __funnelshift_r(m3[0], m3[1], 24), __funnelshift_r(m3[0], m3[1], 16),
                       __funnelshift_r(m3[0], m3[1], 8)));
    best.Try(p, 6,
             satd.Rows(m2[1], m3[1], __funnelshift_l(m3[0], m2[1], 8),
                       __byte_perm(m3[0], m3[1], 0x6542)));
    best.Try(p, 7,
             satd.Rows(__funnelshift_r(m2[1], m2[2], 8), from6,
                       __byte_perm(__funnelshift_r(m2[1], m2[2], 16), m3[2], 0x6210),
                       __byte_perm(m3[1], m3[2], 0x7543)));
    const uint32_t from1 = __funnelshift_r(m3[0], m3[1], 8);
    best.Try(p, 8,
             satd.Rows(__funnelshift_l(m2[0], m3[1], 8), __byte_perm(m2[0], from1, 0x7362),
                       __byte_perm(m2[0], from1, 0x6251), __byte_perm(m2[0], from1, 0x5140)));
    const uint32_t last = __byte_perm(m2[0], m3[0], 0x0040);
    best.Try(p, 9,
             satd.Rows(__byte_perm(m2[0], m3[0], 0x5162), __byte_perm(m2[0], m3[0], 0x4051),
                       __byte_perm(last, e0, 0x4410), __byte_perm(e0, 0, 0x0000)));
    return best;
}

// Sums over the sixteen threads of a macroblock.
__device__ inline uint32_t SumBlocks(uint32_t v) {
#pragma unroll
    for (int m = 1; m < 16; m <<= 1) v += __shfl_xor_sync(0xffffffffu, v, m);
    return v;
}

__device__ inline void EstimateIntra(const IntraParams& p) {
    const int wanted = blockIdx.x * kIntraMbs + threadIdx.x / 16;
    // Threads beyond the last macroblock of the row compute it once more; they store nothing.
    const int col = min(wanted, p.mb_cols - 1), row = p.first_row + blockIdx.y;
    const int block = threadIdx.x % 16, bx = block % 4, by = block / 4;
    const ptrdiff_t stride = p.src_stride;
    const uint8_t* mb = p.src + row * kMb * stride + col * kMb;
    const uint8_t* at = mb + 4 * by * stride + 4 * bx;
    const auto word = [](const uint8_t* pixels) {
        return *reinterpret_cast<const uint32_t*>(pixels);
    };
    const bool mb_above = row > 0, mb_left = col > 0;
    const bool has_above = by || mb_above, has_left = bx || mb_left;
    constexpr uint32_t kAbove = kAboveFrame * 0x01010101u, kLeft = kLeftOfFrame * 0x01010101u;

    uint32_t rows[4], left = kLeft;
#pragma unroll
    for (int i = 0; i < 4; i++) rows[i] = word(at + i * stride);
    if (has_left) {
        const uint32_t l0 = word(at - 4), l1 = word(at + stride - 4);
        const uint32_t l2 = word(at + 2 * stride - 4), l3 = word(at + 3 * stride - 4);
        left = __byte_perm(__byte_perm(l0, l1, 0x0073), __byte_perm(l2, l3, 0x0073), 0x5410);
    }
    const uint32_t above = has_above ? word(at - stride) : kAbove;
    uint32_t right = kAbove;
    if (bx < 3) {
        if (has_above) right = word(at - stride + 4);
    } else if (mb_above && col + 1 < p.mb_cols) {
        right = word(mb - stride + kMb);
    }
    const uint32_t corner = !has_above  ? kAboveFrame
                            : !has_left ? kLeftOfFrame
                                        : word(at - stride - 4) >> 24;

    const IntraSatd satd(rows);
    const TwoBest best = TrySubBlockModes(p, satd, left, above, right, corner);

    // The edge pixels of the macroblock come from the threads of its top and left blocks.
    const uint32_t mb_row = __shfl_sync(0xffffffffu, above, bx, 16);
    const uint32_t mb_column = __shfl_sync(0xffffffffu, left, 4 * by, 16);
    const uint32_t mb_corner = __shfl_sync(0xffffffffu, corner, 0, 16);
    // Four threads hold each word of the edge, hence the division by 4.
    const uint32_t edge =
        SumBlocks((mb_above ? SumBytes(mb_row) : 0) + (mb_left ? SumBytes(mb_column) : 0)) / 4;
    const uint32_t mean = mb_above && mb_left   ? (edge + 16) / 32
                          : mb_above || mb_left ? (edge + 8) / 16
                                                : 128;
    const uint32_t dc = SumBlocks(satd.Constant(mean));
    const uint32_t vertical = SumBlocks(satd.Vertical(mb_row));
    const uint32_t horizontal = SumBlocks(satd.Horizontal(mb_column));
    const uint32_t motion = SumBlocks(satd.TrueMotion(mb_column, mb_row, mb_corner));
    const uint32_t cost = SumBlocks(best.best >> 4);
    uint32_t modes = ((best.best & 15) | (best.second & 15) << 4) << (8 * bx);
    modes |= __shfl_xor_sync(0xffffffffu, modes, 1);
    modes |= __shfl_xor_sync(0xffffffffu, modes, 2);

    // Seven threads store one word of the record each. `pending`, the upper half of the third word,
    // is 0.
    static_assert(sizeof(cudame_intra) == 7 * sizeof(uint32_t), "seven threads store the record");
    modes = __shfl_sync(0xffffffffu, modes, 4 * (block - 3), 16);
    uint32_t out = modes;
    if (block == 0) out = min(dc, 65535u) | min(vertical, 65535u) << 16;
    if (block == 1) out = min(horizontal, 65535u) | min(motion, 65535u) << 16;
    if (block == 2) out = min(cost, 65535u);
    if (wanted < p.mb_cols && block < 7) {
        const ptrdiff_t at = static_cast<ptrdiff_t>(row) * p.mb_cols + col;
        reinterpret_cast<uint32_t*>(p.records + at)[block] = out;
        if (p.device_records) reinterpret_cast<uint32_t*>(p.device_records + at)[block] = out;
    }

    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();  // after the barrier above, it orders the stores of the whole block
        // The last block of a row wraps the counter to 0.
        if (atomicInc(p.finished + row, gridDim.x - 1) == gridDim.x - 1) {
            __threadfence_system();
            *reinterpret_cast<volatile uint32_t*>(p.progress + row) = p.sequence;
        }
    }
}

}  // namespace cudame

#endif  // CUDAME_CUDA_INTRA_ESTIMATE_CUH_
