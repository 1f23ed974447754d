// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// grossi-2018 section 3.6, table 1: the diamond with all of its differences in shared memory
// (MAX-SM), and with few of them, so that more blocks run at once (MAX-OCC). Also two kernels of
// the product's mode `fast` for the same diamond.

#include <cstring>
#include <memory>
#include <vector>

#include "bench/frames.h"
#include "bench/gpu.h"
#include "bench/product.h"
#include "common/coarse.h"
#include "cuda/kernel_table.h"

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

// Mode `fast` as the product searches it: with rates, and with boxes around the zero vector, a
// prediction and seeds. Its kernel (`lists`) is an instance of the template for all diamonds; in
// `four_lanes` four lanes share a vector, which only 16x16 blocks allow.
constexpr const char* kFastVariants[] = {"lists", "four_lanes"};

// Small vectors that differ from macroblock to macroblock, in steps of `unit`.
std::vector<cudame_mv> Vectors(size_t count, int unit) {
    std::vector<cudame_mv> out(count);
    for (size_t i = 0; i < count; i++)
        out[i] = {static_cast<int16_t>((static_cast<int>(i * 7 % 21) - 10) * unit),
                  static_cast<int16_t>((static_cast<int>(i * 11 % 33) - 16) * unit)};
    return out;
}

// A launch of such a kernel on the frame, and its records.
class FastLaunch {
  public:
    explicit FastLaunch(const GpuPtr& gpu) : gpu_(gpu) {
        const std::vector<cudame_mv> previous = Vectors(mbs_, 3);
        const std::vector<cudame_mv> seeds =
            Vectors(static_cast<size_t>(coarse_.mbs()) * CUDAME_BLOCKS, 1);
        std::vector<int> costs = f_.quarter_costs;
        costs.insert(costs.end(), f_.quarter_costs.begin(), f_.quarter_costs.end());
        const std::vector<uint32_t> zeros(static_cast<size_t>(f_.g.mb_rows) * cudame::kRowCounters);
        const auto keep = [this](const void* data, size_t bytes) {
            buffers_.push_back(gpu_->Upload(data, bytes));
            return buffers_.back().get();
        };
        p_.src = keep(f_.source.data(), f_.source.size())->as<uint8_t>();
        p_.costs = keep(costs.data(), costs.size() * sizeof(int))->as<int>();
        p_.src_stride = f_.source_stride;
        p_.ref_stride = f_.reference_stride;
        p_.mb_cols = f_.g.mb_cols;
        p_.mb_rows = f_.g.mb_rows;
        p_.searches = 1;
        p_.sad_per_bit = f_.sad_per_bit;
        p_.key_scale = 1u << kOrderBits;
        p_.sequence = 1;
        p_.finished = keep(zeros.data(), zeros.size() * sizeof(uint32_t))->as<uint32_t>();
        p_.progress = keep(zeros.data(), zeros.size() * sizeof(uint32_t))->as<uint32_t>();
        p_.coarse_cols = coarse_.mb_cols;
        cudame::IntegerParams::Ref& r = p_.refs[0];
        r.plane =
            keep(f_.reference.data(), f_.reference.size())->as<uint8_t>() + f_.reference_offset();
        r.previous = keep(previous.data(), mbs_ * sizeof(cudame_mv))->as<cudame_mv>();
        r.coarse = keep(seeds.data(), seeds.size() * sizeof(cudame_mv))->as<cudame_mv>();
        r.best = keep(previous.data(), mbs_ * sizeof(cudame_mv))->as<cudame_mv>();
        const std::vector<cudame_mb> none(mbs_);
        r.records = keep(none.data(), mbs_ * sizeof(cudame_mb))->as<cudame_mb>();
        r.host_records = keep(none.data(), mbs_ * sizeof(cudame_mb))->as<cudame_mb>();
    }

    double Time(CUfunction kernel) const {
        const cudame::KernelInfo<cudame::IntegerParams>& info = cudame::kernel::kDiamondFast;
        const unsigned groups = static_cast<unsigned>((f_.g.mb_cols + info.mbs - 1) / info.mbs);
        return gpu_->Time([&](CUstream stream) {
            void* args[] = {const_cast<cudame::IntegerParams*>(&p_)};
            CUDAME_CHECK(gpu_->driver(),
                         cuLaunchKernel(kernel, 1, groups, static_cast<unsigned>(f_.g.mb_rows),
                                        static_cast<unsigned>(info.threads), 1, 1, 0, stream, args,
                                        nullptr));
        });
    }
    std::vector<cudame_mb> Records() const {
        std::vector<cudame_mb> out(mbs_);
        gpu_->Download(*buffers_.back(), out.data(), mbs_ * sizeof(cudame_mb));
        return out;
    }

  private:
    GpuPtr gpu_;
    const Frames& f_ = FullHd();
    const size_t mbs_ = static_cast<size_t>(f_.g.mbs());
    const cudame::Geometry coarse_ = cudame::CoarseGeometry(f_.g);
    std::vector<std::unique_ptr<cudame::DeviceBuffer>> buffers_;  // host_records come last
    cudame::IntegerParams p_ = {};
};

void RunFast(benchmark::State& state, const GpuPtr& gpu, const char* variant) {
    const auto kernel = [&](const char* name) {
        return gpu->Kernel("diamond_" + std::string(name));
    };
    const FastLaunch expected(gpu), launch(gpu);
    expected.Time(kernel(kFastVariants[0]));
    const CUfunction mine = kernel(variant);
    launch.Time(mine);
    const std::vector<cudame_mb> a = expected.Records(), b = launch.Records();
    if (memcmp(a.data(), b.data(), a.size() * sizeof(cudame_mb)))
        return Fail(state, "records differ from those of the product's kernel");
    Run(state, [&] { return launch.Time(mine); });
    state.counters["blocks_per_SM"] = gpu->Occupancy(mine, cudame::kernel::kDiamondFast.threads, 0);
}

// The library's own kernel in a frame, compared with the CPU backend.
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
    for (const char* variant : kFastVariants)
        benchmark::RegisterBenchmark(
            Name(variant).c_str(),
            [gpu, variant](benchmark::State& state) { RunFast(state, gpu, variant); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(Name("product").c_str(), RunProduct)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

}  // namespace bench
