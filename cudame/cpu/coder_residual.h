// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The scalar reference of transforms, quantization and reconstruction of a block, see
// common/coder/residual.h.

#ifndef CUDAME_CPU_CODER_RESIDUAL_H_
#define CUDAME_CPU_CODER_RESIDUAL_H_

#include "common/coder/residual.h"

namespace cudame::CODER_NAMESPACE {

// Sixteen values of a block.
struct Block {
    int v[16];
};

inline Line RowOf(const Block& b, int y) {
    return {{b.v[4 * y], b.v[4 * y + 1], b.v[4 * y + 2], b.v[4 * y + 3]}};
}
inline Line ColumnOf(const Block& b, int x) {
    return {{b.v[x], b.v[4 + x], b.v[8 + x], b.v[12 + x]}};
}
inline void SetRow(Block* b, int y, const Line& l) {
    for (int i = 0; i < 4; i++) b->v[4 * y + i] = l.v[i];
}
inline void SetColumn(Block* b, int x, const Line& l) {
    for (int i = 0; i < 4; i++) b->v[4 * i + x] = l.v[i];
}

inline void ForwardDct(Block* b) {
    for (int i = 0; i < 4; i++) SetRow(b, i, ForwardDctRow(RowOf(*b, i)));
    for (int i = 0; i < 4; i++) SetColumn(b, i, ForwardDctColumn(ColumnOf(*b, i)));
}
inline void InverseDct(Block* b) {
    for (int i = 0; i < 4; i++) SetColumn(b, i, InverseDctLine(ColumnOf(*b, i)));
    for (int i = 0; i < 4; i++) SetRow(b, i, InverseDctLine(RowOf(*b, i)));
    for (int i = 0; i < 16; i++) b->v[i] = InverseDctRound(b->v[i]);
}
inline void ForwardWalsh(Block* b) {
    for (int i = 0; i < 4; i++) SetRow(b, i, ForwardWalshRow(RowOf(*b, i)));
    for (int i = 0; i < 4; i++) SetColumn(b, i, ForwardWalshColumn(ColumnOf(*b, i)));
}
inline void InverseWalsh(Block* b) {
    for (int i = 0; i < 4; i++) SetColumn(b, i, InverseWalshLine(ColumnOf(*b, i)));
    for (int i = 0; i < 4; i++) SetRow(b, i, InverseWalshLine(RowOf(*b, i)));
    for (int i = 0; i < 16; i++) b->v[i] = InverseWalshRound(b->v[i]);
}

inline void LoadDifference(const uint8_t* a, int a_stride, const uint8_t* b, int b_stride,
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
inline Quantized Quantize(const cudame_segment& seg, int plane, const Block& b, int first,
                          int16_t* q) {
    Quantized out = {0, 0, 0};
    for (int i = 0; i < 16; i++) {
        const int at = ZigzagAt(i), ac = at > 0, c = b.v[at];
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

// Adds the residual of a block to its prediction. dc: replaces the first coefficient
// if has_dc.
inline void Reconstruct(const cudame_segment& seg, int plane, const int16_t* q, bool has_dc, int dc,
                        const uint8_t* pred, int pred_stride, uint8_t* to, int to_stride) {
    Block b;
    for (int i = 0; i < 16; i++) b.v[i] = q[i] * seg.dequant[plane][i > 0];
    if (has_dc) b.v[0] = dc;
    InverseDct(&b);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            to[y * to_stride + x] = Pixel(pred[y * pred_stride + x] + b.v[4 * y + x]);
}

// The first coefficients of luma from those of Y2.
inline void InverseY2(Block* b) {
    for (int i = 0; i < 16; i++)
        b->v[i] = State().q[16 * kY2 + i] * Segment().dequant[CUDAME_PLANE_Y2][i > 0];
    InverseWalsh(b);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_CPU_CODER_RESIDUAL_H_
