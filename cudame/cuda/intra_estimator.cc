// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/intra_estimator.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "cuda/params.h"

namespace cudame {

IntraEstimator::IntraEstimator(std::shared_ptr<const Device> device)
    : device_(std::move(device)), function_(device_->Function("cudame_intra_rows")) {}

void IntraEstimator::Resize(const Geometry& g) {
    g_ = g;
    const size_t size = static_cast<size_t>(g.mb_rows) * sizeof(uint32_t);
    finished_ = std::make_unique<DeviceBuffer>(device_, size);
    progress_ = std::make_unique<PinnedBuffer>(device_, size);
    memset(progress_->as<uint32_t>(), 0, size);
    sequence_ = 0;
    // The kernel leaves these counters at zero.
    CUDAME_CHECK(device_->driver(),
                 cuMemsetD8Async(finished_->address(), 0, size, device_->stream(Device::kCopy)));
}

void IntraEstimator::Begin(const FrameJob& job) {
    records_ = job.intra->records;
    rates_ = job.intra_rates;
    sequence_++;
}

void IntraEstimator::Launch(CUstream stream, const uint8_t* source, int stride, int first_row,
                            int rows) const {
    IntraParams p = {};
    p.src = source;
    p.src_stride = stride;
    p.mb_cols = g_.mb_cols;
    p.first_row = first_row;
    p.sequence = sequence_;
    p.finished = finished_->as<uint32_t>();
    p.progress = progress_->as<uint32_t>();
    p.records = records_;
    std::copy(rates_.begin(), rates_.end(), p.rates);
    void* args[] = {&p};
    const unsigned groups = static_cast<unsigned>((g_.mb_cols + kIntraMbs - 1) / kIntraMbs);
    CUDAME_CHECK(device_->driver(),
                 cuLaunchKernel(function_, groups, static_cast<unsigned>(rows), 1, 16 * kIntraMbs,
                                1, 1, 0, stream, args, nullptr));
}

bool IntraEstimator::Done(int mb_row) const {
    return __atomic_load_n(progress_->as<uint32_t>() + mb_row, __ATOMIC_ACQUIRE) == sequence_;
}

}  // namespace cudame
