// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Decides and codes a macroblock, as libvpx's vp8/encoder/mp/mode/inter.c and recon/code.c do at a
// realtime deadline.

#ifndef CUDAME_COMMON_CODER_CODE_H_
#define CUDAME_COMMON_CODER_CODE_H_

#include "common/coder/drop.h"
#include "common/coder/mode_record.h"
#include "common/coder/rank.h"
#include "common/coder/token_list.h"

namespace cudame::CODER_NAMESPACE {

// A macroblock of one colour is made exact after it stood still for this number of frames.
constexpr int kStillFrames = 5;

// libvpx's estimate of the squared error of a residual that was not evaluated.
CODER_FN int UncodedDistortion(uint32_t satd) {
    const uint64_t error = static_cast<uint64_t>(satd) * satd / 650;
    return error < 255 * 255 * 256 ? static_cast<int>(error) : 255 * 255 * 256;
}

// ---- static macroblocks -------------------------------------------------------------------------

// The squared error of luma from which on a macroblock is not static.
CODER_FN int StaticLimit(const At& at) {
    const int step = at.seg.dequant[CUDAME_PLANE_Y][1];
    return Max(step * step >> 4, at.seg.breakout);
}

// Whether a candidate may be below the limit: a SATD is at most 32 times the root of the squared
// error. Here the error is that of another filter, but few candidates are near the limit.
CODER_FN bool MayBeStatic(const At& at, const Candidate& c) {
    const uint64_t satd = c.cost - at.Weigh(0, c.rate);
    return satd * satd < 1024 * static_cast<uint64_t>(StaticLimit(at));
}

CODER_FN bool TakeIfStatic(const At& at, int mode, int ref, Mv v, Best* best) {
    if (BilinearLumaError(ref, v) >= StaticLimit(at) ||
        BilinearChromaError(ref, v) * 2 >= at.seg.breakout)
        return false;
    best->mode = mode;
    best->ref = ref;
    best->mv = v;
    best->skip = true;
    return true;
}

// ---- flat macroblocks ---------------------------------------------------------------------------

CODER_FN bool IsOneColour(const uint8_t* p, int pixels) {
    int differs = 0;
    CODER_ROLLED
    for (int i = Lane(); i < pixels; i += kLanes) differs |= p[i] ^ p[0];
    return !Or(differs);
}

// Codes luma by the first mode that is exact. TM_PRED is not tried: beside flat macroblocks it
// predicts what the others do.
CODER_FN bool FindExactLuma(int* mode) {
    CODER_ROLLED
    for (int i = kDcPred; i <= kHPred; i++) {
        PredictIntraLuma(i);
        CodeBlocks(true, false, true);
        ReconstructBlocks(true, false, true, kBestPrediction);
        *mode = i;
        if (!SquaredErrors(kBestPrediction).luma) return true;
    }
    return false;
}
CODER_FN bool FindExactChroma(int* mode) {
    CODER_ROLLED
    for (int i = kDcPred; i <= kHPred; i++) {
        PredictIntraChroma(i);
        CodeBlocks(false, true, false);
        ReconstructBlocks(false, true, false, kBestPrediction);
        *mode = i;
        if (!SquaredErrors(kBestPrediction).chroma) return true;
    }
    return false;
}

// Takes an intra mode that makes a macroblock of one colour exact if the last frame's is not.
CODER_FN bool TakeExact(Best* best) {
    Mb& s = State();
    if (!Frame().ref[kLast][0] || State().still_frames < kStillFrames ||
        !IsOneColour(s.source, 256) || !IsOneColour(s.source + kU, 64) ||
        !IsOneColour(s.source + kV, 64))
        return false;
    const int error = SquaredError(0, RefPlane(kLast, 0), Frame().ref_stride, 4) +
                      SquaredError(kU, RefPlane(kLast, 1), Frame().ref_uv_stride, 3) +
                      SquaredError(kV, RefPlane(kLast, 2), Frame().ref_uv_stride, 3);
    int mode, uv_mode;
    if (!error || !FindExactLuma(&mode) || !FindExactChroma(&uv_mode)) return false;
    best->mode = mode;
    best->uv_mode = uv_mode;
    best->ref = kIntra;
    best->mv = MakeMv(0, 0);
    best->kept = true;
    best->intra_error = 0;
    Keep(s);
    return true;
}

// ---- the decision -------------------------------------------------------------------------------

// If exactly one inter candidate is within reach, takes it without an evaluation.
CODER_FN bool TakeSole(const At& at, int n, bool has_plan, uint32_t low, Best* best) {
    const Mb& s = State();
    const cudame_guide_level& level = at.seg.level;
    const bool first = Within(s.candidate[0].cost, low, level.sole);
    const bool second =
        Min(n, level.max_inter16x16) > 1 && Within(s.candidate[1].cost, low, level.sole);
    const bool plan = has_plan && Within(s.best_plan.cost, low, level.sole);
    if (first + second + plan != 1) return false;
    best->mode = plan ? int{kSplitMv} : s.candidate[0].mode;
    best->ref = plan ? s.best_plan.ref : s.candidate[0].ref;
    best->mv = plan ? s.best_plan.mv[PartsOf(s.best_plan.partitioning) - 1] : s.candidate[0].mv;
    return true;
}

template <bool kSplits>
CODER_FN void Evaluate(const At& at, int n, bool has_plan, uint32_t low, uint32_t intra_modes,
                       Best* best) {
    const Mb& s = State();
    const cudame_guide_level& level = at.seg.level;
    const int most = Min(n, level.max_inter16x16);
    CODER_ROLLED
    for (int i = 0; i < most; i++) {
        if (i && !Within(s.candidate[i].cost, low, level.inter16x16)) break;
        EvaluateInter(at, s.candidate[i], best);
        if (best->skip) return;
    }
    if (kSplits && has_plan) EvaluatePlan(at, best);
    if (intra_modes) EvaluateIntra(at, intra_modes, best);
}

// Decides the macroblock. Returns the lowest cost of its candidates. Without kSplits no reference
// has vectors for SPLITMV, and the code for it is left out.
template <bool kSplits>
CODER_FN uint32_t Decide(const At& at, const References& refs, cudame_recalled* recalled,
                         Best* best) {
    Mb& s = State();
    if (at.seg.breakout && Frame().ref[kLast][0] &&
        TakeIfStatic(at, kZeroMv, kLast, MakeMv(0, 0), best))
        return PredictedSatd(kLast, MakeMv(0, 0), 2, 0, 0);
    if (TakeExact(best)) return 0;
    const int n = RankInter(at, refs);
    uint32_t low = s.candidate[0].cost;
    bool has_plan = kSplits && PlanSplit(at, s.candidate[0].ref, Limit(low, at.seg.level.split));
    if (has_plan) {
        low = MinOf(low, s.best_plan.cost);
        has_plan = Within(s.best_plan.cost, low, at.seg.level.split);
    }
    const uint32_t intra_modes = RankIntra(at, s.candidate[0].mv, low, recalled);
    CODER_ROLLED
    for (int i = 0; at.seg.breakout && i < n; i++)
        if (MayBeStatic(at, s.candidate[i]) &&
            TakeIfStatic(at, s.candidate[i].mode, s.candidate[i].ref, s.candidate[i].mv, best))
            return low;
    if (!intra_modes && TakeSole(at, n, has_plan, low, best)) return low;
    Evaluate<kSplits>(at, n, has_plan, low, intra_modes, best);
    return low;
}

// ---- coding -------------------------------------------------------------------------------------

// Sets s.pred, s.q, s.eob and s.coded to those of the decision, of an inter macroblock before a
// residual is dropped.
template <bool kSplits>
CODER_FN void TakeResidual(const Best& best, bool has_y2) {
    Mb& s = State();
    if (best.kept) return TakeKept(s, s, true);
    if (kSplits && best.mode == kSplitMv) {
        PredictPlanLuma();
        PredictPlanChroma();
    } else {
        EndPrediction(best.ref, best.mv);
    }
    if (best.skip) {
        ClearBlocks(s, 0, kBlocks);
        return;
    }
    CodeBlocks(true, true, has_y2);
}

// The entropy context k after the macroblock, for the one below or to the right.
CODER_FN uint8_t ContextAfter(const Mb& s, int k, bool below, bool has_y2, bool is_skipped) {
    if (k == kContextY2 && !has_y2) return (below ? s.above : s.left).context[kContextY2];
    if (is_skipped) return 0;
    if (k == kContextY2) return s.eob[kY2] != 0;
    if (k < kContextU) return s.eob[below ? 12 + k : 4 * k + 3] > has_y2;
    const int plane = k < kContextV ? kFirstUv : kFirstUv + 4, n = k & 1;
    return s.eob[plane + (below ? 2 + n : 2 * n + 1)] != 0;
}

// Sets what the macroblocks below and to the right read of this one.
template <bool kSplits>
CODER_FN void SetNeighbours(const Best& best, bool has_y2, bool is_skipped) {
    Mb& s = State();
    const bool is_split = kSplits && best.mode == kSplitMv;
    const int partitioning = s.best_plan.partitioning;
    for (int i = Lane(); i < kContexts; i += kLanes) {
        if (i < 4) {
            s.below.mv[i] = is_split ? s.best_plan.mv[PartOf(partitioning, 12 + i)] : best.mv;
            s.right.mv[i] = is_split ? s.best_plan.mv[PartOf(partitioning, 4 * i + 3)] : best.mv;
        }
        s.below.context[i] = ContextAfter(s, i, true, has_y2, is_skipped);
        s.right.context[i] = ContextAfter(s, i, false, has_y2, is_skipped);
    }
    if (Lane() != 0) return;
    s.below.ref = s.right.ref = static_cast<uint8_t>(best.ref);
    s.below.is_split = s.right.is_split = is_split;
}

// Describes the result in s.out and s.blocks.
CODER_FN void Describe(const Best& best, bool was_split, uint32_t low) {
    Mb& s = State();
    const cudame_rates& rates = Rates();
    const int decided = was_split ? kSplitMv : best.mode;
    const Mv best_mv = s.near.mv[rates.sign_bias[best.ref] ? 1 : 0][kBest];
    cudame_coded_mb& out = s.out;
    if (Lane() == kLanes - 1) {
        out.mode = static_cast<uint8_t>(best.mode);
        out.uv_mode = static_cast<uint8_t>(best.uv_mode);
        out.ref = static_cast<uint8_t>(best.ref);
        out.partitioning = static_cast<uint8_t>(was_split ? s.best_plan.partitioning : 0);
        out.flags =
            static_cast<uint8_t>((best.skip ? CUDAME_CODED_SKIP : 0) |
                                 (was_split && best.mode != kSplitMv ? CUDAME_CODED_STILL : 0) |
                                 (best.evaluated ? 0 : CUDAME_CODED_UNEVALUATED));
        out.evaluated = static_cast<uint8_t>(best.evaluated);
        out.best_mv[0] = best_mv.row;
        out.best_mv[1] = best_mv.col;
        out.mv[0] = best.mv.row;
        out.mv[1] = best.mv.col;
        out.rate = rates.ref[best.ref] +
                   (best.ref == kIntra ? rates.mode[best.mode] : s.near.rate[decided - kNearestMv]);
        out.distortion = UncodedDistortion(low);
        out.intra_error = best.intra_error == INT32_MAX ? 0 : best.intra_error;
    }
    if (!was_split && best.mode != kBPred) return;
    CODER_ROLLED
    for (int i = Lane(); i < 16; i += kLanes) {
        if (was_split) {
            const Mv v = s.best_plan.mv[PartOf(s.best_plan.partitioning, i)];
            s.blocks.block.mv[i][0] = v.row;
            s.blocks.block.mv[i][1] = v.col;
            s.blocks.split_mode[i] = s.best_plan.mode[i];
        } else {
            s.blocks.block.bmode[i] = s.bmode[i];
        }
    }
}

template <class T>
CODER_FN void StoreWords(const T& from, T* to) {
    static_assert(sizeof(T) % sizeof(uint32_t) == 0, "stored in words");
    CopyWords(&from, to, sizeof(T));
}

// Stores the macroblock's result, its tokens, and the record of its mode.
CODER_FN void StoreResult() {
    Mb& s = State();
    const int mb = s.row * Frame().mb_cols + s.col;
    const int n = s.is_coded ? MakeTokens() : 0;
    if (Lane() == 0) {
        s.out.tokens = static_cast<uint16_t>(n);
        s.out.first_token = n ? Add(Frame().next_token, static_cast<uint32_t>(n)) : 0;
    }
    Sync();
    CountTokens(n);
    CopyWords(Tokens(s), Frame().tokens + s.out.first_token,
              n * static_cast<int>(sizeof(cudame_token)));
    if (Lane() == 0) Frame().runs[mb] = {s.out.first_token, static_cast<uint32_t>(n)};
    StoreWords(s.out, Frame().coded + mb);
    if (s.out.mode == kBPred)
        StoreWords(s.blocks.block.bmode, &Frame().blocks[mb].block.bmode);
    else if (s.out.mode == kSplitMv || (s.out.flags & CUDAME_CODED_STILL))
        StoreWords(s.blocks, Frame().blocks + mb);
    StoreWords(s.memory, Frame().new_memory + mb);
    StoreModeRecord(Frame().modes + mb);
}

// ---- the macroblock -----------------------------------------------------------------------------

struct Decision {
    Best best;
    uint32_t low;  // the lowest cost of the candidates
    cudame_mb_memory memory;
};

// Decides the macroblock whose source and surroundings are in the state, and begins to predict it
// if it has one vector and no prediction is kept. Returns false if it needs libvpx's own decision.
template <bool kSplits>
CODER_FN bool DecideMacroblock(const At& at, Decision* d) {
    const References refs = ChooseReferences(at, Frame().denoiser.denoised[0]);
    if (!refs.first) return false;
    FindNear(at, refs.first);
    d->memory = State().memory;
    d->best = {INT32_MAX, kZeroMv, kDcPred, kLast, MakeMv(0, 0), false, false, INT32_MAX, 0};
    d->low = Decide<kSplits>(at, refs, &d->memory.recalled, &d->best);
    if (!d->best.kept && !(kSplits && d->best.mode == kSplitMv))
        BeginPrediction(d->best.ref, d->best.mv);
    return true;
}

// Codes the macroblock as decided. Leaves the reconstruction in the tiles, and sets what its
// neighbours read.
template <bool kSplits>
CODER_FN void CodeMacroblock(const At& at, Decision d) {
    Mb& s = State();
    Best& best = d.best;
    const bool was_split = kSplits && best.mode == kSplitMv;
    bool has_y2 = !was_split && best.mode != kBPred;
    if (best.mode != kBPred) TakeResidual<kSplits>(best, has_y2);
    if (!has_y2) ClearBlocks(s, kY2, 1);
    Residual residual = {best.skip ? 0 : CodedBlocks(has_y2), false, false};
    if (best.ref != kIntra && !best.skip) {
        bool still = !was_split && IsZero(best.mv);
        if (was_split) {
            still = true;
            for (int i = 0; i < PartsOf(s.best_plan.partitioning); i++)
                still = still && IsZero(s.best_plan.mv[i]);
        }
        residual = Drop(at, residual.blocks, has_y2, still, &d.memory.dropped);
        if (residual.becomes_zero) {
            best.mode = kZeroMv;
            has_y2 = true;
        }
    }
    Sync();
    const bool is_skipped = !residual.blocks;
    if (residual.is_added || (is_skipped && best.mode != kBPred))
        CopyToTiles(residual.blocks & kLumaBlocks ? s.best_pred : s.pred,
                    residual.blocks & kChromaBlocks ? s.best_pred : s.pred);
    else
        ReconstructBlocks(best.mode != kBPred, true, has_y2, kTiles);
    KeepContexts(has_y2, is_skipped);
    SetNeighbours<kSplits>(best, has_y2, is_skipped);
    Describe(best, was_split, d.low);
    if (Lane() == 0) s.memory = d.memory;
    Sync();
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_CODE_H_
