// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Drops a residual that is not worth its rate, as in libvpx's vp8/encoder/mp/recon/drop.c.

#ifndef CUDAME_COMMON_CODER_DROP_H_
#define CUDAME_COMMON_CODER_DROP_H_

#include "common/coder/evaluate.h"

namespace cudame::CODER_NAMESPACE {

// See drop.c: how near a squared error must be to that of the frame before, the most frames that
// count, and the sum of a moving macroblock's ends of blocks above which nothing is dropped.
constexpr int kDropSameShift = 6;
constexpr uint32_t kDropMostFrames = 255;
constexpr int kDropFew = 16;

// The sum of the ends of all blocks.
CODER_FN int SumEobs(const Mb& s, bool has_y2) {
    int sum = 0;
    CODER_ROLLED
    for (int i = Lane(); i < kY2 + has_y2; i += kLanes) sum += s.eob[i];
    return Sum(sum);
}

CODER_FN void ClearBlocks(Mb& s, int block, int n) {
    Sync();
    uint32_t* words = reinterpret_cast<uint32_t*>(s.q + 16 * block);
    CODER_ROLLED
    for (int i = Lane(); i < 8 * n; i += kLanes) words[i] = 0;
    CODER_ROLLED
    for (int i = Lane(); i < n; i += kLanes) {
        s.eob[block + i] = 0;
        s.coded[block + i] = 0;
    }
    Sync();
}

// For how many frames the macroblock has been the same while its residual was dropped.
CODER_FN uint32_t FramesWaited(cudame_dropped* last, uint32_t error) {
    const uint32_t difference = error > last->error ? error - last->error : last->error - error;
    const bool same = difference <= error >> kDropSameShift;
    last->error = error;
    last->frames = same ? MinOf(last->frames + 1, kDropMostFrames) : 0;
    return last->frames;
}

// Whether lowering an error from `without` to `with` is worth a rate. weight: RD cost of an error
// of 1.
CODER_FN bool Pays(const At& at, int without, int with, int64_t weight, int rate) {
    return with < without &&
           weight * (without - with) > (static_cast<int64_t>(rate) * at.seg.rdmult) >> 8;
}

// A residual after parts of it were dropped.
struct Residual {
    uint32_t blocks;    // bits of the blocks that have coefficients to code
    bool is_added;      // s.best_pred is the prediction plus the whole residual
    bool becomes_zero;  // a SPLITMV macroblock becomes ZEROMV
};

// Drops the residual, or that of luma or chroma, if it does not pay. s.pred, s.q, s.eob and s.coded
// are those of the inter macroblock. blocks: those that have coefficients to code. still: all its
// vectors are zero.
CODER_FN Residual Drop(const At& at, uint32_t blocks, bool has_y2, bool still,
                       cudame_dropped* last) {
    const Residual all = {blocks, false, false};
    if (has_y2 && !blocks) return all;
    if (!still && SumEobs(State(), has_y2) > kDropFew) return all;
    const bool luma = blocks & kLumaBlocks, chroma = blocks & kChromaBlocks;
    bool keep_luma = false, keep_chroma = false;
    if (luma || chroma) {
        int64_t weight = at.seg.rddiv;
        const Pair without = SquaredErrors(kPrediction);
        if (still)
            weight *= 1 + FramesWaited(last, static_cast<uint32_t>(without.luma + without.chroma));
        ReconstructBlocks(true, true, has_y2, kBestPrediction);
        const Pair with = SquaredErrors(kBestPrediction);
        const Pair rate = TokenRates(luma, chroma, has_y2);
        keep_luma = luma && Pays(at, without.luma, with.luma, weight, rate.luma);
        int chroma_rate = rate.chroma;
        if (!keep_luma) {  // luma's tokens, which chroma's residual alone makes necessary
            const auto& token = Rates().token;
            chroma_rate += 16 * token[has_y2 ? kAfterY2 : kWithDc][has_y2][0][kEobToken];
            if (has_y2) chroma_rate += token[kIsY2][0][0][kEobToken];
        }
        keep_chroma = chroma && Pays(at, without.chroma, with.chroma, weight, chroma_rate);
    }
    Mb& s = State();
    if (luma && !keep_luma) {
        ClearBlocks(s, 0, 16);
        if (has_y2) ClearBlocks(s, kY2, 1);
    }
    if (chroma && !keep_chroma) ClearBlocks(s, kFirstUv, 8);
    if (keep_luma || keep_chroma) last->frames = 0;
    return {blocks & ((keep_luma ? kLumaBlocks : 0) | (keep_chroma ? kChromaBlocks : 0)),
            luma || chroma, !keep_luma && !keep_chroma && still && !has_y2};
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_DROP_H_
