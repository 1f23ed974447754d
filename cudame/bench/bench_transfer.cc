// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The three scenarios of elshehaly: uploads, kernels and downloads of many frames in one loop over
// streams, in a loop each, and without streams.

#include <chrono>
#include <cstring>

#include "bench/frames.h"
#include "bench/gpu.h"

namespace bench {
namespace {

constexpr int kFrames = 16;  // and number of streams

enum Scenario { kOneLoop, kThreeLoops, kNoStreams, kScenarios };

struct Work {
    const char* name;
    int range;  // full search; 0: the diamond
};
constexpr Work kWorks[] = {{"diamond", 0}, {"full16", 16}, {"full32", 32}};

std::string Name(const Work& w, int scenario) {
    return std::string("cuda_transfer/") + w.name + "/scenario" + std::to_string(scenario + 1);
}

// The data that an encoder sends for each frame, a source and a reference, and that it gets back;
// pinned on the host.
struct Slot {
    std::unique_ptr<cudame::PinnedBuffer> host_src, host_ref, host_out;
    std::unique_ptr<cudame::DeviceBuffer> src, ref, out;
    CUstream stream = nullptr;
};

class Sequence {
  public:
    Sequence(const GpuPtr& gpu, const Work& work) : gpu_(gpu), work_(work), f_(FullHd()) {
        const cudame::Driver& driver = gpu_->driver();
        out_bytes_ = static_cast<size_t>(f_.g.mbs()) *
                     (work.range ? CUDAME_BLOCKS * sizeof(uint32_t) : sizeof(DiamondVector));
        costs_ = gpu_->Upload(f_.costs.data(), f_.costs.size() * sizeof(int));
        const int n = 2 * work.range + 1;
        shared_ = work.range
                      ? 4u * static_cast<unsigned>(256 * CUDAME_BLOCKS + TileWords(n) * (n + 15))
                      : 0;
        kernel_ = gpu_->Kernel(work.range ? "full_block_once_25" : "diamond_max_sm", shared_);
        for (Slot& s : slots_) {
            const auto pinned = [&](size_t n) {
                return std::make_unique<cudame::PinnedBuffer>(gpu_->device(), n);
            };
            s.host_src = pinned(f_.source.size());
            s.host_ref = pinned(f_.reference.size());
            s.host_out = pinned(out_bytes_);
            memcpy(s.host_src->as<uint8_t>(), f_.source.data(), f_.source.size());
            memcpy(s.host_ref->as<uint8_t>(), f_.reference.data(), f_.reference.size());
            s.src = gpu_->Allocate(f_.source.size());
            s.ref = gpu_->Allocate(f_.reference.size());
            s.out = gpu_->Allocate(out_bytes_);
            CUDAME_CHECK(driver, cuStreamCreate(&s.stream, CU_STREAM_NON_BLOCKING));
        }
    }
    ~Sequence() {
        for (Slot& s : slots_) gpu_->driver()->cuStreamDestroy(s.stream);
    }
    Sequence(const Sequence&) = delete;
    Sequence& operator=(const Sequence&) = delete;

    // Return the milliseconds until all vectors are on the host.
    double Time(Scenario scenario) {
        using Clock = std::chrono::steady_clock;
        const cudame::Driver& driver = gpu_->driver();
        const auto start = Clock::now();
        switch (scenario) {
            case kOneLoop:
                for (Slot& s : slots_) {
                    Upload(s);
                    Search(s, s.stream);
                    Download(s);
                }
                break;
            case kThreeLoops:
                for (Slot& s : slots_) Upload(s);
                for (Slot& s : slots_) Search(s, s.stream);
                for (Slot& s : slots_) Download(s);
                break;
            default:
                for (Slot& s : slots_) {
                    CUDAME_CHECK(driver, cuMemcpyHtoD(s.src->address(), s.host_src->as<uint8_t>(),
                                                      f_.source.size()));
                    CUDAME_CHECK(driver, cuMemcpyHtoD(s.ref->address(), s.host_ref->as<uint8_t>(),
                                                      f_.reference.size()));
                    Search(s, nullptr);
                    CUDAME_CHECK(driver, cuMemcpyDtoH(s.host_out->as<uint8_t>(), s.out->address(),
                                                      out_bytes_));
                }
        }
        for (Slot& s : slots_) CUDAME_CHECK(driver, cuStreamSynchronize(s.stream));
        return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    }

    void Poison() {
        for (Slot& s : slots_) {
            memset(s.host_out->as<uint8_t>(), 0xee, out_bytes_);
            gpu_->Fill(*s.out, out_bytes_);
            gpu_->Fill(*s.src, f_.source.size());
        }
    }

    bool Right() {
        if (!work_.range) {
            static const std::vector<DiamondVector> expected = f_.SearchDiamond();
            return Equal(expected.data());
        }
        static std::map<int, std::vector<uint32_t>> expected;
        std::vector<uint32_t>& e = expected[work_.range];
        if (e.empty()) e = f_.SearchFull(work_.range);
        return Equal(e.data());
    }

  private:
    bool Equal(const void* expected) {
        for (Slot& s : slots_)
            if (memcmp(s.host_out->as<uint8_t>(), expected, out_bytes_)) return false;
        return true;
    }
    void Upload(Slot& s) {
        const cudame::Driver& driver = gpu_->driver();
        CUDAME_CHECK(driver, cuMemcpyHtoDAsync(s.src->address(), s.host_src->as<uint8_t>(),
                                               f_.source.size(), s.stream));
        CUDAME_CHECK(driver, cuMemcpyHtoDAsync(s.ref->address(), s.host_ref->as<uint8_t>(),
                                               f_.reference.size(), s.stream));
    }
    void Download(Slot& s) {
        CUDAME_CHECK(gpu_->driver(), cuMemcpyDtoHAsync(s.host_out->as<uint8_t>(), s.out->address(),
                                                       out_bytes_, s.stream));
    }
    void Search(Slot& s, CUstream stream) {
        const unsigned cols = static_cast<unsigned>(f_.g.mb_cols);
        const unsigned rows = static_cast<unsigned>(f_.g.mb_rows);
        if (work_.range) {
            FullParams p = {};
            p.src = s.src->as<uint8_t>();
            p.ref = s.ref->as<uint8_t>() + f_.reference_offset();
            p.costs = costs_->as<int>();
            p.best = s.out->as<uint32_t>();
            p.src_stride = f_.source_stride;
            p.ref_stride = f_.reference_stride;
            p.mb_cols = f_.g.mb_cols;
            p.mb_rows = f_.g.mb_rows;
            p.range = work_.range;
            p.sad_per_bit = f_.sad_per_bit;
            gpu_->Launch(kernel_, cols, rows, 256, shared_, &p, stream);
        } else {
            DiamondParams p = {};
            p.src = s.src->as<uint8_t>();
            p.ref = s.ref->as<uint8_t>() + f_.reference_offset();
            p.best = s.out->as<DiamondVector>();
            p.src_stride = f_.source_stride;
            p.ref_stride = f_.reference_stride;
            p.mb_cols = f_.g.mb_cols;
            p.mb_rows = f_.g.mb_rows;
            gpu_->Launch(kernel_, cols, rows, 128, 0, &p, stream);
        }
    }

    GpuPtr gpu_;
    const Work& work_;
    const Frames& f_;
    size_t out_bytes_ = 0;
    unsigned shared_ = 0;
    CUfunction kernel_ = nullptr;
    std::unique_ptr<cudame::DeviceBuffer> costs_;
    Slot slots_[kFrames];
};

void RunScenario(benchmark::State& state, const GpuPtr& gpu, const Work& work, Scenario scenario) {
    Sequence sequence(gpu, work);
    sequence.Poison();
    sequence.Time(scenario);
    if (!sequence.Right()) return Fail(state, "vectors differ from the reference");
    Run(state, [&] { return sequence.Time(scenario); });
}

}  // namespace

void RegisterTransfers(const GpuPtr& gpu) {
    for (const Work& w : kWorks)
        for (int s = 0; s < kScenarios; s++)
            benchmark::RegisterBenchmark(Name(w, s).c_str(),
                                         [gpu, &w, s](benchmark::State& state) {
                                             RunScenario(state, gpu, w, static_cast<Scenario>(s));
                                         })
                ->UseManualTime()
                ->Unit(benchmark::kMillisecond);
}

}  // namespace bench
