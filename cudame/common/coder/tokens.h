// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Rates of coefficients (RFC 6386 section 13), as in libvpx's vp8/encoder/mp/recon/token_rate.c.

#ifndef CUDAME_COMMON_CODER_TOKENS_H_
#define CUDAME_COMMON_CODER_TOKENS_H_

#include "common/coder/macroblock.h"

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

// The rate of a block's tokens from position `first` on. coded: bits of the coefficients that are
// not zero. neighbours: how many of the left and the upper block have coefficients.
CODER_FN int BlockRate(const CoderFrame& f, int type, const int16_t* q, uint32_t coded,
                       int neighbours) {
    int context = neighbours, rate = 0, i = type == kAfterY2;
    for (coded >>= i; coded; coded >>= 1, i++) {
        const int value = q[kZigzag[i]];
        const int token = TokenOf(Abs(value));
        rate += f.rates->token[type][kBands[i]][context][token] + f.value_cost[value];
        context = token > 1 ? 2 : token;
    }
    if (i < 16) rate += f.rates->token[type][kBands[i]][context][kEobToken];
    return rate;
}

// Whether the block left of or above block i of a square has coefficients.
CODER_FN int ContextOf(const Mb& s, int i, bool is_left, int first) {
    const int size = i < kFirstUv ? 4 : 2, base = i < kFirstUv ? 0 : i < 20 ? 16 : 20;
    const int x = (i - base) % size, y = (i - base) / size;
    const int context = i < kFirstUv ? 0 : i < 20 ? kContextU : kContextV;
    if (is_left) return x ? s.coded[i - 1] >> first != 0 : s.left.context[context + y];
    return y ? s.coded[i - size] >> first != 0 : s.above.context[context + x];
}

// The rate of luma's tokens, with or without Y2, or of chroma's.
CODER_CALL int LumaRate(const At& at, bool has_y2) {
    const Mb& s = at.s;
    const int type = has_y2 ? kAfterY2 : kWithDc;
    int rate = 0;
    for (int i = Lane(); i < 16; i += kLanes)
        rate += BlockRate(at.f, type, s.q + 16 * i, s.coded[i],
                          ContextOf(s, i, true, has_y2) + ContextOf(s, i, false, has_y2));
    if (has_y2 && Lane() == kLanes - 1)
        rate += BlockRate(at.f, kIsY2, s.q + 16 * kY2, s.coded[kY2],
                          s.left.context[kContextY2] + s.above.context[kContextY2]);
    return Sum(rate);
}
CODER_CALL int ChromaRate(const At& at) {
    const Mb& s = at.s;
    int rate = 0;
    for (int i = kFirstUv + Lane(); i < kY2; i += kLanes)
        rate += BlockRate(at.f, kChroma, s.q + 16 * i, s.coded[i],
                          ContextOf(s, i, true, 0) + ContextOf(s, i, false, 0));
    return Sum(rate);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_TOKENS_H_
