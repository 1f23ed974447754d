// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A kernel of the loaded module, and its launch.

#ifndef CUDAME_CUDA_KERNEL_H_
#define CUDAME_CUDA_KERNEL_H_

#include "cuda/device_memory.h"
#include "cuda/kernel_table.h"

namespace cudame {

// Thread blocks of a launch.
struct Grid {
    unsigned x, y = 1, z = 1;
};

class Kernel {
  public:
    // The table's entry, or NULL: none, which must not be launched.
    Kernel(const DevicePtr& device, const KernelInfo* info)
        : device_(device), info_(info), function_(info ? device->Function(info->name) : nullptr) {}
    Kernel(const DevicePtr& device, const KernelInfo& info) : Kernel(device, &info) {}

    explicit operator bool() const { return info_; }

    // Thread blocks that so many threads, or macroblocks of a row, take.
    unsigned BlocksOf(unsigned threads) const { return Divide(threads, info_->threads); }
    unsigned Groups(unsigned mbs) const { return Divide(mbs, info_->mbs); }

    // With the context current. Parameters are copied; shared: bytes of dynamic shared
    // memory.
    template <class... Params>
    void Launch(CUstream stream, Grid grid, unsigned shared, const Params&... params) const {
        void* args[] = {const_cast<Params*>(&params)...};
        CUDAME_CHECK(device_->driver(),
                     cuLaunchKernel(function_, grid.x, grid.y, grid.z, info_->threads, 1, 1, shared,
                                    stream, args, nullptr));
    }

  private:
    static unsigned Divide(unsigned n, unsigned by) { return (n + by - 1) / by; }

    DevicePtr device_;
    const KernelInfo* info_;
    CUfunction function_;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_KERNEL_H_
