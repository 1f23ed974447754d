// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Codes a whole frame (common/coder). A thread block is one warp. It takes the next row of
// macroblocks when it starts to run, so that no block waits for a row that has not started, and
// codes the row from left to right. A macroblock needs the two above it, so the rows form a
// wavefront.

#ifndef CUDAME_CUDA_FRAME_CODER_CUH_
#define CUDAME_CUDA_FRAME_CODER_CUH_

#include "cuda/clang.cuh"
#include "cuda/coder_rows.cuh"
#include "cuda/frame_coder_params.h"

namespace cudame {

// Waits until `count` macroblocks of a row are done.
__device__ inline void AwaitRow(const uint32_t* done, uint32_t count) {
    if (coder_warp::Lane() == 0) {
        while (coder_warp::Fresh(done) < count) {
        }
        __threadfence();  // later loads see what the row stored
    }
    __syncwarp();
}

// Tells the row below that `count` macroblocks are done.
__device__ inline void PublishMacroblock(uint32_t* done, uint32_t count) {
    __syncwarp();
    if (coder_warp::Lane() == 0) {
        __threadfence();
        *static_cast<volatile uint32_t*>(done) = count;
    }
}

// Takes the next row.
__device__ inline int TakeRow(const RowCounters& rows) {
    __shared__ int taken;
    if (coder_warp::Lane() == 0) taken = static_cast<int>(atomicAdd(rows.next, 1u));
    __syncwarp();
    return taken;
}

// Tells the host if this was the last row. A copy by the driver would hold up the copies of other
// streams until this kernel ends.
__device__ inline void EndRow(const RowCounters& rows) {
    if (coder_warp::Lane() != 0) return;
    const uint32_t count = static_cast<uint32_t>(rows.rows);
    __threadfence_system();  // after __syncwarp() it orders the stores of the warp
    if (atomicAdd(rows.ended_rows, 1u) + 1 != count) return;
    __threadfence_system();
    *static_cast<volatile uint32_t*>(rows.ended) = count;
}

__device__ inline void CodeFrameRow(const FrameCoderParams& p) {
    const int row = TakeRow(p.rows), cols = p.frame.mb_cols;
    coder_warp::BeginFrame(p.frame);
    bool ok = true;
    for (int col = 0; col < cols; col++) {
        coder_warp::LoadSource(row, col);
        if (row) AwaitRow(p.rows.done + row - 1, static_cast<uint32_t>(min(col + 2, cols)));
        if (ok && !coder_warp::CodeNext(row, col)) {
            ok = false;
            if (coder_warp::Lane() == 0) *p.failed = 1;
        }
        PublishMacroblock(p.rows.done + row, static_cast<uint32_t>(col + 1));
        // Only now, because a fence would wait until these stores have reached the host.
        if (ok) coder_warp::StoreResult();
        __syncwarp();
    }
    EndRow(p.rows);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_FRAME_CODER_CUH_
