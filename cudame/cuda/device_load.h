// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Spreads the users of this process (mostly encoders) over the devices of a host.

#ifndef CUDAME_CUDA_DEVICE_LOAD_H_
#define CUDAME_CUDA_DEVICE_LOAD_H_

#include <vector>

#include "cuda/driver.h"

namespace cudame {

struct DeviceLoad {
    bool excluded;  // it was tried and could not be opened
    bool other;     // it has another name than device 0, which CUDA takes for the fastest
    int users;      // in this process
    int memory;     // memory in use by all processes, in steps larger than one user needs
};

// Returns the index of the device to use next, or -1 if none is left. If several are equally
// loaded, takes the first from `begin` on. Processes pass different numbers, because processes that
// start at the same time do not see each other's load.
int LeastLoaded(const std::vector<DeviceLoad>& devices, int begin);

// Counts as one user of a device from Take() or TakeAny() until Release().
class DeviceUse {
  public:
    DeviceUse() = default;
    ~DeviceUse() { Release(); }
    DeviceUse(const DeviceUse&) = delete;
    DeviceUse& operator=(const DeviceUse&) = delete;

    void Take(int device);
    // Takes the least loaded of `count` devices that is not excluded. Returns its number, or -1 if
    // none is left.
    int TakeAny(const Driver& driver, int count, const std::vector<bool>& excluded);
    void Release();
    int device() const { return device_; }  // -1: none

  private:
    int device_ = -1;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_DEVICE_LOAD_H_
