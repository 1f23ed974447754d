// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/intra_estimate.h"

#include <algorithm>

#include "common/error.h"

namespace cudame {

void IntraEstimator::Resize(const Geometry& g) {
    g_ = g;
    device_records_.reset();
    progress_.Allocate(g.mb_rows);
}

void IntraEstimator::Prepare() {
    if (!device_records_)
        device_records_ = std::make_unique<DeviceBuffer>(
            device_, static_cast<size_t>(g_.mbs()) * sizeof(cudame_intra));
}

void IntraEstimator::Begin(const FrameJob& job) {
    HasDeviceMemory([&] { Prepare(); });  // a search does without device_records()
    records_ = job.intra->records;
    rates_ = job.intra_rates;
    progress_.Begin();
}

void IntraEstimator::Launch(CUstream stream, const DevicePlane& source, Rows rows) const {
    IntraParams p = {};
    progress_.Fill(&p);
    p.src = source.pixels();
    p.src_stride = source.stride();
    p.mb_cols = g_.mb_cols;
    p.first_row = rows.first;
    p.records = records_;
    p.device_records = device_records();
    std::copy(rates_.begin(), rates_.end(), p.rates);
    kernel_.Launch(stream, {kernel_.Groups(g_.mb_cols), static_cast<unsigned>(rows.count())}, p);
}

}  // namespace cudame
