// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A grid of CUDA threads on one thread of the CPU: thread blocks one after the other, and the
// threads of a block as fibres that run from barrier to barrier.

#ifndef CUDAME_TESTS_EMULATOR_THREADS_H_
#define CUDAME_TESTS_EMULATOR_THREADS_H_

#include <cstdint>
#include <functional>

namespace emulator {

struct Index {
    unsigned x, y, z;
};

constexpr int kWarp = 32, kMaxThreads = 1024;

// Run thread() in every thread of the grid. Blocks are one-dimensional. Not reentrant.
void RunGrid(Index grid, unsigned block, const std::function<void()>& thread);

// For the running thread.
int Lane();
void SyncBlock();
void SyncWarp();
// Let the other threads of the block run, to their next barrier or call of this function.
void Yield();
// Give the value of this lane, and return the values of all lanes. They stay valid until the next
// barrier of the warp. Lanes that have ended keep an old value.
const uint32_t* Exchange(uint32_t value);

}  // namespace emulator

extern emulator::Index threadIdx, blockIdx, blockDim, gridDim;

#endif  // CUDAME_TESTS_EMULATOR_THREADS_H_
