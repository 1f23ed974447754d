/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// The first of two passes: its statistics do not depend on a provider. They are equal to those of
// libvpx's own code, whether the provider or libvpx does a frame.

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <ostream>
#include <set>
#include <stdexcept>

#include "codec.h"
#include "fake_provider.h"
#include "first_pass_server.h"

using namespace provider_test;

namespace {

constexpr int kFrames = 8;

// Fields of a frame's statistics that must not be 0 if the content is fit for its test.
enum { kMoving = 5, kGolden = 6, kNeutral = 7 };

struct Content {
    const char *name;
    int width, height;
    std::function<int(int x, int y, int t)> luma;  // empty: MakeFrame()
    int shows;                                     // the statistics field that must not be 0
};

std::ostream &operator<<(std::ostream &os, const Content &c) { return os << c.name; }

int Noise(int x, int y, int seed) {
    uint32_t h = uint32_t(x) * 0x9E3779B1u ^ uint32_t(y) * 0x85EBCA77u ^ uint32_t(seed) * 0xC2B2AE3Du;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    return int((h ^ (h >> 13)) & 255);
}

int Smooth(int x, int y, int seed) {
    int sum = 0;
    for (int i = 0; i < 9; i++) sum += Noise((x + i % 3 * 2) / 6, (y + i / 3 * 2) / 6, seed);
    return sum / 9;
}

int Text(int x, int y) { return Noise(x / 2, y / 3, 9) > 170 && y % 14 < 10 ? 20 : 235; }

const Content contents[] = {
    {"moving", 176, 144, nullptr, kMoving},
    {"odd", 175, 143, nullptr, kMoving},
    {"narrow", 17, 130, nullptr, kMoving},
    {"small", 17, 33, nullptr, kMoving},
    {"fast", 64, 64, [](int x, int y, int t) { return Smooth(x + 11 * t, y - 7 * t, 13); }, kMoving},
    {"one_macroblock", 16, 16, nullptr, kMoving},
    {"one_pixel", 1, 1, nullptr, 0},
    {"scrolled", 192, 160, [](int x, int y, int t) { return Text(x, y + 13 * t); }, kMoving},
    {"scrolled_slowly", 192, 160, [](int x, int y, int t) { return Text(x + t, y - 2 * t); }, kMoving},
    {"beyond_reach", 320, 96, [](int x, int y, int t) { return Smooth(x + 45 * t, y, 2); }, kMoving},
    {"flat", 96, 96, [](int, int, int) { return 130; }, kNeutral},
    {"black", 96, 96, [](int, int, int) { return 16; }, kNeutral},
    {"fade", 176, 144, [](int x, int y, int t) { return Smooth(x, y, 3) * t / kFrames; }, 0},
    // Dark pixels of every weight that the first pass gives them, in rows of their own and mixed.
    {"dark", 176, 144,
     [](int x, int y, int t) { return y % 3 ? Noise(x, y, t) / 3 : Smooth(x + 2 * t, y, 4) / 8; },
     0},
    {"dark_moving", 176, 144, [](int x, int y, int t) { return Smooth(x + 3 * t, y, 4) / 3; },
     kMoving},
    {"noise", 176, 144, [](int x, int y, int t) { return Noise(x, y, t); }, 0},
    // Bars at the top, bottom and one side.
    {"bars", 100, 96,
     [](int x, int y, int t) { return y < 18 || y >= 75 || x < 10 ? 16 : Smooth(x + t, y, 14); },
     kNeutral},
    {"still", 176, 144, [](int x, int y, int) { return Smooth(x, y, 5); }, 0},
    // Many vectors have equal errors.
    {"checkers", 176, 144, [](int x, int y, int t) { return ((x + 3 * t) / 4 + y / 4) % 2 ? 200 : 50; },
     kMoving},
    {"stripes", 176, 144, [](int x, int, int t) { return (x + 5 * t) % 16 * 14; }, kMoving},
    {"zoom", 176, 144,
     [](int x, int y, int t) {
         return Smooth(400 + (x - 88) * (30 - t) / 15, 400 + (y - 72) * (30 - t) / 15, 6);
     },
     kMoving},
    {"cut", 176, 144,
     [](int x, int y, int t) { return Smooth(x + 4 * t, y + t, t < 4 ? 7 : 8) ^ (t < 4 ? 0 : 255); },
     kMoving},
    // The second last frame is a better reference than the last one.
    {"alternating", 176, 144,
     [](int x, int y, int t) { return t % 2 ? 255 - Smooth(x, y, 11) : Smooth(x + t, y, 12); },
     kGolden},
};

std::vector<uint8_t> Frame(const Content &c, int t) {
    std::vector<uint8_t> frame = MakeFrame(c.width, c.height, t);
    if (c.luma) {
        for (int i = 0; i < c.width * c.height; i++) {
            frame[i] = uint8_t(c.luma(i % c.width, i / c.width, t));
        }
    }
    return frame;
}

Settings SettingsOf(const Content &c) {
    Settings s;
    s.width = c.width;
    s.height = c.height;
    return s;
}

std::string Statistics(const Content &c, const vp8e_motion_provider_t *provider,
                       Settings s = Settings()) {
    s.width = c.width;
    s.height = c.height;
    Encoder encoder(s, 1);
    if (provider) {
        EXPECT_EQ(encoder.SetProvider(provider), VPX_CODEC_OK);
    }
    for (int t = 0; t < kFrames; t++) encoder.Encode(Frame(c, t).data());
    encoder.Encode(nullptr);
    return encoder.stats();
}

double Field(const std::string &stats, int frame, int field) {
    double value;
    const size_t size = stats.size() / (kFrames + 1);  // one record more than frames: their sum
    memcpy(&value, &stats[frame * size + field * sizeof(value)], sizeof(value));
    return value;
}

void ExpectSame(const std::string &ours, const std::string &stock) {
    ASSERT_EQ(ours.size(), stock.size());
    ASSERT_GT(stock.size(), 0u);
    for (int t = 0; t <= kFrames; t++) {
        for (int field = 0; field < int(stock.size() / (kFrames + 1) / sizeof(double)); field++) {
            EXPECT_EQ(Field(ours, t, field), Field(stock, t, field))
                << "field " << field << " of frame " << t;
        }
    }
    EXPECT_EQ(ours, stock);
}

class FirstPass : public testing::TestWithParam<Content> {};

TEST_P(FirstPass, StatisticsEqualLibvpxs) {
    const Content &c = GetParam();
    FakeProvider fake;
    // The provider's vectors and repairs must have no effect.
    fake.fill = [](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
        memset(mb, 0, sizeof(*mb));
    };
    vp8e_motion_provider_t provider = *fake.get();
    provider.repair_mv_cost = 1;
    provider.repair_drops = 1;
    provider.repair_threads = 1;

    const std::string stock = Statistics(c, nullptr);
    const std::string ours = Statistics(c, &provider);
    ExpectSame(ours, stock);
    EXPECT_EQ(fake.begun + fake.ended + fake.row_calls, 0) << "the first pass called the provider";
    if (c.shows) {
        EXPECT_GT(Field(stock, kFrames, c.shows), 0) << "the content is not fit for this test";
    }
}

TEST_P(FirstPass, ServedStatisticsEqualLibvpxs) {
    const Content &c = GetParam();
    FirstPassServer server([](int) { return true; });
    ExpectSame(Statistics(c, server.get()), Statistics(c, nullptr));
    EXPECT_EQ(server.served, kFrames);
    EXPECT_GT(server.freed, 0);
}

INSTANTIATE_TEST_SUITE_P(All, FirstPass, testing::ValuesIn(contents),
                         [](const auto &info) { return std::string(info.param.name); });

const Content &Named(const std::string &name) {
    for (const Content &c : contents) {
        if (c.name == name) return c;
    }
    throw std::invalid_argument(name);
}

// The provider and libvpx do different frames of one pass. The statistics must not depend on it.
class FirstPassHandOver : public testing::TestWithParam<const char *> {};

TEST_P(FirstPassHandOver, StatisticsEqualLibvpxs) {
    const Content &c = Named(GetParam());
    const std::string stock = Statistics(c, nullptr);
    int golden_changes = 0;
    for (int who = 0; who < 1 << kFrames; who = who * 2 + 1) {
        SCOPED_TRACE("frames of the provider: mask " + std::to_string(who));
        FirstPassServer until([who](int n) { return who >> n & 1; });
        ExpectSame(Statistics(c, until.get()), stock);
        FirstPassServer from([who](int n) { return !(who >> n & 1); });
        ExpectSame(Statistics(c, from.get()), stock);
        EXPECT_EQ(until.asked, kFrames);
        EXPECT_EQ(until.served + from.served, kFrames);
        golden_changes += until.golden_changes;
    }
    for (int odd = 0; odd < 2; odd++) {
        FirstPassServer every_second([odd](int n) { return n % 2 == odd; });
        ExpectSame(Statistics(c, every_second.get()), stock);
        EXPECT_EQ(every_second.served, kFrames / 2);
    }
    // In the content that shows kGolden the intra error is never twice the coded error, so the
    // golden frame never changes.
    EXPECT_EQ(golden_changes == 0, c.shows == kGolden) << "changes of the golden frame";
}

INSTANTIATE_TEST_SUITE_P(All, FirstPassHandOver,
                         testing::Values("moving", "odd", "narrow", "scrolled", "cut", "still",
                                         "alternating"),
                         [](const auto &info) { return std::string(info.param); });

// Providers are attached and detached between frames.
TEST(FirstPassServed, AttachedLate) {
    const Content &c = Named("cut");
    FirstPassServer first([](int) { return true; }), second([](int) { return true; });
    {
        Encoder encoder(SettingsOf(c), 1);
        for (int t = 0; t < kFrames; t++) {
            if (t == 2) encoder.SetProvider(first.get());
            if (t == 4) encoder.SetProvider(nullptr);
            if (t == 5) encoder.SetProvider(second.get());
            encoder.Encode(Frame(c, t).data());
        }
        encoder.Encode(nullptr);
        ExpectSame(encoder.stats(), Statistics(c, nullptr));
    }
    EXPECT_EQ(first.served, 2);
    EXPECT_EQ(second.served, kFrames - 5);
}

// With a breakout threshold libvpx takes the zero vector without a search if the error is small.
TEST(FirstPassServed, Breakout) {
    const Content c = {"", 64, 64,
                       [](int x, int y, int t) {
                           const int moving = (y / 16 + x / 16) % 3;
                           return moving ? Smooth(x + (moving == 1 ? t : 3 * t), y, 5) +
                                               Noise(x, y, t) % 5
                                         : 100;
                       },
                       0};
    std::set<std::string> all;
    for (unsigned threshold : {0u, 1u, 1200u, 20000u, 60000u, 131071u}) {
        SCOPED_TRACE(threshold);
        Settings s;
        s.static_thresh = threshold;
        FirstPassServer server([](int n) { return n % 3 != 2; });
        const std::string stock = Statistics(c, nullptr, s);
        ExpectSame(Statistics(c, server.get(), s), stock);
        EXPECT_EQ(server.asked, kFrames);
        EXPECT_EQ(server.breakouts, threshold ? kFrames - 1 : 0);
        all.insert(stock);
    }
    EXPECT_GT(all.size(), 2u) << "the breakout threshold has no effect";
}

// Profiles, threads, temporal layers, a lag and the deadline do not change the statistics.
TEST(FirstPassServed, Settings) {
    const Content &c = Named("moving");
    std::vector<Settings> all(6, SettingsOf(c));
    all[0].profile = 1;
    all[1].profile = 3;
    all[2].threads = 4;
    all[3].lag = 5;
    all[4].deadline = VPX_DL_BEST_QUALITY;
    all[4].cpu_used = 16;
    all[5].layers = 2;
    for (size_t i = 0; i < all.size(); i++) {
        SCOPED_TRACE(i);
        FirstPassServer server([](int n) { return n % 3 != 1; });
        ExpectSame(Statistics(c, server.get(), all[i]), Statistics(c, nullptr, all[i]));
        EXPECT_EQ(server.asked, kFrames);
    }
}

// If the coded frame is smaller than its source, libvpx does the first pass: it does not scale the
// source there.
TEST(FirstPassServed, NotScaled) {
    const Content &c = Named("still");
    FirstPassServer server([](int) { return true; });
    std::string stats[2];
    for (int ours = 0; ours < 2; ours++) {
        Encoder encoder(SettingsOf(c), 1);
        vpx_scaling_mode_t mode = {VP8E_FOURFIVE, VP8E_THREEFIVE};
        EXPECT_EQ(vpx_codec_control(encoder.ctx(), VP8E_SET_SCALEMODE, &mode), VPX_CODEC_OK);
        EXPECT_EQ(vpx_codec_control(encoder.ctx(), VP8E_SET_STATIC_THRESHOLD, 0u), VPX_CODEC_OK);
        if (ours) encoder.SetProvider(server.get());
        for (int t = 0; t < kFrames; t++) encoder.Encode(Frame(c, t).data());
        encoder.Encode(nullptr);
        stats[ours] = encoder.stats();
    }
    ExpectSame(stats[1], stats[0]);
    EXPECT_NE(stats[0], Statistics(c, nullptr)) << "the frames were not scaled";
    EXPECT_EQ(server.asked, 0);
}

}  // namespace
