/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Watches a run. If a step hangs or the process dies, prints the current step. A process that hangs
// ends with status kHung.

#ifndef TESTS_FUZZ_WATCH_H
#define TESTS_FUZZ_WATCH_H

#include <string>

namespace fuzz {

constexpr int kHung = 3;

// seconds: time limit of a step; 0: none.
void WatchBegin(int seconds);
// Begins the next step.
void WatchStep(const std::string &what);
void WatchEnd();

}  // namespace fuzz

#endif  // TESTS_FUZZ_WATCH_H
