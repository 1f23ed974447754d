// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Starts CUDA when it pays: in a thread, once the CPU has searched for as long as that takes.

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
    // Throws CUDAME_ERROR_UNAVAILABLE where it is known at once that CUDA cannot be had.
    BackendStarter(const BackendConfig& config, int after_ms);
    // Waits for the thread.
    ~BackendStarter();
    BackendStarter(const BackendStarter&) = delete;
    BackendStarter& operator=(const BackendStarter&) = delete;

    // Called again and again, by one thread, with the time that the CPU has searched. Returns the
    // CUDA backend, of that geometry, once it is ready; throws once it could not be created.
    std::unique_ptr<Backend> Take(uint64_t search_ns, const Geometry& geometry);

  private:
    void Start(const Geometry& geometry);

    const BackendConfig config_;
    const uint64_t after_ns_;
    Geometry geometry_;  // that was current when the thread started
    std::thread thread_;
    std::atomic<bool> done_{false};  // the thread writes nothing of what follows any more
    std::unique_ptr<Backend> backend_;
    int code_ = 0;  // as text, not as an exception, which threads would share
    char text_[kErrorText] = "";
};

}  // namespace cudame

#endif  // CUDAME_SRC_BACKEND_STARTER_H_
