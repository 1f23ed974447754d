// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Half- and quarter-pel refinement of all 25 blocks by SATD, with the exact
// filters. Each of the five partitions of a macroblock is 16 units of 4x4
// pixels; a thread computes one unit of one partition, and the threads of a
// block, neighbours in a warp, add up their distortions.

#ifndef CUDAME_CUDA_SUBPEL_CUH_
#define CUDAME_CUDA_SUBPEL_CUH_

#include "cuda/device.cuh"

namespace cudame {

constexpr int kSubpelMbs = 2;  // macroblocks of a thread block
constexpr int kSubpelThreads = kSubpelMbs * 5 * 16;
constexpr int kPatch = 10;  // rows and columns that two steps can reach

// Signed 8-bit taps 0..3 and 4..5 of quarter position f = 1..3.
struct Taps {
    uint32_t low, high;
};

__device__ inline uint32_t Pack(int a, int b, int c, int d) {
    return (a & 255) | (b & 255) << 8 | (c & 255) << 16 | static_cast<uint32_t>(d & 255) << 24;
}

__device__ inline Taps TapsOf(int filter, int f) {
    if (filter == CUDAME_FILTER_BILINEAR) return {Pack(0, 0, 128 - 32 * f, 32 * f), 0};
    if (f == 1) return {Pack(2, -11, 108, 36), Pack(-8, 1, 0, 0)};
    if (f == 2) return {Pack(3, -16, 77, 77), Pack(-16, 3, 0, 0)};
    return {Pack(1, -8, 36, 108), Pack(-11, 2, 0, 0)};
}

__device__ inline int Dot4(uint32_t pixels, uint32_t taps, int sum) {
    int out;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(out) : "r"(pixels), "r"(taps), "r"(sum));
    return out;
}

__device__ inline uint32_t Round7(int v) { return min(max(v >> 7, 0), 255); }

// Four filtered pixels from the nine bytes b0 b1 b2(low byte), packed.
__device__ inline uint32_t Filter4(uint32_t b0, uint32_t b1, uint32_t b2, const Taps& t) {
    uint32_t out = 0;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const uint32_t low = __funnelshift_r(b0, b1, 8 * j);
        const uint32_t high = __funnelshift_r(b1, b2, 8 * j);
        out |= Round7(Dot4(low, t.low, Dot4(high, t.high, 64))) << (8 * j);
    }
    return out;
}

// Columns of four rows of four bytes, and back.
__device__ inline void Transpose4(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d) {
    const uint32_t ab0 = __byte_perm(a, b, 0x5140), ab1 = __byte_perm(a, b, 0x7362);
    const uint32_t cd0 = __byte_perm(c, d, 0x5140), cd1 = __byte_perm(c, d, 0x7362);
    a = __byte_perm(ab0, cd0, 0x5410);
    b = __byte_perm(ab0, cd0, 0x7632);
    c = __byte_perm(ab1, cd1, 0x5410);
    d = __byte_perm(ab1, cd1, 0x7632);
}

// Half the sum of the absolute 4x4 Hadamard coefficients. s and q hold columns
// of four pixels. Pairs of values travel in one word, as lo + (hi << 16), which
// sums and differences leave exact; the last butterfly, |lo + hi| + |lo - hi|,
// is twice the larger magnitude.
__device__ inline uint32_t Satd4x4(const uint32_t (&s)[4], const uint32_t (&q)[4]) {
    uint32_t a[4], b[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const uint32_t even = (s[j] & 0x00ff00ffu) - (q[j] & 0x00ff00ffu);
        const uint32_t odd = (s[j] >> 8 & 0x00ff00ffu) - (q[j] >> 8 & 0x00ff00ffu);
        a[j] = even + odd;
        b[j] = even - odd;
    }
    uint32_t sum = 0;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        uint32_t* v = half ? b : a;
        const uint32_t t0 = v[0] + v[1], t1 = v[0] - v[1], t2 = v[2] + v[3], t3 = v[2] - v[3];
        const uint32_t h[4] = {t0 + t2, t0 - t2, t1 + t3, t1 - t3};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int low = static_cast<int16_t>(h[i] & 0xffff);
            const int high = static_cast<int>(h[i] - static_cast<uint32_t>(low)) >> 16;
            sum += max(abs(low), abs(high));
        }
    }
    return sum;
}

// Adds up over the 1, 2, 4, 8 or 16 neighbours that share a block.
__device__ inline uint32_t SumGroup(uint32_t v, int group) {
#pragma unroll
    for (int m = 1; m < 16; m <<= 1) {
        const uint32_t other = __shfl_xor_sync(0xffffffffu, v, m);
        if (m < group) v += other;
    }
    return v;
}

// Twelve bytes of a row from any alignment.
__device__ inline void LoadRow(const uint8_t* p, uint32_t (&out)[3]) {
    const uintptr_t a = reinterpret_cast<uintptr_t>(p);
    const uint32_t* w = reinterpret_cast<const uint32_t*>(a & ~uintptr_t{3});
    const uint32_t shift = static_cast<uint32_t>(a & 3) * 8;
#pragma unroll
    for (int i = 0; i < 3; i++) out[i] = __funnelshift_r(w[i], w[i + 1], shift);
}

// A unit: which block, how many units share it, and where it lies.
struct Unit {
    int block, group, x, y;
};

__device__ inline Unit UnitOf(int level, int u) {
    switch (level) {
        case 0:
            return {0, 16, 4 * (u & 3), 4 * (u >> 2)};
        case 1:
            return {1 + (u >> 3), 8, 4 * (u & 3), 4 * (u >> 2)};
        case 2:
            return {3 + (u >> 3), 8, 8 * (u >> 3) + 4 * (u & 1), 4 * (u >> 1 & 3)};
        case 3:
            return {5 + (u >> 2), 4, 8 * (u >> 2 & 1) + 4 * (u & 1),
                    8 * (u >> 3) + 4 * (u >> 1 & 1)};
        default:
            return {9 + u, 1, 4 * (u & 3), 4 * (u >> 2)};
    }
}

struct Best {
    cudame_mv mv;
    uint32_t dist, cost;
};

// The eight vectors at step (2: half, 1: quarter pel) around best.
__device__ inline void RefineStep(const LaunchParams& p, const uint8_t* ref,
                                  const DevWindow& window, cudame_mv prediction, int step,
                                  const uint32_t (&src)[4], const Unit& unit, Best* best) {
    const int row = best->mv.row, col = best->mv.col;
    const int y0 = (row - step) >> 2, x0 = (col - step) >> 2;
    const uint8_t* patch =
        ref + static_cast<ptrdiff_t>(unit.y + y0 - 2) * p.ref_stride + unit.x + x0 - 2;
    uint32_t rows[kPatch][3];
#pragma unroll
    for (int i = 0; i < kPatch; i++)
        LoadRow(patch + static_cast<ptrdiff_t>(i) * p.ref_stride, rows[i]);

    // Candidates come by column here, but win in raster order.
    uint32_t dist[9];
#pragma unroll
    for (int dx = -1; dx <= 1; dx++) {
        const int c = col + step * dx, fx = c & 3;
        const uint32_t shift = static_cast<uint32_t>((c >> 2) - x0) * 8;
        const Taps tx = TapsOf(p.filter, fx);
        uint32_t t[12];  // horizontally filtered rows, then columns of four rows
#pragma unroll
        for (int i = 0; i < kPatch; i++) {
            const uint32_t b0 = __funnelshift_r(rows[i][0], rows[i][1], shift);
            const uint32_t b1 = __funnelshift_r(rows[i][1], rows[i][2], shift);
            const uint32_t b2 = rows[i][2] >> shift;
            t[i] = fx ? Filter4(b0, b1, b2, tx) : __funnelshift_r(b0, b1, 16);
        }
        t[10] = t[11] = 0;
#pragma unroll
        for (int i = 0; i < 12; i += 4) Transpose4(t[i], t[i + 1], t[i + 2], t[i + 3]);
#pragma unroll
        for (int dy = -1; dy <= 1; dy++) {
            const int r = row + step * dy, fy = r & 3;
            const uint32_t down = static_cast<uint32_t>((r >> 2) - y0) * 8;
            const Taps ty = TapsOf(p.filter, fy);
            uint32_t q[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const uint32_t b0 = __funnelshift_r(t[j], t[4 + j], down);
                const uint32_t b1 = __funnelshift_r(t[4 + j], t[8 + j], down);
                const uint32_t b2 = t[8 + j] >> down;
                q[j] = fy ? Filter4(b0, b1, b2, ty) : __funnelshift_r(b0, b1, 16);
            }
            const int i = 3 * (dy + 1) + dx + 1;
            dist[i] = i == 4 ? 0 : SumGroup(Satd4x4(src, q), unit.group);
        }
    }
#pragma unroll
    for (int i = 0; i < 9; i++) {
        const int r = row + step * (i / 3 - 1), c = col + step * (i % 3 - 1);
        if (i == 4 || r < 4 * window.y0 || r > 4 * window.y1 || c < 4 * window.x0 ||
            c > 4 * window.x1)
            continue;
        const uint32_t cost = dist[i] + static_cast<uint32_t>(Rate(p, prediction, r, c));
        if (cost < best->cost) {
            best->cost = cost;
            best->dist = dist[i];
            best->mv = {static_cast<int16_t>(r), static_cast<int16_t>(c)};
        }
    }
}

__device__ inline void RefineSubpel(const LaunchParams& p) {
    const RefParams& r = RefOf(p);
    const int half_warp = threadIdx.x >> 4;
    const int wanted = blockIdx.x * kSubpelMbs + half_warp / 5;
    // Of an odd number of macroblocks the last one is computed twice.
    const int col = min(wanted, p.mb_cols - 1), row = RowOf(p);
    const int mb = row * p.mb_cols + col;
    const Unit unit = UnitOf(half_warp % 5, threadIdx.x & 15);
    const DevWindow window = LegalWindow(p, row, col);
    const cudame_mv prediction = r.previous ? r.previous[mb] : cudame_mv{0, 0};
    const uint8_t* ref = r.plane + static_cast<ptrdiff_t>(row * kMb) * p.ref_stride + col * kMb;
    const uint8_t* from =
        p.src + static_cast<ptrdiff_t>(row * kMb + unit.y) * p.src_stride + col * kMb + unit.x;
    cudame_mb* out = r.field + mb;

    uint32_t src[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        src[i] =
            *reinterpret_cast<const uint32_t*>(from + static_cast<ptrdiff_t>(i) * p.src_stride);
    Transpose4(src[0], src[1], src[2], src[3]);

    Best best;
    best.mv = r.integer[mb * CUDAME_BLOCKS + unit.block];
    {
        const uint8_t* at = ref +
                            static_cast<ptrdiff_t>(unit.y + (best.mv.row >> 2)) * p.ref_stride +
                            unit.x + (best.mv.col >> 2);
        uint32_t q[4];
#pragma unroll
        for (int i = 0; i < 4; i++)
            q[i] = LoadUnaligned(at + static_cast<ptrdiff_t>(i) * p.ref_stride);
        Transpose4(q[0], q[1], q[2], q[3]);
        best.dist = SumGroup(Satd4x4(src, q), unit.group);
        best.cost =
            best.dist + static_cast<uint32_t>(Rate(p, prediction, best.mv.row, best.mv.col));
    }
    RefineStep(p, ref, window, prediction, 2, src, unit, &best);
    RefineStep(p, ref, window, prediction, 1, src, unit, &best);

    // The first unit of each block stores.
    if (wanted < p.mb_cols && (threadIdx.x & (unit.group - 1)) == 0) {
        out->mv[unit.block] = best.mv;
        out->dist[unit.block] = static_cast<uint16_t>(min(best.dist, 65535u));
        if (unit.block == 0) r.best[mb] = best.mv;
    }
    FinishBlock(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SUBPEL_CUH_
