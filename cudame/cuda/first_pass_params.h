// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Parameters of the first of two passes that the host and the kernels share.

#ifndef CUDAME_CUDA_FIRST_PASS_PARAMS_H_
#define CUDAME_CUDA_FIRST_PASS_PARAMS_H_

#include <cstdint>

#include "common/first_pass.h"

namespace cudame {

// A thread block has one warp for each run of a search, and one for intra prediction when it codes.
constexpr int kFirstPassSearchThreads = 32 * kFirstPassRuns;
constexpr int kFirstPassRowThreads = kFirstPassSearchThreads + 32;

// The results of a macroblock's searches around the zero vector, which depend on no neighbour.
struct FirstPassZero {
    int32_t none;    // squared error of the zero vector, without rate
    int32_t error;   // error of the vector (x, y), with rate; INT32_MAX: it was not searched
    int32_t golden;  // error of the best vector in the golden frame
    int16_t y, x;    // the best vector in the last frame
};

struct FirstPassParams {
    // Planes of whole macroblocks; rows start at multiples of 16 bytes.
    const uint8_t *source, *last_source;
    const uint8_t *last, *golden;  // NULL: there is none; golden may equal last
    uint8_t* recon;
    int stride;  // of all of them
    int mb_cols, mb_rows;
    unsigned breakout;
    cudame_quantizer y1, y2;
    int mv_cost[2][64];
    int error_per_bit;
    FirstPassZero* zero;
    uint32_t* done;      // number of macroblocks that are reconstructed, by row
    uint32_t* next_row;  // that the next thread block takes
    FirstPassRow* rows;  // pinned host memory
};

}  // namespace cudame

#endif  // CUDAME_CUDA_FIRST_PASS_PARAMS_H_
