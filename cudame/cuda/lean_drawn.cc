// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/lean_drawn.h"

#include <utility>

namespace cudame {

DrawnSearch::DrawnSearch(DevicePtr device, int range)
    : device_(std::move(device)),
      kernel_(device_, range ? &kernel::kLeanDrawn : nullptr),
      range_(range),
      tile_(range ? TileOf(LeanBoxSide(range), kDrawnRows) : Tile()) {}

void DrawnSearch::Resize(const Geometry& g) {
    if (!kernel_) return;
    const size_t most = kMaxSearches * static_cast<size_t>(g.mbs());
    list_.Resize(device_, g);
    least_ = FilledBuffer(device_, most * kLeanBlocks * sizeof(unsigned long long), 0xff);
    done_ = FilledBuffer(device_, most * sizeof(uint32_t), 0);
}

void DrawnSearch::Fill(LaunchParams* p) const {
    if (!kernel_) return;
    p->range = range_;
    p->chunk_rows = tile_.chunk_rows;
    list_.Fill(p);
    p->drawn = least_->as<unsigned long long>();
    p->drawn_done = done_->as<uint32_t>();
}

void DrawnSearch::Launch(CUstream stream, const LaunchParams& p) const {
    if (kernel_) kernel_.Launch(stream, {kListBlocks}, tile_.bytes, p);
}

}  // namespace cudame
