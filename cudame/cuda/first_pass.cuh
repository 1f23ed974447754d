// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The first of two passes (common/first_pass.h) in two kernels.
//
// The search kernel does the searches around the zero vector, which depend on finished frames
// only, for all macroblocks and both references at once. A thread block searches one macroblock in
// one reference. It has one warp for each of the five runs of a search and keeps a tile of
// reference pixels in shared memory. A warp assigns four lanes to each of the eight sites.
//
// The code kernel has one thread block per row of macroblocks. A block codes its macroblocks from
// left to right and stays one macroblock behind the row above. Five warps search around the vector
// of the macroblock to the left. The sixth warp codes the sixteen sub-blocks of the intra
// prediction along diagonals, with four lanes per sub-block: a lane holds a row of the sub-block,
// and a column after a transposition by shuffles. Then all warps code the prediction that won.
// A block takes the next row when it starts to run, so that no block waits for a row that has not
// started.

#ifndef CUDAME_CUDA_FIRST_PASS_CUH_
#define CUDAME_CUDA_FIRST_PASS_CUH_

#include <cstddef>
#include <cstdint>

#include "common/transform.h"
#include "cuda/clang.cuh"
#include "cuda/device.cuh"
#include "cuda/first_pass_params.h"
#include "cuda/ptx.cuh"

namespace cudame {
namespace first_pass {

constexpr uint32_t kAllLanes = 0xffffffffu;
// The sites of a search lie at most kReach pixels from its centre. A tile starts at a multiple of
// four pixels.
constexpr int kReach = 2 * kFirstPassStep - 1;
constexpr int kTileRows = kMb + 2 * kReach;
constexpr int kTileWords = (kMb + 2 * kReach + 3 + 3) / 4;

// One search. All its rates are relative to the same predicted vector.
struct Search {
    int x, y;                // predicted vector, whole pixels
    int centre_x, centre_y;  // the predicted vector, clamped to the legal range
    int x0, y0, x1, y1;      // limits of the sites, exclusive at both ends
    int tile_x;              // column of the frame where the tile starts
    int error[kFirstPassRuns], end_x[kFirstPassRuns], end_y[kFirstPassRuns];
    uint32_t tile[kTileRows * kTileWords];
};

struct Block {
    int row, col;
    uint32_t source[kMb * kMb / 4];
};

__device__ inline int Clamp(int v, int low, int high) { return min(max(v, low), high); }

// Reads four pixels of a reconstruction at (x, y) with replicated edges. x is a multiple of 4.
__device__ inline uint32_t PixelsAt(const FirstPassParams& p, const uint8_t* plane, int x, int y) {
    const int width = kMb * p.mb_cols;
    const uint8_t* row =
        plane + static_cast<ptrdiff_t>(Clamp(y, 0, kMb * p.mb_rows - 1)) * p.stride;
    if (x >= 0 && x < width) return *reinterpret_cast<const uint32_t*>(row + x);
    return 0x01010101u * row[x < 0 ? 0 : width - 1];
}

// Loads the macroblock's source pixels. All threads of the block call it.
__device__ inline void LoadSource(const FirstPassParams& p, Block* b) {
    const int t = static_cast<int>(threadIdx.x);
    if (t >= kMb * kMb / 4) return;
    b->source[t] = *reinterpret_cast<const uint32_t*>(
        p.source + static_cast<ptrdiff_t>(kMb * b->row + t / 4) * p.stride + kMb * b->col +
        t % 4 * 4);
}

// Sets up a search and loads its tile. All threads of the block call it. A barrier must follow
// before the search is read.
__device__ inline void BeginSearch(const FirstPassParams& p, const uint8_t* plane, int row, int col,
                                   int x, int y, Search* s) {
    const int x0 = -kMb * col - kMb, x1 = kMb * (p.mb_cols - 1 - col) + kMb;
    const int y0 = -kMb * row - kMb, y1 = kMb * (p.mb_rows - 1 - row) + kMb;
    const int centre_x = Clamp(x, x0, x1), centre_y = Clamp(y, y0, y1);
    const int tile_x = (kMb * col + centre_x - kReach) & ~3;
    const int tile_y = kMb * row + centre_y - kReach;
    if (threadIdx.x == 0) {
        s->x = x;
        s->y = y;
        s->centre_x = centre_x;
        s->centre_y = centre_y;
        s->x0 = x0;
        s->x1 = x1;
        s->y0 = y0;
        s->y1 = y1;
        s->tile_x = tile_x;
    }
    for (int i = static_cast<int>(threadIdx.x); i < kTileRows * kTileWords;
         i += static_cast<int>(blockDim.x))
        s->tile[i] = PixelsAt(p, plane, tile_x + i % kTileWords * 4, tile_y + i / kTileWords);
}

// Reads row `line` of the predicted macroblock at a vector, as four words.
__device__ inline void TileRow(const Search& s, int col, int x, int y, int line, uint32_t out[4]) {
    const int at = kMb * col + x - s.tile_x;
    const uint32_t* from = s.tile + (y - s.centre_y + kReach + line) * kTileWords + at / 4;
    uint32_t word = from[0];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const uint32_t next = at % 4 || i < 3 ? from[i + 1] : 0;
        out[i] = __funnelshift_r(word, next, static_cast<uint32_t>(at % 4 * 8));
        word = next;
    }
}

__device__ inline int SquaredDifferences(uint32_t a, uint32_t b) {
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 32; i += 8) {
        const int d = static_cast<int>(a >> i & 255) - static_cast<int>(b >> i & 255);
        sum += d * d;
    }
    return sum;
}

__device__ inline int WarpSum(int v) {
#pragma unroll
    for (int lanes = 16; lanes; lanes >>= 1) v += __shfl_xor_sync(kAllLanes, v, lanes);
    return v;
}

__device__ inline int Cost(const FirstPassParams& p, int row_difference, int col_difference) {
    const int rate = p.mv_cost[0][max(row_difference, 0)] + p.mv_cost[1][max(col_difference, 0)];
    return (rate * p.error_per_bit + 128) >> 8;
}

// Does one run of a search. One warp calls it; four lanes share each of the eight sites.
__device__ inline void Run(const FirstPassParams& p, const Block& b, int run, Search* s) {
    const int lane = static_cast<int>(threadIdx.x) & 31, site = lane >> 2, part = lane & 3;
    // Sites: up, down, left, right, then the corners in raster order.
    const int corner = site - 4;
    const int site_x = site < 4 ? (site == 3) - (site == 2) : (corner & 1) * 2 - 1;
    const int site_y = site < 4 ? (site == 1) - (site == 0) : (corner >> 1) * 2 - 1;
    uint32_t source[16];
#pragma unroll
    for (int i = 0; i < 16; i++) source[i] = b.source[16 * part + i];

    const auto sad_at = [&](int x, int y) {
        uint32_t sum = 0;
#pragma unroll
        for (int line = 0; line < 4; line++) {
            uint32_t ref[4];
            TileRow(*s, b.col, x, y, 4 * part + line, ref);
#pragma unroll
            for (int i = 0; i < 4; i++) sum = Sad4(source[4 * line + i], ref[i], sum);
        }
        sum += __shfl_xor_sync(kAllLanes, sum, 1);
        return sum + __shfl_xor_sync(kAllLanes, sum, 2);
    };

    int x = s->centre_x, y = s->centre_y;
    uint32_t sad = sad_at(x, y);
    for (int step = kFirstPassStep >> run; step; step >>= 1) {
        const int at_x = x + step * site_x, at_y = y + step * site_y;
        // The tile also covers the illegal sites, so all lanes may read.
        const uint32_t site_sad = sad_at(at_x, at_y);
        const bool legal = at_x > s->x0 && at_x < s->x1 && at_y > s->y0 && at_y < s->y1;
        uint32_t key = legal ? site_sad * 8 + static_cast<uint32_t>(site) : ~0u;
#pragma unroll
        for (int lanes = 4; lanes < 32; lanes *= 2)
            key = min(key, static_cast<uint32_t>(__shfl_xor_sync(kAllLanes, key, lanes)));
        if (key / 8 >= sad) continue;
        sad = key / 8;
        const int from = static_cast<int>(key % 8) * 4;
        x = __shfl_sync(kAllLanes, at_x, from);
        y = __shfl_sync(kAllLanes, at_y, from);
    }

    // Each lane takes half a row.
    uint32_t ref[4];
    TileRow(*s, b.col, x, y, lane / 2, ref);
    int error = 0;
#pragma unroll
    for (int i = 0; i < 2; i++)
        error += SquaredDifferences(b.source[2 * lane + i], lane & 1 ? ref[2 + i] : ref[i]);
    error = WarpSum(error);
    if (lane) return;
    s->error[run] = error + Cost(p, y - s->y, x - s->x) + kFirstPassPenalty;
    s->end_x[run] = x;
    s->end_y[run] = y;
}

// Replaces a vector if a run of the search ended with less error.
__device__ inline void Judge(const Search& s, int* error, int* x, int* y) {
#pragma unroll
    for (int run = 0; run < kFirstPassRuns; run++) {
        if (s.error[run] >= *error) continue;
        *error = s.error[run];
        *x = s.end_x[run];
        *y = s.end_y[run];
    }
}

// Returns this thread's part of the squared error at the zero vector. The first 64 threads of a
// block cover the macroblock.
__device__ inline int StillError(const FirstPassParams& p, const uint8_t* plane, const Block& b) {
    const int t = static_cast<int>(threadIdx.x);
    return SquaredDifferences(b.source[t],
                              PixelsAt(p, plane, kMb * b.col + t % 4 * 4, kMb * b.row + t / 4));
}

// The search kernel. Grid: columns x rows x references (the last frame, and the golden frame if it
// is a different one).
__device__ inline void SearchZero(const FirstPassParams& p) {
    __shared__ Block b;
    __shared__ Search s;
    __shared__ int still[2][2];
    const int t = static_cast<int>(threadIdx.x), row = static_cast<int>(blockIdx.y);
    const int col = static_cast<int>(blockIdx.x);
    const bool is_golden = blockIdx.z != 0;
    FirstPassZero* zero = p.zero + row * p.mb_cols + col;
    if (t == 0) {
        b.row = row;
        b.col = col;
        if (!col && !is_golden) p.done[row] = 0;
        if (!col && !row && !is_golden) *p.next_row = 0;
    }
    if (!p.last) return;
    __syncthreads();
    LoadSource(p, &b);
    BeginSearch(p, is_golden ? p.golden : p.last, row, col, 0, 0, &s);
    __syncthreads();
    Run(p, b, t / 32, &s);
    if (t < 64 && !is_golden) {
        const int none = WarpSum(StillError(p, p.last, b));
        const int raw = p.breakout ? WarpSum(StillError(p, p.last_source, b)) : 0;
        if (t % 32 == 0) {
            still[0][t / 32] = none;
            still[1][t / 32] = raw;
        }
    }
    __syncthreads();
    if (t) return;
    int error = 0x7fffffff, x = 0, y = 0;
    Judge(s, &error, &x, &y);
    if (is_golden) {
        zero->golden = error;
        return;
    }
    const bool breaks_out =
        p.breakout && static_cast<unsigned>(still[1][0] + still[1][1]) < p.breakout;
    zero->none = still[0][0] + still[0][1];
    zero->error = breaks_out ? 0x7fffffff : error;
    zero->x = static_cast<int16_t>(x);
    zero->y = static_cast<int16_t>(y);
    if (p.golden == p.last) zero->golden = error;
}

// Layout of the current macroblock's reconstruction in shared memory: the row of pixels above comes
// first, and each row starts with the pixel to its left.
constexpr int kReconStride = 20, kReconLeft = 3;

struct Row {
    Block b;
    Search s;
    __align__(4) uint8_t recon[(kMb + 1) * kReconStride];
    int intra, dc;  // squared error, prediction of the macroblock
    int first[16];  // DC coefficients of its sub-blocks
};

__device__ inline uint8_t* ReconAt(Row* r, int x, int y) {
    return r->recon + (y + 1) * kReconStride + kReconLeft + 1 + x;
}

// Transposes a 4x4 block of which each of four lanes holds one row.
__device__ inline Line Transpose(Line in) {
    const int lane = static_cast<int>(threadIdx.x);
    const bool odd = lane & 1, high = lane & 2;
    int* v = in.v;
#pragma unroll
    for (int i = 0; i < 4; i += 2) {
        const int got = __shfl_xor_sync(kAllLanes, odd ? v[i] : v[i + 1], 1);
        v[i] = odd ? got : v[i];
        v[i + 1] = odd ? v[i + 1] : got;
    }
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const int got = __shfl_xor_sync(kAllLanes, high ? v[i] : v[i + 2], 2);
        v[i] = high ? got : v[i];
        v[i + 2] = high ? v[i + 2] : got;
    }
    return in;
}

__device__ inline int SourceAt(const Row& r, int x, int y) {
    return static_cast<int>(r.b.source[4 * y + x / 4] >> (x % 4 * 8) & 255);
}

// Inverse transform: takes a lane's column of dequantized coefficients and returns its row of the
// residual.
__device__ inline Line Inverse(const Line& column) {
    Line residual = InverseDctLine(Transpose(InverseDctLine(column)));
#pragma unroll
    for (int i = 0; i < 4; i++) residual.v[i] = InverseDctRound(residual.v[i]);
    return residual;
}

// Codes the macroblock with B_DC_PRED and returns the squared error of the predictions. One warp
// calls it. The sub-blocks of a diagonal are coded at the same time, by four lanes each, because a
// sub-block depends only on those above it and to its left.
__device__ inline int CodeSubBlocks(const FirstPassParams& p, Row* r) {
    const int lane = static_cast<int>(threadIdx.x) & 31, line = lane & 3;
    int error = 0;
    for (int diagonal = 0; diagonal < 7; diagonal++) {
        const int block_y = max(diagonal - 3, 0) + lane / 4, block_x = diagonal - block_y;
        const bool works = block_y < 4 && block_x >= 0;
        const int x = works ? 4 * block_x : 0, y = works ? 4 * block_y : 0;
        int sum = 4;
#pragma unroll
        for (int i = 0; i < 4; i++) sum += *ReconAt(r, x + i, y - 1) + *ReconAt(r, x - 1, y + i);
        const int prediction = sum / 8;
        Line residual;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            residual.v[i] = SourceAt(*r, x + i, y + line) - prediction;
            if (works) error += residual.v[i] * residual.v[i];
        }
        Line column = ForwardDctColumn(Transpose(ForwardDctRow(residual)));
#pragma unroll
        for (int i = 0; i < 4; i++) column.v[i] = Requantize(p.y1, column.v[i], i > 0 || line > 0);
        residual = Inverse(column);
        __syncwarp();
        if (works) {
#pragma unroll
            for (int i = 0; i < 4; i++)
                *ReconAt(r, x + i, y + line) = ClampPixel(prediction + residual.v[i]);
        }
        __syncwarp();
    }
    return WarpSum(error);
}

// Predicts with DC_PRED from the only edge that the frame has here. Returns the squared error; does
// not code.
__device__ inline int PredictDc(Row* r) {
    const int lane = static_cast<int>(threadIdx.x) & 31;
    int edge = 0;
    if (lane < kMb) edge = r->b.row ? *ReconAt(r, lane, -1) : *ReconAt(r, -1, lane);
    const int dc = (WarpSum(edge) + kMb / 2) / kMb;
    if (lane == 0) r->dc = dc;
    const uint32_t flat = 0x01010101u * static_cast<uint32_t>(dc);
    return WarpSum(SquaredDifferences(r->b.source[2 * lane], flat) +
                   SquaredDifferences(r->b.source[2 * lane + 1], flat));
}

// Codes the Y2 block: forward transform, quantization and inverse transform. One warp calls it; the
// first four lanes hold the result.
__device__ inline void CodeFirst(const FirstPassParams& p, Row* r) {
    const int lane = static_cast<int>(threadIdx.x) & 31, line = lane & 3;
    Line v;
#pragma unroll
    for (int i = 0; i < 4; i++) v.v[i] = r->first[4 * line + i];
    v = ForwardWalshColumn(Transpose(ForwardWalshRow(v)));
#pragma unroll
    for (int i = 0; i < 4; i++) v.v[i] = Requantize(p.y2, v.v[i], i > 0 || line > 0);
    v = InverseWalshLine(Transpose(InverseWalshLine(v)));
    __syncwarp();
    if (lane < 4) {
#pragma unroll
        for (int i = 0; i < 4; i++) r->first[4 * line + i] = InverseWalshRound(v.v[i]);
    }
}

// Codes the macroblock, predicted from the last frame or by r->dc. All threads call it; four code
// each sub-block.
__device__ inline void CodeWhole(const FirstPassParams& p, bool inter, int mv_x, int mv_y, Row* r) {
    const int t = static_cast<int>(threadIdx.x), block = t / 4, line = t & 3;
    const bool works = t < 64;
    const int x = block % 4 * 4, y = block / 4 * 4 + line;
    int prediction[4] = {};
    Line column = {};
    if (works) {
        Line residual;
        const int at_y = Clamp(kMb * r->b.row + y + mv_y, 0, kMb * p.mb_rows - 1);
        const uint8_t* from = p.last + static_cast<ptrdiff_t>(at_y) * p.stride;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int at_x = Clamp(kMb * r->b.col + x + i + mv_x, 0, kMb * p.mb_cols - 1);
            prediction[i] = inter ? from[at_x] : r->dc;
            residual.v[i] = SourceAt(*r, x + i, y) - prediction[i];
        }
        column = ForwardDctColumn(Transpose(ForwardDctRow(residual)));
        if (line == 0) r->first[block] = column.v[0];
    }
    __syncthreads();
    if (t < 32) CodeFirst(p, r);
    __syncthreads();
    if (works) {
#pragma unroll
        for (int i = 0; i < 4; i++) column.v[i] = Requantize(p.y1, column.v[i], true);
        if (line == 0) column.v[0] = r->first[block];
        const Line residual = Inverse(column);
#pragma unroll
        for (int i = 0; i < 4; i++)
            *ReconAt(r, x + i, y) = ClampPixel(prediction[i] + residual.v[i]);
    }
    __syncthreads();
}

// Waits until the macroblock above is reconstructed, then loads its lowest row. One warp calls it.
__device__ inline void LoadAbove(const FirstPassParams& p, Row* r) {
    const int lane = static_cast<int>(threadIdx.x) & 31, row = r->b.row;
    if (lane == 0 && row) {
        const volatile uint32_t* done = p.done + row - 1;
        while (*done <= static_cast<uint32_t>(r->b.col)) {
        }
        __threadfence();
        const uint4 pixels = __ldcg(reinterpret_cast<const uint4*>(
            p.recon + static_cast<ptrdiff_t>(kMb * row - 1) * p.stride + kMb * r->b.col));
        uint32_t* to = reinterpret_cast<uint32_t*>(ReconAt(r, 0, -1));
        to[0] = pixels.x;
        to[1] = pixels.y;
        to[2] = pixels.z;
        to[3] = pixels.w;
    }
    __syncwarp();
}

// Stores the reconstruction and keeps its last column for the next macroblock. All threads call it.
__device__ inline void Store(const FirstPassParams& p, Row* r) {
    const int t = static_cast<int>(threadIdx.x);
    if (t < 64) {
        const int x = t % 4 * 4, y = t / 4;
        *reinterpret_cast<uint32_t*>(
            p.recon + static_cast<ptrdiff_t>(kMb * r->b.row + y) * p.stride + kMb * r->b.col + x) =
            *reinterpret_cast<const uint32_t*>(ReconAt(r, x, y));
    }
    __syncthreads();
    if (t >= 64 && t < 64 + kMb) *ReconAt(r, -1, t - 64) = *ReconAt(r, kMb - 1, t - 64);
    if (t == 0) {
        __threadfence();  // after the barrier above, it orders the stores of the whole block
        *reinterpret_cast<volatile uint32_t*>(p.done + r->b.row) =
            static_cast<uint32_t>(r->b.col) + 1;
    }
}

// The code kernel. Grid: rows.
__device__ inline void CodeRow(const FirstPassParams& p) {
    __shared__ Row r;
    const int t = static_cast<int>(threadIdx.x), warp = t / 32;
    // Take the next row, so that no block waits for a row that has not started.
    if (t == 0) r.b.row = static_cast<int>(atomicAdd(p.next_row, 1u));
    // Pixels outside of the frame: 129 on the left, 127 above.
    if (t < kMb) {
        *ReconAt(&r, -1, t) = 129;
        *ReconAt(&r, t, -1) = 127;
    }
    __syncthreads();
    const int row = r.b.row;
    FirstPassRow counts = {};
    int left_x = 0, left_y = 0;  // vector of the macroblock to the left

    for (int col = 0; col < p.mb_cols; col++) {
        const bool one_edge = !row != !col;
        const FirstPassZero zero = p.last ? p.zero[row * p.mb_cols + col] : FirstPassZero{};
        const bool searches = p.last && zero.error != 0x7fffffff;
        const bool around_left = searches && (left_x || left_y);
        __syncthreads();
        if (t == 0) r.b.col = col;
        __syncthreads();
        LoadSource(p, &r.b);
        if (around_left) BeginSearch(p, p.last, row, col, left_x, left_y, &r.s);
        __syncthreads();
        if (warp == kFirstPassRuns) {
            LoadAbove(p, &r);
            const int error = one_edge ? PredictDc(&r) : CodeSubBlocks(p, &r);
            if (t % 32 == 0) r.intra = error;
        } else if (around_left) {
            Run(p, r.b, warp, &r.s);
        }
        __syncthreads();

        const int intra = r.intra + kFirstPassPenalty;
        int error = zero.none, x = 0, y = 0;
        if (around_left) Judge(r.s, &error, &x, &y);
        if (searches && zero.error < error) {
            error = zero.error;
            x = zero.x;
            y = zero.y;
        }
        const bool inter = p.last && error <= intra;
        counts.intra_error += intra;
        counts.coded_error += inter ? error : intra;
        counts.second_ref += searches && p.golden && zero.golden < min(error, intra);
        left_x = left_y = 0;
        if (inter) {
            counts.neutral +=
                (intra - kFirstPassPenalty) * 9 <= error * 10 && intra < 2 * kFirstPassPenalty;
            counts.Count(x, y, col, row, p.mb_cols, p.mb_rows);
            left_x = x;
            left_y = y;
        }
        if (inter || one_edge) CodeWhole(p, inter, x, y, &r);
        Store(p, &r);
    }
    if (t == 0) p.rows[row] = counts;
}

}  // namespace first_pass
}  // namespace cudame

#endif  // CUDAME_CUDA_FIRST_PASS_CUH_
