// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The device of the benchmarks, and the kernels that only they have.

#ifndef CUDAME_BENCH_GPU_H_
#define CUDAME_BENCH_GPU_H_

#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cuda/device_memory.h"
#include "cuda/streams.h"

namespace bench {

class Gpu {
  public:
    // Throw cudame::Error with the reason if there is no device.
    Gpu();
    ~Gpu();
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    const cudame::DevicePtr& device() const { return device_; }
    const cudame::Driver& driver() const { return device_->driver(); }
    int multiprocessors() const { return multiprocessors_; }
    unsigned max_shared_bytes() const { return static_cast<unsigned>(max_shared_bytes_); }
    int max_threads() const { return max_threads_; }  // of a multiprocessor

    // Return a kernel of the benchmark's own module, with this many bytes of dynamic shared memory
    // allowed.
    CUfunction Kernel(const std::string& name, unsigned shared_bytes = 0) const;
    // Return the number of blocks that one multiprocessor holds at once.
    int Occupancy(CUfunction kernel, int threads, unsigned shared_bytes) const;

    std::unique_ptr<cudame::DeviceBuffer> Allocate(size_t bytes) const;
    std::unique_ptr<cudame::DeviceBuffer> Upload(const void* data, size_t bytes) const;
    void Download(const cudame::DeviceBuffer& from, void* to, size_t bytes) const;
    void Fill(const cudame::DeviceBuffer& buffer, size_t bytes) const;  // with 0xff

    void Launch(CUfunction kernel, unsigned x, unsigned y, unsigned threads, unsigned shared_bytes,
                void* params, CUstream stream) const;
    // Return the milliseconds on the device from the start to the end of the work.
    double Time(const std::function<void(CUstream)>& work) const;
    void Synchronize() const;

  private:
    cudame::DevicePtr device_;
    std::unique_ptr<cudame::Streams> streams_;
    CUcontext ignored_ = nullptr;
    CUmodule module_ = nullptr;
    int multiprocessors_ = 0, max_shared_bytes_ = 0, max_threads_ = 0;
    std::unique_ptr<cudame::Event> start_, end_;
    CUresult(CUDAAPI* set_attribute_)(CUfunction, int, int) = nullptr;
    CUresult(CUDAAPI* occupancy_)(int*, CUfunction, int, size_t) = nullptr;
    CUresult(CUDAAPI* fill_)(CUdeviceptr, unsigned char, size_t) = nullptr;
};

// Report a wrong result. The program fails in the end.
void Fail(benchmark::State& state, const std::string& why);
bool Failed();

// Call ms() until Google Benchmark has enough times. ms() returns a time in milliseconds. The
// counter median_ms is the median.
void Run(benchmark::State& state, const std::function<double()>& ms);

using GpuPtr = std::shared_ptr<const Gpu>;
void RegisterRates(const GpuPtr& gpu);
void RegisterFullSearch(const GpuPtr& gpu);
void RegisterDiamond(const GpuPtr& gpu);
void RegisterTransfers(const GpuPtr& gpu);
void RegisterTextures(const GpuPtr& gpu);

// Print the times of the product's kernels one by one, as Markdown, if its full search has run.
void PrintStages();

}  // namespace bench

#endif  // CUDAME_BENCH_GPU_H_
