// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Shares the rows of a frame out between workers and those who wait for rows: each row is
// run once, by one thread.

#ifndef CUDAME_CPU_ROW_SCHEDULER_H_
#define CUDAME_CPU_ROW_SCHEDULER_H_

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
    // not throw.
    void Begin(int rows, RowFn fn);

    // Waits for a row, or runs it here if no thread has begun it. From any thread.
    void WaitRow(int row);

    // Helps until all rows are done.
    void End();

    // Leaves the rows that nobody has begun; waits for the others.
    void Abandon();

  private:
    enum State : unsigned char { kIdle, kBusy, kDone };

    void Stop();
    void Work();
    // The first row that nobody has begun, or -1. The mutex is held.
    int NextIdle();
    // When no row is idle: waits for those that run.
    void Finish(std::unique_lock<std::mutex>* lock);
    // Runs an idle row with the lock released.
    void Run(int row, std::unique_lock<std::mutex>* lock);

    std::mutex mutex_;
    std::condition_variable rows_changed_, work_;
    RowFn fn_;
    std::vector<State> state_;
    int next_ = 0;  // no row before it is idle
    int done_ = 0;
    bool stop_ = false;
    std::vector<std::thread> workers_;
};

}  // namespace cudame

#endif  // CUDAME_CPU_ROW_SCHEDULER_H_
