// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "threads.h"

#include <ucontext.h>

#include <csetjmp>
#include <memory>

emulator::Index threadIdx, blockIdx, blockDim, gridDim;

namespace emulator {
namespace {

constexpr size_t kStack = 96 * 1024;

// A fibre is started by a ucontext. Later switches use longjmp(), which needs no system call.
struct Fibre {
    ucontext_t start;
    jmp_buf at;
    bool begun, done;
};

struct Barrier {
    unsigned arrived, alive, passed;

    void Release() {
        if (!arrived || arrived < alive) return;
        arrived = 0;
        passed++;
    }
    void Leave() {
        alive--;
        Release();
    }
};

Fibre fibres[kMaxThreads];
Barrier block_barrier, warp_barriers[kMaxThreads / kWarp];
uint32_t exchanged[kMaxThreads / kWarp][2][kWarp];
jmp_buf scheduler;
unsigned current;
const std::function<void()>* body;

void Switch() {
    if (!_setjmp(fibres[current].at)) _longjmp(scheduler, 1);
}

void Wait(Barrier* barrier) {
    const unsigned passed = barrier->passed;
    barrier->arrived++;
    barrier->Release();
    while (barrier->passed == passed) Switch();
}

void Main() {
    (*body)();
    fibres[current].done = true;
    warp_barriers[current / kWarp].Leave();
    block_barrier.Leave();
    _longjmp(scheduler, 1);
}

void Resume(char* stack) {
    Fibre& f = fibres[current];
    if (_setjmp(scheduler)) return;
    if (f.begun) _longjmp(f.at, 1);
    f.begun = true;
    getcontext(&f.start);
    f.start.uc_stack.ss_sp = stack;
    f.start.uc_stack.ss_size = kStack;
    f.start.uc_link = nullptr;
    makecontext(&f.start, Main, 0);
    setcontext(&f.start);
}

void RunBlock(unsigned threads, char* stacks) {
    block_barrier = {};
    for (Barrier& warp : warp_barriers) warp = {};
    for (unsigned t = 0; t < threads; t++) {
        fibres[t].begun = fibres[t].done = false;
        warp_barriers[t / kWarp].alive++;
        block_barrier.alive++;
    }
    while (block_barrier.alive)
        for (unsigned t = 0; t < threads; t++) {
            if (fibres[t].done) continue;
            current = t;
            threadIdx = {t, 0, 0};
            Resume(stacks + kStack * t);
        }
}

}  // namespace

void RunGrid(Index grid, unsigned block, const std::function<void()>& thread) {
    static const std::unique_ptr<char[]> stacks(new char[kStack * kMaxThreads]);
    gridDim = grid;
    blockDim = {block, 1, 1};
    body = &thread;
    for (blockIdx.z = 0; blockIdx.z < grid.z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++) RunBlock(block, stacks.get());
}

int Lane() { return static_cast<int>(current % kWarp); }
void SyncBlock() { Wait(&block_barrier); }
void Yield() { Switch(); }
void SyncWarp() { Wait(&warp_barriers[current / kWarp]); }

const uint32_t* Exchange(uint32_t value) {
    const unsigned warp = current / kWarp;
    uint32_t* values = exchanged[warp][warp_barriers[warp].passed & 1];
    values[current % kWarp] = value;
    SyncWarp();
    return values;
}

}  // namespace emulator
