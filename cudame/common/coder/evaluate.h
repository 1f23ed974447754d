// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// RD evaluation of candidates with the quantizer that codes, as in libvpx's
// vp8/encoder/mp/mode/rd.inc.h. The best candidate's prediction and coefficients are kept.

#ifndef CUDAME_COMMON_CODER_EVALUATE_H_
#define CUDAME_COMMON_CODER_EVALUATE_H_

#include "common/coder/block.h"
#include "common/coder/intra.h"
#include "common/coder/near.h"
#include "common/coder/residual.h"
#include "common/coder/split.h"
#include "common/coder/tokens.h"

namespace cudame::CODER_NAMESPACE {

// The decision so far.
struct Best {
    int rd;  // INT32_MAX: nothing was evaluated
    int mode, uv_mode, ref;
    Mv mv;
    bool kept;        // best_pred and best_q hold its prediction and coefficients
    bool skip;        // taken without a residual
    int intra_error;  // distortion of the best intra mode; INT32_MAX: none
    int evaluated;
};

struct Rate {
    int rate, rate_y, rate_uv, distortion;
    int luma_distortion;  // of an inter candidate
};

// Keeps the prediction and coefficients that were evaluated last.
CODER_FN void Keep(Mb& s) {
    Sync();
    CopyWords(s.pred, s.best_pred, kMbPixels);
    CopyWords(s.q, s.best_q, kBlocks * 16 * 2);
    CODER_ROLLED
    for (int i = Lane(); i < kBlocks; i += kLanes) s.best_coded[i] = s.coded[i];
    Sync();
}

// Takes chroma, and with has_luma luma and Y2, from the state in which they are kept: sets s.pred,
// s.q, s.eob and s.coded.
CODER_FN void TakeKept(const Mb& luma, const Mb& chroma, bool has_luma) {
    constexpr int kBlockBytes = 16 * 2;
    Mb& s = State();
    Sync();
    CopyWords(chroma.best_pred + kU, s.pred + kU, kMbPixels - kU);
    CopyWords(chroma.best_q + 16 * kFirstUv, s.q + 16 * kFirstUv, (kY2 - kFirstUv) * kBlockBytes);
    if (has_luma) {
        CopyWords(luma.best_pred, s.pred, kU);
        CopyWords(luma.best_q, s.q, kFirstUv * kBlockBytes);
        CopyWords(luma.best_q + 16 * kY2, s.q + 16 * kY2, kBlockBytes);
    }
    CODER_ROLLED
    for (int i = Lane(); i < kBlocks; i += kLanes) {
        const bool is_chroma = i >= kFirstUv && i < kY2;
        if (!is_chroma && !has_luma) continue;
        const uint16_t coded = (is_chroma ? chroma : luma).best_coded[i];
        s.coded[i] = coded;
        s.eob[i] = static_cast<uint8_t>(32 - LeadingZeros(coded));
    }
    Sync();
}

// Bits of blocks.
constexpr uint32_t kLumaBlocks = 0xffffu | 1u << kY2, kChromaBlocks = 0xffu << kFirstUv;

// The bits of the blocks that have coefficients to code. Luma blocks after Y2 may have a first one,
// which is in Y2.
CODER_CALL uint32_t CodedBlocks(bool has_y2) {
    const Mb& s = State();
    int blocks = 0;
    CODER_ROLLED
    for (int i = Lane(); i < kBlocks; i += kLanes) {
        const int before = i < kFirstUv ? has_y2 : i == kY2 && !has_y2 ? 16 : 0;
        blocks |= (s.eob[i] > before) << i;
    }
    return static_cast<uint32_t>(Or(blocks));
}

// Adds the rates of the reference and of the skip flag. Returns the RD cost.
CODER_FN int FinalCost(const At& at, int ref, bool has_y2, Rate r) {
    const cudame_rates& rates = Rates();
    int rate = r.rate + rates.skip[0] + rates.ref[ref];
    if (!CodedBlocks(has_y2)) rate += rates.skip[1] - rates.skip[0] - (r.rate_y + r.rate_uv);
    const int cost = at.RdCost(rate, r.distortion);
    return ref == kIntra && cost < INT32_MAX ? cost + rates.intra_penalty : cost;
}

// Codes the inter prediction in s.pred. rate: that of mode and vectors.
CODER_FN Rate Code(int rate, bool has_y2) {
    const Pair distortion = CodeBlocks(true, true, has_y2);
    const Pair tokens = TokenRates(true, true, has_y2);
    return {rate + tokens.luma + tokens.chroma, tokens.luma, tokens.chroma,
            distortion.luma + distortion.chroma, distortion.luma};
}

// ---- inter --------------------------------------------------------------------------------------

// The strict static test: the prediction is near, and its error has next to no mean.
CODER_FN bool IsStatic(const At& at, int ref, Mv v, int* distortion) {
    const Mb& s = State();
    const uint32_t step = static_cast<uint32_t>(at.seg.dequant[CUDAME_PLANE_Y][1]);
    const uint32_t q2 = static_cast<uint32_t>(at.seg.dequant[CUDAME_PLANE_Y2][0]);
    uint32_t threshold = step * step >> 4;
    if (threshold < static_cast<uint32_t>(at.seg.breakout))
        threshold = static_cast<uint32_t>(at.seg.breakout);
    int sum = 0, squares = 0;
    CODER_ROLLED
    for (int i = Lane(); i < 256; i += kLanes) {
        const int d = s.source[i] - s.pred[i];
        sum += d;
        squares += d * d;
    }
    const int64_t all = Sum(sum);
    const uint32_t sse = SumOf(static_cast<uint32_t>(squares));
    const uint32_t mean = static_cast<uint32_t>(all * all >> 8), var = sse - mean;
    if (sse >= threshold || !(mean < q2 * q2 >> 4 || (sse / 2 > var && mean < 64))) return false;
    const uint32_t chroma = static_cast<uint32_t>(BilinearChromaError(ref, v));
    if (chroma * 2 >= threshold) return false;
    *distortion = static_cast<int>(sse + chroma);
    return true;
}

// Evaluates a 16x16 candidate.
CODER_FN void EvaluateInter(const At& at, const Candidate& c, Best* best) {
    Mb& s = State();
    best->evaluated++;
    PredictLuma(c.ref, c.mv);
    int distortion;
    if (at.seg.breakout && IsStatic(at, c.ref, c.mv, &distortion)) {
        best->rd = at.RdCost(500, distortion);
        best->mode = c.mode;
        best->ref = c.ref;
        best->mv = c.mv;
        best->kept = false;
        best->skip = true;
        return;
    }
    PredictChroma(c.ref, c.mv);
    const Rate r = Code(c.mv_rate + s.near.rate[c.mode - kNearestMv], true);
    const int rd = FinalCost(at, c.ref, true, r);
    if (rd >= best->rd) return;
    best->rd = rd;
    best->mode = c.mode;
    best->ref = c.ref;
    best->mv = c.mv;
    best->kept = true;
    Keep(s);
}

// Evaluates s.best_plan.
CODER_FN void EvaluatePlan(const At& at, Best* best) {
    Mb& s = State();
    best->evaluated++;
    PredictPlanLuma();
    PredictPlanChroma();
    const Rate r = Code(s.near.rate[kSplitMv - kNearestMv] + s.best_plan.rate, false);
    // libvpx leaves a plan out if its luma alone costs too much, although no token is written if
    // all coefficients are zero.
    if (at.RdCost(r.rate - r.rate_uv, r.luma_distortion) >= best->rd) return;
    const int rd = FinalCost(at, s.best_plan.ref, false, r);
    if (rd >= best->rd) return;
    best->rd = rd;
    best->mode = kSplitMv;
    best->ref = s.best_plan.ref;
    best->mv = s.best_plan.mv[PartsOf(s.best_plan.partitioning) - 1];
    best->kept = true;
    Keep(s);
}

// ---- intra --------------------------------------------------------------------------------------

struct IntraChroma {
    int mode, rate, mode_rate, distortion;
    bool coded;
};

// Codes chroma by the mode of lowest squared error and rate.
CODER_FN IntraChroma CodeIntraChroma(const At& at) {
    IntraChroma c = {kDcPred, 0, 0, 0, false};
    uint32_t low = UINT32_MAX;
    CODER_ROLLED
    for (int mode = kDcPred; mode <= kTmPred; mode++) {
        PredictIntraChroma(mode);
        const int error = SquaredErrors(kPrediction).chroma;
        const uint32_t cost = static_cast<uint32_t>(at.RdCost(Rates().uv_mode[mode], error));
        if (cost >= low) continue;
        low = cost;
        c.mode = mode;
    }
    PredictIntraChroma(c.mode);
    c.distortion = CodeBlocks(false, true, false).chroma;
    c.rate = TokenRates(false, true, false).chroma;
    c.mode_rate = Rates().uv_mode[c.mode];
    c.coded = CodedBlocks(false) & kChromaBlocks;
    return c;
}

// The sub-blocks of B_PRED are coded in steps: a sub-block reads those to its left, above left,
// above and above right, which belong to earlier steps. In the last column it reads the macroblock
// above instead of a sub-block above right.
CODER_FN int StepOf(int block) { return (block & 3) + 2 * (block >> 2); }
// The first (n = 0) or second sub-block of a step, a digit for each step. A step with one has it
// twice.
CODER_FN int SubblockOf(int step, int n) {
    return static_cast<int>((n ? 0xfedc985410ull : 0xfeba763210ull) >> 4 * step & 15);
}

constexpr uint32_t kAllBlockModes = (1u << kBlockModes) - 1;

// The modes of a sub-block.
struct SubblockModes {
    const int* rates;
    uint32_t evaluated;  // bits of those to evaluate, at most kMostSubblockModes
};
constexpr int kMostSubblockModes = 4;

// In a key frame they depend on the modes above and to the left.
template <bool kKey>
CODER_FN SubblockModes ModesOf(const Mb& s, int block) {
    const uint32_t modes = s.block_modes[block] & kAllBlockModes;
    if constexpr (!kKey) return {Rates().bmode, modes};
    const int x = block & 3, y = block >> 2 & 3;
    const int above = y ? s.bmode[4 * (y - 1) + x] : s.above.bmode[x];
    const int left = x ? s.bmode[4 * y + x - 1] : s.left.bmode[y];
    const int around = kBlockModes * above + left;
    return {Frame().key_bmode + kBlockModes * around, modes | 1u << Tables().cheapest[around]};
}

// Codes the sub-blocks of a step by the mode of the lowest RD cost, or the first one of these: sets
// s.block_cost, s.q, s.eob, s.coded and s.bmode, and reconstructs them in the tile. In
// cpu/coder_blocks.h for one lane and in cuda/coder_subblocks.cuh for a warp.
template <bool kKey>
CODER_CALL void CodeSubblocks(int step);

// Waits for the four pixels above luma and to the right, and loads them, if LoadSurroundings() has
// not. Only the sub-blocks at the right edge are predicted from them. In cpu/coder_rows.h for one
// lane and in cuda/coder_rows.cuh for a warp.
CODER_FN void LoadAboveRight();

// Codes the steps from *step on, to that of a sub-block.
template <bool kKey>
CODER_FN void CodeSubblocksTo(int block, int* step) {
    CODER_ROLLED
    for (; *step <= StepOf(block); ++*step) {
        if (*step == StepOf(3)) LoadAboveRight();
        CodeSubblocks<kKey>(*step);
    }
}

// Evaluates the luma of B_PRED. Returns false if it costs at least as much as the best candidate.
CODER_FN bool EvaluateBPred(const At& at, const IntraChroma& uv, int best_rd, Rate* r) {
    const cudame_rates& rates = Rates();
    Mb& s = State();
    // The lowest cost of a sub-block: that of its mode and its first token.
    int mode_rate = rates.bmode[kBDcPred], token_rate = INT32_MAX;
    for (int mode = kBTmPred; mode <= kBHuPred; mode++)
        mode_rate = Min(mode_rate, rates.bmode[mode]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= kEobToken; k++)
            token_rate = Min(token_rate, rates.token[kWithDc][0][i][k]);
    const int least = at.RdCost(mode_rate + token_rate, 0);
    // The rounding errors of the sub-blocks' costs add up to less than 16.
    const int64_t rest = static_cast<int64_t>(at.RdCost(
                             r->rate + uv.rate + uv.mode_rate + rates.ref[kIntra], uv.distortion)) +
                         rates.intra_penalty - 16;
    int64_t total = 0;
    bool coded = uv.coded;
    CODER_ROLLED
    for (int i = 0, step = 0; i < 16; i++) {
        CodeSubblocksTo<false>(i, &step);
        const SubblockCost& cost = s.block_cost[i];
        total += cost.rd;
        r->rate += cost.tokens + cost.mode_rate;
        r->rate_y += cost.tokens;
        r->distortion += cost.distortion;
        coded |= s.coded[i] != 0;
        if (total + (coded ? rest : 0) + (15 - i) * least >= best_rd) return false;
    }
    return true;
}

// Evaluates the intra modes whose bits are set.
CODER_FN void EvaluateIntra(const At& at, uint32_t modes, Best* best) {
    Mb& s = State();
    const IntraChroma uv = CodeIntraChroma(at);
    CODER_ROLLED
    for (int mode = kDcPred; mode <= kBPred; mode++) {
        if (!(modes >> mode & 1)) continue;
        best->evaluated++;
        Rate r = {Rates().mode[mode], 0, uv.rate, 0, 0};
        if (mode == kBPred) {
            if (!EvaluateBPred(at, uv, best->rd, &r)) continue;
        } else {
            PredictIntraLuma(mode);
            r.distortion = CodeBlocks(true, false, true).luma;
            r.rate_y = TokenRates(true, false, true).luma;
            r.rate += r.rate_y;
        }
        r.rate += uv.rate + uv.mode_rate;
        r.distortion += uv.distortion;
        best->intra_error = Min(best->intra_error, r.distortion);
        const int rd = FinalCost(at, kIntra, mode != kBPred, r);
        if (rd >= best->rd) continue;
        best->rd = rd;
        best->mode = mode;
        best->uv_mode = uv.mode;
        best->ref = kIntra;
        best->mv = MakeMv(0, 0);
        best->kept = true;
        Keep(s);
    }
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_EVALUATE_H_
