// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Planes on the device, and how they get there.

#ifndef CUDAME_CUDA_UPLOAD_H_
#define CUDAME_CUDA_UPLOAD_H_

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "common/geometry.h"
#include "common/plane.h"
#include "cuda/device_memory.h"
#include "cuda/kernel.h"

namespace cudame {

// A plane on the device, with borders.
class DevicePlane {
  public:
    DevicePlane(const DevicePtr& device, const Geometry& g, int border);

    int stride() const { return static_cast<int>(stride_); }
    CUdeviceptr origin() const {
        return memory_.address() + static_cast<size_t>(border_) * (stride_ + 1);
    }
    const uint8_t* pixels() const { return reinterpret_cast<const uint8_t*>(origin()); }
    const Geometry& geometry() const { return g_; }
    int border() const { return border_; }

  private:
    Geometry g_;
    int border_;
    size_t stride_;
    DeviceBuffer memory_;
};

// The caller's persistent memory, registered with the driver once it has been
// used a few times, because registering costs as much as some copies. What is
// not registered is copied by the driver through memory of its own.
class HostMemory {
  public:
    explicit HostMemory(DevicePtr device) : device_(std::move(device)) {}
    ~HostMemory() { Forget(); }
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;

    // An upload of the whole plane follows.
    void Use(const cudame_plane& plane);
    // Nothing may be read from it any more.
    void Forget();

  private:
    struct Range {
        size_t size = 0;
        int uses = 0;
        bool registered = false;
    };
    DevicePtr device_;
    std::map<const uint8_t*, Range> ranges_;
};

// Copies planes to the device, in the order of the copy stream.
class Uploader {
  public:
    explicit Uploader(DevicePtr device);

    // Return bytes. Memory that is registered is read until the copy stream has
    // got there.
    uint64_t Upload(const cudame_plane& plane, int first, int rows, const DevicePlane& to,
                    int stream = Device::kCopy);
    // The plane with its border at once, if UsableInPlace().
    uint64_t UploadWhole(const cudame_plane& plane, const DevicePlane& to);
    // Replicates the edges of what was uploaded.
    void Pad(const cudame_plane& plane, int first, int rows, const DevicePlane& to,
             int stream = Device::kCopy);
    // A whole plane at a quarter of its size.
    void Shrink(const DevicePlane& from, const DevicePlane& to);

    // The half-pel planes of a padded plane.
    void MakeHalfPel(const DevicePlane& from, enum cudame_filter filter,
                     const std::unique_ptr<DevicePlane> (&to)[3]);

    HostMemory& memory() { return memory_; }
    // Returns when no upload reads the caller's memory any more: where a device reads
    // pageable memory itself (ATS), unregistered memory too.
    void ForgetMemory();
    // Uploads so far, and those that are known to be done.
    uint64_t count() const { return count_; }
    void SetDone(uint64_t count) { done_ = count; }
    void WaitFor(uint64_t count);

  private:
    DevicePtr device_;
    HostMemory memory_;
    Kernel pad_, shrink_, half_planes_;
    uint64_t count_ = 0, done_ = 0;
};

// Planes of retired references, for the next ones: allocating takes longer than
// an upload. Frames end before their references retire, so that nothing still
// reads them.
class PlanePool {
  public:
    struct Planes {
        DevicePlane frame, coarse;
        // Of frame, at half a pixel right, down, both; if the search wants them.
        std::unique_ptr<DevicePlane> half_pel[3];
    };

    explicit PlanePool(bool half_pel) : half_pel_(half_pel) {}
    void Resize(const Geometry& g);
    std::unique_ptr<Planes> Get(const DevicePtr& device);
    void Put(std::unique_ptr<Planes> planes);  // throws nothing: destructors call it

  private:
    const bool half_pel_;
    std::mutex mutex_;
    Geometry g_;
    std::vector<std::unique_ptr<Planes>> free_;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_UPLOAD_H_
