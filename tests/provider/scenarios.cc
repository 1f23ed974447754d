/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "scenarios.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace provider_test {

std::vector<uint8_t> Drawn(const Settings &s, int t) {
    std::vector<uint8_t> frame(FrameBytes(s.width, s.height), 128);
    for (int y = 0; y < s.height; y++) {
        std::mt19937 line(unsigned(y + t));
        for (int x = 0; x < s.width; x++) {
            const bool is_text = x < s.width / 3;
            frame[size_t(y) * s.width + x] = uint8_t(is_text ? line() % 256 : 200);
        }
    }
    return frame;
}

std::string Statistics(const Settings &s, int frames, const Source &source) {
    if (!s.arf) return "";
    Encoder first(s, 1);
    for (int t = 0; t < frames; t++) first.Encode(source(s, t).data());
    first.Encode(nullptr);
    return first.stats();
}

std::vector<Packet> EncodeAll(Encoder *encoder, const Settings &s, int frames,
                              const Source &source) {
    std::vector<Packet> all;
    const auto take = [&](std::vector<Packet> packets) {
        for (Packet &p : packets) all.push_back(std::move(p));
        return !packets.empty();
    };
    for (int t = 0; t < frames; t++) take(encoder->Encode(source(s, t).data()));
    while (take(encoder->Encode(nullptr))) {
    }
    return all;
}

std::vector<Packet> EncodeAndCheck(const Settings &s, FakeProvider *provider, int frames) {
    const auto source = [](const Settings &size, int t) {
        return MakeFrame(size.width, size.height, t);
    };
    Encoder encoder(s, s.arf ? 2 : 0, Statistics(s, frames, source));
    Decoder decoder;
    std::vector<Packet> all;
    if (provider) {
        EXPECT_EQ(encoder.SetProvider(provider->get()), VPX_CODEC_OK);
    }
    for (int t = 0; t <= frames + s.lag; t++) {
        const std::vector<uint8_t> frame = MakeFrame(s.width, s.height, t);
        std::vector<uint8_t> decoded;
        auto packets = encoder.Encode(t < frames ? frame.data() : nullptr);
        for (Packet &p : packets) {
            decoded = decoder.Decode(p);
            EXPECT_EQ(decoded.empty(), !p.shown) << "frame " << t;
            all.push_back(std::move(p));
        }
        if (!decoded.empty()) {
            EXPECT_TRUE(decoded == encoder.Reconstruction())
                << "decoder and encoder differ at frame " << t;
        }
    }
    int shown = 0;
    for (const Packet &p : all) shown += p.shown;
    EXPECT_EQ(shown, frames);
    return all;
}

bool SameBytes(const std::vector<Packet> &a, const std::vector<Packet> &b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); i++) {
        if (a[i].data != b[i].data) return false;
    }
    return true;
}

void SetAll(Motion *mb, int row, int col, int flags) {
    for (auto &mv : mb->mv) {
        mv.row = int16_t(row);
        mv.col = int16_t(col);
    }
    mb->flags = uint16_t(flags);
}

void PrintTo(const NamedSettings &named, std::ostream *os) { *os << named.name; }

std::vector<NamedSettings> AllSettings() {
    std::vector<NamedSettings> list;
    Settings s;
    list.push_back({"Good0", s});
    s.deadline = VPX_DL_BEST_QUALITY;
    list.push_back({"Best", s});
    s.threads = 2;
    list.push_back({"BestTwoThreads", s});
    s = Settings();
    s.cpu_used = 5;
    list.push_back({"Good5", s});
    s = Settings();
    s.deadline = VPX_DL_REALTIME;
    for (int cpu : {-1, -4, -8, -12, -16}) {
        s.cpu_used = cpu;
        static const char *const names[] = {"Realtime1", "Realtime4", "Realtime8", "Realtime12",
                                            "Realtime16"};
        list.push_back({names[-cpu / 4], s});
    }
    s.cpu_used = -6;
    s.threads = 4;
    s.width = 640;
    s.height = 368;
    list.push_back({"RealtimeFourThreads", s});
    s = Settings();
    s.deadline = VPX_DL_REALTIME;
    s.cpu_used = -6;
    s.layers = 2;
    s.error_resilient = 1;
    list.push_back({"TemporalLayers", s});
    s.layers = 1;
    s.noise_sensitivity = 2;
    list.push_back({"Denoiser", s});
    s = Settings();
    s.lag = 10;
    s.arf = true;
    list.push_back({"TwoPassAltRef", s});
    s = Settings();
    s.keyframe_interval = 4;
    list.push_back({"ShortGop", s});
    s = Settings();
    s.kbps = 40;
    s.deadline = VPX_DL_BEST_QUALITY;
    list.push_back({"LowRateRecodes", s});
    s.kbps = 8000;  // so that coefficients are large
    list.push_back({"HighRate", s});
    s = Settings();
    for (int profile = 1; profile <= 3; profile++) {
        static const char *const names[] = {"Profile1", "Profile2", "Profile3"};
        s.profile = profile;
        list.push_back({names[profile - 1], s});
    }
    s = Settings();
    s.width = s.height = 1;
    list.push_back({"Size1x1", s});
    s.width = 17;
    s.height = 33;
    list.push_back({"Size17x33", s});
    s.width = 175;
    s.height = 143;
    s.threads = 2;
    list.push_back({"Size175x143", s});
    return list;
}

void SetDistortion(Motion *mb, int satd) {
    for (int i = 0; i < 25; i++) {
        mb->dist[i] = uint16_t(satd / (i < 1 ? 1 : i < 5 ? 2 : i < 9 ? 4 : 16));
    }
}

void FillGuided(Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int ref) {
    std::minstd_rand rng(unsigned(x + 100 * y + 10000 * ref) + 100000u * unsigned(f.frame_id));
    SetAll(mb, 4, 12, VP8E_MP_MB_SPLIT);
    for (int i = 0; i < 25; i++) {
        if (rng() % 3 == 0) mb->mv[i].col = int16_t(12 + int(rng() % 9) - 4);
        mb->dist[i] = uint16_t(rng() % 2000 / (i < 1 ? 1 : i < 5 ? 2 : i < 9 ? 4 : 16));
    }
}

}  // namespace provider_test
