/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// A picture that stands still: its coding ends, and small errors go away.

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "scenarios.h"

using namespace provider_test;

namespace {

// Nothing moves. The distortion is that of a small error.
void Still(Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
    SetAll(mb, 0, 0, 0);
    for (int i = 0; i < 25; i++) mb->dist[i] = uint16_t(i < 1 ? 64 : i < 5 ? 32 : i < 9 ? 16 : 4);
}

Settings FixedQuantizer(unsigned long deadline, int cpu_used, int q) {
    Settings s;
    s.width = 320;  // wide enough for rows in several threads
    s.height = 192;
    s.deadline = deadline;
    s.cpu_used = cpu_used;
    s.min_q = s.max_q = q;
    s.kbps = 20000;
    return s;
}

std::vector<uint8_t> OneColour(const Settings &s, int y, int u, int v) {
    const size_t luma = size_t(s.width) * s.height, chroma = luma / 4;
    std::vector<uint8_t> frame(luma, uint8_t(y));
    frame.insert(frame.end(), chroma, uint8_t(u));
    frame.insert(frame.end(), chroma, uint8_t(v));
    return frame;
}

struct Coded {
    std::vector<Packet> packets;
    std::vector<uint8_t> last;  // the last frame's reconstruction
};

Coded Encode(Settings s, int threads, int frames, const Source &source, bool guided = true) {
    FakeProvider provider;
    if (guided) provider.Guide(VP8E_MP_GUIDE_AUTO);
    provider.RepairThreads();
    provider.fill = Still;
    s.threads = threads;
    Encoder encoder(s);
    EXPECT_EQ(encoder.SetProvider(provider.get()), VPX_CODEC_OK);
    Decoder decoder;
    Coded coded;
    for (int t = 0; t < frames; t++) {
        const auto frame = source(s, t);
        for (auto &packet : encoder.Encode(frame.data())) {
            coded.last = decoder.Decode(packet);
            coded.packets.push_back(std::move(packet));
        }
        // Profile 0 has no drift between encoder and decoder.
        EXPECT_TRUE(coded.last == encoder.Reconstruction()) << "frame " << t;
    }
    return coded;
}

double SquaredError(const std::vector<uint8_t> &a, const std::vector<uint8_t> &b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

struct Speed {
    const char *name;
    unsigned long deadline;
    int cpu_used;
};

void PrintTo(const Speed &speed, std::ostream *os) { *os << speed.name; }

class StandsStill : public ::testing::TestWithParam<Speed> {};

INSTANTIATE_TEST_SUITE_P(Speeds, StandsStill,
                         ::testing::Values(Speed{"Realtime8", VPX_DL_REALTIME, -8},
                                           Speed{"Realtime16", VPX_DL_REALTIME, -16},
                                           Speed{"Good2", VPX_DL_GOOD_QUALITY, 2},
                                           Speed{"Good0", VPX_DL_GOOD_QUALITY, 0}),
                         [](const auto &info) { return info.param.name; });

// At a low quantizer the residual of most macroblocks is rounded away by the decoder, and would be
// coded again and again.
TEST_P(StandsStill, EndsToBeCoded) {
    constexpr int kFrames = 60;
    const Settings s = FixedQuantizer(GetParam().deadline, GetParam().cpu_used, 4);
    const Source source = [](const Settings &s, int) { return MakeFrame(s.width, s.height, 0); };
    std::vector<Packet> one;
    for (const int threads : {1, 3}) {
        const Coded coded = Encode(s, threads, kFrames, source);
        ASSERT_EQ(coded.packets.size(), size_t(kFrames));
        if (threads == 1) one = coded.packets;
        EXPECT_TRUE(SameBytes(one, coded.packets)) << threads << " threads";
    }
    size_t most = 0;
    for (int t = kFrames - 5; t < kFrames; t++) most = std::max(most, one[t].data.size());
    // A frame in which no macroblock has a residual takes 20 to 30 bytes.
    EXPECT_LE(most, 40u);
}

// Residuals are left out only if they gain nothing, or little for a short time. 7 % are 0.3 dB.
TEST_P(StandsStill, ComesAsCloseAsWithoutTheGuide) {
    const Settings s = FixedQuantizer(GetParam().deadline, GetParam().cpu_used, 4);
    const Source source = [](const Settings &s, int) { return MakeFrame(s.width, s.height, 0); };
    const auto frame = source(s, 0);
    const double early = SquaredError(frame, Encode(s, 1, 3, source).last);
    const double late = SquaredError(frame, Encode(s, 1, 60, source).last);
    const double unguided = SquaredError(frame, Encode(s, 1, 60, source, false).last);
    EXPECT_LT(late, early);
    EXPECT_LT(late, unguided * 1.07);
}

// A picture with texture becomes brighter by 1. Y2 can add 1 to a whole macroblock.
TEST_P(StandsStill, TakesAwayAConstantErrorOfOne) {
    const Settings s = FixedQuantizer(GetParam().deadline, GetParam().cpu_used, 20);
    const Source source = [](const Settings &s, int t) {
        auto frame = MakeFrame(s.width, s.height, 0);
        for (int i = 0; i < s.width * s.height; i++) {
            frame[i] = uint8_t(std::min(frame[i], uint8_t(254)) + (t >= 10));
        }
        return frame;
    };
    const auto mean_error = [&](int frames) {
        const auto frame = source(s, 10), last = Encode(s, 1, frames, source).last;
        double sum = 0;
        for (int i = 0; i < s.width * s.height; i++) sum += frame[i] - last[i];
        return sum / (s.width * s.height);
    };
    EXPECT_NEAR(mean_error(10), 1, 0.1);
    EXPECT_NEAR(mean_error(20), 0, 0.1);
}

// The step of chroma at this quantizer is 40 times the least one that takes away an error of 1.
TEST_P(StandsStill, OfOneColourBecomesExact) {
    const Settings s = FixedQuantizer(GetParam().deadline, GetParam().cpu_used, 50);
    const Source source = [](const Settings &s, int t) {
        return t ? OneColour(s, 128, 128, 128) : OneColour(s, 129, 129, 127);
    };
    std::vector<Packet> one;
    for (const int threads : {1, 3}) {
        const Coded coded = Encode(s, threads, 12, source);
        if (threads == 1) one = coded.packets;
        EXPECT_TRUE(SameBytes(one, coded.packets)) << threads << " threads";
        EXPECT_EQ(SquaredError(coded.last, source(s, 11)), 0);
    }
}

}  // namespace
