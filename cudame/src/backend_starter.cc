// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "backend_starter.h"

#include "backends.h"

namespace cudame {

BackendStarter::BackendStarter(const BackendConfig& config, int after_ms)
    : config_(config), after_ns_(static_cast<uint64_t>(after_ms) * 1000000) {
    CheckCuda();
}

BackendStarter::~BackendStarter() {
    if (thread_.joinable()) thread_.join();
}

void BackendStarter::Start(const Geometry& geometry) {
    geometry_ = geometry;
    thread_ = std::thread([this] {
        code_ = Barrier(text_, sizeof(text_), [this] {
            backend_ = CreateBackend(CUDAME_BACKEND_CUDA, config_, geometry_);
        });
        done_ = true;
    });
}

std::unique_ptr<Backend> BackendStarter::Take(uint64_t search_ns, const Geometry& geometry) {
    if (!thread_.joinable()) {
        if (search_ns >= after_ns_) Start(geometry);
        return nullptr;
    }
    if (!done_) return nullptr;
    if (code_) throw Error(code_, text_);
    if (geometry.width != geometry_.width || geometry.height != geometry_.height)
        backend_->Resize(geometry);
    return std::move(backend_);
}

}  // namespace cudame
