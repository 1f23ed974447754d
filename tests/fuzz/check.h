/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// A scenario's runs with all numbers of threads, held against each other.

#ifndef TESTS_FUZZ_CHECK_H
#define TESTS_FUZZ_CHECK_H

#include <string>

#include "run.h"
#include "scenario.h"

namespace fuzz {

// Whether all is as it must be. What is not is printed, with the command that repeats it.
bool Check(const Scenario &scenario, const Options &options, Counts *counts);

// That command.
std::string Again(const Scenario &scenario, const Options &options, const std::string &threads);

}  // namespace fuzz

#endif  // TESTS_FUZZ_CHECK_H
