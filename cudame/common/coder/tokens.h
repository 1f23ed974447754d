// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Rates of coefficients (RFC 6386 section 13), as in libvpx's vp8/encoder/mp/recon/token_rate.c.

#ifndef CUDAME_COMMON_CODER_TOKENS_H_
#define CUDAME_COMMON_CODER_TOKENS_H_

#include "common/coder/residual.h"

namespace cudame::CODER_NAMESPACE {

constexpr int kEobToken = 11;
// Types of planes: luma after Y2, Y2, chroma, luma with its DC coefficients.
enum PlaneType { kAfterY2, kIsY2, kChroma, kWithDc };

CODER_FN int TokenOf(int magnitude) {
    return magnitude <= 4    ? magnitude
           : magnitude <= 6  ? 5
           : magnitude <= 10 ? 6
           : magnitude <= 18 ? 7
           : magnitude <= 34 ? 8
           : magnitude <= 66 ? 9
                             : 10;
}

// The rate of the tokens at four positions from i on. end: the position after the block's last
// coefficient, where a token ends the block. before: the magnitude of the coefficient before, or
// the context of the first token.
CODER_FN int RateOfFour(int type, const int16_t* q, int i, int end, int before) {
    int rate = 0;
    for (int k = 0; k < 4; k++, i++) {
        const int value = q[ZigzagAt(i & 15)];
        const auto& rates = Rates().token[type][BandAt(i & 15)][Min(before, 2)];
        before = Abs(value);
        if (i < end) rate += rates[TokenOf(before)] + Frame().value_cost[value];
        if (i == end && i < 16) rate += rates[kEobToken];
    }
    return rate;
}

// The rate of a block's tokens from position `first` on. coded: bits of the coefficients that are
// not zero. neighbours: how many of the left and the upper block have coefficients.
CODER_FN int BlockRate(int type, const int16_t* q, uint32_t coded, int neighbours) {
    const int first = type == kAfterY2, end = Max(first, 32 - LeadingZeros(coded));
    int rate = 0;
    CODER_ROLLED
    for (int i = first; i <= end; i += 4)
        rate += RateOfFour(type, q, i, end, i > first ? Abs(q[ZigzagAt(i - 1)]) : neighbours);
    return rate;
}

// Whether the block left of or above block i has coefficients from `first` on.
CODER_FN int ContextOf(const Mb& s, int i, bool is_left, int first) {
    if (i == kY2) return (is_left ? s.left : s.above).context[kContextY2];
    const int log = i < kFirstUv ? 2 : 1, n = i < kFirstUv ? i : i & 3;
    const int x = n & ((1 << log) - 1), y = n >> log;
    const int context = i < kFirstUv ? 0 : i < 20 ? kContextU : kContextV;
    if (is_left) return x ? s.coded[i - 1] >> first != 0 : s.left.context[context + y];
    return y ? s.coded[i - (1 << log)] >> first != 0 : s.above.context[context + x];
}

// How many of the left and the upper neighbour of block i have coefficients from `first` on.
CODER_FN int NeighboursOf(const Mb& s, int i, int first) {
    return ContextOf(s, i, true, first) + ContextOf(s, i, false, first);
}

// The type of the plane of block i.
CODER_FN int PlaneTypeOf(int i, bool has_y2) {
    return i == kY2 ? kIsY2 : i >= kFirstUv ? kChroma : has_y2 ? kAfterY2 : kWithDc;
}

// The rates of luma's tokens, with or without Y2, and of chroma's.
CODER_CALL Pair TokenRates(bool luma, bool chroma, bool has_y2) {
    const Mb& s = State();
    Pair rate = {0, 0};
    CODER_ROLLED
    for (int i = Lane(); i < kBlocks; i += kLanes) {
        const bool is_luma = i < kFirstUv || i == kY2;
        if (is_luma ? !luma || (i == kY2 && !has_y2) : !chroma) continue;
        const int first = i < kFirstUv && has_y2;
        (is_luma ? rate.luma : rate.chroma) +=
            BlockRate(PlaneTypeOf(i, has_y2), s.q + 16 * i, s.coded[i], NeighboursOf(s, i, first));
    }
    return {luma ? Sum(rate.luma) : 0, chroma ? Sum(rate.chroma) : 0};
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_TOKENS_H_
