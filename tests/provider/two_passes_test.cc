/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Quantizers of the second of two passes at a variable bitrate (mp/rc/two_passes.h).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

#include "scenarios.h"

using namespace provider_test;

namespace {

constexpr int kFrames = 120, kFps = 25;

// Like a surveillance camera: a still texture, a square that moves over it, and noise.
std::vector<uint8_t> Surveillance(const Settings &s, int t) {
    auto frame = MakeFrame(s.width, s.height, 0);
    std::mt19937 noise(unsigned(t + 1));
    for (int y = 0; y < s.height; y++) {
        for (int x = 0; x < s.width; x++) {
            uint8_t &pixel = frame[size_t(y) * s.width + x];
            const bool is_square = x >= t && x < t + 32 && y >= 48 && y < 80;
            const int value = (is_square ? 200 : pixel) + int(noise() % 9) - 4;
            pixel = uint8_t(std::clamp(value, 0, 255));
        }
    }
    return frame;
}

// Like Surveillance(), and from kCut on grain.
constexpr int kCut = kFrames / 2;
std::vector<uint8_t> EasyThenHard(const Settings &s, int t) {
    auto frame = Surveillance(s, t);
    if (t < kCut) return frame;
    std::mt19937 noise(unsigned(t + 1));
    for (uint8_t &pixel : frame) pixel = uint8_t(100 + noise() % 41);
    return frame;
}

// Like Surveillance(), with noise from kCut to kEndOfNoise - 1.
constexpr int kEndOfNoise = kCut + 15;
std::vector<uint8_t> NoiseBurst(const Settings &s, int t) {
    auto frame = Surveillance(s, t);
    if (t < kCut || t >= kEndOfNoise) return frame;
    std::mt19937 noise(unsigned(t + 1));
    for (uint8_t &pixel : frame) pixel = uint8_t(noise());
    return frame;
}

// Like Surveillance(), black in the middle: after a fade from kBlack on, and before one that ends
// at kEndOfBlack.
constexpr int kBlack = kFrames / 4, kEndOfBlack = kFrames * 3 / 4;
std::vector<uint8_t> Faded(const Settings &s, int t, int fade) {
    auto frame = Surveillance(s, t);
    const int light = std::clamp(std::max(kBlack + fade - t, t - kEndOfBlack + fade), 0, fade);
    for (int i = 0; i < s.width * s.height; i++) {
        frame[size_t(i)] = uint8_t(16 + std::max(frame[size_t(i)] - 16, 0) * light / fade);
    }
    return frame;
}
std::vector<uint8_t> CutToBlack(const Settings &s, int t) { return Faded(s, t, 1); }
std::vector<uint8_t> FadeToBlack(const Settings &s, int t) { return Faded(s, t, 10); }

// A page that scrolls by a line in every second frame.
std::vector<uint8_t> Page(const Settings &s, int t) { return Drawn(s, t / 2); }

struct Result {
    std::vector<int> q;  // quantizers of inter frames, 0 to 63
    size_t bytes = 0;

    // The median quantizer of a quarter of the frames, 0 to 3.
    int Median(size_t quarter) const {
        EXPECT_GT(q.size(), size_t(kFrames / 2));
        std::vector<int> part(q.begin() + long(q.size() * quarter / 4),
                              q.begin() + long(q.size() * (quarter + 1) / 4));
        std::nth_element(part.begin(), part.begin() + long(part.size() / 2), part.end());
        return part[part.size() / 2];
    }
};

Settings Small(int kbps) {
    Settings s;
    s.cpu_used = 2;
    s.kbps = kbps;
    s.arf = true;
    s.lag = 16;
    return s;
}

// sees: whether the queue shows the encoder that pictures are filmed.
Result Encode(const Settings &s, const Source &source, bool sees, int frames = kFrames) {
    FakeProvider provider;
    provider.fill = [](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
        SetAll(mb, 0, 0, 0);
        SetDistortion(mb, 600);
    };
    provider.Guide(VP8E_MP_GUIDE_AUTO);
    provider.RepairThreads();
    vp8e_motion_provider_t callbacks = *provider.get();
    callbacks.mbtree = sees;
    Encoder encoder(s, 2, Statistics(s, frames, source));
    EXPECT_EQ(encoder.SetProvider(&callbacks), VPX_CODEC_OK);
    Result result;
    for (int t = 0; t < frames + s.lag; t++) {
        const auto packets = encoder.Encode(t < frames ? source(s, t).data() : nullptr);
        for (const Packet &p : packets) result.bytes += p.data.size();
        // The quantizer is that of the last frame coded.
        if (packets.size() != 1 || packets[0].key || !packets[0].shown) continue;
        result.q.push_back(0);
        vpx_codec_control(encoder.ctx(), VP8E_GET_LAST_QUANTIZER_64, &result.q.back());
    }
    return result;
}

// Bytes of a clip at that bitrate.
double Bytes(int kbps) { return kbps * 1000. / 8 * kFrames / kFps; }

int Change(const Result &r) { return std::abs(r.Median(0) - r.Median(3)); }

TEST(TwoPasses, FilmedPicturesKeepOneQuantizer) {
    for (int kbps : {30, 60, 500}) {
        const Settings s = Small(kbps);
        const Result ours = Encode(s, Surveillance, true), libvpx = Encode(s, Surveillance, false);
        EXPECT_LE(Change(ours), 2) << kbps << " kb/s";
        EXPECT_GT(Change(libvpx), 2) << kbps << " kb/s";
        EXPECT_GT(double(ours.bytes), 0.93 * Bytes(kbps)) << kbps << " kb/s";
        EXPECT_LT(double(ours.bytes), 1.03 * Bytes(kbps)) << kbps << " kb/s";
    }
}

// If a clip counted as one scene, the quantizers of its halves would be 30 to 34 apart.
TEST(TwoPasses, AnEasySceneLeavesBitsToAHardOne) {
    for (int kbps : {200, 400, 800}) {
        const Result ours = Encode(Small(kbps), EasyThenHard, true);
        EXPECT_LE(ours.Median(3) - ours.Median(1), 28) << kbps << " kb/s";
        EXPECT_NEAR(double(ours.bytes), Bytes(kbps), 0.03 * Bytes(kbps)) << kbps << " kb/s";
    }
}

// If a clip counted as one scene, it would take 1.5 and 1.7 times its bits.
TEST(TwoPasses, NoiseLeavesBitsToTheRest) {
    for (int kbps : {100, 200}) {
        const Result ours = Encode(Small(kbps), NoiseBurst, true);
        EXPECT_LT(double(ours.bytes), 1.1 * Bytes(kbps)) << kbps << " kb/s";
    }
}

// If a black frame counted like a mean frame of its scene, the quantizer would end up to 13 below
// its beginning.
TEST(TwoPasses, BlackPicturesDoNotChangeTheQuantizer) {
    for (int kbps : {60, 120, 200}) {
        EXPECT_LE(Change(Encode(Small(kbps), CutToBlack, true)), 5) << kbps << " kb/s";
        EXPECT_LE(Change(Encode(Small(kbps), FadeToBlack, true)), 5) << kbps << " kb/s";
    }
}

// If a clip is one group, libvpx keeps its first worst quantizer. With the macroblock tree it takes
// up to 6 % fewer bytes.
TEST(TwoPasses, ShortClipsUseTheirBits) {
    for (int frames : {4, 8, 12}) {
        for (int kbps : {30, 60, 500}) {
            const Settings s = Small(kbps);
            const Result ours = Encode(s, Surveillance, true, frames);
            const Result libvpx = Encode(s, Surveillance, false, frames);
            EXPECT_GT(double(ours.bytes), 0.9 * double(libvpx.bytes)) << frames << ", " << kbps;
        }
    }
}

TEST(TwoPasses, DrawnPicturesAreLeftToLibvpx) {
    for (int kbps : {60, 250}) {
        const Settings s = Small(kbps);
        const Result ours = Encode(s, Page, true), libvpx = Encode(s, Page, false);
        for (size_t i = 0; i < 4; i++) {
            EXPECT_NEAR(ours.Median(i), libvpx.Median(i), 1) << "quarter " << i << ", " << kbps;
        }
    }
}

}  // namespace
