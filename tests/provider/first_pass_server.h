/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// A motion provider that computes the first pass by cudame, and checks that the encoder's
// buffers and their ids are consistent.

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
    // serves(n) returns whether the call for the n-th frame succeeds. Other calls fail, after they
    // have overwritten everything that a failed call may overwrite.
    explicit FirstPassServer(std::function<bool(int n)> serves);
    ~FirstPassServer();
    FirstPassServer(const FirstPassServer &) = delete;
    FirstPassServer &operator=(const FirstPassServer &) = delete;

    const vp8e_motion_provider_t *get() const { return &callbacks_; }
    // Computes the first pass of a frame, or fails. Other providers call it.
    int FirstPass(const vp8e_mp_first_pass_t &frame, vp8e_mp_first_pass_counts_t *counts);

    int asked = 0, served = 0;
    int golden_changes = 0;  // number of frames with another golden frame than the one before
    int freed = 0;
    int breakouts = 0;       // number of frames with a breakout threshold

  private:
    // Expects that a buffer's content is the one that was seen with its id before.
    void CheckContent(const vp8e_mp_first_pass_t &frame, const vp8e_mp_plane_t &plane);
    void CheckFrame(const vp8e_mp_first_pass_t &frame);

    std::function<bool(int n)> serves_;
    vp8e_motion_provider_t callbacks_{};
    cudame_first_pass *pass_ = nullptr;
    std::map<uint64_t, std::vector<uint8_t>> content_;  // pixels by id; empty: the frame failed
    uint64_t golden_ = 0;
};

}  // namespace provider_test

#endif  // TESTS_PROVIDER_FIRST_PASS_SERVER_H
