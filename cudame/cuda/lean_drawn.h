// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Launches the lean search's box for drawn macroblocks, and has its lists.

#ifndef CUDAME_CUDA_LEAN_DRAWN_H_
#define CUDAME_CUDA_LEAN_DRAWN_H_

#include <memory>

#include "common/geometry.h"
#include "cuda/device_memory.h"
#include "cuda/kernel.h"
#include "cuda/mb_list.h"

namespace cudame {

class DrawnSearch {
  public:
    // range: of the box, in pixels to each side; 0: there is none, and nothing is launched.
    DrawnSearch(DevicePtr device, int range);

    // With the context current, while no kernel runs: empty lists, behind what kCopy does.
    void Resize(const Geometry& g);

    // What the passes and the search want of it.
    void Fill(LaunchParams* p) const;

    // Behind the last pass over p's rows, which listed theirs.
    void Launch(CUstream stream, const LaunchParams& p) const;

  private:
    DevicePtr device_;
    Kernel kernel_;
    int range_;
    Tile tile_;
    MbList list_;
    std::unique_ptr<DeviceBuffer> least_, done_;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_LEAN_DRAWN_H_
