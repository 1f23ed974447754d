// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Filters a frame at many loop-filter levels at once and measures the error of each. Sixteen
// threads filter one row of macroblocks at one level, from left to right, and stay two macroblocks
// behind the row above. A thread has a row of pixels at vertical edges and, after a transposition
// in shared memory, a column at horizontal edges.
//
// A row hands the four lowest pixels of each column down to the next row. They share a 64-bit word
// with the row's tag, so that one load both polls and reads, and no fence is needed. Each level
// has two rows of such words: a row overwrites one only after the row below it has been read.
// A thread block takes the next row when it starts to run, so that no block waits for a row that
// has not started.

#ifndef CUDAME_CUDA_LOOP_FILTER_ERRORS_CUH_
#define CUDAME_CUDA_LOOP_FILTER_ERRORS_CUH_

#include <cstddef>
#include <cstdint>

#include "cuda/clang.cuh"
#include "cuda/device.cuh"
#include "cuda/loop_filter_params.h"

namespace cudame {
namespace loop_filter {

constexpr int kRowWords = 5;  // words of four pixels; odd, to spread rows over the banks

// A macroblock at one level.
struct Level {
    uint32_t rows[kMb * kRowWords];
    uint32_t left[kMb];  // the last four pixels of each row of the macroblock to the left
    uint32_t corner[4];  // the lowest rows of `left` after this macroblock's left edge was filtered
    uint32_t levels[CUDAME_LOOP_FILTER_KINDS / 4];
};

struct Warp {
    Level level[2];
    // Source pixels: the macroblock, then the three rows above, which its upper edge changes.
    uint4 source[kMb + 3];
};

__device__ inline int ByteOf(uint32_t word, int i) {
    return static_cast<int>(word >> (8 * i) & 255);
}
__device__ inline uint32_t PackBytes(int a, int b, int c, int d) {
    return static_cast<uint32_t>(a | b << 8 | c << 16 | d << 24);
}

// Filters one line across all edges. pixels: four of the macroblock before, then sixteen of this
// one. outer: filter the macroblock edge; inner: filter the sub-block edges.
__device__ inline void FilterLine(const EdgeLimits& l, bool outer, bool inner, int* pixels) {
    if (outer) FilterEdgeAt<4, true>(l, pixels);
    if (!inner) return;
    FilterEdgeAt<8, false>(l, pixels);
    FilterEdgeAt<12, false>(l, pixels);
    FilterEdgeAt<16, false>(l, pixels);
}

__device__ inline uint32_t Square(int d) { return static_cast<uint32_t>(d * d); }

// Sixteen threads' walk along a row of macroblocks at one level.
class Row {
  public:
    __device__ Row(const LoopFilterParams& p, Warp* warp, int index, int first_level)
        : p_(p),
          warp_(warp),
          lane_(static_cast<int>(threadIdx.x) & 15),
          half_(static_cast<int>(threadIdx.x) >> 4 & 1),
          index_(index),
          row_(p.rows.first + index * p.rows.step),
          level_(first_level + half_),
          at_(&warp->level[half_]),
          has_above_(row_ > 0),
          handed_down_(index > 0 && !p.rows.alone),
          is_last_(p.rows.alone || index + 1 == p.rows.count) {
        const uint32_t* levels =
            reinterpret_cast<const uint32_t*>(p.level + level_ * CUDAME_LOOP_FILTER_KINDS);
        at_->levels[lane_] = levels[lane_];
        const ptrdiff_t y = kMb * row_ + lane_;
        frame_ = p.frame + y * p.frame_stride;
        source_ = p.source + y * p.source_stride;
        const ptrdiff_t width = static_cast<ptrdiff_t>(kMb) * p.mb_cols;
        to_ = p.below +
              (static_cast<ptrdiff_t>(index & 1) * CUDAME_LOOP_FILTER_LEVELS + level_) * width;
        from_ = p.below +
                (static_cast<ptrdiff_t>(~index & 1) * CUDAME_LOOP_FILTER_LEVELS + level_) * width;
        __syncwarp();
    }

    // Filters the row. Returns the squared error of this thread's pixels.
    __device__ uint32_t Run() {
        uint4 pixels = PixelsAt(frame_, 0), source = PixelsAt(source_, 0);
        uint64_t above = handed_down_ ? Look(0) : 0;
        uint32_t last_source = 0;
        for (int col = 0; col < p_.mb_cols; col++) {
            const int next = min(col + 1, p_.mb_cols - 1);
            const uint4 now = pixels, now_source = source;
            pixels = PixelsAt(frame_, next);
            source = PixelsAt(source_, next);
            KeepSource(col, now_source);
            const int kind = p_.macroblocks[row_ * p_.mb_cols + col];
            const int level = ByteOf(at_->levels[kind % CUDAME_LOOP_FILTER_KINDS / 4], kind & 3);
            const EdgeLimits l = MakeEdgeLimits(level, p_.sharpness, p_.key_frame);
            const bool inner = level && kind >= CUDAME_LOOP_FILTER_INNER;
            FilterColumns(l, col, level && col, inner, now, last_source);
            last_source = now_source.w;
            const uint32_t highest = Above(col, &above);
            if (handed_down_) above = Look(next);
            FilterRow(l, col, level && has_above_, inner, highest);
        }
        return error_;
    }

  private:
    __device__ static uint4 PixelsAt(const uint8_t* row, int col) {
        return reinterpret_cast<const uint4*>(row)[col];
    }

    __device__ uint64_t Look(int col) const {
        return *reinterpret_cast<const volatile uint64_t*>(from_ + kMb * col + lane_);
    }

    // Returns the four pixels above this thread's column, as the row above leaves them. Waits for
    // them if necessary. seen: the last word that was read.
    __device__ uint32_t Above(int col, uint64_t* seen) const {
        if (handed_down_) {
            const uint32_t tag = p_.tag + static_cast<uint32_t>(index_) - 1;
            while (__any_sync(~0u, static_cast<uint32_t>(*seen >> 32) != tag)) *seen = Look(col);
            return static_cast<uint32_t>(*seen);
        }
        if (!has_above_) return 0;
        const uint8_t* pixels =
            p_.frame + static_cast<ptrdiff_t>(kMb * row_ - 4) * p_.frame_stride + kMb * col + lane_;
        uint32_t out = 0;
#pragma unroll
        for (int i = 0; i < 4; i++)
            out |= static_cast<uint32_t>(pixels[i * p_.frame_stride]) << (8 * i);
        return out;
    }

    __device__ void KeepSource(int col, const uint4& own) {
        __syncwarp();  // all lanes have finished the macroblock before
        if (!half_) {
            warp_->source[lane_] = own;
        } else if (lane_ < 3 && has_above_) {
            warp_->source[kMb + lane_] = PixelsAt(
                p_.source + static_cast<ptrdiff_t>(kMb * row_ - 3 + lane_) * p_.source_stride, col);
        }
    }
    __device__ int SourceAt(int x, int y) const {
        return reinterpret_cast<const uint8_t*>(warp_->source + y)[x];
    }

    // Number of pixel rows that the edges below do not change.
    __device__ int FinalRows() const { return is_last_ ? kMb : kMb - 3; }

    // Filters vertical edges. Each thread has a row of pixels.
    __device__ void FilterColumns(const EdgeLimits& l, int col, bool outer, bool inner,
                                  const uint4& own, uint32_t last_source) {
        const uint32_t words[5] = {col ? at_->left[lane_] : 0, own.x, own.y, own.z, own.w};
        int pixels[20];
#pragma unroll
        for (int i = 0; i < 20; i++) pixels[i] = ByteOf(words[i / 4], i % 4);
        FilterLine(l, outer, inner, pixels);
        if (col && lane_ < FinalRows()) {
#pragma unroll
            for (int i = 1; i < 4; i++) error_ += Square(pixels[i] - ByteOf(last_source, i));
        }
        if (lane_ >= kMb - 4)
            at_->corner[lane_ - (kMb - 4)] = PackBytes(pixels[0], pixels[1], pixels[2], pixels[3]);
#pragma unroll
        for (int i = 1; i < 5; i++)
            at_->rows[kRowWords * lane_ + i - 1] =
                PackBytes(pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2], pixels[4 * i + 3]);
        __syncwarp();
    }

    // Filters horizontal edges. Each thread has a column of pixels.
    __device__ void FilterRow(const EdgeLimits& l, int col, bool outer, bool inner,
                              uint32_t highest) {
        const bool ends = col + 1 == p_.mb_cols;
        const uint8_t* column = reinterpret_cast<const uint8_t*>(at_->rows) + lane_;
        int pixels[20];
#pragma unroll
        for (int i = 0; i < 4; i++) pixels[i] = ByteOf(highest, i);
#pragma unroll
        for (int i = 0; i < kMb; i++) pixels[4 + i] = column[4 * kRowWords * i];
        FilterLine(l, outer, inner, pixels);

        if (handed_down_) {
#pragma unroll
            for (int i = 0; i < 3; i++) error_ += Square(pixels[1 + i] - SourceAt(lane_, kMb + i));
        }
        // The macroblock to the right will change the last three columns.
        if (ends || lane_ < kMb - 3) {
#pragma unroll
            for (int i = 0; i < kMb - 3; i++) error_ += Square(pixels[4 + i] - SourceAt(lane_, i));
            if (is_last_) {
#pragma unroll
                for (int i = kMb - 3; i < kMb; i++)
                    error_ += Square(pixels[4 + i] - SourceAt(lane_, i));
            }
        }
        if (!ends && lane_ >= kMb - 4) {
            uint8_t* left = reinterpret_cast<uint8_t*>(at_->left) + lane_ - (kMb - 4);
#pragma unroll
            for (int i = 0; i < kMb; i++) left[4 * i] = static_cast<uint8_t>(pixels[4 + i]);
        }
        if (!is_last_)
            HandDown(col, PackBytes(pixels[16], pixels[17], pixels[18], pixels[19]), ends);
    }

    // Hands down the last four columns of the macroblock before and all but the last four of this
    // one, which the macroblock to the right will change.
    __device__ void HandDown(int col, uint32_t lowest, bool ends) {
        uint32_t word = __shfl_sync(~0u, lowest, lane_ - 4, 16);
        if (lane_ < 4) {
            const uint8_t* corner = reinterpret_cast<const uint8_t*>(at_->corner) + lane_;
            word = PackBytes(corner[0], corner[4], corner[8], corner[12]);
        }
        if (col || lane_ >= 4) Store(kMb * col - 4 + lane_, word);
        if (ends && lane_ >= kMb - 4) Store(kMb * col + lane_, lowest);
    }
    __device__ void Store(int x, uint32_t word) {
        const uint32_t tag = p_.tag + static_cast<uint32_t>(index_);
        *reinterpret_cast<volatile uint64_t*>(to_ + x) = static_cast<uint64_t>(tag) << 32 | word;
    }

    const LoopFilterParams& p_;
    Warp* const warp_;
    const int lane_, half_, index_, row_, level_;
    Level* const at_;
    const bool has_above_, handed_down_, is_last_;
    const uint8_t *frame_, *source_;  // this thread's row of pixels
    uint64_t* to_;
    const uint64_t* from_;
    uint32_t error_ = 0;
};

// The kernel. Grid: one block for each row and group of CUDAME_LOOP_FILTER_GROUP levels.
__device__ inline void TryLevels(const LoopFilterParams& p) {
    __shared__ Warp warps[kFilterWarps];
    __shared__ uint32_t ticket;
    // Take the next row, so that no block waits for a row that has not started.
    if (threadIdx.x == 0) ticket = atomicAdd(p.tickets, 1u) - p.first_ticket;
    __syncthreads();
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int groups = p.levels / CUDAME_LOOP_FILTER_GROUP;
    const int index = static_cast<int>(ticket) / groups;
    const int first = static_cast<int>(ticket) % groups * CUDAME_LOOP_FILTER_GROUP + 2 * warp;
    uint32_t error = Row(p, warps + warp, index, p.first_level + first).Run();
#pragma unroll
    for (int lanes = 8; lanes; lanes >>= 1) error += __shfl_xor_sync(~0u, error, lanes);
    const int lane = static_cast<int>(threadIdx.x) & 31;
    if (lane % 16 == 0) p.errors[index * p.levels + first + lane / 16] = error;
}

}  // namespace loop_filter
}  // namespace cudame

#endif  // CUDAME_CUDA_LOOP_FILTER_ERRORS_CUH_
