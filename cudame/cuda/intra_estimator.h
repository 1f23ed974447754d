// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Launches the intra estimates, and tells how far they are.

#ifndef CUDAME_CUDA_INTRA_ESTIMATOR_H_
#define CUDAME_CUDA_INTRA_ESTIMATOR_H_

#include <memory>

#include "backend.h"
#include "cuda/device_memory.h"

namespace cudame {

// Records in pinned memory, where the kernel writes them.
class CudaIntraField : public IntraField {
  public:
    CudaIntraField(const std::shared_ptr<const Device>& device, size_t mbs)
        : host_(device, mbs * sizeof(cudame_intra)) {
        records = host_.as<cudame_intra>();
        count = mbs;
    }

  private:
    PinnedBuffer host_;
};

class IntraEstimator {
  public:
    explicit IntraEstimator(std::shared_ptr<const Device> device);

    void Resize(const Geometry& g);

    // A frame: its rows of macroblocks can be launched from the first to the
    // last, each as soon as its own pixels, and those above, are there.
    void Begin(const FrameJob& job);
    void Launch(CUstream stream, const uint8_t* source, int stride, int first_row, int rows) const;

    // Whether the open frame's row is in the field; from any thread.
    bool Done(int mb_row) const;

  private:
    std::shared_ptr<const Device> device_;
    CUfunction function_;
    Geometry g_;
    std::unique_ptr<DeviceBuffer> finished_;
    std::unique_ptr<PinnedBuffer> progress_;
    cudame_intra* records_ = nullptr;
    IntraRates rates_{};
    uint32_t sequence_ = 0;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_INTRA_ESTIMATOR_H_
