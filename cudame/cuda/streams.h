// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The streams of one user of a device. Streams do not wait for the default stream.

#ifndef CUDAME_CUDA_STREAMS_H_
#define CUDAME_CUDA_STREAMS_H_

#include <memory>
#include <vector>

#include "cuda/device.h"

namespace cudame {

// Front streams have a higher priority, if the driver knows priorities.
enum StreamName { kCopy, kCopy2, kBack, kBack2, kBack3, kFront, kFront2, kStreamNames };

class Streams {
  public:
    // Creates the streams named; a name may come twice. With the context current.
    Streams(DevicePtr device, const std::vector<StreamName>& names);
    ~Streams();
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    const DevicePtr& device() const { return device_; }
    CUstream operator[](StreamName name) const { return streams_[name]; }
    // Waits for all streams, with the context current.
    void Synchronize() const;
    // The same with any context; ignores errors.
    void SynchronizeQuietly() const;

  private:
    void Destroy();

    DevicePtr device_;
    CUstream streams_[kStreamNames] = {};
};

using StreamsPtr = std::shared_ptr<const Streams>;

}  // namespace cudame

#endif  // CUDAME_CUDA_STREAMS_H_
