// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Sleeps of a thread that waits for the device.

#ifndef CUDAME_CUDA_NAP_H_
#define CUDAME_CUDA_NAP_H_

#include <chrono>
#include <thread>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace cudame {

// While it lives, sleeps of the calling thread last as long as they should: Linux otherwise adds up
// to the thread's timer slack, 50 us by default, so as to wake several threads at once.
class ExactNaps {
  public:
#ifdef __linux__
    ExactNaps() : slack_(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0)) { Set(1); }
    ~ExactNaps() {
        if (slack_ > 0) Set(static_cast<unsigned long>(slack_));
    }
#else
    ExactNaps() = default;
#endif
    ExactNaps(const ExactNaps&) = delete;
    ExactNaps& operator=(const ExactNaps&) = delete;

    template <class Duration>
    void Sleep(Duration d) const {
        std::this_thread::sleep_for(d);
    }

  private:
#ifdef __linux__
    // A thread with a real-time policy has no slack: then this does nothing.
    static void Set(unsigned long ns) { prctl(PR_SET_TIMERSLACK, ns, 0, 0, 0); }

    const int slack_;
#endif
};

}  // namespace cudame

#endif  // CUDAME_CUDA_NAP_H_
