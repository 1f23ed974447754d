// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Device code that several kernels share. All arithmetic is on integers and equals the scalar
// reference exactly.

#ifndef CUDAME_CUDA_DEVICE_CUH_
#define CUDAME_CUDA_DEVICE_CUH_

#include <cstdint>

#include "common/coarse.h"
#include "common/geometry.h"
#include "common/mv_cost.h"
#include "common/prediction.h"
#include "cuda/clang.cuh"
#include "cuda/ptx.cuh"
#include "cuda/search_params.h"

namespace cudame {

struct DevWindow {
    int x0, y0, x1, y1;
    __device__ bool Contains(int x, int y) const {
        return x >= x0 && x <= x1 && y >= y0 && y <= y1;
    }
};

__device__ inline DevWindow LegalWindow(const SearchParams& p, int row, int col) {
    return {max(-(kMb * col + CUDAME_MV_BORDER), -kMaxVector),
            max(-(kMb * row + CUDAME_MV_BORDER), -kMaxVector),
            min(kMb * (p.mb_cols - 1 - col) + CUDAME_MV_BORDER, kMaxVector),
            min(kMb * (p.mb_rows - 1 - row) + CUDAME_MV_BORDER, kMaxVector)};
}

__device__ inline int TableCost(const int* table, int difference) {
    return __ldg(table + min(max(difference, -kMaxCostIndex), kMaxCostIndex) + kMaxCostIndex);
}

// Row and search of this thread block. A grid is searches x columns x rows.
__device__ inline int RowOf(const SearchParams& p) {
    return p.first_row + static_cast<int>(blockIdx.z);
}
template <class Params>
__device__ inline const typename Params::Ref& RefOf(const Params& p) {
    return p.refs[blockIdx.x];
}

// Tells the host that a row is complete. The thread that completes it calls this after all stores.
__device__ inline void PublishRow(const RowParams& p, int row) {
    p.finished[row * kRowCounters] = 0;
    __threadfence_system();
    *reinterpret_cast<volatile uint32_t*>(p.progress + row) = p.sequence;
}

// Copies records that other blocks or warps stored. Thread t of `threads` copies its share.
template <class Record>
__device__ inline void CopyRecords(const Record* from, Record* to, int count, int t, int threads) {
    constexpr int kPieces = sizeof(Record) / sizeof(uint4);
    static_assert(sizeof(Record) % sizeof(uint4) == 0, "copied in pieces");
#pragma unroll 2
    for (int n = t; n < count * kPieces; n += threads)
        reinterpret_cast<uint4*>(to)[n] = __ldcg(reinterpret_cast<const uint4*>(from) + n);
}

// Ends a thread block of kMbs macroblocks. All its threads call it after their last store to the
// records. Neighbouring blocks of a row form a part of it. The block that completes a part copies
// it to the host, and the block that copies the last part of all searches tells the host. If each
// block copied its own records, each would wait for the bus; if one block copied the whole row, it
// would wait for the bus many times.
template <int kMbs, class Params>
__device__ inline void FinishBlock(const Params& p) {
    __shared__ bool last;
    const int row = RowOf(p), blocks = static_cast<int>(gridDim.y);
    const int in_part = (blocks + kRowParts - 1) / kRowParts;
    const int part = static_cast<int>(blockIdx.y) / in_part, first = part * in_part;
    uint32_t* done = p.finished + row * kRowCounters;
    uint32_t* mine = done + 1 + static_cast<int>(blockIdx.x) * kRowParts + part;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();  // after the barrier above, it orders the stores of the whole block
        const int of_part = min(in_part, blocks - first);
        last = atomicAdd(mine, 1u) == static_cast<uint32_t>(of_part - 1);
        if (last) __threadfence();
    }
    __syncthreads();
    if (!last) return;

    const RefOutput& r = RefOf(p);
    const int count = min((first + in_part) * kMbs, p.mb_cols) - first * kMbs;
    const int at = row * p.mb_cols + first * kMbs, t = static_cast<int>(threadIdx.x);
    CopyRecords(r.records + at, r.host_records + at, count, t, static_cast<int>(blockDim.x));
    if (r.splits)
        CopyRecords(r.splits + at, r.host_splits + at, count, t, static_cast<int>(blockDim.x));
    __syncthreads();
    if (threadIdx.x == 0) {
        *mine = 0;
        __threadfence_system();
        const uint32_t parts = static_cast<uint32_t>((blocks + in_part - 1) / in_part * p.searches);
        if (atomicAdd(done, 1u) + 1 == parts) PublishRow(p, row);
    }
}

// Used instead of ScaleRate(), whose std::min() would take the address of a host constant.
__device__ inline int DevScaleRate(int cost, int sad_per_bit) {
    return min((cost * sad_per_bit + 128) >> 8, kMaxRate);
}

// Rate of a vector, in units of SAD. row, col: quarter pixels.
__device__ inline int Rate(const SearchParams& p, cudame_mv prediction, int row, int col) {
    return DevScaleRate(TableCost(p.costs, row - prediction.row) +
                            TableCost(p.costs + kCostEntries, col - prediction.col),
                        p.sad_per_bit);
}

// Stores the vector and distortion of one block. The 16x16 vector also predicts the next frame's.
__device__ inline void StoreBlock(const RefOutput& r, int mb, int block, cudame_mv mv,
                                  uint32_t dist) {
    const uint16_t saturated = static_cast<uint16_t>(min(dist, 65535u));
    if (block == 0) {
        r.records[mb].mv = mv;
        r.records[mb].dist = saturated;
        r.best[mb] = mv;
    } else {
        r.splits[mb].mv[block - 1] = mv;
        r.splits[mb].dist[block - 1] = saturated;
    }
}

// A macroblock in one search.
struct Macroblock {
    int row, col, index;
    DevWindow window;      // legal vectors
    cudame_mv co_located;  // vector of the previous field
    cudame_mv prediction;  // rates are relative to it
    const uint8_t* ref;    // position of the zero vector in the reference plane
};

__device__ inline cudame_mv CoLocated(const RefParams& r, int index) {
    return r.previous ? r.previous[index] : cudame_mv{0, 0};
}

__device__ inline Macroblock MacroblockAt(const SearchParams& p, const RefParams& r, int row,
                                          int col) {
    const int index = row * p.mb_cols + col;
    const cudame_mv co_located = CoLocated(r, index);
    return {row,
            col,
            index,
            LegalWindow(p, row, col),
            co_located,
            co_located,
            r.plane + static_cast<ptrdiff_t>(row * kMb) * p.ref_stride + col * kMb};
}

// Means of 4x4 pixels, for four such squares side by side.
__device__ inline uint32_t ShrinkFour(const uint8_t* from, int stride) {
    uint32_t sum[4] = {8, 8, 8, 8};
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const uint4 row =
            *reinterpret_cast<const uint4*>(from + static_cast<ptrdiff_t>(j) * stride);
        sum[0] = Sad4(row.x, 0, sum[0]);
        sum[1] = Sad4(row.y, 0, sum[1]);
        sum[2] = Sad4(row.z, 0, sum[2]);
        sum[3] = Sad4(row.w, 0, sum[3]);
    }
    return sum[0] >> 4 | sum[1] >> 4 << 8 | sum[2] >> 4 << 16 | sum[3] >> 4 << 24;
}

// Four pixels at (x, y) of the plane of width x height pixels that shrinking `from` makes, with
// replicated edges. x is a multiple of four, so four pixels beyond an edge are all equal.
__device__ inline uint32_t SmallPixels(const uint8_t* from, int stride, int width, int height,
                                       int x, int y) {
    const int from_x = min(max(x, 0), width - 4), from_y = min(max(y, 0), height - 1);
    const uint32_t four = ShrinkFour(
        from + static_cast<ptrdiff_t>(kCoarseScale * from_y) * stride + kCoarseScale * from_x,
        stride);
    if (x < from_x) return (four & 0xff) * 0x01010101u;
    if (x > from_x) return (four >> 24) * 0x01010101u;
    return four;
}

__device__ inline uint32_t Min3(uint32_t a, uint32_t b, uint32_t c) {
#if defined(__NVCC__)
    return __vimin3_u32(a, b, c);
#else
    return min(min(a, b), c);
#endif
}

// A unit of 4x4 pixels in one of the five partitions of a macroblock. Units of a block have
// consecutive numbers, so that neighbouring threads add up a block's distortion.
struct Unit {
    int block;  // that it belongs to
    int group;  // number of units of that block
    int x, y;   // pixels
};

constexpr Unit UnitOf(int level, int u) {
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

// Loads twelve bytes from any address.
__device__ inline void LoadRow(const uint8_t* p, uint32_t (&out)[3]) {
    const uintptr_t a = reinterpret_cast<uintptr_t>(p);
    const uint32_t* w = reinterpret_cast<const uint32_t*>(p - (a & 3));
    const uint32_t shift = static_cast<uint32_t>(a & 3) * 8;
    uint32_t word[4];
#pragma unroll
    for (int i = 0; i < 4; i++) word[i] = __ldg(w + i);
#pragma unroll
    for (int i = 0; i < 3; i++) out[i] = __funnelshift_r(word[i], word[i + 1], shift);
}

// Sums s[9..24] into s[0..8]. Used instead of SumPartitionTree(), because the indices must be
// compile-time constants to keep the array in registers.
__device__ inline void SumTree(uint32_t (&s)[CUDAME_BLOCKS]) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int c = 9 + 8 * (i / 2) + 2 * (i % 2);
        s[5 + i] = s[c] + s[c + 1] + s[c + 4] + s[c + 5];
    }
    s[1] = s[5] + s[6];
    s[2] = s[7] + s[8];
    s[3] = s[5] + s[7];
    s[4] = s[6] + s[8];
    s[0] = s[1] + s[2];
}

}  // namespace cudame

#endif  // CUDAME_CUDA_DEVICE_CUH_
