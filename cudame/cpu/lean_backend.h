// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The CPU backend of the lean search. It leaves the records of smaller blocks and the intra
// estimates pending, and makes them when the caller asks.

#ifndef CUDAME_CPU_LEAN_BACKEND_H_
#define CUDAME_CPU_LEAN_BACKEND_H_

#include <memory>

#include "backend.h"

namespace cudame {

std::unique_ptr<Backend> CreateLeanCpuBackend(const BackendConfig& config,
                                              const Geometry& geometry);

}  // namespace cudame

#endif  // CUDAME_CPU_LEAN_BACKEND_H_
