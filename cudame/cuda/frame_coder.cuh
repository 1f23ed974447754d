// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Codes a whole frame (common/coder). A warp codes a row of macroblocks from left to right; of key
// frames see also key_rows.cuh. A macroblock needs the one above it, and for B_PRED pixels of the
// one above right, so the rows form a wavefront. A thread block takes the next row or group of rows
// when it starts to run and when it has ended one, so that no block waits for a row that has not
// started.
//
// If a thread block has one row, a row begins a macroblock as soon as it can, and a frame takes the
// least time. A macroblock then begins after the one above it, and waits for the one above right
// only if it evaluates B_PRED, before the first sub-block that reads it. But a macroblock runs
// through 50 KB of code or more, and with many frames on a multiprocessor the warps evict each
// other's code from the instruction cache. If a thread block has a group of rows, all of them begin
// their macroblocks at the same time, and wait for each other again before they code. Each
// instruction is then fetched once for the group, and the device codes more frames in a second. A
// multiprocessor has room for one large group or three of six rows, which evict each other's code,
// so that the large one is faster.

#ifndef CUDAME_CUDA_FRAME_CODER_CUH_
#define CUDAME_CUDA_FRAME_CODER_CUH_

#include "common/coder/denoise.h"
#include "cuda/clang.cuh"
#include "cuda/coder_rows.cuh"
#include "cuda/frame_coder_params.h"
#include "cuda/ptx.cuh"
#include "cuda/row_flags.cuh"

namespace cudame {

// Waits until all warps of a thread block have come here or to another call of this function. Loads
// after it see the stores that the other warps made before it.
template <bool kGroups>
__device__ inline void MeetRows() {
    __syncwarp();
    if constexpr (kGroups) MeetAnywhere(blockDim.x);
}

// Takes a row for each warp of the thread block. Returns the first of these rows.
template <bool kGroups>
__device__ inline int TakeRows(const RowCounters& rows, int warps) {
    __shared__ int first;
    if (threadIdx.x == 0) first = warps * static_cast<int>(atomicAdd(rows.next, 1u));
    MeetRows<kGroups>();
    return first;
}

// If this was the last warp, clears the counters, which no warp reads any more, and tells the host.
// A copy by the driver would hold up the copies of other streams until this kernel ends.
__device__ inline void EndWarp(const RowCounters& rows) {
    if (coder_warp::Lane() != 0) return;
    const uint32_t count = static_cast<uint32_t>(rows.warps);
    __threadfence_system();  // after __syncwarp() it orders the stores of the warp
    if (atomicAdd(rows.ended_warps, 1u) + 1 != count) return;
    for (int i = 0; i < rows.rows; i++) rows.done[i] = rows.edges[i] = 0;
    rows.ended->tokens = *rows.next_token;
    *rows.next = *rows.next_token = *rows.ended_warps = 0;
    __threadfence_system();
    *static_cast<volatile uint32_t*>(&rows.ended->warps) = count;
}

// Denoises a row of macroblocks (common/coder/denoise.h): pixels, then edges, after those of the
// row above, then the records. This is faster before the wavefront than in each of its steps. As a
// launch of its own it would wait for room on the device, and hold up the launches of other frames.
__device__ inline void DenoiseRow(const RowCounters& rows, int row, int cols) {
    for (int col = 0; col < cols; col++) coder_warp::DenoiseMacroblock(row, col);
    for (int col = 0; col < cols; col++) {
        if (row) AwaitRow(rows.edges + row - 1, static_cast<uint32_t>(min(col + 2, cols)));
        coder_warp::BeginMacroblock(row, col);
        coder_warp::FilterDenoised();
        PublishMacroblock(rows.edges + row, static_cast<uint32_t>(col + 1));
    }
    for (int col = 0; col < cols; col++) coder_warp::MakeDenoisedRecords(row, col);
}

// Stores the results of macroblock `col`, while the input of the next one arrives. publishes: a row
// of another thread block waits for it. ok: false: the frame has failed, and there is no result.
template <bool kDenoised>
__device__ inline void StoreMacroblock(const FrameCoderParams& p, int row, int col, bool publishes,
                                       bool ok) {
    if (col + 1 < p.frame.mb_cols) coder_warp::BeginLoad<kDenoised>(row, col + 1);
    if (publishes) PublishMacroblock(p.rows.done + row, static_cast<uint32_t>(col + 1));
    // Only now, because a fence would wait until these stores have reached the host.
    if (ok) coder_warp::StoreResult();
    __syncwarp();
}

// Codes rows, one for each warp at a time, until none is left. At each step, a row codes a
// macroblock two columns to the left of the one that the row above it codes. Without kGroups a
// thread block is a warp.
template <bool kGroups, coder_warp::FrameKind kKind, bool kDenoises = false>
__device__ inline void CodeRows(const FrameCoderParams& p) {
    const int warps = kGroups ? static_cast<int>(blockDim.x) / kRowThreads : 1;
    const int warp = static_cast<int>(threadIdx.x) / kRowThreads, cols = p.frame.mb_cols;
    if (warp == 0) coder_warp::BeginFrame(p.frame);
    coder_warp::BeginRows();
    bool ok = true;
    for (int first; (first = TakeRows<kGroups>(p.rows, warps)) < p.frame.mb_rows;) {
        const int row = first + warp;
        const bool exists = row < p.frame.mb_rows;
        if (kDenoises && exists) DenoiseRow(p.rows, row, cols);
        for (int step = 0; step < cols + 2 * (warps - 1); step++) {
            const int col = step - 2 * warp;
            const bool codes = exists && col >= 0 && col < cols;
            if (codes) {
                if (!col) coder_warp::BeginLoad<kDenoises>(row, 0);
                coder_warp::EndLoad(row, col);
                if (warp == 0 && row)
                    AwaitRow(p.rows.done + row - 1,
                             static_cast<uint32_t>(min(col + 1 + kGroups, cols)));
            }
            MeetRows<kGroups>();
            if (codes && ok) {
                ok = coder_warp::CodeNext<kKind>(row, col, [] { MeetRows<kGroups>(); });
                if (!ok && coder_warp::Lane() == 0) *p.failed = 1;
            } else {
                MeetRows<kGroups>();
            }
            if (codes) StoreMacroblock<kDenoises>(p, row, col, warp == warps - 1, ok);
        }
    }
    EndWarp(p.rows);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_FRAME_CODER_CUH_
