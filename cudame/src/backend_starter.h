// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Starts CUDA in a thread, after the CPU has searched for a given time
// (cudame_config.cuda_after_ms). A short encode then never pays for the start of CUDA.

#ifndef CUDAME_SRC_BACKEND_STARTER_H_
#define CUDAME_SRC_BACKEND_STARTER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include "backend.h"
#include "common/error.h"

namespace cudame {

class BackendStarter {
  public:
    // Throw CUDAME_ERROR_UNAVAILABLE if the build has no CUDA, or the machine has no driver.
    BackendStarter(const BackendConfig& config, int after_ms);
    // Wait for the thread.
    ~BackendStarter();
    BackendStarter(const BackendStarter&) = delete;
    BackendStarter& operator=(const BackendStarter&) = delete;

    // Poll, always from the same thread. search_ns is the time that the CPU has searched so far.
    // Return the CUDA backend for this geometry once it is ready, else NULL. Throw if it could not
    // be created.
    std::unique_ptr<Backend> Take(uint64_t search_ns, const Geometry& geometry);

  private:
    void Start(const Geometry& geometry);

    const BackendConfig config_;
    const uint64_t after_ns_;
    Geometry geometry_;  // of the frames when the thread started
    std::thread thread_;
    std::atomic<bool> done_{false};  // the thread no longer writes the members below
    std::unique_ptr<Backend> backend_;
    int code_ = 0;  // code and text instead of an exception object, which two threads would share
    char text_[kErrorText] = "";
};

}  // namespace cudame

#endif  // CUDAME_SRC_BACKEND_STARTER_H_
