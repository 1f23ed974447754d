// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// What host and kernel of the loop filter's search agree on.

#ifndef CUDAME_CUDA_LOOP_FILTER_PARAMS_H_
#define CUDAME_CUDA_LOOP_FILTER_PARAMS_H_

#include <cstdint>

#include "common/loop_filter.h"

namespace cudame {

// A warp tries two levels, sixteen threads each.
constexpr int kFilterWarps = 4, kFilterThreads = 32 * kFilterWarps;
static_assert(2 * kFilterWarps == CUDAME_LOOP_FILTER_GROUP, "a thread block tries a group");

struct LoopFilterParams {
    // Whole macroblocks; rows begin at multiples of 16 bytes.
    const uint8_t *source, *frame;
    int source_stride, frame_stride;
    int mb_cols;
    FilterRows rows;
    int sharpness;
    bool key_frame;
    int first_level, levels;
    const uint8_t *level, *macroblocks;  // as in cudame_loop_filter
    // What rows hand down: by parity of the row, level, and column of pixels, the lowest
    // four pixels as they are after the macroblock to the right, above the row's tag.
    uint64_t *below;
    uint32_t tag;                     // of the first row; those of no two rows are equal
    uint32_t *tickets, first_ticket;  // thread blocks that have begun, ever
    uint32_t *errors;                 // pinned host memory: by row, of the levels
};

}  // namespace cudame

#endif  // CUDAME_CUDA_LOOP_FILTER_PARAMS_H_
