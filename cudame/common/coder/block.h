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

// Predicts a block of 1 << log_w x h pixels, whose place in the reference is `plane`, from the
// pixel `to` of s.pred on.
CODER_FN void Predict(const uint8_t* plane, int stride, Mv v, int log_w, int h, int to,
                      int to_stride);
// Predicts squares of 1 << log pixels of U and V to rows of eight pixels; V's are 64 pixels after
// U's.
CODER_FN void PredictUv(const uint8_t* u, const uint8_t* v, int stride, Mv mv, int log, int to);
// SATD of a square of 4 << log pixels of the source, whose luma pixel `at` is the first, and b:
// half the sum of the absolute coefficients of 4x4 Hadamard transforms.
CODER_CALL uint32_t Satd(int at, const uint8_t* b, int b_stride, int log);
// Squared error of a plane of 1 << log pixels, which begins at pixel `at` of the source.
CODER_CALL int SquaredError(int at, const uint8_t* b, int b_stride, int log);
// Squared errors of luma for the zero vector of references, whose places are given. NULL: the error
// is undefined.
CODER_FN void LumaErrors(const uint8_t* const (&planes)[kRefs], uint32_t (&errors)[kRefs]);

// The vector of chroma for a luma vector of the whole macroblock, in 1/8 pixel of chroma.
CODER_FN Mv ChromaMv(Mv v) {
    return MakeMv((v.row + (v.row < 0 ? -1 : 1)) / 2, (v.col + (v.col < 0 ? -1 : 1)) / 2);
}

CODER_FN void PredictLuma(int ref, Mv v) {
    Predict(RefPlane(ref, 0), Frame().ref_stride, v, 4, 16, 0, 16);
}
CODER_FN void PredictChroma(int ref, Mv v) {
    PredictUv(RefPlane(ref, 1), RefPlane(ref, 2), Frame().ref_uv_stride, ChromaMv(v), 3, kU);
}

// Predict the macroblock in two steps, so that other work hides the latency of memory: the first
// one begins to load pixels, the second one predicts from them. In between, s.patch and s.uv_patch,
// which shares its memory with the state of B_PRED, must stay as they are. In cpu/coder_blocks.h
// and cuda/coder_blocks.cuh.
CODER_FN void BeginPrediction(int ref, Mv v);
CODER_FN void EndPrediction(int ref, Mv v);

// SATD of the source's square of 4 << log pixels at (x, y) and its prediction.
CODER_CALL uint32_t PredictedSatd(int ref, Mv v, int log, int x, int y) {
    const int first = 16 * y + x;
    const uint8_t* plane = RefPlane(ref, 0) + y * Frame().ref_stride + x;
    if (!IsSubpel(v))
        return Satd(first, Displaced(plane, Frame().ref_stride, v), Frame().ref_stride, log);
    Predict(plane, Frame().ref_stride, v, 2 + log, 4 << log, 0, 16);
    return Satd(first, State().pred, 16, log);
}

// ---- the static test ----------------------------------------------------------------------------

// A step of the bilinear filter: the mean of two values. b has the weight of `part` 128ths.
CODER_FN int Blend(int a, int b, int part) { return ((128 - part) * a + part * b + 64) >> 7; }

// The squared error of a prediction by libvpx's bilinear filters, which its static test uses: rows
// first, then columns, each rounded to a whole number. In cpu/coder_blocks.h and
// cuda/coder_blocks.cuh.
CODER_CALL int BilinearError(int at, const uint8_t* plane, int stride, Mv v, int log);

CODER_FN int BilinearLumaError(int ref, Mv v) {
    return BilinearError(0, RefPlane(ref, 0), Frame().ref_stride, v, 4);
}
CODER_FN int BilinearChromaError(int ref, Mv v) {
    const Mv c = ChromaMv(v);
    return BilinearError(kU, RefPlane(ref, 1), Frame().ref_uv_stride, c, 3) +
           BilinearError(kV, RefPlane(ref, 2), Frame().ref_uv_stride, c, 3);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_BLOCK_H_
