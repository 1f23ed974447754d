// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The source of the kernels, compiled for the CPU. tests/fake_cuda.c launches them.

#include "cuda/kernels.cu"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <type_traits>

// The dynamic shared memory, with one size for all kernels.
namespace {
constexpr size_t kSharedWords = 57 * 1024;  // of an H100
}
alignas(16) thread_local uint32_t tile[kSharedWords];

namespace {

struct NamedKernel {
    const char* name;
    // Returns a function that runs one thread, with a copy of the parameters.
    std::function<void()> (*bind)(void** params);
};

template <class P>
std::function<void()> Bind(void (*entry)(P), void** params) {
    using Params = std::remove_const_t<P>;
    return [entry, p = *static_cast<const Params*>(params[0])] { entry(p); };
}
#define ENTRY(name)                                             \
    {                                                           \
#name, [](void** params) { return Bind(name, params); } \
    }

const NamedKernel kernels[] = {
    ENTRY(cudame_coarse),
    ENTRY(cudame_diamond_fast),
    ENTRY(cudame_diamond_split),
    ENTRY(cudame_diamond_integer),
    ENTRY(cudame_full_final),
    ENTRY(cudame_full_integer),
    ENTRY(cudame_refine_subpel),
    ENTRY(cudame_refine_tex),
    ENTRY(cudame_lean_coarse),
    ENTRY(cudame_lean_search),
    ENTRY(cudame_lean_spread),
    ENTRY(cudame_lean_drawn),
    ENTRY(cudame_lean_refine),
    ENTRY(cudame_intra_rows),
    ENTRY(cudame_first_pass_search),
    ENTRY(cudame_first_pass_code),
    ENTRY(cudame_filter_levels),
    ENTRY(cudame_shrink),
    ENTRY(cudame_half_planes),
    ENTRY(cudame_pad),
    ENTRY(cudame_take),
    ENTRY(cudame_code_rows),
    ENTRY(cudame_code_groups),
    ENTRY(cudame_code_key_rows),
    ENTRY(cudame_code_denoised_rows),
    ENTRY(cudame_code_denoised_groups),
    ENTRY(cudame_code_key_groups),
    ENTRY(cudame_filter_rows),
    ENTRY(cudame_code_split_groups),
};

std::atomic<int> launches[std::size(kernels)];

}  // namespace

// Returns how often a kernel was launched.
extern "C" int emulated_launches(const char* name) {
    int sum = 0;
    for (size_t i = 0; i < std::size(kernels); i++)
        if (!strcmp(kernels[i].name, name)) sum += launches[i];
    return sum;
}

extern "C" void* emulated_kernel(const char* name) {
    for (const NamedKernel& k : kernels)
        if (!strcmp(k.name, name)) return const_cast<NamedKernel*>(&k);
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
    const NamedKernel* named = static_cast<NamedKernel*>(kernel);
    launches[named - kernels]++;
    return new Launch{{x, y, z}, threads, named->bind(params)};
}

extern "C" void emulate_run(void* launch) {
    static std::mutex mutex;  // contexts may launch at the same time
    std::lock_guard<std::mutex> lock(mutex);
    const std::unique_ptr<Launch> l(static_cast<Launch*>(launch));
    std::fill_n(tile, kSharedWords, 0x5a5a5a5au);  // shared memory is never initialized
    emulator::RunGrid(l->grid, l->threads, l->thread);
}
