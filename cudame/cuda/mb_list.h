// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The lists of macroblocks that a search leaves to the next kernel, by bands: see LaunchParams.

#ifndef CUDAME_CUDA_MB_LIST_H_
#define CUDAME_CUDA_MB_LIST_H_

#include <memory>

#include "common/geometry.h"
#include "cuda/device_memory.h"
#include "cuda/params.h"

namespace cudame {

class MbList {
  public:
    // With the context current, while no kernel runs: empty lists, behind what kCopy does.
    void Resize(const DevicePtr& device, const Geometry& g) {
        const size_t mbs = static_cast<size_t>(g.mbs()), rows = static_cast<size_t>(g.mb_rows);
        list_ = std::make_unique<DeviceBuffer>(device, kMaxSearches * mbs * sizeof(uint32_t));
        counts_ = FilledBuffer(device, 2 * rows * sizeof(uint32_t), 0);
    }

    void Fill(LaunchParams* p) const {
        p->list = list_->as<uint32_t>();
        p->list_counts = counts_->as<uint32_t>();
    }

  private:
    std::unique_ptr<DeviceBuffer> list_, counts_;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_MB_LIST_H_
