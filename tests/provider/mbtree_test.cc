/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// The macroblock tree: a macroblock has a lower quantizer if more of the frames ahead are predicted
// from it.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "scenarios.h"

using namespace provider_test;

namespace {

constexpr int kFrames = 40, kAhead = 12;

Settings Small() {
    Settings s;
    s.cpu_used = 2;
    s.kbps = 250;
    return s;
}

// A still texture around a square of noise. The noise is new in each frame.
std::vector<uint8_t> HalfNew(const Settings &s, int t) {
    std::mt19937 still(1), moving(unsigned(t + 2));
    std::vector<uint8_t> frame(FrameBytes(s.width, s.height), 128);
    for (int y = 0; y < s.height; y++) {
        for (int x = 0; x < s.width; x++) {
            const bool is_new = x >= 48 && x < 112 && y >= 48 && y < 112;
            const int texture =
                100 + int(40 * std::sin(x * 0.3) * std::cos(y * 0.2)) + int(still() % 24);
            frame[size_t(y) * s.width + x] = uint8_t(is_new ? 64 + int(moving() % 128) : texture);
        }
    }
    return frame;
}

struct Stream {
    std::vector<Packet> packets;
    double error = 0;  // mean squared error of luma
    size_t size = 0;
    int with_segments = 0;  // number of frames with segments
};

int *frames_with_segments;

void Count(void *, const vp8e_mp_counts_t *counts) {
    *frames_with_segments += counts->segment[1] + counts->segment[2] + counts->segment[3] > 0;
}

using Prepare = std::function<void(Encoder &)>;

// Encodes in one pass with a lookahead, or in two passes if s has hidden frames. mbtree: whether
// the provider asks for the macroblock tree.
Stream Encode(const Settings &s, int mbtree, const Source &source = HalfNew,
              const Prepare &prepare = nullptr, int ahead = kAhead,
              int guide = VP8E_MP_GUIDE_AUTO) {
    Stream stream;
    FakeProvider provider;
    provider.fill = FillGuided;
    provider.Guide(guide);
    provider.RepairThreads();
    vp8e_motion_provider_t callbacks = *provider.get();
    callbacks.lookahead = s.arf ? 0 : ahead;
    callbacks.mbtree = mbtree;
    callbacks.frame_counts = Count;
    frames_with_segments = &stream.with_segments;
    Encoder encoder(s, s.arf ? 2 : 0, Statistics(s, kFrames, source));
    EXPECT_EQ(encoder.SetProvider(&callbacks), VPX_CODEC_OK);
    if (prepare) prepare(encoder);
    Decoder decoder;
    int shown = 0;
    stream.packets = EncodeAll(&encoder, s, kFrames, source);
    for (const Packet &p : stream.packets) {
        const auto picture = decoder.Decode(p);
        stream.size += p.data.size();
        if (!p.shown) continue;
        const auto original = source(s, shown++);
        for (size_t i = 0; i < size_t(s.width) * s.height; i++) {
            stream.error += std::pow(double(picture[i]) - original[i], 2);
        }
    }
    EXPECT_EQ(shown, kFrames);
    stream.error /= double(kFrames) * s.width * s.height;
    return stream;
}

TEST(MbTree, StaticMacroblocksGetMoreBits) {
    const Stream without = Encode(Small(), 0), with = Encode(Small(), 1);
    EXPECT_EQ(without.with_segments, 0);
    EXPECT_GE(with.with_segments, 2);
    // The product of error and size falls by at least 2 %.
    EXPECT_LT(with.error * double(with.size), 0.98 * without.error * double(without.size))
        << "error " << with.error << " in " << with.size << " bytes, without the tree "
        << without.error << " in " << without.size;
}

TEST(MbTree, WorksWithHiddenFrames) {
    Settings s = Small();
    s.arf = true;
    s.lag = kAhead;
    const Stream without = Encode(s, 0), with = Encode(s, 1);
    EXPECT_EQ(without.with_segments, 0);
    EXPECT_GE(with.with_segments, 2);
    EXPECT_FALSE(SameBytes(without.packets, with.packets));
}

TEST(MbTree, DoesNotDependOnThreads) {
    Settings s = Small();
    s.width = 320;
    s.height = 240;
    s.kbps = 500;
    const Stream one = Encode(s, 1);
    s.threads = 4;
    EXPECT_GE(one.with_segments, 2);
    EXPECT_TRUE(SameBytes(one.packets, Encode(s, 1).packets));
}

TEST(MbTree, OddSizes) {
    for (const auto &[width, height] : {std::pair(16, 16), {17, 33}, {49, 200}, {1, 1}}) {
        Settings s = Small();
        s.width = width;
        s.height = height;
        const auto source = [](const Settings &size, int t) {
            auto frame = MakeFrame(size.width, size.height, t);
            return frame;
        };
        EXPECT_GE(Encode(s, 1, source).packets.size(), size_t(kFrames));
    }
}

// With these settings the request changes nothing.
TEST(MbTree, IsOffWhereItDoesNotApply) {
    const auto same = [](const char *name, const Settings &s, const Source &source = HalfNew,
                         const Prepare &prepare = nullptr, int ahead = kAhead,
                         int guide = VP8E_MP_GUIDE_AUTO) {
        const Stream with = Encode(s, 1, source, prepare, ahead, guide);
        EXPECT_TRUE(SameBytes(with.packets, Encode(s, 0, source, prepare, ahead, guide).packets))
            << name;
    };
    const auto with = [](auto change) {
        Settings s = Small();
        change(s);
        return s;
    };
    same("no frames ahead", Small(), HalfNew, nullptr, 0);
    same("realtime", with([](Settings &s) {
             s.deadline = VPX_DL_REALTIME;
             s.cpu_used = -8;  // a positive speed would depend on the clock
         }));
    same("one quantizer", with([](Settings &s) { s.min_q = s.max_q = 30; }));
    same("error resilience", with([](Settings &s) { s.error_resilient = 1; }));
    same("denoiser", with([](Settings &s) { s.noise_sensitivity = 2; }));
    same("drawn content", Small(), Drawn);
    same("no guide", Small(), HalfNew, nullptr, kAhead, VP8E_MP_GUIDE_OFF);
    same("tuned for SSIM", Small(), HalfNew, [](Encoder &encoder) {
        EXPECT_EQ(vpx_codec_control(encoder.ctx(), VP8E_SET_TUNING, VP8_TUNE_SSIM), VPX_CODEC_OK);
    });
}

TEST(MbTree, TheUsersRegionsOfInterestTakePrecedence) {
    const Settings s = Small();
    const int cols = (s.width + 15) / 16, rows = (s.height + 15) / 16;
    std::vector<uint8_t> map(size_t(cols) * rows);
    for (size_t i = 0; i < map.size(); i++) map[i] = i % 3 == 0;
    const Prepare prepare = [&](Encoder &encoder) {
        vpx_roi_map_t roi{};
        roi.roi_map = map.data();
        roi.rows = unsigned(rows);
        roi.cols = unsigned(cols);
        roi.delta_q[1] = -20;
        EXPECT_EQ(vpx_codec_control(encoder.ctx(), VP8E_SET_ROI_MAP, &roi), VPX_CODEC_OK);
    };
    const Stream with = Encode(s, 1, HalfNew, prepare);
    EXPECT_EQ(with.with_segments, kFrames);
    EXPECT_TRUE(SameBytes(with.packets, Encode(s, 0, HalfNew, prepare).packets));
}

}  // namespace
