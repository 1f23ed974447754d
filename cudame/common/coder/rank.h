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

CODER_FN References ChooseReferences(const At& at) {
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
        if (r.mb[ref] && !Within(r.mb[ref]->dist, low, at.seg.level.refs)) r.mb[ref] = nullptr;
    return r;
}

// ---- inter --------------------------------------------------------------------------------------

constexpr int kModes = 4;  // with one vector

// The modes of one reference: zero, nearest, near and new.
struct ReferenceModes {
    Mv mv[kModes];
    bool valid[kModes];  // the vector can be coded, and no earlier mode has it
    int rate[kModes];    // of reference, mode and vector
    int mv_rate;         // of the new vector
};

CODER_FN int ModeAt(int i) {
    return i == 0 ? kZeroMv : i == 1 ? kNearestMv : i == 2 ? kNearMv : kNewMv;
}

CODER_FN ReferenceModes ModesOf(const At& at, const NearVectors& near, int ref, Mv found) {
    const int bias = Rates().sign_bias[ref] ? 1 : 0;
    const Mv best = near.best[bias];
    ReferenceModes m;
    m.mv[0] = MakeMv(0, 0);
    m.mv[1] = at.ClampToFrame(near.nearest[bias]);
    m.mv[2] = at.ClampToFrame(near.near[bias]);
    m.mv[3] = at.ClampToFrame(found);
    m.valid[0] = true;
    m.valid[1] = !IsZero(m.mv[1]) && at.Legal(m.mv[1]);
    m.valid[2] = !IsZero(m.mv[2]) && m.mv[2] != m.mv[1] && at.Legal(m.mv[2]);
    m.valid[3] =
        !IsZero(m.mv[3]) && m.mv[3] != m.mv[1] && m.mv[3] != m.mv[2] && at.Codable(m.mv[3], best);
    m.mv_rate = m.valid[3] ? at.VectorRate(m.mv[3], best) * 96 >> 7 : 0;
    for (int i = 0; i < kModes; i++)
        m.rate[i] = Rates().ref[ref] + near.rate[ModeAt(i) - kNearestMv];
    m.rate[3] += m.mv_rate;
    return m;
}

// Whether a candidate of this rate may be within reach if all vectors of its reference have at
// least the SATD `floor`.
CODER_FN bool Reaches(const At& at, uint32_t floor, int rate, uint32_t low) {
    const cudame_guide_level& level = at.seg.level;
    const int permille = level.max_inter16x16 > 1 ? Max(level.sole, level.inter16x16) : 1000;
    return !level.bound || Within(at.Weigh(floor, rate), low, permille);
}

// Inserts a candidate into the list, which is sorted by cost and has n others.
CODER_CALL void Insert(Mb& s, int n, const Candidate& c) {
    Sync();
    if (Lane() == 0) {
        int i = n;
        for (; i && s.candidate[i - 1].cost > c.cost; i--) s.candidate[i] = s.candidate[i - 1];
        s.candidate[i] = c;
    }
    Sync();
}

// Lists the candidates of all references in s.candidate. Returns their number. The record's vector
// has the lowest SATD of its reference and bounds that of the others: a candidate whose rate is too
// high with that bound is not predicted.
CODER_FN int RankInter(const At& at, const References& refs, const NearVectors& near) {
    Mb& s = State();
    int n = 0;
    CODER_ROLLED
    for (int ref = kLast; ref <= kAltref; ref++) {
        if (!refs.mb[ref]) continue;
        const Mv found = FromQuarter(refs.mb[ref]->mv);
        const uint32_t found_satd = refs.mb[ref]->dist;
        const uint32_t floor = found_satd * static_cast<uint32_t>(at.seg.level.bound) / 1000;
        uint32_t low = n ? s.candidate[0].cost : UINT32_MAX;
        if (!Reaches(at, floor, Rates().ref[ref], low)) continue;
        const ReferenceModes m = ModesOf(at, near, ref, found);
        for (int i = 0; i < kModes; i++)
            if (m.valid[i] && m.mv[i] == found) low = MinOf(low, at.Weigh(found_satd, m.rate[i]));
        for (int i = 0; i < kModes; i++) {
            const bool known = m.mv[i] == found;
            if (!m.valid[i] || (!known && !Reaches(at, floor, m.rate[i], low))) continue;
            const uint32_t satd = known ? found_satd : PredictedSatd(at, ref, m.mv[i], 2, 0, 0);
            const uint32_t cost = at.Weigh(satd, m.rate[i]);
            Insert(s, n++,
                   {cost, m.rate[i], i == 3 ? m.mv_rate : 0, m.mv[i],
                    static_cast<uint8_t>(ModeAt(i)), static_cast<uint8_t>(ref)});
            low = MinOf(low, s.candidate[0].cost);
        }
    }
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
        const uint32_t cost = at.Weigh(Satd(State().source, 16, State().pred, 16, 2),
                                       Rates().mode[i] + Rates().ref[kIntra]);
        if (cost >= best) continue;
        best = cost;
        *mode = i;
    }
    return Within(best, low, permille);
}

// Sub-block modes to evaluate: the two best by the estimate, and DC; fewer: without the last ones.
CODER_FN uint16_t SubblockModes(uint8_t estimate, int fewer) {
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
        State().block_modes[i] = SubblockModes(intra.mode4[i], level.fewer_modes);
    Sync();
    return modes | 1u << kBPred;
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_RANK_H_
