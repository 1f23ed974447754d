// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Shares the rows of a frame out between workers and those who wait for rows: each row is
// run once, by one thread.

#ifndef CUDAME_CPU_ROW_SCHEDULER_H_
#define CUDAME_CPU_ROW_SCHEDULER_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cudame {

class RowScheduler {
  public:
    using RowFn = std::function<void(int row)>;

    explicit RowScheduler(int workers);
    ~RowScheduler();
    RowScheduler(const RowScheduler&) = delete;
    RowScheduler& operator=(const RowScheduler&) = delete;

    // Starts to run fn for rows 0 to rows - 1. fn may wait for rows before its own, and must
    // not throw. What was begun before has ended, or was abandoned.
    void Begin(int rows, RowFn fn);

    // Waits for a row, or runs it here if no thread has begun it. From any thread, between
    // Begin() and End().
    void WaitRow(int row);

    // Helps until all rows are done.
    void End();

    // Leaves the rows that nobody has begun; waits for the others.
    void Abandon();

  private:
    // kAwaited: busy, and somebody sleeps until it is done.
    enum State : unsigned char { kIdle, kBusy, kAwaited, kDone };

    // Where those sleep who wait for one of some rows. There are several, so that a row that is
    // done wakes few who wait for another one.
    struct alignas(64) Bed {
        std::mutex mutex;
        std::condition_variable changed;
    };

    std::atomic<State>& StateOf(int row) { return state_[static_cast<size_t>(row)]; }
    Bed& BedOf(int row) { return beds_[static_cast<size_t>(row) % beds_.size()]; }

    void Stop();
    void Work();
    // Makes a row busy. Returns whether it was idle.
    bool Take(int row);
    // Takes and runs rows until none is idle.
    void RunIdle();
    // Runs a row that was taken.
    void Run(int row);
    void Sleep(int row);
    // When no row is idle: waits for those that run, and for the workers to leave them.
    void Finish();

    RowFn fn_;
    std::vector<std::atomic<State>> state_;  // changes its size when no worker is in it
    int rows_ = 0;              // 0: no frame; changes with the mutex, when no worker is in it
    std::atomic<int> next_{0};  // no row before it is idle
    std::array<Bed, 16> beds_;

    std::mutex mutex_;  // of all below
    std::condition_variable work_, left_;
    unsigned frame_ = 0;  // counts Begin()
    int inside_ = 0;      // workers that look for some
    bool stop_ = false;
    std::vector<std::thread> workers_;
};

}  // namespace cudame

#endif  // CUDAME_CPU_ROW_SCHEDULER_H_
