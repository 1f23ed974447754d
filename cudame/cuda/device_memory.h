// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Memory and events of a device. Constructors require the current context and throw. Destructors
// make the context current themselves and ignore errors.

#ifndef CUDAME_CUDA_DEVICE_MEMORY_H_
#define CUDAME_CUDA_DEVICE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "cuda/device.h"

namespace cudame {

class DeviceBuffer {
  public:
    DeviceBuffer(DevicePtr device, size_t size);
    ~DeviceBuffer();
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    CUdeviceptr address() const { return address_; }
    template <class T>
    T* as() const {
        return reinterpret_cast<T*>(address_);
    }

  private:
    DevicePtr device_;
    CUdeviceptr address_ = 0;
};

// Makes a buffer and sets all its bytes to `value` on a stream.
std::unique_ptr<DeviceBuffer> FilledBuffer(const DevicePtr& device, CUstream stream, size_t size,
                                           unsigned char value);

// Host memory that the device reads and writes at the same address.
class PinnedBuffer {
  public:
    PinnedBuffer(DevicePtr device, size_t size);
    ~PinnedBuffer();
    PinnedBuffer(const PinnedBuffer&) = delete;
    PinnedBuffer& operator=(const PinnedBuffer&) = delete;
    template <class T>
    T* as() const {
        return static_cast<T*>(data_);
    }

  private:
    bool Register(size_t size);

    DevicePtr device_;
    void* data_ = nullptr;
    size_t registered_ = 0;  // size of a mapping of this object's; 0: the driver's memory
};

class Event {
  public:
    Event(DevicePtr device, unsigned flags);
    ~Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    CUevent get() const { return event_; }

  private:
    DevicePtr device_;
    CUevent event_ = nullptr;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_DEVICE_MEMORY_H_
