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
constexpr int kPatch = 10;  // rows that a step can reach

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

// Four sums of the filters, rounded and clamped, packed from the first.
__device__ inline uint32_t Pack7(int a, int b, int c, int d) {
    uint32_t high, out;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(high) : "r"(d >> 7), "r"(c >> 7));
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;"
        : "=r"(out)
        : "r"(b >> 7), "r"(a >> 7), "r"(high));
    return out;
}

// The sum of the filter from byte j of b0 b1 b2, before it is rounded down.
__device__ inline int FilterAt(uint32_t b0, uint32_t b1, uint32_t b2, int j, const Taps& t) {
    const uint32_t low = j < 4 ? __funnelshift_r(b0, b1, 8 * (j & 3)) : b1;
    const uint32_t high = j < 4 ? __funnelshift_r(b1, b2, 8 * (j & 3)) : b2;
    return Dot4(low, t.low, Dot4(high, t.high, 64));
}

// Four filtered pixels from the nine bytes b0 b1 b2(low byte), packed.
__device__ inline uint32_t Filter4(uint32_t b0, uint32_t b1, uint32_t b2, const Taps& t) {
    return Pack7(FilterAt(b0, b1, b2, 0, t), FilterAt(b0, b1, b2, 1, t), FilterAt(b0, b1, b2, 2, t),
                 FilterAt(b0, b1, b2, 3, t));
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
#if __CUDA_ARCH__ >= 900
        // Magnitudes of both halves, with a bias of 0x8000 each; the low one
        // takes its carry of eight biases with it.
        uint32_t m[4];
#pragma unroll
        for (int i = 0; i < 4; i++) m[i] = __vmaxu2(h[i] + 0x80008000u, 0x80008000u - h[i]);
#pragma unroll
        for (int i = 0; i < 4; i += 2)
            sum +=
                __vmaxu2(__byte_perm(m[i], m[i + 1], 0x5410), __byte_perm(m[i], m[i + 1], 0x7632));
    }
    sum -= 0x20000u;
    return (sum & 0xffff) + (sum >> 16);
#else
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int low = static_cast<int16_t>(h[i] & 0xffff);
            const int high = static_cast<int>(h[i] - static_cast<uint32_t>(low)) >> 16;
            sum += max(abs(low), abs(high));
        }
    }
    return sum;
#endif
}

struct Best {
    cudame_mv mv;
    uint32_t dist, cost;
};

// Rates of the three rows and columns of vectors at step around one.
struct Rates {
    int row[3], col[3];
};

__device__ inline Rates RatesAround(const LaunchParams& p, cudame_mv prediction, cudame_mv mv,
                                    int step) {
    Rates r;
#pragma unroll
    for (int i = 0; i < 3; i++) {
        r.row[i] = TableCost(p.costs, mv.row + step * (i - 1) - prediction.row);
        r.col[i] = TableCost(p.costs + kCostEntries, mv.col + step * (i - 1) - prediction.col);
    }
    return r;
}

// Takes the best of the eight vectors at step around best; dist in raster order.
__device__ inline void TakeBest(const LaunchParams& p, const DevWindow& window,
                                cudame_mv prediction, int step, const uint32_t (&dist)[9],
                                Best* best) {
    const cudame_mv centre = best->mv;
    const Rates rates = RatesAround(p, prediction, centre, step);
#pragma unroll
    for (int i = 0; i < 9; i++) {
        const int r = centre.row + step * (i / 3 - 1), c = centre.col + step * (i % 3 - 1);
        if (i == 4 || r < 4 * window.y0 || r > 4 * window.y1 || c < 4 * window.x0 ||
            c > 4 * window.x1)
            continue;
        const uint32_t cost = dist[i] + static_cast<uint32_t>(DevScaleRate(
                                            rates.row[i / 3] + rates.col[i % 3], p.sad_per_bit));
        if (cost < best->cost) {
            best->cost = cost;
            best->dist = dist[i];
            best->mv = {static_cast<int16_t>(r), static_cast<int16_t>(c)};
        }
    }
}

// Columns of ten rows: words of rows 0 to 3, 4 to 7, 8 and 9, of four columns.
__device__ inline void Columns(uint32_t (&t)[12]) {
    t[10] = t[11] = 0;
#pragma unroll
    for (int i = 0; i < 12; i += 4) Transpose4(t[i], t[i + 1], t[i + 2], t[i + 3]);
}

// The eight half-pel vectors around a whole one. Neighbours on the left and on
// the right of a vector are the same filtered row, one pixel apart, and so are
// those above and below: five of each make four of both.
__device__ inline void RefineHalf(const LaunchParams& p, const uint8_t* ref,
                                  const DevWindow& window, cudame_mv prediction,
                                  const uint32_t (&src)[4], const Unit& unit, Best* best) {
    const Taps taps = TapsOf(p.filter, 2);
    const uint8_t* patch = ref +
                           static_cast<ptrdiff_t>(unit.y + (best->mv.row >> 2) - 3) * p.ref_stride +
                           unit.x + (best->mv.col >> 2) - 3;
    uint32_t whole[12], half[12];  // rows, then columns, of pixels 0..3 and -1/2..5/2
    uint32_t fifth[3];             // the column at 7/2
    int sums[12];
#pragma unroll
    for (int i = 0; i < kPatch; i++) {
        uint32_t b[3];
        LoadRow(patch + static_cast<ptrdiff_t>(i) * p.ref_stride, b);
        whole[i] = __funnelshift_r(b[0], b[1], 24);
        half[i] = Filter4(b[0], b[1], b[2], taps);
        sums[i] = FilterAt(b[0], b[1], b[2], 4, taps);
    }
    sums[10] = sums[11] = 0;
#pragma unroll
    for (int i = 0; i < 3; i++)
        fifth[i] = Pack7(sums[4 * i], sums[4 * i + 1], sums[4 * i + 2], sums[4 * i + 3]);
    Columns(whole);
    Columns(half);

    uint32_t dist[9], up[5], down[5], same[5];
    dist[4] = 0;
    const auto filter = [&](uint32_t b0, uint32_t b1, uint32_t b2, int j) {
        up[j] = Filter4(b0, b1, b2, taps);
        down[j] = __funnelshift_r(
            up[j], static_cast<uint32_t>(Pack7(FilterAt(b0, b1, b2, 4, taps), 0, 0, 0)), 8);
        same[j] = __funnelshift_r(b0, b1, 24);
    };
    const auto satd = [&](const uint32_t* q) {
        const uint32_t four[4] = {q[0], q[1], q[2], q[3]};
        return SumGroup(Satd4x4(src, four), unit.group);
    };
#pragma unroll
    for (int j = 0; j < 4; j++) filter(whole[j], whole[4 + j], whole[8 + j], j);
    dist[1] = satd(up);
    dist[7] = satd(down);
#pragma unroll
    for (int j = 0; j < 4; j++) filter(half[j], half[4 + j], half[8 + j], j);
    filter(fifth[0], fifth[1], fifth[2], 4);
    dist[0] = satd(up);
    dist[2] = satd(up + 1);
    dist[3] = satd(same);
    dist[5] = satd(same + 1);
    dist[6] = satd(down);
    dist[8] = satd(down + 1);
    TakeBest(p, window, prediction, 2, dist, best);
}

// The eight quarter-pel vectors around best.
__device__ inline void RefineQuarter(const LaunchParams& p, const uint8_t* ref,
                                     const DevWindow& window, cudame_mv prediction,
                                     const uint32_t (&src)[4], const Unit& unit, Best* best) {
    const int row = best->mv.row, col = best->mv.col;
    const int y0 = (row - 1) >> 2, x0 = (col - 1) >> 2;
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
        const int c = col + dx, fx = c & 3;
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
        Columns(t);
#pragma unroll
        for (int dy = -1; dy <= 1; dy++) {
            const int i = 3 * (dy + 1) + dx + 1;
            if (i == 4) {
                dist[i] = 0;
                continue;
            }
            const int r = row + dy, fy = r & 3;
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
            dist[i] = SumGroup(Satd4x4(src, q), unit.group);
        }
    }
    TakeBest(p, window, prediction, 1, dist, best);
}

__device__ inline void RefineSubpel(const LaunchParams& p) {
    const RefParams& r = RefOf(p);
    const int half_warp = threadIdx.x >> 4;
    const int wanted = static_cast<int>(blockIdx.y) * kSubpelMbs + half_warp / 5;
    // Of an odd number of macroblocks the last one is computed twice.
    const int col = min(wanted, p.mb_cols - 1), row = RowOf(p);
    const int mb = row * p.mb_cols + col;
    const Unit unit = UnitOf(half_warp % 5, threadIdx.x & 15);
    const DevWindow window = LegalWindow(p, row, col);
    const cudame_mv prediction = r.previous ? r.previous[mb] : cudame_mv{0, 0};
    const uint8_t* ref = r.plane + static_cast<ptrdiff_t>(row * kMb) * p.ref_stride + col * kMb;
    const uint8_t* from =
        p.src + static_cast<ptrdiff_t>(row * kMb + unit.y) * p.src_stride + col * kMb + unit.x;
    cudame_mb* out = r.records + mb;

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
    RefineHalf(p, ref, window, prediction, src, unit, &best);
    RefineQuarter(p, ref, window, prediction, src, unit, &best);

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
