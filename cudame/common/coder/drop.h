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

CODER_FN int SumEobs(const Mb& s, int first, int n) {
    int sum = 0;
    for (int i = Lane(); i < n; i += kLanes) sum += s.eob[first + i];
    return Sum(sum);
}

CODER_FN bool AnyCoded(const Mb& s, int block, int n, int first) {
    int any = 0;
    for (int i = Lane(); i < n; i += kLanes) any |= s.coded[block + i] >> first;
    return Or(any) != 0;
}

CODER_FN void ClearBlocks(Mb& s, int block, int n) {
    Sync();
    for (int i = Lane(); i < 16 * n; i += kLanes) s.q[16 * block + i] = 0;
    for (int i = Lane(); i < n; i += kLanes) {
        s.eob[block + i] = 0;
        s.coded[block + i] = 0;
    }
    Sync();
}

CODER_FN int ChromaError(const Mb& s, const uint8_t* u, const uint8_t* v, int stride) {
    return SquaredError(s.source + kU, 8, u, stride, 3) +
           SquaredError(s.source + kV, 8, v, stride, 3);
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
CODER_FN bool Pays(const At& at, uint32_t without, uint32_t with, int64_t weight, int rate) {
    return with < without && weight * static_cast<int64_t>(without - with) >
                                 (static_cast<int64_t>(rate) * at.seg.rdmult) >> 8;
}

// s.pred, s.q, s.eob and s.coded are those of the inter macroblock. still: all its vectors are
// zero. Returns whether a SPLITMV macroblock becomes ZEROMV, because its residual is dropped.
CODER_FN bool Drop(const At& at, bool has_y2, bool still, cudame_dropped* last) {
    Mb& s = at.s;
    if (has_y2 && AllZero(s, true)) return false;
    const int chroma_eobs = SumEobs(s, kFirstUv, 8);
    const int luma_eobs = SumEobs(s, 0, 16) + (has_y2 ? s.eob[kY2] : 0);
    if (!still && luma_eobs + chroma_eobs > kDropFew) return false;
    const bool luma = luma_eobs && (AnyCoded(s, 0, 16, has_y2) || (has_y2 && s.coded[kY2]));
    const bool chroma = chroma_eobs && AnyCoded(s, kFirstUv, 8, 0);
    bool keep_luma = false, keep_chroma = false;
    if (luma || chroma) {
        int64_t weight = at.seg.rddiv;
        const uint32_t luma_error =
            static_cast<uint32_t>(SquaredError(s.source, 16, s.pred, 16, 4));
        const uint32_t chroma_error =
            static_cast<uint32_t>(ChromaError(s, s.pred + kU, s.pred + kV, 8));
        if (still) weight *= 1 + FramesWaited(last, luma_error + chroma_error);
        if (luma) {
            ReconstructLuma(at, s.q, has_y2, s.pred, 16, s.best_pred, 16);
            const int with = SquaredError(s.source, 16, s.best_pred, 16, 4);
            keep_luma =
                Pays(at, luma_error, static_cast<uint32_t>(with), weight, LumaRate(at, has_y2));
        }
        if (chroma) {
            int rate = ChromaRate(at);
            if (!keep_luma) {
                const auto& token = at.f.rates->token;
                rate += 16 * token[has_y2 ? kAfterY2 : kWithDc][has_y2][0][kEobToken];
                if (has_y2) rate += token[kIsY2][0][0][kEobToken];
            }
            ReconstructChroma(at, s.q, s.pred + kU, s.pred + kV, 8, s.best_pred + kU,
                              s.best_pred + kV, 8);
            const int with = ChromaError(s, s.best_pred + kU, s.best_pred + kV, 8);
            keep_chroma = Pays(at, chroma_error, static_cast<uint32_t>(with), weight, rate);
        }
    }
    if (luma && !keep_luma) {
        ClearBlocks(s, 0, 16);
        if (has_y2) ClearBlocks(s, kY2, 1);
    }
    if (chroma && !keep_chroma) ClearBlocks(s, kFirstUv, 8);
    if (keep_luma || keep_chroma) {
        last->frames = 0;
        return false;
    }
    return still && !has_y2;
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_DROP_H_
