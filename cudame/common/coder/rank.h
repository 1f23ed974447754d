// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Ranks the candidates of a macroblock by SATD and rate, as libvpx's vp8/encoder/mp/mode/rank.c and
// inter.c do at a realtime deadline.

#ifndef CUDAME_COMMON_CODER_RANK_H_
#define CUDAME_COMMON_CODER_RANK_H_

#include "common/coder/block.h"
#include "common/coder/intra.h"
#include "common/coder/near.h"

namespace cudame::CODER_NAMESPACE {

// The references to try.
struct References {
    int first;                   // that was searched; 0: none, or a record without a usable vector
    const cudame_mb* mb[kRefs];  // NULL: do not try
};

// marked: the records have been chosen before, see MarkReferences().
CODER_FN References ChooseReferences(const At& at, bool marked) {
    References r = {};
    uint32_t low = UINT32_MAX;
    for (int ref = kAltref; ref >= kLast; ref--) {
        if (!Frame().records[ref]) continue;
        r.mb[ref] = &State().record[ref];
        if (r.mb[ref]->flags & CUDAME_MB_FULLPEL) return {};
        low = MinOf(low, r.mb[ref]->dist);
        r.first = ref;
    }
    for (int ref = kLast; ref <= kAltref; ref++)
        if (r.mb[ref] && !(marked ? r.mb[ref]->reserved[0] != 0
                                  : Within(r.mb[ref]->dist, low, at.seg.level.refs)))
            r.mb[ref] = nullptr;
    return r;
}

// Marks the records that were chosen, in the coder's copies of the records. Later their SATD is
// another one, but the choice stays.
CODER_FN void MarkReferences(const References& r) {
    if (Lane() != 0) return;
    for (int ref = kLast; ref <= kAltref; ref++)
        State().record[ref].reserved[0] = r.mb[ref] != nullptr;
}

// ---- inter --------------------------------------------------------------------------------------

// Sets s.mode: zero, nearest, near and new of a reference. found: the record's vector.
CODER_FN void SetModes(const At& at, int ref, Mv found) {
    Mb& s = State();
    const Mv* near = s.near.mv[Rates().sign_bias[ref] ? 1 : 0];
    const Mv nearest = near[kNearest], second = near[kNear];
    Sync();
    CODER_ROLLED
    for (int i = Lane(); i < kModes; i += kLanes) {
        const Mv v = i == 0   ? MakeMv(0, 0)
                     : i == 1 ? nearest
                     : i == 2 ? second
                              : at.ClampToFrame(found);
        const bool is_new = i == 3;
        const bool repeats = IsZero(v) || (i > 1 && v == nearest) || (is_new && v == second);
        const bool valid =
            i == 0 || (!repeats && (is_new ? at.Codable(v, near[kBest]) : at.Legal(v)));
        const int mv_rate = is_new && valid ? at.VectorRate(v, near[kBest]) * 96 >> 7 : 0;
        s.mode[i] = {Rates().ref[ref] + s.near.rate[ModeAt(i) - kNearestMv] + mv_rate, mv_rate, v,
                     valid};
    }
    Sync();
}

// Whether a candidate of this rate may be within reach if all vectors of its reference have at
// least the SATD `floor`.
CODER_FN bool Reaches(const At& at, uint32_t floor, int rate, uint32_t low) {
    const cudame_guide_level& level = at.seg.level;
    const int permille = level.max_inter16x16 > 1 ? Max(level.sole, level.inter16x16) : 1000;
    return !level.bound || Within(at.Weigh(floor, rate), low, permille);
}

// Appends a candidate to the n others.
CODER_FN void Append(int n, const Candidate& c) {
    if (Lane() == 0) State().found[n] = c;
}

// Sorts the n candidates by cost. Those of equal cost stay in their order.
CODER_FN void SortCandidates(int n) {
    Mb& s = State();
    Sync();
    CODER_ROLLED
    for (int i = Lane(); i < n; i += kLanes) {
        const Candidate c = s.found[i];
        int rank = 0;
        CODER_ROLLED
        for (int k = 0; k < n; k++) {
            const uint32_t cost = s.found[k].cost;
            rank += cost < c.cost || (cost == c.cost && k < i);
        }
        s.candidate[rank] = c;
    }
    Sync();
}

// The bits of the modes in s.mode whose candidates may be within reach. found, satd: the record's
// vector and its SATD. Lowers *low to the cost of that vector.
CODER_FN uint32_t ModesWithinReach(const At& at, Mv found, uint32_t satd, uint32_t floor,
                                   uint32_t* low) {
    const Mb& s = State();
    uint32_t least = *low;
    CODER_ROLLED
    for (int i = Lane(); i < kModes; i += kLanes)
        if (s.mode[i].valid && s.mode[i].mv == found)
            least = MinOf(least, at.Weigh(satd, s.mode[i].rate));
    *low = LeastOf(least);
    int modes = 0;
    CODER_ROLLED
    for (int i = Lane(); i < kModes; i += kLanes)
        if (s.mode[i].valid && (s.mode[i].mv == found || Reaches(at, floor, s.mode[i].rate, *low)))
            modes |= 1 << i;
    return static_cast<uint32_t>(Or(modes));
}

// Lists the candidates of all references in s.candidate. Returns their number. The record's vector
// has the lowest SATD of its reference and bounds that of the others: a candidate whose rate is too
// high with that bound is not predicted.
CODER_FN int RankInter(const At& at, const References& refs) {
    Mb& s = State();
    int n = 0;
    uint32_t low = UINT32_MAX;  // the lowest cost of the candidates so far
    CODER_ROLLED
    for (int ref = kLast; ref <= kAltref; ref++) {
        if (!refs.mb[ref]) continue;
        const Mv found = FromQuarter(refs.mb[ref]->mv);
        const uint32_t found_satd = refs.mb[ref]->dist;
        const uint32_t floor = found_satd * static_cast<uint32_t>(at.seg.level.bound) / 1000;
        if (!Reaches(at, floor, Rates().ref[ref], low)) continue;
        SetModes(at, ref, found);
        uint32_t bound = low;  // also at most the cost of this reference's record
        const uint32_t modes = ModesWithinReach(at, found, found_satd, floor, &bound);
        CODER_ROLLED
        for (int i = 0; i < kModes; i++) {
            if (!(modes >> i & 1)) continue;
            const VectorMode m = s.mode[i];
            const bool known = m.mv == found;
            if (!known && !Reaches(at, floor, m.rate, bound)) continue;
            const uint32_t satd = known ? found_satd : PredictedSatd(ref, m.mv, 2, 0, 0);
            const uint32_t cost = at.Weigh(satd, m.rate);
            Append(n++, {cost, m.rate, m.mv_rate, m.mv, static_cast<uint8_t>(ModeAt(i)),
                         static_cast<uint8_t>(ref)});
            low = MinOf(low, cost);
            bound = MinOf(bound, cost);
        }
    }
    const int returned = Frame().returned_ref;
    if (returned && !refs.mb[returned] && Frame().records[returned]) {
        // The search may have skipped the reference, because another one fits well.
        const Mv zero = MakeMv(0, 0);
        SetModes(at, returned, zero);
        const int rate = s.mode[0].rate;
        Append(n++, {at.Weigh(PredictedSatd(returned, zero, 2, 0, 0), rate), rate, 0, zero,
                     static_cast<uint8_t>(kZeroMv), static_cast<uint8_t>(returned)});
    }
    SortCandidates(n);
    return n;
}

// ---- intra --------------------------------------------------------------------------------------

// Intra estimates may be too high by this many permille.
constexpr int kIntraError = 200;
// B_PRED is expected to cost at least 1 / kBPredGain of the best 16x16 mode.
constexpr int kBPredGain = 2;
// If the SATD of a residual is below this number of quantizer steps, almost none of it is coded.
constexpr int kUncodedSteps = 14;
// Of recalled estimates, see vp8/encoder/mp/mode/recall.c.
constexpr int kRecallFrames = 7, kRecallFarPercent = 150, kRecallStill = 16,
              kRecallSamePercent = 125;

CODER_FN uint32_t Intra16Cost(const At& at, const cudame_intra& intra) {
    uint32_t low = UINT32_MAX;
    for (int mode = kDcPred; mode <= kTmPred; mode++)
        low = MinOf(low, at.Weigh(intra.satd16[mode], Rates().ref[kIntra] + Rates().mode[mode]));
    return low;
}
CODER_FN uint32_t BPredCost(const At& at, const cudame_intra& intra) {
    return at.Weigh(intra.cost4, Rates().ref[kIntra] + Rates().mode[kBPred]);
}

// The SATD at which an intra mode of the lowest possible rate costs permille / 1000 of low.
CODER_FN uint32_t RoomForIntra(const At& at, uint32_t low, int permille) {
    int rate = Rates().mode[kBPred];
    for (int mode = kDcPred; mode <= kTmPred; mode++) rate = Min(rate, Rates().mode[mode]);
    const uint32_t limit = Limit(low, permille);
    const uint32_t least = at.Weigh(0, rate + Rates().ref[kIntra]);
    return limit > least ? limit - least : 0;
}

// Whether intra modes were far from winning a few frames ago.
CODER_FN bool Recalls(const cudame_recalled& last, Mv mv, uint32_t low, int permille) {
    return last.frames && Abs(mv.row) <= kRecallStill && Abs(mv.col) <= kRecallStill &&
           static_cast<uint64_t>(low) * 100 <=
               static_cast<uint64_t>(last.inter) * kRecallSamePercent &&
           !Within(last.intra, low, permille * kRecallFarPercent / 100);
}

// The variance of the source around its mean, times 256.
CODER_FN uint32_t SourceVariance(const Mb& s) {
    int sum = 0, squares = 0;
    CODER_ROLLED
    for (int i = Lane(); i < 256; i += kLanes) {
        sum += s.source[i];
        squares += s.source[i] * s.source[i];
    }
    const int64_t all = Sum(sum);
    return static_cast<uint32_t>(Sum(squares)) - static_cast<uint32_t>(all * all >> 8);
}

// Whether the SATD of the source around its mean is less than half of satd. It is at most 16 times
// the square root of the variance.
CODER_FN bool IsFlat(const Mb& s, uint32_t satd) {
    return static_cast<uint64_t>(SourceVariance(s)) * 256 * 4 < static_cast<uint64_t>(satd) * satd;
}

// Whether the 16x16 mode of lowest cost, predicted from reconstructed neighbours, is within reach.
CODER_FN bool ChooseIntra16(const At& at, const cudame_intra& intra, uint32_t low, int* mode) {
    uint32_t least = intra.satd16[0];
    for (int i = 1; i < 4; i++) least = MinOf(least, intra.satd16[i]);
    const int permille = at.seg.level.intra16x16;
    if (!Within(at.Weigh(least, Rates().ref[kIntra]), low, permille + kIntraError)) return false;
    uint32_t best = UINT32_MAX;
    CODER_ROLLED
    for (int i = kDcPred; i <= kTmPred; i++) {
        PredictIntraLuma(i);
        const uint32_t cost =
            at.Weigh(Satd(0, State().pred, 16, 2), Rates().mode[i] + Rates().ref[kIntra]);
        if (cost >= best) continue;
        best = cost;
        *mode = i;
    }
    return Within(best, low, permille);
}

// Sub-block modes to evaluate: the two best by the estimate, and DC; fewer: without the last ones.
CODER_FN uint16_t SubblockModesOf(uint8_t estimate, int fewer) {
    const int best = estimate & 15, next = estimate >> 4;
    uint32_t modes = 1u << best;
    if (fewer < 2) modes |= 1u << next;
    if (fewer < 1 || best > kBHuPred) modes |= 1u << kBDcPred;
    return static_cast<uint16_t>(modes);
}

// Chooses the intra modes to evaluate, bits 1 << kDcPred to 1 << kBPred, and sets s.block_modes.
// low: the lowest cost of the inter candidates, of which the first has the vector mv.
CODER_FN uint32_t RankIntra(const At& at, Mv mv, uint32_t low, cudame_recalled* recalled) {
    const cudame_guide_level& level = at.seg.level;
    const cudame_intra& intra = State().intra;
    const int permille = Max(level.bpred, level.intra16x16 + kIntraError);
    if (Recalls(*recalled, mv, low, permille)) {
        recalled->frames--;
        return 0;
    }
    const uint32_t room = RoomForIntra(at, low, permille);
    if (!room || (room < static_cast<uint32_t>(kUncodedSteps * at.seg.dequant[CUDAME_PLANE_Y][1]) &&
                  !IsFlat(State(), room)))
        return 0;
    const uint32_t cost16 = Intra16Cost(at, intra);
    const bool has_4x4 = Within(cost16, low, level.bpred * kBPredGain);
    const uint32_t bpred = BPredCost(at, intra);
    recalled->inter = low;
    recalled->intra = has_4x4 ? MinOf(bpred, cost16) : cost16 / kBPredGain;
    recalled->frames = kRecallFrames;

    uint32_t modes = 0;
    int mode = kDcPred;
    if (ChooseIntra16(at, intra, low, &mode)) modes |= 1u << mode;
    if (!has_4x4 || !Within(bpred, low, level.bpred)) return modes;
    Sync();
    CODER_ROLLED
    for (int i = Lane(); i < 16; i += kLanes)
        State().block_modes[i] = SubblockModesOf(intra.mode4[i], level.fewer_modes);
    Sync();
    return modes | 1u << kBPred;
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_RANK_H_
