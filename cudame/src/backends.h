// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Creates the objects of the CPU or of a CUDA device, as far as the build has them. Only this file
// of src/ includes cpu/ and cuda/, which include src/.

#ifndef CUDAME_SRC_BACKENDS_H_
#define CUDAME_SRC_BACKENDS_H_

#include <memory>

#include "backend.h"
#include "common/first_pass.h"
#include "downloader.h"

namespace cudame {

// Return whether the build has the backend. A device may still be missing.
bool HasBackend(enum cudame_backend backend);

// Throw CUDAME_ERROR_UNAVAILABLE if the build has no CUDA or the driver cannot be loaded. The
// driver is loaded but not started.
void CheckCuda();

// See cudame_list_devices().
int ListDevices(cudame_device* devices, int max);

// Each throws CUDAME_ERROR_UNAVAILABLE if the build has no such backend.
std::unique_ptr<Backend> CreateBackend(enum cudame_backend backend, const BackendConfig& config,
                                       const Geometry& geometry);
std::unique_ptr<FirstPass> CreateFirstPass(const cudame_first_pass_config& config);
std::unique_ptr<Downloader> CreateDownloader(void* cu_context, int width, int height);

}  // namespace cudame

#endif  // CUDAME_SRC_BACKENDS_H_
