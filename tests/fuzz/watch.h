/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Where a run is, for when it hangs or dies: told on standard output, and the process
// ends with status kHung.

#ifndef TESTS_FUZZ_WATCH_H
#define TESTS_FUZZ_WATCH_H

#include <string>

namespace fuzz {

constexpr int kHung = 3;

// seconds: how long a step may take; 0: for ever.
void WatchBegin(int seconds);
// The next step.
void WatchStep(const std::string &what);
void WatchEnd();

}  // namespace fuzz

#endif  // TESTS_FUZZ_WATCH_H
