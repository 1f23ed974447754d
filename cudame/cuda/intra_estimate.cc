// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/intra_estimate.h"

#include <algorithm>
#include <utility>

#include "cuda/params.h"

namespace cudame {

IntraEstimator::IntraEstimator(DevicePtr device)
    : device_(std::move(device)), kernel_(device_, kernel::kIntraRows), progress_(device_, 1) {}

void IntraEstimator::Resize(const Geometry& g) {
    g_ = g;
    progress_.Allocate(g.mb_rows);
}

void IntraEstimator::Begin(const FrameJob& job) {
    records_ = job.intra->records;
    rates_ = job.intra_rates;
    progress_.Begin();
}

void IntraEstimator::Launch(CUstream stream, const uint8_t* source, int stride, int first_row,
                            int rows) const {
    IntraParams p = {};
    p.src = source;
    p.src_stride = stride;
    p.mb_cols = g_.mb_cols;
    p.first_row = first_row;
    progress_.Fill(&p);
    p.records = records_;
    std::copy(rates_.begin(), rates_.end(), p.rates);
    kernel_.Launch(stream,
                   {kernel_.Groups(static_cast<unsigned>(g_.mb_cols)), static_cast<unsigned>(rows)},
                   0, p);
}

}  // namespace cudame
