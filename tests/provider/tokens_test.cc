/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Our tokens, modes and their bits equal libvpx's, and tokens decode to those that were written.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "probes.h"

namespace {

enum { kZero = 0, kOne = 1, kCat1 = 5, kCat6 = 10, kEob = 11 };

// The boolean decoder of RFC 6386, section 7.3. It reads zeros after the end.
class BoolDecoder {
  public:
    explicit BoolDecoder(const std::vector<uint8_t> &data) : data_(data) {
        value_ = Next() << 8;
        value_ |= Next();
    }
    int Bool(int prob) {
        const unsigned split = 1 + (((range_ - 1) * unsigned(prob)) >> 8);
        const bool one = value_ >= split << 8;
        value_ -= one ? split << 8 : 0;
        range_ = one ? range_ - split : split;
        while (range_ < 128) {
            value_ <<= 1;
            range_ <<= 1;
            if (++shifted_ == 8) {
                shifted_ = 0;
                value_ |= Next();
            }
        }
        return one;
    }
    bool ended() const { return at_ >= data_.size(); }

  private:
    unsigned Next() { return at_ < data_.size() ? data_[at_++] : 0; }
    const std::vector<uint8_t> &data_;
    size_t at_ = 0;
    unsigned value_ = 0, range_ = 255;
    int shifted_ = 0;
};

// The token tree of RFC 6386, section 13.2. A node is a pair of entries; a leaf is the negative
// token.
const int8_t tree[22] = {-kEob, 2, -kZero, 4, -kOne, 6, 8, 12, -2, 10, -3, -4,
                         14, 16, -5, -6, 18, 20, -7, -8, -9, -10};
const std::vector<uint8_t> extra_probs[6] = {
    {159}, {165, 145}, {173, 148, 140}, {176, 155, 140, 135}, {180, 157, 141, 134, 130},
    {254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129}};

TestToken ReadToken(BoolDecoder *d, const uint8_t *probs, bool no_eob) {
    TestToken t = {probs, 0, 0, no_eob};
    int node = no_eob ? 2 : 0;
    do {
        node = tree[node + d->Bool(probs[node / 2])];
    } while (node > 0);
    t.token = -node;
    if (t.token >= kCat1 && t.token <= kCat6) {
        for (int prob : extra_probs[t.token - kCat1]) t.extra = 2 * t.extra + d->Bool(prob);
    }
    t.extra *= 2;
    if (t.token != kZero && t.token != kEob) t.extra += d->Bool(128);
    return t;
}

// The kind of bytes that the encoder must write. The tokens are those that a decoder reads from
// such bytes. Long runs of 255 are next to values whose carry goes through the whole run.
enum Bytes { kRandom, kZeros, kOnes, kRuns };
// The kind of the probabilities.
enum Probs { kAny, kExtreme, kLow, kHigh };

struct Case {
    Bytes bytes;
    Probs probs;
};

struct Tokens {
    std::vector<std::vector<uint8_t>> probs;
    std::vector<TestToken> tokens;
    std::vector<int> calls;
};

Tokens MakeTokens(const Case &c, std::mt19937 *random) {
    Tokens r;
    const auto any = [&](int n) { return int((*random)() % unsigned(n)); };
    for (int i = 0; i < 20; i++) {
        r.probs.emplace_back();
        for (int j = 0; j < 11; j++) {
            const int p = c.probs == kAny       ? 1 + any(255)
                          : c.probs == kExtreme ? (any(2) ? 1 : 255)
                          : c.probs == kLow     ? 1 + any(8)
                                                : 255 - any(8);
            r.probs.back().push_back(uint8_t(p));
        }
    }
    std::vector<uint8_t> bytes;
    for (int n = 100 + any(400); n > 0; n--) {
        const int run = c.bytes == kRuns ? 1 + any(40) : 1;
        const int value = c.bytes == kRandom  ? any(256)
                          : c.bytes == kZeros ? (bytes.empty() ? 0x80 : 0)
                          : c.bytes == kOnes  ? 0xff
                                              : any(2) * 255 ^ (any(4) ? 0 : 1 << any(8));
        bytes.insert(bytes.end(), size_t(run), uint8_t(value));
    }
    BoolDecoder decoder(bytes);
    bool no_eob = false;
    while (!decoder.ended() && r.tokens.size() < 20000) {
        r.tokens.push_back(ReadToken(&decoder, r.probs[size_t(any(20))].data(), no_eob));
        no_eob = r.tokens.back().token == kZero;
    }
    for (int left = int(r.tokens.size()); left > 0;) {
        const int n = std::min(left, any(4) ? any(40) : any(3000));
        r.calls.push_back(n);
        left -= n;
    }
    return r;
}

long Pack(bool ours, const Tokens &t, std::vector<uint8_t> *to) {
    return PackTokens(ours, t.tokens.data(), t.calls.data(), int(t.calls.size()), to->data(),
                      to->size());
}

class TokenBits : public testing::TestWithParam<Case> {};

TEST_P(TokenBits, EqualLibvpxs) {
    std::mt19937 random(1);
    for (int i = 0; i < 60; i++) {
        const Tokens t = MakeTokens(GetParam(), &random);
        std::vector<uint8_t> ours(100000), stock(100000);
        const long size = Pack(false, t, &stock);
        ASSERT_GT(size, 50);
        ASSERT_EQ(Pack(true, t, &ours), size);
        stock.resize(size_t(size));
        ours.resize(size_t(size));
        ASSERT_EQ(ours, stock);
    }
}

TEST_P(TokenBits, DecodeToTheTokens) {
    std::mt19937 random(2);
    for (int i = 0; i < 60; i++) {
        const Tokens t = MakeTokens(GetParam(), &random);
        std::vector<uint8_t> bytes(100000);
        const long size = Pack(true, t, &bytes);
        ASSERT_GT(size, 50);
        bytes.resize(size_t(size));
        BoolDecoder decoder(bytes);
        for (const TestToken &token : t.tokens) {
            const TestToken read = ReadToken(&decoder, token.probs, token.no_eob);
            ASSERT_EQ(read.token, token.token);
            ASSERT_EQ(read.extra, token.extra);
        }
    }
}

TEST_P(TokenBits, BeyondTheBufferAreAnError) {
    std::mt19937 random(3);
    for (int i = 0; i < 4; i++) {
        const Tokens t = MakeTokens(GetParam(), &random);
        std::vector<uint8_t> bytes(100000);
        const long size = Pack(false, t, &bytes);
        for (long room = std::max(0L, size - 20); room < size + 20; room++) {
            const size_t n = size_t(room);
            std::vector<uint8_t> stock(n), ours(n + 16, 0xa5);
            const long expected = Pack(false, t, &stock);
            ASSERT_EQ(expected, room > size ? size : -1);
            const long result = PackTokens(true, t.tokens.data(), t.calls.data(),
                                           int(t.calls.size()), ours.data(), n);
            ASSERT_EQ(result, expected) << room << " bytes of room for " << size;
            for (size_t j = n; j < ours.size(); j++) ASSERT_EQ(ours[j], 0xa5);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, TokenBits,
    testing::Values(Case{kRandom, kAny}, Case{kRandom, kExtreme}, Case{kRandom, kLow},
                    Case{kRandom, kHigh}, Case{kZeros, kAny}, Case{kZeros, kExtreme},
                    Case{kOnes, kAny}, Case{kOnes, kExtreme}, Case{kRuns, kAny},
                    Case{kRuns, kExtreme}, Case{kRuns, kHigh}),
    [](const auto &info) {
        return std::string("bytes") + char('0' + info.param.bytes) + "_probs" +
               char('0' + info.param.probs);
    });

TEST(Modes, EqualLibvpxs) {
    for (unsigned seed = 1; seed <= 400; seed++) {
        ASSERT_STREQ(CompareModeWriters(seed), nullptr) << "seed " << seed;
    }
}

TEST(Tokens, EqualLibvpxs) {
    for (unsigned seed = 1; seed <= 200; seed++) {
        const int empty = int(seed * 7 % 95), small = seed % 3 ? 90 : 0;
        ASSERT_STREQ(CompareTokenizers(seed, empty, small), nullptr) << "seed " << seed;
    }
}

}  // namespace
