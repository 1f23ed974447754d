// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Planes on the device, and uploads to them.

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
#include "cuda/streams.h"
#include "cudame/whole_frame.h"

namespace cudame {

// A plane on the device, with borders. Copies share its memory.
class DevicePlane {
  public:
    // rows_below: more rows, for DevicePlane(above, rows).
    DevicePlane(const DevicePtr& device, const Geometry& g, int border, int rows_below = 0);
    // A plane in the memory of `above`, whose first row is this number of rows below.
    DevicePlane(const DevicePlane& above, int rows);

    int stride() const { return static_cast<int>(stride_); }
    CUdeviceptr origin() const {
        return memory_->address() + static_cast<size_t>(first_row_) * stride_ +
               static_cast<size_t>(border_) * (stride_ + 1);
    }
    const uint8_t* pixels() const { return reinterpret_cast<const uint8_t*>(origin()); }
    const Geometry& geometry() const { return g_; }
    int border() const { return border_; }

  private:
    Geometry g_;
    int border_, first_row_ = 0;
    size_t stride_;
    std::shared_ptr<DeviceBuffer> memory_;
};

// The caller's persistent memory. It is registered with the driver if it was announced, or after a
// few uploads, because registering takes as long as some copies. The driver copies unregistered
// memory through memory of its own.
class HostMemory {
  public:
    explicit HostMemory(StreamsPtr streams) : streams_(std::move(streams)) {}
    ~HostMemory() { Forget(); }
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;

    // Registers memory that later planes are in. Waits for its turn for up to 100 ms.
    void Expect(const uint8_t* begin, size_t size);
    // Notes that a copy of the whole plane follows. Returns whether its memory is registered.
    bool Use(const cudame_plane& plane);
    // Whether all rows of a plane are in one piece of registered memory.
    bool Has(const cudame_plane& plane) const;
    // Unregisters all memory. No upload may read it at this time.
    void Forget();

  private:
    struct Range {
        size_t size = 0;
        int uses = 0;
        bool tried = false, registered = false;  // a failed registration is not repeated
    };
    void Register(const uint8_t* begin, size_t size, Range* range);

    StreamsPtr streams_;
    std::map<const uint8_t*, Range> ranges_;  // planes, and announced memory
};

// Describes a plane of a picture in the caller's memory, which stays allocated.
cudame_plane PlaneOf(const cudame_planes& planes, int plane, const Geometry& g, int border);

// Uploads planes. Copies and kernels run on kCopy unless a stream is given.
class Uploader {
  public:
    explicit Uploader(StreamsPtr streams);

    // Uploads rows of a plane. Returns the number of bytes. Registered memory is read later, in the
    // order of the stream.
    uint64_t Upload(const cudame_plane& plane, int first, int rows, const DevicePlane& to,
                    StreamName stream = kCopy);
    // Uploads a plane with its border. The plane must be UsableInPlace().
    uint64_t UploadWhole(const cudame_plane& plane, const DevicePlane& to);
    // Copies a picture that the device has made, Y, U and V, with borders, and shrinks its luma.
    void Take(const DevicePlane (&from)[3], const DevicePlane* const (&to)[3],
              const DevicePlane& coarse);
    // Replicates the edges of rows that were uploaded.
    void Pad(const cudame_plane& plane, int first, int rows, const DevicePlane& to,
             StreamName stream = kCopy);
    // Shrinks a plane to a quarter of its width and height.
    void Shrink(const DevicePlane& from, const DevicePlane& to);

    // Makes the half-pel planes of a padded plane.
    void MakeHalfPel(const DevicePlane& from, enum cudame_filter filter,
                     const std::unique_ptr<DevicePlane> (&to)[3]);

    HostMemory& memory() { return memory_; }
    // Waits until no upload reads the caller's memory, and unregisters it. A device that can access
    // pageable memory (ATS) may read unregistered memory late, too.
    void ForgetMemory();
    // The number of uploads so far.
    uint64_t count() const { return count_; }
    // Notes that the first `count` uploads are done.
    void SetDone(uint64_t count) { done_ = count; }
    // Waits until the first `count` uploads are done.
    void WaitFor(uint64_t count);

  private:
    static ShrinkParams ShrinkTo(const DevicePlane& from, const DevicePlane& to);

    StreamsPtr streams_;
    HostMemory memory_;
    Kernel<PadParams> pad_;
    Kernel<TakeParams> take_;
    Kernel<ShrinkParams> shrink_;
    Kernel<HalfPlanesParams> half_planes_;
    uint64_t count_ = 0, done_ = 0;
};

// Keeps the planes of retired references for later ones, because allocating takes longer than an
// upload. No kernel reads them, because frames end before their references retire.
class PlanePool {
  public:
    struct Planes {
        DevicePlane frame, coarse;
        // `frame` shifted by half a pixel to the right, down, and both. NULL if the search does not
        // need them.
        std::unique_ptr<DevicePlane> half_pel[3];
        // For whole frames, with a border of 16 pixels. NULL: not allocated yet.
        std::unique_ptr<DevicePlane> chroma[2];
        bool has_chroma;  // whether they have the reference's pixels

        void AllocateChroma(const DevicePtr& device);
    };

    explicit PlanePool(bool half_pel) : half_pel_(half_pel) {}
    void Resize(const Geometry& g);
    std::unique_ptr<Planes> Get(const DevicePtr& device);
    // Allocates planes that Get() will return, with chroma.
    void Fill(const DevicePtr& device, int count);
    void Put(std::unique_ptr<Planes> planes);  // does not throw, because destructors call it

  private:
    const bool half_pel_;
    std::mutex mutex_;
    Geometry g_;
    std::vector<std::unique_ptr<Planes>> free_;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_UPLOAD_H_
