// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Transform, quantization, distortion and reconstruction of a macroblock's residual, as in libvpx's
// vp8/encoder/mp/recon/residual.c.

#ifndef CUDAME_COMMON_CODER_RESIDUAL_H_
#define CUDAME_COMMON_CODER_RESIDUAL_H_

#include "common/coder/macroblock.h"
#include "common/transform.h"

namespace cudame::CODER_NAMESPACE {

// Sixteen values of a block in a lane's registers.
struct Block {
    int v[16];
};

CODER_FN Line RowOf(const Block& b, int y) {
    return {{b.v[4 * y], b.v[4 * y + 1], b.v[4 * y + 2], b.v[4 * y + 3]}};
}
CODER_FN Line ColumnOf(const Block& b, int x) {
    return {{b.v[x], b.v[4 + x], b.v[8 + x], b.v[12 + x]}};
}
CODER_FN void SetRow(Block* b, int y, const Line& l) {
    for (int i = 0; i < 4; i++) b->v[4 * y + i] = l.v[i];
}
CODER_FN void SetColumn(Block* b, int x, const Line& l) {
    for (int i = 0; i < 4; i++) b->v[4 * i + x] = l.v[i];
}

CODER_FN void ForwardDct(Block* b) {
    for (int i = 0; i < 4; i++) SetRow(b, i, ForwardDctRow(RowOf(*b, i)));
    for (int i = 0; i < 4; i++) SetColumn(b, i, ForwardDctColumn(ColumnOf(*b, i)));
}
CODER_FN void InverseDct(Block* b) {
    for (int i = 0; i < 4; i++) SetColumn(b, i, InverseDctLine(ColumnOf(*b, i)));
    for (int i = 0; i < 4; i++) SetRow(b, i, InverseDctLine(RowOf(*b, i)));
    for (int i = 0; i < 16; i++) b->v[i] = InverseDctRound(b->v[i]);
}
CODER_FN void ForwardWalsh(Block* b) {
    for (int i = 0; i < 4; i++) SetRow(b, i, ForwardWalshRow(RowOf(*b, i)));
    for (int i = 0; i < 4; i++) SetColumn(b, i, ForwardWalshColumn(ColumnOf(*b, i)));
}
CODER_FN void InverseWalsh(Block* b) {
    for (int i = 0; i < 4; i++) SetColumn(b, i, InverseWalshLine(ColumnOf(*b, i)));
    for (int i = 0; i < 4; i++) SetRow(b, i, InverseWalshLine(RowOf(*b, i)));
    for (int i = 0; i < 16; i++) b->v[i] = InverseWalshRound(b->v[i]);
}

CODER_FN void LoadDifference(const uint8_t* a, int a_stride, const uint8_t* b, int b_stride,
                             Block* out) {
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) out->v[4 * y + x] = a[y * a_stride + x] - b[y * b_stride + x];
}

// A quantized block.
struct Quantized {
    int eob, error;  // error: of the coefficients from `first` on
    uint32_t coded;  // bits of those that are not zero, in zigzag order
};

// Quantizes a block of a plane (CUDAME_PLANE_*) to q.
CODER_FN Quantized Quantize(const cudame_segment& seg, int plane, const Block& b, int first,
                            int16_t* q) {
    Quantized out = {0, 0, 0};
    for (int i = 0; i < 16; i++) {
        const int at = kZigzag[i], ac = at > 0, c = b.v[at];
        const int magnitude = ((Abs(c) + seg.round[plane][at]) * seg.quant[plane][ac]) >> 16;
        const int value = c < 0 ? -magnitude : magnitude;
        const int difference = c - value * seg.dequant[plane][ac];
        q[at] = static_cast<int16_t>(value);
        if (at >= first) out.error += difference * difference;
        if (!magnitude) continue;
        out.eob = i + 1;
        out.coded |= 1u << i;
    }
    return out;
}

// Codes luma, predicted by `pred`: sets s.q, s.eob and s.coded. Returns the distortion as libvpx
// measures it.
CODER_CALL int CodeLuma(const At& at, const uint8_t* pred, int stride, bool has_y2) {
    Mb& s = at.s;
    int error = 0;
    Sync();
    for (int i = Lane(); i < 16; i += kLanes) {
        const int x = 4 * (i & 3), y = 4 * (i >> 2);
        Block b;
        LoadDifference(s.source + 16 * y + x, 16, pred + y * stride + x, stride, &b);
        ForwardDct(&b);
        const Quantized o = Quantize(at.seg, CUDAME_PLANE_Y, b, has_y2, s.q + 16 * i);
        s.coeff[i] = static_cast<int16_t>(b.v[0]);
        s.eob[i] = static_cast<uint8_t>(o.eob);
        s.coded[i] = static_cast<uint16_t>(o.coded);
        error += o.error;
    }
    error = Sum(error);
    Sync();
    if (!has_y2) return error / 4;
    Block b;
    for (int i = 0; i < 16; i++) b.v[i] = s.coeff[i];
    ForwardWalsh(&b);
    if (Lane() == 0) {
        const Quantized o = Quantize(at.seg, CUDAME_PLANE_Y2, b, 0, s.q + 16 * kY2);
        s.eob[kY2] = static_cast<uint8_t>(o.eob);
        s.coded[kY2] = static_cast<uint16_t>(o.coded);
        s.block_cost[0][0] = o.error;
    }
    Sync();
    return ((error << 2) + s.block_cost[0][0]) >> 4;
}

// The same for chroma, predicted by pred: U, then V, in rows of `stride`.
CODER_CALL int CodeChroma(const At& at, const uint8_t* u, const uint8_t* v, int stride) {
    Mb& s = at.s;
    int error = 0;
    Sync();
    for (int i = Lane(); i < 8; i += kLanes) {
        const int x = 4 * (i & 1), y = 4 * (i >> 1 & 1);
        Block b;
        LoadDifference(s.source + (i < 4 ? kU : kV) + 8 * y + x, 8,
                       (i < 4 ? u : v) + y * stride + x, stride, &b);
        ForwardDct(&b);
        const int n = kFirstUv + i;
        const Quantized o = Quantize(at.seg, CUDAME_PLANE_UV, b, 0, s.q + 16 * n);
        s.eob[n] = static_cast<uint8_t>(o.eob);
        s.coded[n] = static_cast<uint16_t>(o.coded);
        error += o.error;
    }
    error = Sum(error);
    Sync();
    return error / 4;
}

// ---- reconstruction -----------------------------------------------------------------------------

// Adds the residual of a block to its prediction. dc: replaces the first coefficient if has_dc.
CODER_FN void Reconstruct(const cudame_segment& seg, int plane, const int16_t* q, bool has_dc,
                          int dc, const uint8_t* pred, int pred_stride, uint8_t* to,
                          int to_stride) {
    Block b;
    for (int i = 0; i < 16; i++) b.v[i] = q[i] * seg.dequant[plane][i > 0];
    if (has_dc) b.v[0] = dc;
    InverseDct(&b);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            to[y * to_stride + x] = Pixel(pred[y * pred_stride + x] + b.v[4 * y + x]);
}

// Sets s.dc from the quantized Y2.
CODER_FN void InverseY2(const At& at, const int16_t* q) {
    Mb& s = at.s;
    Block b;
    for (int i = 0; i < 16; i++) b.v[i] = q[16 * kY2 + i] * at.seg.dequant[CUDAME_PLANE_Y2][i > 0];
    InverseWalsh(&b);
    Sync();
    for (int i = Lane(); i < 16; i += kLanes) s.dc[i] = static_cast<int16_t>(b.v[i]);
    Sync();
}

// Reconstructs luma from coefficients q.
CODER_CALL void ReconstructLuma(const At& at, const int16_t* q, bool has_y2, const uint8_t* pred,
                                int pred_stride, uint8_t* to, int to_stride) {
    Mb& s = at.s;
    if (has_y2) InverseY2(at, q);
    for (int i = Lane(); i < 16; i += kLanes) {
        const int x = 4 * (i & 3), y = 4 * (i >> 2);
        Reconstruct(at.seg, CUDAME_PLANE_Y, q + 16 * i, has_y2, s.dc[i], pred + y * pred_stride + x,
                    pred_stride, to + y * to_stride + x, to_stride);
    }
    Sync();
}
CODER_CALL void ReconstructChroma(const At& at, const int16_t* q, const uint8_t* u,
                                  const uint8_t* v, int pred_stride, uint8_t* to_u, uint8_t* to_v,
                                  int to_stride) {
    for (int i = Lane(); i < 8; i += kLanes) {
        const int x = 4 * (i & 1), y = 4 * (i >> 1 & 1);
        Reconstruct(at.seg, CUDAME_PLANE_UV, q + 16 * (kFirstUv + i), false, 0,
                    (i < 4 ? u : v) + y * pred_stride + x, pred_stride,
                    (i < 4 ? to_u : to_v) + y * to_stride + x, to_stride);
    }
    Sync();
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_RESIDUAL_H_
