/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// With repair_threads the stream does not depend on the number of threads, even with tools of
// libvpx that keep state from macroblock to macroblock: the denoiser and the skin map.

#include <gtest/gtest.h>

#include "codec.h"
#include "fake_provider.h"
#include "scenarios.h"

namespace provider_test {
namespace {

using Picture = std::vector<uint8_t> (*)(int t);
constexpr int kWidth = 352, kHeight = 288;

std::vector<Packet> EncodePictures(const Settings &s, FakeProvider *provider, Picture picture,
                                   const std::function<void(Encoder *)> &setup = nullptr) {
    Encoder encoder(s);
    Decoder decoder;
    std::vector<Packet> packets;
    provider->RepairThreads();
    EXPECT_EQ(encoder.SetProvider(provider->get()), VPX_CODEC_OK);
    if (setup) setup(&encoder);
    for (int t = 0; t < 6; t++) {
        for (auto &packet : encoder.Encode(picture(t).data())) {
            EXPECT_EQ(decoder.Decode(packet), encoder.Reconstruction()) << "frame " << t;
            packets.push_back(std::move(packet));
        }
    }
    return packets;
}

// The first row of macroblocks stands still, and the rows below move by 4 pixels per frame, so that
// the denoiser decides differently for them.
std::vector<uint8_t> PanUnderStaticRow(int t) {
    const auto still = MakeFrame(kWidth, kHeight, 0);
    const auto wide = MakeFrame(kWidth + 64, kHeight, 0);
    const auto noise = MakeFrame(kWidth, kHeight, 100 + t);
    auto frame = still;
    for (int y = 16; y < kHeight; y++)
        for (int x = 0; x < kWidth; x++)
            frame[size_t(y) * kWidth + x] = wide[size_t(y) * (kWidth + 64) + x + 4 * t];
    for (size_t i = 0; i < size_t(kWidth) * kHeight; i++) frame[i] ^= noise[i] & 1;
    return frame;
}

class Denoiser : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Levels, Denoiser, testing::Range(1, 7));

TEST_P(Denoiser, DoesNotDependOnThreads) {
    for (unsigned long deadline : {VPX_DL_BEST_QUALITY, VPX_DL_REALTIME}) {
        Settings s;
        s.width = kWidth;
        s.height = kHeight;
        s.deadline = deadline;
        s.cpu_used = deadline == VPX_DL_REALTIME ? -8 : 0;
        s.noise_sensitivity = GetParam();
        for (const bool guided : {false, true}) {
            std::vector<Packet> one;
            for (int threads : {1, 3, 8}) {
                FakeProvider p;
                if (guided) {
                    p.Guide(VP8E_MP_GUIDE_AUTO);
                    p.fill = FillGuided;
                }
                s.threads = threads;
                const auto packets = EncodePictures(s, &p, PanUnderStaticRow);
                if (threads == 1) one = packets;
                EXPECT_TRUE(SameBytes(one, packets))
                    << threads << " threads, deadline " << deadline << ", guided " << guided;
            }
        }
    }
}

// The right half has the colour of skin. Almost nothing moves, so libvpx prefers zero vectors,
// except for skin.
std::vector<uint8_t> HalfSkin(int t) {
    auto frame = MakeFrame(kWidth, kHeight, 0);
    const auto noise = MakeFrame(kWidth, kHeight, t);
    const size_t luma = size_t(kWidth) * kHeight, chroma = luma / 4;
    for (size_t i = 0; i < luma; i++) frame[i] = uint8_t(frame[i] / 2 + 60 + (noise[i] & 15));
    for (size_t i = 0; i < chroma; i++) {
        const bool skin = i % (kWidth / 2) >= kWidth / 4;
        frame[luma + i] = skin ? 117 : 60;
        frame[luma + chroma + i] = skin ? 150 : 60;
    }
    return frame;
}

// libvpx's own mode decision uses the skin map. It codes all macroblocks here, because the
// provider's rows fail.
TEST(SkinMap, OfAScaledFrameDoesNotDependOnThreads) {
    Settings s;
    s.width = kWidth;
    s.height = kHeight;
    s.deadline = VPX_DL_REALTIME;
    s.cpu_used = -8;
    std::vector<Packet> one;
    for (int threads : {1, 2, 8}) {
        FakeProvider p;
        p.Guide(VP8E_MP_GUIDE_NORMAL);
        p.fill = FillGuided;
        p.row_fails = [](int) { return true; };
        s.threads = threads;
        const auto packets = EncodePictures(s, &p, HalfSkin, [](Encoder *encoder) {
            vpx_scaling_mode mode = {VP8E_FOURFIVE, VP8E_THREEFIVE};
            EXPECT_EQ(vpx_codec_control(encoder->ctx(), VP8E_SET_SCALEMODE, &mode), VPX_CODEC_OK);
        });
        if (threads == 1) one = packets;
        EXPECT_TRUE(SameBytes(one, packets)) << threads << " threads";
    }
}

}  // namespace
}  // namespace provider_test
