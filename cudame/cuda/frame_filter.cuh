// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Filters a whole frame in place (common/coder/filter.h), in the order of frame_coder.cuh. A warp
// filters a row of macroblocks, and a macroblock after the one above it to the right. More thread
// blocks write the frame's tokens and modes at the same time: a launch of their own would wait for
// room on the device once more. A thread block has several warps, which do not wait for each other
// but for rows: small thread blocks would be spread over all multiprocessors, and a group of rows
// of the coder needs a whole one.

#ifndef CUDAME_CUDA_FRAME_FILTER_CUH_
#define CUDAME_CUDA_FRAME_FILTER_CUH_

#include "common/coder/filter.h"
#include "cuda/frame_coder.cuh"
#include "cuda/partition_writer.cuh"

namespace cudame {

__device__ inline void FilterRow(const FrameFilterParams& p) {
    const int row = coder_warp::TakeNext(p.rows.next), cols = p.frame.mb_cols;
    for (int col = 0; col < cols; col++) {
        if (row) AwaitRow(p.rows.done + row - 1, static_cast<uint32_t>(min(col + 2, cols)));
        coder_warp::FilterMacroblock(p.frame, row, col);
        PublishMacroblock(p.rows.done + row, static_cast<uint32_t>(col + 1));
    }
}

// In the last thread block of each kind, warps may have no row.
__device__ inline void FilterFrameRows(const FrameFilterParams& p) {
    __shared__ partition_writer::Row written[kFrameFilterWarps];
    const int filters = FilterBlocksOf(p.rows.rows);
    const int tokens = FilterBlocksOf(p.tokens.number.mb_rows);
    const int block = static_cast<int>(blockIdx.x);
    const int warp = static_cast<int>(threadIdx.x) / kRowThreads;
    // Whether the warp has one of `rows` rows that begin with thread block `first`.
    const auto has_row = [&](int first, int rows) {
        return (block - first) * kFrameFilterWarps + warp < rows;
    };
    if (block < filters) {
        if (has_row(0, p.rows.rows)) FilterRow(p);
    } else if (block < filters + tokens) {
        if (has_row(filters, p.tokens.number.mb_rows))
            partition_writer::WriteTokenRow(p.tokens, written + warp);
    } else if (has_row(filters + tokens, p.modes.number.mb_rows)) {
        partition_writer::WriteModeRow(p.modes, written + warp);
    }
    EndWarp(p.rows);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_FRAME_FILTER_CUH_
