// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/row_progress.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

namespace cudame {

RowProgress::RowProgress(StreamsPtr streams, int counters)
    : streams_(std::move(streams)), row_bytes_(static_cast<size_t>(counters) * sizeof(uint32_t)) {}

void RowProgress::Allocate(int rows) {
    const size_t n = static_cast<size_t>(rows);
    counters_ = FilledBuffer(streams_->device(), (*streams_)[kCopy], n * row_bytes_, 0);
    done_ = std::make_unique<PinnedBuffer>(streams_->device(), n * sizeof(uint32_t));
    memset(done_->as<uint32_t>(), 0, n * sizeof(uint32_t));
    sequence_ = 0;
}

// The device is usually ahead. If it is not, a single caller polls without a pause for a time that
// is short compared with its work on a frame of this size, and then sleeps between polls. A sleep
// takes about twice the time asked for, which is as long as a whole short search. Several callers
// would wait for each other's cores, so they yield after 200 us. They sleep after a millisecond,
// because then the device probably serves many encoders. The device is checked for errors every
// millisecond.
bool RowProgress::Wait(int row, std::chrono::nanoseconds limit, int callers, int mbs,
                       const std::function<void()>& check_alive) const {
    using std::chrono::microseconds;
    if (Done(row)) return true;
    const microseconds patience(callers > 1 ? 1000 : std::min(15 + mbs / 28, 500));
    const auto begin = std::chrono::steady_clock::now();
    microseconds next_check(1000);
    for (int i = 0; !Done(row); i++) {
        if (i % 64) continue;
        const auto waited = std::chrono::steady_clock::now() - begin;
        if (waited >= limit) return Done(row);
        if (waited > patience)
            std::this_thread::sleep_for(microseconds(50));
        else if (callers > 1 && waited > microseconds(200))
            std::this_thread::yield();
        if (waited < next_check) continue;
        check_alive();
        next_check += microseconds(1000);
    }
    return true;
}

}  // namespace cudame
