/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "whole_frame_cases.h"

#include <algorithm>
#include <random>

namespace provider_test {

void PrintTo(const Case &c, std::ostream *os) { *os << c.name; }

std::vector<Packet> Encode(const Case &c, FakeProvider *p, int frames) {
    if (!p->fill) p->fill = c.fill;
    p->RepairThreads();
    Encoder encoder(c.s);
    EXPECT_EQ(encoder.SetProvider(p->get()), VPX_CODEC_OK);
    Decoder decoder;
    std::vector<Packet> all;
    for (int t = 0; t < frames; t++) {
        if (c.before) c.before(&encoder, t);
        const auto frame = c.source ? c.source(c.s, t) : MakeFrame(c.s.width, c.s.height, t);
        for (Packet &packet : encoder.Encode(frame.data(), c.flags ? c.flags(t) : 0)) {
            const auto decoded = decoder.Decode(packet);
            EXPECT_TRUE(decoded == encoder.Reconstruction()) << "frame " << t;
            all.push_back(std::move(packet));
        }
    }
    return all;
}

int InterFrames(const std::vector<Packet> &packets) {
    return int(std::count_if(packets.begin(), packets.end(), [](auto &p) { return !p.key; }));
}

testing::AssertionResult Same(const std::vector<Packet> &a, const std::vector<Packet> &b) {
    for (size_t i = 0; i < std::min(a.size(), b.size()); i++) {
        if (a[i].data != b[i].data) {
            return testing::AssertionFailure() << "frame " << i << ": " << a[i].data.size()
                                               << " bytes against " << b[i].data.size();
        }
    }
    if (a.size() == b.size()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << a.size() << " frames against " << b.size();
}

bool HasOnePartition(const Settings &s) {
    return !s.partitions && !(s.error_resilient & VPX_ERROR_RESILIENT_PARTITIONS);
}

Settings Realtime(int cpu_used) {
    Settings s;
    s.deadline = VPX_DL_REALTIME;
    s.cpu_used = cpu_used;
    return s;
}

Settings Sized(int cpu_used, int width, int height) {
    Settings s = Realtime(cpu_used);
    s.width = width;
    s.height = height;
    return s;
}

Settings Cbr(int cpu_used, int kbps, int buffer_ms) {
    Settings s = Realtime(cpu_used);
    s.kbps = kbps;
    s.buffer_ms = buffer_ms;
    return s;
}

static Settings FixedQuantizer(int cpu_used, int q) {
    Settings s = Realtime(cpu_used);
    s.min_q = s.max_q = q;
    s.kbps = 20000;
    return s;
}

static std::vector<uint8_t> StillFrame(const Settings &s, int t) {
    // A small change in a corner keeps some macroblocks from ending.
    auto frame = MakeFrame(s.width, s.height, 0);
    for (int y = 0; y < s.height / 4; y++) {
        for (int x = 0; x < s.width / 4; x++) frame[size_t(y) * s.width + x] ^= uint8_t(t & 1);
    }
    return frame;
}

// Another picture from frame 5 on.
static std::vector<uint8_t> CutFrame(const Settings &s, int t) {
    auto frame = MakeFrame(s.width, s.height, t);
    if (t >= 5) {
        for (uint8_t &pixel : frame) pixel = uint8_t(255 - pixel);
    }
    return frame;
}

std::vector<uint8_t> NoisyFrame(const Settings &s, int t) {
    auto frame = MakeFrame(s.width, s.height, 0);
    const auto moved = MakeFrame(s.width, s.height, t);
    const size_t luma = size_t(s.width) * s.height;
    std::minstd_rand rng(unsigned(t) + 1);
    for (size_t i = 0; i < frame.size(); i++) {
        const bool is_luma = i < luma;
        const size_t x = is_luma ? i % s.width : (i - luma) % ((s.width + 1) / 2) * 2;
        const size_t y = is_luma ? i / s.width : 0;
        if (x >= size_t(s.width) / 2) frame[i] = moved[i];
        if (is_luma && x < 32 && y < 64) frame[i] = uint8_t(120 + (x ^ y) % 8);
        frame[i] = uint8_t(std::clamp(frame[i] + int(rng() % 11) - 5, 0, 255));
    }
    return frame;
}

void FillStill(Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int ref) {
    std::minstd_rand rng(unsigned(x + 100 * y + 10000 * ref) + 100000u * unsigned(f.frame_id));
    SetAll(mb, 0, 0, VP8E_MP_MB_SPLIT);
    SetDistortion(mb, int(rng() % 200));
    // Splits that cost little and move by a quarter pixel.
    if (rng() % 3) return;
    for (int i = 1; i < 25; i++) {
        mb->mv[i].col = int16_t(rng() % 2);
        mb->dist[i] = uint16_t(rng() % 4);
    }
    mb->dist[0] = 4000;
}

void FillFar(Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int ref) {
    FillGuided(mb, f, x, y, ref);
    std::minstd_rand rng(unsigned(x + 100 * y + 10000 * ref) + 100000u * unsigned(f.frame_id));
    const auto any = [&](int position, int mbs) {
        const int low = std::max(-4 * 16 * (position + 1), -1000);
        const int high = std::min(4 * 16 * (mbs - position), 1000);
        return int16_t(rng() % 4 ? low + int(rng() % unsigned(high - low + 1))
                                 : (rng() % 2 ? low : high));
    };
    for (auto &mv : mb->mv) {
        if (rng() % 2) mv = {any(y, f.mb_rows), any(x, f.mb_cols)};
    }
}

// No vector of a smaller block.
static void FillWithoutSplits(Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int ref) {
    FillGuided(mb, f, x, y, ref);
    mb->flags = 0;
}

// Refreshes and references that a user chooses. No frame is without a reference.
static vpx_enc_frame_flags_t UserFlags(int t) {
    static const vpx_enc_frame_flags_t flags[] = {
        VP8_EFLAG_FORCE_GF,
        VP8_EFLAG_NO_REF_LAST,
        VP8_EFLAG_NO_REF_GF | VP8_EFLAG_FORCE_ARF,
        VP8_EFLAG_NO_REF_ARF | VP8_EFLAG_NO_UPD_LAST,
        VP8_EFLAG_NO_REF_LAST | VP8_EFLAG_NO_REF_ARF | VP8_EFLAG_NO_UPD_ENTROPY,
        VP8_EFLAG_NO_REF_LAST | VP8_EFLAG_NO_REF_GF | VP8_EFLAG_NO_UPD_GF,
        VP8_EFLAG_NO_REF_GF | VP8_EFLAG_NO_REF_ARF | VP8_EFLAG_NO_UPD_ARF,
        0,
    };
    return flags[t % 8];
}

// Segments in stripes, from frame 2 on; others from frame 6 on; none in frame 8.
static void SetRoi(Encoder *encoder, int t, bool thresholds) {
    if (t != 2 && t != 6 && t != 8) return;
    const vpx_codec_enc_cfg_t *cfg = encoder->ctx()->config.enc;
    vpx_roi_map_t roi{};
    roi.cols = (cfg->g_w + 15) / 16;
    roi.rows = (cfg->g_h + 15) / 16;
    std::vector<uint8_t> map(size_t(roi.cols) * roi.rows);
    for (size_t i = 0; i < map.size(); i++) {
        map[i] = uint8_t((i % roi.cols + (t == 6 ? i / roi.cols : 0)) & 3);
    }
    if (t != 8) {
        roi.roi_map = map.data();
        const int delta_q[] = {0, -20, 15, 30}, delta_lf[] = {0, 3, -3, 5};
        std::copy_n(delta_q, 4, roi.delta_q);
        std::copy_n(delta_lf, 4, roi.delta_lf);
        const unsigned breakout[] = {0, 1, 2000, 100000};
        if (thresholds) std::copy_n(breakout, 4, roi.static_threshold);
    }
    EXPECT_EQ(vpx_codec_control(encoder->ctx(), VP8E_SET_ROI_MAP, &roi), VPX_CODEC_OK);
}

std::vector<Case> Cases() {
    std::vector<Case> cases;
    static const char *const names[] = {"Realtime4",  "Realtime5",  "Realtime6",  "Realtime7",
                                        "Realtime8",  "Realtime9",  "Realtime10", "Realtime12",
                                        "Realtime14", "Realtime15", "Realtime16"};
    static const int speeds[] = {-4, -5, -6, -7, -8, -9, -10, -12, -14, -15, -16};
    for (int i = 0; i < 11; i++) cases.push_back({names[i], Realtime(speeds[i])});
    cases.push_back({"Cbr8", Cbr(-8, 150, 300)});
    cases.push_back({"Cbr6SmallBuffer", Cbr(-6, 60, 100)});
    cases.push_back({"Cbr16", Cbr(-16, 400, 600)});
    cases.push_back({"LowRate", With(Realtime(-6), &Settings::kbps, 30)});
    cases.push_back({"HighRate", With(Realtime(-8), &Settings::kbps, 8000)});
    cases.push_back({"LeastQuantizer", FixedQuantizer(-6, 0)});
    cases.push_back({"Quantizer4", FixedQuantizer(-8, 4)});
    cases.push_back({"GreatestQuantizer", FixedQuantizer(-8, 63)});
    for (unsigned threshold : {1u, 500u, 5000u}) {
        const char *name = threshold == 1     ? "StaticThreshold1"
                           : threshold == 500 ? "StaticThreshold500"
                                              : "StaticThreshold5000";
        Case c = {name,
                  With(Realtime(threshold == 500 ? -8 : -6), &Settings::static_thresh, threshold)};
        cases.push_back(c);
        static const char *const still[] = {"StillThreshold1", "StillThreshold500",
                                            "StillThreshold5000"};
        c.name = still[threshold == 1 ? 0 : threshold == 500 ? 1 : 2];
        c.source = StillFrame;
        c.fill = FillStill;
        cases.push_back(c);
    }
    cases.push_back({"Still", FixedQuantizer(-8, 4), nullptr, nullptr, FillStill, StillFrame});
    cases.push_back({"Still16", FixedQuantizer(-16, 30), nullptr, nullptr, FillStill, StillFrame});
    cases.push_back({"SceneCut", Cbr(-8, 200, 500), nullptr, nullptr, FillGuided, CutFrame});
    cases.push_back({"FarVectors", Realtime(-8), nullptr, nullptr, FillFar});
    cases.push_back({"FarVectors33x17", Sized(-6, 33, 17), nullptr, nullptr, FillFar});
    cases.push_back({"WithoutSplits", Realtime(-8), nullptr, nullptr, FillWithoutSplits});
    static const char *const denoisers[] = {"Denoiser1", "Denoiser2", "Denoiser3", "Denoiser4"};
    for (int level = 1; level <= 4; level++) {
        const Settings s =
            With(Cbr(level % 2 ? -6 : -8, level * 80, 500), &Settings::noise_sensitivity, level);
        cases.push_back({denoisers[level - 1], s, nullptr, nullptr,
                         level < 3 ? FillStill : FillGuided, NoisyFrame});
    }
    // As aiortc sets it.
    cases.push_back({"DenoiserStaticThreshold",
                     With(With(Cbr(-6, 200, 500), &Settings::noise_sensitivity, 4),
                          &Settings::static_thresh, 1u),
                     nullptr, nullptr, FillStill, NoisyFrame});
    cases.push_back({"DenoiserUserFlags", With(Realtime(-4), &Settings::noise_sensitivity, 2),
                     nullptr, UserFlags, FillFar, NoisyFrame});
    cases.push_back({"DenoiserSize33x17", With(Sized(-8, 33, 17), &Settings::noise_sensitivity, 3),
                     nullptr, nullptr, FillFar, NoisyFrame});
    Settings s = Realtime(-6);
    s.layers = 2;
    cases.push_back({"TemporalLayers", s});
    s.noise_sensitivity = 4;
    cases.push_back({"TemporalLayersDenoiser", s, nullptr, nullptr, FillStill, NoisyFrame});
    s.noise_sensitivity = 0;
    s.cpu_used = -8;
    s.error_resilient = VPX_ERROR_RESILIENT_DEFAULT;
    cases.push_back({"TemporalLayersErrorResilient", s});
    s = Cbr(-8, 200, 500);
    s.error_resilient = VPX_ERROR_RESILIENT_PARTITIONS;
    cases.push_back({"ErrorResilientCbr", s});
    cases.push_back({"FourPartitions", With(Realtime(-8), &Settings::partitions, 4)});
    s = Cbr(-8, 1000, 500);
    s.width = 640;
    s.height = 368;
    s.partitions = 8;
    cases.push_back({"Large", s});
    cases.push_back({"Size33x17", Sized(-8, 33, 17)});
    cases.push_back({"Size17x33", Sized(-6, 17, 33)});
    cases.push_back({"Size16x16", Sized(-8, 16, 16)});
    cases.push_back({"Size1x1", Sized(-16, 1, 1)});
    cases.push_back({"Size175x143", Sized(-12, 175, 143)});
    cases.push_back({"Size16x200", Sized(-8, 16, 200)});
    cases.push_back({"ShortGop", With(Realtime(-8), &Settings::keyframe_interval, 4)});
    cases.push_back({"ForcedKeyFrames", Realtime(-8), nullptr, [](int t) {
                         return vpx_enc_frame_flags_t(t == 3 || t == 4 ? VPX_EFLAG_FORCE_KF : 0);
                     }});
    cases.push_back({"UserFlags", Realtime(-8), nullptr, UserFlags});
    cases.push_back({"UserFlagsCbr", Cbr(-6, 200, 500), nullptr, UserFlags});
    const auto roi = [](Encoder *encoder, int t) { SetRoi(encoder, t, false); };
    const auto thresholds = [](Encoder *encoder, int t) { SetRoi(encoder, t, true); };
    cases.push_back({"Roi", Realtime(-8), roi});
    cases.push_back({"RoiCbr", Cbr(-6, 200, 500), roi});
    cases.push_back({"RoiThresholds", Realtime(-8), thresholds});
    cases.push_back({"RoiStill", Realtime(-6), thresholds, nullptr, FillStill, StillFrame});
    return cases;
}

}  // namespace provider_test
