// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/device_memory.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "common/error.h"
#include "cuda/cuda_backend.h"

namespace cudame {
namespace {

// For destructors: makes a context current if that is still possible.
class QuietContext {
  public:
    explicit QuietContext(const Device& device) : driver_(device.driver()) {
        pushed_ = driver_->cuCtxPushCurrent(device.context()) == CUDA_SUCCESS;
    }
    ~QuietContext() {
        CUcontext ignored;
        if (pushed_) driver_->cuCtxPopCurrent(&ignored);
    }

  private:
    const Driver& driver_;
    bool pushed_;
};

}  // namespace

int ListCudaDevices(cudame_device* devices, int max) {
    const std::shared_ptr<const Driver> loaded = Driver::Load();
    const Driver& driver = *loaded;
    int count = 0;
    CUDAME_CHECK(driver, cuDeviceGetCount(&count));
    for (int i = 0; i < std::min(count, max); i++) {
        cudame_device& to = devices[i];
        CUdevice device = 0;
        to = cudame_device();
        CUDAME_CHECK(driver, cuDeviceGet(&device, i));
        CUDAME_CHECK(driver, cuDeviceGetName(to.name, sizeof(to.name) - 1, device));
        CUDAME_CHECK(driver,
                     cuDeviceComputeCapability(&to.compute_major, &to.compute_minor, device));
    }
    return count;
}

Device::Device(void* context, int ordinal)
    : driver_(Driver::Load()), context_(static_cast<CUcontext>(context)) {
    const Driver& driver = *driver_;
    if (context_) {
        OpenOrClose(ordinal);
        use_.Take(device_);
        return;
    }
    int count = 0;
    CUDAME_CHECK(driver, cuDeviceGetCount(&count));
    if (ordinal >= count)
        throw Error(CUDAME_ERROR_UNAVAILABLE, "there is no CUDA device " + std::to_string(ordinal) +
                                                  ", only " + std::to_string(count));
    if (ordinal < 0 && count > 1) {
        OpenAny(count);
    } else {
        use_.Take(std::max(ordinal, 0));
        OpenPrimary(std::max(ordinal, 0));
    }
}

void Device::OpenAny(int count) {
    std::vector<bool> excluded(count);
    std::exception_ptr first_error;
    for (;;) {
        const int i = use_.TakeAny(*driver_, count, excluded);
        if (i < 0) std::rethrow_exception(first_error);
        try {
            return OpenPrimary(i);
        } catch (const Error&) {
            if (!first_error) first_error = std::current_exception();
            excluded[i] = true;
        }
    }
}

void Device::OpenPrimary(int ordinal) {
    const Driver& driver = *driver_;
    CUDAME_CHECK(driver, cuDeviceGet(&device_, ordinal));
    Retain();
    retained_ = true;
    OpenOrClose(ordinal);
}

void Device::OpenOrClose(int ordinal) {
    try {
        Open(ordinal);
    } catch (...) {
        Close();
        throw;
    }
}

void Device::Retain() {
    const Driver& driver = *driver_;
    const CUresult result = driver->cuDevicePrimaryCtxRetain(&context_, device_);
    if (result == kErrorDeviceUnavailable)
        throw Error(CUDAME_ERROR_UNAVAILABLE,
                    "CUDA device " + std::to_string(device_) +
                        " admits no other process: its compute mode is exclusive or prohibited");
    driver.Check(result, "cuDevicePrimaryCtxRetain");
}

void Device::Open(int ordinal) {
    const Driver& driver = *driver_;
    CurrentContext current(driver, context_);
    CUDAME_CHECK(driver, cuCtxGetDevice(&device_));
    if (ordinal >= 0) {
        int count = 0;
        CUdevice wanted = 0;
        CUDAME_CHECK(driver, cuDeviceGetCount(&count));
        if (ordinal < count) CUDAME_CHECK(driver, cuDeviceGet(&wanted, ordinal));
        if (ordinal >= count || wanted != device_)
            Invalid("the CUDA context given is not one of device " + std::to_string(ordinal));
    }
    char name[100] = "";
    CUDAME_CHECK(driver, cuDeviceGetName(name, sizeof(name), device_));
    name_ = name;
    module_.Load(driver, name);
    for (CUstream& stream : streams_) {
        const bool first = &stream >= &streams_[kFront];
        if (first && driver.cuStreamCreateWithPriority)
            driver.Check(driver.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -1),
                         "cuStreamCreateWithPriority");
        else
            CUDAME_CHECK(driver, cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    }
}

void Device::Close() {
    const Driver& driver = *driver_;
    {
        QuietContext current(*this);
        for (CUstream& stream : streams_) {
            if (stream) driver->cuStreamDestroy(stream);
            stream = nullptr;
        }
        module_.Release(driver);
    }
    if (!retained_) return;
    retained_ = false;
    driver->cuDevicePrimaryCtxRelease(device_);
    unsigned flags = 0;
    int lives = 1;
    if (driver->cuDevicePrimaryCtxGetState(device_, &flags, &lives) == CUDA_SUCCESS && !lives)
        module_.Forget();
}

Device::~Device() { Close(); }

void Device::SynchronizeQuietly() const {
    QuietContext current(*this);
    for (CUstream stream : streams_) driver()->cuStreamSynchronize(stream);
}

void Device::UnregisterQuietly(void* memory) const {
    QuietContext current(*this);
    driver().cuMemHostUnregister(memory);
}

CUfunction Device::Function(const char* name) const {
    CurrentContext current(driver(), context_);
    return module_.Function(driver(), name);
}

DeviceBuffer::DeviceBuffer(DevicePtr device, size_t size) : device_(std::move(device)) {
    CUDAME_CHECK(device_->driver(), cuMemAlloc(&address_, size));
}

DeviceBuffer::~DeviceBuffer() {
    QuietContext current(*device_);
    device_->driver()->cuMemFree(address_);
}

std::unique_ptr<DeviceBuffer> FilledBuffer(const DevicePtr& device, size_t size,
                                           unsigned char value) {
    auto buffer = std::make_unique<DeviceBuffer>(device, size);
    CUDAME_CHECK(device->driver(),
                 cuMemsetD8Async(buffer->address(), value, size, device->stream(Device::kCopy)));
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
