// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Inter prediction and errors of blocks.

#ifndef CUDAME_COMMON_CODER_BLOCK_H_
#define CUDAME_COMMON_CODER_BLOCK_H_

#include "common/coder/macroblock.h"

namespace cudame::CODER_NAMESPACE {

// The first pixel that a vector points to.
CODER_FN const uint8_t* Displaced(const uint8_t* plane, int stride, Mv v) {
    return plane + (v.row >> 3) * stride + (v.col >> 3);
}
CODER_FN bool IsSubpel(Mv v) { return (v.row & 7) || (v.col & 7); }

// The next functions are in cpu/coder_blocks.h for one lane and in cuda/coder_blocks.cuh for a
// warp.

// Predicts a block of 1 << log_w x h pixels, whose place in the reference is `plane`, to `to`.
CODER_FN void Predict(const uint8_t* plane, int stride, Mv v, int log_w, int h, uint8_t* to,
                      int to_stride);
// Predicts squares of 1 << log pixels of U and V to rows of eight pixels; V's are 64 bytes after
// U's.
CODER_FN void PredictUv(const uint8_t* u, const uint8_t* v, int stride, Mv mv, int log,
                        uint8_t* to);
// SATD of a square of 4 << log pixels: half the sum of the absolute coefficients of 4x4 Hadamard
// transforms.
CODER_CALL uint32_t Satd(const uint8_t* a, int a_stride, const uint8_t* b, int b_stride, int log);
// Squared error of a square of 1 << log pixels.
CODER_CALL int SquaredError(const uint8_t* a, int a_stride, const uint8_t* b, int b_stride,
                            int log);

// The vector of chroma for a luma vector of the whole macroblock, in 1/8 pixel of chroma.
CODER_FN Mv ChromaMv(Mv v) {
    return MakeMv((v.row + (v.row < 0 ? -1 : 1)) / 2, (v.col + (v.col < 0 ? -1 : 1)) / 2);
}

CODER_FN void PredictLuma(const At& at, int ref, Mv v) {
    Predict(at.RefPlane(ref, 0), Frame().ref_stride, v, 4, 16, State().pred, 16);
}
CODER_FN void PredictChroma(const At& at, int ref, Mv v) {
    PredictUv(at.RefPlane(ref, 1), at.RefPlane(ref, 2), Frame().ref_uv_stride, ChromaMv(v), 3,
              State().pred + kU);
}

// SATD of the source's square of 4 << log pixels at (x, y) and its prediction.
CODER_CALL uint32_t PredictedSatd(const At& at, int ref, Mv v, int log, int x, int y) {
    const uint8_t* source = State().source + 16 * y + x;
    const uint8_t* plane = at.RefPlane(ref, 0) + y * Frame().ref_stride + x;
    if (!IsSubpel(v))
        return Satd(source, 16, Displaced(plane, Frame().ref_stride, v), Frame().ref_stride, log);
    Predict(plane, Frame().ref_stride, v, 2 + log, 4 << log, State().pred, 16);
    return Satd(source, 16, State().pred, 16, log);
}

// ---- the static test ----------------------------------------------------------------------------

// The squared error of a prediction by libvpx's bilinear filters, which its static test uses: rows
// first, then columns, each rounded to a whole number.
CODER_CALL int BilinearError(const uint8_t* a, int a_stride, const uint8_t* plane, int stride, Mv v,
                             int log) {
    const uint8_t* from = Displaced(plane, stride, v);
    const int fx = 16 * (v.col & 7), fy = 16 * (v.row & 7), size = 1 << log;
    if (!fx && !fy) return SquaredError(a, a_stride, from, stride, log);
    int sum = 0;
    CODER_ROLLED
    for (int i = Lane(); i < size << log; i += kLanes) {
        const int y = i >> log, x = i & (size - 1);
        int line[2];
        for (int k = 0; k < 2; k++) {
            const uint8_t* p = from + (y + k) * stride + x;
            line[k] = ((128 - fx) * p[0] + fx * p[1] + 64) >> 7;
        }
        const int d = (((128 - fy) * line[0] + fy * line[1] + 64) >> 7) - a[y * a_stride + x];
        sum += d * d;
    }
    return Sum(sum);
}

CODER_FN int BilinearLumaError(const At& at, int ref, Mv v) {
    return BilinearError(State().source, 16, at.RefPlane(ref, 0), Frame().ref_stride, v, 4);
}
CODER_FN int BilinearChromaError(const At& at, int ref, Mv v) {
    const Mv c = ChromaMv(v);
    return BilinearError(State().source + kU, 8, at.RefPlane(ref, 1), Frame().ref_uv_stride, c, 3) +
           BilinearError(State().source + kV, 8, at.RefPlane(ref, 2), Frame().ref_uv_stride, c, 3);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_BLOCK_H_
