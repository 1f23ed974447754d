// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Hands each row of a frame to exactly one thread.

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

    // The function must not throw. Workers start with row 0.
    void Begin(int rows, RowFn fn);

    // Runs the row here unless another thread has begun it; then waits for it.
    void WaitRow(int row);

    // Helps until all rows are done, then forgets the function.
    void End();

  private:
    enum State : unsigned char { kIdle, kBusy, kDone };

    void Stop();
    void Work();
    int NextIdle();                                         // or -1; mutex held
    void Run(int row, std::unique_lock<std::mutex>* lock);  // state is kIdle

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
