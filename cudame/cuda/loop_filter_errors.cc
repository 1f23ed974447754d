// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/loop_filter_errors.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/error.h"
#include "cuda/loop_filter_params.h"

namespace cudame {
namespace {

constexpr size_t kLevelBytes = CUDAME_LOOP_FILTER_LEVELS * CUDAME_LOOP_FILTER_KINDS;
// Flags of the event that a caller waits for.
constexpr unsigned kSpins = CU_EVENT_DISABLE_TIMING;
constexpr unsigned kSleeps = CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC;

// The error of a row until the kernel writes it. If an error has this value, the end of the stream
// tells that it is known.
constexpr uint32_t kOpen = UINT32_MAX;
// Between looks at the errors. The trials take 300 us at 1080p.
constexpr auto kNap = std::chrono::microseconds(50);
constexpr char kLate[] = "the device is late with the loop filter's levels";

}  // namespace

LoopFilterSearch::LoopFilterSearch(StreamsPtr streams, bool spins)
    : streams_(std::move(streams)),
      kernel_(streams_->device(), kernel::kFilterLevels),
      event_flags_(spins ? kSpins : kSleeps) {}

void LoopFilterSearch::Resize(const Geometry& g) {
    g_ = MakeGeometry(g.mb_width(), g.mb_height());
    frame_.reset();
    kinds_.reset();
    started_ = polled_ = false;
}

void LoopFilterSearch::Prepare() {
    if (kinds_) return;
    const DevicePtr& device = streams_->device();
    const CUstream stream = (*streams_)[kCopy];
    const size_t kinds = kLevelBytes + static_cast<size_t>(g_.mbs());
    const size_t below = 2 * CUDAME_LOOP_FILTER_LEVELS * static_cast<size_t>(g_.width);
    const size_t errors = CUDAME_LOOP_FILTER_LEVELS * static_cast<size_t>(g_.mb_rows);
    host_kinds_ = std::make_unique<PinnedBuffer>(device, kinds);
    // Memory that was freed before may hold valid tags.
    below_ = FilledBuffer(device, stream, below * sizeof(uint64_t), 0);
    errors_ = std::make_unique<PinnedBuffer>(device, errors * sizeof(uint32_t));
    tickets_ = FilledBuffer(device, stream, sizeof(uint32_t), 0);
    done_ = std::make_unique<Event>(device, event_flags_);
    tag_ = 1;
    ticket_ = 0;
    kinds_ = std::make_unique<DeviceBuffer>(device, kinds);
}

void LoopFilterSearch::Launch(const cudame_loop_filter& filter, const DevicePlane& source,
                              const DevicePlane& frame) {
    LoopFilterParams p = {};
    p.source = source.pixels();
    p.source_stride = source.stride();
    p.frame = frame.pixels();
    p.frame_stride = frame.stride();
    p.mb_cols = g_.mb_cols;
    p.rows = RowsOf(filter, g_);
    p.sharpness = filter.sharpness;
    p.key_frame = filter.key_frame != 0;
    p.first_level = filter.first_level;
    p.levels = filter.levels;
    p.level = kinds_->as<uint8_t>();
    p.macroblocks = p.level + kLevelBytes;
    p.below = below_->as<uint64_t>();
    p.tag = tag_;
    p.tickets = tickets_->as<uint32_t>();
    p.first_ticket = ticket_;
    p.errors = errors_->as<uint32_t>();
    const unsigned blocks =
        static_cast<unsigned>(p.rows.count * p.levels / CUDAME_LOOP_FILTER_GROUP);
    kernel_.Launch((*streams_)[kCopy], {blocks}, p);
    tag_ += static_cast<uint32_t>(p.rows.count);
    ticket_ += blocks;
    rows_ = p.rows.count;
    levels_ = p.levels;
}

void LoopFilterSearch::Start(const cudame_loop_filter& filter, const DevicePlane& source,
                             const DevicePlane* coded, Uploader* uploader) {
    const Driver& driver = streams_->device()->driver();
    const CUstream stream = (*streams_)[kCopy];
    if (polled_ && !HasErrors() && !streams_->HasEnded(stream)) throw LateError(kLate);
    polled_ = false;
    Prepare();
    if (!coded && !frame_) frame_ = std::make_unique<DevicePlane>(streams_->device(), g_, 0);
    try {
        if (!coded) {
            uploader->memory().Use(filter.frame);
            uploader->Upload(filter.frame, 0, g_.height, *frame_);
        }
        const size_t mbs = static_cast<size_t>(g_.mbs());
        uint8_t* kinds = host_kinds_->as<uint8_t>();
        memcpy(kinds, filter.level, kLevelBytes);
        memcpy(kinds + kLevelBytes, filter.macroblocks, mbs);
        CUDAME_CHECK(driver,
                     cuMemcpyHtoDAsync(kinds_->address(), kinds, kLevelBytes + mbs, stream));
        const int errors = RowsOf(filter, g_).count * filter.levels;
        if (coded) std::fill_n(errors_->as<uint32_t>(), errors, kOpen);
        Launch(filter, source, coded ? *coded : *frame_);
        if (!coded) CUDAME_CHECK(driver, cuEventRecord(done_->get(), stream));
    } catch (...) {
        // The caller goes on to filter in the memory that the device reads.
        streams_->SynchronizeQuietly();
        throw;
    }
    started_ = !coded;
    polled_ = coded;
}

// Whether the kernel has written all errors.
bool LoopFilterSearch::HasErrors() const {
    const uint32_t* errors = errors_->as<uint32_t>();
    return std::all_of(errors, errors + rows_ * levels_, [](const uint32_t& error) {
        return __atomic_load_n(&error, __ATOMIC_ACQUIRE) != kOpen;
    });
}

void LoopFilterSearch::Poll(std::chrono::steady_clock::duration patience) {
    const auto latest = std::chrono::steady_clock::now() + patience;
    if (!streams_->Await((*streams_)[kCopy], kNap, latest,
                         [this](bool ended) { return ended || HasErrors(); }))
        throw LateError(kLate);
    polled_ = false;
}

void LoopFilterSearch::Finish() {
    if (!started_) return;
    started_ = false;
    const Device& device = *streams_->device();
    CurrentContext current(device.driver(), device.context());
    CUDAME_CHECK(device.driver(), cuEventSynchronize(done_->get()));
}

void LoopFilterSearch::Errors(std::chrono::steady_clock::duration patience, uint32_t* errors) {
    Finish();
    if (polled_) Poll(patience);
    std::fill_n(errors, levels_, 0u);
    const uint32_t* row = errors_->as<uint32_t>();
    for (int i = rows_; i; i--)
        for (int level = 0; level < levels_; level++) errors[level] += *row++;
}

}  // namespace cudame
