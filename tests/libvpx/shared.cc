/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Takes the place of upstream's init_vpx_test.cc if the tests are linked with a shared libvpx, which
// sets itself up. Stops the clock of the library too: watch.cc does that by the linker, which changes
// only calls in the program.

#include <ctime>

#include "test/init_vpx_test.h"

namespace libvpx_test {
void init_vpx_test() {}
}  // namespace libvpx_test

extern "C" int clock_gettime(clockid_t, timespec *time) noexcept {
    *time = {};
    return 0;
}
