/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Levels of the loop filter by errors that the provider knows: the stream is that of a search by
// libvpx's own loop filter.

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
    // Where libvpx searches whole frames, by the normal filter, and not against what a denoiser made.
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

TEST_P(FilterLevel, IsThatOfLibvpx) {
    FakeProvider knows, none;
    knows.KnowFilterLevels();
    EXPECT_TRUE(SameBytes(Encode(&knows), Encode(&none)));
    EXPECT_EQ(knows.filter_asked > 0, Searches());
    const bool aggressive = std::get<1>(GetParam()) == VP8E_MP_GUIDE_AGGRESSIVE;
    EXPECT_EQ(knows.filter_samples > 0, Searches() && aggressive);
}

TEST_P(FilterLevel, IsTheSameWhereTheProviderFails) {
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

// Tokens that one thread may write ahead are no matter of those that come later.
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
            // from 1, behind a key frame whose levels are not asked for
            if (t) encoder.SetThreads(1 + t % 3);
            for (const Packet &packet : encoder.Encode(MakeFrame(s.width, s.height, t).data())) {
                EXPECT_TRUE(decoder.Decode(packet) == encoder.Reconstruction())
                    << "frame " << t << ", levels known: " << knows;
            }
        }
        EXPECT_EQ(p.filter_asked > 0, knows);
    }
}

}  // namespace
