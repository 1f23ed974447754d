// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The scalar reference of the coder's work on blocks, see common/coder/block.h and residual.h.

#ifndef CUDAME_CPU_CODER_BLOCKS_H_
#define CUDAME_CPU_CODER_BLOCKS_H_

#include <algorithm>

#include "common/coder/block.h"
#include "common/coder/evaluate.h"
#include "cpu/coder_residual.h"

namespace cudame::CODER_NAMESPACE {

inline uint8_t SixtapAt(const int8_t* taps, const uint8_t* p, int step) {
    int sum = 64;
    for (int k = 0; k < 6; k++) sum += taps[k] * p[(k - 2) * step];
    return Pixel(sum >> 7);
}

inline void Predict(const uint8_t* plane, int stride, Mv v, int log_w, int h, int to,
                    int to_stride) {
    Mb& s = State();
    const uint8_t* from = Displaced(plane, stride, v);
    const int fx = v.col & 7, fy = v.row & 7, w = 1 << log_w;
    if (fx && fy) {
        for (int i = 0; i < (h + 5) << log_w; i++) {
            const int y = i >> log_w, x = i & (w - 1);
            s.filtered[i] = SixtapAt(kSixtapEighths[fx], from + (y - 2) * stride + x, 1);
        }
    }
    for (int i = 0; i < h << log_w; i++) {
        const int y = i >> log_w, x = i & (w - 1);
        const uint8_t* p = from + y * stride + x;
        s.pred[to + y * to_stride + x] =
            fx && fy ? SixtapAt(kSixtapEighths[fy], s.filtered + i + 2 * w, w)
            : fx     ? SixtapAt(kSixtapEighths[fx], p, 1)
            : fy     ? SixtapAt(kSixtapEighths[fy], p, stride)
                     : *p;
    }
}

// Half the sum of the absolute coefficients of a 4x4 Hadamard transform.
inline uint32_t Satd4x4(const uint8_t* a, int a_stride, const uint8_t* b, int b_stride) {
    int t[4][4];
    for (int y = 0; y < 4; y++) {
        int d[4];
        for (int x = 0; x < 4; x++) d[x] = a[y * a_stride + x] - b[y * b_stride + x];
        const int p = d[0] + d[1], q = d[0] - d[1], r = d[2] + d[3], u = d[2] - d[3];
        t[y][0] = p + r;
        t[y][1] = p - r;
        t[y][2] = q + u;
        t[y][3] = q - u;
    }
    int sum = 0;
    for (int x = 0; x < 4; x++) {
        const int p = t[0][x] + t[1][x], q = t[0][x] - t[1][x];
        const int r = t[2][x] + t[3][x], u = t[2][x] - t[3][x];
        sum += Abs(p + r) + Abs(p - r) + Abs(q + u) + Abs(q - u);
    }
    return static_cast<uint32_t>(sum) / 2;
}

inline void PredictUv(const uint8_t* u, const uint8_t* v, int stride, Mv mv, int log, int to) {
    Predict(u, stride, mv, log, 1 << log, to, 8);
    Predict(v, stride, mv, log, 1 << log, to + 64, 8);
}

inline uint32_t Satd(int at, const uint8_t* b, int b_stride, int log) {
    uint32_t sum = 0;
    for (int i = 0; i < 1 << 2 * log; i++) {
        const int y = 4 * (i >> log), x = 4 * (i & ((1 << log) - 1));
        sum += Satd4x4(State().source + at + 16 * y + x, 16, b + y * b_stride + x, b_stride);
    }
    return sum;
}

inline int SquaredError(int at, const uint8_t* b, int b_stride, int log) {
    const int size = 1 << log;
    int sum = 0;
    for (int i = 0; i < size << log; i++) {
        const int y = i >> log, x = i & (size - 1);
        const int d = State().source[at + i] - b[y * b_stride + x];
        sum += d * d;
    }
    return sum;
}

inline void LumaErrors(const uint8_t* const (&planes)[kRefs], uint32_t (&errors)[kRefs]) {
    for (int ref = kLast; ref <= kAltref; ref++)
        if (planes[ref])
            errors[ref] =
                static_cast<uint32_t>(SquaredError(0, planes[ref], Frame().ref_stride, 4));
}

inline int BilinearError(int at, const uint8_t* plane, int stride, Mv v, int log) {
    const uint8_t* from = Displaced(plane, stride, v);
    const int fx = 16 * (v.col & 7), fy = 16 * (v.row & 7), size = 1 << log;
    if (!fx && !fy) return SquaredError(at, from, stride, log);
    int sum = 0;
    for (int i = 0; i < size << log; i++) {
        const int y = i >> log, x = i & (size - 1);
        int line[2];
        for (int k = 0; k < 2; k++) {
            const uint8_t* p = from + (y + k) * stride + x;
            line[k] = Blend(p[0], p[1], fx);
        }
        const int d = Blend(line[0], line[1], fy) - State().source[at + i];
        sum += d * d;
    }
    return sum;
}

inline void CodeBlock(int i, int plane, const uint8_t* source, const uint8_t* pred, int stride,
                      int first, int* error) {
    Block b;
    LoadDifference(source, stride, pred, stride, &b);
    ForwardDct(b.v, b.v);
    const Quantized o = Quantize(Segment(), plane, b, first, State().q + 16 * i);
    if (i < kFirstUv) State().coeff[i] = static_cast<int16_t>(b.v[0]);
    State().eob[i] = static_cast<uint8_t>(o.eob);
    State().coded[i] = static_cast<uint16_t>(o.coded);
    *error += o.error;
}

inline Pair CodeBlocks(bool luma, bool chroma, bool has_y2) {
    Mb& s = State();
    int error = 0, uv_error = 0;
    for (int i = 0; luma && i < 16; i++) {
        const int offset = 64 * (i >> 2) + 4 * (i & 3);
        CodeBlock(i, CUDAME_PLANE_Y, s.source + offset, s.pred + offset, 16, has_y2, &error);
    }
    for (int i = 0; chroma && i < 8; i++) {
        const int offset = (i < 4 ? kU : kV) + 32 * (i >> 1 & 1) + 4 * (i & 1);
        CodeBlock(kFirstUv + i, CUDAME_PLANE_UV, s.source + offset, s.pred + offset, 8, 0,
                  &uv_error);
    }
    if (!luma || !has_y2) return {error / 4, uv_error / 4};
    Block b;
    for (int i = 0; i < 16; i++) b.v[i] = s.coeff[i];
    ForwardWalsh(b.v, b.v);
    const Quantized o = Quantize(Segment(), CUDAME_PLANE_Y2, b, 0, s.q + 16 * kY2);
    s.eob[kY2] = static_cast<uint8_t>(o.eob);
    s.coded[kY2] = static_cast<uint16_t>(o.coded);
    return {((error << 2) + o.error) >> 4, uv_error / 4};
}

inline void ReconstructBlocks(bool luma, bool chroma, bool has_y2, Picture picture) {
    const Planes to = PlanesOf(picture);
    Mb& s = State();
    Block dc = {};
    if (luma && has_y2) InverseY2(&dc);
    for (int i = 0; luma && i < 16; i++) {
        const int x = 4 * (i & 3), y = 4 * (i >> 2);
        Reconstruct(Segment(), CUDAME_PLANE_Y, s.q + 16 * i, has_y2, dc.v[i], s.pred + 16 * y + x,
                    16, to.y + y * to.stride + x, to.stride);
    }
    for (int i = 0; chroma && i < 8; i++) {
        const int x = 4 * (i & 1), y = 4 * (i >> 1 & 1);
        Reconstruct(Segment(), CUDAME_PLANE_UV, s.q + 16 * (kFirstUv + i), false, 0,
                    s.pred + (i < 4 ? kU : kV) + 8 * y + x, 8,
                    (i < 4 ? to.u : to.v) + y * to.uv_stride + x, to.uv_stride);
    }
}

inline void CopyToTiles(const uint8_t* luma, const uint8_t* chroma) {
    const Planes to = PlanesOf(kTiles);
    for (int i = 0; i < 256; i++) to.y[(i >> 4) * to.stride + (i & 15)] = luma[i];
    for (int i = 0; i < 64; i++) {
        to.u[(i >> 3) * to.uv_stride + (i & 7)] = chroma[kU + i];
        to.v[(i >> 3) * to.uv_stride + (i & 7)] = chroma[kV + i];
    }
}

inline Pair SquaredErrors(Picture picture) {
    const Planes p = PlanesOf(picture);
    return {SquaredError(0, p.y, p.stride, 4),
            SquaredError(kU, p.u, p.uv_stride, 3) + SquaredError(kV, p.v, p.uv_stride, 3)};
}

inline void PredictIntra(int mode, int plane) {
    Mb& s = State();
    const int log = plane ? 3 : 4, size = 1 << log, stride = plane ? kUvTileStride : kTileStride;
    const uint8_t* at00 = plane ? UvTileAt(s, plane - 1, 0, 0) : TileAt(s, 0, 0);
    uint8_t* to = s.pred + (plane == 0 ? 0 : plane == 1 ? kU : kV);
    const bool has_above = s.row > 0, has_left = s.col > 0;
    int dc = 128;
    if (has_above || has_left) {
        int sum = 0;
        for (int i = 0; i < size; i++) {
            if (has_above) sum += at00[i - stride];
            if (has_left) sum += at00[i * stride - 1];
        }
        const int shift = log + (has_above && has_left);
        dc = (sum + (1 << (shift - 1))) >> shift;
    }
    for (int i = 0; i < size << log; i++) {
        const int y = i >> log, x = i & (size - 1);
        const int above = at00[x - stride], left = at00[y * stride - 1];
        to[i] = mode == kDcPred  ? static_cast<uint8_t>(dc)
                : mode == kVPred ? static_cast<uint8_t>(above)
                : mode == kHPred ? static_cast<uint8_t>(left)
                                 : Pixel(left + above - at00[-stride - 1]);
    }
}
inline void PredictIntraLuma(int mode) { PredictIntra(mode, 0); }
inline void PredictIntraChroma(int mode) {
    for (int plane = 1; plane < 3; plane++) PredictIntra(mode, plane);
}

inline void BeginPrediction(int, Mv) {}
inline void EndPrediction(int ref, Mv v) {
    PredictLuma(ref, v);
    PredictChroma(ref, v);
}

// Sets the taps of a sub-block's edge.
inline void MakeTaps(int block, uint8_t* taps) {
    Mb& s = State();
    int e[kEdge];
    for (int i = 0; i < kEdge; i++) e[i] = EdgeAt(s, block, i);
    for (int i = 0; i < kEdge; i++)
        taps[i] =
            static_cast<uint8_t>((e[Max(i - 1, 0)] + 2 * e[i] + e[Min(i + 1, kEdge - 1)] + 2) >> 2);
    for (int i = 0; i < kEdge - 1; i++)
        taps[kEdgePair + i] = static_cast<uint8_t>((e[i] + e[i + 1] + 1) >> 1);
    taps[kEdgeLast] = static_cast<uint8_t>(e[0]);
}

inline void PredictSubblock(Mb& s, int block, int mode, const uint8_t* taps, uint8_t to[16]) {
    if (mode >= kBVePred) {
        for (int i = 0; i < 16; i++) to[i] = taps[kTap[mode - kBVePred][i]];
        return;
    }
    const uint8_t* at00 = TileAt(s, 4 * (block & 3), 4 * (block >> 2));
    const uint8_t* above = at00 - kTileStride;
    if (mode == kBDcPred) {
        int sum = 4;
        for (int i = 0; i < 4; i++) sum += above[i] + at00[i * kTileStride - 1];
        for (int i = 0; i < 16; i++) to[i] = static_cast<uint8_t>(sum >> 3);
        return;
    }
    for (int i = 0; i < 16; i++)
        to[i] = Pixel(at00[(i >> 2) * kTileStride - 1] + above[i & 3] - above[-1]);
}

template <bool kKey>
inline void CodeSubblock(int block) {
    Mb& s = State();
    const int x = 4 * (block & 3), y = 4 * (block >> 2);
    const SubblockModes modes = ModesOf<kKey>(s, block);
    const int neighbours = NeighboursOf(s, block, 0);
    SubblockCost& best = s.block_cost[block];
    uint8_t best_pred[16];
    bool found = false;
    MakeTaps(block, s.taps[0]);
    for (int mode = 0; mode < kBlockModes; mode++) {
        if (!(modes.evaluated >> mode & 1)) continue;
        uint8_t pred[16];
        int16_t q[16];
        Block b;
        PredictSubblock(s, block, mode, s.taps[0], pred);
        LoadDifference(s.source + 16 * y + x, 16, pred, 4, &b);
        ForwardDct(b.v, b.v);
        const Quantized o = Quantize(Segment(), CUDAME_PLANE_Y, b, 0, q);
        const int tokens = BlockRate(kWithDc, q, o.coded, neighbours), distortion = o.error >> 2;
        const int rd = RdCostOf(Segment(), tokens + modes.rates[mode], distortion);
        if (found && rd >= best.rd) continue;
        found = true;
        best = {rd, tokens, modes.rates[mode], distortion};
        std::copy(pred, pred + 16, best_pred);
        std::copy(q, q + 16, s.q + 16 * block);
        s.coded[block] = static_cast<uint16_t>(o.coded);
        s.eob[block] = static_cast<uint8_t>(o.eob);
        s.bmode[block] = static_cast<uint8_t>(mode);
    }
    Reconstruct(Segment(), CUDAME_PLANE_Y, s.q + 16 * block, false, 0, best_pred, 4,
                TileAt(s, x, y), kTileStride);
}

template <bool kKey>
inline void CodeSubblocks(int step) {
    const int first = SubblockOf(step, 0), second = SubblockOf(step, 1);
    CodeSubblock<kKey>(first);
    if (second != first) CodeSubblock<kKey>(second);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_CPU_CODER_BLOCKS_H_
