/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// A session of calls of cudame that libFuzzer's bytes make.

#include <cstddef>
#include <cstdint>

#include "cudame_session.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size) fuzz::CudameSession(fuzz::Random(data, size)).Run();
    return 0;
}
