/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// The temporal prefilter: it removes noise from key, golden and altref frames before they are
// coded.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "scenarios.h"

using namespace provider_test;

namespace {

constexpr int kFrames = 30, kAhead = 12;
constexpr int kAll = VP8E_MP_PREFILTER_SHOWN | VP8E_MP_PREFILTER_HIDDEN;

// A texture that moves by (dx, dy) pixels per frame, with new noise of +-amplitude in each frame.
std::vector<uint8_t> Texture(const Settings &s, int t, int dx, int dy, int amplitude) {
    std::mt19937 noise(unsigned(t + 1));
    std::vector<uint8_t> frame(FrameBytes(s.width, s.height), 128);
    for (int y = 0; y < s.height; y++) {
        for (int x = 0; x < s.width; x++) {
            const double u = x + dx * t, v = y + dy * t;
            const double texture = 120 + 40 * std::sin(u * 0.3) * std::cos(v * 0.2);
            const int n = amplitude ? int(noise() % unsigned(2 * amplitude + 1)) - amplitude : 0;
            frame[size_t(y) * s.width + x] = uint8_t(int(texture) + n);
        }
    }
    return frame;
}

std::vector<uint8_t> Clean(const Settings &s, int t) { return Texture(s, t, 2, 1, 0); }
std::vector<uint8_t> Noisy(const Settings &s, int t) { return Texture(s, t, 2, 1, 12); }

double Error(const Settings &s, const std::vector<uint8_t> &a, const std::vector<uint8_t> &b) {
    double error = 0;
    for (size_t i = 0; i < size_t(s.width) * s.height; i++) {
        error += std::pow(double(a[i]) - b[i], 2);
    }
    return error / (double(s.width) * s.height);
}

struct Stream {
    std::vector<Packet> packets;
    std::vector<std::vector<uint8_t>> pictures;  // the shown pictures
    size_t size = 0;
};

Settings Small() {
    Settings s;
    s.cpu_used = 2;
    s.kbps = 150;
    return s;
}

// Encodes in one pass with a lookahead, or in two passes if s has hidden frames. filter: a set of
// VP8E_MP_PREFILTER_*.
Stream Encode(const Settings &s, int filter, const Source &source = Noisy, int ahead = kAhead) {
    FakeProvider provider;
    provider.fill = FillGuided;
    provider.Guide(VP8E_MP_GUIDE_AUTO);
    provider.RepairThreads();
    vp8e_motion_provider_t callbacks = *provider.get();
    callbacks.lookahead = s.arf ? 0 : ahead;
    callbacks.prefilter = filter;
    Encoder encoder(s, s.arf ? 2 : 0, Statistics(s, kFrames, source));
    EXPECT_EQ(encoder.SetProvider(&callbacks), VPX_CODEC_OK);
    Stream stream;
    Decoder decoder;
    stream.packets = EncodeAll(&encoder, s, kFrames, source);
    for (const Packet &p : stream.packets) {
        auto picture = decoder.Decode(p);
        if (p.shown) stream.pictures.push_back(std::move(picture));
        stream.size += p.data.size();
    }
    EXPECT_EQ(int(stream.pictures.size()), kFrames);
    return stream;
}

// Returns the mean squared error of all frames against a source.
double Error(const Settings &s, const Stream &stream, const Source &source) {
    double error = 0;
    for (int t = 0; t < kFrames; t++) error += Error(s, stream.pictures[size_t(t)], source(s, t));
    return error / kFrames;
}

TEST(Prefilter, KeyFramesAreCloserToThePictureWithoutNoise) {
    const Settings s = Small();
    const Stream without = Encode(s, 0), with = Encode(s, kAll);
    const double before = Error(s, without.pictures[0], Clean(s, 0));
    EXPECT_LT(Error(s, with.pictures[0], Clean(s, 0)), 0.7 * before) << before;
}

// The product of error and size of the whole stream falls, both against the picture without noise
// and against the noisy source.
TEST(Prefilter, SavesBitsOfNoise) {
    const Settings s = Small();
    const Stream without = Encode(s, 0), with = Encode(s, kAll);
    for (const Source &source : {Source(Clean), Source(Noisy)}) {
        const double before = Error(s, without, source) * double(without.size);
        EXPECT_LT(Error(s, with, source) * double(with.size), 0.98 * before);
    }
}

TEST(Prefilter, FiltersHiddenFrames) {
    Settings s = Small();
    s.arf = true;
    s.lag = kAhead;
    const Stream shown = Encode(s, VP8E_MP_PREFILTER_SHOWN), all = Encode(s, kAll);
    int hidden = 0;
    for (const Packet &p : all.packets) hidden += !p.shown;
    EXPECT_GT(hidden, 0);
    EXPECT_LT(Error(s, all, Clean) * double(all.size),
              0.98 * Error(s, shown, Clean) * double(shown.size));
}

// If each frame is a key frame, no frame is predicted from another. The filter would only take detail
// away.
TEST(Prefilter, AveragesNoFramesAfterTheNextKeyFrame) {
    Settings s = Small();
    s.arf = true;
    s.lag = 16;
    const auto filters = [&](int interval) {
        s.keyframe_interval = interval;
        const Stream off = Encode(s, 0), on = Encode(s, VP8E_MP_PREFILTER_SHOWN);
        return !SameBytes(off.packets, on.packets);
    };
    EXPECT_FALSE(filters(1));
    EXPECT_TRUE(filters(2));
}

// A frame that has nothing in common with the next ones is not filtered.
TEST(Prefilter, DoesNotMixUnrelatedPictures) {
    const auto cuts = [](const Settings &s, int t) {
        std::mt19937 random(unsigned(t + 1));
        std::vector<uint8_t> frame(FrameBytes(s.width, s.height), 128);
        for (int i = 0; i < s.width * s.height; i++) frame[size_t(i)] = uint8_t(random() % 256);
        return frame;
    };
    Settings s = Small();
    s.kbps = 4000;  // at a coarse quantizer nearly all blocks match
    EXPECT_TRUE(SameBytes(Encode(s, 0, cuts).packets, Encode(s, kAll, cuts).packets));
}

TEST(Prefilter, KeepsStillPictures) {
    const auto still = [](const Settings &s, int) { return Clean(s, 0); };
    EXPECT_TRUE(SameBytes(Encode(Small(), 0, still).packets, Encode(Small(), kAll, still).packets));
}

TEST(Prefilter, DoesNotDependOnThreads) {
    Settings s = Small();
    s.width = 320;
    s.height = 240;
    s.kbps = 500;
    const Stream one = Encode(s, kAll);
    s.threads = 4;
    EXPECT_TRUE(SameBytes(one.packets, Encode(s, kAll).packets));
}

TEST(Prefilter, OddSizes) {
    for (const auto &[width, height] : {std::pair(16, 16), {17, 33}, {49, 200}, {1, 1}}) {
        Settings s = Small();
        s.width = width;
        s.height = height;
        for (const bool arf : {false, true}) {
            s.arf = arf;
            s.lag = arf ? kAhead : 0;
            EXPECT_GE(Encode(s, kAll).packets.size(), size_t(kFrames));
        }
    }
}

TEST(Prefilter, IsOffWhereItDoesNotApply) {
    const auto same = [](const char *name, const Settings &s, int ahead = kAhead) {
        EXPECT_TRUE(
            SameBytes(Encode(s, kAll, Noisy, ahead).packets, Encode(s, 0, Noisy, ahead).packets))
            << name;
    };
    Settings s = Small();
    same("no frames ahead", s, 0);
    s.deadline = VPX_DL_REALTIME;
    s.cpu_used = -8;  // a positive speed would depend on the clock
    same("realtime", s);
    s = Small();
    s.noise_sensitivity = 2;
    same("denoiser", s);
}

// The encoder's PSNR packets compare with the source, not with the filtered frame.
TEST(Prefilter, PsnrIsAgainstTheSource) {
    const Settings s = Small();
    FakeProvider provider;
    vp8e_motion_provider_t callbacks = *provider.get();
    callbacks.lookahead = kAhead;
    callbacks.prefilter = kAll;
    vpx_codec_enc_cfg_t config;
    ASSERT_EQ(vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &config, 0), VPX_CODEC_OK);
    config.g_w = unsigned(s.width);
    config.g_h = unsigned(s.height);
    config.rc_target_bitrate = unsigned(s.kbps);
    vpx_codec_ctx_t encoder;
    ASSERT_EQ(vpx_codec_enc_init(&encoder, vpx_codec_vp8_cx(), &config, VPX_CODEC_USE_PSNR),
              VPX_CODEC_OK);
    ASSERT_EQ(vpx_codec_control(&encoder, VP8E_SET_MOTION_PROVIDER, &callbacks), VPX_CODEC_OK);
    Decoder decoder;
    int told = 0;
    for (int t = 0; t < kFrames; t++) {
        auto frame = Noisy(s, t);
        vpx_image_t image;
        vpx_img_wrap(&image, VPX_IMG_FMT_I420, unsigned(s.width), unsigned(s.height), 1,
                     frame.data());
        ASSERT_EQ(vpx_codec_encode(&encoder, &image, t, 1, 0, VPX_DL_GOOD_QUALITY), VPX_CODEC_OK);
        vpx_codec_iter_t iter = nullptr;
        // The PSNR packet precedes the packet of its frame.
        double error = -1;
        while (const vpx_codec_cx_pkt_t *packet = vpx_codec_get_cx_data(&encoder, &iter)) {
            if (packet->kind == VPX_CODEC_PSNR_PKT) error = double(packet->data.psnr.sse[1]);
            if (packet->kind != VPX_CODEC_CX_FRAME_PKT) continue;
            const auto *data = static_cast<const uint8_t *>(packet->data.frame.buf);
            Packet p;
            p.data.assign(data, data + packet->data.frame.sz);
            const double pixels = double(s.width) * s.height;
            EXPECT_EQ(error, std::round(Error(s, decoder.Decode(p), Noisy(s, told)) * pixels))
                << told;
            told++;
        }
    }
    vpx_codec_destroy(&encoder);
    EXPECT_GE(told, kFrames - kAhead);
}

}  // namespace
