// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Half- and quarter-pel refinement of all 25 blocks by SATD, with VP8's exact filters. Each of the
// five partitions of a macroblock consists of 16 units of 4x4 pixels. Partitions often agree on the
// vector of a unit, so the distortions at that vector's neighbours are computed only once, by one
// thread: this is a job. Then neighbouring lanes add up the units of each block and decide.
//
// Filters use dp4a; SATD runs on pairs of 16-bit values in one register. The half-pel neighbours on
// the left and on the right of a vector are the same filtered row, one pixel apart, so five
// filtered pixels serve both. Lanes share out the eight neighbours: each lane adds up and costs its
// own. A warp decides all partitions with the same instructions, one partition after the other,
// because separate code for each would have to be fetched.

#ifndef CUDAME_CUDA_SUBPEL_CUH_
#define CUDAME_CUDA_SUBPEL_CUH_

#include "cuda/device.cuh"
#include "cuda/filter.cuh"

namespace cudame {

constexpr int kMaxJobs = kSubpelMbs * kPartitions * 16;

// A thread block's shared memory.
struct SubpelState {
    uint4 src[kSubpelMbs][16];  // source columns of each unit
    cudame_mv mv[kSubpelMbs][CUDAME_BLOCKS];
    uint32_t cost[kSubpelMbs][CUDAME_BLOCKS];
    cudame_mv prediction[kSubpelMbs];
    int jobs;
    cudame_mv job_mv[kMaxJobs];
    uint8_t job_unit[kMaxJobs];                    // 16 * macroblock + unit
    uint16_t job_of[kSubpelMbs][kPartitions][16];  // job of each unit of each partition
    uint16_t dist[9][kMaxJobs];                    // distortions, by neighbour in raster order
};

// Computes a unit's distortions at a whole-pixel vector and at its eight half-pel neighbours. The
// neighbours on the left and on the right are the same filtered rows, one pixel apart, and those
// above and below the same filtered columns, so five filtered pixels serve two neighbours. ref: the
// unit's position at the vector.
__device__ inline void HalfDistances(int filter_type, const uint8_t* ref, int stride,
                                     const uint32_t (&src)[4], uint32_t (&dist)[9]) {
    const Taps taps = TapsOf(filter_type, 2);
    const uint8_t* patch = ref - 3 * static_cast<ptrdiff_t>(stride) - 3;
    // Rows, then columns: pixels 0 to 3 of `whole`, pixels -1/2 to 5/2 of `half`.
    uint32_t whole[12], half[12];
    uint32_t fifth[3];  // the column of pixel 7/2
    int sums[12];
#pragma unroll
    for (int i = 0; i < kPatch; i++) {
        uint32_t b[3];
        LoadRow(patch + static_cast<ptrdiff_t>(i) * stride, b);
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

    uint32_t up[5], down[5], same[5];
    const auto filter = [&](uint32_t b0, uint32_t b1, uint32_t b2, int j) {
        up[j] = Filter4(b0, b1, b2, taps);
        down[j] = __funnelshift_r(
            up[j], static_cast<uint32_t>(Pack7(FilterAt(b0, b1, b2, 4, taps), 0, 0, 0)), 8);
        same[j] = __funnelshift_r(b0, b1, 24);
    };
    const auto satd = [&](const uint32_t* q) {
        const uint32_t four[4] = {q[0], q[1], q[2], q[3]};
        return Satd4x4(src, four);
    };
#pragma unroll
    for (int j = 0; j < 4; j++) filter(whole[j], whole[4 + j], whole[8 + j], j);
    dist[1] = satd(up);
    dist[7] = satd(down);
    dist[4] = satd(same);
#pragma unroll
    for (int j = 0; j < 4; j++) filter(half[j], half[4 + j], half[8 + j], j);
    filter(fifth[0], fifth[1], fifth[2], 4);
    dist[0] = satd(up);
    dist[2] = satd(up + 1);
    dist[3] = satd(same);
    dist[5] = satd(same + 1);
    dist[6] = satd(down);
    dist[8] = satd(down + 1);
}

// Computes a unit's distortions at the eight quarter-pel neighbours of (row, col). Only `row` and
// `col` themselves can be whole pixels. dist: results are kMaxJobs entries apart. ref: the unit's
// position at the zero vector. The loops are not unrolled, because threads at different places of
// long code would wait for its instructions to be fetched.
__device__ inline void QuarterDistances(int filter_type, const uint8_t* ref, int stride, int row,
                                        int col, const uint32_t (&src)[4], uint16_t* dist) {
    const int y0 = (row - 1) >> 2, x0 = (col - 1) >> 2;
    const uint8_t* patch = ref + static_cast<ptrdiff_t>(y0 - 2) * stride + x0 - 2;
    uint32_t rows[kPatch][3];
#pragma unroll
    for (int i = 0; i < kPatch; i++) LoadRow(patch + static_cast<ptrdiff_t>(i) * stride, rows[i]);

#pragma unroll 1
    for (int dx = -1; dx <= 1; dx++, dist += kMaxJobs) {
        const int c = col + dx, fx = c & 3;
        const uint32_t shift = static_cast<uint32_t>((c >> 2) - x0) * 8;
        const Taps tx = TapsOf(filter_type, fx ? fx : 2);
        uint32_t t[12];  // horizontally filtered rows, then columns of four rows
#pragma unroll
        for (int i = 0; i < kPatch; i++) {
            const uint32_t b0 = __funnelshift_r(rows[i][0], rows[i][1], shift);
            const uint32_t b1 = __funnelshift_r(rows[i][1], rows[i][2], shift);
            t[i] = Filter4(b0, b1, rows[i][2] >> shift, tx);
            if (!fx) t[i] = __funnelshift_r(b0, b1, 16);
        }
        Columns(t);
#pragma unroll 1
        for (int dy = -1; dy <= 1; dy++) {
            if (!dx && !dy) continue;
            const int r = row + dy, fy = r & 3;
            const uint32_t down = static_cast<uint32_t>((r >> 2) - y0) * 8;
            const Taps ty = TapsOf(filter_type, dy || fy ? fy : 2);
            uint32_t q[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const uint32_t b0 = __funnelshift_r(t[j], t[4 + j], down);
                const uint32_t b1 = __funnelshift_r(t[4 + j], t[8 + j], down);
                q[j] = Filter4(b0, b1, t[8 + j] >> down, ty);
                if (!dy && !fy) q[j] = __funnelshift_r(b0, b1, 16);
            }
            dist[3 * (dy + 1) * kMaxJobs] = static_cast<uint16_t>(Satd4x4(src, q));
        }
    }
}

// The block of a partition that contains a unit. unit: its position in raster order.
__device__ inline int BlockAround(int partition, int unit) {
    const int x = unit & 3, y = unit >> 2;
    switch (partition) {
        case 0:
            return CUDAME_BLOCK_16X16;
        case 1:
            return CUDAME_BLOCK_16X8 + (y >> 1);
        case 2:
            return CUDAME_BLOCK_8X16 + (x >> 1);
        case 3:
            return CUDAME_BLOCK_8X8 + (y & 2) + (x >> 1);
        default:
            return CUDAME_BLOCK_4X4 + unit;
    }
}

__device__ inline uint32_t Bits(cudame_mv mv) {
    return static_cast<uint32_t>(static_cast<uint16_t>(mv.row)) << 16 |
           static_cast<uint16_t>(mv.col);
}

// Makes one job for each different vector that the partitions have for a unit. All threads call it,
// after a barrier; it ends with one.
__device__ inline void ListJobs(int mbs, SubpelState* s) {
    const int t = static_cast<int>(threadIdx.x), lane = t & 31;
    static_assert(kSubpelMbs * 16 <= kSubpelThreads && kSubpelMbs % 2 == 0, "whole warps");
    if (t < kSubpelMbs * 16) {
        const int mb = t >> 4, unit = t & 15;
        cudame_mv mv[kPartitions];
        int same[kPartitions];  // the first partition with the same vector
        int count = 0;
#pragma unroll
        for (int i = 0; i < kPartitions; i++) {
            mv[i] = s->mv[mb][BlockAround(i, unit)];
            same[i] = i;
#pragma unroll
            for (int j = i - 1; j >= 0; j--)
                if (Bits(mv[i]) == Bits(mv[j])) same[i] = j;
            count += same[i] == i;
        }
        if (mb >= mbs) count = 0;
        int end = count;
#pragma unroll
        for (int m = 1; m < 32; m <<= 1) {
            const int before = __shfl_up_sync(0xffffffffu, end, m);
            if (lane >= m) end += before;
        }
        int first = 0;
        if (lane == 31) first = atomicAdd(&s->jobs, end);
        int next = __shfl_sync(0xffffffffu, first, 31) + end - count;
        int job[kPartitions];
#pragma unroll
        for (int i = 0; i < kPartitions; i++) {
            if (same[i] == i) {
                job[i] = next++;
                if (mb < mbs) {
                    s->job_mv[job[i]] = mv[i];
                    s->job_unit[job[i]] = static_cast<uint8_t>(t);
                }
            } else {
                job[i] = 0;
#pragma unroll
                for (int j = 0; j < i; j++)
                    if (same[i] == j) job[i] = job[j];
            }
            s->job_of[mb][i][unit] = static_cast<uint16_t>(job[i]);
        }
    }
    __syncthreads();
}

// Block and raster position of each unit of a partition, in UnitOf()'s order.
struct DecideMap {
    uint8_t block[kPartitions][16], place[kPartitions][16];
};
constexpr DecideMap MakeDecideMap() {
    DecideMap map{};
    for (int i = 0; i < kPartitions; i++)
        for (int u = 0; u < 16; u++) {
            const Unit unit = UnitOf(i, u);
            map.block[i][u] = static_cast<uint8_t>(unit.block);
            map.place[i][u] = static_cast<uint8_t>(unit.y + unit.x / 4);
        }
    return map;
}
__device__ const DecideMap dev_decide_map = MakeDecideMap();

// Adds up two lanes that differ in bit `mask`. Each of them keeps the sums of kCount neighbours.
// first: the first neighbour that this lane keeps.
template <int kCount>
__device__ inline void ShareNeighbours(uint32_t (&d)[8], int mask, int* first) {
    const bool upper = static_cast<int>(threadIdx.x) & mask;
    if (upper) *first += kCount;
#pragma unroll
    for (int i = 0; i < kCount; i++) {
        const uint32_t mine = upper ? d[kCount + i] : d[i], other = upper ? d[i] : d[kCount + i];
        d[i] = mine + __shfl_xor_sync(0xffffffffu, other, mask);
    }
}

// Finds the best of each block's vector and its neighbours `step` quarter pixels away, for one
// partition of two macroblocks. One warp calls it. The lanes of a block share out the neighbours,
// and each adds up its own. The last step stores the result. All partitions share one piece of
// code, because a warp decides one after the other, and would wait for separate code to be fetched.
__device__ inline void Decide(const RefineParams& p, const RefineParams::Ref& r, int row, int col,
                              int mbs, int pair, int partition, int step, SubpelState* s) {
    const int group = partition == 0 ? 16 : partition < 3 ? 8 : partition == 3 ? 4 : 1;
    const int lane = static_cast<int>(threadIdx.x & 31);
    const int wanted = 2 * pair + (lane >> 4), mb = min(wanted, mbs - 1);
    const int block = dev_decide_map.block[partition][lane & 15];
    const int job = s->job_of[mb][partition][dev_decide_map.place[partition][lane & 15]];
    const cudame_mv centre = s->mv[mb][block], prediction = s->prediction[mb];
    const DevWindow window = LegalWindow(p, row, col + mb);
    int row_costs[3], col_costs[3];
#pragma unroll
    for (int i = 0; i < 3; i++) {
        row_costs[i] = TableCost(p.costs, centre.row + step * (i - 1) - prediction.row);
        col_costs[i] =
            TableCost(p.costs + kCostEntries, centre.col + step * (i - 1) - prediction.col);
    }

    uint32_t d[8];
    int first = 0, left = 8;  // first neighbour and number of neighbours of this lane
    if (group > 1) {
#pragma unroll
        for (int i = 0; i < 8; i++) d[i] = s->dist[i + (i >= 4)][job];
        ShareNeighbours<4>(d, 1, &first);
        ShareNeighbours<2>(d, 2, &first);
        left = 2;
    }
    if (group > 4) {
        ShareNeighbours<1>(d, 4, &first);
        left = 1;
    }
    if (group == 16) d[0] += __shfl_xor_sync(0xffffffffu, d[0], 8);

    // Keys are costs above orders. The centre comes before its neighbours.
    uint32_t best;
    if (step == 2) {
        uint32_t dist = s->dist[4][job];
#pragma unroll 1
        for (int m = 1; m < group; m <<= 1) dist += __shfl_xor_sync(0xffffffffu, dist, m);
        best =
            (dist + static_cast<uint32_t>(DevScaleRate(row_costs[1] + col_costs[1], p.sad_per_bit)))
            << 4;
    } else {
        best = s->cost[mb][block] << 4;
    }
#pragma unroll 1
    for (int i = 0; i < left; i++) {
        const int n = first + i + (first + i >= 4);
        const uint32_t dist = group == 1 ? s->dist[n][job] : i ? d[1] : d[0];
        const int dy = n / 3 - 1, dx = n % 3 - 1;
        const int y = centre.row + step * dy, x = centre.col + step * dx;
        const int row_cost = dy < 0 ? row_costs[0] : dy ? row_costs[2] : row_costs[1];
        const int col_cost = dx < 0 ? col_costs[0] : dx ? col_costs[2] : col_costs[1];
        const uint32_t cost =
            dist + static_cast<uint32_t>(DevScaleRate(row_cost + col_cost, p.sad_per_bit));
        if (y >= 4 * window.y0 && y <= 4 * window.y1 && x >= 4 * window.x0 && x <= 4 * window.x1)
            best = min(best, cost << 4 | static_cast<uint32_t>(n + 1));
    }
#pragma unroll 1
    for (int m = 1; m < group && m < 8; m <<= 1)
        best = min(best, __shfl_xor_sync(0xffffffffu, best, m));

    __syncwarp();  // all lanes have read the vectors
    if (wanted >= mbs || (lane & (group - 1))) return;
    cudame_mv mv = centre;
    if (best & 15) {
        const int n = static_cast<int>(best & 15) - 1;
        mv.row = static_cast<int16_t>(mv.row + step * (n / 3 - 1));
        mv.col = static_cast<int16_t>(mv.col + step * (n % 3 - 1));
    }
    if (step == 2) {
        s->mv[mb][block] = mv;
        s->cost[mb][block] = best >> 4;
        return;
    }
    const int index = row * p.mb_cols + col + mb;
    const uint32_t dist = (best >> 4) - static_cast<uint32_t>(Rate(p, prediction, mv.row, mv.col));
    StoreBlock(r, index, block, mv, dist);
}

// Computes the distortions of all jobs, then decides for every block. All threads call it, after a
// barrier; it ends with one.
__device__ inline void RefineStep(const RefineParams& p, const RefineParams::Ref& r, int row,
                                  int col, int mbs, int step, SubpelState* s) {
    ListJobs(mbs, s);
    const uint8_t* ref = r.plane + static_cast<ptrdiff_t>(row * kMb) * p.ref_stride + col * kMb;
    for (int job = static_cast<int>(threadIdx.x); job < s->jobs; job += kSubpelThreads) {
        const int id = s->job_unit[job], mb = id >> 4, unit = id & 15;
        const cudame_mv mv = s->job_mv[job];
        const uint4 columns = s->src[mb][unit];
        const uint32_t src[4] = {columns.x, columns.y, columns.z, columns.w};
        const uint8_t* at = ref + static_cast<ptrdiff_t>(4 * (unit >> 2)) * p.ref_stride +
                            kMb * mb + 4 * (unit & 3);
        if (step == 1) {
            QuarterDistances(p.filter, at, p.ref_stride, mv.row, mv.col, src, &s->dist[0][job]);
            continue;
        }
        uint32_t dist[9];
        HalfDistances(p.filter,
                      at + static_cast<ptrdiff_t>(mv.row >> 2) * p.ref_stride + (mv.col >> 2),
                      p.ref_stride, src, dist);
#pragma unroll
        for (int i = 0; i < 9; i++) s->dist[i][job] = static_cast<uint16_t>(dist[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) s->jobs = 0;
    constexpr int kTasks = kPartitions * kSubpelMbs / 2;
    for (int task = static_cast<int>(threadIdx.x >> 5); task < kTasks;
         task += kSubpelThreads / 32) {
        const int pair = task / kPartitions;
        // A pair beyond the row's end would read vectors that another warp writes.
        if (2 * pair >= mbs) continue;
        Decide(p, r, row, col, mbs, pair, task % kPartitions, step, s);
    }
    __syncthreads();
}

__device__ inline void RefineSubpel(const RefineParams& p) {
    __shared__ SubpelState s;
    const RefineParams::Ref& r = RefOf(p);
    const int t = static_cast<int>(threadIdx.x);
    const int row = RowOf(p), col = static_cast<int>(blockIdx.y) * kSubpelMbs;
    const int mbs = min(kSubpelMbs, p.mb_cols - col), first = row * p.mb_cols + col;
    if (t < 16 * mbs) {
        const int x = kMb * (col + (t >> 4)) + 4 * (t & 3), y = kMb * row + (t & 12);
        const uint8_t* from = p.src + static_cast<ptrdiff_t>(y) * p.src_stride + x;
        uint32_t w[4];
#pragma unroll
        for (int i = 0; i < 4; i++)
            w[i] =
                *reinterpret_cast<const uint32_t*>(from + static_cast<ptrdiff_t>(i) * p.src_stride);
        Transpose4(w[0], w[1], w[2], w[3]);
        s.src[t >> 4][t & 15] = make_uint4(w[0], w[1], w[2], w[3]);
    }
    for (int i = t; i < CUDAME_BLOCKS * mbs; i += kSubpelThreads)
        (&s.mv[0][0])[i] = r.integer[first * CUDAME_BLOCKS + i];
    if (t < mbs) s.prediction[t] = CoLocated(r, row * p.mb_cols + col + t);
    if (t == 0) s.jobs = 0;
    __syncthreads();
#pragma unroll 1
    for (int step = 2; step; step--) RefineStep(p, r, row, col, mbs, step, &s);
    FinishBlock<kSubpelMbs>(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SUBPEL_CUH_
