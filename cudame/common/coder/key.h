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

// Evaluates the 16x16 modes. Sets *rate to that of the best one's mode and luma.
CODER_FN void EvaluateKey16(const At& at, Best* best, int* rate) {
    CODER_ROLLED
    for (int mode = kDcPred; mode <= kTmPred; mode++) {
        best->evaluated++;
        PredictIntraLuma(mode);
        const int distortion = CodeBlocks(true, false, true).luma;
        const int this_rate = TokenRates(true, false, true).luma + Rates().mode[mode];
        const int rd = at.RdCost(this_rate, distortion);
        if (rd >= best->rd) continue;
        best->rd = rd;
        best->mode = mode;
        best->kept = true;
        *rate = this_rate;
        Keep(State());
    }
}

// Evaluates B_PRED, and takes it and its rate if it costs less than the best 16x16 mode.
CODER_FN void EvaluateKeyBPred(const At& at, Best* best, int* rate) {
    Mb& s = State();
    best->evaluated++;
    int sum = Rates().mode[kBPred];
    int64_t total = at.RdCost(sum, 0);
    CODER_ROLLED
    for (int i = 0, step = 0; i < 16; i++) {
        CodeSubblocksTo<true>(i, &step);
        total += s.block_cost[i].rd;
        if (total >= best->rd) return;
        sum += s.block_cost[i].tokens + s.block_cost[i].mode_rate;
    }
    best->mode = kBPred;
    *rate = sum;
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

CODER_FN void DescribeKey(const Best& best, int rate) {
    Mb& s = State();
    if (Lane() == 0) {
        s.out = {};
        s.out.mode = static_cast<uint8_t>(best.mode);
        s.out.uv_mode = static_cast<uint8_t>(best.uv_mode);
        s.out.evaluated = static_cast<uint8_t>(best.evaluated);
        s.out.rate = rate;
        for (int i = 0; best.mode == kBPred && i < 16; i++) s.blocks.block.bmode[i] = s.bmode[i];
    }
}

// Decides and codes the macroblock, as DecideMacroblock() and CodeMacroblock() do in other frames.
CODER_FN void CodeKeyMacroblock(const At& at) {
    Mb& s = State();
    Best best = {INT32_MAX, kDcPred, kDcPred, kIntra, MakeMv(0, 0), false, false, INT32_MAX, 0};
    int rate = 0;
    const IntraChroma uv = CodeIntraChroma(at);
    best.uv_mode = uv.mode;
    EvaluateKey16(at, &best, &rate);
    if (ChooseKeyBPred(at)) EvaluateKeyBPred(at, &best, &rate);

    const bool has_y2 = best.mode != kBPred;
    if (has_y2)
        TakeResidual<false>(best, true);
    else
        ClearBlocks(s, kY2, 1);
    Sync();
    const bool is_skipped = !CodedBlocks(has_y2);
    if (is_skipped && has_y2)
        CopyToTiles(s.pred, s.pred);
    else
        ReconstructBlocks(has_y2, true, has_y2, kTiles);
    KeepContexts(has_y2, is_skipped);
    SetNeighbours<false>(best, has_y2, is_skipped);
    SetNeighbourModes(best.mode);
    DescribeKey(best, rate + uv.rate + uv.mode_rate);
    Sync();
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_KEY_H_
