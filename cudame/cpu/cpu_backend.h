// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The CPU backend of the papers' searches: Highway kernels, and threads that share the rows.

#ifndef CUDAME_CPU_CPU_BACKEND_H_
#define CUDAME_CPU_CPU_BACKEND_H_

#include <memory>

#include "backend.h"

namespace cudame {

std::unique_ptr<Backend> CreateCpuBackend(const BackendConfig& config, const Geometry& geometry);

}  // namespace cudame

#endif  // CUDAME_CPU_CPU_BACKEND_H_
