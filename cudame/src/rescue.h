// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Makes rows that a device is late with on the CPU, to the same bytes: of a frame that the device
// goes on with, because its field predicts the next one. Only for the lean search, of which the CPU
// makes a row in little time.

#ifndef CUDAME_SRC_RESCUE_H_
#define CUDAME_SRC_RESCUE_H_

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "backend.h"
#include "frame_store.h"

namespace cudame {

// Whether a device that was late frame after frame should be left alone, and for how many frames.
class Lateness {
  public:
    // A frame on the device has ended. Returns for how many frames it should get none.
    int Note(bool late);

  private:
    static constexpr int kLateFrames = 4, kFirstRest = 16, kLongestRest = 1024;
    int late_ = 0;  // frames in turn
    int rest_ = kFirstRest;
};

class Rescue {
  public:
    Rescue(const BackendConfig& config, const Geometry& g);

    // A frame that the device searches: the ids and fields of its slots, and the store that has
    // their planes. Nothing is done before a row is late.
    void Open(FrameJob job, const uint64_t (&ids)[CUDAME_REFS],
              const std::shared_ptr<Field> (&fields)[CUDAME_REFS], const FrameStore& store);
    // The frame has ended; end_wait: how long the device was waited for then. Returns whether
    // leaving it all to the CPU would have taken less time.
    bool Close(std::chrono::nanoseconds end_wait);
    bool open() const { return open_; }
    // No frame is open.
    void Retire(uint64_t id) { references_.Retire(id); }

    // How long to wait for the device's row before it is made here.
    std::chrono::nanoseconds Patience() const;
    // Makes a row, from any thread; false if that cannot be.
    bool Make(int mb_row);
    // Whether it was made here, and then its first records.
    bool Made(int mb_row) const { return made_[static_cast<size_t>(mb_row)]; }
    const Field* field(int slot) const;
    const IntraField* intra() const { return intra_.get(); }
    // Of a row made here.
    void CompleteSplit(int slot, int mb_row, int mb_col);
    void CompleteIntra(int mb_row, int mb_col, int parts);

    uint64_t rows() const { return rows_; }  // made so far
    uint64_t search_ns() const { return cpu_->search_ns(); }

  private:
    void Begin();

    const Geometry g_;
    const std::unique_ptr<Backend> cpu_;
    FrameStore references_;  // the CPU's, of those that a rescued frame had
    const FrameStore* store_ = nullptr;
    FrameJob job_;  // the open frame's on the device
    std::vector<uint64_t> ids_;
    int slots_[CUDAME_REFS] = {};
    std::vector<std::shared_ptr<Field>> fields_;  // by search, of the frame that is rescued
    std::shared_ptr<IntraField> intra_;
    std::vector<std::atomic<bool>> made_;  // by row of the open frame
    std::mutex mutex_;                     // for Begin()
    bool open_ = false;
    std::atomic<bool> begun_{false}, broken_{false};
    std::atomic<uint64_t> rows_{0};
    uint64_t rows_before_ = 0, search_before_ = 0;  // this frame
    bool late_ = false;  // the last frame was, so that waiting for this one would be in vain
    std::atomic<int64_t> first_row_ns_;  // what the first one of a frame takes
};

}  // namespace cudame

#endif  // CUDAME_SRC_RESCUE_H_
