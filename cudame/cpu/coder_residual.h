// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The scalar reference of quantization and reconstruction of a block, see common/coder/residual.h.

#ifndef CUDAME_CPU_CODER_RESIDUAL_H_
#define CUDAME_CPU_CODER_RESIDUAL_H_

#include "common/coder/residual.h"
#include "cpu/block_transform.h"

namespace cudame::CODER_NAMESPACE {

// Sixteen values of a block in raster order.
struct Block {
    int v[16];
};

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

// Adds the residual of a block to its prediction. dc: replaces the first coefficient if has_dc.
inline void Reconstruct(const cudame_segment& seg, int plane, const int16_t* q, bool has_dc, int dc,
                        const uint8_t* pred, int pred_stride, uint8_t* to, int to_stride) {
    Block b;
    for (int i = 0; i < 16; i++) b.v[i] = q[i] * seg.dequant[plane][i > 0];
    if (has_dc) b.v[0] = dc;
    InverseDct(b.v, b.v);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            to[y * to_stride + x] = Pixel(pred[y * pred_stride + x] + b.v[4 * y + x]);
}

// The first coefficients of luma from those of Y2.
inline void InverseY2(Block* b) {
    for (int i = 0; i < 16; i++)
        b->v[i] = State().q[16 * kY2 + i] * Segment().dequant[CUDAME_PLANE_Y2][i > 0];
    InverseWalsh(b->v, b->v);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_CPU_CODER_RESIDUAL_H_
