// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Parameters of the loop filter's trials that the host and the kernel share.

#ifndef CUDAME_CUDA_LOOP_FILTER_PARAMS_H_
#define CUDAME_CUDA_LOOP_FILTER_PARAMS_H_

#include <cstdint>

#include "common/loop_filter.h"

namespace cudame {

// A warp tries two levels, sixteen threads each.
constexpr int kFilterWarps = 4, kFilterThreads = 32 * kFilterWarps;
static_assert(2 * kFilterWarps == CUDAME_LOOP_FILTER_GROUP, "a thread block tries a group");

struct LoopFilterParams {
    // Planes of whole macroblocks; rows start at multiples of 16 bytes.
    const uint8_t *source, *frame;
    int source_stride, frame_stride;
    int mb_cols;
    FilterRows rows;
    int sharpness;
    bool key_frame;
    int first_level, levels;
    const uint8_t *level, *macroblocks;  // as in cudame_loop_filter
    // The pixels that rows hand down, by parity of the row, level, and column of pixels. Each word
    // has the lowest four pixels of a column, as the macroblock to the right leaves them, in its
    // lower half and the row's tag in its upper half.
    uint64_t *below;
    uint32_t tag;       // of the first row; later rows, also of later launches, have higher tags
    uint32_t *tickets;  // number of thread blocks that have started, in all launches
    uint32_t first_ticket;  // that number before this launch
    uint32_t *errors;       // by row and level, in pinned host memory
};

}  // namespace cudame

#endif  // CUDAME_CUDA_LOOP_FILTER_PARAMS_H_
