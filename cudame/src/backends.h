// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Creates what a build has, on the CPU or on a CUDA device. Nothing else in src/ knows
// of cpu/ and cuda/, which include src/.

#ifndef CUDAME_SRC_BACKENDS_H_
#define CUDAME_SRC_BACKENDS_H_

#include <memory>

#include "backend.h"
#include "common/first_pass.h"
#include "downloader.h"

namespace cudame {

// Whether the build has it; there may still be no device.
bool HasBackend(enum cudame_backend backend);

// Throws CUDAME_ERROR_UNAVAILABLE where CUDA cannot be had for lack of a driver, which it loads and
// does not start; makes ready what a start elsewhere must find.
void CheckCuda(const BackendConfig& config);

// As cudame_list_devices().
int ListDevices(cudame_device* devices, int max);

// Each throws CUDAME_ERROR_UNAVAILABLE where the build lacks what is asked for.
std::unique_ptr<Backend> CreateBackend(enum cudame_backend backend, const BackendConfig& config,
                                       const Geometry& geometry);
std::unique_ptr<FirstPass> CreateFirstPass(const cudame_first_pass_config& config);
std::unique_ptr<Downloader> CreateDownloader(void* cu_context, int width, int height);

}  // namespace cudame

#endif  // CUDAME_SRC_BACKENDS_H_
