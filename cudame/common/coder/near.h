// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Near vectors and the rates of inter modes (RFC 6386 section 16.3).

#ifndef CUDAME_COMMON_CODER_NEAR_H_
#define CUDAME_COMMON_CODER_NEAR_H_

#include "common/coder/macroblock.h"

namespace cudame::CODER_NAMESPACE {

// The inter modes in the order in which bits tell them apart.
CODER_FN int ModeAt(int i) {
    return i == 0 ? kZeroMv : i == 1 ? kNearestMv : i == 2 ? kNearMv : kNewMv;
}

CODER_FN Mv Inverse(Mv v) { return MakeMv(-v.row, -v.col); }

// Finds s.near: the near vectors for references of the same sign bias as `ref`, and those of the
// other. A neighbour's vector weighs more if it is above or to the left.
CODER_FN void FindNear(const At& at, int ref) {
    Mb& s = State();
    const int bias = Rates().sign_bias[ref] ? 1 : 0;
    // The vectors so far, and the weights of zero and of each.
    Mv mv[3] = {}, last = MakeMv(0, 0);
    int count[4] = {}, n = 0;
    for (int i = 0; i < 3; i++) {
        const Neighbour& from = i == 0 ? s.above : i == 1 ? s.left : s.corner;
        const int weight = from.ref ? i < 2 ? 2 : 1 : 0;
        Mv v = from.mv[3];
        const bool is_zero = IsZero(v);
        if (Rates().sign_bias[from.ref] != Rates().sign_bias[ref]) v = Inverse(v);
        const bool is_listed = weight && !is_zero;
        n += is_listed && v != last;  // `last` is zero before the first vector
        if (is_listed) last = v;
        if (is_zero) count[0] += weight;
        for (int k = 0; k < 3; k++) {
            if (!is_listed || n != k + 1) continue;
            mv[k] = v;
            count[k + 1] += weight;
        }
    }
    if (count[3] && mv[2] == mv[0]) count[1]++;
    count[3] = (s.above.is_split + s.left.is_split) * 2 + s.corner.is_split;
    if (count[2] > count[1]) {
        const int less = count[1];
        const Mv v = mv[0];
        count[1] = count[2];
        count[2] = less;
        mv[0] = mv[1];
        mv[1] = v;
    }
    Sync();
    CODER_ROLLED
    for (int i = Lane(); i < 6; i += kLanes) {
        const int which = i >> 1;  // best, nearest, near
        Mv v = which == 2 ? mv[1] : which == 1 || count[1] >= count[0] ? mv[0] : MakeMv(0, 0);
        if (i & 1) v = Inverse(v);
        s.near.mv[bias ^ (i & 1)][which] = at.ClampToFrame(v);
    }
    int before = 0;
    for (int i = 0; i < 4; i++) {
        const int* node = Rates().near_mode[count[i]][i];
        if (Lane() == 0) s.near.rate[ModeAt(i) - kNearestMv] = before + node[0];
        before += node[1];
    }
    if (Lane() == 0) {
        s.near.rate[kSplitMv - kNearestMv] = before;
        s.near.counts = count[0] | count[1] << 3 | count[2] << 6 | count[3] << 9;
    }
    Sync();
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_NEAR_H_
