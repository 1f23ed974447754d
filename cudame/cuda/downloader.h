// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Downloads of pictures, cudame/download.h without its checks.

#ifndef CUDAME_CUDA_DOWNLOADER_H_
#define CUDAME_CUDA_DOWNLOADER_H_

#include <memory>

#include "cuda/device_memory.h"
#include "cudame/download.h"

namespace cudame {

class Downloader {
  public:
    Downloader(void* context, int width, int height);
    ~Downloader();
    Downloader(const Downloader&) = delete;
    Downloader& operator=(const Downloader&) = delete;

    void Start(const cudame_picture& device, void* producer);
    cudame_picture Wait();

  private:
    void CopyPlane(const cudame_picture& from, int plane, int width, int height);

    DevicePtr device_;
    CUfunction split_ = nullptr;
    int width_, height_;
    std::unique_ptr<PinnedBuffer> memory_;
    std::unique_ptr<Event> produced_, done_;
    cudame_picture host_ = {};
};

}  // namespace cudame

#endif  // CUDAME_CUDA_DOWNLOADER_H_
