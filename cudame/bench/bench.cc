// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Times the kernels of each instruction set, the analysis of whole frames and, with a GPU, the
// papers' kernels beside the product's.

#include <benchmark/benchmark.h>
#include <hwy/targets.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "cpu/kernels.h"
#include "cudame/cudame.h"
#include "tests/naive.h"
#if CUDAME_BENCH_CUDA
#include <exception>

#include "bench/gpu.h"
#endif

namespace {

struct Planes {
    alignas(64) uint8_t src[256];
    std::vector<uint8_t> ref = std::vector<uint8_t>(256 * 128);
    const uint8_t* origin = ref.data() + 256 * 32 + 64;
    Planes() {
        std::mt19937 rng(1);
        for (uint8_t& v : src) v = static_cast<uint8_t>(rng());
        for (uint8_t& v : ref) v = static_cast<uint8_t>(rng());
    }
};

void RegisterKernels(const cudame::Kernels& k) {
    const std::string suffix = std::string("/") + k.name;
    auto add = [&](const std::string& name, auto fn) {
        benchmark::RegisterBenchmark((name + suffix).c_str(), [k, fn](benchmark::State& state) {
            static Planes planes;
            alignas(64) static uint16_t sads[CUDAME_BLOCKS * cudame::kBatchStride];
            alignas(64) static uint16_t rates[cudame::kBatchStride];
            for (auto _ : state) {
                fn(k, planes, sads, rates);
                benchmark::ClobberMemory();
            }
        });
    };
    static const std::vector<int32_t> offsets = [] {
        std::vector<int32_t> v;
        for (int i = 0; i < 127; i++) v.push_back((i / 8) * 256 + 2 * (i % 8));
        return v;
    }();
    using cudame::Kernels;
    add("sad16_list_127", [](const Kernels& kernels, Planes& p, uint16_t* sads, uint16_t*) {
        kernels.sad16_list(p.src, p.origin, 256, offsets.data(), 127, sads);
    });
    add("sad4x4_list_127", [](const Kernels& kernels, Planes& p, uint16_t* sads, uint16_t*) {
        kernels.sad4x4_list(p.src, p.origin, 256, offsets.data(), 127, sads);
    });
    add("sad4x4_span_65", [](const Kernels& kernels, Planes& p, uint16_t* sads, uint16_t*) {
        kernels.sad4x4_span(p.src, p.origin, 256, 65, sads);
    });
    add("tree_min_256", [](const Kernels& kernels, Planes&, uint16_t* sads, uint16_t* rates) {
        uint16_t cost[CUDAME_BLOCKS] = {};
        int16_t index[CUDAME_BLOCKS];
        kernels.tree_min(sads, rates, cudame::kBatch, cost, index);
    });
    static const char* const sizes[] = {"16x16", "16x8", "8x16", "8x8", "4x4"};
    static const char* const metrics[] = {"sad_", "satd_", "sse_"};
    for (int m = 0; m < cudame::kMetrics; m++)
        for (int s = 0; s < cudame::kBlockSizes; s += 1)
            add(std::string(metrics[m]) + sizes[s],
                [m, s](const Kernels& kernels, Planes& p, uint16_t*, uint16_t*) {
                    benchmark::DoNotOptimize(kernels.metric[m][s](p.src, 16, p.origin, 256));
                });
    static const char* const filters[] = {"sixtap_", "bilinear_"};
    for (int f = 0; f < 2; f++)
        for (int s = 0; s < cudame::kBlockSizes; s += 1)
            add(std::string(filters[f]) + sizes[s],
                [f, s](const Kernels& kernels, Planes& p, uint16_t*, uint16_t*) {
                    alignas(64) uint8_t dst[256];
                    kernels.predict[f](p.origin, 256, 1, 2, cudame::kSizeWidth[s],
                                       cudame::kSizeHeight[s], dst);
                    benchmark::DoNotOptimize(dst);
                });
    add("sad8x8_list_8", [](const Kernels& kernels, Planes& p, uint16_t* sads, uint16_t*) {
        kernels.sad8x8_list(p.src, p.origin, 256, offsets.data(), 8, sads);
    });
    add("quarter_min_8", [](const Kernels& kernels, Planes&, uint16_t* sads, uint16_t* rates) {
        static uint16_t cost[9], sad[9];
        static int8_t index[9];
        kernels.quarter_min(sads, rates, 8, cost, sad, index);
    });
    static cudame::HalfPlanes planes;
    for (int size : {16, 8})
        for (int f = 0; f < 2; f++)
            add(std::string("half_planes_") + filters[f] + std::to_string(size),
                [f, size](const Kernels& kernels, Planes& p, uint16_t*, uint16_t*) {
                    kernels.half_planes[f](p.origin, 256, size, &planes);
                });
    add("satd_half16", [](const Kernels& kernels, Planes& p, uint16_t*, uint16_t*) {
        uint32_t dist[9];
        kernels.satd_half16(p.src, planes, dist);
        benchmark::DoNotOptimize(dist);
    });
    add("satd_half8", [](const Kernels& kernels, Planes& p, uint16_t*, uint16_t*) {
        uint32_t dist[9];
        kernels.satd_half8(p.src, planes, dist);
        benchmark::DoNotOptimize(dist);
    });
    // Around the centre, where the two pixels of a pair differ, and beside it.
    for (int centre : {4, 5}) {
        add("satd_quarter16_" + std::to_string(centre),
            [centre](const Kernels& kernels, Planes& p, uint16_t*, uint16_t*) {
                uint32_t dist[9];
                kernels.satd_quarter16(p.src, planes, centre, 0x1FF, dist);
                benchmark::DoNotOptimize(dist);
            });
        add("satd_quarter8_" + std::to_string(centre),
            [centre](const Kernels& kernels, Planes& p, uint16_t*, uint16_t*) {
                uint32_t dist[9];
                kernels.satd_quarter8(p.src, planes, centre, dist);
                benchmark::DoNotOptimize(dist);
            });
    }
    add("intra_16mbs", [](const Kernels& kernels, Planes& p, uint16_t*, uint16_t*) {
        static const std::vector<cudame::IntraSource> mbs = [&p] {
            std::vector<cudame::IntraSource> v(16);
            for (cudame::IntraSource& mb : v) {
                memcpy(mb.pixels, p.src, sizeof(mb.pixels));
                memcpy(mb.left, p.origin, sizeof(mb.left));
                memcpy(mb.above, p.origin + 256, sizeof(mb.above));
                mb.has_above = mb.has_left = true;
            }
            return v;
        }();
        cudame_intra out[16];
        kernels.intra(mbs.data(), 16, cudame::IntraRates{}, out);
        benchmark::DoNotOptimize(out);
    });
}

struct FrameCase {
    const char* name;
    cudame_mode mode;
    cudame_search search;
    bool intra = false;
    int level = 0;  // of the lean search
};
constexpr FrameCase kFrameCases[] = {
    {"fast/diamond", CUDAME_MODE_FAST, CUDAME_SEARCH_DIAMOND},
    {"fast/iterative", CUDAME_MODE_FAST, CUDAME_SEARCH_ITERATIVE},
    {"splitmv/diamond", CUDAME_MODE_SPLITMV, CUDAME_SEARCH_DIAMOND},
    {"splitmv/full32", CUDAME_MODE_SPLITMV, CUDAME_SEARCH_FULL},
    {"tex/diamond", CUDAME_MODE_TEX, CUDAME_SEARCH_DIAMOND},
    {"full/diamond", CUDAME_MODE_FULL, CUDAME_SEARCH_DIAMOND},
    {"full/full32", CUDAME_MODE_FULL, CUDAME_SEARCH_FULL},
    {"full/full32+intra", CUDAME_MODE_FULL, CUDAME_SEARCH_FULL, true},
    {"full/lean0", CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN},
    {"full/lean1", CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, false, 1},
    {"full/lean2", CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, false, 2},
    {"full/lean3", CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, false, 3},
    {"full/lean4", CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, false, 4},
};
// Without references, to time intra estimates.
constexpr FrameCase kBareFrameCases[] = {
    {"nothing", CUDAME_MODE_FAST, CUDAME_SEARCH_DIAMOND},
    {"intra", CUDAME_MODE_FAST, CUDAME_SEARCH_DIAMOND, true},
};

naive::Image FrameSource(int width, int height) {
    return naive::MakeImage(naive::Content::kMoving, width, height, 1, 1);
}

// Times a frame with one thread on a noisy moving texture, a hard case, by the number of
// references. The time is from cudame_begin_frame() to the last row, with the upload of the source.
// With `fresh` it starts with the submission of a new reference, which is uploaded too, as in an
// encoder without delay. Counters tell how long the calling thread works before it can wait, and
// when the first row came. device_source is FrameSource() on the device, where a decoder leaves it,
// or 0.
void Frame(benchmark::State& state, FrameCase c, int width, int height,
           cudame_backend backend = CUDAME_BACKEND_CPU, int refs = 1, bool fresh = false,
           uintptr_t device_source = 0) {
    const auto source = FrameSource(width, height);
    const auto reference = naive::MakeImage(naive::Content::kMoving, width, height, 0, 1);
    static const std::vector<int> costs = naive::MakeCosts(1);
    static const std::vector<int> bmode_costs = naive::MakeBmodeCosts(1);
    cudame_config config;
    cudame_config_default(&config);
    config.width = width;
    config.height = height;
    config.backend = backend;
    config.mode = c.mode;
    config.search = c.search;
    config.level = c.level;
    cudame_context* ctx;
    char err[256];
    if (cudame_create(&ctx, &config, err, sizeof(err))) return state.SkipWithError(err);

    cudame_plane plane = {};
    plane.data = reference.pixels.data();
    plane.stride = plane.width = width;
    plane.height = height;
    plane.persistent = 1;
    for (int i = 1; i <= refs; i++) cudame_submit_reference(ctx, i, &plane, 0, height);
    cudame_frame frame = {};
    frame.source = plane;
    frame.source.data = source.pixels.data();
    for (int i = 1; i <= refs; i++) frame.ref_id[i] = i;
    frame.mv_cost[0] = frame.mv_cost[1] = costs.data() + 1023;
    frame.sad_per_bit = 8;
    if (c.intra) frame.bmode_cost = bmode_costs.data();
    cudame_plane on_device = frame.source;
    on_device.data = reinterpret_cast<const uint8_t*>(device_source);
    on_device.on_device = 1;
    on_device.persistent = 0;
    if (device_source) frame.device_source = &on_device;
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point start) {
        return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    };
    double first = 0, begin = 0, submit = 0;
    uint64_t next_id = 100;
    const int last_row = (height + 15) / 16 - 1;
    int n = 0;
    const auto encode = [&] {
        const cudame_mb* rows[CUDAME_REFS];
        const auto start = Clock::now();
        if (fresh) {
            cudame_retire_reference(ctx, frame.ref_id[CUDAME_REF_LAST]);
            frame.ref_id[CUDAME_REF_LAST] = next_id++;
            cudame_submit_reference(ctx, frame.ref_id[CUDAME_REF_LAST], &plane, 0, height);
            submit += since(start);
        }
        const auto started = Clock::now();
        cudame_begin_frame(ctx, &frame);
        begin += since(started);
        const cudame_intra* intra;
        cudame_wait_row(ctx, 0, rows, nullptr);
        if (c.intra) cudame_intra_row(ctx, 0, &intra);
        first += since(start);
        for (int row = 1; row <= last_row; row++) {
            cudame_wait_row(ctx, row, rows, nullptr);
            if (c.intra) cudame_intra_row(ctx, row, &intra);
        }
        cudame_end_frame(ctx);
        n++;
    };
    if (backend == CUDAME_BACKEND_CUDA)  // so that the memory is registered
        for (int i = 0; i < 8; i++) encode();
    first = begin = submit = n = 0;
    cudame_stats before, after;
    cudame_get_stats(ctx, &before);
    for (auto _ : state) encode();
    cudame_get_stats(ctx, &after);
    if (fresh) state.counters["submit_ms"] = submit / n;
    state.counters["begin_ms"] = begin / n;
    state.counters["first_row_ms"] = first / n;
    state.counters["search_ms"] = static_cast<double>(after.search_ns - before.search_ns) / n / 1e6;
    state.SetItemsProcessed(state.iterations() * width * height);
    cudame_destroy(ctx);
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    bool have_gpu = false;
#if CUDAME_BENCH_CUDA
    bench::GpuPtr gpu;
    try {
        gpu = std::make_shared<bench::Gpu>();
        have_gpu = true;
        fprintf(stderr, "GPU: %s\n", gpu->device()->name().c_str());
    } catch (const std::exception& e) {
        fprintf(stderr, "no GPU, only what runs on the CPU: %s\n", e.what());
    }
#else
    fprintf(stderr, "built without nvcc: only what runs on the CPU\n");
#endif
    RegisterKernels(cudame::ReferenceKernels());
    for (int64_t rest = hwy::SupportedTargets() & HWY_TARGETS & ~HWY_SCALAR; rest;
         rest &= rest - 1) {
        hwy::SetSupportedTargetsForTest(rest & -rest);
        hwy::GetChosenTarget().Update(rest & -rest);
        RegisterKernels(cudame::BestKernels());
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
    for (const FrameCase& c : kFrameCases) {
        auto add = [&](const char* size, int width, int height) {
            benchmark::RegisterBenchmark((std::string("frame/") + c.name + "/" + size).c_str(),
                                         Frame, c, width, height, CUDAME_BACKEND_CPU, 1, false, 0)
                ->Unit(benchmark::kMillisecond);
            if (!have_gpu) return;
            for (int refs : {1, 3})
                for (bool fresh : {false, true})
                    benchmark::RegisterBenchmark(
                        (std::string("cuda_frame/") + c.name + "/" + size + "/refs" +
                         std::to_string(refs) + (fresh ? "/fresh" : ""))
                            .c_str(),
                        Frame, c, width, height, CUDAME_BACKEND_CUDA, refs, fresh, 0)
                        ->Unit(benchmark::kMillisecond)
                        ->UseRealTime();
        };
        add("cif", 352, 288);
        add("1080p", 1920, 1080);
    }
    for (const FrameCase& c : kBareFrameCases)
        for (const cudame_backend backend : {CUDAME_BACKEND_CPU, CUDAME_BACKEND_CUDA})
            if (backend == CUDAME_BACKEND_CPU || have_gpu)
                benchmark::RegisterBenchmark(
                    ((backend == CUDAME_BACKEND_CPU ? "frame/" : "cuda_frame/") +
                     std::string(c.name) + "/1080p")
                        .c_str(),
                    Frame, c, 1920, 1080, backend, 0, false, 0)
                    ->Unit(benchmark::kMillisecond)
                    ->UseRealTime();
#if CUDAME_BENCH_CUDA
    std::unique_ptr<cudame::DeviceBuffer> on_device;
    if (gpu) {
        const naive::Image source = FrameSource(1920, 1080);
        on_device = gpu->Upload(source.pixels.data(), source.pixels.size());
        for (const FrameCase& c : kFrameCases)
            benchmark::RegisterBenchmark(
                (std::string("cuda_frame/") + c.name + "/1080p/refs3/on_device").c_str(), Frame, c,
                1920, 1080, CUDAME_BACKEND_CUDA, 3, false,
                reinterpret_cast<uintptr_t>(on_device->as<uint8_t>()))
                ->Unit(benchmark::kMillisecond)
                ->UseRealTime();
        bench::RegisterRates(gpu);
        bench::RegisterFullSearch(gpu);
        bench::RegisterDiamond(gpu);
        bench::RegisterTransfers(gpu);
        bench::RegisterTextures(gpu);
    }
#endif
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
#if CUDAME_BENCH_CUDA
    if (gpu) bench::PrintStages();
    return bench::Failed();
#endif
}
