// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The scalar reference of the writers of a frame's tokens and modes.

#ifndef CUDAME_CPU_PARTITION_WRITER_H_
#define CUDAME_CPU_PARTITION_WRITER_H_

#include <cstdint>
#include <vector>

#include "common/coder/frame.h"
#include "cudame/whole_frame.h"

namespace cudame {

// Bytes of a partition and of modes for each macroblock, at most. Larger ones are left to the
// caller.
constexpr size_t kPartitionBytes = 128, kModeBytes = 32;

// Writes the tokens of all macroblocks, of which there are `mbs`. *data is the partition's.
void WriteTokens(const TokenRun* runs, size_t mbs, const cudame_token* tokens,
                 std::vector<uint8_t>* data, cudame_partition* partition);
// Writes the modes and vectors of a frame of rows * cols macroblocks. *data is the number of the
// modes.
void WriteModes(const ModeRecord* records, int rows, int cols, std::vector<uint8_t>* data,
                cudame_modes* modes);

}  // namespace cudame

#endif  // CUDAME_CPU_PARTITION_WRITER_H_
