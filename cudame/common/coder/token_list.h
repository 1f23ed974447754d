// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The tokens of a coded macroblock (RFC 6386 section 13), in the order of the bitstream. They are
// made after the row below was told that the macroblock is done, so that it does not wait for them.

#ifndef CUDAME_COMMON_CODER_TOKEN_LIST_H_
#define CUDAME_COMMON_CODER_TOKEN_LIST_H_

#include "common/coder/token_bools.h"
#include "common/coder/tokens.h"

namespace cudame::CODER_NAMESPACE {

// Room for the tokens in the state.
CODER_FN cudame_token* Tokens(Mb& s) {
    return reinterpret_cast<cudame_token*>(reinterpret_cast<uint8_t*>(&s) + offsetof(Mb, pred));
}

// Keeps the contexts of the macroblock's blocks for MakeTokens(), and whether it has tokens.
CODER_FN void KeepContexts(bool has_y2, bool is_skipped) {
    Mb& s = State();
    if (Lane() == 0) s.is_coded = !is_skipped;
    if (is_skipped) return;
    CODER_ROLLED
    for (int i = Lane(); i < kBlocks; i += kLanes)
        s.contexts[i] = static_cast<uint8_t>(NeighboursOf(s, i, i < kFirstUv && has_y2));
}

// The extra bits and, as the lowest one, the sign of a coefficient.
CODER_FN uint32_t ExtraOf(int value, int token) {
    // The smallest coefficient of tokens from 5 on.
    const int base = token < 5 ? Abs(value) : token == 5 ? 5 : 3 + (4 << (token - 6));
    return static_cast<uint32_t>((Abs(value) - base) << 1 | (value < 0));
}

// Makes the tokens of a block from position `first` to its end.
CODER_FN void MakeBlockTokens(const int16_t* q, int type, int context, int first, int end,
                              cudame_token* to) {
    const auto token_at = [&](int i, int token) {
        return static_cast<uint32_t>((type * 8 + BandAt(i)) * 3 + context) |
               static_cast<uint32_t>(token) << CUDAME_TOKEN_SHIFT;
    };
    uint32_t flag = 0;
    CODER_ROLLED
    for (int i = first; i < end; i++) {
        const int value = q[ZigzagAt(i)];
        const int token = TokenOf(Abs(value));
        *to++ = token_at(i, token) | flag | ExtraOf(value, token) << CUDAME_TOKEN_EXTRA_SHIFT;
        context = Min(token, 2);
        flag = token ? 0 : CUDAME_TOKEN_AFTER_ZERO;
    }
    if (end < 16) *to = token_at(end, kEobToken);
}

// Makes the tokens of the macroblock. Returns their number. A lane makes those of a block; Y2 comes
// first.
CODER_FN int MakeTokens() {
    Mb& s = State();
    const bool has_y2 = s.out.mode != kBPred && s.out.mode != kSplitMv;
    const int blocks = kY2 + has_y2;
    int n = 0;
    CODER_ROLLED
    for (int turn = 0; turn < blocks; turn += kLanes) {
        const int at = turn + Lane();
        const int i = !has_y2 ? at : at ? at - 1 : kY2;
        const bool exists = at < blocks;
        const int first = i < kFirstUv && has_y2;
        const int end = exists ? Max(s.eob[i], first) : 0;
        const int size = exists ? end - first + (end < 16) : 0;
        int all;
        const int before = n + SumBefore(size, &all);
        if (exists)
            MakeBlockTokens(s.q + 16 * i, PlaneTypeOf(i, has_y2), s.contexts[i], first, end,
                            Tokens(s) + before);
        n += all;
    }
    return n;
}

// Counts the first n tokens of the state.
CODER_FN void CountTokens(int n) {
    const cudame_token* tokens = Tokens(State());
    CODER_ROLLED
    for (int i = Lane(); i < n; i += kLanes)
        Add(Frame().token_counts + ContextIn(tokens[i]) * kTokens + TokenIn(tokens[i]), 1u);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_TOKEN_LIST_H_
