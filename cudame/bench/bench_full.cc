// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Full search of a 1080p frame against one reference: the papers' kernels, one idea after the
// other, and the product's.

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "bench/frames.h"
#include "bench/gpu.h"
#include "bench/product.h"

namespace bench {
namespace {

constexpr int kRanges[] = {16, 32};
constexpr int kBlockCounts[] = {1, CUDAME_BLOCKS};

struct Variant {
    const char* name;
    unsigned threads;
    bool per_mb;      // a thread block for each macroblock
    bool tile;        // reference pixels are in shared memory
    bool concurrent;  // has room for the keys of all blocks at once
    int column;       // vectors of a thread, below each other, on shifted tiles; only for 25 blocks
};
constexpr char kWindow[] = "window";
constexpr Variant kVariants[] = {
    {"thread", 32, false, false, false, 0},
    {"thread_padded", 32, false, false, false, 0},
    {"block", 256, true, false, false, 0},
    {"block_shared", 256, true, true, false, 0},
    {"block_packed", 256, true, true, false, 0},
    {"block_pr", 256, true, true, false, 0},
    {"block_cpr", 256, true, true, true, 0},
    {"block_once", 256, true, true, true, 0},
    {"block_pr1024", 1024, true, true, false, 0},
    {"block_cpr1024", 1024, true, true, true, 0},
    {"column2", 128, true, true, false, 2},
    {"column4", 128, true, true, false, 4},
    {kWindow, cudame::kWindowThreads, true, true, false, cudame::kWindowColumn},
};

bool product_ran = false;

std::string Name(const char* variant, int blocks, int range) {
    return std::string("cuda_full/") + variant + "/blocks" + std::to_string(blocks) + "/range" +
           std::to_string(range);
}

// Return the rows of vectors of the window that one tile serves.
int ChunkRows(int range) {
    return (2 * range + cudame::kWindowColumn) / cudame::kWindowColumn * cudame::kWindowColumn;
}

unsigned SharedBytes(const Variant& v, int blocks, int range) {
    if (!v.per_mb) return 0;
    const int n = 2 * range + 1;
    if (v.name == kWindow)
        return 16u * static_cast<unsigned>(
                         cudame::WindowCopyWords(cudame::WindowWords(n), ChunkRows(range)));
    if (v.column) return 16u * static_cast<unsigned>(CopyWords(TileWords(n), n + 14 + v.column));
    const int tile = v.tile ? TileWords(n) * (n + 15) : 0;
    const int reduction = static_cast<int>(v.threads) * (v.concurrent ? blocks : 1);
    return 4u * static_cast<unsigned>(tile + reduction);
}

const std::vector<uint32_t>& Expected(int range) {
    static std::map<int, std::vector<uint32_t>> keys;
    std::vector<uint32_t>& k = keys[range];
    if (k.empty()) k = FullHd().SearchFull(range);
    return k;
}

// Make rates as the product takes them: for both components, by quarter pixels.
std::unique_ptr<cudame::DeviceBuffer> WindowCosts(const Gpu& gpu) {
    std::vector<int> costs = FullHd().quarter_costs;
    costs.insert(costs.end(), FullHd().quarter_costs.begin(), FullHd().quarter_costs.end());
    return gpu.Upload(costs.data(), costs.size() * sizeof(int));
}

void RunVariant(benchmark::State& state, const GpuPtr& gpu, const Variant& v, int blocks,
                int range) {
    const Frames& f = FullHd();
    const auto src = gpu->Upload(f.source.data(), f.source.size());
    const auto ref = gpu->Upload(f.reference.data(), f.reference.size());
    const auto bare = gpu->Upload(f.bare.data(), f.bare.size());
    const auto costs = gpu->Upload(f.costs.data(), f.costs.size() * sizeof(int));
    const std::vector<uint32_t>& expected = Expected(range);
    const size_t bytes = expected.size() * sizeof(uint32_t);
    const auto best = gpu->Allocate(bytes);
    gpu->Fill(*best, bytes);

    FullParams p = {};
    p.src = src->as<uint8_t>();
    p.ref = ref->as<uint8_t>() + f.reference_offset();
    p.bare = bare->as<uint8_t>();
    p.costs = costs->as<int>();
    p.best = best->as<uint32_t>();
    p.src_stride = f.source_stride;
    p.ref_stride = f.reference_stride;
    p.bare_stride = f.bare_stride;
    p.mb_cols = f.g.mb_cols;
    p.mb_rows = f.g.mb_rows;
    p.range = range;
    p.sad_per_bit = f.sad_per_bit;
    ProductParams window = {};
    const auto window_costs = WindowCosts(*gpu);
    cudame::LaunchParams& l = window.launch;
    l.src = p.src;
    l.costs = window_costs->as<int>();
    l.src_stride = p.src_stride;
    l.ref_stride = p.ref_stride;
    l.mb_cols = p.mb_cols;
    l.mb_rows = p.mb_rows;
    l.range = range;
    l.chunk_rows = ChunkRows(range);
    l.sad_per_bit = p.sad_per_bit;
    l.key_scale = 1u << kOrderBits;
    l.refs[0].plane = p.ref;
    window.best = p.best;
    void* const params = v.name == kWindow ? static_cast<void*>(&window) : &p;
    const unsigned shared = SharedBytes(v, blocks, range);
    if (shared > gpu->max_shared_bytes())
        return state.SkipWithError("a block of this device has not enough shared memory");
    const CUfunction kernel =
        gpu->Kernel("full_" + std::string(v.name) + "_" + std::to_string(blocks), shared);
    const unsigned mbs = static_cast<unsigned>(f.g.mbs());
    const auto time = [&] {
        return gpu->Time([&](CUstream stream) {
            if (v.per_mb)
                gpu->Launch(kernel, static_cast<unsigned>(f.g.mb_cols),
                            static_cast<unsigned>(f.g.mb_rows), v.threads, shared, params, stream);
            else
                gpu->Launch(kernel, (mbs + v.threads - 1) / v.threads, 1, v.threads, 0, params,
                            stream);
        });
    };

    time();
    std::vector<uint32_t> found(expected.size());
    gpu->Download(*best, found.data(), bytes);
    for (size_t i = 0; i < found.size(); i++)
        if (static_cast<int>(i % CUDAME_BLOCKS) < blocks && found[i] != expected[i])
            return Fail(state, "macroblock " + std::to_string(i / CUDAME_BLOCKS) +
                                   " differs from the reference");
    Run(state, time);
    state.counters["vectors"] = static_cast<double>(f.Vectors(range));
    state.counters["blocks_per_SM"] = gpu->Occupancy(kernel, static_cast<int>(v.threads), shared);
}

// Compare the product's costs. The least cost within the range is an upper bound, because the
// product also tries its seeds.
std::string CheckProduct(const Product& product, int range) {
    const Frames& f = FullHd();
    const std::vector<uint32_t>& expected = Expected(range);
    for (size_t mb = 0; mb < product.field().size(); mb++)
        for (size_t b = 0; b < CUDAME_BLOCKS; b++) {
            const cudame_mv mv = product.field()[mb].mv[b];
            const int rate = f.quarter_costs[static_cast<size_t>(1023 + mv.row)] +
                             f.quarter_costs[static_cast<size_t>(1023 + mv.col)];
            const int cost =
                product.field()[mb].dist[b] + std::min((rate * f.sad_per_bit + 128) >> 8, kMaxRate);
            const uint32_t bound = expected[mb * CUDAME_BLOCKS + b] >> kOrderBits;
            if (bound < kMaxRate && cost > static_cast<int>(bound))
                return "macroblock " + std::to_string(mb) + " is worse than full search";
        }
    return "";
}

void RunProduct(benchmark::State& state, int range) {
    Product cpu(FullHd(), CUDAME_MODE_SPLITMV, CUDAME_SEARCH_FULL, range, CUDAME_BACKEND_CPU);
    Product cuda(FullHd(), CUDAME_MODE_SPLITMV, CUDAME_SEARCH_FULL, range);
    if (cuda.error().empty()) cuda.Frame();
    if (cpu.error().empty()) cpu.Frame();
    if (!cpu.error().empty() || !cuda.error().empty())
        return Fail(state, cpu.error() + cuda.error());
    if (memcmp(cpu.field().data(), cuda.field().data(), cpu.field().size() * sizeof(naive::Record)))
        return Fail(state, "the product's fields differ between CPU and CUDA");
    const std::string worse = CheckProduct(cuda, range);
    if (!worse.empty()) return Fail(state, worse);
    const auto search = [&] { return cuda.Frame("cudame_full_final"); };
    if (search() <= 0) return state.SkipWithError("launches cannot be traced");
    Run(state, search);
    product_ran = true;
}

struct Mode {
    const char* name;
    cudame_mode mode;
    cudame_search search;
    bool intra = false;
};
constexpr Mode kModes[] = {
    {"fast, diamond", CUDAME_MODE_FAST, CUDAME_SEARCH_DIAMOND},
    {"splitmv, diamond", CUDAME_MODE_SPLITMV, CUDAME_SEARCH_DIAMOND},
    {"tex, diamond", CUDAME_MODE_TEX, CUDAME_SEARCH_DIAMOND},
    {"full, diamond", CUDAME_MODE_FULL, CUDAME_SEARCH_DIAMOND},
    {"full, full ±32, intra", CUDAME_MODE_FULL, CUDAME_SEARCH_FULL, true},
};

// Return medians of 20 frames.
std::vector<Stage> Stages(const Mode& m) {
    Product product(FullHd(), m.mode, m.search, m.search == CUDAME_SEARCH_FULL ? 32 : 0,
                    CUDAME_BACKEND_CUDA, m.intra);
    if (!product.error().empty()) return {};
    std::vector<std::vector<Stage>> frames;
    for (int i = 0; i < 20; i++) frames.push_back(product.Frame());
    std::vector<Stage> out = frames[0];
    for (size_t s = 0; s < out.size(); s++) {
        std::vector<double> ms;
        for (const auto& f : frames) ms.push_back(f[s].ms);
        std::sort(ms.begin(), ms.end());
        out[s].ms = ms[ms.size() / 2];
    }
    return out;
}

}  // namespace

void RegisterFullSearch(const GpuPtr& gpu) {
    for (const int range : kRanges) {
        for (const int blocks : kBlockCounts)
            for (const Variant& v : kVariants) {
                if (v.column && blocks == 1) continue;
                benchmark::RegisterBenchmark(Name(v.name, blocks, range).c_str(),
                                             [gpu, &v, blocks, range](benchmark::State& state) {
                                                 RunVariant(state, gpu, v, blocks, range);
                                             })
                    ->UseManualTime()
                    ->Unit(benchmark::kMillisecond);
            }
        benchmark::RegisterBenchmark(Name("product", CUDAME_BLOCKS, range).c_str(),
                                     [range](benchmark::State& state) { RunProduct(state, range); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark(Name("product", CUDAME_BLOCKS, 1).c_str(),
                                 [](benchmark::State& state) { RunProduct(state, 1); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

void PrintStages() {
    if (!product_ran) return;
    printf(
        "\n| the product's stages, one reference, each alone | kernel | launches | ms "
        "|\n|---|---|---|---|\n");
    for (const Mode& m : kModes)
        for (const Stage& s : Stages(m))
            printf("| %s | `%s` | %d | %.4f |\n", m.name, s.kernel.c_str(), s.launches, s.ms);
}

}  // namespace bench
