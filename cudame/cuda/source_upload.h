// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The stage that uploads a frame's source, piece by piece, and its cost tables. All other stages
// read them on the device.

#ifndef CUDAME_CUDA_SOURCE_UPLOAD_H_
#define CUDAME_CUDA_SOURCE_UPLOAD_H_

#include <memory>

#include "backend.h"
#include "cuda/device_memory.h"
#include "cuda/upload.h"

namespace cudame {

class SourceUpload {
  public:
    // With the context current.
    SourceUpload(const StreamsPtr& streams, Uploader* uploader);

    // With the context current, while no kernel runs. The next upload of cost tables is not
    // skipped.
    void Resize(const Geometry& g);

    // Begins a frame. job must stay valid until its last piece is uploaded.
    void Begin(const FrameJob& job);
    // Enqueues the upload of rows of macroblocks; of the cost tables, too, if first_row is 0.
    void Upload(int first_row, int rows, StreamName stream);

    // Padded to whole macroblocks, without a border.
    const DevicePlane& plane() const { return *plane_; }
    // Tables of 2 * kCostEntries costs.
    const int* costs() const { return costs_.as<int>(); }
    // Bytes of sources that were uploaded so far.
    uint64_t bytes() const { return bytes_; }

  private:
    void UploadCosts(CUstream stream);

    StreamsPtr streams_;
    Uploader* uploader_;
    const FrameJob* job_ = nullptr;
    std::unique_ptr<DevicePlane> plane_;
    DeviceBuffer costs_;
    PinnedBuffer host_costs_;
    bool costs_uploaded_ = false;
    uint64_t bytes_ = 0;
};

// The plane that a job's source is uploaded from.
inline const cudame_plane& SourceOf(const FrameJob& job) {
    return job.device_source.data ? job.device_source : job.source;
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SOURCE_UPLOAD_H_
