// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// What host and kernels of the first pass agree on.

#ifndef CUDAME_CUDA_FIRST_PASS_PARAMS_H_
#define CUDAME_CUDA_FIRST_PASS_PARAMS_H_

#include <cstdint>

#include "common/first_pass.h"

namespace cudame {

// A warp for each run of a search; and one for intra.
constexpr int kFirstPassSearchThreads = 32 * kFirstPassRuns;
constexpr int kFirstPassRowThreads = kFirstPassSearchThreads + 32;

// What depends on no neighbour: searches around zero, in a row of macroblocks.
struct FirstPassZero {
    int32_t none;    // squared error of no motion, without rate
    int32_t error;   // of the vector below; INT32_MAX: not searched
    int32_t golden;  // of the best vector in the golden frame
    int16_t y, x;
};

struct FirstPassParams {
    // Whole macroblocks; rows begin at multiples of 16 bytes.
    const uint8_t *source, *last_source;
    const uint8_t *last, *golden;  // null: none; golden may be last
    uint8_t* recon;
    int stride;  // of all of them
    int mb_cols, mb_rows;
    unsigned breakout;
    cudame_quantizer y1, y2;
    int mv_cost[2][64];
    int error_per_bit;
    FirstPassZero* zero;
    uint32_t* done;      // by row, macroblocks that are reconstructed
    uint32_t* next_row;  // for the next thread block
    FirstPassRow* rows;  // pinned host memory
};

}  // namespace cudame

#endif  // CUDAME_CUDA_FIRST_PASS_PARAMS_H_
