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

// A picture of a macroblock, or where it is.
struct Planes {
    uint8_t *y, *u, *v;
    int stride, uv_stride;
};
// Pictures of the macroblock in its state.
enum Picture { kPrediction, kBestPrediction, kTiles };
CODER_FN Planes PlanesOf(Picture picture) {
    Mb& s = State();
    if (picture == kTiles)
        return {TileAt(s, 0, 0), UvTileAt(s, 0, 0, 0), UvTileAt(s, 1, 0, 0), kTileStride,
                kUvTileStride};
    uint8_t* pixels = picture == kPrediction ? s.pred : s.best_pred;
    return {pixels, pixels + kU, pixels + kV, 16, 8};
}

// A value of luma, and of chroma.
struct Pair {
    int luma, chroma;
};

// The next functions are in cpu/coder_blocks.h for one lane and in cuda/coder_blocks.cuh for a
// warp.

// Codes luma, chroma or both, predicted by s.pred: sets s.q, s.eob and s.coded. Returns the
// distortion as libvpx measures it.
CODER_CALL Pair CodeBlocks(bool luma, bool chroma, bool has_y2);
// Adds the residual of s.q to s.pred.
CODER_CALL void ReconstructBlocks(bool luma, bool chroma, bool has_y2, Picture to);
// Copies s.pred to the tiles.
CODER_CALL void CopyPrediction();
// The squared errors of a picture of the macroblock.
CODER_CALL Pair SquaredErrors(Picture picture);

// Adds the residual of a block to its prediction, by one lane. dc: replaces the first coefficient
// if has_dc.
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

// The first coefficients of luma from those of Y2.
CODER_FN void InverseY2(Block* b) {
    for (int i = 0; i < 16; i++)
        b->v[i] = State().q[16 * kY2 + i] * Segment().dequant[CUDAME_PLANE_Y2][i > 0];
    InverseWalsh(b);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_RESIDUAL_H_
