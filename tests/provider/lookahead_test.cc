/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// One pass with a lookahead, which a provider requests.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "first_pass_server.h"
#include "scenarios.h"

using namespace provider_test;

namespace {

constexpr int kAhead = 12;  // frames of lookahead

Settings Small() {
    Settings s;
    s.cpu_used = 2;
    s.kbps = 200;
    return s;
}

// An encoder whose provider has no vectors and requests a lookahead.
class Ahead {
  public:
    explicit Ahead(const Settings &s, int frames = kAhead) : encoder(s) {
        provider.Lookahead(frames);
        EXPECT_EQ(encoder.SetProvider(provider.get()), VPX_CODEC_OK);
    }
    void Encode(const std::vector<uint8_t> &frame, vpx_enc_frame_flags_t flags = 0) {
        for (auto &p : encoder.Encode(frame.data(), flags)) packets.push_back(std::move(p));
    }
    void Flush() {
        for (;;) {
            auto more = encoder.Encode(nullptr);
            if (more.empty()) return;
            for (auto &p : more) packets.push_back(std::move(p));
        }
    }
    std::vector<int> Keys() const {
        std::vector<int> keys;
        for (const Packet &p : packets) {
            if (p.key) keys.push_back(int(p.pts));
        }
        return keys;
    }

    FakeProvider provider;
    Encoder encoder;
    std::vector<Packet> packets;
};

// Frame t of two scenes. The second scene begins at frame `cut`.
std::vector<uint8_t> TwoScenes(const Settings &s, int t, int cut) {
    auto frame = MakeFrame(s.width, s.height, t);
    if (t >= cut) {
        // A later texture, upside down and inverted.
        const auto other = MakeFrame(s.width, s.height, t + 5000);
        for (int y = 0; y < s.height; y++) {
            for (int x = 0; x < s.width; x++) {
                frame[size_t(y) * s.width + x] =
                    uint8_t(255 - other[size_t(s.height - 1 - y) * s.width + x]);
            }
        }
    }
    return frame;
}

double Error(const std::vector<uint8_t> &a, const std::vector<uint8_t> &b) {
    if (a.size() != b.size()) return INFINITY;
    double error = 0;
    for (size_t i = 0; i < a.size(); i++) error += (a[i] - b[i]) * (a[i] - b[i]);
    return error / double(a.size());
}

TEST(Lookahead, ReturnsEachFrameAfterADelay) {
    const Settings s = Small();
    const int frames = 40;
    Ahead ahead(s);
    Decoder decoder;
    for (int t = 0; t < frames; t++) {
        ahead.Encode(MakeFrame(s.width, s.height, t));
        EXPECT_EQ(int(ahead.packets.size()), std::max(t + 2 - kAhead, 0)) << "frame " << t;
    }
    ahead.Flush();
    ASSERT_EQ(int(ahead.packets.size()), frames);
    for (int t = 0; t < frames; t++) {
        EXPECT_EQ(ahead.packets[t].pts, t);
        const auto picture = decoder.Decode(ahead.packets[t]);
        EXPECT_LT(Error(picture, MakeFrame(s.width, s.height, t)), 200) << "frame " << t;
    }
    EXPECT_EQ(ahead.Keys(), std::vector<int>{0});
}

TEST(Lookahead, AShortStreamIsFlushed) {
    const Settings s = Small();
    for (const int frames : {0, 1, 2, kAhead - 1}) {
        Ahead ahead(s);
        for (int t = 0; t < frames; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
        EXPECT_TRUE(ahead.packets.empty());
        ahead.Flush();
        EXPECT_EQ(int(ahead.packets.size()), frames);
    }
}

// No frame is delayed if frames are wanted at once, or if there are no bits to distribute.
TEST(Lookahead, IsOffWhereItDoesNotApply) {
    std::vector<std::pair<const char *, Settings>> cases;
    const auto add = [&](const char *name, auto change) {
        Settings s = Small();
        change(s);
        cases.emplace_back(name, s);
    };
    add("realtime", [](Settings &s) { s.deadline = VPX_DL_REALTIME; });
    add("error resilience", [](Settings &s) { s.error_resilient = 1; });
    add("layers", [](Settings &s) { s.layers = 2; });
    add("one quantizer", [](Settings &s) { s.min_q = s.max_q = 30; });
    for (const auto &[name, s] : cases) {
        Ahead ahead(s);
        ahead.Encode(MakeFrame(s.width, s.height, 0));
        EXPECT_EQ(ahead.packets.size(), 1u) << name;
    }
    Ahead none(Small(), 2);
    none.Encode(MakeFrame(176, 144, 0));
    EXPECT_EQ(none.packets.size(), 1u);
}

TEST(Lookahead, ASceneCutIsAKeyFrame) {
    Settings s = Small();
    Ahead ahead(s, 25);
    for (int t = 0; t < 70; t++) ahead.Encode(TwoScenes(s, t, 33));
    ahead.Flush();
    EXPECT_EQ(ahead.Keys(), (std::vector<int>{0, 33}));
}

TEST(Lookahead, KeyFramesAreForcedOrRegular) {
    Settings s = Small();
    s.keyframe_interval = 20;
    Ahead ahead(s);
    for (int t = 0; t < 60; t++) {
        ahead.Encode(MakeFrame(s.width, s.height, t), t == 29 ? VPX_EFLAG_FORCE_KF : 0);
    }
    ahead.Flush();
    EXPECT_EQ(ahead.Keys(), (std::vector<int>{0, 20, 29, 49}));
}

TEST(Lookahead, KeepsTheBitrate) {
    Settings s = Small();
    const int frames = 600, half = frames / 2;
    for (const int kbps : {100, 400}) {
        s.kbps = kbps;
        Ahead ahead(s, 25);
        for (int t = 0; t < frames; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
        ahead.Flush();
        double bits = 0;
        for (int t = half; t < frames; t++) bits += double(ahead.packets[t].data.size()) * 8;
        EXPECT_NEAR(bits / half * 25 / 1000, kbps, 0.05 * kbps);
    }
}

// Returns the bitrate of the frames from first up to last, in kb/s.
double Rate(const Ahead &ahead, int first, int last) {
    double bits = 0;
    for (int t = first; t < last; t++) bits += double(ahead.packets[t].data.size()) * 8;
    return bits / (last - first) * 25 / 1000;
}

// Bits are reserved for key frames, regular and forced ones.
TEST(Lookahead, KeepsTheBitrateWithManyKeyFrames) {
    for (const bool is_forced : {false, true}) {
        Settings s = Small();
        if (!is_forced) s.keyframe_interval = 10;
        for (const int kbps : {100, 300}) {
            s.kbps = kbps;
            Ahead ahead(s, 25);
            for (int t = 0; t < 400; t++) {
                ahead.Encode(MakeFrame(s.width, s.height, t),
                             is_forced && t % 15 == 0 ? VPX_EFLAG_FORCE_KF : 0);
            }
            ahead.Flush();
            EXPECT_NEAR(Rate(ahead, 0, 400), kbps, 0.04 * kbps)
                << (is_forced ? "forced" : "regular");
        }
    }
}

// Save a part of a regular key frame's bits before it, because a stream that ends soon after the
// key frame cannot compensate for them.
TEST(Lookahead, AStreamMayEndAfterARegularKeyFrame) {
    Settings s = Small();
    s.keyframe_interval = 60;
    s.kbps = 60;
    Ahead ahead(s, 25);
    for (int t = 0; t < 132; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
    ahead.Flush();
    EXPECT_EQ(ahead.Keys(), (std::vector<int>{0, 60, 120}));
    EXPECT_LT(Rate(ahead, 0, 120), s.kbps);
    EXPECT_NEAR(Rate(ahead, 0, 132), s.kbps, 0.02 * s.kbps);
}

TEST(Lookahead, AShortStreamKeepsItsBitrate) {
    Settings s = Small();
    for (const int interval : {10, 90, 128}) {
        s.keyframe_interval = interval;
        Ahead ahead(s, 25);
        for (int t = 0; t < 100; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
        ahead.Flush();
        EXPECT_NEAR(Rate(ahead, 0, 100), s.kbps, 0.05 * s.kbps) << interval;
    }
}

// A stream that ends soon looks as good as one that libvpx codes without a lookahead: nobody
// measures the bitrate of a few frames.
TEST(Lookahead, AStreamOfAFewFramesIsNotStarved) {
    Settings s = Small();
    s.kbps = 100;
    for (const int frames : {1, 2, 5, 10}) {
        Ahead ahead(s, 25);
        Encoder stock(s);
        Decoder of_stock, of_ahead;
        double stock_error = 0, error = 0;
        for (int t = 0; t < frames; t++) {
            const auto frame = MakeFrame(s.width, s.height, t);
            for (const Packet &p : stock.Encode(frame.data())) {
                stock_error += Error(of_stock.Decode(p), frame);
            }
            ahead.Encode(frame);
        }
        ahead.Flush();
        ASSERT_EQ(int(ahead.packets.size()), frames);
        for (int t = 0; t < frames; t++) {
            error += Error(of_ahead.Decode(ahead.packets[t]), MakeFrame(s.width, s.height, t));
        }
        EXPECT_LT(error, 1.1 * stock_error) << frames << " frames";
    }
}

// The constrained quality decides about a stream that ends soon, too.
TEST(Lookahead, AStreamOfAFewFramesHasItsQuality) {
    const Settings s = Small();
    for (const int frames : {1, 5}) {
        size_t bytes[2] = {0, 0};
        for (const bool is_coarse : {false, true}) {
            Ahead ahead(s, 25);
            vpx_codec_enc_cfg_t cfg = *ahead.encoder.ctx()->config.enc;
            cfg.rc_end_usage = VPX_CQ;
            ASSERT_EQ(vpx_codec_enc_config_set(ahead.encoder.ctx(), &cfg), VPX_CODEC_OK);
            ASSERT_EQ(vpx_codec_control(ahead.encoder.ctx(), VP8E_SET_CQ_LEVEL,
                                        is_coarse ? 50u : 10u), VPX_CODEC_OK);
            for (int t = 0; t < frames; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
            ahead.Flush();
            for (const Packet &p : ahead.packets) bytes[is_coarse] += p.data.size();
        }
        EXPECT_GT(double(bytes[0]), 1.5 * double(bytes[1])) << frames << " frames";
    }
}

// Lowest level, in bits, of a leaky bucket of that many milliseconds, three quarters full at first.
double LowestLevel(const Ahead &ahead, const Settings &s, int ms) {
    const double share = s.kbps * 1000 / 25., size = double(s.kbps) * ms;
    double level = 0.75 * size - share, lowest = level;
    for (const Packet &p : ahead.packets) {
        if (p.shown) level = std::min(size, level + share);
        level -= double(p.data.size()) * 8;
        lowest = std::min(lowest, level);
    }
    return lowest;
}

// The user's buffer does not run empty: at the start, at a scene cut, at forced key frames, with
// hidden frames, and at the end. It is 75 % full at first.
TEST(Lookahead, TheBufferDoesNotRunEmpty) {
    for (const bool arf : {false, true}) {
        for (const int ms : {500, 1000, 2000}) {
            // libvpx takes a hidden frame of this noise for a third of its size.
            if (arf && ms < 1000) continue;
            SCOPED_TRACE(testing::Message() << ms << " ms" << (arf ? ", hidden frames" : ""));
            Settings s = Small();
            s.arf = arf;
            Ahead ahead(s, 25);
            ahead.encoder.SetBuffer(ms, 100);
            for (int t = 0; t < 150; t++) {
                ahead.Encode(TwoScenes(s, t, 60), t == 90 || t == 95 ? VPX_EFLAG_FORCE_KF : 0);
            }
            ahead.Flush();
            EXPECT_GE(LowestLevel(ahead, s, ms), 0);
            EXPECT_GT(Rate(ahead, 0, 150), 0.85 * s.kbps);
        }
    }
}

// A full buffer takes no bits. So bits that easy frames save must not wait for the frames of the
// lookahead and of the group if the buffer holds fewer frames.
TEST(Lookahead, AShortBufferIsNotLeftFull) {
    Settings s = Small();
    // Milliseconds of the buffer, and the least part of the bitrate. Frames have 0.67, 0.81 and
    // 0.86 of it; 0.52, 0.64 and 0.73 if the bits wait.
    const std::vector<std::pair<int, double>> cases = {{120, 0.6}, {200, 0.74}, {280, 0.8}};
    for (const auto &[ms, least] : cases) {
        SCOPED_TRACE(testing::Message() << ms << " ms");
        Ahead ahead(s, 25);
        ahead.encoder.SetBuffer(ms, 100);
        for (int t = 0; t < 150; t++) {
            ahead.Encode(t < 12 ? TwoScenes(s, t, 0) : MakeFrame(s.width, s.height, t / 6));
        }
        ahead.Flush();
        EXPECT_GT(Rate(ahead, 12, 150), least * s.kbps);
    }
}

TEST(Lookahead, KeyFramesAreNoLargerThanAllowed) {
    Settings s = Small();
    s.keyframe_interval = 20;
    for (const int percent : {100, 200, 300}) {
        Ahead ahead(s);
        ASSERT_EQ(vpx_codec_control(ahead.encoder.ctx(), VP8E_SET_MAX_INTRA_BITRATE_PCT,
                                    unsigned(percent)), VPX_CODEC_OK);
        for (int t = 0; t < 100; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
        ahead.Flush();
        for (const int t : ahead.Keys()) {
            EXPECT_LT(double(ahead.packets[t].data.size()) * 8,
                      1.25 * percent / 100 * s.kbps * 1000 / 25) << t;
        }
        EXPECT_NEAR(Rate(ahead, 0, 100), s.kbps, 0.08 * s.kbps) << percent;
    }
}

// The bits that a hard scene leaves are spent on the easy one after it: the correction of the hard
// scene does not last.
TEST(Lookahead, AnEasySceneAfterAHardOneSpendsItsBits) {
    Settings s = Small();
    s.kbps = 300;
    const auto noise = [&](int t) {
        auto frame = MakeFrame(s.width, s.height, t * 97);
        for (size_t i = 0; i < frame.size(); i++) {
            frame[i] = uint8_t(frame[i] / 2 + ((i * 2654435761u + unsigned(t) * 40503u) >> 7) % 100);
        }
        return frame;
    };
    Ahead ahead(s, 25);
    for (int t = 0; t < 100; t++) {
        ahead.Encode(t < 50 ? noise(t) : MakeFrame(s.width, s.height, t));
    }
    ahead.Flush();
    EXPECT_GT(Rate(ahead, 51, 75), 0.35 * s.kbps);  // 0.47; without that, 0.18
    EXPECT_GT(Rate(ahead, 0, 100), 0.95 * s.kbps);
}

// Bits of the stream's first packet, in seconds of the bitrate.
double SecondsOfFirst(const Ahead &ahead, const Settings &s) {
    return double(ahead.packets[0].data.size()) * 8 / (s.kbps * 1000);
}

// A first key frame takes few bits if another picture soon covers its own.
TEST(Lookahead, AFirstPictureThatIsSoonCoveredTakesFewBits) {
    Settings s = Small();
    s.kbps = 30;
    constexpr int kCovered = 10, kFrames = 12;  // covered from this frame on, within as many frames
    Ahead ahead(s, 25);
    for (int t = 0; t < 50; t++) {
        auto frame = MakeFrame(s.width, s.height, 0);
        const auto next = TwoScenes(s, 1, 0);
        const int rows = std::clamp(s.height * (t - kCovered) / kFrames, 0, s.height);
        std::copy_n(next.begin(), size_t(rows) * s.width, frame.begin());
        ahead.Encode(frame);
    }
    ahead.Flush();
    EXPECT_LT(SecondsOfFirst(ahead, s), 0.8);  // 0.66; with at least a second, 0.92
}

// Whether drawn text has ink there; a dot is 2x2 pixels.
bool HasInk(unsigned line, int x) {
    return (line / 2 * 977 + unsigned(x) / 2) * 2654435761u >> 31;
}

// A drawn first picture takes the bits of all pictures that show most of it, although lines below
// change in each picture: what stays is predicted without an error.
TEST(Lookahead, ADrawnFirstPictureThatStaysTakesManyBits) {
    Settings s = Small();
    s.kbps = 20;
    Ahead ahead(s, 25);
    for (int t = 0; t < 50; t++) {
        std::vector<uint8_t> frame(FrameBytes(s.width, s.height), 128);
        for (int y = 0; y < s.height; y++) {
            const unsigned line = unsigned(y < s.height * 3 / 4 ? y : y + 1000 * t);
            for (int x = 0; x < s.width / 2; x++) {
                if (line % 16 < 10) frame[size_t(y) * s.width + x] = HasInk(line, x) ? 16 : 235;
            }
        }
        ahead.Encode(frame);
    }
    ahead.Flush();
    EXPECT_GT(SecondsOfFirst(ahead, s), 1);  // 1.5; without that, 0.56
}

// Two pages of drawn lines; from the first to the second one by cross-fade, part of 256.
std::vector<uint8_t> Pages(const Settings &s, int first, int second, int part) {
    const auto pixel = [&](int page, int x, int y) {
        return y % 16 < 10 && HasInk(unsigned(y + 2000 * page), x) ? 16 : 235;
    };
    std::vector<uint8_t> frame(FrameBytes(s.width, s.height), 128);
    for (int y = 0; y < s.height; y++) {
        for (int x = 0; x < s.width; x++) {
            frame[size_t(y) * s.width + x] =
                uint8_t((pixel(first, x, y) * (256 - part) + pixel(second, x, y) * part) >> 8);
        }
    }
    return frame;
}

// The first golden frame after a page is the last one of the cross-fade to the next page, although
// the queue ends in the middle of the cross-fade when the group before begins.
TEST(Lookahead, AGoldenFrameWaitsForTheStillPicture) {
    const Settings s = Small();
    constexpr int kBegin = 14, kEnd = 34;  // cross-fade
    Ahead ahead(s, 25);
    for (int t = 0; t < 80; t++) {
        ahead.Encode(Pages(s, 0, 1, std::clamp((t - kBegin + 1) * 256 / (kEnd - kBegin), 0, 256)));
    }
    ahead.Flush();
    Decoder decoder;
    std::vector<int> golden;
    for (const Packet &p : ahead.packets) {
        decoder.Decode(p);
        if (!p.key && (decoder.Updates() & VP8_GOLD_FRAME)) golden.push_back(int(p.pts));
    }
    ASSERT_FALSE(golden.empty());
    EXPECT_EQ(golden[0], kEnd - 1);  // otherwise 23
}

// Neither a cross-fade nor the page after it empties the buffer, although pages that stand still make
// the encoder expect few bits.
TEST(Lookahead, PagesDoNotEmptyTheBuffer) {
    Settings s = Small();
    s.kbps = 100;
    s.arf = true;
    constexpr int kMs = 500, kStill = 20, kFade = 10;  // buffer; frames
    Ahead ahead(s, 25);
    ahead.encoder.SetBuffer(kMs, 100);
    for (int t = 0; t < 300; t++) {
        const int page = t / (kStill + kFade);
        const int fade = std::max(t % (kStill + kFade) - kStill + 1, 0);
        ahead.Encode(Pages(s, page, page + 1, fade * 256 / kFade));
    }
    ahead.Flush();
    EXPECT_GE(LowestLevel(ahead, s, kMs), 0);  // 16 % of the buffer; before, -28 %
}

// If a scene near the end takes too many bits, the frames after it take fewer, but at least half
// of their share.
TEST(Lookahead, TheEndOfAStreamKeepsHalfOfItsBits) {
    Settings s = Small();
    s.keyframe_interval = 999;
    s.kbps = 40;
    for (const int cut : {30, 126}) {
        Ahead ahead(s, 25);
        for (int t = 0; t < cut + 24; t++) ahead.Encode(TwoScenes(s, t, cut));
        ahead.Flush();
        EXPECT_GT(Rate(ahead, 0, cut + 24), s.kbps) << cut;
        EXPECT_GT(Rate(ahead, cut + 1, cut + 24), 0.5 * s.kbps) << cut;
    }
}

// The limit on overshoot decides whether moving pictures may spend the bits that still ones saved.
TEST(Lookahead, OvershootIsLimited) {
    const Settings s = Small();
    double rates[2];
    for (const int overshoot : {0, 100}) {
        Ahead ahead(s);
        vpx_codec_enc_cfg_t cfg = *ahead.encoder.ctx()->config.enc;
        cfg.rc_overshoot_pct = overshoot;
        EXPECT_EQ(vpx_codec_enc_config_set(ahead.encoder.ctx(), &cfg), VPX_CODEC_OK);
        for (int t = 0; t < 280; t++) {
            ahead.Encode(MakeFrame(s.width, s.height, std::max(t - 200, 0)));
        }
        ahead.Flush();
        rates[overshoot / 100] = Rate(ahead, 200, 250);
    }
    EXPECT_LT(rates[0], 0.9 * rates[1]);
}

// A change of the bitrate leaves neither a surplus nor a debt.
TEST(Lookahead, TheBitrateMayChange) {
    Settings s = Small();
    for (const auto &[from, to] : {std::pair(400, 100), std::pair(100, 400)}) {
        s.kbps = from;
        Ahead ahead(s);
        for (int t = 0; t < 360; t++) {
            if (t == 60) ahead.encoder.SetBitrate(to);
            ahead.Encode(MakeFrame(s.width, s.height, t));
        }
        ahead.Flush();
        double bits = 0;
        for (int t = 110; t < 360; t++) bits += double(ahead.packets[t].data.size()) * 8;
        EXPECT_NEAR(bits / 250 * 25 / 1000, to, 0.12 * to) << "from " << from;
    }
}

// Flags apply to the frame that is coded when the application passes them. No frame is lost.
TEST(Lookahead, ReturnsFramesWithFlags) {
    const Settings s = Small();
    Ahead ahead(s);
    for (int t = 0; t < 80; t++) {
        const vpx_enc_frame_flags_t flags = t % 5 == 2 ? VP8_EFLAG_FORCE_GF | VP8_EFLAG_NO_UPD_LAST
                                            : t % 7 == 3 ? VP8_EFLAG_FORCE_ARF
                                                         : 0;
        ahead.Encode(MakeFrame(s.width, s.height, t), flags);
        EXPECT_EQ(int(ahead.packets.size()), std::max(t + 2 - kAhead, 0)) << "frame " << t;
    }
    ahead.Flush();
    EXPECT_EQ(ahead.packets.size(), 80u);
}

// No frame after a forced key frame is mistaken for the source of an altref frame before it.
TEST(Lookahead, AForcedKeyFrameEndsEveryGroup) {
    Settings s = Small();
    s.arf = true;
    Ahead ahead(s, 25);
    Decoder decoder;
    const auto is_forced = [](int t) { return t == 10 || (t >= 30 && t < 33) || t == 47; };
    for (int t = 0; t < 70; t++) {
        ahead.Encode(MakeFrame(s.width, s.height, t), is_forced(t) ? VPX_EFLAG_FORCE_KF : 0);
    }
    ahead.Flush();
    EXPECT_EQ(ahead.Keys(), (std::vector<int>{0, 10, 30, 31, 32, 47}));
    for (const Packet &p : ahead.packets) {
        const auto picture = decoder.Decode(p);
        if (p.shown) {
            EXPECT_LT(Error(picture, MakeFrame(s.width, s.height, int(p.pts))), 200) << p.pts;
        }
    }
}

TEST(Lookahead, EveryFrameMayBeAKeyFrame) {
    Settings s = Small();
    s.keyframe_interval = 0;
    s.kbps = 1000;
    Ahead ahead(s);
    const int frames = 60;
    for (int t = 0; t < frames; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
    ahead.Flush();
    EXPECT_EQ(int(ahead.Keys().size()), frames);
    size_t least = SIZE_MAX, most = 0;
    for (int t = 20; t < frames; t++) {
        least = std::min(least, ahead.packets[t].data.size());
        most = std::max(most, ahead.packets[t].data.size());
    }
    EXPECT_LT(most, 2 * least);
}

TEST(Lookahead, TheStreamDoesNotDependOnThreads) {
    Settings s = Small();
    s.width = 640;  // wide enough for rows in several threads
    s.height = 368;
    s.kbps = 600;
    std::vector<std::vector<uint8_t>> first;
    for (const int threads : {1, 2, 3}) {
        s.threads = threads;
        Ahead ahead(s);
        ahead.provider.RepairThreads();
        for (int t = 0; t < 30; t++) ahead.Encode(TwoScenes(s, t, 17));
        ahead.Flush();
        std::vector<std::vector<uint8_t>> all;
        for (Packet &p : ahead.packets) all.push_back(std::move(p.data));
        if (threads == 1) {
            first = all;
        } else {
            EXPECT_TRUE(all == first) << threads << " threads";
        }
    }
}

TEST(Lookahead, HiddenFramesAreAltRefs) {
    Settings s = Small();
    s.arf = true;
    Ahead ahead(s, 25);
    Decoder decoder;
    for (int t = 0; t < 80; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
    ahead.Flush();
    int shown = 0, hidden = 0;
    for (const Packet &p : ahead.packets) {
        const auto picture = decoder.Decode(p);
        (p.shown ? shown : hidden)++;
        EXPECT_EQ(picture.empty(), !p.shown);
        if (p.shown) {
            EXPECT_EQ(p.pts, shown - 1);
        }
    }
    EXPECT_EQ(shown, 80);
    EXPECT_GT(hidden, 1);
}

// The provider may be detached or replaced while frames are queued.
TEST(Lookahead, OutlivesItsProvider) {
    const Settings s = Small();
    auto ahead = std::make_unique<Ahead>(s);
    FakeProvider other;
    for (int t = 0; t < 30; t++) {
        if (t == 16 || t == 20) {
            EXPECT_EQ(ahead->encoder.SetProvider(t == 16 ? nullptr : other.get()), VPX_CODEC_OK);
        }
        ahead->Encode(MakeFrame(s.width, s.height, t));
    }
    EXPECT_EQ(ahead->encoder.SetProvider(nullptr), VPX_CODEC_OK);
    ahead->Flush();
    EXPECT_EQ(ahead->packets.size(), 30u);
}

// The stream does not depend on whether libvpx or the provider does a frame's first pass, nor on
// the thread.
TEST(Lookahead, TheProviderMayDoTheFirstPass) {
    Settings s = Small();
    const int frames = 40;
    std::vector<std::vector<uint8_t>> stock;
    for (const int who : {0, 3, 1}) {  // first pass by libvpx, by the provider, or by both in turn
        for (const int threads : {1, 3}) {
            SCOPED_TRACE(testing::Message() << who << ", " << threads << " threads");
            s.threads = threads;
            FirstPassServer server([who](int n) { return who >> n % 2 & 1; });
            auto ahead = std::make_unique<Ahead>(s, 0);
            FakeProvider provider;
            provider.Lookahead(kAhead);
            provider.RepairThreads();
            provider.DoFirstPass([&](const auto &frame, auto *counts) {
                return server.FirstPass(frame, counts);
            });
            EXPECT_EQ(ahead->encoder.SetProvider(provider.get()), VPX_CODEC_OK);
            for (int t = 0; t < frames; t++) ahead->Encode(TwoScenes(s, t, 23));
            ahead->Flush();
            std::vector<std::vector<uint8_t>> all;
            for (Packet &p : ahead->packets) all.push_back(std::move(p.data));
            EXPECT_EQ(int(all.size()), frames);
            if (stock.empty()) stock = all;
            EXPECT_TRUE(all == stock);
            EXPECT_EQ(server.asked, frames);
            EXPECT_EQ(server.served, frames * (who & 1) / (who == 1 ? 2 : 1));
            ahead.reset();
            EXPECT_GT(provider.first_pass_freed, 0);
        }
    }
}

// A provider that was detached is not called, not even for frames that were queued before.
TEST(Lookahead, ADetachedProviderDoesNoFirstPass) {
    Settings s = Small();
    s.threads = 3;
    FirstPassServer first([](int) { return true; }), second([](int) { return true; });
    FakeProvider with_second;
    with_second.DoFirstPass(
        [&](const auto &frame, auto *counts) { return second.FirstPass(frame, counts); });
    Ahead ahead(s, 0);
    {
        FakeProvider with_first;
        with_first.Lookahead(kAhead);
        with_first.DoFirstPass(
            [&](const auto &frame, auto *counts) { return first.FirstPass(frame, counts); });
        EXPECT_EQ(ahead.encoder.SetProvider(with_first.get()), VPX_CODEC_OK);
        for (int t = 0; t < 20; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
        EXPECT_EQ(ahead.encoder.SetProvider(nullptr), VPX_CODEC_OK);
    }
    for (int t = 20; t < 26; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
    EXPECT_EQ(ahead.encoder.SetProvider(with_second.get()), VPX_CODEC_OK);
    for (int t = 26; t < 40; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
    EXPECT_EQ(ahead.encoder.SetProvider(nullptr), VPX_CODEC_OK);
    ahead.Flush();
    EXPECT_EQ(ahead.packets.size(), 40u);
    EXPECT_EQ(first.served, 20);
    EXPECT_EQ(second.served, 14);
}

TEST(Lookahead, TheConfigurationMayChangeExceptTheSize) {
    const Settings s = Small();
    Ahead ahead(s);
    for (int t = 0; t < 20; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
    ahead.encoder.SetThreads(2);
    vpx_codec_enc_cfg_t cfg = *ahead.encoder.ctx()->config.enc;
    cfg.rc_target_bitrate /= 2;
    EXPECT_EQ(vpx_codec_enc_config_set(ahead.encoder.ctx(), &cfg), VPX_CODEC_OK);
    cfg.g_w /= 2;
    EXPECT_EQ(vpx_codec_enc_config_set(ahead.encoder.ctx(), &cfg), VPX_CODEC_INVALID_PARAM);
    for (int t = 20; t < 40; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
    ahead.Flush();
    EXPECT_EQ(ahead.packets.size(), 40u);
}

// The queue holds frames of the old scale. Refuse another scale, and lose no frame.
TEST(Lookahead, TheScaleCannotChange) {
    const Settings s = Small();
    Ahead ahead(s);
    Decoder decoder;
    vpx_scaling_mode_t half = {VP8E_ONETWO, VP8E_FOURFIVE}, normal = {VP8E_NORMAL, VP8E_NORMAL};
    for (int t = 0; t < 40; t++) {
        if (t == 20) {
            vpx_codec_ctx_t *const ctx = ahead.encoder.ctx();
            EXPECT_EQ(vpx_codec_control(ctx, VP8E_SET_SCALEMODE, &half), VPX_CODEC_INVALID_PARAM);
            EXPECT_STREQ(vpx_codec_error_detail(ctx), "Cannot change the scale with a lookahead");
            EXPECT_EQ(vpx_codec_control(ctx, VP8E_SET_SCALEMODE, &normal), VPX_CODEC_OK);
            ahead.encoder.SetBitrate(s.kbps + 1);
        }
        ahead.Encode(MakeFrame(s.width, s.height, t));
    }
    ahead.Flush();
    ASSERT_EQ(ahead.packets.size(), 40u);
    for (int t = 0; t < 40; t++) {
        EXPECT_LT(Error(decoder.Decode(ahead.packets[t]), MakeFrame(s.width, s.height, t)), 200)
            << "frame " << t;
    }
}

// If a scale is set before the first frame, there is no lookahead and libvpx scales.
TEST(Lookahead, IsOffIfFramesAreScaled) {
    const Settings s = Small();
    Ahead ahead(s);
    Decoder decoder;
    vpx_scaling_mode_t half = {VP8E_ONETWO, VP8E_FOURFIVE};
    EXPECT_EQ(vpx_codec_control(ahead.encoder.ctx(), VP8E_SET_SCALEMODE, &half), VPX_CODEC_OK);
    ahead.encoder.SetBitrate(s.kbps);
    for (int t = 0; t < 20; t++) {
        if (t == 10) ahead.encoder.SetBitrate(s.kbps + 1);
        ahead.Encode(MakeFrame(s.width, s.height, t));
        ASSERT_EQ(int(ahead.packets.size()), t + 1);
        EXPECT_EQ(decoder.Decode(ahead.packets[t]).size(), size_t(88 * 116 * 3 / 2));
    }
}

// Each frame is several packets: together more than libvpx returns for one call.
TEST(Lookahead, PartitionsOfAllQueuedFramesAreFlushed) {
    Settings s = Small();
    s.partitions = 8;
    Ahead ahead(s, 25);
    Decoder decoder;
    for (int t = 0; t < 40; t++) ahead.Encode(MakeFrame(s.width, s.height, t));
    ahead.Flush();
    ASSERT_EQ(ahead.packets.size(), 40u);
    for (int t = 0; t < 40; t++) {
        EXPECT_EQ(ahead.packets[t].pts, t);
        EXPECT_EQ(ahead.packets[t].parts, 9);
        EXPECT_LT(Error(decoder.Decode(ahead.packets[t]), MakeFrame(s.width, s.height, t)), 200)
            << "frame " << t;
    }
}

}  // namespace
