/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// The motion provider of the patched libvpx: the encoder keeps its side of the contract, and no
// provider, however wrong its answers are, makes an invalid stream.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <memory>
#include <ostream>
#include <random>
#include <thread>
#include <tuple>

#include "codec.h"
#include "fake_provider.h"
#include "scenarios.h"

namespace provider_test {
namespace {

class Provider : public testing::TestWithParam<NamedSettings> {};

INSTANTIATE_TEST_SUITE_P(All, Provider, testing::ValuesIn(AllSettings()),
                         [](const auto &info) { return std::string(info.param.name); });

// With row threads, stock libvpx's streams depend on timing only because its realtime speed adapts
// to the clock. A negative cpu-used turns that off.
TEST_P(Provider, WithoutDataTheStreamIsStock) {
    const Settings &s = GetParam().s;
    const auto stock = EncodeAndCheck(s, nullptr, 12);
    FakeProvider silent;
    EXPECT_TRUE(SameBytes(stock, EncodeAndCheck(s, &silent, 12))) << "NULL rows";
    EXPECT_EQ(silent.ended, int(stock.size()));
    if (s.profile < 3) {
        EXPECT_EQ(silent.begun + silent.keys, int(stock.size()));
        EXPECT_GT(silent.row_calls, 0);
    } else {
        EXPECT_EQ(silent.begun, 0) << "full-pixel streams do not use the provider";
    }

    FakeProvider none;
    none.fill = [](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
        SetAll(mb, 1234, -4321, VP8E_MP_MB_NONE | VP8E_MP_MB_SPLIT);
    };
    EXPECT_TRUE(SameBytes(stock, EncodeAndCheck(s, &none, 12))) << "VP8E_MP_MB_NONE";

    FakeProvider failing;
    failing.fill = [](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
        SetAll(mb, 4, 12, VP8E_MP_MB_SPLIT);
    };
    failing.begin_fails = [](int) { return true; };
    EXPECT_TRUE(SameBytes(stock, EncodeAndCheck(s, &failing, 12))) << "frame_begin fails";
    EXPECT_EQ(failing.row_calls, 0);

    FakeProvider rows_fail;
    rows_fail.fill = failing.fill;
    rows_fail.row_fails = [](int) { return true; };
    EXPECT_TRUE(SameBytes(stock, EncodeAndCheck(s, &rows_fail, 12))) << "every row fails";
}

TEST_P(Provider, VectorsChangeTheStreamAndKeepItValid) {
    const Settings &s = GetParam().s;
    for (int flags : {0, int(VP8E_MP_MB_FULLPEL), int(VP8E_MP_MB_SPLIT),
                      int(VP8E_MP_MB_SPLIT | VP8E_MP_MB_FULLPEL)}) {
        FakeProvider p;
        p.fill = [=](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
            SetAll(mb, 4, 12, flags);  // the texture's motion: (1, 3) pixels
            for (int i = 1; i < 25; i++) mb->mv[i].col = int16_t(12 + 4 * (i % 3));
        };
        const auto packets = EncodeAndCheck(s, &p, 12);
        const bool same = SameBytes(packets, EncodeAndCheck(s, nullptr, 12));
        // In a tiny frame the vectors may change nothing.
        if (s.width < 100) continue;
        EXPECT_EQ(same, s.profile == 3)  // full-pixel streams do not use the provider
            << "flags " << flags;
    }
}

TEST_P(Provider, TheSplitFlagHasNoEffectWithoutSplits) {
    for (int guide : {VP8E_MP_GUIDE_OFF, VP8E_MP_GUIDE_NORMAL}) {
        std::vector<Packet> packets[2];
        for (bool flag : {false, true}) {
            FakeProvider p;
            if (guide) p.Guide(guide);
            p.no_splits = true;
            p.fill = [=](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
                SetAll(mb, 4, 12, flag ? VP8E_MP_MB_SPLIT : 0);
            };
            packets[flag] = EncodeAndCheck(GetParam().s, &p, 6);
        }
        EXPECT_TRUE(SameBytes(packets[0], packets[1])) << "guide " << guide;
    }
}

// libvpx sees eight cores (../fake_cores.c), and starts no more threads than cores.
TEST(Threads, AreAsManyAsRequested) {
    auto running = [] {
        using std::filesystem::directory_iterator;
        return int(std::distance(directory_iterator("/proc/self/task"), directory_iterator()));
    };
    Settings s;
    std::thread([] {}).join();  // a sanitizer starts a thread of its own with the first one
    const int before = running();
    for (int threads : {2, 3, 4, 8, 16}) {
        s.threads = threads;
        Encoder encoder(s);
        // The caller codes rows too, and there is one more thread for the loop filter.
        EXPECT_EQ(running() - before, std::min(threads, 8)) << threads;
    }
}

// Encodes six frames. One of them has the flag not to refresh the probabilities, and is dropped.
// Returns the number of frames whose decoded picture differs from the encoder's.
int FramesThatDiverge(const vp8e_motion_provider_t *provider) {
    Settings s;
    s.width = s.height = 30;
    s.deadline = VPX_DL_REALTIME;
    s.cpu_used = -1;
    s.kbps = 20;
    s.min_q = 17;
    s.max_q = 52;
    s.buffer_ms = 637;
    s.keyframe_interval = 9999;
    Encoder encoder(s);
    Decoder decoder;
    if (provider) {
        EXPECT_EQ(encoder.SetProvider(provider), VPX_CODEC_OK);
    }
    vpx_codec_control(encoder.ctx(), VP8E_SET_SCREEN_CONTENT_MODE, 2u);
    // libvpx's targets: those of a guided encode avoid the overshoot that drops a frame.
    vpx_codec_control(encoder.ctx(), VP8E_SET_GF_CBR_BOOST_PCT, 1u);
    int dropped = 0, diverged = 0;
    for (int t = 0; t < 6; t++) {
        const auto source = MakeFrame(s.width, s.height, t * 37);
        const vpx_enc_frame_flags_t flags = VP8_EFLAG_NO_UPD_LAST | VP8_EFLAG_NO_UPD_ARF |
                                            VP8_EFLAG_FORCE_GF | VP8_EFLAG_NO_UPD_ENTROPY;
        const auto packets = encoder.Encode(source.data(), t == 1 ? flags : 0);
        dropped += packets.empty();
        if (!packets.empty()) diverged += decoder.Decode(packets[0]) != encoder.Reconstruction();
    }
    EXPECT_GT(dropped, 0);
    return diverged;
}

// After such a dropped frame, stock libvpx restores the probabilities of an earlier frame, and
// decoders diverge. With repair_drops they do not.
TEST(DroppedFrames, KeepTheProbabilitiesOnlyIfRepaired) {
    EXPECT_GT(FramesThatDiverge(nullptr), 0) << "stock libvpx";
    for (const bool guided : {false, true}) {
        FakeProvider p;
        if (guided) p.Guide(VP8E_MP_GUIDE_AUTO);
        EXPECT_EQ(FramesThatDiverge(p.get()), 0) << "guided: " << guided;
    }
}

TEST_P(Provider, WithRepairThreadsTheStreamDoesNotDependOnThreads) {
    Settings s = GetParam().s;
    std::vector<Packet> one;
    for (int threads : {1, 2, 3, 4, 8}) {
        FakeProvider p;
        p.RepairThreads();
        p.fill = [](Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int ref) {
            const int wrong = (x * 5 + y * 3 + ref + int(f.frame_id)) % 7 == 0;
            SetAll(mb, 4 + 8 * wrong, 12, VP8E_MP_MB_SPLIT);
            mb->mv[20].col = 16;
        };
        s.threads = threads;
        const auto packets = EncodeAndCheck(s, &p, 12);
        if (threads == 1) one = packets;
        EXPECT_TRUE(SameBytes(one, packets)) << threads << " threads";
    }
}

// The frames have enough tokens for several threads to write a part each.
TEST(Threads, WriteTheSameTokensAsOneThread) {
    for (unsigned long deadline : {VPX_DL_BEST_QUALITY, VPX_DL_REALTIME}) {
        Settings s;
        s.width = 1280;
        s.height = 720;
        s.kbps = 200000;
        s.deadline = deadline;
        s.cpu_used = deadline == VPX_DL_REALTIME ? -16 : 0;
        s.keyframe_interval = 2;
        std::vector<Packet> one;
        for (int threads : {1, 2, 4, 8}) {
            FakeProvider p;
            p.RepairThreads();
            p.fill = [](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
                SetAll(mb, 4, 12, VP8E_MP_MB_SPLIT);
            };
            s.threads = threads;
            const auto packets = EncodeAndCheck(s, &p, 3);
            if (threads == 1) one = packets;
            EXPECT_GT(packets[0].data.size(), 100000u);
            EXPECT_TRUE(SameBytes(one, packets)) << threads << " threads";
        }
    }
}

TEST_P(Provider, HostileVectorsKeepTheStreamValid) {
    const Settings &s = GetParam().s;
    std::mt19937 rng(1);
    FakeProvider p;
    p.fill = [&](Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int) {
        for (auto &mv : mb->mv) {
            switch (rng() % 4) {
                case 0:  // any value
                    mv.row = int16_t(rng());
                    mv.col = int16_t(rng());
                    break;
                case 1:  // near the corners of the window of legal vectors
                    mv.row = int16_t(
                        (rng() & 1 ? -(16 * y + 16) * 4 : (16 * (f.mb_rows - 1 - y) + 16) * 4) +
                        int(rng() % 9) - 4);
                    mv.col = int16_t(
                        (rng() & 1 ? -(16 * x + 16) * 4 : (16 * (f.mb_cols - 1 - x) + 16) * 4) +
                        int(rng() % 9) - 4);
                    break;
                case 2:  // near the longest vector difference that can be coded
                    mv.row = int16_t((rng() & 1 ? -1020 : 1020) + int(rng() % 17) - 8);
                    mv.col = int16_t((rng() & 1 ? -1020 : 1020) + int(rng() % 17) - 8);
                    break;
                default:
                    mv.row = int16_t(int(rng() % 65) - 32);
                    mv.col = int16_t(int(rng() % 65) - 32);
            }
        }
        mb->flags = uint16_t(rng() & (VP8E_MP_MB_SPLIT | VP8E_MP_MB_FULLPEL));
        if (mb->flags & VP8E_MP_MB_FULLPEL && rng() & 1) {
            for (auto &mv : mb->mv) {
                mv.row = int16_t(mv.row & ~3);
                mv.col = int16_t(mv.col & ~3);
            }
        }
    };
    p.row_fails = [&](int mb_row) { return mb_row % 3 == 2; };
    p.begin_fails = [&](int n) { return n % 5 == 4; };
    EncodeAndCheck(s, &p, 16);
}

class Guided : public testing::TestWithParam<std::tuple<NamedSettings, int>> {};

INSTANTIATE_TEST_SUITE_P(All, Guided,
                         testing::Combine(testing::ValuesIn(AllSettings()),
                                          testing::Values(VP8E_MP_GUIDE_SAFE, VP8E_MP_GUIDE_NORMAL,
                                                          VP8E_MP_GUIDE_AGGRESSIVE,
                                                          VP8E_MP_GUIDE_AUTO)),
                         [](const auto &info) {
                             return std::string(std::get<0>(info.param).name) + "Level" +
                                    std::to_string(std::get<1>(info.param));
                         });

TEST_P(Guided, ChangesTheStreamAndKeepsItValid) {
    const Settings &s = std::get<0>(GetParam()).s;
    FakeProvider guided, vectors;
    guided.Guide(std::get<1>(GetParam()));
    guided.fill = vectors.fill = FillGuided;
    const auto packets = EncodeAndCheck(s, &guided, 12);
    // libvpx decides the modes of full-pixel streams.
    const bool applies = s.profile < 3;
    EXPECT_EQ(guided.intra_calls > 0, s.profile < 3);
    if (s.width < 100) return;  // in a tiny frame guidance may change nothing
    EXPECT_EQ(SameBytes(packets, EncodeAndCheck(s, &vectors, 12)), !applies);
}

TEST_P(Guided, DoesNotDependOnThreads) {
    Settings s = std::get<0>(GetParam()).s;
    std::vector<Packet> one;
    for (int threads : {1, 3, 8}) {
        FakeProvider p;
        p.RepairThreads();
        p.Guide(std::get<1>(GetParam()));
        p.fill = FillGuided;
        s.threads = threads;
        const auto packets = EncodeAndCheck(s, &p, 12);
        if (threads == 1) one = packets;
        EXPECT_TRUE(SameBytes(one, packets)) << threads << " threads";
    }
}

TEST_P(Guided, KeyFramesAreBegunForIntraEstimates) {
    Settings s = std::get<0>(GetParam()).s;
    s.keyframe_interval = 3;
    FakeProvider guided, unguided;
    guided.Guide(std::get<1>(GetParam()));
    int key_rows = 0;
    unguided.Guide(std::get<1>(GetParam()));
    unguided.intra_fails = [&](int) { return ++key_rows; };
    const auto packets = EncodeAndCheck(s, &guided, 8);
    EXPECT_GT(guided.keys, 1);
    if (s.profile == 3) {
        EXPECT_EQ(guided.begun, 0);
        return;
    }
    const int level = std::get<1>(GetParam());
    if (level < VP8E_MP_GUIDE_AGGRESSIVE) {
        EXPECT_EQ(guided.without_motion, 0);
        EXPECT_EQ(guided.begun, int(packets.size()) - guided.keys);
        return;
    }
    EXPECT_EQ(guided.begun, int(packets.size()));
    EXPECT_EQ(guided.without_motion, guided.keys);
    if (level == VP8E_MP_GUIDE_AUTO) return;  // uses estimates of key frames at some settings only
    // Neither provider gives motion, so only the key frames can differ.
    const auto plain = EncodeAndCheck(s, &unguided, 8);
    EXPECT_GT(key_rows, 0);
    if (s.width < 100 || s.threads > 1) return;
    EXPECT_FALSE(SameBytes(packets, plain));
}

TEST_P(Guided, WithoutEstimatesTheStreamIsNotGuided) {
    const Settings &s = std::get<0>(GetParam()).s;
    if (s.threads > 1) GTEST_SKIP() << "stock libvpx depends on the threads' timing";
    const auto is_same = [](const Settings &settings, int frames) {
        FakeProvider guided, vectors;
        guided.Guide(std::get<1>(GetParam()));
        guided.intra_fails = [](int) { return true; };
        guided.fill = vectors.fill = FillGuided;
        // A guided encode may have fewer references searched. It begins key frames, too.
        std::vector<std::array<bool, 4>> searched;
        guided.on_begin = [&](const vp8e_mp_frame_t &f) {
            std::array<bool, 4> of{};
            for (size_t i = 1; i < of.size(); i++) of[i] = f.ref[i].searched != 0;
            if (of != std::array<bool, 4>{}) searched.push_back(of);
        };
        vectors.withholds = [&](int frame, int ref) {
            return !searched.at(size_t(frame))[size_t(ref)];
        };
        const auto packets = EncodeAndCheck(settings, &guided, frames);
        return SameBytes(packets, EncodeAndCheck(settings, &vectors, frames));
    };
    // With a fixed quantizer the targets of a guided encode (mp/rc/target.h) have no effect.
    // Layers have a constant bitrate, where golden frames replace cyclic refresh.
    Settings fixed = s;
    fixed.min_q = fixed.max_q = 30;
    if (s.layers > 1) fixed.layers = 1, fixed.error_resilient = 0;
    EXPECT_TRUE(is_same(fixed, 8));
}

TEST_P(Guided, HostileRecordsKeepTheStreamValid) {
    std::mt19937 rng(1);
    FakeProvider p;
    p.Guide(std::get<1>(GetParam()));
    p.fill = [&](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
        for (auto &mv : mb->mv) {
            const int range = rng() % 2 ? 32767 : 100;
            mv.row = int16_t(int(rng() % unsigned(2 * range)) - range);
            mv.col = int16_t(int(rng() % unsigned(2 * range)) - range);
        }
        for (auto &dist : mb->dist) dist = uint16_t(rng() % 3 ? rng() % 300 : rng());
        mb->flags = rng() % 8 ? uint16_t(VP8E_MP_MB_SPLIT) : uint16_t(rng() % 8);
    };
    p.row_fails = [](int mb_row) { return mb_row % 5 == 2; };
    p.intra_fails = [](int mb_row) { return mb_row % 4 == 3; };
    p.begin_fails = [](int n) { return n % 5 == 4; };
    EncodeAndCheck(std::get<0>(GetParam()).s, &p, 16);
}

// All macroblocks get one vector. It is the near vector of most, so it costs nothing, but it is
// legal only in some of them: the encoder must also check near vectors that came from the provider.
TEST_P(Guided, OneVectorEndsAtTheEdges) {
    for (const auto &[row, col] : {std::pair(0, 40), {0, -40}, {40, 0}, {-40, 0}, {200, 200}}) {
        FakeProvider p;
        p.Guide(std::get<1>(GetParam()));
        p.fill = [row = row, col = col](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
            SetAll(mb, 4 * row, 4 * col, VP8E_MP_MB_SPLIT);
            mb->dist[0] = 60000;
        };
        EncodeAndCheck(std::get<0>(GetParam()).s, &p, 4);
    }
}

TEST_P(Guided, RowsOfReferencesNotInUseAreIgnored) {
    const Settings &s = std::get<0>(GetParam()).s;
    if (s.threads > 1) GTEST_SKIP() << "stock libvpx depends on the threads' timing";
    FakeProvider some, all;
    some.Guide(std::get<1>(GetParam()));
    all.Guide(std::get<1>(GetParam()));
    some.fill = all.fill = FillGuided;
    all.all_rows = true;
    EXPECT_TRUE(SameBytes(EncodeAndCheck(s, &some, 12), EncodeAndCheck(s, &all, 12)));
}

// All distortions of the provider are so low that the encoder takes its vectors without an
// evaluation, and would expect no residual. The bitrate must hold, because rates are counted from
// the tokens.
TEST(GuidedRates, AreCountedFromTheTokens) {
    Settings s;
    s.kbps = 100;
    for (const int cpu_used : {0, 2}) {
        s.cpu_used = cpu_used;
        FakeProvider p;
        p.Guide(VP8E_MP_GUIDE_NORMAL);
        p.fill = [](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
            SetAll(mb, 4, 12, 0);
            for (auto &dist : mb->dist) dist = 10;
        };
        constexpr int kFrames = 60;
        size_t bytes = 0;
        for (const Packet &packet : EncodeAndCheck(s, &p, kFrames))
            bytes += packet.key ? 0 : packet.data.size();
        EXPECT_LT(bytes * 8 * 30 / kFrames, size_t(s.kbps) * 1000 * 5 / 4) << cpu_used;
    }
}

TEST(ProviderContract, RejectsUnusableGuidance) {
    Settings s;
    FakeProvider p;
    Encoder encoder(s);
    p.Guide(VP8E_MP_GUIDE_AUTO);
    EXPECT_EQ(encoder.SetProvider(p.get()), VPX_CODEC_OK);
    vp8e_motion_provider_t bad = *p.get();
    bad.guide = VP8E_MP_GUIDE_AUTO + 1;
    EXPECT_EQ(encoder.SetProvider(&bad), VPX_CODEC_INVALID_PARAM);
    bad.guide = -1;
    EXPECT_EQ(encoder.SetProvider(&bad), VPX_CODEC_INVALID_PARAM);
    for (int i = 0; i < 3; i++) {
        bad = *p.get();
        bad.satd[i] = nullptr;
        EXPECT_EQ(encoder.SetProvider(&bad), VPX_CODEC_INVALID_PARAM) << "satd " << i;
    }
    bad = *p.get();
    bad.intra_row = nullptr;
    EXPECT_EQ(encoder.SetProvider(&bad), VPX_CODEC_INVALID_PARAM);
    bad.guide = VP8E_MP_GUIDE_OFF;
    EXPECT_EQ(encoder.SetProvider(&bad), VPX_CODEC_OK);
}

TEST(ProviderContract, RejectsUnusableStructs) {
    Settings s;
    FakeProvider p;
    Encoder encoder(s);
    vp8e_motion_provider_t bad = *p.get();
    for (int version : {VP8E_MP_ABI_VERSION - 1, VP8E_MP_ABI_VERSION + 1, 0}) {
        bad.abi_version = version;
        EXPECT_EQ(encoder.SetProvider(&bad), VPX_CODEC_INVALID_PARAM) << version;
    }
    bad = *p.get();
    bad.row = nullptr;
    EXPECT_EQ(encoder.SetProvider(&bad), VPX_CODEC_INVALID_PARAM);
    bad = *p.get();
    bad.frame_begin = nullptr;
    EXPECT_EQ(encoder.SetProvider(&bad), VPX_CODEC_INVALID_PARAM);
    p.KnowFilterLevels();
    bad = *p.get();
    bad.filter_errors = nullptr;
    EXPECT_EQ(encoder.SetProvider(&bad), VPX_CODEC_INVALID_PARAM);
}

TEST(ProviderContract, OptionalCallbacksAndDetaching) {
    Settings s;
    Encoder encoder(s);
    int begun = 0;
    vp8e_motion_provider_t small{};
    small.abi_version = VP8E_MP_ABI_VERSION;
    small.priv = &begun;
    small.frame_begin = [](void *priv, const vp8e_mp_frame_t *) {
        ++*static_cast<int *>(priv);
        return 0;
    };
    small.row = [](void *, int, const vp8e_mp_mb_t *[4], const vp8e_mp_split_t *[4]) { return 0; };
    EXPECT_EQ(encoder.SetProvider(&small), VPX_CODEC_OK);
    for (int t = 0; t < 3; t++) encoder.Encode(MakeFrame(s.width, s.height, t).data());
    EXPECT_EQ(begun, 2);
    EXPECT_EQ(encoder.SetProvider(nullptr), VPX_CODEC_OK);
    encoder.Encode(MakeFrame(s.width, s.height, 3).data());
    EXPECT_EQ(begun, 2);
}

// Search the frame that is being coded, which with a lag is not the frame just received.
TEST(ProviderContract, SourceIsTheFrameBeingCoded) {
    for (int lag : {0, 7}) {
        Settings s;
        s.lag = lag;
        FakeProvider p;
        p.keep_planes = true;
        EncodeAndCheck(s, &p, 14);
        ASSERT_EQ(p.sources.size(), 13u);
        for (int t = 1; t < 14; t++) {
            const auto frame = MakeFrame(s.width, s.height, t);
            EXPECT_TRUE(std::equal(p.sources[t - 1].begin(), p.sources[t - 1].end(), frame.begin()))
                << "lag " << lag << " frame " << t;
        }
    }
}

TEST(ProviderContract, ReferencesAreTheDecodersFrames) {
    Settings s;
    FakeProvider p;
    p.keep_planes = true;
    Encoder encoder(s);
    ASSERT_EQ(encoder.SetProvider(p.get()), VPX_CODEC_OK);
    Decoder decoder;
    std::vector<std::vector<uint8_t>> decoded;
    for (int t = 0; t < 8; t++) {
        for (const Packet &packet : encoder.Encode(MakeFrame(s.width, s.height, t).data())) {
            decoded.push_back(decoder.Decode(packet));
        }
    }
    ASSERT_EQ(p.last_refs.size(), 7u);
    for (int t = 0; t < 7; t++) {
        EXPECT_TRUE(std::equal(p.last_refs[t].begin(), p.last_refs[t].end(), decoded[t].begin()))
            << "frame " << t + 1;
    }
    EXPECT_EQ(p.buffers_seen.size(), 8u) << "each reconstructed frame must be announced once";
}

TEST(ProviderContract, HiddenAltRefsAreSearchedToo) {
    Settings s;
    s.arf = true;
    s.lag = 16;
    FakeProvider p;
    const auto packets = EncodeAndCheck(s, &p, 40);
    int hidden = 0;
    for (const Packet &packet : packets) hidden += !packet.shown;
    EXPECT_GT(hidden, 0) << "the clip must have a hidden altref frame for this test";
    EXPECT_EQ(p.begun + p.keys, int(packets.size())) << "hidden frames are begun too";
}

TEST(ProviderContract, RecodesFetchRowsAgainWithoutFrameBegin) {
    Settings s;
    s.deadline = VPX_DL_BEST_QUALITY;
    s.kbps = 60;
    FakeProvider p;
    p.fill = [](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
        SetAll(mb, 4, 12, VP8E_MP_MB_SPLIT);
    };
    const auto packets = EncodeAndCheck(s, &p, 30);
    EXPECT_GT(p.recoded_rows, 0) << "a frame must be recoded for this test";
    EXPECT_EQ(p.begun + p.keys, int(packets.size()));
}

TEST(ProviderContract, SetReferenceGivesTheBufferANewId) {
    Settings s;
    FakeProvider p;
    uint64_t last = 0;
    p.on_begin = [&](const vp8e_mp_frame_t &f) { last = f.ref[1].id; };
    Encoder encoder(s);
    ASSERT_EQ(encoder.SetProvider(p.get()), VPX_CODEC_OK);
    for (int t = 0; t < 3; t++) encoder.Encode(MakeFrame(s.width, s.height, t).data());
    const size_t before = p.buffers_seen.size();

    vpx_ref_frame_t ref;
    ref.frame_type = VP8_LAST_FRAME;
    ASSERT_TRUE(vpx_img_alloc(&ref.img, VPX_IMG_FMT_I420, s.width, s.height, 32));
    for (int plane = 0; plane < 3; plane++) {
        memset(ref.img.planes[plane], 77, size_t(ref.img.stride[plane]) * (plane ? 72 : 144));
    }
    ASSERT_EQ(vpx_codec_control(encoder.ctx(), VP8_SET_REFERENCE, &ref), VPX_CODEC_OK);
    vpx_img_free(&ref.img);
    encoder.Encode(MakeFrame(s.width, s.height, 3).data());
    EXPECT_EQ(p.buffers_seen.size(), before + 2) << "the replaced buffer and the new frame";
    EXPECT_NE(last, 0u);
}

TEST(ProviderContract, LateAttachAndResize) {
    Settings s;
    FakeProvider p;
    p.fill = [](Motion *mb, const vp8e_mp_frame_t &, int, int, int) {
        SetAll(mb, 4, 12, VP8E_MP_MB_SPLIT);
    };
    int cols = 0;
    p.on_begin = [&](const vp8e_mp_frame_t &f) { cols = f.mb_cols; };
    auto encoder = std::make_unique<Encoder>(s);
    Decoder decoder;
    int t = 0;
    auto encode = [&](int frames) {
        for (int i = 0; i < frames; i++, t++) {
            for (const Packet &packet : encoder->Encode(MakeFrame(s.width, s.height, t).data())) {
                EXPECT_TRUE(decoder.Decode(packet) == encoder->Reconstruction()) << "frame " << t;
            }
        }
    };
    encode(3);
    ASSERT_EQ(encoder->SetProvider(p.get()), VPX_CODEC_OK);
    encode(3);
    EXPECT_EQ(cols, 11);
    EXPECT_EQ(p.freed, 0);
    s.width = 99;
    s.height = 77;
    encoder->Resize(s.width, s.height);
    EXPECT_EQ(p.freed, 1);
    encode(4);
    EXPECT_EQ(cols, 7);
    EXPECT_EQ(p.freed, 1);
    encoder.reset();
    EXPECT_EQ(p.freed, 2);
}

}  // namespace
}  // namespace provider_test
