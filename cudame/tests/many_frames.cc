// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "many_frames.h"

#include <cstdlib>
#include <deque>

#include "cuda/device.h"
#include "cuda/frame_coder.h"

void SetPatience() {
    if (const char* times = getenv("CUDAME_TEST_PATIENCE"))
        cudame::FrameCoder::SetPatience(atoi(times));
}

struct ManyFrames::Counts {
    const cudame::DevicePtr device = cudame::OpenDevice(nullptr, 0);
    std::deque<cudame::Device::RowCount> frames;
};

ManyFrames::ManyFrames() : counts_(std::make_unique<Counts>()) {
    for (int i = 0; i < 100; i++) counts_->frames.emplace_back(*counts_->device, 68);
}

ManyFrames::~ManyFrames() = default;
