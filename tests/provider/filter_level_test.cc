/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Loop-filter levels that are chosen by errors from the provider: the stream is equal to one whose
// levels libvpx finds by filtering.

#include <gtest/gtest.h>

#include "scenarios.h"

using namespace provider_test;

namespace {

constexpr int kFrames = 6;

class FilterLevel : public testing::TestWithParam<std::tuple<NamedSettings, int>> {
  protected:
    std::vector<Packet> Encode(FakeProvider *p) {
        const auto &[named, guide] = GetParam();
        if (guide) p->Guide(guide);
        p->RepairThreads();
        p->fill = FillGuided;
        return EncodeAndCheck(named.s, p, kFrames);
    }
    const Settings &s() const { return std::get<0>(GetParam()).s; }
    // Returns whether libvpx searches the level on whole frames, with the normal filter and without
    // a denoiser. Only then the provider is asked.
    bool Searches() const {
        if (s().profile || s().noise_sensitivity) return false;
        if (s().deadline == VPX_DL_REALTIME) return s().cpu_used >= -2 || s().cpu_used == -4;
        return s().cpu_used <= 4;
    }
};

INSTANTIATE_TEST_SUITE_P(All, FilterLevel,
                         testing::Combine(testing::ValuesIn(AllSettings()),
                                          testing::Values(VP8E_MP_GUIDE_OFF, VP8E_MP_GUIDE_NORMAL,
                                                          VP8E_MP_GUIDE_AGGRESSIVE)),
                         [](const auto &info) {
                             return std::string(std::get<0>(info.param).name) + "Level" +
                                    std::to_string(std::get<1>(info.param));
                         });

TEST_P(FilterLevel, EqualsLibvpxs) {
    FakeProvider knows, none;
    knows.KnowFilterLevels();
    EXPECT_TRUE(SameBytes(Encode(&knows), Encode(&none)));
    EXPECT_EQ(knows.filter_asked > 0, Searches());
    const bool aggressive = std::get<1>(GetParam()) == VP8E_MP_GUIDE_AGGRESSIVE;
    EXPECT_EQ(knows.filter_samples > 0, Searches() && aggressive);
}

TEST_P(FilterLevel, DoesNotDependOnFailuresOfTheProvider) {
    FakeProvider fails, none;
    fails.KnowFilterLevels();
    fails.filter_answer = [](int n) {
        return n % 3 == 0   ? FakeProvider::kFails
               : n % 3 == 1 ? FakeProvider::kRefuses
                            : FakeProvider::kKnows;
    };
    EXPECT_TRUE(SameBytes(Encode(&fails), Encode(&none)));
    if (Searches()) {
        EXPECT_GE(fails.filter_asked, 3);
    }
}

// With one thread tokens may be written before the level is known. A frame with more threads after
// that must not use them.
TEST(FilterLevels, ThreadsMayChangeBetweenFrames) {
    for (const bool knows : {false, true}) {
        Settings s;
        s.width = 640;
        s.height = 368;
        FakeProvider p;
        if (knows) p.KnowFilterLevels();
        p.RepairThreads();
        p.fill = FillGuided;
        Encoder encoder(s);
        Decoder decoder;
        ASSERT_EQ(encoder.SetProvider(p.get()), VPX_CODEC_OK);
        for (int t = 0; t < 6; t++) {
            // Start with 1 thread for the key frame, whose level the provider is not asked for.
            if (t) encoder.SetThreads(1 + t % 3);
            for (const Packet &packet : encoder.Encode(MakeFrame(s.width, s.height, t).data())) {
                EXPECT_TRUE(decoder.Decode(packet) == encoder.Reconstruction())
                    << "frame " << t << ", levels known: " << knows;
            }
        }
        EXPECT_EQ(p.filter_asked > 0, knows);
    }
}

// If the provider has coded the frame, it is asked by the fast search too. With the denoiser that
// compares to the denoised picture in all but key frames.
TEST(FilterLevels, FastSearchAsksIfTheProviderHasCodedTheFrame) {
    for (const int noise : {0, 1, 4}) {
        for (const bool fails : {false, true}) {
            SCOPED_TRACE(testing::Message() << "noise " << noise << " fails " << fails);
            Settings s;
            s.deadline = VPX_DL_REALTIME;
            s.cpu_used = -8;
            s.noise_sensitivity = noise;
            s.kbps = 60;
            FakeProvider whole, none;
            whole.CodeFrames();
            whole.KnowFilterLevels();
            if (fails) {
                whole.filter_answer = [](int n) {
                    return n % 2 ? FakeProvider::kFails : FakeProvider::kRefuses;
                };
            }
            for (FakeProvider *p : {&whole, &none}) {
                p->Guide(VP8E_MP_GUIDE_AUTO);
                p->fill = FillGuided;
            }
            EXPECT_TRUE(
                SameBytes(EncodeAndCheck(s, &whole, kFrames), EncodeAndCheck(s, &none, kFrames)));
            EXPECT_EQ(whole.coded_frames, kFrames);
            EXPECT_EQ(whole.filter_asked, kFrames);
            EXPECT_EQ(whole.filter_sources, noise ? kFrames - 1 : 0);
        }
    }
}

// The provider measures while libvpx takes the modes: a mode that changes when it begins changes
// the packet.
TEST(FilterLevels, FastSearchBeginsBeforeModesAreTaken) {
    Settings s;
    s.deadline = VPX_DL_REALTIME;
    s.cpu_used = -8;
    s.kbps = 60;
    std::vector<Packet> packets[2];
    for (const bool changes : {false, true}) {
        FakeProvider whole;
        whole.CodeFrames();
        whole.KnowFilterLevels();
        whole.Guide(VP8E_MP_GUIDE_AUTO);
        whole.fill = FillGuided;
        whole.modes_fail = [](int) { return true; };
        whole.on_filter_begin = [&](std::vector<vp8e_mp_coded_t> *coded) {
            if (changes) coded->at(0).uv_mode ^= 1;
        };
        packets[changes] = EncodeAndCheck(s, &whole, 1);
        EXPECT_EQ(whole.filter_asked, 1);
    }
    EXPECT_FALSE(SameBytes(packets[0], packets[1]));
}

}  // namespace
