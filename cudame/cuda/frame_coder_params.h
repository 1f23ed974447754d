// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The parameters of the kernel that codes whole frames.

#ifndef CUDAME_CUDA_FRAME_CODER_PARAMS_H_
#define CUDAME_CUDA_FRAME_CODER_PARAMS_H_

#include "common/coder/frame.h"

namespace cudame {

// A thread block is a warp, which codes a row of macroblocks.
constexpr int kCoderThreads = 32;

struct FrameCoderParams {
    CoderFrame frame;
    uint32_t* next_row;    // that the next thread block takes
    uint32_t* done;        // number of macroblocks that are coded, by row
    uint32_t* ended_rows;  // number of rows that have ended
    // Pinned host memory.
    uint32_t* failed;  // 1 if libvpx has to code the frame
    uint32_t* ended;   // becomes the number of rows when all have ended
};

}  // namespace cudame

#endif  // CUDAME_CUDA_FRAME_CODER_PARAMS_H_
