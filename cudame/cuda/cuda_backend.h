// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// What runs on a CUDA device. This header needs none of the driver's.

#ifndef CUDAME_CUDA_CUDA_BACKEND_H_
#define CUDAME_CUDA_CUDA_BACKEND_H_

#include <memory>

#include "backend.h"
#include "common/first_pass.h"
#include "downloader.h"

namespace cudame {

void CheckCudaDriver();
int ListCudaDevices(cudame_device* devices, int max);
std::unique_ptr<Backend> CreateCudaBackend(const BackendConfig& config, const Geometry& geometry);
std::unique_ptr<FirstPass> CreateCudaFirstPass(const cudame_first_pass_config& config);
std::unique_ptr<Downloader> CreateCudaDownloader(void* cu_context, int width, int height);

}  // namespace cudame

#endif  // CUDAME_CUDA_CUDA_BACKEND_H_
