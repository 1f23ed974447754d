// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The progress of a frame's rows. Kernels count in device memory how much of a row is finished. The
// thread block that completes a row writes the frame's number to pinned host memory, so that
// waiting for a row needs no driver call.

#ifndef CUDAME_CUDA_ROW_PROGRESS_H_
#define CUDAME_CUDA_ROW_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "cuda/device_memory.h"
#include "cuda/search_params.h"
#include "cuda/streams.h"

namespace cudame {

class RowProgress {
  public:
    // counters: number of 32-bit counters that the kernels keep for each row.
    RowProgress(StreamsPtr streams, int counters);

    // Allocates counters for this many rows, all zero, as kernels leave them at the end of a frame.
    // With the context current, while no kernel runs.
    void Allocate(int rows);

    // Begins a frame. None of its rows is complete.
    void Begin() { sequence_++; }

    // Whether a row of the frame is in host memory. May be called from any thread.
    bool Done(int row) const {
        return __atomic_load_n(done_->as<uint32_t>() + row, __ATOMIC_ACQUIRE) == sequence_;
    }

    // Waits until Done(row) or the limit has passed; returns Done(row). callers: number of threads
    // that wait for rows of the frame; mbs: macroblocks of the frame. check_alive() throws if the
    // row will never be done.
    bool Wait(int row, std::chrono::nanoseconds limit, int callers, int mbs,
              const std::function<void()>& check_alive) const;

    // Sets the parameters of a launch for the frame.
    void Fill(RowParams* p) const {
        p->sequence = sequence_;
        p->finished = counters_->as<uint32_t>();
        p->progress = done_->as<uint32_t>();
    }

  private:
    StreamsPtr streams_;
    const size_t row_bytes_;  // size of a row's counters
    std::unique_ptr<DeviceBuffer> counters_;
    std::unique_ptr<PinnedBuffer> done_;
    uint32_t sequence_ = 0;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_ROW_PROGRESS_H_
