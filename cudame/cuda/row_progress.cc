// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/row_progress.h"

#include <cstring>
#include <utility>

namespace cudame {

RowProgress::RowProgress(DevicePtr device, int counters)
    : device_(std::move(device)), row_bytes_(static_cast<size_t>(counters) * sizeof(uint32_t)) {}

void RowProgress::Allocate(int rows) {
    const size_t n = static_cast<size_t>(rows);
    counters_ = std::make_unique<DeviceBuffer>(device_, n * row_bytes_);
    CUDAME_CHECK(device_->driver(), cuMemsetD8Async(counters_->address(), 0, n * row_bytes_,
                                                    device_->stream(Device::kCopy)));
    done_ = std::make_unique<PinnedBuffer>(device_, n * sizeof(uint32_t));
    memset(done_->as<uint32_t>(), 0, n * sizeof(uint32_t));
    sequence_ = 0;
}

}  // namespace cudame
