// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The tokens of a coded macroblock, read back as a decoder does (RFC 6386 section 13).

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "common/coder/code.h"
#include "cpu/coder_blocks.h"
#include "cpu/coder_rows.h"

namespace cudame {
namespace {

using namespace CODER_NAMESPACE;

constexpr int kZigzag[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
constexpr int kBands[16] = {0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7};
// The smallest coefficient of a token, and the number of its extra bits.
constexpr int kSmallest[11] = {0, 1, 2, 3, 4, 5, 7, 11, 19, 35, 67};
constexpr int kExtraBits[11] = {0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 11};

int TokenIn(cudame_token t) { return static_cast<int>(t >> CUDAME_TOKEN_SHIFT & 15); }

// The coefficient of a token that is not the end of a block.
int ValueOf(cudame_token t) {
    const int extra = static_cast<int>(t >> CUDAME_TOKEN_EXTRA_SHIFT);
    const int size = kSmallest[TokenIn(t)] + (extra >> 1);
    EXPECT_LT(extra >> 1, 1 << kExtraBits[TokenIn(t)]);
    return extra & 1 ? -size : size;
}

TEST(CoderTokens, HaveTheValueOfTheCoefficient) {
    for (int value = -2047; value <= 2047; value++) {
        const int token = TokenOf(Abs(value));
        const cudame_token t = static_cast<cudame_token>(token) << CUDAME_TOKEN_SHIFT |
                               ExtraOf(value, token) << CUDAME_TOKEN_EXTRA_SHIFT;
        ASSERT_EQ(TokenIn(t), token);
        ASSERT_EQ(ValueOf(t), value);
    }
}

// Reads the tokens of a block from position `first` on, and compares them with its coefficients.
// Returns the place of the next block's first token.
const cudame_token* ReadBlock(const cudame_token* t, const int16_t* q, int type, int neighbours,
                              int first, int end) {
    int context = neighbours, i = first;
    bool after_zero = false;
    for (; i < 16; i++, t++) {
        EXPECT_EQ(static_cast<int>(*t & 127), (type * 8 + kBands[i]) * 3 + context);
        EXPECT_EQ((*t & CUDAME_TOKEN_AFTER_ZERO) != 0, after_zero);
        if (TokenIn(*t) == kEobToken) {
            t++;
            break;
        }
        EXPECT_EQ(ValueOf(*t), q[kZigzag[i]]);
        context = TokenIn(*t) > 1 ? 2 : TokenIn(*t);
        after_zero = !TokenIn(*t);
    }
    EXPECT_EQ(i, end > first ? end : first);
    return t;
}

TEST(CoderTokens, AreThoseOfTheBlocksInOrder) {
    std::mt19937 random(7);
    const auto any = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int run = 0; run < 300; run++) {
        Mb& s = State();
        const bool has_y2 = run % 2;
        s.is_coded = true;
        s.out.mode = has_y2 ? kZeroMv : any(2) ? kSplitMv : kBPred;
        int sizes[kBlocks];
        for (int b = 0; b < kBlocks; b++) {
            const int first = b < kFirstUv && has_y2;
            int16_t* q = s.q + 16 * b;
            std::fill_n(q, 16, int16_t{0});
            // Densest at the end, so that all of the room is used.
            const int end = run > 290 ? 16 : any(3) ? first + any(17 - first) : 0;
            for (int i = first; i < end; i++) {
                const int most = run > 290 ? 2047 : any(4) ? 3 : 2047;
                const int value = any(2 * most + 1) - most;
                q[kZigzag[i]] = static_cast<int16_t>(i + 1 == end && !value ? 1 : value);
            }
            s.eob[b] = static_cast<uint8_t>(end > first ? end : 0);
            s.contexts[b] = static_cast<uint8_t>(any(3));
            sizes[b] = end;
        }
        const int n = MakeTokens();
        ASSERT_LE(n, kMaxTokens);
        const cudame_token* t = Tokens(s);
        if (has_y2) t = ReadBlock(t, s.q + 16 * kY2, 1, s.contexts[kY2], 0, sizes[kY2]);
        for (int b = 0; b < kY2; b++) {
            const bool luma = b < kFirstUv;
            t = ReadBlock(t, s.q + 16 * b,
                          !luma    ? 2
                          : has_y2 ? 0
                                   : 3,
                          s.contexts[b], luma && has_y2, sizes[b]);
        }
        ASSERT_EQ(t - Tokens(s), n);
        if (run > 290) {
            ASSERT_EQ(n, kMaxTokens);
        }
    }
}

}  // namespace
}  // namespace cudame
