/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Rate control of one pass at a variable bitrate in guided encodes, compared with libvpx's.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scenarios.h"

using namespace provider_test;

namespace {

constexpr int kStill = 40;  // frames of a period that stand still

// A texture that stands still for kStill frames and moves for 20, again and again.
std::vector<uint8_t> StillThenMoving(const Settings &s, int t) {
    const int period = kStill + 20, at = t % period;
    return MakeFrame(s.width, s.height, at < kStill ? 0 : at - kStill);
}

double PsnrY(const std::vector<uint8_t> &a, const std::vector<uint8_t> &b, const Settings &s) {
    double sum = 0;
    const size_t samples = size_t(s.width) * s.height;
    for (size_t i = 0; i < samples; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return 10 * std::log10(65025 * double(samples) / std::max(sum, 1.));
}

struct Frame {
    size_t bytes;
    bool key;
    int q;  // quantizer, 0 to 63
    double psnr;
};

std::vector<Frame> Encode(const Settings &s, bool guided, int frames, int then_kbps = 0) {
    FakeProvider provider;
    if (guided) provider.Guide(VP8E_MP_GUIDE_NORMAL);
    provider.RepairThreads();
    // A still frame equals the one before it; a moving one differs from its prediction by noise.
    bool moves = false;
    provider.fill = [&](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
        SetAll(mb, 4, 12, 0);  // the texture's motion
        const int satd = moves ? 600 : 3000;
        SetDistortion(mb, satd);
    };
    Encoder encoder(s);
    Decoder decoder;
    EXPECT_EQ(encoder.SetProvider(provider.get()), VPX_CODEC_OK);
    std::vector<Frame> all;
    for (int t = 0; t < frames; t++) {
        moves = t % (kStill + 20) >= kStill;
        if (then_kbps && t == frames / 3) encoder.SetBitrate(then_kbps);
        const auto source = StillThenMoving(s, t);
        const auto packets = encoder.Encode(source.data());
        EXPECT_EQ(packets.size(), 1u) << "frame " << t;
        Frame f{packets[0].data.size(), packets[0].key, 0, 0};
        f.psnr = PsnrY(source, decoder.Decode(packets[0]), s);
        vpx_codec_control(encoder.ctx(), VP8E_GET_LAST_QUANTIZER_64, &f.q);
        all.push_back(f);
    }
    return all;
}

class Vbr : public testing::TestWithParam<std::tuple<unsigned long, int>> {
  protected:
    Settings Of() const {
        Settings s;
        std::tie(s.deadline, s.cpu_used) = GetParam();
        s.width = 320;
        s.height = 240;
        s.kbps = 600;
        return s;
    }
};

INSTANTIATE_TEST_SUITE_P(All, Vbr,
                         testing::Values(std::tuple(VPX_DL_BEST_QUALITY, 0),
                                         std::tuple(VPX_DL_GOOD_QUALITY, 2),
                                         std::tuple(VPX_DL_GOOD_QUALITY, 5),
                                         std::tuple(VPX_DL_REALTIME, -8)),
                         [](const auto &info) {
                             const unsigned long deadline = std::get<0>(info.param);
                             const int cpu_used = std::get<1>(info.param);
                             if (deadline == VPX_DL_BEST_QUALITY) return std::string("Best");
                             if (deadline == VPX_DL_REALTIME) return std::string("Realtime8");
                             return "Good" + std::to_string(cpu_used);
                         });

// Viewers see no drop in quality at a regular key frame of a still scene.
TEST_P(Vbr, RegularKeyFramesKeepTheQuality) {
    Settings s = Of();
    s.keyframe_interval = 30;
    const auto ours = Encode(s, true, 31), stock = Encode(s, false, 31);
    ASSERT_TRUE(ours[30].key && stock[30].key);
    EXPECT_GT(ours[30].psnr, ours[29].psnr - 1);
    EXPECT_LT(stock[30].psnr, stock[29].psnr - 3) << "the scene is too simple for this test";
}

TEST_P(Vbr, QuantizersVaryLessWhenTheSceneBeginsToMove) {
    const Settings s = Of();
    const auto spread = [&](bool guided) {
        const auto all = Encode(s, guided, 2 * (kStill + 20));
        int lowest = 63, highest = 0;
        for (size_t t = 30; t < all.size(); t++) {
            lowest = std::min(lowest, all[t].q);
            highest = std::max(highest, all[t].q);
        }
        return highest - lowest;
    };
    const int ours = spread(true), stock = spread(false);
    EXPECT_LT(ours, stock);
    printf("range of quantizers: %d, libvpx: %d\n", ours, stock);
}

// At most two seconds' bits are spent ahead. The second half of the stream has the bitrate, less what
// is paid back: at most the part of these bits that the balance asks for in that time.
TEST_P(Vbr, TakesTheBitrate) {
    constexpr double kHorizon = 16;  // seconds of mp/rc/balance.c
    const Settings s = Of();
    const size_t frames = 480, half = frames / 2;
    const auto all = Encode(s, true, int(frames));
    double ahead = 0, most = 0, at_half = 0;  // kbit
    for (size_t t = 0; t < frames; t++) {
        ahead += double(all[t].bytes) * 8 / 1000 - s.kbps / 25.;
        most = std::max(most, ahead);
        if (t + 1 == half) at_half = ahead;
    }
    EXPECT_LT(most, 2 * s.kbps);
    const double seconds = double(half) / 25, paid = at_half * (1 - std::exp(-seconds / kHorizon));
    EXPECT_LT(ahead - at_half, 0.04 * s.kbps * seconds);
    EXPECT_GT(ahead - at_half, -paid - 0.04 * s.kbps * seconds);
}

// Bits that were saved or spent ahead stay the same number of bits, not seconds, when the bitrate
// changes.
TEST_P(Vbr, FollowsTheBitrate) {
    Settings s = Of();
    const size_t frames = 540;
    for (const auto &[from, to] : {std::pair(900, 450), std::pair(450, 900)}) {
        s.kbps = from;
        const auto all = Encode(s, true, int(frames), to);
        double kbit = 0;
        for (size_t t = frames * 4 / 9; t < frames; t++) kbit += double(all[t].bytes) * 8 / 1000;
        const double wanted = to * double(frames - frames * 4 / 9) / 25;
        EXPECT_NEAR(kbit, wanted, 0.1 * wanted) << "from " << from;
    }
}

}  // namespace
