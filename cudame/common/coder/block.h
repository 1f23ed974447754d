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

CODER_FN uint8_t SixtapAt(const int8_t* taps, const uint8_t* p, int step) {
    int sum = 64;
    for (int k = 0; k < 6; k++) sum += taps[k] * p[(k - 2) * step];
    return Pixel(sum >> 7);
}

// Predicts a block of 1 << log_w x h pixels, whose place in the reference is `plane`, to `to`.
CODER_CALL void Predict(Mb& s, const uint8_t* plane, int stride, Mv v, int log_w, int h,
                        uint8_t* to, int to_stride) {
    const uint8_t* from = Displaced(plane, stride, v);
    const int fx = v.col & 7, fy = v.row & 7, w = 1 << log_w;
    Sync();  // lanes may still read what this overwrites
    if (fx && fy) {
        for (int i = Lane(); i < (h + 5) << log_w; i += kLanes) {
            const int y = i >> log_w, x = i & (w - 1);
            s.filtered[i] = SixtapAt(kSixtapEighths[fx], from + (y - 2) * stride + x, 1);
        }
        Sync();
    }
    for (int i = Lane(); i < h << log_w; i += kLanes) {
        const int y = i >> log_w, x = i & (w - 1);
        const uint8_t* p = from + y * stride + x;
        to[y * to_stride + x] = fx && fy ? SixtapAt(kSixtapEighths[fy], s.filtered + i + 2 * w, w)
                                : fx     ? SixtapAt(kSixtapEighths[fx], p, 1)
                                : fy     ? SixtapAt(kSixtapEighths[fy], p, stride)
                                         : *p;
    }
    Sync();
}

// The vector of chroma for a luma vector of the whole macroblock, in 1/8 pixel of chroma.
CODER_FN Mv ChromaMv(Mv v) {
    return MakeMv((v.row + (v.row < 0 ? -1 : 1)) / 2, (v.col + (v.col < 0 ? -1 : 1)) / 2);
}

CODER_FN void PredictLuma(const At& at, int ref, Mv v) {
    Predict(at.s, at.RefPlane(ref, 0), at.f.ref_stride, v, 4, 16, at.s.pred, 16);
}
CODER_FN void PredictChroma(const At& at, int ref, Mv v) {
    const Mv c = ChromaMv(v);
    for (int i = 1; i < 3; i++)
        Predict(at.s, at.RefPlane(ref, i), at.f.ref_uv_stride, c, 3, 8,
                at.s.pred + (i == 1 ? kU : kV), 8);
}

// ---- SATD ---------------------------------------------------------------------------------------

// Half the sum of the absolute coefficients of a 4x4 Hadamard transform.
CODER_FN uint32_t Satd4x4(const uint8_t* a, int a_stride, const uint8_t* b, int b_stride) {
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

// SATD of a square of 4 << log pixels.
CODER_CALL uint32_t Satd(const uint8_t* a, int a_stride, const uint8_t* b, int b_stride, int log) {
    uint32_t sum = 0;
    for (int i = Lane(); i < 1 << 2 * log; i += kLanes) {
        const int y = 4 * (i >> log), x = 4 * (i & ((1 << log) - 1));
        sum += Satd4x4(a + y * a_stride + x, a_stride, b + y * b_stride + x, b_stride);
    }
    return SumOf(sum);
}

// SATD of the source's square of 4 << log pixels at (x, y) and its prediction.
CODER_FN uint32_t PredictedSatd(const At& at, int ref, Mv v, int log, int x, int y) {
    const uint8_t* source = at.s.source + 16 * y + x;
    const uint8_t* plane = at.RefPlane(ref, 0) + y * at.f.ref_stride + x;
    if (!IsSubpel(v))
        return Satd(source, 16, Displaced(plane, at.f.ref_stride, v), at.f.ref_stride, log);
    Predict(at.s, plane, at.f.ref_stride, v, 2 + log, 4 << log, at.s.pred, 16);
    return Satd(source, 16, at.s.pred, 16, log);
}

// ---- squared errors -----------------------------------------------------------------------------

CODER_CALL int SquaredError(const uint8_t* a, int a_stride, const uint8_t* b, int b_stride,
                            int log) {
    const int size = 1 << log;
    int sum = 0;
    for (int i = Lane(); i < size << log; i += kLanes) {
        const int y = i >> log, x = i & (size - 1);
        const int d = a[y * a_stride + x] - b[y * b_stride + x];
        sum += d * d;
    }
    return Sum(sum);
}

// The squared error of a prediction by libvpx's bilinear filters, which its static test uses: rows
// first, then columns, each rounded to a whole number.
CODER_CALL int BilinearError(const uint8_t* a, int a_stride, const uint8_t* plane, int stride, Mv v,
                             int log) {
    const uint8_t* from = Displaced(plane, stride, v);
    const int fx = 16 * (v.col & 7), fy = 16 * (v.row & 7), size = 1 << log;
    if (!fx && !fy) return SquaredError(a, a_stride, from, stride, log);
    int sum = 0;
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
    return BilinearError(at.s.source, 16, at.RefPlane(ref, 0), at.f.ref_stride, v, 4);
}
CODER_FN int BilinearChromaError(const At& at, int ref, Mv v) {
    const Mv c = ChromaMv(v);
    return BilinearError(at.s.source + kU, 8, at.RefPlane(ref, 1), at.f.ref_uv_stride, c, 3) +
           BilinearError(at.s.source + kV, 8, at.RefPlane(ref, 2), at.f.ref_uv_stride, c, 3);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_BLOCK_H_
