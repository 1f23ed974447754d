// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The memory in which a kernel writes the tokens of a frame that the device has coded.

#ifndef CUDAME_CUDA_TOKEN_WRITER_H_
#define CUDAME_CUDA_TOKEN_WRITER_H_

#include <memory>

#include "common/geometry.h"
#include "cuda/device_memory.h"
#include "cuda/token_writer_params.h"

namespace cudame {

class TokenWriter {
  public:
    // Allocates memory for frames of this size.
    TokenWriter(const DevicePtr& device, CUstream stream, const Geometry& g);

    // The parameters of a launch. runs, tokens, probs: the frame's, on the device.
    TokenWriterParams Params(const TokenRun* runs, const cudame_token* tokens,
                             const uint8_t* probs) const;
    // The partition, after the launch has ended. It is valid until the next launch.
    void Get(cudame_partition* partition) const;

  private:
    struct Counters;

    const int mb_rows_, mb_cols_;
    const uint32_t words_;
    std::unique_ptr<DeviceBuffer> memory_;  // counters, states and the number; 0 at first
    PinnedBuffer out_, result_;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_TOKEN_WRITER_H_
