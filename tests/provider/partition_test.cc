/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// The token partition of a whole frame, and its modes and vectors, which the provider may write
// while it filters the frame.
// whole_frame_test.cc compares the streams of many more settings.

#include <gtest/gtest.h>

#include <algorithm>

#include "scenarios.h"

namespace provider_test {
namespace {

constexpr int kFrames = 10;
constexpr int kSplitMv = 9;  // libvpx's SPLITMV

// Settings in which all frames are coded by the provider, and filtered.
std::vector<Settings> Filtered() {
    std::vector<Settings> list;
    const auto add = [&](int cpu_used, int kbps, int width, int height, int buffer_ms) {
        Settings s;
        s.deadline = VPX_DL_REALTIME;
        s.cpu_used = cpu_used;
        s.kbps = kbps;
        s.width = width;
        s.height = height;
        s.buffer_ms = buffer_ms;
        list.push_back(s);
    };
    add(-4, 40, 176, 144, 0);
    add(-6, 30, 176, 144, 0);
    add(-8, 100, 352, 288, 600);
    add(-12, 40, 175, 143, 600);
    add(-8, 5, 33, 17, 0);
    list.back().min_q = 40;
    return list;
}

std::string Describe(const Settings &s) {
    return std::to_string(s.width) + "x" + std::to_string(s.height) + " speed " +
           std::to_string(s.cpu_used) + " threads " + std::to_string(s.threads);
}

// A frame keeps the probabilities that it chose, or forgets them.
vpx_enc_frame_flags_t Flags(int t) { return t % 4 == 2 ? VP8_EFLAG_NO_UPD_ENTROPY : 0; }

// Returns a packet for each frame. A decoder would not show the encoder's pictures if a test
// changes a partition.
std::vector<Packet> Encode(const Settings &s, FakeProvider *p) {
    p->Guide(VP8E_MP_GUIDE_AUTO);
    p->RepairThreads();
    p->fill = FillGuided;
    Encoder encoder(s);
    EXPECT_EQ(encoder.SetProvider(p->get()), VPX_CODEC_OK);
    std::vector<Packet> all;
    for (int t = 0; t < kFrames; t++) {
        const auto frame = MakeFrame(s.width, s.height, t);
        for (Packet &packet : encoder.Encode(frame.data(), Flags(t))) {
            all.push_back(std::move(packet));
        }
    }
    EXPECT_EQ(all.size(), size_t(kFrames));
    return all;
}

// The bytes that the provider writes are in the packet. So a byte that the provider changes is the
// only one that differs in a frame, because the encoder does not read the partition.
TEST(Partition, IsTheProviders) {
    for (Settings s : Filtered()) {
        FakeProvider none;
        const auto expected = Encode(s, &none);
        for (const int threads : {1, 2, 4}) {
            for (const bool changes : {false, true}) {
                s.threads = threads;
                SCOPED_TRACE(Describe(s));
                FakeProvider whole;
                whole.CodeFrames();
                std::vector<std::vector<uint8_t>> written;
                whole.on_partition = [&](std::vector<uint8_t> *data) {
                    if (changes) data->at(data->size() / 2) ^= 0x10;
                    written.push_back(*data);
                };
                const auto packets = Encode(s, &whole);
                EXPECT_EQ(whole.coded_frames, kFrames);
                ASSERT_EQ(whole.partitions, kFrames);
                for (int t = 0; t < kFrames; t++) {
                    SCOPED_TRACE(testing::Message() << "frame " << t);
                    const auto &a = expected[t].data, &b = packets[t].data, &data = written[t];
                    ASSERT_EQ(a.size(), b.size());
                    // RFC 6386 section 9.1: after the first partition, whose size the frame's tag
                    // has.
                    const size_t first = (a[0] | a[1] << 8 | a[2] << 16) >> 5;
                    const size_t at = (expected[t].key ? 10 : 3) + first;
                    ASSERT_LE(at + data.size(), b.size());
                    EXPECT_TRUE(std::equal(data.begin(), data.end(), b.begin() + at));
                    for (size_t i = 0; i < a.size(); i++) {
                        const bool is_changed = changes && i == at + data.size() / 2;
                        ASSERT_EQ(b[i], is_changed ? a[i] ^ 0x10 : a[i]) << "byte " << i;
                    }
                }
            }
        }
    }
}

// libvpx writes the tokens of frames that the provider filters without a partition, or whose filter
// fails.
TEST(Partition, MayBeMissing) {
    for (Settings s : Filtered()) {
        FakeProvider none;
        const auto expected = Encode(s, &none);
        for (const int threads : {1, 3}) {
            for (const bool fails : {false, true}) {
                for (const int every : {1, 3}) {
                    s.threads = threads;
                    SCOPED_TRACE(Describe(s));
                    FakeProvider whole;
                    whole.CodeFrames();
                    (fails ? whole.filter_fails : whole.partition_fails) = [&](int n) {
                        return n % every == 0;
                    };
                    EXPECT_TRUE(SameBytes(Encode(s, &whole), expected)) << "every " << every;
                    EXPECT_EQ(whole.coded_frames, kFrames);
                    EXPECT_EQ(whole.partition_calls, kFrames);
                    EXPECT_EQ(whole.partitions, every == 1 ? 0 : 6);
                }
            }
        }
    }
}

// With several partitions, or independent ones, libvpx writes the tokens.
TEST(Partition, IsNotAskedForWithOthers) {
    for (const int partitions : {0, 4, 8}) {
        for (const int threads : {1, 4}) {
            Settings s = Filtered()[2];  // at a constant bitrate
            s.threads = threads;
            s.partitions = partitions;
            if (!partitions) s.error_resilient = VPX_ERROR_RESILIENT_PARTITIONS;
            SCOPED_TRACE(testing::Message() << Describe(s) << " partitions " << partitions);
            FakeProvider whole, none;
            whole.CodeFrames();
            EXPECT_TRUE(SameBytes(Encode(s, &whole), Encode(s, &none)));
            EXPECT_EQ(whole.coded_frames, kFrames);
            EXPECT_EQ(whole.filter_calls, kFrames);
            EXPECT_EQ(whole.partition_calls, 0);
        }
    }
}

// The number of partitions may change between frames.
TEST(Partition, MayBecomeSeveral) {
    for (const int threads : {1, 3}) {
        Settings s = Filtered()[2];
        s.threads = threads;
        std::vector<Packet> packets[2];
        for (const bool is_whole : {false, true}) {
            FakeProvider p;
            if (is_whole) p.CodeFrames();
            p.Guide(VP8E_MP_GUIDE_AUTO);
            p.RepairThreads();
            p.fill = FillGuided;
            Encoder encoder(s);
            Decoder decoder;
            ASSERT_EQ(encoder.SetProvider(p.get()), VPX_CODEC_OK);
            for (int t = 0; t < kFrames; t++) {
                if (t == 3 || t == 7) {
                    const int log2 = t == 3 ? 2 : 0;
                    ASSERT_EQ(vpx_codec_control(encoder.ctx(), VP8E_SET_TOKEN_PARTITIONS, log2),
                              VPX_CODEC_OK);
                }
                const auto frame = MakeFrame(s.width, s.height, t);
                for (Packet &packet : encoder.Encode(frame.data())) {
                    EXPECT_TRUE(decoder.Decode(packet) == encoder.Reconstruction()) << t;
                    packets[is_whole].push_back(std::move(packet));
                }
            }
            EXPECT_EQ(p.partition_calls, is_whole ? 6 : 0);
            EXPECT_EQ(p.partitions, p.partition_calls);
        }
        EXPECT_TRUE(SameBytes(packets[0], packets[1])) << threads << " threads";
    }
}

// The settings above, and others that change the frame's header.
std::vector<Settings> WithHeaders() {
    std::vector<Settings> list = Filtered();
    Settings s = list[2];
    for (const int layers : {2, 3}) {
        s.layers = layers;
        list.push_back(s);
    }
    s.layers = 1;
    s.error_resilient = VPX_ERROR_RESILIENT_DEFAULT;
    list.push_back(s);
    s.error_resilient = 0;
    s.noise_sensitivity = 4;
    s.static_thresh = 1;
    list.push_back(s);
    return list;
}

// A byte of the modes that the provider changes changes the packet, but only in its first
// partition: so the encoder has taken them, and the header before them was the one that it
// expected.
TEST(Modes, AreTheProviders) {
    for (Settings s : WithHeaders()) {
        FakeProvider none;
        none.no_splits = true;
        const auto expected = Encode(s, &none);
        for (const int threads : {1, 2, 4}) {
            for (const bool changes : {false, true}) {
                s.threads = threads;
                SCOPED_TRACE(testing::Message()
                             << Describe(s) << " layers " << s.layers << " resilient "
                             << s.error_resilient << " noise " << s.noise_sensitivity);
                FakeProvider whole;
                whole.CodeFrames();
                whole.no_splits = true;
                std::vector<bool> is_written(kFrames);
                whole.on_modes = [&](std::vector<uint8_t> *data) {
                    is_written.at(size_t(whole.coded_frames - 1)) = true;
                    if (changes) data->at(data->size() / 2) ^= 0x10;
                };
                const auto packets = Encode(s, &whole);
                EXPECT_EQ(whole.coded_frames, kFrames);
                EXPECT_EQ(whole.modes_calls, kFrames);
                EXPECT_EQ(std::count(is_written.begin(), is_written.end(), true), kFrames);
                for (int t = 0; t < kFrames; t++) {
                    SCOPED_TRACE(testing::Message() << "frame " << t);
                    const auto &a = expected[t].data, &b = packets[t].data;
                    ASSERT_EQ(a.size(), b.size());
                    const size_t first = (a[0] | a[1] << 8 | a[2] << 16) >> 5;
                    const auto end = a.begin() + (expected[t].key ? 10 : 3) + first;
                    const bool same = std::equal(a.begin(), end, b.begin());
                    EXPECT_EQ(same, !(changes && is_written[size_t(t)]));
                    EXPECT_TRUE(std::equal(end, a.end(), b.end() - (a.end() - end)));
                }
            }
        }
    }
}

// libvpx writes the modes that the provider has not written.
TEST(Modes, MayBeMissing) {
    for (Settings s : WithHeaders()) {
        FakeProvider none;
        none.no_splits = true;
        const auto expected = Encode(s, &none);
        for (const int threads : {1, 3}) {
            for (const bool fails : {false, true}) {
                s.threads = threads;
                SCOPED_TRACE(Describe(s));
                FakeProvider whole;
                whole.CodeFrames();
                whole.no_splits = true;
                (fails ? whole.filter_fails : whole.modes_fail) = [&](int n) { return n % 3 == 1; };
                EXPECT_TRUE(SameBytes(Encode(s, &whole), expected)) << "filter fails " << fails;
                EXPECT_EQ(whole.coded_frames, kFrames);
                EXPECT_EQ(whole.modes, kFrames - 3);
            }
        }
    }
}

// libvpx writes vectors of parts of macroblocks.
TEST(Modes, AreNotAskedForWithSplits) {
    Settings s = Filtered()[0];
    FakeProvider whole, none;
    whole.CodeFrames();
    int with_splits = 0;
    whole.on_coded = [&](const vp8e_mp_whole_frame_t &frame) {
        const auto *mbs = frame.coded;
        with_splits += std::any_of(mbs, mbs + frame.mb_rows * frame.mb_cols,
                                   [](const vp8e_mp_coded_t &mb) { return mb.mode == kSplitMv; });
    };
    EXPECT_TRUE(SameBytes(Encode(s, &whole), Encode(s, &none)));
    EXPECT_GT(with_splits, 0);
    EXPECT_EQ(whole.modes_calls, kFrames - with_splits);
}

// Without repair_threads, libvpx's row threads count only a part of their tokens. A provider counts
// all, so it must not code the frame.
TEST(WholeFrames, NeedThreadsThatCountAllTokens) {
    Settings s = Filtered()[2];
    for (const int threads : {1, 2}) {
        s.threads = threads;
        FakeProvider p;
        p.Guide(VP8E_MP_GUIDE_AUTO);
        p.CodeFrames();
        p.fill = FillGuided;
        Encoder encoder(s);
        ASSERT_EQ(encoder.SetProvider(p.get()), VPX_CODEC_OK);
        for (int t = 0; t < 3; t++) {
            const auto frame = MakeFrame(s.width, s.height, t);
            EXPECT_EQ(encoder.Encode(frame.data(), 0).size(), 1u);
        }
        EXPECT_EQ(p.coded_frames, threads == 1 ? 3 : 0) << threads << " threads";
    }
}

}  // namespace
}  // namespace provider_test
