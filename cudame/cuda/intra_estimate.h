// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Launches the intra estimates.

#ifndef CUDAME_CUDA_INTRA_ESTIMATE_H_
#define CUDAME_CUDA_INTRA_ESTIMATE_H_

#include <memory>

#include "backend.h"
#include "cuda/device_memory.h"
#include "cuda/kernel.h"
#include "cuda/row_progress.h"

namespace cudame {

class IntraEstimator {
  public:
    explicit IntraEstimator(DevicePtr device);

    // With the context current, while no kernel runs.
    void Resize(const Geometry& g);

    // Begins a frame: its rows of macroblocks can be launched from the first to the
    // last, each as soon as its own pixels, and those above, are there.
    void Begin(const FrameJob& job);
    void Launch(CUstream stream, const uint8_t* source, int stride, int first_row, int rows) const;

    const RowProgress& progress() const { return progress_; }

  private:
    DevicePtr device_;
    Kernel kernel_;
    RowProgress progress_;
    Geometry g_;
    cudame_intra* records_ = nullptr;  // of the open frame
    IntraRates rates_{};
};

}  // namespace cudame

#endif  // CUDAME_CUDA_INTRA_ESTIMATE_H_
