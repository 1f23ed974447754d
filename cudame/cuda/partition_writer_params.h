// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The parameters of the kernel that writes a frame's tokens and modes.

#ifndef CUDAME_CUDA_PARTITION_WRITER_PARAMS_H_
#define CUDAME_CUDA_PARTITION_WRITER_PARAMS_H_

#include "common/coder/frame.h"

namespace cudame {

// The result, see cudame_partition.
struct PartitionResult {
    uint64_t bits;
    uint32_t range;
};

// The number of a boolean encoder that codes the items of macroblocks. In memory of the device, but
// for the result. The counters, `states` and `number` are 0 before a launch, and after it.
struct NumberParams {
    int mbs, part_mbs;  // macroblocks of the frame, 0: nothing is written; and of a part
    uint32_t start_range;
    TokenRun* runs;  // the items of each macroblock
    uint32_t *next_part, *ended_parts;
    uint64_t* states;  // by part: (bits << 8) + range of the encoder after it; 0: not known yet
    uint32_t* number;  // its words, from the highest on
    uint32_t words;    // room in `number` and `out`
    // Pinned host memory. There is no number if it has more bits than fit into the words.
    PartitionResult* result;
    uint32_t* out;  // the number's bytes in order
};
constexpr int PartsOf(const NumberParams& p) {
    return p.mbs ? (p.mbs + p.part_mbs - 1) / p.part_mbs : 0;
}

struct TokenWriterParams {
    NumberParams number;
    const cudame_token* tokens;
    const uint8_t* probs;  // see cudame_partition
};

struct ModeWriterParams {
    NumberParams number;
    const ModeRecord* records;
    uint16_t* bools;     // room for those of all macroblocks
    cudame_modes modes;  // the input
    int mb_cols;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_PARTITION_WRITER_PARAMS_H_
