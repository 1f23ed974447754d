// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The parameters of the kernels that code and filter whole frames.

#ifndef CUDAME_CUDA_FRAME_CODER_PARAMS_H_
#define CUDAME_CUDA_FRAME_CODER_PARAMS_H_

#include "common/coder/filter.h"
#include "common/coder/frame.h"

namespace cudame {

// A thread block is a warp, which does a row of macroblocks.
constexpr int kCoderThreads = 32;

// How far the rows are. All but `ended` is 0 before a launch.
struct RowCounters {
    int rows;
    uint32_t* next;        // row that the next thread block takes
    uint32_t* done;        // number of macroblocks that are done, by row
    uint32_t* ended_rows;  // number of rows that have ended
    uint32_t* ended;       // pinned host memory: becomes `rows` when all have ended
};

struct FrameCoderParams {
    CoderFrame frame;
    RowCounters rows;
    uint32_t* failed;  // pinned host memory: 1 if libvpx has to code the frame
};

struct FrameFilterParams {
    FilterFrame frame;
    RowCounters rows;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_FRAME_CODER_PARAMS_H_
