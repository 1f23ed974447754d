// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The scalar writer of a frame's tokens: a decoder reads the same tokens.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "cpu/partition_writer.h"
#include "token_data.h"

using namespace token_data;

namespace {

struct Written {
    std::vector<uint8_t> data;
    cudame_partition partition;
};

// Writes a frame's tokens. Expects that there are data if there is room for them.
Written Write(const Frame& f, const std::vector<uint8_t>& probs) {
    const uint8_t old = 0;
    Written w = {{7, 7, 7}, {probs.data(), &old, 12345, 6789}};
    cudame::WriteTokens(f.runs.data(), f.runs.size(), f.tokens.data(), &w.data, &w.partition);
    EXPECT_EQ(w.partition.probs, probs.data());
    EXPECT_EQ(w.partition.data, w.data.size() <= f.runs.size() * 128 ? w.data.data() : nullptr);
    return w;
}

// The length of the longest run of a value.
int LongestRun(const std::vector<uint8_t>& data, uint8_t value) {
    int longest = 0, run = 0;
    for (uint8_t byte : data) {
        run = byte == value ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

TEST(TokenWriter, WritesWhatADecoderReads) {
    std::mt19937 random(1);
    int tokens[kTokens] = {}, contexts[kContexts] = {}, after_zero = 0, empty = 0, fit = 0;
    for (const Probs kind : kProbKinds)
        for (int turn = 0; turn < 30; turn++) {
            SCOPED_TRACE(::testing::Message()
                         << "probabilities " << static_cast<int>(kind) << " turn " << turn);
            const int most = turn % 3 ? 40 : kMostOfMb;
            const auto sizes = MakeSizes(1 + static_cast<int>(random() % 60), most, &random);
            const Frame f = MakeFrame(sizes, &random, [&](bool zero, bool may_be_zero) {
                return AnyToken(&random, zero, may_be_zero);
            });
            const std::vector<uint8_t> probs = MakeProbs(kind, &random);
            const Written w = Write(f, probs);
            ASSERT_NO_FATAL_FAILURE(ExpectTokens(w.partition, w.data, f));
            fit += w.partition.data != nullptr;
            for (const cudame::TokenRun& run : f.runs) {
                empty += !run.count;
                for (uint32_t i = 0; i < run.count; i++) {
                    const cudame_token t = f.tokens[run.first + i];
                    tokens[TokenIn(t)]++;
                    contexts[t & 127]++;
                    after_zero += (t & CUDAME_TOKEN_AFTER_ZERO) != 0;
                }
            }
        }
    EXPECT_GT(*std::min_element(tokens, tokens + kTokens), 100);
    EXPECT_GT(*std::min_element(contexts, contexts + kContexts), 100);
    EXPECT_GT(after_zero, 1000);
    EXPECT_GT(empty, 100);
    EXPECT_GT(fit, 20);
    EXPECT_LT(fit, 150);
}

// The tokens are those that a decoder reads from runs of 0 and 255. While they are written, the
// number is just below such a run of 0, so that a carry goes through all of its bytes.
TEST(TokenWriter, CarriesThroughManyBytes) {
    std::mt19937 random(2);
    int zeros = 0, ones = 0;
    for (const Probs kind : kProbKinds)
        for (int turn = 0; turn < 30; turn++) {
            SCOPED_TRACE(::testing::Message()
                         << "probabilities " << static_cast<int>(kind) << " turn " << turn);
            const std::vector<uint8_t> probs = MakeProbs(kind, &random);
            const Frame f = MakeFrameOfRuns(40, 3000, 30, probs, &random);
            const Written w = Write(f, probs);
            ASSERT_NO_FATAL_FAILURE(ExpectTokens(w.partition, w.data, f));
            zeros = std::max(zeros, LongestRun(w.data, 0));
            ones = std::max(ones, LongestRun(w.data, 255));
        }
    EXPECT_GT(zeros, 10);
    EXPECT_GT(ones, 10);
}

TEST(TokenWriter, WritesAByteWithoutTokens) {
    std::mt19937 random(3);
    const std::vector<uint8_t> probs = MakeProbs(Probs::kAny, &random);
    for (const size_t mbs : {1, 2, 99}) {
        Frame f;
        f.runs.resize(mbs);
        const Written w = Write(f, probs);
        ASSERT_NO_FATAL_FAILURE(ExpectTokens(w.partition, w.data, f));
        EXPECT_EQ(w.partition.bits, 0u);
        EXPECT_EQ(w.partition.range, 255u);
        EXPECT_EQ(w.data, std::vector<uint8_t>{0});
    }
}

// A macroblock has 128 bytes of room, which it may leave to others.
TEST(TokenWriter, HasRoomFor128BytesOfEachMacroblock) {
    std::mt19937 random(4);
    const std::vector<uint8_t> probs(kContexts * kProbs, 128);
    for (const int mbs : {1, 3}) {
        bool is_full = false, is_too_large = false;
        for (int size = 0; size <= kMostOfMb; size++) {
            std::vector<int> sizes(static_cast<size_t>(mbs), size);
            if (mbs > 1) sizes[0] = 0;
            // A token takes four bits, so that the partitions have every number of bytes.
            const Frame f = MakeFrame(sizes, &random, [&](bool, bool) {
                return Join(kOne, static_cast<int>(random() % kContexts), false, random() % 2);
            });
            const Written w = Write(f, probs);
            ASSERT_NO_FATAL_FAILURE(ExpectTokens(w.partition, w.data, f));
            const size_t room = static_cast<size_t>(mbs) * 128;
            EXPECT_EQ(w.partition.data != nullptr, w.data.size() <= room);
            is_full |= w.data.size() == room;
            is_too_large |= w.data.size() == room + 1;
        }
        EXPECT_TRUE(is_full && is_too_large) << mbs << " macroblocks";
    }
}

}  // namespace
