/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Which references are searched (mp/mode/refs.h).

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "scenarios.h"

using namespace provider_test;

namespace {

// One entry for each inter frame.
struct Searched {
    std::vector<bool> last;
    std::vector<bool> golden;  // golden is another picture than the last frame, and is searched
};

Settings Live(int cpu_used) {
    Settings s;
    s.deadline = VPX_DL_REALTIME;
    s.cpu_used = cpu_used;
    s.buffer_ms = 1000;
    return s;
}

Searched Encode(const Settings &s, int guide, int frames, const Source &source,
                vpx_enc_frame_flags_t flags = 0) {
    FakeProvider provider;
    provider.fill = FillGuided;
    if (guide) provider.Guide(guide);
    provider.RepairThreads();
    Searched searched;
    provider.on_begin = [&](const vp8e_mp_frame_t &f) {
        const auto *const ref = f.ref;
        if (!ref[1].searched && !ref[2].searched && !ref[3].searched) return;  // a key frame
        searched.last.push_back(ref[1].searched);
        searched.golden.push_back(ref[2].searched && ref[2].id != ref[1].id);
    };
    Encoder encoder(s);
    EXPECT_EQ(encoder.SetProvider(provider.get()), VPX_CODEC_OK);
    for (int t = 0; t < frames; t++) encoder.Encode(source(s, t).data(), flags);
    return searched;
}

int Count(const std::vector<bool> &v) { return int(std::count(v.begin(), v.end(), true)); }

std::vector<uint8_t> Pan(const Settings &s, int t) { return MakeFrame(s.width, s.height, t); }
std::vector<uint8_t> Still(const Settings &s, int /*t*/) { return MakeFrame(s.width, s.height, 0); }

constexpr int kFlash = 20;
std::vector<uint8_t> Flash(const Settings &s, int t) {
    auto frame = MakeFrame(s.width, s.height, t / 8);
    if (t == kFlash) std::fill_n(frame.begin(), size_t(s.width) * s.height, uint8_t(235));
    return frame;
}

constexpr int kFrames = 40;

TEST(Refs, AMovingPictureNeedsTheLastFrameOnly) {
    for (int cpu_used : {-6, -8, -16}) {
        const Searched s = Encode(Live(cpu_used), VP8E_MP_GUIDE_AUTO, kFrames, Pan);
        EXPECT_EQ(Count(s.last), int(s.last.size())) << cpu_used;
        EXPECT_LE(Count(s.golden), kFrames / 4) << cpu_used;
    }
}

TEST(Refs, AStillPictureUsesGolden) {
    const Searched s = Encode(Live(-8), VP8E_MP_GUIDE_AUTO, kFrames, Still);
    EXPECT_GE(Count(s.golden), kFrames / 2);
}

TEST(Refs, GoldenIsSearchedAfterAFlash) {
    const Searched s = Encode(Live(-8), VP8E_MP_GUIDE_AUTO, kFlash + 2, Flash);
    ASSERT_FALSE(s.golden.empty());
    EXPECT_TRUE(s.golden.back());
}

TEST(Refs, SlowerSettingsSearchAll) {
    Settings good = Live(5);
    good.deadline = VPX_DL_GOOD_QUALITY;
    for (const Settings &s : {good, Live(-4)}) {
        const Searched searched = Encode(s, VP8E_MP_GUIDE_AUTO, kFrames, Pan);
        EXPECT_GE(Count(searched.golden), kFrames / 2);
    }
}

TEST(Refs, ASearchWithoutAGuideHasAll) {
    EXPECT_GE(Count(Encode(Live(-8), 0, kFrames, Pan).golden), kFrames / 2);
}

TEST(Refs, GoldenIsSearchedIfTheLastFrameMayNotBeUsed) {
    const Searched s = Encode(Live(-8), VP8E_MP_GUIDE_AUTO, kFrames, Pan, VP8_EFLAG_NO_REF_LAST);
    EXPECT_EQ(Count(s.last), 0);
    EXPECT_EQ(Count(s.golden), int(s.golden.size()));
    EXPECT_GE(s.golden.size(), size_t(kFrames / 2));
}

}  // namespace
