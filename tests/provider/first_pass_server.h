/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// A motion provider that does frames of the first pass with cudame's definition of
// it, and checks what it is told of their buffers.

#ifndef TESTS_PROVIDER_FIRST_PASS_SERVER_H
#define TESTS_PROVIDER_FIRST_PASS_SERVER_H

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "cudame/first_pass.h"
#include "vpx/vp8_motion_provider.h"

namespace provider_test {

class FirstPassServer {
  public:
    // serves: the n-th frame it is asked for. It fails all others, after it has
    // spoiled everything that a failure may spoil.
    explicit FirstPassServer(std::function<bool(int n)> serves);
    ~FirstPassServer();
    FirstPassServer(const FirstPassServer &) = delete;
    FirstPassServer &operator=(const FirstPassServer &) = delete;

    const vp8e_motion_provider_t *get() const { return &callbacks_; }
    // What the provider does with a frame, for others that do.
    int FirstPass(const vp8e_mp_first_pass_t &frame, vp8e_mp_first_pass_counts_t *counts);

    int asked = 0, served = 0;
    int golden_changes = 0;  // of its content, other than its first
    int freed = 0;
    int breakouts = 0;       // frames with one

  private:
    // Whether a buffer's content is what its id said before.
    void CheckContent(const vp8e_mp_first_pass_t &frame, const vp8e_mp_plane_t &plane);
    void CheckFrame(const vp8e_mp_first_pass_t &frame);

    std::function<bool(int n)> serves_;
    vp8e_motion_provider_t callbacks_{};
    cudame_first_pass *pass_ = nullptr;
    std::map<uint64_t, std::vector<uint8_t>> content_;  // empty: it has failed
    uint64_t golden_ = 0;
};

}  // namespace provider_test

#endif  // TESTS_PROVIDER_FIRST_PASS_SERVER_H
