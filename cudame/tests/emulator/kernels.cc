// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The source of the kernels, compiled for the CPU. tests/fake_cuda.c launches them.

#include "cuda/kernels.cu"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>

// The dynamic shared memory, with one size for all kernels.
namespace {
constexpr size_t kSharedWords = 12 * 1024;
}
thread_local uint32_t tile[kSharedWords];

namespace {

struct Kernel {
    const char* name;
    // Return a function that runs one thread, with a copy of the parameters.
    std::function<void()> (*bind)(void** params);
};

template <class T>
T& Param(void** params, int n) {
    return *static_cast<T*>(params[n]);
}

#define KERNEL(name, Params)                                    \
    {                                                           \
#name, [](void** params) -> std::function < void()>     \
        { return [p = Param<Params>(params, 0)] { name(p); }; } \
    }
#define SEARCH(name) KERNEL(name, LaunchParams)

const Kernel kernels[] = {
    SEARCH(cudame_diamond_fast),
    SEARCH(cudame_iterative_fast),
    SEARCH(cudame_diamond_split),
    SEARCH(cudame_diamond_integer),
    SEARCH(cudame_full_final),
    SEARCH(cudame_full_integer),
    SEARCH(cudame_coarse),
    SEARCH(cudame_lean_coarse),
    SEARCH(cudame_lean_search),
    SEARCH(cudame_lean_spread),
    SEARCH(cudame_lean_drawn),
    SEARCH(cudame_lean_refine),
    KERNEL(cudame_half_planes, HalfPlanesParams),
    SEARCH(cudame_refine_subpel),
    SEARCH(cudame_refine_tex),
    KERNEL(cudame_intra_rows, IntraParams),
    KERNEL(cudame_first_pass_search, FirstPassParams),
    KERNEL(cudame_first_pass_code, FirstPassParams),
    KERNEL(cudame_filter_levels, LoopFilterParams),
    KERNEL(cudame_shrink, ShrinkParams),
    {"cudame_pad",
     [](void** params) -> std::function<void()> {
         return [p = Param<PadParams>(params, 0), first = Param<int>(params, 1)] {
             cudame_pad(p, first);
         };
     }},
};

}  // namespace

extern "C" void* emulated_kernel(const char* name) {
    for (const Kernel& k : kernels)
        if (!strcmp(k.name, name)) return const_cast<Kernel*>(&k);
    return nullptr;
}

struct Launch {
    emulator::Index grid;
    unsigned threads;
    std::function<void()> thread;
};

// Return a launch for emulate_run(), or NULL for an error of the driver.
extern "C" void* emulate_bind(void* kernel, unsigned x, unsigned y, unsigned z, unsigned threads,
                              unsigned shared, void** params) {
    if (shared > sizeof(tile) || threads > emulator::kMaxThreads) return nullptr;
    return new Launch{{x, y, z}, threads, static_cast<Kernel*>(kernel)->bind(params)};
}

extern "C" void emulate_run(void* launch) {
    static std::mutex mutex;  // contexts may launch at the same time
    std::lock_guard<std::mutex> lock(mutex);
    const std::unique_ptr<Launch> l(static_cast<Launch*>(launch));
    std::fill_n(tile, kSharedWords, 0x5a5a5a5au);  // shared memory is never initialized
    emulator::RunGrid(l->grid, l->threads, l->thread);
}
