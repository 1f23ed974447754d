// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Filters a whole frame in place (common/coder/filter.h). A warp filters a row of macroblocks, and
// a macroblock after the one above it to the right. The warps of a thread block have rows that
// follow each other, and tell each other of their progress in shared memory. A thread block has
// several warps, because more and smaller ones would be spread over all multiprocessors, and a
// group of rows of the coder needs a whole one. More thread blocks write the frame's tokens and
// modes at the same time: a launch of their own would wait for room on the device once more.

#ifndef CUDAME_CUDA_FRAME_FILTER_CUH_
#define CUDAME_CUDA_FRAME_FILTER_CUH_

#include "common/coder/filter.h"
#include "cuda/frame_coder.cuh"
#include "cuda/partition_writer.cuh"

namespace cudame {

// Filters the next rows, one for each warp of the thread block.
__device__ inline void FilterNextRows(const FrameFilterParams& p) {
    __shared__ int first;
    __shared__ uint32_t done[kFrameFilterWarps];  // number of macroblocks by row
    const int warp = static_cast<int>(threadIdx.x) / kRowThreads, cols = p.frame.mb_cols;
    if (threadIdx.x == 0) first = kFrameFilterWarps * static_cast<int>(atomicAdd(p.rows.next, 1u));
    if (coder_warp::Lane() == 0) done[warp] = 0;
    __syncthreads();
    const int row = first + warp;
    for (int col = 0; row < p.frame.mb_rows && col < cols; col++) {
        const uint32_t above = static_cast<uint32_t>(min(col + 2, cols));
        const uint32_t count = static_cast<uint32_t>(col + 1);
        if (warp)
            AwaitRow<RowScope::kBlock>(done + warp - 1, above);
        else if (row)
            AwaitRow(p.rows.done + row - 1, above);
        coder_warp::FilterMacroblock(p.frame, row, col);
        if (warp < kFrameFilterWarps - 1)
            PublishMacroblock<RowScope::kBlock>(done + warp, count);
        else
            PublishMacroblock(p.rows.done + row, count);
    }
}

// In the last thread block of each kind, warps may have no row or part.
__device__ inline void FilterFrameRows(const FrameFilterParams& p) {
    __shared__ partition_writer::Part written[kFrameFilterWarps];
    const int filters = FilterBlocksOf(p.rows.rows);
    const int tokens = FilterBlocksOf(PartsOf(p.tokens.number));
    const int block = static_cast<int>(blockIdx.x);
    const int warp = static_cast<int>(threadIdx.x) / kRowThreads;
    // Whether the warp has one of `parts` parts that begin with thread block `first`.
    const auto has_part = [&](int first, int parts) {
        return (block - first) * kFrameFilterWarps + warp < parts;
    };
    if (block < filters) {
        FilterNextRows(p);
    } else if (block < filters + tokens) {
        if (has_part(filters, PartsOf(p.tokens.number)))
            partition_writer::WriteTokenPart(p.tokens, written + warp);
    } else if (has_part(filters + tokens, PartsOf(p.modes.number))) {
        partition_writer::WriteModePart(p.modes, written + warp);
    }
    EndWarp(p.rows);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_FRAME_FILTER_CUH_
