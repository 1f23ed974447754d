// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The stage that tries loop-filter levels on a coded frame and measures the error of each.

#ifndef CUDAME_CUDA_LOOP_FILTER_ERRORS_H_
#define CUDAME_CUDA_LOOP_FILTER_ERRORS_H_

#include <chrono>
#include <memory>

#include "common/loop_filter.h"
#include "cuda/kernel.h"
#include "cuda/upload.h"

namespace cudame {

class LoopFilterSearch {
  public:
    // spins: whether the caller waits for the errors without sleeping.
    LoopFilterSearch(StreamsPtr streams, bool spins);

    // Memory is allocated at the first Start() after this, or by Prepare(). No trials may run.
    void Resize(const Geometry& g);
    // Allocates the memory for frames that are on the device.
    void Prepare();
    // Enqueues the upload of the coded frame, unless it is on the device (coded; else NULL), and
    // the trials on kCopy. Reads the frame's source. With the context current. Throws LateError if
    // earlier trials of such a frame have not ended.
    void Start(const cudame_loop_filter& filter, const DevicePlane& source,
               const DevicePlane* coded, Uploader* uploader);
    // Waits for the trials and adds up the errors of each level. Throws LateError if trials of a
    // frame that is on the device take longer than `patience`. With the context current.
    void Errors(std::chrono::steady_clock::duration patience, uint32_t* errors);
    // Waits until the trials, if any, read the caller's memory no longer.
    void Finish();

  private:
    bool HasErrors() const;
    void Poll(std::chrono::steady_clock::duration patience);
    void Launch(const cudame_loop_filter& filter, const DevicePlane& source,
                const DevicePlane& frame);

    StreamsPtr streams_;
    Kernel<LoopFilterParams> kernel_;
    Geometry g_;
    std::unique_ptr<DevicePlane> frame_;
    std::unique_ptr<DeviceBuffer> kinds_, below_, tickets_;
    std::unique_ptr<PinnedBuffer> host_kinds_, errors_;
    const unsigned event_flags_;
    std::unique_ptr<Event> done_;
    uint32_t tag_ = 0, ticket_ = 0;
    int rows_ = 0, levels_ = 0;  // of the last trials
    bool started_ = false;       // trials that read the caller's memory
    bool polled_ = false;        // trials of a frame that is on the device, until they have ended
};

}  // namespace cudame

#endif  // CUDAME_CUDA_LOOP_FILTER_ERRORS_H_
