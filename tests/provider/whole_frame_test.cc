/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Whole frames: the stream is the same whether the provider codes a frame or libvpx does.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "whole_frame_cases.h"

using namespace provider_test;

namespace {

constexpr int kFrames = kWholeFrames;

class WholeFrame : public testing::TestWithParam<Case> {
  protected:
    // The stream without whole frames.
    static std::vector<Packet> Libvpxs(const Case &c) {
        FakeProvider p;
        p.Guide(VP8E_MP_GUIDE_AUTO);
        const auto packets = Encode(c, &p);
        EXPECT_GT(p.row_calls, 0);
        EXPECT_EQ(p.code_calls, 0);
        return packets;
    }
};

INSTANTIATE_TEST_SUITE_P(All, WholeFrame, testing::ValuesIn(Cases()),
                         [](const auto &info) { return info.param.name; });

TEST_P(WholeFrame, EqualsLibvpxs) {
    const auto expected = Libvpxs(GetParam());
    ASSERT_EQ(expected.size(), size_t(kFrames));
    ASSERT_GE(InterFrames(expected), kFrames / 2);
    for (int guide : {VP8E_MP_GUIDE_AUTO, VP8E_MP_GUIDE_AGGRESSIVE}) {
        FakeProvider whole;
        whole.Guide(guide);
        whole.CodeFrames();
        EXPECT_TRUE(Same(Encode(GetParam(), &whole), expected)) << "guide " << guide;
        EXPECT_EQ(whole.code_calls, kFrames);
        EXPECT_EQ(whole.coded_frames, kFrames);
        EXPECT_EQ(whole.row_calls, 0);
        EXPECT_EQ(whole.intra_calls, 0);
        EXPECT_LE(whole.filter_calls, kFrames);  // not if the level is 0
        const bool writes = HasOnePartition(GetParam().s);
        EXPECT_EQ(whole.partition_calls, writes ? whole.filter_calls : 0);
        if (GetParam().name == std::string("LowRate")) {
            EXPECT_EQ(whole.filter_calls, kFrames);
            EXPECT_EQ(whole.filtered_references, kFrames);
            EXPECT_EQ(whole.partitions, kFrames);
        }
    }
}

TEST_P(WholeFrame, DoesNotDependOnThreads) {
    Case c = GetParam();
    const auto expected = Libvpxs(c);
    for (int threads : {2, 3, 4}) {
        c.s.threads = threads;
        FakeProvider whole;
        whole.Guide(VP8E_MP_GUIDE_AUTO);
        whole.CodeFrames();
        EXPECT_TRUE(Same(Encode(c, &whole), expected)) << threads << " threads";
        EXPECT_EQ(whole.coded_frames, kFrames);
        EXPECT_EQ(whole.partition_calls, HasOnePartition(c.s) ? whole.filter_calls : 0);
    }
}

TEST_P(WholeFrame, FailuresDoNotChangeTheStream) {
    Case c = GetParam();
    const auto expected = Libvpxs(c);
    for (unsigned seed : {1u, 2u}) {
        c.s.threads = seed == 1 ? 1 : 4;
        std::minstd_rand rng(seed);
        int failed = 0;
        FakeProvider whole;
        whole.Guide(VP8E_MP_GUIDE_AUTO);
        whole.CodeFrames();
        whole.code_fails = [&](int n) {
            const bool fails = n == 1 || (n != 2 && rng() % 2);
            failed += fails;
            return fails;
        };
        int unfiltered = 0;
        whole.filter_fails = [&](int n) {
            const bool fails = n == 1 || (n != 2 && rng() % 2);
            unfiltered += fails;
            return fails;
        };
        int unwritten = 0;
        whole.partition_fails = [&](int n) {
            unwritten += n % 3 == 1;
            return n % 3 == 1;
        };
        EXPECT_TRUE(Same(Encode(c, &whole), expected)) << "seed " << seed;
        EXPECT_EQ(whole.code_calls, kFrames);
        EXPECT_EQ(whole.coded_frames, whole.code_calls - failed);
        EXPECT_GT(failed, 0);
        if (c.name == std::string("LowRate")) {
            EXPECT_TRUE(unfiltered > 0 && unfiltered < whole.filter_calls);
            EXPECT_GT(unwritten, 0);
            EXPECT_GT(whole.partitions, 0);
        }
        EXPECT_GT(whole.coded_frames, 0);
        EXPECT_GT(whole.row_calls, 0);
    }
}

// The provider keeps reconstructions. If it does not filter, or does not know the errors of levels,
// libvpx makes the reconstruction.
TEST_P(WholeFrame, MakesPicturesThatTheProviderKeeps) {
    Case c = GetParam();
    // Other levels of -cpu-used have another search or filter; one row has no middle.
    const bool keeps = c.s.cpu_used <= -5 && c.s.cpu_used > -14 && c.s.height > 16;
    int needed_pictures = 0;
    const auto expected = Libvpxs(c);
    for (int seed : {1, 2, 3}) {
        c.s.threads = seed == 3 ? 4 : 1;
        std::minstd_rand rng(static_cast<unsigned>(seed));
        FakeProvider whole;
        whole.Guide(VP8E_MP_GUIDE_AUTO);
        whole.CodeFrames();
        whole.KnowFilterLevels();
        if (seed > 1) {
            whole.keeps_recon = [](int n) { return n % 4 != 3; };
            whole.filter_fails = [&](int) { return rng() % 2 != 0; };
            whole.filter_answer = [&](int) { return FakeProvider::FilterAnswer(rng() % 3); };
        }
        EXPECT_TRUE(Same(Encode(c, &whole), expected)) << "seed " << seed;
        EXPECT_EQ(whole.coded_frames, kFrames);
        EXPECT_EQ(whole.kept_pictures > 0, keeps);
        if (seed == 1 && keeps) {
            EXPECT_GT(whole.kept_pictures, kFrames / 2);
        }
        needed_pictures += whole.needed_pictures;
    }
    EXPECT_EQ(needed_pictures > 0, keeps);
}

// The coder refuses a frame in which a macroblock has no vector to a quarter pixel. It may have
// coded others before. Frames whose number is even have such macroblocks.
TEST_P(WholeFrame, RefusesRecordsThatItCannotUse) {
    for (const bool many : {false, true}) {
        Case c = GetParam();
        c.fill = [fill = GetParam().fill, many](Motion *mb, const vp8e_mp_frame_t &f, int x, int y,
                                                int ref) {
            fill(mb, f, x, y, ref);
            const bool is_last = x == f.mb_cols - 1 && y == f.mb_rows - 1;
            std::minstd_rand rng(unsigned(x + 100 * y + 10000 * ref));
            if (f.frame_id % 2 || (many ? rng() % 3 && !is_last : !is_last)) return;
            mb->flags |= many && rng() % 2 ? VP8E_MP_MB_NONE : VP8E_MP_MB_FULLPEL;
            // A vector of whole pixels.
            for (auto &mv : mb->mv) mv = {int16_t(mv.row & ~3), int16_t(mv.col & ~3)};
        };
        const auto expected = Libvpxs(c);
        FakeProvider whole;
        whole.Guide(VP8E_MP_GUIDE_AUTO);
        whole.CodeFrames();
        EXPECT_TRUE(Same(Encode(c, &whole), expected)) << "many " << many;
        EXPECT_EQ(whole.code_calls, kFrames);
        EXPECT_EQ(whole.coded_frames + whole.unusable_frames, whole.code_calls);
        EXPECT_GT(whole.coded_frames, 0);
        EXPECT_GT(whole.unusable_frames, 0);
    }
}

// ---- other frames -------------------------------------------------------------------------------

void ControlOnce(Encoder *encoder, int t, int tuning) {
    if (t) return;
    EXPECT_EQ(vpx_codec_control(encoder->ctx(), VP8E_SET_TUNING, tuning), VPX_CODEC_OK);
}

struct Without {
    Case c;
    int guide = VP8E_MP_GUIDE_AUTO;
};

void PrintTo(const Without &w, std::ostream *os) { PrintTo(w.c, os); }

std::vector<Without> CasesWithout() {
    std::vector<Without> list;
    list.push_back({{"Realtime1", Realtime(-1)}});
    list.push_back({{"Realtime2", Realtime(-2)}});
    list.push_back({{"Realtime3", Realtime(-3)}});
    for (int cpu_used : {0, 2, 5}) {
        const char *name = cpu_used ? cpu_used == 2 ? "Good2" : "Good5" : "Good0";
        list.push_back(
            {{name, With(Settings(), &Settings::cpu_used, cpu_used)}, VP8E_MP_GUIDE_AGGRESSIVE});
    }
    list.push_back({{"Best", With(Settings(), &Settings::deadline,
                                  static_cast<unsigned long>(VPX_DL_BEST_QUALITY))}});
    list.push_back({{"CyclicRefresh", With(Realtime(-8), &Settings::error_resilient, 1)}});
    list.push_back({{"Profile1", With(Realtime(-8), &Settings::profile, 1)}});
    list.push_back({{"Profile2", With(Realtime(-8), &Settings::profile, 2)}});
    list.push_back({{"Profile3", With(Realtime(-8), &Settings::profile, 3)}});
    list.push_back(
        {{"TuneSsim", Realtime(-8), [](Encoder *e, int t) { ControlOnce(e, t, VP8_TUNE_SSIM); }}});
    list.push_back({{"GuideOff", Realtime(-8)}, VP8E_MP_GUIDE_OFF});
    list.push_back({{"GuideSafe", Realtime(-8)}, VP8E_MP_GUIDE_SAFE});
    list.push_back({{"GuideNormal", Realtime(-8)}, VP8E_MP_GUIDE_NORMAL});
    return list;
}

class NoWholeFrame : public testing::TestWithParam<Without> {};

INSTANTIATE_TEST_SUITE_P(All, NoWholeFrame, testing::ValuesIn(CasesWithout()),
                         [](const auto &info) { return info.param.c.name; });

// Here the coder would decide otherwise than libvpx.
TEST_P(NoWholeFrame, IsAskedFor) {
    const auto &[c, guide] = GetParam();
    FakeProvider whole, none;
    if (guide) whole.Guide(guide), none.Guide(guide);
    whole.CodeFrames();
    const auto packets = Encode(c, &whole);
    EXPECT_EQ(whole.code_calls, 0);
    EXPECT_TRUE(Same(packets, Encode(c, &none)));
    EXPECT_EQ(packets.size(), size_t(kFrames));
    EXPECT_EQ(InterFrames(packets), kFrames - 1);
    EXPECT_EQ(whole.row_calls > 0, c.s.profile < 3);
}

TEST(WholeFrames, AreKeyFramesToo) {
    for (const Settings &size : {Realtime(-4), Cbr(-6, 400, 300), Realtime(-8), Cbr(-16, 2000, 500),
                                 Sized(-8, 33, 17), Sized(-6, 16, 200), Sized(-8, 1, 1)}) {
        Case c = {"OnlyKeyFrames", With(size, &Settings::keyframe_interval, 0)};
        FakeProvider none;
        none.Guide(VP8E_MP_GUIDE_AUTO);
        const auto expected = Encode(c, &none);
        EXPECT_EQ(InterFrames(expected), 0);
        EXPECT_GT(none.intra_calls, 0);
        for (int threads : {1, 3}) {
            c.s.threads = threads;
            FakeProvider whole;
            whole.Guide(VP8E_MP_GUIDE_AUTO);
            whole.CodeFrames();
            EXPECT_TRUE(Same(Encode(c, &whole), expected)) << size.width << 'x' << size.height;
            EXPECT_EQ(whole.coded_frames, kFrames);
            EXPECT_EQ(whole.intra_calls, 0);
        }
    }
}

// An active map leaves macroblocks of inter frames out, not of key frames.
TEST(WholeFrames, AreNotAskedForWithAnActiveMap) {
    std::vector<uint8_t> active(11 * 9, 1);
    std::fill_n(active.begin(), 40, uint8_t(0));
    Case c = {"ActiveMap", Realtime(-8), [&](Encoder *encoder, int t) {
                  if (t != 3 && t != 6) return;
                  vpx_active_map_t map = {t == 3 ? active.data() : nullptr, 9, 11};
                  EXPECT_EQ(vpx_codec_control(encoder->ctx(), VP8E_SET_ACTIVEMAP, &map),
                            VPX_CODEC_OK);
              }};
    FakeProvider whole, none;
    whole.Guide(VP8E_MP_GUIDE_AUTO);
    none.Guide(VP8E_MP_GUIDE_AUTO);
    whole.CodeFrames();
    std::vector<uint64_t> coded;
    whole.on_coded = [&](const vp8e_mp_whole_frame_t &f) { coded.push_back(f.frame_id); };
    EXPECT_TRUE(Same(Encode(c, &whole), Encode(c, &none)));
    // Identifiers begin with 1.
    EXPECT_EQ(coded, (std::vector<uint64_t>{1, 2, 3, 7, 8, 9, 10}));
    EXPECT_EQ(whole.code_calls, 7);
}

// After 20 still frames noise is denoised more strongly, and after 160 frames level 4 may change to
// the parameters of level 3. Frames of a coder that fails now and then are denoised by libvpx, from
// pictures that the coder has denoised.
TEST(WholeFrames, AreDenoisedForLong) {
    constexpr int kLong = 200;
    for (int level = 1; level <= 4; level++) {
        Case c = {"DenoisedForLong", Cbr(-6, level == 4 ? 1000 : 150, 500),
                  nullptr,           nullptr,
                  nullptr,           NoisyFrame};
        c.fill = [](Motion *mb, const vp8e_mp_frame_t &, int, int, int ref) {
            SetAll(mb, 0, 0, 0);
            SetDistortion(mb, ref == 1 ? 1000 : 4000);
        };
        c.s.width = 160;
        c.s.height = 64;
        FakeProvider none, noisy;
        none.Guide(VP8E_MP_GUIDE_AUTO);
        noisy.Guide(VP8E_MP_GUIDE_AUTO);
        const auto with_noise = Encode(c, &noisy, kLong);
        c.s.noise_sensitivity = level;
        const auto expected = Encode(c, &none, kLong);
        EXPECT_FALSE(Same(with_noise, expected)) << "nothing was denoised";
        for (const bool fails : {false, true}) {
            FakeProvider whole;
            whole.Guide(VP8E_MP_GUIDE_AUTO);
            whole.CodeFrames();
            bool is_strong = false, is_noisy = false;  // parameters that the coder has seen
            whole.on_coded = [&](const vp8e_mp_whole_frame_t &f) {
                is_strong |= f.denoiser && f.denoiser->strong_length > 0;
                is_noisy |= f.denoiser && f.denoiser->strong_frames <= 255;
            };
            std::minstd_rand rng(7);
            if (fails) whole.code_fails = [&](int) { return rng() % 3 == 0; };
            EXPECT_TRUE(Same(Encode(c, &whole, kLong), expected))
                << "level " << level << " fails " << fails;
            EXPECT_EQ(whole.code_calls, kLong);
            EXPECT_EQ(whole.coded_frames == kLong, !fails);
            EXPECT_GT(whole.denoised_frames, kLong / 2);
            EXPECT_EQ(is_strong, level >= 3) << level;
            EXPECT_TRUE(is_noisy) << level;
        }
    }
}

// Expects the same stream from a provider that codes frames and from one that does not, if both
// refuse some frames, which libvpx then decides itself. coded: number of frames that the first one
// codes.
static void CompareWithoutFrames(const Case &c, std::function<bool(int t)> refuses, int coded) {
    FakeProvider whole, none;
    whole.CodeFrames();
    for (FakeProvider *p : {&whole, &none}) {
        p->Guide(VP8E_MP_GUIDE_AUTO);
        p->RepairThreads();
        p->begin_fails = refuses;
    }
    EXPECT_TRUE(Same(Encode(c, &whole), Encode(c, &none)));
    EXPECT_EQ(whole.coded_frames, coded);
}

// libvpx's own decision predicts vectors from those of the last inter frame, which the provider has
// coded. SSIM changes a mode before the frame is coded.
TEST(WholeFrames, LeaveTheirVectorsToLibvpxsDecision) {
    for (const int speed : {-4, -6}) {
        for (const int layers : {1, 2}) {
            for (const bool ssim : {false, true}) {
                Case c = {
                    "Vectors", With(Realtime(speed), &Settings::layers, layers),
                    [ssim](Encoder *encoder, int t) {
                        if (!ssim || t != 4) return;
                        EXPECT_EQ(vpx_codec_control(encoder->ctx(), VP8E_SET_TUNING, VP8_TUNE_SSIM),
                                  VPX_CODEC_OK);
                    },
                    [](int t) { return vpx_enc_frame_flags_t(t == 6 ? VPX_EFLAG_FORCE_KF : 0); }};
                for (const int threads : {1, 3}) {
                    c.s.threads = threads;
                    SCOPED_TRACE(testing::Message() << "speed " << speed << " layers " << layers
                                                    << " ssim " << ssim << " threads " << threads);
                    CompareWithoutFrames(
                        c, [](int t) { return t == 2 || t == 4 || t == 8; },
                        ssim ? 3 : kFrames - 3);
                }
            }
        }
    }
}

// libvpx's own decision prefers the zero vector of the last frame if most macroblocks of the frame
// before had it, which row threads do not count as they take the modes. The key frame is not the
// provider's.
TEST(WholeFrames, CountStillMacroblocks) {
    Case c = {"Still", With(Realtime(-6), &Settings::kbps, 2000)};
    c.source = [](const Settings &s, int t) {
        std::vector<uint8_t> frame = MakeFrame(s.width, s.height, 0);
        std::minstd_rand rng(unsigned(t + 1));
        for (uint8_t &pixel : frame) pixel = uint8_t(pixel / 2 + rng() % 16);
        return frame;
    };
    c.fill = [](Motion *mb, const vp8e_mp_frame_t &, int, int, int ref) {
        SetAll(mb, 0, 0, 0);
        SetDistortion(mb, ref == 1 ? 0 : 4000);
    };
    for (const int threads : {1, 3}) {
        SCOPED_TRACE(testing::Message() << "threads " << threads);
        c.s.threads = threads;
        CompareWithoutFrames(
            c, [](int t) { return t != 1; }, 1);
    }
}

// Without a reference libvpx decides.
TEST(WholeFrames, NeedAReference) {
    Case c = {"NoReference", Realtime(-8), nullptr, [](int t) {
                  return vpx_enc_frame_flags_t(t % 3 == 2
                                                   ? VP8_EFLAG_NO_REF_LAST | VP8_EFLAG_NO_REF_GF |
                                                         VP8_EFLAG_NO_REF_ARF
                                                   : 0);
              }};
    FakeProvider whole, none;
    whole.Guide(VP8E_MP_GUIDE_AUTO);
    none.Guide(VP8E_MP_GUIDE_AUTO);
    whole.rows_without_motion = none.rows_without_motion = true;
    whole.CodeFrames();
    EXPECT_TRUE(Same(Encode(c, &whole), Encode(c, &none)));
    EXPECT_EQ(whole.without_motion, 1 + 3);  // with the key frame
    EXPECT_EQ(whole.unusable_frames, 3);
    EXPECT_EQ(whole.coded_frames, 7);
}

// A picture that returns after another one is predicted from a reference that still has it.
std::vector<uint8_t> ReturningFrame(const Settings &s, int t) {
    return MakeFrame(s.width, s.height, t < 4 || t >= 7 ? 0 : 50);
}

TEST(WholeFrames, KnowAPictureThatReturns) {
    for (const int level : {0, 2}) {
        // Vectors that fit the last frame better than the reference that has the picture.
        Case c = {"Returns",
                  With(Cbr(-6, 300, 500), &Settings::noise_sensitivity, level),
                  nullptr,
                  nullptr,
                  [](Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int ref) {
                      FillGuided(mb, f, x, y, ref);
                      SetDistortion(mb, ref == 1 ? 6000 : 60000);
                  },
                  ReturningFrame};
        FakeProvider none, whole;
        none.Guide(VP8E_MP_GUIDE_AUTO);
        whole.Guide(VP8E_MP_GUIDE_AUTO);
        whole.CodeFrames();
        int returned = 0, predicted = 0;
        whole.on_coded = [&](const vp8e_mp_whole_frame_t &f) {
            returned += f.returned_ref != 0;
            for (int i = 0; f.returned_ref && i < f.mb_rows * f.mb_cols; i++)
                predicted += f.coded[i].ref == f.returned_ref;
        };
        EXPECT_TRUE(Same(Encode(c, &whole), Encode(c, &none))) << level;
        EXPECT_EQ(whole.coded_frames, kFrames);
        EXPECT_GT(returned, 0);
        EXPECT_GT(predicted, 0);
    }
}

// ---- changes in mid-stream ----------------------------------------------------------------------

// Size, threads, bitrate and provider change.
class Changes : public testing::TestWithParam<int> {};  // level of the denoiser
INSTANTIATE_TEST_SUITE_P(Denoiser, Changes, testing::Values(0, 1, 2));

TEST_P(Changes, AreFollowed) {
    for (const bool detach : {false, true}) {
        std::vector<Packet> packets[2];
        for (const bool is_whole : {false, true}) {
            FakeProvider p;
            p.Guide(VP8E_MP_GUIDE_AUTO);
            p.RepairThreads();
            p.fill = GetParam() ? FillStill : FillGuided;
            if (is_whole) p.CodeFrames();
            Settings s = With(Realtime(-8), &Settings::noise_sensitivity, GetParam());
            Encoder encoder(s);
            Decoder decoder;
            ASSERT_EQ(encoder.SetProvider(p.get()), VPX_CODEC_OK);
            for (int t = 0; t < 24; t++) {
                if (t == 4) encoder.SetThreads(3);
                if (t == 8) encoder.Resize(s.width = 97, s.height = 50);
                if (t == 12) encoder.SetBitrate(50);
                if (t == 14) encoder.Resize(s.width = 160, s.height = 144);
                if (t == 20) encoder.SetThreads(1);
                if (detach && (t == 17 || t == 19)) {
                    ASSERT_EQ(encoder.SetProvider(t == 17 ? nullptr : p.get()), VPX_CODEC_OK);
                }
                const auto frame = GetParam() ? NoisyFrame(s, t) : MakeFrame(s.width, s.height, t);
                for (Packet &packet : encoder.Encode(frame.data())) {
                    EXPECT_TRUE(decoder.Decode(packet) == encoder.Reconstruction()) << t;
                    packets[is_whole].push_back(std::move(packet));
                }
            }
            const int expected = 24 - (detach ? 2 : 0);
            EXPECT_EQ(p.coded_frames, is_whole ? expected : 0);
            EXPECT_EQ(p.denoised_frames > 0, is_whole && GetParam());
            EXPECT_GE(InterFrames(packets[is_whole]), 18);
        }
        EXPECT_TRUE(Same(packets[1], packets[0])) << "detach " << detach;
    }
}

// For screen content, a frame whose error rises suddenly is dropped after it was coded. The error
// is that of the records.
TEST(WholeFrames, MayBeDropped) {
    Case c = {"Screen", Cbr(-8, 40, 500), [](Encoder *encoder, int t) {
                  if (t) return;
                  EXPECT_EQ(vpx_codec_control(encoder->ctx(), VP8E_SET_SCREEN_CONTENT_MODE, 2u),
                            VPX_CODEC_OK);
              }};
    // Grey, and then a texture that does not move as the records say.
    c.source = [](const Settings &s, int t) {
        return t < 6 ? std::vector<uint8_t>(FrameBytes(s.width, s.height), uint8_t(128))
                     : MakeFrame(s.width, s.height, t);
    };
    c.fill = [](Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int ref) {
        FillFar(mb, f, x, y, ref);
        SetDistortion(mb, f.frame_id < 7 ? 0 : 12000);
    };
    FakeProvider whole, none;
    whole.Guide(VP8E_MP_GUIDE_AUTO);
    none.Guide(VP8E_MP_GUIDE_AUTO);
    whole.CodeFrames();
    whole.KnowFilterLevels();
    const auto packets = Encode(c, &whole);
    EXPECT_TRUE(Same(packets, Encode(c, &none)));
    EXPECT_EQ(whole.coded_frames, kFrames);
    EXPECT_EQ(packets.size(), size_t(kFrames - 1));
    EXPECT_GE(whole.filter_asked, kFrames);  // levels of the dropped frame, too
}

// The cases have macroblocks of all modes, references, partitionings and flags.
TEST(WholeFrames, CoverAllDecisions) {
    enum { kBPred = 4, kSplitMv = 9, kModes };
    int modes[kModes] = {}, uv_modes[4] = {}, refs[4] = {}, partitionings[4] = {};
    int sub_modes[10] = {}, split_modes[4] = {}, flags[8] = {}, segments[4] = {};
    int key_modes[kBPred + 1] = {}, key_uv_modes[4] = {}, key_sub_modes[10] = {};
    const auto count = [&](const vp8e_mp_whole_frame_t &f) {
        for (int i = 0; i < f.mb_rows * f.mb_cols; i++) {
            const vp8e_mp_coded_t &mb = f.coded[i];
            const vp8e_mp_blocks_t &blocks = f.blocks[i];
            if (f.key_bmode) {
                ASSERT_LE(mb.mode, kBPred);
                ASSERT_EQ(mb.ref, 0);
                key_modes[mb.mode]++;
                key_uv_modes[mb.uv_mode & 3]++;
                for (int k = 0; mb.mode == kBPred && k < 16; k++) {
                    key_sub_modes[blocks.block.bmode[k] % 10]++;
                }
                continue;
            }
            ASSERT_LT(mb.mode, kModes);
            ASSERT_LT(mb.ref, 4);
            modes[mb.mode]++;
            refs[mb.ref]++;
            flags[mb.flags & 7]++;
            if (f.segment) segments[f.segment[i] & 3]++;
            if (!mb.ref) uv_modes[mb.uv_mode & 3]++;
            if (mb.mode == kBPred) {
                for (uint8_t mode : blocks.block.bmode) sub_modes[mode % 10]++;
            }
            if (mb.mode == kSplitMv) partitionings[mb.partitioning & 3]++;
            const int parts[] = {2, 2, 4, 16};
            for (int k = 0; mb.mode == kSplitMv && k < parts[mb.partitioning & 3]; k++) {
                split_modes[(blocks.split_mode[k] - 10) & 3]++;
            }
        }
    };
    for (const Case &c : Cases()) {
        FakeProvider p;
        p.Guide(VP8E_MP_GUIDE_AUTO);
        p.CodeFrames();
        p.on_coded = count;
        Encode(c, &p);
    }
    const auto all = [](const char *what, const int *counts, int n) {
        for (int i = 0; i < n; i++) EXPECT_GT(counts[i], 0) << what << ' ' << i;
    };
    all("mode", modes, kModes);
    all("mode of a key frame", key_modes, kBPred + 1);
    all("mode of chroma in a key frame", key_uv_modes, 4);
    all("mode of a sub-block in a key frame", key_sub_modes, 10);
    all("mode of chroma", uv_modes, 4);
    all("reference", refs, 4);
    all("partitioning", partitionings, 4);
    all("mode of a sub-block", sub_modes, 10);
    all("mode of a partition", split_modes, 4);
    all("segment", segments, 4);
    EXPECT_GT(flags[0], 0);
    EXPECT_GT(flags[VP8E_MP_CODED_SKIP] + flags[VP8E_MP_CODED_SKIP | VP8E_MP_CODED_UNEVALUATED], 0);
    EXPECT_GT(flags[VP8E_MP_CODED_STILL] + flags[VP8E_MP_CODED_STILL | VP8E_MP_CODED_UNEVALUATED],
              0);
    EXPECT_GT(flags[VP8E_MP_CODED_UNEVALUATED], 0);
}

}  // namespace
