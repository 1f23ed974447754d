/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Rate control of one pass when the content changes, and of streams that are short.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "scenarios.h"

using namespace provider_test;

namespace {

constexpr int kFps = 25;

Settings Of() {
    Settings s;
    s.deadline = VPX_DL_REALTIME;
    s.cpu_used = -8;
    s.width = 320;
    s.height = 240;
    s.kbps = 300;
    s.keyframe_interval = 9999;
    return s;
}

// White noise, as hard as a picture can be; another one in each frame.
std::vector<uint8_t> Noise(const Settings &s, int t) {
    std::vector<uint8_t> frame(FrameBytes(s.width, s.height));
    uint32_t state = 12345u + uint32_t(t) * 977u;
    for (auto &p : frame) {
        state = state * 1664525u + 1013904223u;
        p = uint8_t(state >> 24);
    }
    return frame;
}

// A picture without a change.
std::vector<uint8_t> Still(const Settings &s, int) { return MakeFrame(s.width, s.height, 0); }

// Adds noise of up to that many grey levels to a frame.
std::vector<uint8_t> Noisy(std::vector<uint8_t> frame, const Settings &s, int t, int levels) {
    const auto noise = Noise(s, t);
    for (size_t i = 0; i < frame.size(); i++) {
        frame[i] = uint8_t(std::clamp(frame[i] + noise[i] % (2 * levels + 1) - levels, 0, 255));
    }
    return frame;
}

// A still picture with the noise of a camera.
std::vector<uint8_t> Grain(const Settings &s, int t) { return Noisy(Still(s, t), s, t, 4); }

// Another scene.
std::vector<uint8_t> Inverted(const Settings &s, int t) {
    auto frame = MakeFrame(s.width, s.height, t);
    for (auto &p : frame) p = uint8_t(255 - p);
    return frame;
}

// Another scene without a change.
std::vector<uint8_t> StillInverted(const Settings &s, int) { return Inverted(s, 0); }

std::vector<uint8_t> Moving(const Settings &s, int t) { return MakeFrame(s.width, s.height, t); }

using Content = std::function<std::vector<uint8_t>(const Settings &, int)>;
struct Part {
    int frames;
    Content content;
};

struct Frame {
    double kbit;
    bool key;
    int q;  // quantizer, 0 to 63
};

// Every macroblock has the zero vector and the same distortion.
void FillAlike(Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
    SetAll(mb, 0, 0, 0);
    SetDistortion(mb, 500);
}

// SAD of a macroblock's zero vector.
int ZeroSad(const vp8e_mp_frame_t &f, int x, int y, int ref) {
    int sad = 0;
    for (int row = 16 * y; row < 16 * y + 16; row++) {
        const uint8_t *const a = f.src + row * f.src_stride + 16 * x;
        const uint8_t *const b = f.ref[ref].y + row * f.ref[ref].stride + 16 * x;
        for (int i = 0; i < 16; i++) sad += abs(a[i] - b[i]);
    }
    return sad;
}

// Like cudame, a search that skips the other references if the last frame fits well.
void FillZero(Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int ref) {
    SetAll(mb, 0, 0, 0);
    SetDistortion(
        mb, ref > 1 && ZeroSad(f, x, y, 1) < 800 ? 65535 : std::min(ZeroSad(f, x, y, ref), 65535));
}

std::vector<Frame> Encode(const Settings &s, bool guided, const std::vector<Part> &parts,
                          const FakeProvider::Fill &fill = FillAlike,
                          const std::function<void(Encoder *)> &set_up = {}) {
    FakeProvider provider;
    if (guided) provider.Guide(VP8E_MP_GUIDE_AUTO);
    provider.RepairThreads();
    provider.fill = fill;
    Encoder encoder(s);
    EXPECT_EQ(encoder.SetProvider(provider.get()), VPX_CODEC_OK);
    if (set_up) set_up(&encoder);
    std::vector<Frame> all;
    for (const auto &part : parts) {
        for (int t = 0; t < part.frames; t++) {
            for (const auto &p : encoder.Encode(part.content(s, t).data())) {
                all.push_back({double(p.data.size()) * 8 / 1000, p.key, 0});
                vpx_codec_control(encoder.ctx(), VP8E_GET_LAST_QUANTIZER_64, &all.back().q);
            }
        }
    }
    return all;
}

// Returns the mean bitrate in kb/s of a number of frames.
double Rate(const std::vector<Frame> &all, size_t first, size_t frames) {
    double kbit = 0;
    for (size_t t = first; t < first + frames; t++) kbit += all.at(t).kbit;
    return kbit * kFps / double(frames);
}

// Level of a constant bitrate's buffer before a frame, as a part of its size. It begins full.
double LevelBefore(const std::vector<Frame> &all, const Settings &s, size_t frame) {
    const double size = double(s.kbps) * s.buffer_ms / 1000;
    double level = size;
    for (size_t t = 0; t < frame; t++) {
        level = std::min(level - all.at(t).kbit + s.kbps / double(kFps), size);
    }
    return level / size;
}

// A picture that prediction does not reach: Moving() with strong noise.
std::vector<uint8_t> Hard(const Settings &s, int t) { return Noisy(Moving(s, t), s, t, 32); }

// After a scene that takes more than the bitrate at the highest quantizer, the next one repays the
// debt, and then the channel is not idle.
TEST(Rate, AHardSceneDoesNotStarveTheNextOne) {
    Settings s = Of();
    s.buffer_ms = 1000;
    const auto all = Encode(s, true, {{40, Grain}, {125, Hard}, {185, Grain}}, FillZero);
    EXPECT_GT(Rate(all, 40, 100), 1.2 * s.kbps) << "the scene is too simple for this test";
    EXPECT_GT(Rate(all, 250, 100), 0.9 * s.kbps);
}

// A debt of many seconds, as white noise leaves it, does not keep the quantizer at the highest one.
TEST(Rate, APictureAfterNoiseIsRefined) {
    Settings s = Of();
    s.buffer_ms = 1000;
    const auto all = Encode(s, true, {{40, Grain}, {25, Noise}, {125, Grain}}, FillZero);
    EXPECT_LT(LevelBefore(all, s, 190), 0) << "the debt is repaid";
    EXPECT_EQ(all[64].q, 63);
    EXPECT_LT(all[189].q, 45);
}

// Refinement of a still picture with noise takes no more of the channel than planned, but for the
// first such frames, from which the encoder learns. If a lower ratio counted half, five frames and
// more would take more than 120 ms.
TEST(Rate, RefinementIsSpread) {
    Settings s = Of();
    s.buffer_ms = 1000;
    for (const int kbps : {60, 80, 120}) {
        s.kbps = kbps;
        const auto all = Encode(s, true, {{150, Grain}}, FillZero);
        EXPECT_LE(std::count_if(all.begin() + 1, all.end(),
                                [&](const Frame &f) { return f.kbit > 0.12 * kbps; }),
                  3)
            << kbps;
    }
}

// Frames that empty a leaky bucket, three quarters full at first, which is filled at the bitrate.
int Violations(const std::vector<Frame> &all, const Settings &s, int ms) {
    const double size = double(s.kbps) * ms / 1000;
    double level = size * 3 / 4 - s.kbps / double(kFps);
    return int(std::count_if(all.begin(), all.end(), [&](const Frame &f) {
        level = std::min(level + s.kbps / double(kFps), size) - f.kbit;
        return level < 0;
    }));
}

// A variable bitrate without a lookahead keeps to the user's buffer; libvpx does not know it.
TEST(Rate, AVariableBitrateKeepsToTheBuffer) {
    Settings s = Of();
    s.kbps = 600;
    for (const int ms : {1000, 2000}) {
        SCOPED_TRACE(ms);
        const auto set_buffer = [ms](Encoder *encoder) { encoder->SetBuffer(ms, 100); };
        const std::vector<Part> parts = {
            {60, Grain}, {60, Moving}, {60, StillInverted}, {60, Moving}};
        const auto all = Encode(s, true, parts, FillZero, set_buffer);
        const auto stock = Encode(s, false, parts, FillZero, set_buffer);
        EXPECT_EQ(Violations(all, s, ms), 0);
        EXPECT_GT(Violations(stock, s, ms), 0) << "the scenes are too simple for this test";
        EXPECT_GT(Rate(all, 0, 240), 0.8 * s.kbps);
    }
}

// Key frames that are often due or forced take their part of the bitrate.
TEST(Rate, ShortGroupsKeepTheBitrate) {
    Settings s = Of();
    for (const int interval : {2, 3, 4, 10}) {
        SCOPED_TRACE(interval);
        s.keyframe_interval = interval;
        s.kbps = 600;
        const auto all = Encode(s, true, {{200, Moving}});
        EXPECT_LT(Rate(all, 50, 100), 1.1 * s.kbps);
        EXPECT_GT(Rate(all, 50, 100), 0.9 * s.kbps);
    }
}

// If all frames are key frames, the first one has no more bits than the others.
TEST(Rate, EveryFrameIsAKeyFrame) {
    Settings s = Of();
    s.keyframe_interval = 1;
    s.kbps = 2000;
    for (const int buffer_ms : {0, 1000}) {
        s.buffer_ms = buffer_ms;
        const auto all = Encode(s, true, {{50, Moving}});
        EXPECT_LT(all[0].kbit, 1.6 * Rate(all, 20, 25) / kFps);
        EXPECT_NEAR(Rate(all, 20, 25), s.kbps, 0.1 * s.kbps);
    }
}

// A constant bitrate fills the buffer before a key frame that is due, so that the key frame is as
// good as the frames before it. The frames that save for it take at least half of their share.
TEST(Rate, TheBufferIsFullWhenAKeyFrameIsDue) {
    Settings s = Of();
    s.kbps = 200;
    s.buffer_ms = 1000;
    s.keyframe_interval = 100;
    const auto all = Encode(s, true, {{201, Grain}});
    for (const size_t key : {size_t(100), size_t(200)}) {
        ASSERT_TRUE(all[key].key);
        EXPECT_GT(LevelBefore(all, s, key), 0.8) << key;
        EXPECT_LT(all[key].q, all[key - 1].q + 6) << key;
        EXPECT_GT(Rate(all, key - 50, 50), 0.5 * s.kbps) << key;
    }
}

// A still picture is refined until nothing is left to refine, however small the buffer is.
TEST(Rate, AStillPictureReachesTheLowestQuantizer) {
    Settings s = Of();
    s.min_q = 4;
    s.max_q = 63;
    for (const int buffer_ms : {150, 1000}) {
        s.buffer_ms = buffer_ms;
        const auto all = Encode(s, true, {{150, Still}});
        EXPECT_EQ(all.back().q, 4) << buffer_ms;
    }
}

// A long buffer does not tempt the first frame to a quality that the scene cannot keep.
TEST(Rate, TheFirstFrameTakesWhatItsSceneCanSustain) {
    Settings s = Of();
    s.kbps = 800;
    s.buffer_ms = 6000;
    const auto all = Encode(s, true, {{50, Moving}}), stock = Encode(s, false, {{50, Moving}});
    EXPECT_LT(all[0].kbit, stock[0].kbit);
}

// A flash of one frame: the frame after it is no larger than the first frame of a scene, although
// the white frame needs no bits at the lowest quantizer.
TEST(Rate, APictureThatReturnsAfterAFlashFitsIntoTheBuffer) {
    Settings s = Of();
    s.kbps = 800;
    s.buffer_ms = 200;
    const Content white = [](const Settings &s, int) {
        std::vector<uint8_t> frame(FrameBytes(s.width, s.height), 128);
        std::fill(frame.begin(), frame.begin() + s.width * s.height, uint8_t(235));
        return frame;
    };
    const auto all = Encode(s, true, {{60, Moving}, {1, white}, {40, Moving}});
    EXPECT_LT(all[61].kbit, 0.2 * s.kbps);
    EXPECT_GT(LevelBefore(all, s, 62), 0);
}

// A scene cut at a constant bitrate is seen before it is coded.
TEST(Rate, ASceneCutLeavesBitsInTheBuffer) {
    Settings s = Of();
    s.buffer_ms = 1000;
    const auto all = Encode(s, true, {{100, Still}, {50, Inverted}});
    EXPECT_LT(all[100].kbit, 0.9 * s.kbps * s.buffer_ms / 1000);
    const auto stock = Encode(s, false, {{100, Still}, {50, Inverted}});
    EXPECT_GT(stock[100].kbit, all[100].kbit);
    printf("first frame of the scene: %.0f kbit, libvpx: %.0f\n", all[100].kbit, stock[100].kbit);
}

// Returns the mean bitrate in kb/s of the first five frames of a picture.
double FirstRate(const std::vector<Frame> &all, size_t first) { return Rate(all, first, 5); }

// Two still pictures that alternate, with cuts or with fades of some frames between them: altref
// keeps the one that is not shown, so that it needs few bits when it returns.
TEST(Rate, APictureThatReturnsNeedsFewBits) {
    Settings s = Of();
    s.buffer_ms = 1000;
    for (const int fade : {0, 8}) {
        SCOPED_TRACE(fade);
        const auto mix = [fade](bool back) {
            return [fade, back](const Settings &s, int t) {
                const auto a = Still(s, t), b = StillInverted(s, t);
                const int part = back ? fade - t : t + 1;
                auto frame = a;
                for (size_t i = 0; i < frame.size(); i++) {
                    frame[i] = uint8_t((a[i] * (fade + 1 - part) + b[i] * part) / (fade + 1));
                }
                return frame;
            };
        };
        const auto all = Encode(s, true,
                                {{60, Still},
                                 {fade, mix(false)},
                                 {40, StillInverted},
                                 {fade, mix(true)},
                                 {40, Still},
                                 {fade, mix(false)},
                                 {40, StillInverted}},
                                FillZero);
        const size_t length = size_t(40 + fade), first = size_t(60 + fade);
        for (const size_t back : {first + length, first + 2 * length}) {
            EXPECT_LT(FirstRate(all, back), 0.3 * FirstRate(all, first)) << back;
        }
        printf("fade of %d: %.0f kb/s, at the return %.0f and %.0f\n", fade, FirstRate(all, first),
               FirstRate(all, first + length), FirstRate(all, first + 2 * length));
    }
}

// A picture that is shown for a short time does not take the place of the one that altref keeps.
TEST(Rate, AShortPictureDoesNotTakeThePlaceOfOneThatReturns) {
    Settings s = Of();
    s.buffer_ms = 1000;
    const Content other = [](const Settings &s, int) { return MakeFrame(s.width, s.height, 50); };
    const auto all =
        Encode(s, true, {{60, Still}, {40, StillInverted}, {6, other}, {40, Still}}, FillZero);
    EXPECT_LT(FirstRate(all, 106), 0.3 * FirstRate(all, 60));
}

}  // namespace
