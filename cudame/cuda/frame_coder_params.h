// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The parameters of the kernels that code and filter whole frames.

#ifndef CUDAME_CUDA_FRAME_CODER_PARAMS_H_
#define CUDAME_CUDA_FRAME_CODER_PARAMS_H_

#include "common/coder/filter.h"
#include "common/coder/frame.h"
#include "cuda/partition_writer_params.h"

namespace cudame {

// A warp does a row of macroblocks, but for kKeyRowWarps.
constexpr int kRowThreads = 32;
// The most rows of a thread block that codes a group, see frame_coder.cuh. 1080p has four groups of
// 17. Each quarter of a multiprocessor has 16,384 registers and gets at most five of the block's
// warps, so a thread may have 96 registers. The block needs 122 KB of shared memory. Devices with
// less than that have smaller groups.
constexpr int kGroupRows = 17;
// Warps that share a row of a key frame, see key_rows.cuh.
constexpr int kKeyRowWarps = 3;

// The message of a kernel's last warp to the host.
struct RowsEnded {
    uint32_t tokens;  // number of the frame's tokens
    uint32_t warps;   // written last: becomes the number of warps
};

// How far the rows are. The counters are 0 before a launch, and after it.
struct RowCounters {
    int rows, warps;  // of the frame, and of the launch
    uint32_t* next;   // row or group of rows that the next thread block takes
    uint32_t* done;   // by row: the number of macroblocks that are done. Only rows that another
                      // thread block reads are counted
    uint32_t* edges;  // number of those whose edges the denoiser has filtered, by row
    uint32_t* next_token;
    uint32_t* ended_warps;  // number of warps that have ended
    RowsEnded* ended;       // pinned host memory
};

struct FrameCoderParams {
    CoderFrame frame;
    RowCounters rows;
    uint32_t* failed;  // pinned host memory: 1 if libvpx has to code the frame
};

// A filter, and writers of tokens and modes beside it.
struct FrameFilterParams {
    FilterFrame frame;
    RowCounters rows;
    TokenWriterParams tokens;
    ModeWriterParams modes;
};
// Warps of a thread block that filters rows or writes parts, see frame_filter.cuh.
constexpr int kFrameFilterWarps = 4;
// The thread blocks of a launch: those of the filter, of the tokens, and of the modes.
constexpr int FilterBlocksOf(int rows) {
    return (rows + kFrameFilterWarps - 1) / kFrameFilterWarps;
}
constexpr int FilterBlocks(const FrameFilterParams& p) {
    return FilterBlocksOf(p.rows.rows) + FilterBlocksOf(PartsOf(p.tokens.number)) +
           FilterBlocksOf(PartsOf(p.modes.number));
}

}  // namespace cudame

#endif  // CUDAME_CUDA_FRAME_CODER_PARAMS_H_
