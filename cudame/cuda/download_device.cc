// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/download_device.h"

#include <vector>

#include "cuda/cuda_backend.h"
#include "cuda/split_params.h"

namespace cudame {
namespace {

// Rows have whole vectors, for the kernel that writes them and for the encoder that reads them.
constexpr size_t kAlign = 64;
size_t AlignedRow(int width) { return (static_cast<size_t>(width) + kAlign - 1) / kAlign * kAlign; }

StreamsPtr OneStream(const DevicePtr& device) {
    CurrentContext current(device->driver(), device->context());
    return std::make_shared<Streams>(device, std::vector<StreamName>{kCopy});
}

}  // namespace

CudaDownloader::CudaDownloader(void* context, int width, int height)
    : device_(OpenDevice(context, -1)),
      streams_(OneStream(device_)),
      split_(device_, kernel::kSplitChroma),
      width_(width),
      height_(height) {
    CurrentContext current(device_->driver(), device_->context());
    const size_t luma = AlignedRow(width), chroma = AlignedRow((width + 1) / 2);
    const size_t rows = static_cast<size_t>(height), chroma_rows = (rows + 1) / 2;
    memory_ = std::make_unique<PinnedBuffer>(device_, luma * rows + 2 * chroma * chroma_rows);
    produced_ = std::make_unique<Event>(device_, CU_EVENT_DISABLE_TIMING);
    // Sleep while waiting: the caller has nothing else to do, and other threads may need its core.
    done_ = std::make_unique<Event>(device_, CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC);

    host_.layout = CUDAME_LAYOUT_I420;
    host_.plane[0] = memory_->as<uint8_t>();
    host_.plane[1] = host_.plane[0] + luma * rows;
    host_.plane[2] = host_.plane[1] + chroma * chroma_rows;
    host_.stride[0] = static_cast<ptrdiff_t>(luma);
    host_.stride[1] = host_.stride[2] = static_cast<ptrdiff_t>(chroma);
}

CudaDownloader::~CudaDownloader() {
    // A copy may still write to memory that is freed here.
    streams_->SynchronizeQuietly();
}

void CudaDownloader::CopyPlane(const cudame_picture& from, int plane, int width, int height) {
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = reinterpret_cast<CUdeviceptr>(from.plane[plane]);
    copy.srcPitch = static_cast<size_t>(from.stride[plane]);
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = const_cast<uint8_t*>(host_.plane[plane]);
    copy.dstPitch = static_cast<size_t>(host_.stride[plane]);
    copy.WidthInBytes = static_cast<size_t>(width);
    copy.Height = static_cast<size_t>(height);
    CUDAME_CHECK(device_->driver(), cuMemcpy2DAsync(&copy, (*streams_)[kCopy]));
}

void CudaDownloader::Start(const cudame_picture& from, void* producer) {
    const Driver& driver = device_->driver();
    CurrentContext current(driver, device_->context());
    const CUstream stream = (*streams_)[kCopy];
    const int width = (width_ + 1) / 2, height = (height_ + 1) / 2;

    CUDAME_CHECK(driver, cuEventRecord(produced_->get(), static_cast<CUstream>(producer)));
    CUDAME_CHECK(driver, cuStreamWaitEvent(stream, produced_->get(), 0));
    CopyPlane(from, 0, width_, height_);
    if (from.layout == CUDAME_LAYOUT_NV12) {
        // The kernel writes directly to host memory, which saves a copy.
        SplitParams p = {};
        p.from = from.plane[1];
        p.from_stride = from.stride[1];
        p.to[0] = const_cast<uint8_t*>(host_.plane[1]);
        p.to[1] = const_cast<uint8_t*>(host_.plane[2]);
        p.to_stride = host_.stride[1];
        p.width = width;
        p.height = height;
        const int threads = (width + kSplitPixels - 1) / kSplitPixels;
        split_.Launch(stream, {split_.BlocksOf(threads), static_cast<unsigned>(height)}, p);
    } else {
        CopyPlane(from, 1, width, height);
        CopyPlane(from, 2, width, height);
    }
    CUDAME_CHECK(driver, cuEventRecord(done_->get(), stream));
}

cudame_picture CudaDownloader::Wait() {
    CurrentContext current(device_->driver(), device_->context());
    CUDAME_CHECK(device_->driver(), cuEventSynchronize(done_->get()));
    return host_;
}

std::unique_ptr<Downloader> CreateCudaDownloader(void* cu_context, int width, int height) {
    return std::make_unique<CudaDownloader>(cu_context, width, height);
}

}  // namespace cudame
