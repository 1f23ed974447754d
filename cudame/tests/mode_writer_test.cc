// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The scalar writer of a frame's modes and vectors: a decoder reads the same ones.

#include "mode_data.h"

using namespace mode_data;

namespace {

TEST(ModeWriter, WritesWhatADecoderReads) {
    std::mt19937 random(1);
    int modes[kNew + 1] = {}, large = 0, lengths[11] = {};
    for (const token_data::Probs kind : token_data::kProbKinds)
        for (int turn = 0; turn < 40; turn++) {
            SCOPED_TRACE(::testing::Message()
                         << "probabilities " << static_cast<int>(kind) << " turn " << turn);
            cudame_modes m = MakeModes(kind, &random);
            std::vector<Mb> mbs(static_cast<size_t>(1 + Below(&random, 60)));
            for (Mb& mb : mbs) mb = turn % 4 == 3 ? LongestMb() : AnyMb(&random, m);
            std::vector<uint8_t> data = {7, 7};
            cudame::WriteModes(Records(mbs).data(), 1, static_cast<int>(mbs.size()), &data, &m);
            ASSERT_EQ(data.size(), (m.bits + 15) / 8);
            EXPECT_EQ(m.data, data.size() <= 32 * mbs.size() ? data.data() : nullptr);
            large += !m.data;
            token_data::BoolDecoder bools(data, m.start_range);
            for (size_t i = 0; i < mbs.size(); i++) {
                ASSERT_TRUE(ReadMb(&bools, m, mbs[i].counts) == mbs[i]) << "macroblock " << i;
                modes[mbs[i].mode]++;
                int length = 0;
                while (std::abs(mbs[i].mv[0]) >> length) length++;
                lengths[length]++;
            }
            EXPECT_EQ(bools.shifted(), m.bits);
            EXPECT_EQ(bools.range(), m.range);
        }
    EXPECT_GT(*std::min_element(modes, modes + kNew + 1), 100);
    EXPECT_GT(*std::min_element(lengths, lengths + 11), 20);
    EXPECT_GT(large, 10);
}

TEST(ModeWriter, WritesTheModesOfKeyFrames) {
    std::mt19937 random(2);
    int modes[kB + 1] = {};
    for (const token_data::Probs kind : token_data::kProbKinds)
        for (int turn = 0; turn < 40; turn++) {
            SCOPED_TRACE(::testing::Message()
                         << "probabilities " << static_cast<int>(kind) << " turn " << turn);
            cudame_modes m = MakeModes(kind, &random);
            const std::vector<uint8_t> probs = MakeKeyProbs(kind, &random);
            m.key_bmode = probs.data();
            const int rows = 1 + Below(&random, 6), cols = 1 + Below(&random, 9);
            std::vector<Mb> mbs(static_cast<size_t>(rows * cols));
            for (Mb& mb : mbs) mb = AnyKeyMb(&random, m);
            std::vector<uint8_t> data;
            cudame::WriteModes(Records(mbs).data(), rows, cols, &data, &m);
            ASSERT_EQ(data.size(), (m.bits + 15) / 8);
            EXPECT_EQ(m.data, data.size() <= 32 * mbs.size() ? data.data() : nullptr);
            token_data::BoolDecoder bools(data, m.start_range);
            for (int i = 0; i < rows * cols; i++) {
                const Mb* mb = mbs.data() + i;
                ASSERT_TRUE(ReadKeyMb(&bools, m, i >= cols ? mb - cols : nullptr,
                                      i % cols ? mb - 1 : nullptr) == *mb)
                    << "macroblock " << i << " of " << rows << " times " << cols;
                modes[mb->mode]++;
            }
            EXPECT_EQ(bools.shifted(), m.bits);
            EXPECT_EQ(bools.range(), m.range);
        }
    EXPECT_GT(*std::min_element(modes, modes + kB + 1), 100);
}

}  // namespace
