// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/streams.h"

#include <utility>

namespace cudame {

Streams::Streams(DevicePtr device, const std::vector<StreamName>& names)
    : device_(std::move(device)) {
    const Driver& driver = device_->driver();
    try {
        for (const StreamName name : names) {
            CUstream& stream = streams_[name];
            if (stream) continue;
            if (name >= kFront && driver.cuStreamCreateWithPriority)
                driver.Check(driver.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -1),
                             "cuStreamCreateWithPriority");
            else
                CUDAME_CHECK(driver, cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        }
    } catch (...) {
        Destroy();
        throw;
    }
}

Streams::~Streams() { Destroy(); }

void Streams::Destroy() {
    QuietContext current(*device_);
    for (CUstream stream : streams_)
        if (stream) device_->driver()->cuStreamDestroy(stream);
}

void Streams::Synchronize() const {
    for (CUstream stream : streams_)
        if (stream) CUDAME_CHECK(device_->driver(), cuStreamSynchronize(stream));
}

void Streams::SynchronizeQuietly() const {
    QuietContext current(*device_);
    for (CUstream stream : streams_)
        if (stream) device_->driver()->cuStreamSynchronize(stream);
}

bool Streams::HasEnded(CUstream stream) const {
    const Driver& driver = device_->driver();
    const CUresult state = driver->cuStreamQuery(stream);
    if (state == kErrorNotReady) return false;
    driver.Check(state, "cuStreamQuery");
    return true;
}

}  // namespace cudame
