// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/device_memory.h"

#include <utility>

namespace cudame {

DeviceBuffer::DeviceBuffer(DevicePtr device, size_t size) : device_(std::move(device)) {
    CUDAME_CHECK(device_->driver(), cuMemAlloc(&address_, size));
}

DeviceBuffer::~DeviceBuffer() {
    QuietContext current(*device_);
    device_->driver()->cuMemFree(address_);
}

std::unique_ptr<DeviceBuffer> FilledBuffer(const DevicePtr& device, CUstream stream, size_t size,
                                           unsigned char value) {
    auto buffer = std::make_unique<DeviceBuffer>(device, size);
    CUDAME_CHECK(device->driver(), cuMemsetD8Async(buffer->address(), value, size, stream));
    return buffer;
}

PinnedBuffer::PinnedBuffer(DevicePtr device, size_t size) : device_(std::move(device)) {
    const Driver& driver = device_->driver();
    driver.Check(driver.cuMemHostAlloc(&data_, size, kHostAllocPortable | kHostAllocMapped),
                 "cuMemHostAlloc");
}

PinnedBuffer::~PinnedBuffer() {
    QuietContext current(*device_);
    device_->driver().cuMemFreeHost(data_);
}

Event::Event(DevicePtr device, unsigned flags) : device_(std::move(device)) {
    CUDAME_CHECK(device_->driver(), cuEventCreate(&event_, flags));
}

Event::~Event() {
    QuietContext current(*device_);
    device_->driver()->cuEventDestroy(event_);
}

}  // namespace cudame
