// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// How far the device is with the rows of a frame. Kernels count in device memory what
// has finished of a row, and the thread block that completes it writes the frame's
// number to pinned host memory: whoever waits reads that, without a call of the driver.

#ifndef CUDAME_CUDA_ROW_PROGRESS_H_
#define CUDAME_CUDA_ROW_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "cuda/device_memory.h"

namespace cudame {

class RowProgress {
  public:
    // counters: 32-bit ones that the kernels keep for each row.
    RowProgress(DevicePtr device, int counters);

    // Allocates for so many rows, with all counters at zero, where kernels leave them at
    // the end of every frame; with the context current, while no kernel runs.
    void Allocate(int rows);

    // Begins a frame: none of its rows is complete.
    void Begin() { sequence_++; }

    // Whether a row of that frame is in host memory; from any thread.
    bool Done(int row) const {
        return __atomic_load_n(done_->as<uint32_t>() + row, __ATOMIC_ACQUIRE) == sequence_;
    }

    // Waits until it is, or the limit has passed, and returns whether it is. callers: threads
    // that wait for rows of a frame of so many macroblocks. check_alive() throws if it never
    // will be.
    bool Wait(int row, std::chrono::nanoseconds limit, int callers, int mbs,
              const std::function<void()>& check_alive) const;

    // Tells a launch (LaunchParams, IntraParams) of the frame and where to count.
    template <class Params>
    void Fill(Params* p) const {
        p->sequence = sequence_;
        p->finished = counters_->as<uint32_t>();
        p->progress = done_->as<uint32_t>();
    }

  private:
    DevicePtr device_;
    const size_t row_bytes_;  // of the counters
    std::unique_ptr<DeviceBuffer> counters_;
    std::unique_ptr<PinnedBuffer> done_;
    uint32_t sequence_ = 0;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_ROW_PROGRESS_H_
