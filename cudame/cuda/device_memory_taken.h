// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads from NVML how much memory of each device is in use. CUDA would need a context on each
// device for that.

#ifndef CUDAME_CUDA_DEVICE_MEMORY_TAKEN_H_
#define CUDAME_CUDA_DEVICE_MEMORY_TAKEN_H_

#include <vector>

#include "cuda/driver.h"

namespace cudame {

// Returns the memory in use on each of `count` devices, in sixteenths of its size, or all zeros if
// any of them is unknown.
std::vector<int> MemoryTaken(const Driver& driver, int count);

}  // namespace cudame

#endif  // CUDAME_CUDA_DEVICE_MEMORY_TAKEN_H_
