// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Parameters of the intra estimates that the host and the kernel share.

#ifndef CUDAME_CUDA_INTRA_PARAMS_H_
#define CUDAME_CUDA_INTRA_PARAMS_H_

#include <cstdint>

#include "cuda/search_params.h"
#include "cudame/cudame.h"

namespace cudame {

constexpr int kIntraMbs = 8;  // macroblocks of a thread block
constexpr int kIntraThreads = 16 * kIntraMbs;

// Grid: groups of kIntraMbs macroblocks x rows. Each row has one counter, which counts its finished
// thread blocks.
struct IntraParams : RowParams {
    const uint8_t* src;  // as in SearchParams
    int src_stride;
    int mb_cols;
    int first_row;
    // The records of all macroblocks are written to both. The first is pinned host memory, the
    // second device memory, or NULL.
    cudame_intra *records, *device_records;
    uint32_t rates[CUDAME_BMODES];
};

}  // namespace cudame

#endif  // CUDAME_CUDA_INTRA_PARAMS_H_
