// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The compiled kernels in a CUDA context.

#ifndef CUDAME_CUDA_KERNEL_MODULE_H_
#define CUDAME_CUDA_KERNEL_MODULE_H_

#include "cuda/driver.h"

namespace cudame {

// Once loaded it stays, for all of the process that share the context, until the context is
// destroyed: of a module that is unloaded the driver keeps some host memory (700 bytes for each
// kernel, 580.159). Drivers before CUDA 12 do not tell one context from the next at its address;
// there each has a module of its own. Any thread may use it.
class KernelModule {
  public:
    // With the context current. Throws Error(UNAVAILABLE) if the kernels do not run on the device
    // called `device_name`.
    void Load(const Driver& driver, const char* device_name);
    CUfunction Function(const Driver& driver, const char* name) const;
    // With the context current, if that is still possible; ignores errors.
    void Release(const Driver& driver);
    // When the context was destroyed. Before it may mean that the next one loads it again.
    void Forget() const;

  private:
    unsigned long long context_id_ = 0;  // 0: the module is only ours
    CUmodule module_ = nullptr;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_KERNEL_MODULE_H_
