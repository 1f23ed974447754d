// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Times levels of the loop filter on a 1080p frame, from the call to the errors on the host.

#include <benchmark/benchmark.h>

#include <vector>

#include "cudame/loop_filter.h"
#include "tests/naive.h"

namespace {

void LoopFilter(benchmark::State& state, int width, int height, int step, int levels, int threads) {
    const int cols = (width + 15) / 16, rows = (height + 15) / 16;
    cudame_config config;
    cudame_config_default(&config);
    config.backend = CUDAME_BACKEND_CUDA;
    config.mode = CUDAME_MODE_FAST;
    config.width = width;
    config.height = height;
    config.threads = threads;
    cudame_context* ctx;
    char err[256];
    if (cudame_create(&ctx, &config, err, sizeof(err))) {
        state.SkipWithError(err);
        return;
    }
    const naive::Image source =
        naive::MakeImage(naive::Content::kMoving, 16 * cols, 16 * rows, 0, 7);
    const naive::Image noise =
        naive::MakeImage(naive::Content::kRandom, 16 * cols, 16 * rows, 0, 8);
    naive::Image recon = source;
    for (size_t i = 0; i < recon.pixels.size(); i++)
        recon.pixels[i] = static_cast<uint8_t>((15 * recon.pixels[i] + noise.pixels[i]) / 16);
    uint8_t level[CUDAME_LOOP_FILTER_LEVELS][CUDAME_LOOP_FILTER_KINDS];
    for (int l = 0; l < CUDAME_LOOP_FILTER_LEVELS; l++)
        for (uint8_t& of_kind : level[l]) of_kind = static_cast<uint8_t>(l);
    std::vector<uint8_t> macroblocks(static_cast<size_t>(cols) * rows, CUDAME_LOOP_FILTER_INNER);

    cudame_frame frame = {};
    frame.source.data = source.pixels.data();
    frame.source.stride = frame.source.width = 16 * cols;
    frame.source.height = 16 * rows;
    frame.source.persistent = 1;
    cudame_loop_filter f = {};
    f.frame = frame.source;
    f.frame.data = recon.pixels.data();
    f.macroblocks = macroblocks.data();
    f.level = level;
    f.levels = levels;
    f.step = step;
    f.first = step / 2;
    uint32_t errors[CUDAME_LOOP_FILTER_LEVELS];
    const auto run = [&] {
        return !cudame_loop_filter_start(ctx, &f) && !cudame_loop_filter_errors(ctx, errors);
    };
    bool works = !cudame_begin_frame(ctx, &frame);
    for (int i = 0; i < 16 && works; i++) works = run();
    for (auto _ : state) {
        if (works && run()) continue;
        state.SkipWithError(cudame_last_error(ctx));
        break;
    }
    cudame_destroy(ctx);
}

#define LOOP_FILTER(name, ...) \
    BENCHMARK_CAPTURE(LoopFilter, name, __VA_ARGS__)->Unit(benchmark::kMicrosecond)->UseRealTime()

LOOP_FILTER(all, 1920, 1080, 0, 64, 8)->Name("cuda_loop_filter/64_levels/1080p/spins");
LOOP_FILTER(all, 1920, 1080, 0, 32, 8)->Name("cuda_loop_filter/32_levels/1080p/spins");
LOOP_FILTER(all, 1920, 1080, 0, 32, 1)->Name("cuda_loop_filter/32_levels/1080p/sleeps");
LOOP_FILTER(all, 1920, 1080, 0, 16, 8)->Name("cuda_loop_filter/16_levels/1080p/spins");
LOOP_FILTER(all, 1920, 1080, 0, 8, 8)->Name("cuda_loop_filter/8_levels/1080p/spins");
LOOP_FILTER(sample, 1920, 1080, 4, 32, 8)->Name("cuda_loop_filter/sample/1080p/spins");
LOOP_FILTER(sample, 1920, 1080, 4, 32, 1)->Name("cuda_loop_filter/sample/1080p/sleeps");
LOOP_FILTER(all, 352, 288, 0, 32, 1)->Name("cuda_loop_filter/32_levels/cif/sleeps");

}  // namespace
