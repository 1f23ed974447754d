// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Events of frames: they order a frame's work across streams, and measure its time.

#ifndef CUDAME_CUDA_FRAME_EVENTS_H_
#define CUDAME_CUDA_FRAME_EVENTS_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/device_memory.h"
#include "cuda/streams.h"

namespace cudame {

// Orders the work of a frame across streams. The context must be current for all methods.
class FrameOrder {
  public:
    // one_stream: all of a frame runs on one stream, except uploads, and Mark() makes no events.
    FrameOrder(StreamsPtr streams, bool one_stream)
        : streams_(std::move(streams)), one_stream_(one_stream) {}

    // Begins a frame, which reuses the events of the frame before.
    void Begin() { used_ = 0; }

    // Records an event after the work queued on a stream so far, and returns it.
    CUevent Record(CUstream stream) {
        if (used_ == events_.size())
            events_.push_back(std::make_unique<Event>(streams_->device(), CU_EVENT_DISABLE_TIMING));
        const CUevent event = events_[used_++]->get();
        CUDAME_CHECK(driver(), cuEventRecord(event, stream));
        return event;
    }
    // The same, or NULL if no event is needed, because all of a frame is on one stream.
    CUevent Mark(StreamName stream) { return one_stream_ ? nullptr : Record((*streams_)[stream]); }
    // Makes later work of a stream wait for an event, unless that is NULL.
    void Follow(StreamName stream, CUevent event) {
        if (!event) return;
        CUDAME_CHECK(driver(), cuStreamWaitEvent((*streams_)[stream], event, 0));
    }

  private:
    const Driver& driver() const { return streams_->device()->driver(); }

    StreamsPtr streams_;
    const bool one_stream_;
    std::vector<std::unique_ptr<Event>> events_;
    size_t used_ = 0;
};

// Adds up the time that the device takes for searches. Measures all frames, or some. The event that
// ends a frame comes after its last row, and waiting for it would take longer than searching a
// row. So the time of a frame is asked for two frames later. The context must be current for all
// methods.
class FrameTimes {
  public:
    // every: one of this number of frames with a search is measured, and stands for those after it.
    FrameTimes(const DevicePtr& device, int every) : device_(device), every_(every) {
        for (auto* events : {&start_, &end_})
            for (auto& event : *events) event = std::make_unique<Event>(device, CU_EVENT_DEFAULT);
    }

    void Begin(bool searches, CUstream stream) {
        now_ = (now_ + 1) % kFrames;
        ended_[now_] = false;
        measures_ = every_ == 1 || (searches && !searches_);
        is_like_last_ = searches && !measures_;
        if (searches) searches_ = (searches_ + 1) % every_;
        if (!measures_) return;
        CUDAME_CHECK(device_->driver(), cuEventRecord(start_[now_]->get(), stream));
    }
    void MarkEnd(CUstream stream) {
        if (!measures_) return;
        CUDAME_CHECK(device_->driver(), cuEventRecord(end_[now_]->get(), stream));
    }
    // Notes that the open frame has ended.
    void End() {
        ended_[now_] = measures_;
        if (is_like_last_) ns_ += last_ns_;
    }

    // Adds the time of the frame before the last one.
    void AddOldest() { Add((now_ + 1) % kFrames); }
    // Adds the times of all frames that have ended.
    void AddAll() {
        for (int i = 0; i < kFrames; i++) Add(i);
    }
    uint64_t ns() const { return ns_; }

  private:
    static constexpr int kFrames = 3;  // the open one and the two before

    void Add(int i) {
        if (!ended_[i]) return;
        ended_[i] = false;
        const Driver& driver = device_->driver();
        CUDAME_CHECK(driver, cuEventSynchronize(end_[i]->get()));
        float ms = 0;
        driver.Check(driver.cuEventElapsedTime(&ms, start_[i]->get(), end_[i]->get()),
                     "cuEventElapsedTime");
        last_ns_ = static_cast<uint64_t>(static_cast<double>(ms) * 1e6);
        ns_ += last_ns_;
    }

    DevicePtr device_;
    std::array<std::unique_ptr<Event>, kFrames> start_, end_;
    std::array<bool, kFrames> ended_ = {};  // and whose time was not added yet
    const int every_;
    int now_ = 0;
    int searches_ = 0;                              // number of frames with a search, modulo every_
    bool measures_ = false, is_like_last_ = false;  // the open frame: is measured, or not
    uint64_t ns_ = 0, last_ns_ = 0;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_FRAME_EVENTS_H_
