// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// What the loop filter's levels leave of a frame's error, on a CUDA device.

#ifndef CUDAME_CUDA_LOOP_FILTER_ERRORS_H_
#define CUDAME_CUDA_LOOP_FILTER_ERRORS_H_

#include <memory>

#include "common/loop_filter.h"
#include "cuda/kernel.h"
#include "cuda/upload.h"

namespace cudame {

class LoopFilterSearch {
  public:
    // spins: the caller's time is worth more than its core's.
    LoopFilterSearch(DevicePtr device, bool spins);

    // Memory is allocated when it is first needed.
    void Resize(const Geometry& g);
    // With the context current.
    void Start(const cudame_loop_filter& filter, const DevicePlane& source, Uploader* uploader);
    void Errors(uint32_t* errors);
    // Waits until nothing is read any more of what was started.
    void Finish();

  private:
    void Allocate();
    void Launch(const cudame_loop_filter& filter, const DevicePlane& source);

    DevicePtr device_;
    Kernel kernel_;
    Geometry g_;
    std::unique_ptr<DevicePlane> frame_;
    std::unique_ptr<DeviceBuffer> kinds_, below_, tickets_;
    std::unique_ptr<PinnedBuffer> host_kinds_, errors_;
    const unsigned event_flags_;
    std::unique_ptr<Event> done_;
    uint32_t tag_ = 0, ticket_ = 0;
    int rows_ = 0, levels_ = 0;  // of what was started
    bool started_ = false;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_LOOP_FILTER_ERRORS_H_
