/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Which groups get a hidden altref frame.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "scenarios.h"

using namespace provider_test;

namespace {

constexpr int kFrames = 60, kAhead = 25;

// A texture whose pixels are waves of the same length, at random phases. From frame to frame they
// hardly change. After a quarter of a wave the picture has nothing in common with the first one.
std::vector<uint8_t> Waves(const Settings &s, int t, double length) {
    std::mt19937 random(1);
    std::vector<uint8_t> frame(FrameBytes(s.width, s.height), 128);
    // Blocks of 4x4 pixels: half the size still shows them.
    std::vector<double> phases(size_t(s.width / 4 + 1) * size_t(s.height / 4 + 1));
    for (double &phase : phases) phase = double(random() % 6283) / 1000;
    for (int y = 0; y < s.height; y++) {
        for (int x = 0; x < s.width; x++) {
            const double phase = phases[size_t(y / 4) * size_t(s.width / 4 + 1) + size_t(x / 4)];
            frame[size_t(y) * s.width + x] =
                uint8_t(128 + 60 * std::sin(phase + (length > 0 ? 2 * M_PI * t / length : 0)));
        }
    }
    return frame;
}

int HiddenFrames(double length, int guide) {
    Settings s;
    s.cpu_used = 2;
    s.kbps = 400;
    s.arf = true;
    FakeProvider provider;
    provider.fill = FillGuided;
    if (guide != VP8E_MP_GUIDE_OFF) provider.Guide(guide);
    provider.Lookahead(kAhead);
    Encoder encoder(s);
    EXPECT_EQ(encoder.SetProvider(provider.get()), VPX_CODEC_OK);
    const auto packets = EncodeAll(&encoder, s, kFrames,
                                   [&](const Settings &of, int t) { return Waves(of, t, length); });
    int hidden = 0;
    for (const Packet &p : packets) hidden += !p.shown;
    EXPECT_EQ(int(packets.size()), kFrames + hidden);
    return hidden;
}

TEST(AltRef, AStillPictureHasHiddenFrames) { EXPECT_GT(HiddenFrames(0, VP8E_MP_GUIDE_AUTO), 1); }

TEST(AltRef, APictureThatTheGroupDoesNotPredictIsNotHidden) {
    for (const double length : {40., 60.}) {
        EXPECT_GT(HiddenFrames(length, VP8E_MP_GUIDE_OFF), 0) << length;
        EXPECT_EQ(HiddenFrames(length, VP8E_MP_GUIDE_AUTO), 0) << length;
    }
}

}  // namespace
