/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Runs scenarios that are made from libFuzzer's bytes. With FUZZ_VERBOSE in the environment it
// prints what they do.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "check.h"
#include "run.h"
#include "scenario.h"
#include "watch.h"

namespace fuzz {

// libFuzzer itself limits the time. It uses the only alarm of the process.
void WatchStep(const std::string &) {}

}  // namespace fuzz

namespace {

fuzz::Options options;

}  // namespace

// Scenarios open and close encoders all the time. A small quarantine and no release to the system
// save a third of the time. The quarantine still holds more than one scenario frees.
extern "C" const char *__asan_default_options() {
    return "quarantine_size_mb=16:thread_local_quarantine_size_kb=64:"
           "allocator_release_to_os_interval_ms=-1";
}

extern "C" int LLVMFuzzerInitialize(int *, char ***argv) {
    options.program = (*argv)[0];
    options.verbose = getenv("FUZZ_VERBOSE");
    options.without_provider = getenv("FUZZ_WITHOUT_PROVIDER");
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const fuzz::Scenario scenario = fuzz::MakeScenario(data, size);
    // The part of the first byte that does not choose the family.
    static const std::vector<int> threads[] = {{1}, {2}, {1, 2}};
    options.threads = options.without_provider ? threads[0] : threads[data[0] / 8 % 3];
    fuzz::Counts counts;
    if (fuzz::Check(scenario, options, &counts)) return 0;
    if (options.verbose) abort();
    Print(std::cout, scenario);
    for (size_t t = 0; t < scenario.steps.size(); t++) PrintStep(std::cout, scenario, t);
    std::cout.flush();
    abort();
}
