// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Parameters that the benchmark's host code and kernels share.

#ifndef CUDAME_BENCH_CUDA_BENCH_PARAMS_H_
#define CUDAME_BENCH_CUDA_BENCH_PARAMS_H_

#include <cstdint>

#include "cuda/params.h"
#include "cudame/cudame.h"

namespace bench {

constexpr int kMbSize = 16;
constexpr int kMaxRange = 32;
constexpr int kMaxRate = 65535;
// Keys order vectors: the cost in the upper bits, the position in the window in the lower ones.
constexpr int kOrderBits = 15;

// Full search around zero, within the legal vectors of VP8. Pointers are device pointers.
struct FullParams {
    const uint8_t* src;   // whole macroblocks, rows 16-byte aligned
    const uint8_t* ref;   // first pixel inside a border of CUDAME_REF_BORDER
    const uint8_t* bare;  // the same pixels without a border
    const int* costs;     // rows, then columns: -kMaxRange..kMaxRange whole pixels, in 1/256 bit
    uint32_t* best;       // CUDAME_BLOCKS keys for each macroblock
    int src_stride, ref_stride, bare_stride;
    int mb_cols, mb_rows;
    int range, sad_per_bit;
};

// The same search by the product's code.
struct ProductParams {
    cudame::LaunchParams launch;  // of one search
    uint32_t* best;
};

// Words of a row of the tile in shared memory, for n columns of vectors.
constexpr int TileWords(int n) { return (n + 2) / 4 + 5; }

// Words of one of four shifted tiles. The tiles are eight banks apart, so that four neighbouring
// vectors never use the same bank.
constexpr int CopyWords(int words, int rows) { return (words * rows + 31 - 8) / 32 * 32 + 8; }

// The diamond of grossi-2018 section 3.3 around zero, without rate.
struct DiamondVector {
    int16_t x, y;
    uint32_t sad;
};

struct DiamondParams {
    const uint8_t* src;
    const uint8_t* ref;
    DiamondVector* best;  // one for each macroblock
    int src_stride, ref_stride;
    int mb_cols, mb_rows;
};

// The result of the block of one multiprocessor.
struct RateSample {
    long long clocks;
    unsigned long long ns;
    uint32_t multiprocessor, ignored;
};

constexpr int kRateUnroll = 64;  // operations of a thread in one iteration

struct RateParams {
    RateSample* samples;  // one for each block
    int iterations;
    uint32_t a, b;
};

}  // namespace bench

#endif  // CUDAME_BENCH_CUDA_BENCH_PARAMS_H_
