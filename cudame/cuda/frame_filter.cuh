// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Filters a whole frame in place (common/coder/filter.h), in the order of frame_coder.cuh. A thread
// block is a warp, which filters a row of macroblocks. It filters a macroblock after the one above
// it to the right. More thread blocks write the frame's tokens at the same time: a launch of their
// own would wait for room on the device once more.

#ifndef CUDAME_CUDA_FRAME_FILTER_CUH_
#define CUDAME_CUDA_FRAME_FILTER_CUH_

#include "common/coder/filter.h"
#include "cuda/frame_coder.cuh"
#include "cuda/token_writer.cuh"

namespace cudame {

__device__ inline void FilterFrameRow(const FrameFilterParams& p) {
    if (blockIdx.x >= static_cast<unsigned>(p.rows.rows)) {
        token_writer::WriteRow(p.writer);
        EndWarp(p.rows);
        return;
    }
    const int row = TakeRows<false>(p.rows, 1), cols = p.frame.mb_cols;
    for (int col = 0; col < cols; col++) {
        if (row) AwaitRow(p.rows.done + row - 1, static_cast<uint32_t>(min(col + 2, cols)));
        coder_warp::FilterMacroblock(p.frame, row, col);
        PublishMacroblock(p.rows.done + row, static_cast<uint32_t>(col + 1));
    }
    EndWarp(p.rows);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_FRAME_FILTER_CUH_
