// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Downloads of pictures: cudame/download.h without its checks.

#ifndef CUDAME_SRC_DOWNLOADER_H_
#define CUDAME_SRC_DOWNLOADER_H_

#include "cudame/download.h"

namespace cudame {

class Downloader {
  public:
    virtual ~Downloader() = default;
    // Starts the download of a picture that is ready when the work on the CUstream is done.
    virtual void Start(const cudame_picture& device, void* cu_stream) = 0;
    // Waits for it; the planes are valid until the next start.
    virtual cudame_picture Wait() = 0;
};

}  // namespace cudame

#endif  // CUDAME_SRC_DOWNLOADER_H_
