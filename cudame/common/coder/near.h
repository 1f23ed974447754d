// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Near vectors and the rates of inter modes (RFC 6386 section 18.3).

#ifndef CUDAME_COMMON_CODER_NEAR_H_
#define CUDAME_COMMON_CODER_NEAR_H_

#include "common/coder/macroblock.h"

namespace cudame::CODER_NAMESPACE {

// By sign bias of the reference. Vectors are clamped to the frame and its border.
struct NearVectors {
    Mv nearest[2], near[2], best[2];
    int rate[5];  // of kNearestMv to kSplitMv
};

// The vectors around the macroblock, while they are found.
struct NearList {
    Mv mv[4];
    int count[4];
    int n;
};

CODER_FN Mv Inverse(Mv v) { return MakeMv(-v.row, -v.col); }

// Adds a neighbour's vector, which weighs more if it is above or to the left.
CODER_FN void AddNear(const Neighbour& from, int bias, int weight, bool is_first, NearList* l) {
    if (!from.ref) return;
    Mv v = from.mv[3];
    if (IsZero(v)) {
        l->count[0] += weight;
        return;
    }
    if (Rates().sign_bias[from.ref] != bias) v = Inverse(v);
    if (is_first || v != l->mv[l->n]) l->mv[++l->n] = v;
    l->count[l->n] += weight;
}

CODER_FN void SetModeRates(const int count[4], int rate[5]) {
    const int order[4] = {kZeroMv, kNearestMv, kNearMv, kNewMv};
    int before = 0;
    for (int i = 0; i < 4; i++) {
        const int* node = Rates().near_mode[count[i]][i];
        rate[order[i] - kNearestMv] = before + node[0];
        before += node[1];
    }
    rate[kSplitMv - kNearestMv] = before;
}

// Finds the near vectors for references of the same sign bias as `ref`, and those of the other.
CODER_FN void FindNear(const At& at, int ref, NearVectors* out) {
    const Mb& s = State();
    const int bias = Rates().sign_bias[ref] ? 1 : 0;
    NearList l = {};
    AddNear(s.above, Rates().sign_bias[ref], 2, true, &l);
    AddNear(s.left, Rates().sign_bias[ref], 2, false, &l);
    AddNear(s.corner, Rates().sign_bias[ref], 1, false, &l);
    if (l.count[3] && l.mv[l.n] == l.mv[1]) l.count[1]++;
    l.count[3] = (s.above.is_split + s.left.is_split) * 2 + s.corner.is_split;
    if (l.count[2] > l.count[1]) {
        const int count = l.count[1];
        const Mv v = l.mv[1];
        l.count[1] = l.count[2];
        l.count[2] = count;
        l.mv[1] = l.mv[2];
        l.mv[2] = v;
    }
    if (l.count[1] >= l.count[0]) l.mv[0] = l.mv[1];
    out->best[bias] = at.ClampToFrame(l.mv[0]);
    out->nearest[bias] = at.ClampToFrame(l.mv[1]);
    out->near[bias] = at.ClampToFrame(l.mv[2]);
    out->best[!bias] = at.ClampToFrame(Inverse(l.mv[0]));
    out->nearest[!bias] = at.ClampToFrame(Inverse(l.mv[1]));
    out->near[!bias] = at.ClampToFrame(Inverse(l.mv[2]));
    SetModeRates(l.count, out->rate);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_NEAR_H_
