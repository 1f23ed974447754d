// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Downloads of pictures from a CUDA device.

#ifndef CUDAME_CUDA_DOWNLOAD_DEVICE_H_
#define CUDAME_CUDA_DOWNLOAD_DEVICE_H_

#include <memory>

#include "cuda/device_memory.h"
#include "cuda/kernel.h"
#include "cuda/streams.h"
#include "downloader.h"

namespace cudame {

class CudaDownloader : public Downloader {
  public:
    CudaDownloader(void* context, int width, int height);
    ~CudaDownloader() override;
    CudaDownloader(const CudaDownloader&) = delete;
    CudaDownloader& operator=(const CudaDownloader&) = delete;

    void Start(const cudame_picture& device, void* producer) override;
    cudame_picture Wait() override;

  private:
    void CopyPlane(const cudame_picture& from, int plane, int width, int height);

    const DevicePtr device_;
    const StreamsPtr streams_;
    Kernel<SplitParams> split_;
    int width_, height_;
    std::unique_ptr<PinnedBuffer> memory_;
    std::unique_ptr<Event> produced_, done_;
    cudame_picture host_ = {};
};

}  // namespace cudame

#endif  // CUDAME_CUDA_DOWNLOAD_DEVICE_H_
