/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Calls cudame's first pass with frames, and with arguments that it must refuse.

#ifndef TESTS_FUZZ_FIRST_PASS_CALLS_H
#define TESTS_FUZZ_FIRST_PASS_CALLS_H

#include "random.h"

namespace fuzz {

void CallFirstPass(Random in);

}  // namespace fuzz

#endif  // TESTS_FUZZ_FIRST_PASS_CALLS_H
