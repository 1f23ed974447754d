// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Times downloads of 1080p pictures, from the call to the planes on the host.

#include <benchmark/benchmark.h>

#include <memory>

#include "cuda/device_memory.h"
#include "cudame/download.h"

namespace {

void Download(benchmark::State& state, cudame_layout layout) {
    constexpr int kWidth = 1920, kHeight = 1080;
    constexpr size_t kLuma = static_cast<size_t>(kWidth) * kHeight;
    std::shared_ptr<cudame::Device> device;
    try {
        device = std::make_shared<cudame::Device>(nullptr, -1);
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
        return;
    }
    cudame::CurrentContext current(device->driver(), device->context());
    cudame::DeviceBuffer memory(device, kLuma * 3 / 2);
    cudame_picture picture = {};
    picture.layout = layout;
    picture.plane[0] = memory.as<uint8_t>();
    picture.plane[1] = picture.plane[0] + kLuma;
    picture.plane[2] = picture.plane[1] + kLuma / 4;
    picture.stride[0] = kWidth;
    picture.stride[1] = picture.stride[2] = layout == CUDAME_LAYOUT_NV12 ? kWidth : kWidth / 2;
    cudame_downloader* d;
    char err[256];
    if (cudame_downloader_create(&d, device->context(), kWidth, kHeight, err, sizeof(err))) {
        state.SkipWithError(err);
        return;
    }
    cudame_picture host;
    for (auto _ : state) {
        if (cudame_download(d, &picture, nullptr) || cudame_download_wait(d, &host)) {
            state.SkipWithError(cudame_downloader_last_error(d));
            break;
        }
    }
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * kLuma * 3 / 2);
    cudame_downloader_destroy(d);
}

BENCHMARK_CAPTURE(Download, nv12, CUDAME_LAYOUT_NV12)
    ->Name("cuda_download/nv12/1080p")
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(Download, i420, CUDAME_LAYOUT_I420)
    ->Name("cuda_download/yuv420p/1080p")
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

}  // namespace
