// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Makes rows on the CPU that a device is late with; the bytes are the same. The device still
// completes the frame, because its field predicts the next one. Only for the lean search, because
// the CPU makes a row of it in a short time.

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

// Decides whether a device that was late in several frames in a row rests, and for how many frames.
// A rest is twice as long as the last one, until enough frames in a row were timely.
class Lateness {
  public:
    struct Limits {
        int late;  // late frames in a row after which the device rests
        int first_rest, longest_rest;
        int timely;  // timely frames in a row after which a rest is short again
    };
    explicit Lateness(const Limits& limits) : limits_(limits), rest_(limits.first_rest) {}

    // Note whether the device was late in a frame. Return the number of frames for which it rests;
    // 0: it does not rest.
    int Note(bool late);

  private:
    const Limits limits_;
    int late_ = 0, timely_ = 0;  // frames in a row
    int rest_;
};

// For rows of the search. A late row costs little: the CPU makes it.
constexpr Lateness::Limits kLateRows = {4, 16, 1024, 1};
// For whole frames. A late frame takes longer than one that the device was not asked for. With many
// processes on a device (without MPS) most frames are late, until most of the processes rest. A
// single late frame is a scene cut.
constexpr Lateness::Limits kLateWholeFrames = {2, 256, 16384, 256};

class Rescue {
  public:
    Rescue(const BackendConfig& config, const Geometry& g);

    // Begin a frame that the device searches. ids and fields are those of its slots; the store has
    // their planes. Does no work before a row is late.
    void Open(FrameJob job, const uint64_t (&ids)[CUDAME_REFS],
              const std::shared_ptr<Field> (&fields)[CUDAME_REFS], const FrameStore& store);
    // End the frame. end_wait is how long the end waited for the device. Return whether the CPU
    // alone would have taken less time.
    bool Close(std::chrono::nanoseconds end_wait);
    bool open() const { return open_; }
    // Forget a reference. No frame is open.
    void Retire(uint64_t id) { references_.Retire(id); }

    // Return how long to wait for the device's row before Make().
    std::chrono::nanoseconds Patience() const;
    // Make a row, in any thread. Return false if that failed, for example without memory.
    bool Make(int mb_row);
    // Return whether Make() made this row. The records of such rows are in field() and intra().
    bool Made(int mb_row) const { return made_[static_cast<size_t>(mb_row)]; }
    const Field* field(int slot) const;
    const IntraField* intra() const { return intra_.get(); }
    // For a row that Make() made.
    void CompleteSplit(int slot, int mb_row, int mb_col);
    void CompleteIntra(int mb_row, int mb_col, int parts);

    uint64_t rows() const { return rows_; }  // number of rows made so far
    uint64_t search_ns() const { return cpu_->search_ns(); }

  private:
    void Begin();

    const Geometry g_;
    const std::unique_ptr<Backend> cpu_;
    FrameStore references_;  // the references of rescued frames, on the CPU's backend
    const FrameStore* store_ = nullptr;
    FrameJob job_;  // of the open frame, as the device has it
    std::vector<uint64_t> ids_;
    int slots_[CUDAME_REFS] = {};
    std::vector<std::shared_ptr<Field>> fields_;  // by search; the rows made here
    std::shared_ptr<IntraField> intra_;
    std::vector<std::atomic<bool>> made_;  // by row of the open frame
    std::mutex mutex_;                     // for Begin()
    bool open_ = false;
    std::atomic<bool> begun_{false}, broken_{false};
    std::atomic<uint64_t> rows_{0};
    uint64_t rows_before_ = 0, search_before_ = 0;  // at the start of this frame
    bool late_ = false;                  // the last frame was late, so this one is not waited for
    std::atomic<int64_t> first_row_ns_;  // time of the first row that is made in a frame
};

}  // namespace cudame

#endif  // CUDAME_SRC_RESCUE_H_
