// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Plans SPLITMV in one reference, as libvpx's vp8/encoder/mp/mode/split.c does at a realtime
// deadline: partitionings that a first estimate finds near the best one get sub-block modes and
// vectors, and the plan of lowest cost is kept.

#ifndef CUDAME_COMMON_CODER_SPLIT_H_
#define CUDAME_COMMON_CODER_SPLIT_H_

#include "common/coder/block.h"
#include "common/coder/near.h"

namespace cudame::CODER_NAMESPACE {

// For 4x4 blocks, a neighbour's vector is not tried if its components' differences to the record's
// vector add up to more than this, in 1/8 pixel.
constexpr int kMaxReach4x4 = 64;
// A rate above that of any vector.
constexpr int kUncodable = 1 << 16;

struct SplitRates {
    const cudame_split& found;
    int ref;
    int mode_rate;   // of the reference and of SPLITMV
    int least_rate;  // of a sub-block mode
    Mv best;
};

CODER_FN int NewRate(const At& at, const SplitRates& r, Mv v) {
    if (!at.Codable(v, r.best)) return kUncodable;
    return Rates().bmode[kNew4x4] + (at.VectorRate(v, r.best) * 102 >> 7);
}

// The first estimate of a partitioning's cost: that of the records' vectors alone. A vector that
// equals the one to the left or above within the macroblock costs only LEFT4X4. UINT32_MAX: above
// limit.
CODER_FN uint32_t Estimate(const At& at, const SplitRates& r, int partitioning, uint32_t limit) {
    const cudame_mv* mv = r.found.mv + FirstRecord(partitioning);
    const uint16_t* dist = r.found.dist + FirstRecord(partitioning);
    const int n = PartsOf(partitioning);
    const int across = partitioning == k4x4 ? 4 : partitioning == k8x8 ? 2 : n;
    const int same_rate = Rates().bmode[kLeft4x4];
    const int least = Min(same_rate, Rates().bmode[kNew4x4]);
    uint32_t satd = 0;
    CODER_ROLLED
    for (int i = 0; i < n; i++) satd += dist[i];
    int rate = r.mode_rate + Rates().partitioning[partitioning] + (n - 1) * least;
    if (at.Weigh(satd, rate) > limit) return UINT32_MAX;
    rate += NewRate(at, r, FromQuarter(mv[0]));
    CODER_ROLLED
    for (int i = 1; i < n; i++) {
        if (at.Weigh(satd, rate) > limit) return UINT32_MAX;
        const Mv v = FromQuarter(mv[i]);
        const bool same = (i % across && v == FromQuarter(mv[i - 1])) ||
                          (i >= across && v == FromQuarter(mv[i - across]));
        rate += (same ? same_rate : NewRate(at, r, v)) - least;
    }
    return at.Weigh(satd, rate);
}

CODER_FN uint32_t PartSatd(int ref, int partitioning, int part, Mv v) {
    const int block = FirstBlock(partitioning, part);
    const int x = 4 * (block & 3), y = 4 * (block >> 2);
    if (partitioning == k4x4) return PredictedSatd(ref, v, 0, x, y);
    const uint32_t first = PredictedSatd(ref, v, 1, x, y);
    if (partitioning == k8x8) return first;
    return first + (partitioning == k16x8 ? PredictedSatd(ref, v, 1, x + 8, y)
                                          : PredictedSatd(ref, v, 1, x, y + 8));
}

// The plan of one partition.
struct PartPlan {
    uint32_t cost, satd;  // cost UINT32_MAX: no vector can be coded
    int rate;             // of mode and vector
    int mode;
    Mv mv;
};

CODER_FN bool IsFar(Mv a, Mv b) { return Abs(a.row - b.row) + Abs(a.col - b.col) > kMaxReach4x4; }

// Chooses the record's vector, or that of the left or upper block or zero if it costs less.
CODER_FN PartPlan PlanPart(const At& at, const SplitRates& r, int partitioning, int part, Mv left,
                           Mv above) {
    const int record = FirstRecord(partitioning) + part;
    const Mv found = FromQuarter(r.found.mv[record]);
    const uint32_t found_satd = r.found.dist[record];
    PartPlan p = {UINT32_MAX, found_satd, NewRate(at, r, found), kNew4x4, found};
    const bool codable = p.rate < kUncodable;
    if (codable) p.cost = at.Weigh(found_satd, p.rate);
    CODER_ROLLED
    for (int m = 0; m < 3; m++) {
        const Mv v = m == 0 ? left : m == 1 ? above : MakeMv(0, 0);
        if ((m && v == left) || (m == 2 && v == above) || !at.Legal(v)) continue;
        uint32_t satd = found_satd;
        if (v != found) {
            if (partitioning == k4x4 && codable && IsFar(v, found)) continue;
            satd = PartSatd(r.ref, partitioning, part, v);
        }
        const int rate = Rates().bmode[kLeft4x4 + m];
        const uint32_t cost = at.Weigh(satd, rate);
        if (cost < p.cost) p = {cost, satd, rate, kLeft4x4 + m, v};
    }
    return p;
}

// Plans all partitions in s.plan. Returns whether all have vectors, at a cost below limit.
CODER_FN bool PlanAll(const At& at, const SplitRates& r, int partitioning, uint32_t limit) {
    Mb& s = State();
    const int n = PartsOf(partitioning);
    int rate = Rates().partitioning[partitioning];
    uint32_t satd = 0, cost = 0;
    CODER_ROLLED
    for (int i = 0; i < n; i++) {
        const int block = FirstBlock(partitioning, i);
        const Mv left =
            block & 3 ? s.plan.mv[PartOf(partitioning, block - 1)] : s.left.mv[block >> 2];
        const Mv above =
            block >> 2 ? s.plan.mv[PartOf(partitioning, block - 4)] : s.above.mv[block & 3];
        const PartPlan p = PlanPart(at, r, partitioning, i, left, above);
        if (p.cost == UINT32_MAX) return false;
        rate += p.rate;
        satd += p.satd;
        cost = at.Weigh(satd, r.mode_rate + rate + (n - 1 - i) * r.least_rate);
        if (cost >= limit) return false;
        Sync();
        if (Lane() == 0) {
            s.plan.mode[i] = static_cast<uint8_t>(p.mode);
            s.plan.mv[i] = p.mv;
        }
        Sync();
    }
    if (Lane() == 0) {
        s.plan.cost = cost;
        s.plan.rate = rate;
        s.plan.ref = r.ref;
        s.plan.partitioning = partitioning;
    }
    Sync();
    return true;
}

// Sets s.best_plan to the plan of lowest cost. Returns whether there is one. limit: the highest
// cost of a first estimate.
CODER_FN bool PlanSplit(const At& at, int ref, uint32_t limit) {
    Mb& s = State();
    const cudame_rates& rates = Rates();
    const int mode_rate = s.near.rate[kSplitMv - kNearestMv] + rates.ref[ref];
    if (at.Weigh(0, mode_rate) > limit) return false;
    if (!Frame().splits[ref] || !(State().record[ref].flags & CUDAME_MB_SPLIT)) return false;
    int least_rate = rates.bmode[kNew4x4];
    for (int m = kLeft4x4; m < kNew4x4; m++) least_rate = Min(least_rate, rates.bmode[m]);
    const SplitRates r = {Frame().splits[ref][at.mb], ref, mode_rate, least_rate,
                          s.near.mv[rates.sign_bias[ref] ? 1 : 0][kBest]};

    uint32_t estimate[4], low = UINT32_MAX, reach = limit;
    CODER_ROLLED
    for (int i = 0; i < 4; i++) {
        estimate[i] = Estimate(at, r, i, reach);
        if (estimate[i] >= low) continue;
        low = estimate[i];
        reach = Limit(low, at.seg.level.partitionings);
    }
    if (low > limit) return false;
    uint32_t best = UINT32_MAX;
    CODER_ROLLED
    for (int i = 0; i < 4; i++) {
        if (estimate[i] > reach || !PlanAll(at, r, i, best)) continue;
        best = s.plan.cost;
        Sync();
        if (Lane() == 0) s.best_plan = s.plan;
        Sync();
    }
    return best != UINT32_MAX;
}

// Predicts the chroma of s.best_plan: each 4x4 block by the mean of four luma vectors.
CODER_CALL void PredictPlanChroma() {
    const Plan& plan = State().best_plan;
    CODER_ROLLED
    for (int i = 0; i < 4; i++) {
        const int x = i & 1, y = i >> 1;
        int row = 0, col = 0;
        for (int k = 0; k < 4; k++) {
            const int block = 4 * (2 * y + (k >> 1)) + 2 * x + (k & 1);
            const Mv v = plan.mv[PartOf(plan.partitioning, block)];
            row += v.row;
            col += v.col;
        }
        const Mv v = MakeMv((row + (row < 0 ? -4 : 4)) / 8, (col + (col < 0 ? -4 : 4)) / 8);
        const int offset = 4 * y * Frame().ref_uv_stride + 4 * x;
        PredictUv(RefPlane(plan.ref, 1) + offset, RefPlane(plan.ref, 2) + offset,
                  Frame().ref_uv_stride, v, 2, kU + 32 * y + 4 * x);
    }
}
CODER_CALL void PredictPlanLuma() {
    const Plan& plan = State().best_plan;
    const int n = PartsOf(plan.partitioning);
    const int log_w = plan.partitioning == k4x4 ? 2 : plan.partitioning == k16x8 ? 4 : 3;
    const int h = plan.partitioning == k4x4 ? 4 : plan.partitioning == k8x16 ? 16 : 8;
    CODER_ROLLED
    for (int i = 0; i < n; i++) {
        const int block = FirstBlock(plan.partitioning, i);
        const int x = 4 * (block & 3), y = 4 * (block >> 2);
        Predict(RefPlane(plan.ref, 0) + y * Frame().ref_stride + x, Frame().ref_stride, plan.mv[i],
                log_w, h, 16 * y + x, 16);
    }
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_SPLIT_H_
