// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/row_scheduler.h"

#include <utility>

namespace cudame {

RowScheduler::RowScheduler(int workers) {
    try {
        for (int i = 0; i < workers; i++) workers_.emplace_back([this] { Work(); });
    } catch (...) {
        Stop();
        throw;
    }
}

RowScheduler::~RowScheduler() { Stop(); }

void RowScheduler::Stop() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        stop_ = true;
    }
    work_.notify_all();
    for (std::thread& t : workers_) t.join();
    workers_.clear();
}

void RowScheduler::Begin(int rows, RowFn fn) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (state_.size() < static_cast<size_t>(rows))
            state_ = std::vector<std::atomic<State>>(static_cast<size_t>(rows));
        for (int row = 0; row < rows; row++) StateOf(row).store(kIdle, std::memory_order_relaxed);
        rows_ = rows;
        fn_ = std::move(fn);
        next_.store(0, std::memory_order_relaxed);
        frame_++;
    }
    work_.notify_all();
}

bool RowScheduler::Take(int row) {
    State idle = kIdle;
    return StateOf(row).compare_exchange_strong(idle, kBusy, std::memory_order_acq_rel);
}

void RowScheduler::Run(int row) {
    fn_(row);
    if (StateOf(row).exchange(kDone, std::memory_order_acq_rel) != kAwaited) return;
    Bed& bed = BedOf(row);
    // The waiting thread holds the mutex until it sleeps. Take the mutex once, so that the thread
    // does not miss the notification.
    { std::lock_guard<std::mutex> lock(bed.mutex); }
    bed.changed.notify_all();
}

void RowScheduler::RunIdle() {
    for (int row; (row = next_.fetch_add(1, std::memory_order_relaxed)) < rows_;)
        if (Take(row)) Run(row);
}

void RowScheduler::Sleep(int row) {
    std::atomic<State>& state = StateOf(row);
    Bed& bed = BedOf(row);
    std::unique_lock<std::mutex> lock(bed.mutex);
    for (;;) {
        State busy = kBusy;
        if (!state.compare_exchange_strong(busy, kAwaited, std::memory_order_acq_rel) &&
            busy == kDone)
            return;
        bed.changed.wait(lock);
    }
}

void RowScheduler::WaitRow(int row) {
    if (StateOf(row).load(std::memory_order_acquire) == kDone) return;
    if (Take(row))
        Run(row);
    else
        Sleep(row);
}

void RowScheduler::End() {
    RunIdle();
    Finish();
}

void RowScheduler::Abandon() {
    for (int row = 0; row < rows_; row++) {
        State idle = kIdle;
        StateOf(row).compare_exchange_strong(idle, kDone, std::memory_order_acq_rel);
    }
    Finish();
}

void RowScheduler::Finish() {
    for (int row = 0; row < rows_; row++) WaitRow(row);
    std::unique_lock<std::mutex> lock(mutex_);
    left_.wait(lock, [&] { return !inside_; });
    rows_ = 0;
    fn_ = nullptr;
}

void RowScheduler::Work() {
    std::unique_lock<std::mutex> lock(mutex_);
    unsigned seen = 0;
    while (!stop_) {
        if (!rows_ || frame_ == seen) {
            work_.wait(lock);
            continue;
        }
        seen = frame_;
        inside_++;
        lock.unlock();
        RunIdle();
        lock.lock();
        if (!--inside_) left_.notify_all();
    }
}

}  // namespace cudame
