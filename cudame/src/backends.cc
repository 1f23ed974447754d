// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "backends.h"

#include "common/error.h"
#include "cpu/cpu_backend.h"
#include "cpu/first_pass.h"
#include "cpu/lean_backend.h"
#if CUDAME_CUDA
#include "cuda/cuda_backend.h"
#endif

namespace cudame {

#if !CUDAME_CUDA
namespace {

template <class T>
std::unique_ptr<T> NoCuda() {
    throw Error(CUDAME_ERROR_UNAVAILABLE, "this library was built without CUDA");
}

std::unique_ptr<Backend> CreateCudaBackend(const BackendConfig&, const Geometry&) {
    return NoCuda<Backend>();
}
std::unique_ptr<FirstPass> CreateCudaFirstPass(const cudame_first_pass_config&) {
    return NoCuda<FirstPass>();
}
std::unique_ptr<Downloader> CreateCudaDownloader(void*, int, int) { return NoCuda<Downloader>(); }
void CheckCudaDriver() { NoCuda<Backend>(); }
int ListCudaDevices(cudame_device*, int) { return NoCuda<Backend>() != nullptr; }

}  // namespace
#endif

bool HasBackend(enum cudame_backend backend) {
    return backend == CUDAME_BACKEND_CPU || (CUDAME_CUDA && backend == CUDAME_BACKEND_CUDA);
}

void CheckCuda() { CheckCudaDriver(); }

int ListDevices(cudame_device* devices, int max) { return ListCudaDevices(devices, max); }

std::unique_ptr<Backend> CreateBackend(enum cudame_backend backend, const BackendConfig& config,
                                       const Geometry& geometry) {
    if (backend == CUDAME_BACKEND_CUDA) return CreateCudaBackend(config, geometry);
    if (config.search == CUDAME_SEARCH_LEAN) return CreateLeanCpuBackend(config, geometry);
    return CreateCpuBackend(config, geometry);
}

std::unique_ptr<FirstPass> CreateFirstPass(const cudame_first_pass_config& config) {
    if (config.backend == CUDAME_BACKEND_CPU)
        return std::make_unique<ScalarFirstPass>(config.mb_cols, config.mb_rows);
    return CreateCudaFirstPass(config);
}

std::unique_ptr<Downloader> CreateDownloader(void* cu_context, int width, int height) {
    return CreateCudaDownloader(cu_context, width, height);
}

}  // namespace cudame
