/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// After an error in a frame the encoder is usable: none of its threads still works on the frame,
// the provider got frame_end, and the next frames are coded.

#include <gtest/gtest.h>
#include <unistd.h>

#include <random>
#include <stdexcept>

#include "codec.h"
#include "fake_provider.h"
#include "scenarios.h"

namespace provider_test {
namespace {

// Noise whose tokens take more than libvpx's packet buffer of 1.5 bytes per pixel.
std::vector<uint8_t> Noise(const Settings &s, int t) {
    std::vector<uint8_t> frame(FrameBytes(s.width, s.height));
    std::mt19937 rng(static_cast<unsigned>(t));
    for (uint8_t &pixel : frame) pixel = rng() & 1 ? 255 : 0;
    return frame;
}

class Recovery : public testing::TestWithParam<int> {
  protected:
    // If a test hangs, a signal ends it.
    void SetUp() override { alarm(60); }
    void TearDown() override { alarm(0); }

    static void CodeAfterFailures(const Settings &s, FakeProvider *provider);
    static Settings Overfull() {
        Settings s;
        s.width = 352;
        s.height = 288;
        s.deadline = VPX_DL_REALTIME;
        s.cpu_used = -8;
        s.kbps = 900000;
        s.min_q = s.max_q = 0;
        s.error_resilient = VPX_ERROR_RESILIENT_PARTITIONS;
        s.threads = GetParam();
        return s;
    }
};

INSTANTIATE_TEST_SUITE_P(Threads, Recovery, testing::Values(1, 2, 8));

// Failing and other frames alternate: a thread that still worked on a failed frame would disturb
// the next frame's rows.
void Recovery::CodeAfterFailures(const Settings &s, FakeProvider *provider) {
    FakeProvider &p = *provider;
    p.RepairThreads();
    p.Guide(VP8E_MP_GUIDE_AGGRESSIVE);
    p.fill = FillGuided;
    Encoder encoder(s);
    ASSERT_EQ(encoder.SetProvider(p.get()), VPX_CODEC_OK);
    int failed = 0;
    for (int t = 0; t < 12; t++) {
        const bool fits = t % 3 == 2;
        try {
            const auto frame = fits ? MakeFrame(s.width, s.height, t) : Noise(s, t);
            const auto packets = encoder.Encode(frame.data(), fits ? VPX_EFLAG_FORCE_KF : 0);
            ASSERT_EQ(packets.size(), 1u);
            Decoder decoder;
            if (fits) {
                EXPECT_EQ(decoder.Decode(packets[0]), encoder.Reconstruction()) << "frame " << t;
            }
        } catch (const std::runtime_error &error) {
            ASSERT_FALSE(fits) << error.what();
            failed++;
        }
        EXPECT_EQ(p.begun, p.ended) << "frame " << t;
    }
    EXPECT_GT(failed, 0) << "the noise must cause errors for this test";
}

TEST_P(Recovery, CodesFramesAfterOneThatDidNotFit) {
    FakeProvider p;
    CodeAfterFailures(Overfull(), &p);
}

// The tokens of failing frames are the provider's.
TEST_P(Recovery, CodesWholeFramesAfterOneThatDidNotFit) {
    Settings s = Overfull();
    s.buffer_ms = 500;  // at a variable bitrate there are no whole frames
    FakeProvider p;
    p.CodeFrames();
    CodeAfterFailures(s, &p);
    EXPECT_EQ(p.coded_frames, p.begun);
}

// The call after the error may free the frame's buffers, or end its threads.
TEST_P(Recovery, ChangesBuffersAfterAFrameThatDidNotFit) {
    const Settings s = Overfull();
    for (int end = 0; end < 3; end++) {
        FakeProvider p;
        p.RepairThreads();
        Encoder encoder(s);
        ASSERT_EQ(encoder.SetProvider(p.get()), VPX_CODEC_OK);
        EXPECT_THROW(
            for (int t = 0; t < 4; t++) encoder.Encode(Noise(s, t).data()), std::runtime_error);
        if (end == 0) encoder.Resize(176, 144);
        if (end == 1) encoder.SetThreads(1 + s.threads % 8);
        if (end == 2) continue;
        const auto frame = end ? MakeFrame(352, 288, 0) : MakeFrame(176, 144, 0);
        EXPECT_EQ(encoder.Encode(frame.data(), VPX_EFLAG_FORCE_KF).size(), 1u);
    }
}

}  // namespace
}  // namespace provider_test
