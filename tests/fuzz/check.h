/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Runs a scenario with several numbers of threads and compares the runs.

#ifndef TESTS_FUZZ_CHECK_H
#define TESTS_FUZZ_CHECK_H

#include <string>

#include "run.h"
#include "scenario.h"

namespace fuzz {

// Returns whether all runs are correct and equal. Prints each failure, with the command that
// repeats it.
bool Check(const Scenario &scenario, const Options &options, Counts *counts);

// Returns that command.
std::string Again(const Scenario &scenario, const Options &options, const std::string &threads);

}  // namespace fuzz

#endif  // TESTS_FUZZ_CHECK_H
