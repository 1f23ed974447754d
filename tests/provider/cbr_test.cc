/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Rate control at a constant bitrate and the realtime deadline in guided encodes, compared with
// libvpx's.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "scenarios.h"

using namespace provider_test;

namespace {

constexpr double kFps = 25;

// A static camera: one third of the picture moves, and the rest has noise.
std::vector<uint8_t> StillCamera(const Settings &s, int t) {
    const auto moving = MakeFrame(s.width, s.height, t);
    auto frame = MakeFrame(s.width, s.height, 0);
    for (int y = 0; y < s.height; y++) {
        uint8_t *const row = &frame[size_t(y) * s.width];
        const uint8_t *const from = &moving[size_t(y) * s.width];
        std::copy(from, from + s.width / 48 * 16, row);
        // another pattern of noise in each row and frame
        for (int x = s.width / 48 * 16; x < s.width; x++) {
            row[x] = uint8_t(std::clamp(row[x] + (x * 7 + y * 13 + t * 29) % 5 - 2, 0, 255));
        }
    }
    return frame;
}

struct Frame {
    size_t bytes;
    bool key, golden;
    int in_segments;  // number of macroblocks in segments 1 to 3
    double psnr;
};

std::vector<vp8e_mp_counts_t> all_counts;

using Prepare = std::function<void(Encoder &)>;

std::vector<Frame> Encode(const Settings &s, bool guided, int frames, const Prepare &prepare = {},
                          std::vector<Packet> *out = nullptr) {
    FakeProvider provider;
    if (guided) provider.Guide(VP8E_MP_GUIDE_AUTO);
    provider.RepairThreads();
    provider.fill = [&](Motion *mb, const vp8e_mp_frame_t &, int x, int, int) {
        const bool moves = x < s.width / 48;
        const int satd = moves ? 600 : 400;
        SetAll(mb, moves ? 4 : 0, moves ? 12 : 0, 0);
        SetDistortion(mb, satd);
    };
    vp8e_motion_provider_t counting = *provider.get();
    counting.frame_counts = [](void *, const vp8e_mp_counts_t *c) { all_counts.push_back(*c); };
    all_counts.clear();
    Encoder encoder(s);
    Decoder decoder;
    EXPECT_EQ(encoder.SetProvider(&counting), VPX_CODEC_OK);
    if (prepare) prepare(encoder);
    std::vector<Frame> all;
    for (int t = 0; t < frames; t++) {
        const auto source = StillCamera(s, t);
        const auto packets = encoder.Encode(source.data());
        EXPECT_EQ(packets.size(), 1u) << "frame " << t;
        EXPECT_EQ(all_counts.size(), size_t(t) + 1);
        const auto decoded = decoder.Decode(packets[0]);
        double squares = 0;
        const size_t samples = size_t(s.width) * s.height;
        for (size_t i = 0; i < samples; i++) {
            squares += (source[i] - decoded[i]) * (source[i] - decoded[i]);
        }
        const auto &counts = all_counts.back();
        all.push_back({packets[0].data.size(), packets[0].key, counts.is_golden != 0,
                       counts.segment[1] + counts.segment[2] + counts.segment[3],
                       10 * std::log10(65025 * double(samples) / std::max(squares, 1.))});
        if (out) out->push_back(packets[0]);
    }
    return all;
}

Settings Of() {
    Settings s;
    s.deadline = VPX_DL_REALTIME;
    s.cpu_used = -8;
    s.width = 320;
    s.height = 240;
    s.kbps = 300;
    s.buffer_ms = 1000;
    s.keyframe_interval = 9999;
    return s;
}

std::vector<size_t> Goldens(const std::vector<Frame> &all) {
    std::vector<size_t> at;
    for (size_t t = 0; t < all.size(); t++) {
        if (all[t].golden) at.push_back(t);
    }
    return at;
}

// Frames that refine still macroblocks. They refresh golden unless the scene has changed.
std::vector<size_t> Refining(const std::vector<Frame> &all) {
    std::vector<size_t> at;
    for (size_t t = 0; t < all.size(); t++) {
        if (all[t].golden || all[t].in_segments) at.push_back(t);
    }
    return at;
}

// Returns whether most frames have segments: libvpx's cyclic refresh is on.
bool Refreshes(const std::vector<Frame> &all) {
    const auto has = [](const Frame &f) { return f.in_segments > 0; };
    return std::count_if(all.begin(), all.end(), has) * 2 > int(all.size());
}

struct Mean {
    double kbps, psnr;
};
// Returns the bitrate in kb/s and the mean PSNR of the frames from `first` on.
Mean MeanFrom(const std::vector<Frame> &all, size_t first) {
    Mean mean{0, 0};
    const double n = double(all.size() - first);
    for (size_t t = first; t < all.size(); t++) {
        mean.kbps += double(all[t].bytes) * 8 / 1000 * kFps / n;
        mean.psnr += all[t].psnr / n;
    }
    return mean;
}

// Expects pictures as good as libvpx's at no more bits, from the second second on.
void ExpectBetterThanStock(const std::vector<Frame> &ours, const std::vector<Frame> &stock) {
    const Mean o = MeanFrom(ours, 50), theirs = MeanFrom(stock, 50);
    EXPECT_GT(o.psnr, theirs.psnr);
    EXPECT_LT(o.kbps, theirs.kbps * 1.02);
    printf("%.2f dB at %.0f kb/s; libvpx: %.2f dB at %.0f kb/s\n", o.psnr, o.kbps, theirs.psnr,
           theirs.kbps);
}

TEST(Cbr, GoldenFramesRefineStaticMacroblocks) {
    const Settings s = Of();
    const auto ours = Encode(s, true, 200), stock = Encode(s, false, 200);
    const auto at = Refining(ours);
    ASSERT_GE(at.size(), 3u);
    EXPECT_GE(Goldens(ours).size(), 2u);
    double gain = 0;
    for (size_t i = 0; i < at.size(); i++) {
        const double db = ours[at[i]].psnr - ours[at[i] - 1].psnr;
        EXPECT_GE(at[i] - (i ? at[i - 1] : 0), 4u);
        // A small part does not outweigh the third of the picture that moves.
        const bool is_fifth = ours[at[i]].in_segments * 5 >= s.width / 16 * s.height / 16;
        EXPECT_TRUE(db > 0 || !is_fifth) << at[i];
        gain += db;
    }
    EXPECT_GT(gain / double(at.size()), 0.15);
    ExpectBetterThanStock(ours, stock);
}

TEST(Cbr, StaysInTheBuffer) {
    const Settings s = Of();
    const auto all = Encode(s, true, 400);
    const double size = s.kbps;  // kbit, one second of the bitrate
    double level = size, lowest = size;
    for (const auto &f : all) {
        level += s.kbps / kFps - double(f.bytes) * 8 / 1000;
        lowest = std::min(lowest, level);
        level = std::min(level, size);
    }
    EXPECT_GT(lowest, 0);
    EXPECT_NEAR(MeanFrom(all, 200).kbps, s.kbps, 0.04 * s.kbps);
}

// Returns the buffer's level after each frame, as a fraction of its size. The buffer is full before
// the first frame.
std::vector<double> Levels(const Settings &s, const std::vector<Frame> &all) {
    const double size = double(s.kbps) * s.buffer_ms / 1000;  // size of the buffer in kbit
    std::vector<double> levels;
    double level = size;
    for (const auto &f : all) {
        level = std::min(level + s.kbps / kFps, size) - double(f.bytes) * 8 / 1000;
        levels.push_back(level / size);
    }
    return levels;
}

// If the buffer has too few bits to refine all static macroblocks at once, several frames
// refine a part each, and leave more than 30 % of a second in the buffer.
TEST(Cbr, RefinesInParts) {
    Settings s = Of();
    for (const int kbps : {60, 80, 120}) {
        SCOPED_TRACE(kbps);
        s.kbps = kbps;
        const auto all = Encode(s, true, 150);
        const auto levels = Levels(s, all);
        const auto at = Refining(all);
        ASSERT_GE(at.size(), 2u);
        EXPECT_GE(Goldens(all).size(), 2u);
        for (size_t i = 1; i < at.size(); i++) EXPECT_GE(at[i] - at[i - 1], 4u) << at[i];
        double lowest = 1;
        for (const size_t t : at) lowest = std::min(lowest, levels[t]);
        EXPECT_GT(lowest, 0.3);
        printf("%d kb/s: %zu frames refine, at least %.0f %% of the buffer left\n", kbps, at.size(),
               100 * lowest);
    }
}

// Viewers see no drop in quality at a regular key frame if the buffer has enough bits.
TEST(Cbr, RegularKeyFramesKeepTheQuality) {
    Settings s = Of();
    s.keyframe_interval = 60;
    s.buffer_ms = 1500;
    const auto ours = Encode(s, true, 61), stock = Encode(s, false, 61);
    ASSERT_TRUE(ours[60].key && stock[60].key);
    EXPECT_GT(ours[60].psnr, ours[59].psnr - 1);
    EXPECT_LT(stock[60].psnr, stock[59].psnr - 1) << "the scene is too simple for this test";
}

// A single key frame may be larger than expected; the mean of four leaves near half.
TEST(Cbr, RegularKeyFramesLeaveHalfASecond) {
    double sum = 0;
    const std::vector<int> rates = {200, 250, 300, 400};
    for (const int kbps : rates) {
        SCOPED_TRACE(kbps);
        Settings s = Of();
        s.kbps = kbps;
        s.keyframe_interval = 60;
        const auto ours = Encode(s, true, 61), stock = Encode(s, false, 61);
        const double level = Levels(s, ours)[60];
        ASSERT_TRUE(ours[60].key && stock[60].key);
        printf(
            "%.2f dB after %.2f, libvpx: %.2f dB after %.2f; %.0f and %.0f %% of the buffer left\n",
            ours[60].psnr, ours[59].psnr, stock[60].psnr, stock[59].psnr, 100 * level,
            100 * Levels(s, stock)[60]);
        EXPECT_LT(level, 0.7) << "the scene is too simple for this test";
        EXPECT_GT(level, 0.4);
        EXPECT_GT(ours[60].psnr - ours[59].psnr, stock[60].psnr - stock[59].psnr);
        sum += level;
    }
    EXPECT_GT(sum / double(rates.size()), 0.47);
}

// The buffer starts at 0.5 of the optimal 5 s. This is enough for golden and inter frames, and the
// buffer must fill without a bitrate below that of libvpx.
TEST(Cbr, FillsALargeBufferSlowly) {
    Settings s = Of();
    s.buffer_ms = 6000;
    s.buffer_initial_ms = 500;
    const auto all = Encode(s, true, 150);
    double lowest = 0.5 * s.kbps, level = lowest;
    for (const auto &f : all) {
        level += s.kbps / kFps - double(f.bytes) * 8 / 1000;
        lowest = std::min(lowest, level);
    }
    EXPECT_GT(lowest, 0);
    EXPECT_GT(level, 0.5 * s.kbps);
    EXPECT_GT(MeanFrom(all, 0).kbps, MeanFrom(Encode(s, false, 150), 0).kbps);
    EXPECT_GE(Refining(all).size(), 5u);
}

// A golden frame that is lost would spoil all frames that refer to it. So frames refine still
// macroblocks without a refresh of golden, and decoders need no map of an earlier frame.
TEST(Cbr, ErrorResilienceRefinesWithoutGoldenFrames) {
    Settings s = Of();
    s.error_resilient = 1;
    std::vector<Packet> packets;
    const auto ours = Encode(s, true, 200, {}, &packets);
    ExpectBetterThanStock(ours, Encode(s, false, 200));
    EXPECT_TRUE(Goldens(ours).empty());
    Decoder whole, lossy;
    std::vector<size_t> at;
    for (size_t t = 0; t < ours.size(); t++) {
        const auto picture = whole.Decode(packets[t]);
        if (ours[t].in_segments) {
            EXPECT_GE(t - (at.empty() ? 0 : at.back()), 4u);
            at.push_back(t);
        }
        // The second one is lost. Only the macroblocks that it refined differ.
        if (at.size() == 2 && at.back() == t) continue;
        const auto other = lossy.Decode(packets[t]);
        // The part that moves differs for longer.
        for (int y = 0; y < s.height; y++) {
            for (int x = s.width / 48 * 16 + 16; x < s.width; x++) {
                const size_t i = size_t(y) * size_t(s.width) + size_t(x);
                ASSERT_LE(std::abs(picture[i] - other[i]), 32) << "frame " << t;
            }
        }
    }
    EXPECT_GE(at.size(), 4u);
}

// Each layer takes its part of the bitrate. Only the base layer refines still macroblocks.
TEST(Cbr, TemporalLayersKeepTheirRates) {
    for (const int resilient : {0, 1}) {
        SCOPED_TRACE(resilient);
        Settings s = Of();
        s.layers = 2;
        s.error_resilient = resilient;
        const auto ours = Encode(s, true, 250), stock = Encode(s, false, 250);
        ExpectBetterThanStock(ours, stock);
        EXPECT_TRUE(Goldens(ours).empty());
        double base = 0;
        int refined = 0;
        for (size_t t = 50; t < ours.size(); t++) {
            if (t % 2 == 0) base += double(ours[t].bytes) * 8 / 1000 * kFps / 200;
            if (t % 2 == 0 && ours[t].in_segments) refined++;
            EXPECT_TRUE(t % 2 == 0 || !ours[t].in_segments) << "frame " << t;
        }
        EXPECT_NEAR(base, 0.6 * s.kbps, 0.05 * s.kbps);
        EXPECT_NEAR(MeanFrom(ours, 50).kbps, s.kbps, 0.05 * s.kbps);
        EXPECT_GE(refined, 3);
    }
}

TEST(Cbr, TheDenoiserIsOnlyADenoiser) {
    for (const int level : {1, 2, 3, 4}) {
        SCOPED_TRACE(level);
        Settings s = Of();
        s.noise_sensitivity = level;
        const auto ours = Encode(s, true, 200);
        ExpectBetterThanStock(ours, Encode(s, false, 200));
        EXPECT_GE(Refining(ours).size(), 3u);
    }
}

TEST(Cbr, ScreenContentIsRefined) {
    for (const unsigned mode : {1u, 2u}) {
        const auto set = [&](Encoder &e) {
            vpx_codec_control(e.ctx(), VP8E_SET_SCREEN_CONTENT_MODE, mode);
        };
        const auto ours = Encode(Of(), true, 200, set);
        ExpectBetterThanStock(ours, Encode(Of(), false, 200, set));
        EXPECT_GE(Refining(ours).size(), 3u);
    }
}

// The user's limit is in percent of a frame's share of the bitrate. A frame can take a quarter more
// than planned.
TEST(Cbr, KeyFramesKeepToTheUsersLimit) {
    Settings s = Of();
    s.keyframe_interval = 30;
    const auto most = [&](unsigned percent) {
        const auto set = [&](Encoder &e) {
            vpx_codec_control(e.ctx(), VP8E_SET_MAX_INTRA_BITRATE_PCT, percent);
        };
        double bits = 0;
        for (const Frame &f : Encode(s, true, 91, set)) {
            if (f.key) bits = std::max(bits, double(f.bytes) * 8);
        }
        return bits / (s.kbps * 1000 / kFps);
    };
    const double unlimited = most(0), limited = most(300);
    printf("largest key frame: %.1f and %.1f frames' bits\n", unlimited, limited);
    EXPECT_GT(unlimited, 5);
    EXPECT_LT(limited, 3 * 1.25);
}

// These settings distribute the bits in their own way, so libvpx's rate control stays on.
TEST(Cbr, IsOffWithSettingsThatDistributeBits) {
    struct Case {
        const char *name;
        std::function<void(Settings &)> set;
        Prepare prepare;
    };
    const int mb_rows = 15, mb_cols = 20;
    std::vector<uint8_t> map(size_t(mb_rows) * mb_cols, 0);
    std::fill(map.begin(), map.begin() + 100, 1);
    const Case cases[] = {
        {"region of interest", [](Settings &) {},
         [&](Encoder &e) {
             vpx_roi_map_t roi{};
             roi.roi_map = map.data();
             roi.rows = mb_rows;
             roi.cols = mb_cols;
             roi.delta_q[1] = -10;
             EXPECT_EQ(vpx_codec_control(e.ctx(), VP8E_SET_ROI_MAP, &roi), VPX_CODEC_OK);
         }},
        {"active map", [](Settings &) {},
         [&](Encoder &e) {
             std::vector<uint8_t> active(map.size(), 1);
             vpx_active_map_t a{active.data(), unsigned(mb_rows), unsigned(mb_cols)};
             EXPECT_EQ(vpx_codec_control(e.ctx(), VP8E_SET_ACTIVEMAP, &a), VPX_CODEC_OK);
         }},
        {"golden boost", [](Settings &) {},
         [](Encoder &e) { vpx_codec_control(e.ctx(), VP8E_SET_GF_CBR_BOOST_PCT, 100u); }},
    };
    const auto plain = Goldens(Encode(Of(), true, 60));
    for (const Case &c : cases) {
        SCOPED_TRACE(c.name);
        Settings s = Of();
        c.set(s);
        const auto ours = Encode(s, true, 60, c.prepare), stock = Encode(s, false, 60, c.prepare);
        EXPECT_EQ(Goldens(ours), Goldens(stock));
        EXPECT_NE(Goldens(ours), plain);
        EXPECT_EQ(Refreshes(ours), Refreshes(stock));
        if (c.name == std::string("region of interest")) {
            EXPECT_EQ(ours.back().in_segments, 100);
        }
    }
}

TEST(Cbr, DoesNotDependOnThreads) {
    Settings s = Of();
    std::vector<Packet> one;
    for (const int threads : {1, 2, 4}) {
        s.threads = threads;
        std::vector<Packet> packets;
        Encode(s, true, 30, {}, &packets);
        if (threads == 1) one = packets;
        EXPECT_TRUE(SameBytes(one, packets)) << threads << " threads";
    }
}

}  // namespace
