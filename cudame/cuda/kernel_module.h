// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The compiled kernels, loaded into a CUDA context.

#ifndef CUDAME_CUDA_KERNEL_MODULE_H_
#define CUDAME_CUDA_KERNEL_MODULE_H_

#include "cuda/driver.h"

namespace cudame {

// A loaded module stays loaded until its context is destroyed, and all of the process that use the
// context share it, because the driver keeps host memory of a module that is unloaded (700 bytes
// for each kernel with driver 580.159). Drivers before CUDA 12 cannot distinguish a context from a
// later one at the same address, so there each KernelModule loads and unloads its own. All methods
// may be called from any thread.
class KernelModule {
  public:
    // Loads the module with the context current. Throws Error(UNAVAILABLE) if the kernels do not
    // run on the device. device_name: for the error's text.
    void Load(const Driver& driver, const char* device_name);
    CUfunction Function(const Driver& driver, const char* name) const;
    // Unloads the module if it is not shared. Ignores errors. With the context current, if that is
    // still possible.
    void Release(const Driver& driver);
    unsigned long long context_id() const { return context_id_; }
    // Forgets the shared module of a context that was destroyed.
    static void Forget(unsigned long long context_id);

  private:
    unsigned long long context_id_ = 0;  // 0: the module is not shared
    CUmodule module_ = nullptr;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_KERNEL_MODULE_H_
