// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/source_upload.h"

#include <algorithm>

namespace cudame {

SourceUpload::SourceUpload(const StreamsPtr& streams, Uploader* uploader)
    : streams_(streams),
      uploader_(uploader),
      costs_(streams->device(), 2 * kCostEntries * sizeof(int)),
      host_costs_(streams->device(), 2 * kCostEntries * sizeof(int)) {}

void SourceUpload::Resize(const Geometry& g) {
    plane_ = std::make_unique<DevicePlane>(streams_->device(), g, 0);
    costs_uploaded_ = false;
}

void SourceUpload::Begin(const FrameJob& job) {
    job_ = &job;
    uploader_->memory().Use(SourceOf(job));
}

void SourceUpload::Upload(int first_row, int rows, StreamName stream) {
    const cudame_plane& source = SourceOf(*job_);
    const uint64_t bytes = uploader_->Upload(source, kMb * first_row, kMb * rows, *plane_, stream);
    if (!source.on_device) bytes_ += bytes;
    uploader_->Pad(source, kMb * first_row, kMb * rows, *plane_, stream);
    if (!first_row) UploadCosts((*streams_)[stream]);
}

void SourceUpload::UploadCosts(CUstream stream) {
    int* costs = host_costs_.as<int>();
    const CostTables& now = *job_->costs;
    if (costs_uploaded_ && std::equal(now.row.begin(), now.row.end(), costs) &&
        std::equal(now.col.begin(), now.col.end(), costs + kCostEntries))
        return;
    std::copy(now.row.begin(), now.row.end(), costs);
    std::copy(now.col.begin(), now.col.end(), costs + kCostEntries);
    CUDAME_CHECK(
        streams_->device()->driver(),
        cuMemcpyHtoDAsync(costs_.address(), costs, 2 * kCostEntries * sizeof(int), stream));
    costs_uploaded_ = true;
}

}  // namespace cudame
