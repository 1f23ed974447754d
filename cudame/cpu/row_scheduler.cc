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
        state_.assign(static_cast<size_t>(rows), kIdle);
        fn_ = std::move(fn);
        next_ = done_ = 0;
    }
    work_.notify_all();
}

int RowScheduler::NextIdle() {
    const int rows = static_cast<int>(state_.size());
    while (next_ < rows && state_[static_cast<size_t>(next_)] != kIdle) next_++;
    return next_ < rows ? next_ : -1;
}

void RowScheduler::Run(int row, std::unique_lock<std::mutex>* lock) {
    state_[static_cast<size_t>(row)] = kBusy;
    lock->unlock();
    fn_(row);
    lock->lock();
    state_[static_cast<size_t>(row)] = kDone;
    done_++;
    rows_changed_.notify_all();
}

void RowScheduler::WaitRow(int row) {
    std::unique_lock<std::mutex> lock(mutex_);
    const State& state = state_[static_cast<size_t>(row)];
    if (state == kIdle) Run(row, &lock);
    rows_changed_.wait(lock, [&] { return state == kDone; });
}

void RowScheduler::End() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (int row; (row = NextIdle()) >= 0;) Run(row, &lock);
    Finish(&lock);
}

void RowScheduler::Abandon() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (State& state : state_) {
        if (state != kIdle) continue;
        state = kDone;
        done_++;
    }
    rows_changed_.notify_all();
    Finish(&lock);
}

void RowScheduler::Finish(std::unique_lock<std::mutex>* lock) {
    rows_changed_.wait(*lock, [&] { return done_ == static_cast<int>(state_.size()); });
    state_.clear();
    next_ = done_ = 0;
    fn_ = nullptr;
}

void RowScheduler::Work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stop_) {
        const int row = NextIdle();
        if (row >= 0)
            Run(row, &lock);
        else
            work_.wait(lock);
    }
}

}  // namespace cudame
