// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels' own source, compiled for the CPU and launched by tests/fake_cuda.c.

#include "cuda/kernels.cu"

#include <algorithm>
#include <cstring>
#include <mutex>

// The dynamic shared memory, of one size for all kernels.
namespace {
constexpr size_t kSharedWords = 12 * 1024;
}
thread_local uint32_t tile[kSharedWords];

namespace {

struct Kernel {
    const char* name;
    void (*run)(void** params);
};

template <class T>
T& Param(void** params, int n) {
    return *static_cast<T*>(params[n]);
}

#define SEARCH(name)                                                       \
    {                                                                      \
#name, [](void** params) { name(Param<LaunchParams>(params, 0)); } \
    }

const Kernel kernels[] = {
    SEARCH(cudame_diamond_fast),
    SEARCH(cudame_iterative_fast),
    SEARCH(cudame_diamond_split),
    SEARCH(cudame_diamond_integer),
    SEARCH(cudame_full_final),
    SEARCH(cudame_full_integer),
    SEARCH(cudame_half),
    SEARCH(cudame_hierarchical_final),
    SEARCH(cudame_hierarchical_integer),
    SEARCH(cudame_poor_final),
    SEARCH(cudame_poor_integer),
    SEARCH(cudame_coarse),
    SEARCH(cudame_lean_coarse),
    SEARCH(cudame_lean_search),
    SEARCH(cudame_lean_spread),
    SEARCH(cudame_lean_drawn),
    SEARCH(cudame_lean_refine),
    {"cudame_half_planes",
     [](void** params) { cudame_half_planes(Param<HalfPlanesParams>(params, 0)); }},
    SEARCH(cudame_refine_subpel),
    SEARCH(cudame_refine_subpel_row),
    SEARCH(cudame_refine_tex),
    {"cudame_intra_rows", [](void** params) { cudame_intra_rows(Param<IntraParams>(params, 0)); }},
    {"cudame_first_pass_search",
     [](void** params) { cudame_first_pass_search(Param<FirstPassParams>(params, 0)); }},
    {"cudame_first_pass_code",
     [](void** params) { cudame_first_pass_code(Param<FirstPassParams>(params, 0)); }},
    {"cudame_filter_levels",
     [](void** params) { cudame_filter_levels(Param<LoopFilterParams>(params, 0)); }},
    {"cudame_shrink", [](void** params) { cudame_shrink(Param<ShrinkParams>(params, 0)); }},
    {"cudame_halve", [](void** params) { cudame_halve(Param<ShrinkParams>(params, 0)); }},
    {"cudame_pad",
     [](void** params) { cudame_pad(Param<PadParams>(params, 0), Param<int>(params, 1)); }},
};

}  // namespace

extern "C" void* emulated_kernel(const char* name) {
    for (const Kernel& k : kernels)
        if (!strcmp(k.name, name)) return const_cast<Kernel*>(&k);
    return nullptr;
}

// 0, or an error of the driver.
extern "C" int emulate_launch(void* kernel, unsigned x, unsigned y, unsigned z, unsigned threads,
                              unsigned shared, void** params) {
    static std::mutex mutex;  // contexts launch when they like
    std::lock_guard<std::mutex> lock(mutex);
    if (shared > sizeof(tile) || threads > emulator::kMaxThreads) return 1;
    std::fill_n(tile, kSharedWords, 0x5a5a5a5au);  // it is never initialized
    emulator::RunGrid({x, y, z}, threads, [=] { static_cast<Kernel*>(kernel)->run(params); });
    return 0;
}
