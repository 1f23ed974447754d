// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// grossi-2018 section 3.5: sub-pel search with texture units. Measures the values that they return
// at quarter pixels, how many positions they interpolate in a second, and the map of MODE_TEX on
// their pixels and on pixels that the product interpolates in integers.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "bench/cuda/tex_params.h"
#include "bench/frames.h"
#include "bench/gpu.h"
#include "bench/product.h"
#include "common/mv_cost.h"

namespace bench {
namespace {

constexpr int kTexMbs = 2, kTexThreads = 160;  // of cuda/subpel_tex.cuh

class Texture {
  public:
    Texture(const Gpu& gpu, const cudame::DeviceBuffer& buffer, CUarray_format format, int width,
            int height, int pitch)
        : gpu_(gpu) {
        CUDA_RESOURCE_DESC resource = {};
        resource.resType = CU_RESOURCE_TYPE_PITCH2D;
        resource.res.pitch2D.devPtr = buffer.address();
        resource.res.pitch2D.format = format;
        resource.res.pitch2D.numChannels = 1;
        resource.res.pitch2D.width = static_cast<size_t>(width);
        resource.res.pitch2D.height = static_cast<size_t>(height);
        resource.res.pitch2D.pitchInBytes = static_cast<size_t>(pitch);
        CUDA_TEXTURE_DESC sampling = {};
        for (auto& mode : sampling.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
        sampling.filterMode = CU_TR_FILTER_MODE_LINEAR;
        CUDAME_CHECK(gpu.driver(), cuTexObjectCreate(&object_, &resource, &sampling, nullptr));
    }
    ~Texture() { gpu_.driver()->cuTexObjectDestroy(object_); }
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;
    CUtexObject object() const { return object_; }

  private:
    const Gpu& gpu_;
    CUtexObject object_ = 0;
};

struct Format {
    const char* name;
    CUarray_format format;
    int bytes;
};
constexpr Format kFormats[] = {
    {"8bit", CU_AD_FORMAT_UNSIGNED_INT8, 1},
    {"16bit", CU_AD_FORMAT_UNSIGNED_INT16, 2},
    {"float", CU_AD_FORMAT_FLOAT, 4},
};
struct Exactness {
    double samples = 0, most = 0;  // number; largest difference, in 1/16 of a grey level
    double inexact = 0;            // number of samples that are not the nearest float
    double wrong = 0;              // number of samples that differ after rounding
};

std::string Name(const std::string& what) { return "cuda_tex/" + what; }

// Make random pixels, black and white ones, and ramps. They contain every 2x2 block of two values.
std::vector<uint8_t> Pixels(int width, int height) {
    std::vector<uint8_t> out(static_cast<size_t>(width) * static_cast<size_t>(height));
    std::mt19937 rng(1);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int kind = y * 4 / height;
            out[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)] =
                static_cast<uint8_t>(kind == 0   ? (rng() & 1 ? 255 : 0)
                                     : kind == 1 ? (x % 2 ? y % 256 : x / 2 % 256)
                                                 : rng());
        }
    return out;
}

void RunSamples(benchmark::State& state, const GpuPtr& gpu, const Format& f) {
    constexpr int kWidth = 2048, kHeight = 1024;
    const std::vector<uint8_t> pixels = Pixels(kWidth, kHeight);
    std::vector<uint8_t> texels(pixels.size() * static_cast<size_t>(f.bytes));
    for (size_t i = 0; i < pixels.size(); i++) {
        const uint16_t wide = static_cast<uint16_t>(pixels[i] * 257);
        const float real = static_cast<float>(pixels[i]) / 255;
        const void* from = f.bytes == 1   ? static_cast<const void*>(&pixels[i])
                           : f.bytes == 2 ? static_cast<const void*>(&wide)
                                          : &real;
        memcpy(texels.data() + i * static_cast<size_t>(f.bytes), from,
               static_cast<size_t>(f.bytes));
    }
    const auto buffer = gpu->Upload(texels.data(), texels.size());
    const size_t count = 16 * pixels.size();
    const auto out = gpu->Allocate(count * sizeof(float));
    const Texture texture(*gpu, *buffer, f.format, kWidth, kHeight, kWidth * f.bytes);
    TexSampleParams p = {texture.object(), out->as<float>(), kWidth, kHeight};
    const CUfunction kernel = gpu->Kernel("tex_sample");
    const auto time = [&] {
        return gpu->Time([&](CUstream stream) {
            gpu->Launch(kernel, kWidth / 128, kHeight, 128, 0, &p, stream);
        });
    };
    time();
    std::vector<float> found(count);
    gpu->Download(*out, found.data(), count * sizeof(float));
    Exactness e;
    const auto at = [&](int x, int y) {
        return static_cast<int>(pixels[static_cast<size_t>(std::min(y, kHeight - 1) * kWidth +
                                                           std::min(x, kWidth - 1))]);
    };
    size_t i = 0;
    for (int phase = 0; phase < 16; phase++)
        for (int y = 0; y < kHeight; y++)
            for (int x = 0; x < kWidth; x++, i++) {
                const int fx = phase % 4, fy = phase / 4;
                const int sum = (4 - fy) * ((4 - fx) * at(x, y) + fx * at(x + 1, y)) +
                                fy * ((4 - fx) * at(x, y + 1) + fx * at(x + 1, y + 1));
                const double v = static_cast<double>(found[i]);
                e.samples++;
                e.most = std::max(e.most, std::fabs(v * 4080 - sum));
                e.inexact += found[i] != static_cast<float>(sum / 4080.0);
                e.wrong += static_cast<int>(v * 255 + 0.5 + 1 / 32.0) != (sum + 8) >> 4;
            }
    state.counters["most_16ths"] = e.most;
    state.counters["wrong"] = e.wrong;
    state.counters["inexact"] = e.inexact;
    state.counters["samples"] = e.samples;
    Run(state, time);
}

void RunRate(benchmark::State& state, const GpuPtr& gpu) {
    constexpr int kSide = 128, kIterations = 64;
    const std::vector<uint8_t> pixels = Pixels(kSide, kSide);
    const auto buffer = gpu->Upload(pixels.data(), pixels.size());
    const auto out = gpu->Allocate(4096 * sizeof(float));
    const Texture texture(*gpu, *buffer, CU_AD_FORMAT_UNSIGNED_INT8, kSide, kSide, kSide);
    TexRateParams p = {texture.object(), out->as<float>(), kIterations};
    const unsigned blocks = static_cast<unsigned>(gpu->multiprocessors()) * 8;
    const CUfunction kernel = gpu->Kernel("tex_rate");
    Run(state, [&] {
        return gpu->Time([&](CUstream stream) {
            gpu->Launch(kernel, blocks, 1, kTexRateThreads, 0, &p, stream);
        });
    });
    state.counters["per_ns"] = static_cast<double>(blocks) * kTexRateThreads * kTexRateUnroll *
                               kIterations / state.counters["median_ms"] / 1e6;
}

// The result of the CPU, and the vectors that it starts from.
struct Expected {
    std::vector<cudame_mv> from;
    std::vector<naive::Record> field;
};
const Expected& Search() {
    static const Expected expected = [] {
        Product integer(FullHd(), CUDAME_MODE_SPLITMV, CUDAME_SEARCH_DIAMOND, 0,
                        CUDAME_BACKEND_CPU);
        Product tex(FullHd(), CUDAME_MODE_TEX, CUDAME_SEARCH_DIAMOND, 0, CUDAME_BACKEND_CPU);
        integer.Frame();
        tex.Frame();
        Expected e;
        for (const naive::Record& mb : integer.field())
            e.from.insert(e.from.end(), mb.mv, mb.mv + 25);
        e.field = tex.field();
        return e;
    }();
    return expected;
}

void RunMap(benchmark::State& state, const GpuPtr& gpu, const std::string& name) {
    const Frames& f = FullHd();
    const Expected& expected = Search();
    const size_t mbs = expected.field.size();
    const auto src = gpu->Upload(f.source.data(), f.source.size());
    const auto ref = gpu->Upload(f.reference.data(), f.reference.size());
    const auto integer =
        gpu->Upload(expected.from.data(), expected.from.size() * sizeof(cudame_mv));
    std::vector<int> tables = f.quarter_costs;
    tables.insert(tables.end(), f.quarter_costs.begin(), f.quarter_costs.end());
    const auto costs = gpu->Upload(tables.data(), tables.size() * sizeof(int));
    const auto best = gpu->Allocate(mbs * sizeof(cudame_mv));
    const auto records = gpu->Allocate(mbs * sizeof(cudame_mb));
    const auto splits = gpu->Allocate(mbs * sizeof(cudame_split));
    gpu->Fill(*records, mbs * sizeof(cudame_mb));
    gpu->Fill(*splits, mbs * sizeof(cudame_split));
    const int height = f.g.mb_height() + 2 * CUDAME_REF_BORDER;
    const Texture texture(*gpu, *ref, CU_AD_FORMAT_UNSIGNED_INT8,
                          f.g.mb_width() + 2 * CUDAME_REF_BORDER, height, f.reference_stride);
    TexMapParams p = {};
    p.search.src = src->as<uint8_t>();
    p.search.costs = costs->as<int>();
    p.search.src_stride = f.source_stride;
    p.search.ref_stride = f.reference_stride;
    p.search.mb_cols = f.g.mb_cols;
    p.search.mb_rows = f.g.mb_rows;
    p.search.sad_per_bit = f.sad_per_bit;
    p.search.searches = 1;
    p.search.refs[0].plane = ref->as<uint8_t>() + f.reference_offset();
    p.search.refs[0].best = best->as<cudame_mv>();
    p.search.refs[0].integer = integer->as<cudame_mv>();
    p.search.refs[0].records = records->as<cudame_mb>();
    p.search.refs[0].splits = splits->as<cudame_split>();
    p.texture = texture.object();
    const CUfunction kernel = gpu->Kernel("tex_map_" + name);
    const auto time = [&] {
        return gpu->Time([&](CUstream stream) {
            void* args[] = {&p};
            CUDAME_CHECK(gpu->driver(),
                         cuLaunchKernel(kernel, 1, static_cast<unsigned>(f.g.mb_cols + 1) / kTexMbs,
                                        static_cast<unsigned>(f.g.mb_rows), kTexThreads, 1, 1, 0,
                                        stream, args, nullptr));
        });
    };
    time();
    std::vector<cudame_mb> found_mbs(mbs);
    std::vector<cudame_split> found_splits(mbs);
    std::vector<naive::Record> found(mbs);
    gpu->Download(*records, found_mbs.data(), mbs * sizeof(cudame_mb));
    gpu->Download(*splits, found_splits.data(), mbs * sizeof(cudame_split));
    naive::Join(found_mbs.data(), found_splits.data(), static_cast<int>(mbs), found.data());
    size_t different = 0;
    for (size_t i = 0; i < mbs; i++)
        different += memcmp(found[i].mv, expected.field[i].mv, sizeof(found[i].mv)) ||
                     memcmp(found[i].dist, expected.field[i].dist, sizeof(found[i].dist));
    if (different)
        return Fail(state, std::to_string(different) + " macroblocks differ from the reference");
    Run(state, time);
}

}  // namespace

void RegisterTextures(const GpuPtr& gpu) {
    const auto add = [](const std::string& name, auto fn) {
        benchmark::RegisterBenchmark(Name(name).c_str(), fn)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    };
    for (const Format& f : kFormats)
        add(std::string("sample/") + f.name,
            [gpu, &f](benchmark::State& state) { RunSamples(state, gpu, f); });
    add("rate", [gpu](benchmark::State& state) { RunRate(state, gpu); });
    for (const char* name : {"texture", "integers"})
        add(std::string("map/") + name,
            [gpu, name](benchmark::State& state) { RunMap(state, gpu, name); });
}

}  // namespace bench
