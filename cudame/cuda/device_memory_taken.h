// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// How full devices are, by NVML: CUDA tells it of a device only within a context there.

#ifndef CUDAME_CUDA_DEVICE_MEMORY_TAKEN_H_
#define CUDAME_CUDA_DEVICE_MEMORY_TAKEN_H_

#include <vector>

#include "cuda/driver.h"

namespace cudame {

// Sixteenths of each device's memory; all zero unless all are known.
std::vector<int> MemoryTaken(const Driver& driver, int count);

}  // namespace cudame

#endif  // CUDAME_CUDA_DEVICE_MEMORY_TAKEN_H_
