// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Shares the rows of a frame among worker threads and the threads that wait for rows. Each row is
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

    // Start to run fn for rows 0 to rows - 1. fn may wait for earlier rows and must not throw. The
    // frame before must have been ended or abandoned.
    void Begin(int rows, RowFn fn);

    // Wait for a row, or run it here if no thread has begun it. Any thread may call this between
    // Begin() and End().
    void WaitRow(int row);

    // Run rows here until all are done.
    void End();

    // Drop the rows that no thread has begun, and wait for the others.
    void Abandon();

  private:
    // kAwaited is kBusy with a thread that sleeps until the row is done.
    enum State : unsigned char { kIdle, kBusy, kAwaited, kDone };

    // Threads that wait for certain rows sleep on one of these. There are several, so that a row
    // that is done wakes few threads that wait for other rows.
    struct alignas(64) Bed {
        std::mutex mutex;
        std::condition_variable changed;
    };

    std::atomic<State>& StateOf(int row) { return state_[static_cast<size_t>(row)]; }
    Bed& BedOf(int row) { return beds_[static_cast<size_t>(row) % beds_.size()]; }

    void Stop();
    void Work();
    // Make an idle row busy. Return false if it was not idle.
    bool Take(int row);
    // Take and run rows until none is idle.
    void RunIdle();
    // Run a row that was taken.
    void Run(int row);
    void Sleep(int row);
    // Wait for the rows that run, and for the workers to leave the frame. No row is idle.
    void Finish();

    RowFn fn_;
    std::vector<std::atomic<State>> state_;  // resized only while no worker is inside
    int rows_ = 0;              // 0: no frame; written under mutex_ while no worker is inside
    std::atomic<int> next_{0};  // no row before this one is idle
    std::array<Bed, 16> beds_;

    std::mutex mutex_;  // guards the members below
    std::condition_variable work_, left_;
    unsigned frame_ = 0;  // number of Begin() calls
    int inside_ = 0;      // workers that look for rows now
    bool stop_ = false;
    std::vector<std::thread> workers_;
};

}  // namespace cudame

#endif  // CUDAME_CPU_ROW_SCHEDULER_H_
