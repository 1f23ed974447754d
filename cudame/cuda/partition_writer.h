// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The memory in which a kernel writes the tokens or the modes of a frame that the device has coded.

#ifndef CUDAME_CUDA_PARTITION_WRITER_H_
#define CUDAME_CUDA_PARTITION_WRITER_H_

#include <memory>

#include "common/geometry.h"
#include "cuda/device_memory.h"
#include "cuda/partition_writer_params.h"

namespace cudame {

class PartitionWriter {
  public:
    // Allocates memory for frames of this size. mb_bytes: of the number for each macroblock, at
    // most.
    PartitionWriter(const DevicePtr& device, CUstream stream, const Geometry& g, size_t mb_bytes);

    // The parameters of a launch. runs: memory of the device; items: number of all items, about;
    // 0: few.
    NumberParams Params(TokenRun* runs, uint32_t items, uint32_t start_range) const;
    // Sets the output of a cudame_partition or of cudame_modes, after the launch has ended. It is
    // valid until the next launch.
    template <class Written>
    void Get(Written* written) const {
        const PartitionResult& result = *result_.as<PartitionResult>();
        const bool fits = result.bits + 8 <= 32 * uint64_t{words_};
        written->data = fits ? out_.as<uint8_t>() : nullptr;
        written->bits = static_cast<uint32_t>(result.bits);
        written->range = result.range;
    }

  private:
    struct Counters {
        uint32_t next_part, ended_parts;
    };

    const int mb_rows_, mb_cols_;
    const uint32_t words_;
    std::unique_ptr<DeviceBuffer> memory_;  // counters, states and the number; 0 at first
    PinnedBuffer out_, result_;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_PARTITION_WRITER_H_
