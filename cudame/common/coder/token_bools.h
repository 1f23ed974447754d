// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The bools of a token (RFC 6386 section 13), and a boolean encoder's state as they pass
// (section 7).

#ifndef CUDAME_COMMON_CODER_TOKEN_BOOLS_H_
#define CUDAME_COMMON_CODER_TOKEN_BOOLS_H_

#include "common/coder/lanes.h"
#include "common/coder/tree_path.h"
#include "cudame/whole_frame.h"

namespace cudame::CODER_NAMESPACE {

constexpr int kTokens = 12, kTokenContexts = 96, kTokenNodes = 11;
constexpr int kMaxBools = 19;  // of a token: a path of 7, 11 extra bits and the sign

CODER_FN int ContextIn(cudame_token t) { return static_cast<int>(t & 127); }
CODER_FN int TokenIn(cudame_token t) { return static_cast<int>(t >> CUDAME_TOKEN_SHIFT & 15); }

// How a token is coded: its path in the token tree, see tree_path.h.
struct TokenCode {
    uint32_t nodes;
    uint8_t size, bits;
    uint8_t tail;   // bits after the path: the extra bits, and one for the sign
    uint8_t extra;  // the first one's place in kExtraProbs
};
CODER_TABLE TokenCode kTokenCodes[kTokens] = {
    {0x10, 2, 0x1, 0, 0},          // 0
    {0x210, 3, 0x3, 1, 0},         // 1
    {0x43210, 5, 0x7, 1, 0},       // 2
    {0x543210, 6, 0x17, 1, 0},     // 3
    {0x543210, 6, 0x37, 1, 0},     // 4
    {0x763210, 6, 0xf, 2, 0},      // 5 and 6
    {0x763210, 6, 0x2f, 3, 1},     // 7 to 10
    {0x9863210, 7, 0x1f, 4, 3},    // 11 to 18
    {0x9863210, 7, 0x5f, 5, 6},    // 19 to 34
    {0xa863210, 7, 0x3f, 6, 10},   // 35 to 66
    {0xa863210, 7, 0x7f, 12, 15},  // 67 and more
    {0x0, 1, 0x0, 0, 0},           // the end of a block
};
CODER_TABLE uint8_t kExtraProbs[26] = {
    159,                                                    // 5 and 6
    165, 145,                                               // 7 to 10
    173, 148, 140,                                          // 11 to 18
    176, 155, 140, 135,                                     // 19 to 34
    180, 157, 141, 134, 130,                                // 35 to 66
    254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129,  // 67 and more
};

// After a zero a token cannot be the end of a block, so its path begins at the second node.
CODER_FN int FirstNode(cudame_token t) { return t & CUDAME_TOKEN_AFTER_ZERO ? 1 : 0; }
CODER_FN int BoolsOf(cudame_token t) {
    const TokenCode& code = kTokenCodes[TokenIn(t)];
    return code.size - FirstNode(t) + code.tail;
}

// A bool and the probability that it is 0, of 256.
struct Bool {
    uint32_t prob, bit;
};
// Bool i of a token. probs: see cudame_partition.
CODER_FN Bool BoolAt(cudame_token t, int i, const uint8_t* probs) {
    const TokenCode& code = kTokenCodes[TokenIn(t)];
    const int node = FirstNode(t) + i, after = node - code.size;
    if (after < 0)
        return {probs[ContextIn(t) * kTokenNodes + NodeAt(code, node)], BitAt(code, node)};
    const int below = code.tail - 1 - after;  // 0 for the sign
    return {below ? kExtraProbs[code.extra + after] : 128u,
            t >> CUDAME_TOKEN_EXTRA_SHIFT >> below & 1};
}

// The range of a boolean encoder, 128 to 255, and how far it has shifted.
struct EncoderState {
    uint32_t range, bits;
};
// Codes a bool. Returns the value that it adds to the encoder's number before the shift.
CODER_FN uint32_t Code(Bool b, EncoderState* s, int* shift) {
    const uint32_t split = 1 + ((s->range - 1) * b.prob >> 8);
    const uint32_t range = b.bit ? s->range - split : split;
    *shift = LeadingZeros(range) - 24;
    s->range = range << *shift;
    s->bits += static_cast<uint32_t>(*shift);
    return b.bit ? split : 0;
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_TOKEN_BOOLS_H_
