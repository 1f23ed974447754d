// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The highest instruction rates of the multiprocessors, by their own clocks.

#include <algorithm>
#include <set>

#include "bench/cuda/bench_params.h"
#include "bench/gpu.h"

namespace bench {
namespace {

struct Rate {
    double per_clock = 0;  // operations of a multiprocessor
    double clocks = 0;     // of one operation in one thread
    double ghz = 0;
};

struct Operation {
    const char* name;
    int instructions;  // of one operation
};
constexpr Operation kOperations[] = {
    {"sad4", 1},  {"vsadu4", 1},     {"dp4a", 1},     {"min", 2},      {"min3", 1},     {"add", 2},
    {"shift", 1}, {"sad4_shift", 2}, {"sad4_min", 2}, {"sad4_add", 2}, {"sad4_mad", 2},
};

struct Shape {
    const char* name;
    const char* kernel;
    unsigned threads;
};
constexpr Shape kShapes[] = {
    {"latency", "chain", 32}, {"chain", "chain", 1024}, {"streams", "streams", 1024}};

// Run about a millisecond, with a block on every multiprocessor.
Rate Measure(const Gpu& gpu, const Operation& op, const Shape& shape) {
    const CUfunction kernel = gpu.Kernel(std::string("rate_") + op.name + "_" + shape.kernel);
    const size_t blocks = static_cast<size_t>(gpu.multiprocessors());
    const size_t bytes = blocks * sizeof(RateSample);
    const auto memory = gpu.Allocate(bytes);
    RateParams p = {memory->as<RateSample>(), 1000, 0x01020304, 0x7f3f1f0f};
    gpu.Time([&](CUstream stream) {
        gpu.Launch(kernel, static_cast<unsigned>(blocks), 1, shape.threads, 0, &p, stream);
    });
    std::vector<RateSample> samples(blocks);
    gpu.Download(*memory, samples.data(), bytes);

    // Two blocks on one multiprocessor would halve its rate.
    std::set<uint32_t> used;
    std::vector<double> per_clock, ghz;
    const double operations = static_cast<double>(p.iterations) * kRateUnroll * op.instructions;
    for (const RateSample& s : samples) {
        used.insert(s.multiprocessor);
        per_clock.push_back(operations * shape.threads / static_cast<double>(s.clocks));
        ghz.push_back(static_cast<double>(s.clocks) / static_cast<double>(s.ns));
    }
    if (used.size() != samples.size()) return {};
    std::sort(per_clock.begin(), per_clock.end());
    std::sort(ghz.begin(), ghz.end());
    Rate rate;
    rate.per_clock = per_clock[blocks / 2];
    rate.clocks = shape.threads / rate.per_clock;
    rate.ghz = ghz[blocks / 2];
    return rate;
}

std::string Name(const Operation& op, const Shape& shape) {
    return std::string("cuda_rate/") + op.name + "/" + shape.name;
}

}  // namespace

void RegisterRates(const GpuPtr& gpu) {
    for (const Operation& op : kOperations)
        for (const Shape& shape : kShapes)
            benchmark::RegisterBenchmark(
                Name(op, shape).c_str(),
                [gpu, &op, &shape](benchmark::State& state) {
                    Rate rate;
                    Measure(*gpu, op, shape);  // raises the clock
                    for (auto _ : state) {
                        rate = Measure(*gpu, op, shape);
                        if (!rate.ghz) return Fail(state, "two blocks on one multiprocessor");
                        state.SetIterationTime(1e-9 / (rate.per_clock * rate.ghz));
                    }
                    state.counters["per_SM_and_clock"] = rate.per_clock;
                    state.counters["clocks"] = rate.clocks;
                    state.counters["GHz"] = rate.ghz;
                    state.counters["multiprocessors"] = gpu->multiprocessors();
                })
                ->UseManualTime()
                ->Iterations(20)
                ->Unit(benchmark::kNanosecond);
}

}  // namespace bench
