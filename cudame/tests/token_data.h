// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Tokens of frames, and a decoder that reads them back from a partition. It is written from the
// text of RFC 6386, sections 7 and 13.

#ifndef CUDAME_TESTS_TOKEN_DATA_H_
#define CUDAME_TESTS_TOKEN_DATA_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "common/coder/frame.h"
#include "cpu/partition_writer.h"
#include "cudame/whole_frame.h"

namespace token_data {

enum Token { kZero, kOne, kTwo, kThree, kFour, kCat1, kCat2, kCat3, kCat4, kCat5, kCat6, kEnd };
constexpr int kTokens = 12, kContexts = 96, kProbs = 11, kMostOfMb = 384;

inline Token TokenIn(cudame_token t) { return static_cast<Token>(t >> CUDAME_TOKEN_SHIFT & 15); }

// Returns the probabilities of a token's extra bits, the highest bit first.
inline const std::vector<int>& ExtraProbs(Token token) {
    static const std::vector<int> none,
        probs[6] = {{159},
                    {165, 145},
                    {173, 148, 140},
                    {176, 155, 140, 135},
                    {180, 157, 141, 134, 130},
                    {254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129}};
    return token < kCat1 || token == kEnd ? none : probs[token - kCat1];
}

inline cudame_token Join(Token token, int context, bool after_zero, uint32_t extra) {
    return static_cast<cudame_token>(context) | (after_zero ? CUDAME_TOKEN_AFTER_ZERO : 0u) |
           static_cast<cudame_token>(token) << CUDAME_TOKEN_SHIFT |
           extra << CUDAME_TOKEN_EXTRA_SHIFT;
}

// The decoder of section 7.3. After the end of the data it reads zeros.
class BoolDecoder {
  public:
    explicit BoolDecoder(std::vector<uint8_t> data, unsigned range = 255)
        : data_(std::move(data)), range_(range) {
        value_ = Next() << 8;
        value_ |= Next();
    }
    int Read(int prob) {
        const unsigned split = 1 + ((range_ - 1) * static_cast<unsigned>(prob) >> 8);
        const bool bit = value_ >= split << 8;
        if (bit) {
            range_ -= split;
            value_ -= split << 8;
        } else {
            range_ = split;
        }
        while (range_ < 128) {
            value_ <<= 1;
            range_ <<= 1;
            if (++shifted_ % 8 == 0) value_ |= Next();
        }
        return bit;
    }
    bool ended() const { return at_ >= data_.size(); }
    unsigned range() const { return range_; }
    uint64_t shifted() const { return shifted_; }

  private:
    unsigned Next() { return at_ < data_.size() ? data_[at_++] : 0u; }

    const std::vector<uint8_t> data_;
    size_t at_ = 0;
    unsigned value_, range_;
    uint64_t shifted_ = 0;
};

// Reads a token by the tree of section 13.2. probs: those of its context.
inline cudame_token ReadToken(BoolDecoder* bools, int context, bool after_zero,
                              const uint8_t* probs) {
    // The ways from each node for the bools 0 and 1: to another node, or to a token, -1 - token.
    static const int tree[kProbs][2] = {{-1 - kEnd, 1},
                                        {-1 - kZero, 2},
                                        {-1 - kOne, 3},
                                        {4, 6},
                                        {-1 - kTwo, 5},
                                        {-1 - kThree, -1 - kFour},
                                        {7, 8},
                                        {-1 - kCat1, -1 - kCat2},
                                        {9, 10},
                                        {-1 - kCat3, -1 - kCat4},
                                        {-1 - kCat5, -1 - kCat6}};
    int node = after_zero ? 1 : 0;
    while (node >= 0) node = tree[node][bools->Read(probs[node])];
    const Token token = static_cast<Token>(-1 - node);
    uint32_t extra = 0;
    for (int prob : ExtraProbs(token)) extra = 2 * extra + static_cast<uint32_t>(bools->Read(prob));
    if (token != kZero && token != kEnd)
        extra = 2 * extra + static_cast<uint32_t>(bools->Read(128));
    return Join(token, context, after_zero, extra);
}

// The tokens of a frame in memory, and where each macroblock has its own.
struct Frame {
    std::vector<cudame::TokenRun> runs;
    std::vector<cudame_token> tokens;
};

// Makes the tokens of macroblocks in raster order, and about sizes[i] for macroblock i. In memory
// the macroblocks are in any order, and other tokens are between them.
// next(after_zero, may_be_zero): returns a token.
template <class Next>
Frame MakeFrame(const std::vector<int>& sizes, std::mt19937* random, Next next) {
    std::vector<std::vector<cudame_token>> mbs;
    for (const int size : sizes) {
        std::vector<cudame_token> mb;
        int position = 0;
        bool after_zero = false;
        while ((static_cast<int>(mb.size()) < size || after_zero) && mb.size() < kMostOfMb) {
            mb.push_back(next(after_zero, position < 15));
            after_zero = TokenIn(mb.back()) == kZero;
            // The end of a block, or its last coefficient, which is not zero.
            position =
                TokenIn(mb.back()) == kEnd || (position >= 15 && !after_zero) ? 0 : position + 1;
        }
        mbs.push_back(std::move(mb));
    }
    Frame f;
    f.runs.resize(mbs.size());
    std::vector<size_t> order(mbs.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::shuffle(order.begin(), order.end(), *random);
    for (const size_t i : order) {
        f.tokens.resize(f.tokens.size() + (*random)() % 3, 0xfffu);
        // Without tokens the first one may be anywhere, and is 0 as a rule.
        const size_t first = mbs[i].empty() ? 0 : f.tokens.size();
        f.runs[i] = {static_cast<uint32_t>(first), static_cast<uint32_t>(mbs[i].size())};
        f.tokens.insert(f.tokens.end(), mbs[i].begin(), mbs[i].end());
    }
    return f;
}

// Returns a token of any kind. Each bit of its extra bits is 0 or 1 as often.
inline cudame_token AnyToken(std::mt19937* random, bool after_zero, bool may_be_zero) {
    const Token token = static_cast<Token>((may_be_zero ? 0 : 1) +
                                           (*random)() % (kTokens - after_zero - !may_be_zero));
    const size_t bits = token == kZero || token == kEnd ? 0 : ExtraProbs(token).size() + 1;
    const uint32_t extra = static_cast<uint32_t>((*random)()) & ((1u << bits) - 1);
    return Join(token, static_cast<int>((*random)() % kContexts), after_zero, extra);
}

// The kind of probabilities.
enum class Probs { kAny, kExtreme, kLeast, kGreatest, kEven };
constexpr Probs kProbKinds[] = {Probs::kAny, Probs::kExtreme, Probs::kLeast, Probs::kGreatest,
                                Probs::kEven};

inline std::vector<uint8_t> MakeProbs(Probs kind, std::mt19937* random) {
    std::vector<uint8_t> probs(kContexts * kProbs);
    for (uint8_t& p : probs) {
        const unsigned any = static_cast<unsigned>((*random)());
        p = static_cast<uint8_t>(kind == Probs::kAny        ? 1 + any % 255
                                 : kind == Probs::kExtreme  ? (any % 2 ? 1 : 255)
                                 : kind == Probs::kLeast    ? 1
                                 : kind == Probs::kGreatest ? 255
                                                            : 128);
    }
    return probs;
}

// The number of macroblocks' tokens: none for a third of them.
inline std::vector<int> MakeSizes(int mbs, int most, std::mt19937* random) {
    std::vector<int> sizes;
    for (int i = 0; i < mbs; i++)
        sizes.push_back((*random)() % 3 ? static_cast<int>((*random)() % (most + 1u)) : 0);
    return sizes;
}

// Expects that a partition has the frame's tokens, and ends as it says. data: its bytes, also if it
// is too large.
inline void ExpectTokens(const cudame_partition& partition, const std::vector<uint8_t>& data,
                         const Frame& frame) {
    ASSERT_EQ(data.size(), (partition.bits + 15) / 8);
    BoolDecoder bools(data);
    for (size_t mb = 0; mb < frame.runs.size(); mb++)
        for (uint32_t i = 0; i < frame.runs[mb].count; i++) {
            const cudame_token t = frame.tokens[frame.runs[mb].first + i];
            const int context = static_cast<int>(t & 127);
            ASSERT_EQ(ReadToken(&bools, context, (t & CUDAME_TOKEN_AFTER_ZERO) != 0,
                                partition.probs + context * kProbs),
                      t)
                << "token " << i << " of macroblock " << mb;
        }
    EXPECT_EQ(partition.range, bools.range());
    EXPECT_TRUE(partition.range >= 128 && partition.range <= 255);
    EXPECT_EQ(partition.bits, bools.shifted());
    const size_t unused = 8 * data.size() - partition.bits - 8;
    ASSERT_LT(unused, 8u);
    EXPECT_EQ(data.back() & ((1 << unused) - 1), 0) << "after the number's last bit";
}

// Makes a frame of `mbs` macroblocks of the tokens that a decoder reads from at least `size` bytes,
// which are runs of up to `longest` bytes 0 or 255 with a byte of noise between them.
inline Frame MakeFrameOfRuns(int mbs, size_t size, unsigned longest,
                             const std::vector<uint8_t>& probs, std::mt19937* random) {
    std::vector<uint8_t> bytes;
    while (bytes.size() < size) {
        bytes.push_back(static_cast<uint8_t>((*random)()));
        bytes.insert(bytes.end(), (*random)() % longest, (*random)() % 2 ? 255 : 0);
    }
    BoolDecoder decoder(bytes);
    return MakeFrame(MakeSizes(mbs, 60, random), random, [&](bool zero, bool) {
        const int context = static_cast<int>((*random)() % kContexts);
        return ReadToken(&decoder, context, zero, probs.data() + context * kProbs);
    });
}

}  // namespace token_data

#endif  // CUDAME_TESTS_TOKEN_DATA_H_
