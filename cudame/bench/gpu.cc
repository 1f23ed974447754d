// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "bench/gpu.h"

#include <dlfcn.h>

#include <algorithm>

#include "common/error.h"

// In bench/cuda/module.S.
extern "C" const unsigned char cudame_bench_module[];

namespace bench {
namespace {

// Values of enumerations of cuda.h.
constexpr int kMultiprocessorCount = 16, kMaxThreadsPerMultiprocessor = 39, kMaxSharedOptin = 97;
constexpr int kMaxDynamicShared = 8;

template <class Fn>
void LoadSymbol(const cudame::Driver& driver, const char* name, Fn* fn) {
    *fn = reinterpret_cast<Fn>(dlsym(driver->lib, name));
    if (!*fn)
        throw cudame::Error(CUDAME_ERROR_UNAVAILABLE, std::string("the CUDA driver lacks ") + name);
}

bool failed = false;

}  // namespace

Gpu::Gpu() : device_(std::make_shared<cudame::Device>(nullptr, -1)) {
    const cudame::Driver& d = driver();
    // Never popped: the program uses no other context.
    CUDAME_CHECK(d, cuCtxPushCurrent(device_->context()));
    CUdevice ordinal;
    CUDAME_CHECK(d, cuCtxGetDevice(&ordinal));
    const auto attribute = [&](int which) {
        int value = 0;
        CUDAME_CHECK(d,
                     cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(which), ordinal));
        return value;
    };
    multiprocessors_ = attribute(kMultiprocessorCount);
    max_threads_ = attribute(kMaxThreadsPerMultiprocessor);
    max_shared_bytes_ = attribute(kMaxSharedOptin);
    LoadSymbol(d, "cuFuncSetAttribute", &set_attribute_);
    LoadSymbol(d, "cuOccupancyMaxActiveBlocksPerMultiprocessor", &occupancy_);
    LoadSymbol(d, "cuMemsetD8_v2", &fill_);
    CUDAME_CHECK(d, cuModuleLoadData(&module_, cudame_bench_module));
    start_ = std::make_unique<cudame::Event>(device_, CU_EVENT_DEFAULT);
    end_ = std::make_unique<cudame::Event>(device_, CU_EVENT_DEFAULT);
}

Gpu::~Gpu() {
    driver()->cuModuleUnload(module_);
    driver()->cuCtxPopCurrent(&ignored_);
}

CUfunction Gpu::Kernel(const std::string& name, unsigned shared_bytes) const {
    CUfunction kernel;
    driver().Check(driver()->cuModuleGetFunction(&kernel, module_, name.c_str()),
                   "cuModuleGetFunction");
    if (shared_bytes > 48 * 1024)
        driver().Check(set_attribute_(kernel, kMaxDynamicShared, static_cast<int>(shared_bytes)),
                       "cuFuncSetAttribute");
    return kernel;
}

int Gpu::Occupancy(CUfunction kernel, int threads, unsigned shared_bytes) const {
    int blocks = 0;
    driver().Check(occupancy_(&blocks, kernel, threads, shared_bytes),
                   "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    return blocks;
}

std::unique_ptr<cudame::DeviceBuffer> Gpu::Allocate(size_t bytes) const {
    return std::make_unique<cudame::DeviceBuffer>(device_, bytes);
}

std::unique_ptr<cudame::DeviceBuffer> Gpu::Upload(const void* data, size_t bytes) const {
    auto buffer = Allocate(bytes);
    CUDAME_CHECK(driver(), cuMemcpyHtoD(buffer->address(), data, bytes));
    return buffer;
}

void Gpu::Download(const cudame::DeviceBuffer& from, void* to, size_t bytes) const {
    Synchronize();
    CUDAME_CHECK(driver(), cuMemcpyDtoH(to, from.address(), bytes));
}

void Gpu::Fill(const cudame::DeviceBuffer& buffer, size_t bytes) const {
    driver().Check(fill_(buffer.address(), 0xff, bytes), "cuMemsetD8");
    Synchronize();
}

void Gpu::Launch(CUfunction kernel, unsigned x, unsigned y, unsigned threads, unsigned shared_bytes,
                 void* params, CUstream stream) const {
    void* args[] = {params};
    CUDAME_CHECK(driver(), cuLaunchKernel(kernel, x, y, 1, threads, 1, 1, shared_bytes, stream,
                                          args, nullptr));
}

double Gpu::Time(const std::function<void(CUstream)>& work) const {
    CUstream stream = device_->stream(cudame::Device::kBack);
    CUDAME_CHECK(driver(), cuEventRecord(start_->get(), stream));
    work(stream);
    CUDAME_CHECK(driver(), cuEventRecord(end_->get(), stream));
    CUDAME_CHECK(driver(), cuEventSynchronize(end_->get()));
    float ms = 0;
    driver().Check(driver().cuEventElapsedTime(&ms, start_->get(), end_->get()),
                   "cuEventElapsedTime");
    return static_cast<double>(ms);
}

void Gpu::Synchronize() const {
    CUDAME_CHECK(driver(), cuStreamSynchronize(device_->stream(cudame::Device::kBack)));
    CUDAME_CHECK(driver(), cuStreamSynchronize(nullptr));
}

void Fail(benchmark::State& state, const std::string& why) {
    failed = true;
    state.SkipWithError(why.c_str());
}

bool Failed() { return failed; }

void Run(benchmark::State& state, const std::function<double()>& ms) {
    std::vector<double> samples;
    ms();  // warms caches and raises clocks
    for (auto _ : state) {
        samples.push_back(ms());
        state.SetIterationTime(samples.back() / 1e3);
    }
    std::sort(samples.begin(), samples.end());
    state.counters["median_ms"] = samples[samples.size() / 2];
}

}  // namespace bench
