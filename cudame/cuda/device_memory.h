// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A device with our kernels loaded, and memory on it and for it.

#ifndef CUDAME_CUDA_DEVICE_MEMORY_H_
#define CUDAME_CUDA_DEVICE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cuda/device_load.h"
#include "cuda/driver.h"
#include "cuda/kernel_module.h"

namespace cudame {

// Everything here must be used, and is destroyed, with the context current or
// not: destructors make it current themselves and ignore what fails, because a
// device that is lost fails every call.
class Device {
  public:
    // Shares context if there is one, which must be of the device with this
    // ordinal (-1: any), else retains that device's primary context (-1: the least
    // loaded one's, or another's if that cannot be had).
    Device(void* context, int ordinal);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const Driver& driver() const { return *driver_; }
    CUcontext context() const { return context_; }
    int ordinal() const { return use_.device(); }
    // Work of one frame overlaps across these; the front goes first.
    enum { kCopy, kCopy2, kBack, kBack2, kBack3, kFront, kFront2, kStreams };
    CUstream stream(int which) const { return streams_[which]; }
    // Waits for all of them; errors do not matter.
    void SynchronizeQuietly() const;
    void UnregisterQuietly(void* memory) const;
    const std::string& name() const { return name_; }
    CUfunction Function(const char* name) const;

  private:
    void OpenAny(int count);
    void OpenPrimary(int ordinal);
    void OpenOrClose(int ordinal);
    void Retain();
    void Open(int ordinal);
    void Close();

    std::shared_ptr<const Driver> driver_;
    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
    bool retained_ = false;
    DeviceUse use_;
    KernelModule module_;
    CUstream streams_[kStreams] = {};
    std::string name_;
};

using DevicePtr = std::shared_ptr<const Device>;

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

// One whose bytes are all `value` behind what kCopy does. With the context current.
std::unique_ptr<DeviceBuffer> FilledBuffer(const DevicePtr& device, size_t size,
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
    DevicePtr device_;
    void* data_ = nullptr;
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
