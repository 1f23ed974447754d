// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Spreads the users of this process, encoders above all, over the devices of a host.

#ifndef CUDAME_CUDA_DEVICE_LOAD_H_
#define CUDAME_CUDA_DEVICE_LOAD_H_

#include <vector>

#include "cuda/driver.h"

namespace cudame {

struct DeviceLoad {
    bool excluded;  // was tried, and cannot be had
    bool other;     // not of the first one's kind; CUDA's first one is its fastest
    int users;      // in this process
    int memory;     // taken, by anybody, in steps that one user does not fill
};

// The number of the one to use next, -1: none is left. Where all are level processes begin at
// different ones, because those that start at once do not see each other.
int LeastLoaded(const std::vector<DeviceLoad>& devices, int begin);

// Counts as a user of a device while it lives.
class DeviceUse {
  public:
    DeviceUse() = default;
    ~DeviceUse() { Release(); }
    DeviceUse(const DeviceUse&) = delete;
    DeviceUse& operator=(const DeviceUse&) = delete;

    void Take(int device);
    // The least loaded of `count`, without those excluded. Returns its number, -1 if none is left.
    int TakeAny(const Driver& driver, int count, const std::vector<bool>& excluded);
    void Release();
    int device() const { return device_; }  // -1: none

  private:
    int device_ = -1;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_DEVICE_LOAD_H_
