// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The CUDA backend's buffers for references and for motion records.

#ifndef CUDAME_CUDA_BUFFERS_H_
#define CUDAME_CUDA_BUFFERS_H_

#include <memory>
#include <utility>
#include <vector>

#include "backend.h"
#include "common/error.h"
#include "common/plane.h"
#include "cuda/device_memory.h"
#include "cuda/upload.h"

namespace cudame {

// Records in pinned memory. Kernels write complete rows to it.
template <class Base>
class PinnedRecords : public Base {
  public:
    PinnedRecords(const DevicePtr& device, size_t mbs)
        : host_(device, mbs * sizeof(typename Base::Record)) {
        this->records = host_.as<typename Base::Record>();
        this->count = mbs;
    }

  private:
    PinnedBuffer host_;
};
using CudaIntraField = PinnedRecords<IntraField>;

// The motion records of a frame. Their 16x16 vectors also stay on the device, because they predict
// the next frame's vectors.
class CudaField : public PinnedRecords<Field> {
  public:
    CudaField(const DevicePtr& device, size_t mbs, bool split)
        : PinnedRecords(device, mbs), best_(device, mbs * sizeof(cudame_mv)) {
        if (!split) return;
        host_splits_ = std::make_unique<PinnedBuffer>(device, mbs * sizeof(cudame_split));
        splits = host_splits_->as<cudame_split>();
    }
    cudame_mv* best() const { return best_.as<cudame_mv>(); }
    // Copies the 16x16 vectors of another backend's records to best().
    void TakeVectors(const Field& other, const Streams& streams) {
        std::vector<cudame_mv> vectors(other.count);
        for (size_t i = 0; i < other.count; i++) vectors[i] = other.records[i].mv;
        const Driver& driver = streams.device()->driver();
        CUDAME_CHECK(driver, cuMemcpyHtoDAsync(best_.address(), vectors.data(),
                                               other.count * sizeof(cudame_mv), streams[kCopy]));
        CUDAME_CHECK(driver, cuStreamSynchronize(streams[kCopy]));
    }

  private:
    std::unique_ptr<PinnedBuffer> host_splits_;
    DeviceBuffer best_;
};

class CudaReference : public ReferenceBuffer {
  public:
    // likely: the filter that the next frame will probably have. made: Y, U and V of the picture,
    // if the device has made it. The first AddRows() reads it.
    CudaReference(const DevicePtr& device, const std::shared_ptr<PlanePool>& pool,
                  Uploader* uploader, const enum cudame_filter& likely,
                  const DevicePlane (*made)[3])
        : device_(device),
          pool_(pool),
          uploader_(uploader),
          likely_(likely),
          made_(made),
          planes_(pool->Get(device)) {}
    ~CudaReference() override {
        uploader_->WaitFor(last_upload_);
        pool_->Put(std::move(planes_));
    }
    uint64_t AddRows(const cudame_plane& plane, int first_row, int rows) override {
        CurrentContext current(device_->driver(), device_->context());
        const Geometry& g = planes_->frame.geometry();
        const bool complete = first_row + rows >= UsedRows(plane, g);
        const bool at_once = !first_row && complete;
        const auto made = std::exchange(made_, nullptr);
        uint64_t bytes = 0;
        if (!first_row) uploader_->memory().Use(plane);  // also for downloads that follow
        // A search does without chroma.
        if (made && at_once && plane.width >= g.mb_width() && plane.height >= g.mb_height() &&
            HasDeviceMemory([&] { planes_->AllocateChroma(device_); })) {
            uploader_->Take(*made,
                            {&planes_->frame, planes_->chroma[0].get(), planes_->chroma[1].get()},
                            planes_->coarse);
            planes_->has_chroma = true;
        } else {
            if (at_once && UsableInPlace(plane, g)) {
                bytes = uploader_->UploadWhole(plane, planes_->frame);
            } else {
                bytes = uploader_->Upload(plane, first_row, rows, planes_->frame);
                uploader_->Pad(plane, first_row, rows, planes_->frame);
            }
            if (complete) uploader_->Shrink(planes_->frame, planes_->coarse);
        }
        last_upload_ = uploader_->count();
        // Made early, like the coarse plane, so that the next frame need not wait.
        if (complete && planes_->half_pel[0]) MakeHalfPel(likely_);
        return bytes;
    }
    const DevicePlane& plane() const { return planes_->frame; }
    const DevicePlane& coarse() const { return planes_->coarse; }
    PlanePool::Planes* planes() const { return planes_.get(); }
    const DevicePlane& half_pel(int i) const { return *planes_->half_pel[i]; }

    // Makes half_pel(), unless it was made for this filter. All rows must have been added.
    void MakeHalfPel(enum cudame_filter filter) const {
        if (half_pel_made_ == filter + 1) return;
        uploader_->MakeHalfPel(planes_->frame, filter, planes_->half_pel);
        half_pel_made_ = filter + 1;
    }

  private:
    DevicePtr device_;
    std::shared_ptr<PlanePool> pool_;
    Uploader* uploader_;
    const enum cudame_filter& likely_;
    const DevicePlane (*made_)[3];
    uint64_t last_upload_ = 0;
    mutable int half_pel_made_ = 0;  // 1 + the filter of half_pel(); 0: none was made
    std::unique_ptr<PlanePool::Planes> planes_;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_BUFFERS_H_
