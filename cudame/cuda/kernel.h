// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A kernel of the loaded module, and its launch.

#ifndef CUDAME_CUDA_KERNEL_H_
#define CUDAME_CUDA_KERNEL_H_

#include "cuda/device.h"
#include "cuda/kernel_table.h"

namespace cudame {

// Thread blocks of a launch.
struct Grid {
    unsigned x, y = 1, z = 1;
};

template <class Params>
class Kernel {
  public:
    Kernel(const DevicePtr& device, const KernelInfo<Params>& info)
        : device_(device), info_(&info), function_(device->Function(info.name)) {}

    // Thread blocks that have this many threads, or that serve this many macroblocks of a row.
    unsigned BlocksOf(int threads) const { return Divide(threads, info_->threads); }
    unsigned Groups(int mbs) const { return Divide(mbs, info_->mbs); }

    // Launches with the context current. Copies the parameters. shared: bytes of dynamic shared
    // memory, see AllowShared() if they are more than kLeastSharedBytes. threads: of a thread
    // block; 0: those of the table, which are the most.
    void Launch(CUstream stream, Grid grid, const Params& params, unsigned shared = 0,
                int threads = 0) const {
        void* args[] = {const_cast<Params*>(&params)};
        const int count = threads ? threads : info_->threads;
        CUDAME_CHECK(device_->driver(),
                     cuLaunchKernel(function_, grid.x, grid.y, grid.z, static_cast<unsigned>(count),
                                    1, 1, shared, stream, args, nullptr));
    }

    void AllowShared(unsigned bytes) const { device_->AllowShared(function_, bytes); }

    // Thread blocks that the device runs at the same time.
    int Resident(unsigned shared) const {
        return device_->Resident(function_, info_->threads, shared, info_->min_blocks);
    }

  private:
    static unsigned Divide(int n, int by) { return static_cast<unsigned>((n + by - 1) / by); }

    DevicePtr device_;
    const KernelInfo<Params>* info_;
    CUfunction function_;
};

// Launches a kernel of a search on `rows` rows from p.first_row on.
template <class Params>
void LaunchRows(const Kernel<Params>& kernel, CUstream stream, const Params& p, int rows,
                unsigned shared = 0) {
    kernel.Launch(
        stream,
        {static_cast<unsigned>(p.searches), kernel.Groups(p.mb_cols), static_cast<unsigned>(rows)},
        p, shared);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_KERNEL_H_
