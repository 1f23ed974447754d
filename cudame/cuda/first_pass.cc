// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/first_pass.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/cuda_backend.h"

namespace cudame {

namespace {

// A frame depends on the one before, so there is nothing to overlap.
StreamsPtr OneStream(const DevicePtr& device) {
    CurrentContext current(device->driver(), device->context());
    return std::make_shared<Streams>(device, std::vector<StreamName>{kCopy});
}

}  // namespace

CudaFirstPass::CudaFirstPass(const cudame_first_pass_config& config)
    : device_(OpenDevice(config.cu_context, config.device)),
      streams_(OneStream(device_)),
      g_(MakeGeometry(config.mb_cols * kMb, config.mb_rows * kMb)),
      search_(device_, kernel::kFirstPassSearch),
      code_(device_, kernel::kFirstPassCode),
      uploader_(streams_) {
    CurrentContext current(device_->driver(), device_->context());
    const size_t rows = static_cast<size_t>(g_.mb_rows);
    zero_ = std::make_unique<DeviceBuffer>(device_,
                                           static_cast<size_t>(g_.mbs()) * sizeof(FirstPassZero));
    counters_ = std::make_unique<DeviceBuffer>(device_, (rows + 1) * sizeof(uint32_t));
    rows_ = std::make_unique<PinnedBuffer>(device_, rows * sizeof(FirstPassRow));
    // Sleep while waiting: the caller has nothing else to do, and other threads may need its core.
    done_ = std::make_unique<Event>(device_, CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC);
}

CudaFirstPass::~CudaFirstPass() {
    // A kernel may still use memory that is freed here.
    streams_->SynchronizeQuietly();
}

CudaFirstPass::Plane* CudaFirstPass::Find(uint64_t id) {
    const auto found =
        std::find_if(planes_.begin(), planes_.end(), [id](const Plane& p) { return p.id == id; });
    return found == planes_.end() ? nullptr : &*found;
}

CudaFirstPass::Plane* CudaFirstPass::Unused(uint64_t a, uint64_t b) {
    Plane* plane = &*std::find_if(planes_.begin(), planes_.end(), [a, b](const Plane& p) {
        return !p.id || (p.id != a && p.id != b);
    });
    if (!plane->pixels) plane->pixels = std::make_unique<DevicePlane>(device_, g_, 0);
    plane->id = 0;
    return plane;
}

const uint8_t* CudaFirstPass::Upload(const cudame_plane& plane, std::unique_ptr<DevicePlane>* to) {
    if (!*to) *to = std::make_unique<DevicePlane>(device_, g_, 0);
    uploader_.memory().Use(plane);
    uploader_.Upload(plane, 0, g_.height, **to);
    return (*to)->pixels();
}

const uint8_t* CudaFirstPass::Reference(const cudame_plane& plane, uint64_t id, uint64_t other) {
    if (!plane.data) return nullptr;
    if (const Plane* known = Find(id)) return known->pixels->pixels();
    Plane* to = Unused(id, other);
    Upload(plane, &to->pixels);
    to->id = id;
    return to->pixels->pixels();
}

void CudaFirstPass::Launch(const cudame_first_pass_frame& frame, const uint8_t* last,
                           const uint8_t* golden, const DevicePlane& recon) {
    FirstPassParams p = {};
    p.source = source_->pixels();
    p.last_source = frame.breakout ? last_source_->pixels() : nullptr;
    p.last = last;
    p.golden = golden;
    p.recon = reinterpret_cast<uint8_t*>(recon.origin());
    p.stride = source_->stride();
    p.mb_cols = g_.mb_cols;
    p.mb_rows = g_.mb_rows;
    p.breakout = frame.breakout;
    p.y1 = frame.y1;
    p.y2 = frame.y2;
    memcpy(p.mv_cost, frame.mv_cost, sizeof(p.mv_cost));
    p.error_per_bit = frame.error_per_bit;
    p.zero = zero_->as<FirstPassZero>();
    p.next_row = counters_->as<uint32_t>();
    p.done = p.next_row + 1;
    p.rows = rows_->as<FirstPassRow>();
    const unsigned cols = static_cast<unsigned>(g_.mb_cols);
    const unsigned rows = static_cast<unsigned>(g_.mb_rows);
    const CUstream stream = (*streams_)[kCopy];
    const unsigned frames = p.golden && p.golden != p.last ? 2 : 1;
    search_.Launch(stream, {cols, rows, frames}, p);
    code_.Launch(stream, {rows}, p);
}

void CudaFirstPass::Download(const DevicePlane& from, const cudame_first_pass_frame& frame) {
    cudame_plane to = {};
    to.data = frame.recon;
    to.stride = frame.recon_stride;
    to.width = g_.width;
    to.height = g_.height;
    to.persistent = frame.recon_persistent;
    uploader_.memory().Use(to);
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = from.origin();
    copy.srcPitch = static_cast<size_t>(from.stride());
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = frame.recon;
    copy.dstPitch = static_cast<size_t>(frame.recon_stride);
    copy.WidthInBytes = static_cast<size_t>(g_.width);
    copy.Height = static_cast<size_t>(g_.height);
    CUDAME_CHECK(device_->driver(), cuMemcpy2DAsync(&copy, (*streams_)[kCopy]));
}

cudame_first_pass_counts CudaFirstPass::Run(const cudame_first_pass_frame& frame) {
    const Driver& driver = device_->driver();
    CurrentContext current(driver, device_->context());
    try {
        Upload(frame.source, &source_);
        if (frame.breakout) Upload(frame.last_source, &last_source_);
        // The references get their planes first; the reconstruction takes another one.
        const uint8_t* last = Reference(frame.last, frame.last_id, frame.golden_id);
        const uint8_t* golden = Reference(frame.golden, frame.golden_id, frame.last_id);
        Plane* recon =
            Unused(frame.last.data ? frame.last_id : 0, frame.golden.data ? frame.golden_id : 0);
        Launch(frame, last, golden, *recon->pixels);
        Download(*recon->pixels, frame);
        CUDAME_CHECK(driver, cuEventRecord(done_->get(), (*streams_)[kCopy]));
        CUDAME_CHECK(driver, cuEventSynchronize(done_->get()));
        uploader_.SetDone(uploader_.count());
        recon->id = frame.recon_id;
    } catch (...) {
        // The caller uses the memory that is read and written here.
        streams_->SynchronizeQuietly();
        uploader_.SetDone(uploader_.count());
        throw;
    }
    FirstPassSum sum;
    for (int row = 0; row < g_.mb_rows; row++) sum.Add(rows_->as<FirstPassRow>()[row]);
    return sum.counts();
}

std::unique_ptr<FirstPass> CreateCudaFirstPass(const cudame_first_pass_config& config) {
    return std::make_unique<CudaFirstPass>(config);
}

}  // namespace cudame
