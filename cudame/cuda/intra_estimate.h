// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The stage of the intra estimates.

#ifndef CUDAME_CUDA_INTRA_ESTIMATE_H_
#define CUDAME_CUDA_INTRA_ESTIMATE_H_

#include "backend.h"
#include "cuda/kernel.h"
#include "cuda/row_progress.h"
#include "cuda/search_stage.h"
#include "cuda/upload.h"

namespace cudame {

class IntraEstimator {
  public:
    explicit IntraEstimator(const StreamsPtr& streams)
        : device_(streams->device()),
          kernel_(streams->device(), kernel::kIntraRows),
          progress_(streams, 1) {}

    // With the context current, while no kernel runs.
    void Resize(const Geometry& g);
    // Allocates device_records(), which the first frame would do.
    void Prepare();

    // Begins a frame. Its records are written to the job's field.
    void Begin(const FrameJob& job);
    // Enqueues the estimates of rows, from the first to the last. Reads the source's rows and the
    // row of pixels above.
    void Launch(CUstream stream, const DevicePlane& source, Rows rows) const;

    const RowProgress& progress() const { return progress_; }
    // The open frame's records on the device; NULL: there was no memory.
    cudame_intra* device_records() const {
        return device_records_ ? device_records_->as<cudame_intra>() : nullptr;
    }

  private:
    DevicePtr device_;
    Kernel<IntraParams> kernel_;
    RowProgress progress_;
    Geometry g_;
    cudame_intra* records_ = nullptr;  // of the open frame
    std::unique_ptr<DeviceBuffer> device_records_;
    IntraRates rates_{};
};

}  // namespace cudame

#endif  // CUDAME_CUDA_INTRA_ESTIMATE_H_
