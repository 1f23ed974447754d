/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// A session of calls of cudame, made from libFuzzer's bytes.

#include <cstddef>
#include <cstdint>

#include "cudame_session.h"
#include "first_pass_calls.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    const fuzz::Random in(data + 1, size - 1);
    if (data[0] % 8) {
        fuzz::CudameSession(in).Run();
    } else {
        fuzz::CallFirstPass(in);
    }
    return 0;
}
