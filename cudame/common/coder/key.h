// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Decides and codes a macroblock of a key frame, as libvpx's vp8/encoder/mp/mode/key.c and
// rd_intra.inc.h do at a realtime deadline.

#ifndef CUDAME_COMMON_CODER_KEY_H_
#define CUDAME_COMMON_CODER_KEY_H_

#include "common/coder/code.h"

namespace cudame::CODER_NAMESPACE {

// B_PRED is evaluated if its estimate is at most this many permille of the best 16x16 mode's.
constexpr int kKeyBPredWithin = 1600;

// Whether B_PRED may cost less than the 16x16 modes. If so, sets s.block_modes.
CODER_FN bool ChooseKeyBPred(const At& at) {
    Mb& s = State();
    uint32_t low = UINT32_MAX;
    for (int mode = kDcPred; mode <= kTmPred; mode++)
        low = MinOf(low, at.Weigh(s.intra.satd16[mode], Rates().mode[mode]));
    if (!Within(at.Weigh(s.intra.cost4, Rates().mode[kBPred]), low, kKeyBPredWithin)) return false;
    CODER_ROLLED
    for (int i = Lane(); i < 16; i += kLanes)
        s.block_modes[i] = SubblockModesOf(s.intra.mode4[i], 0);
    Sync();
    return true;
}

CODER_FN KeyDecision BeginKeyDecision() { return {kDcPred, kDcPred, INT32_MAX, 0, 0, 0}; }

// Codes chroma. It is kept with the best of the 16x16 modes that are evaluated after it.
CODER_FN void EvaluateKeyChroma(const At& at, KeyDecision* d) {
    const IntraChroma uv = CodeIntraChroma(at);
    d->uv_mode = uv.mode;
    d->uv_rate = uv.rate + uv.mode_rate;
}

// Evaluates 16x16 modes.
CODER_FN void EvaluateKey16(const At& at, int first, int last, KeyDecision* d) {
    CODER_ROLLED
    for (int mode = first; mode <= last; mode++) {
        d->evaluated++;
        PredictIntraLuma(mode);
        const int distortion = CodeBlocks(true, false, true).luma;
        const int rate = TokenRates(true, false, true).luma + Rates().mode[mode];
        const int rd = at.RdCost(rate, distortion);
        if (rd >= d->rd) continue;
        d->rd = rd;
        d->mode = mode;
        d->rate = rate;
        Keep(State());
    }
}

struct KeyBPred {
    int64_t cost;
    int rate;  // of luma and its mode
};

// Evaluates B_PRED. Returns whether it costs less than the limit.
CODER_FN bool EvaluateKeyBPred(const At& at, int64_t limit, KeyBPred* b) {
    Mb& s = State();
    b->rate = Rates().mode[kBPred];
    b->cost = at.RdCost(b->rate, 0);
    CODER_ROLLED
    for (int i = 0, step = 0; i < 16; i++) {
        CodeSubblocksTo<true>(i, &step);
        b->cost += s.block_cost[i].rd;
        if (b->cost >= limit) return false;
        b->rate += s.block_cost[i].tokens + s.block_cost[i].mode_rate;
    }
    return true;
}

CODER_FN void TakeKeyBPred(const KeyBPred& b, KeyDecision* d) {
    d->mode = kBPred;
    d->rate = b.rate;
}

// Adds what only the macroblocks of a key frame read to what SetNeighbours() has set.
CODER_FN void SetNeighbourModes(int mode) {
    Mb& s = State();
    for (int i = Lane(); i < 4; i += kLanes) {
        s.below.bmode[i] =
            static_cast<uint8_t>(mode == kBPred ? s.bmode[12 + i] : SubblockModeOf(mode));
        s.right.bmode[i] =
            static_cast<uint8_t>(mode == kBPred ? s.bmode[4 * i + 3] : SubblockModeOf(mode));
    }
}

CODER_FN void DescribeKey(const KeyDecision& d) {
    Mb& s = State();
    if (Lane() == 0) {
        s.out = {};
        s.out.mode = static_cast<uint8_t>(d.mode);
        s.out.uv_mode = static_cast<uint8_t>(d.uv_mode);
        s.out.evaluated = static_cast<uint8_t>(d.evaluated);
        s.out.rate = d.rate + d.uv_rate;
        for (int i = 0; d.mode == kBPred && i < 16; i++) s.blocks.block.bmode[i] = s.bmode[i];
    }
}

// Codes the macroblock as decided. luma, chroma: the states that keep the best 16x16 mode, and
// chroma; B_PRED is in this one.
CODER_FN void CodeKey(const KeyDecision& d, const Mb& luma, const Mb& chroma) {
    Mb& s = State();
    const bool has_y2 = d.mode != kBPred;
    TakeKept(luma, chroma, has_y2);
    if (!has_y2) ClearBlocks(s, kY2, 1);
    Sync();
    const bool is_skipped = !CodedBlocks(has_y2);
    if (is_skipped && has_y2)
        CopyToTiles(s.pred, s.pred);
    else
        ReconstructBlocks(has_y2, true, has_y2, kTiles);
    KeepContexts(has_y2, is_skipped);
    Best best = {};
    best.mode = d.mode;
    SetNeighbours<false>(best, has_y2, is_skipped);
    SetNeighbourModes(d.mode);
    DescribeKey(d);
    Sync();
}

// Decides and codes the macroblock, as DecideMacroblock() and CodeMacroblock() do in other frames.
CODER_FN void CodeKeyMacroblock(const At& at) {
    KeyDecision d = BeginKeyDecision();
    EvaluateKeyChroma(at, &d);
    EvaluateKey16(at, kDcPred, kTmPred, &d);
    if (ChooseKeyBPred(at)) {
        KeyBPred b;
        d.evaluated++;
        if (EvaluateKeyBPred(at, d.rd, &b)) TakeKeyBPred(b, &d);
    }
    CodeKey(d, State(), State());
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_KEY_H_
