// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// grossi-2018 section 3.6, table 1: the diamond with all of its differences in shared memory
// (MAX-SM), and with few of them, so that more blocks run at once (MAX-OCC).

#include <cstring>

#include "bench/frames.h"
#include "bench/gpu.h"
#include "bench/product.h"

namespace bench {
namespace {

constexpr int kThreads = 128;

constexpr const char* kVariants[] = {"max_occ", "max_sm", "max_occ_packed", "max_sm_packed"};

std::string Name(const char* variant) { return std::string("cuda_diamond/") + variant; }

void RunVariant(benchmark::State& state, const GpuPtr& gpu, const char* variant) {
    const Frames& f = FullHd();
    static const std::vector<DiamondVector> expected = f.SearchDiamond();
    const auto src = gpu->Upload(f.source.data(), f.source.size());
    const auto ref = gpu->Upload(f.reference.data(), f.reference.size());
    const size_t bytes = expected.size() * sizeof(DiamondVector);
    const auto best = gpu->Allocate(bytes);
    gpu->Fill(*best, bytes);
    DiamondParams p = {};
    p.src = src->as<uint8_t>();
    p.ref = ref->as<uint8_t>() + f.reference_offset();
    p.best = best->as<DiamondVector>();
    p.src_stride = f.source_stride;
    p.ref_stride = f.reference_stride;
    p.mb_cols = f.g.mb_cols;
    p.mb_rows = f.g.mb_rows;
    const CUfunction kernel = gpu->Kernel("diamond_" + std::string(variant));
    const auto time = [&] {
        return gpu->Time([&](CUstream stream) {
            gpu->Launch(kernel, static_cast<unsigned>(f.g.mb_cols),
                        static_cast<unsigned>(f.g.mb_rows), kThreads, 0, &p, stream);
        });
    };
    time();
    std::vector<DiamondVector> found(expected.size());
    gpu->Download(*best, found.data(), bytes);
    if (memcmp(found.data(), expected.data(), bytes))
        return Fail(state, "vectors differ from the reference");
    Run(state, time);
    const double occupancy =
        gpu->Occupancy(kernel, kThreads, 0) * kThreads / static_cast<double>(gpu->max_threads());
    state.counters["occupancy"] = occupancy;
}

// With the boxes around the seeds and with rates, which the diamond of the papers lacks.
void RunProduct(benchmark::State& state) {
    Product cpu(FullHd(), CUDAME_MODE_FAST, CUDAME_SEARCH_DIAMOND, 0, CUDAME_BACKEND_CPU);
    Product cuda(FullHd(), CUDAME_MODE_FAST, CUDAME_SEARCH_DIAMOND, 0);
    if (cuda.error().empty()) cuda.Frame();
    if (cpu.error().empty()) cpu.Frame();
    if (!cpu.error().empty() || !cuda.error().empty())
        return Fail(state, cpu.error() + cuda.error());
    if (memcmp(cpu.field().data(), cuda.field().data(), cpu.field().size() * sizeof(naive::Record)))
        return Fail(state, "the product's fields differ between CPU and CUDA");
    const auto search = [&] { return cuda.Frame("cudame_diamond_fast"); };
    if (search() <= 0) return state.SkipWithError("launches cannot be traced");
    Run(state, search);
}

}  // namespace

void RegisterDiamond(const GpuPtr& gpu) {
    for (const char* variant : kVariants)
        benchmark::RegisterBenchmark(
            Name(variant).c_str(),
            [gpu, variant](benchmark::State& state) { RunVariant(state, gpu, variant); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(Name("product").c_str(), RunProduct)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

}  // namespace bench
