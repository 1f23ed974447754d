// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The interface of downloads: cudame/download.h without its checks.

#ifndef CUDAME_SRC_DOWNLOADER_H_
#define CUDAME_SRC_DOWNLOADER_H_

#include "cudame/download.h"

namespace cudame {

class Downloader {
  public:
    virtual ~Downloader() = default;
    // Start the download of a picture. It is ready when the present work on the CUstream is done.
    virtual void Start(const cudame_picture& device, void* cu_stream) = 0;
    // Wait for the picture. Its planes are valid until the next Start().
    virtual cudame_picture Wait() = 0;
};

}  // namespace cudame

#endif  // CUDAME_SRC_DOWNLOADER_H_
