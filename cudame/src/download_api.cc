// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The C interface of downloads, and its checks.

#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "backends.h"
#include "common/error.h"
#include "cudame/download.h"

struct cudame_downloader {
    std::unique_ptr<cudame::Downloader> impl;
    int width = 0, height = 0;
    bool started = false;
    char error[cudame::kErrorText] = "";
};

namespace {

using cudame::BarrierOfCall;
using cudame::Invalid;

void CheckStart(const cudame_downloader& d, const cudame_picture* picture) {
    if (!picture) Invalid("no picture given");
    if (d.started) Invalid("the last download was not waited for");
    int layout;  // a C caller may store any number in an enum
    static_assert(sizeof(layout) == sizeof(picture->layout), "");
    memcpy(&layout, &picture->layout, sizeof(layout));
    if (layout != CUDAME_LAYOUT_I420 && layout != CUDAME_LAYOUT_NV12)
        Invalid("there is no layout " + std::to_string(layout));
    const int chroma = (d.width + 1) / 2;
    for (int i = 0; i < (layout == CUDAME_LAYOUT_NV12 ? 2 : 3); i++) {
        const int bytes = !i ? d.width : layout == CUDAME_LAYOUT_NV12 ? 2 * chroma : chroma;
        if (!picture->plane[i]) Invalid("plane " + std::to_string(i) + " is missing");
        if (picture->stride[i] < bytes)
            Invalid("plane " + std::to_string(i) + ": stride " +
                    std::to_string(picture->stride[i]) + " is less than " + std::to_string(bytes));
    }
}

}  // namespace

int cudame_downloader_create(cudame_downloader** d, void* cu_context, int width, int height,
                             char* err, size_t err_size) {
    return cudame::BarrierOfCreate(d, err, err_size, [&] {
        if (!d) Invalid("no downloader given");
        if (!cu_context) Invalid("no CUDA context given");
        if (width < 1 || width > CUDAME_MAX_DIMENSION || height < 1 ||
            height > CUDAME_MAX_DIMENSION)
            Invalid("a picture of " + std::to_string(width) + "x" + std::to_string(height) +
                    " pixels, allowed are 1 to " + std::to_string(CUDAME_MAX_DIMENSION));
        auto made = std::make_unique<cudame_downloader>();
        made->width = width;
        made->height = height;
        made->impl = cudame::CreateDownloader(cu_context, width, height);
        *d = made.release();
    });
}

void cudame_downloader_destroy(cudame_downloader* d) { delete d; }

int cudame_download(cudame_downloader* d, const cudame_picture* device, void* cu_stream) {
    return BarrierOfCall(d, [&] {
        CheckStart(*d, device);
        d->impl->Start(*device, cu_stream);
        d->started = true;
    });
}

int cudame_download_wait(cudame_downloader* d, cudame_picture* host) {
    return BarrierOfCall(d, [&] {
        if (!host) Invalid("no picture given");
        if (!d->started) Invalid("no download was started");
        d->started = false;
        *host = d->impl->Wait();
    });
}

const char* cudame_downloader_last_error(const cudame_downloader* d) {
    return d ? d->error : "no downloader";
}
