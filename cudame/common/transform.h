// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// VP8's transforms of 4x4 blocks in raster order. The inverse ones are those of RFC 6386 section
// 14; the forward ones round as libvpx does. Each transform is two passes over four rows or
// columns. These functions do one row or column, so that threads of a CUDA kernel can share the
// work.

#ifndef CUDAME_COMMON_TRANSFORM_H_
#define CUDAME_COMMON_TRANSFORM_H_

#include <cstdint>

#include "cudame/first_pass.h"

namespace cudame {

// A row or a column of four coefficients or pixels.
struct Line {
    int v[4];
};

// The forward DCT: first all rows, then all columns.
constexpr Line ForwardDctRow(const Line& in) {
    const int even = 8 * (in.v[0] + in.v[3]), odd = 8 * (in.v[1] + in.v[2]);
    const int inner = 8 * (in.v[1] - in.v[2]), outer = 8 * (in.v[0] - in.v[3]);
    return {{even + odd, (2217 * inner + 5352 * outer + 14500) >> 12, even - odd,
             (2217 * outer - 5352 * inner + 7500) >> 12}};
}
constexpr Line ForwardDctColumn(const Line& in) {
    const int even = in.v[0] + in.v[3], odd = in.v[1] + in.v[2];
    const int inner = in.v[1] - in.v[2], outer = in.v[0] - in.v[3];
    return {{(even + odd + 7) >> 4, ((2217 * inner + 5352 * outer + 12000) >> 16) + (outer != 0),
             (even - odd + 7) >> 4, (2217 * outer - 5352 * inner + 51000) >> 16}};
}

// v times sqrt(2) sin(pi/8), and times sqrt(2) cos(pi/8), in units of 1/65536.
constexpr int TimesSin(int v) { return (v * 35468) >> 16; }
constexpr int TimesCos(int v) { return v + ((v * 20091) >> 16); }

// The inverse DCT: first all columns, then all rows. InverseDctRound() rounds the results of the
// rows.
constexpr Line InverseDctLine(const Line& in) {
    const int sum = in.v[0] + in.v[2], difference = in.v[0] - in.v[2];
    const int a = TimesSin(in.v[1]) - TimesCos(in.v[3]);
    const int b = TimesCos(in.v[1]) + TimesSin(in.v[3]);
    return {{sum + b, difference + a, difference - a, sum - b}};
}
constexpr int InverseDctRound(int v) { return (v + 4) >> 3; }

// The second-order transform of the first coefficients of sixteen blocks: first all rows, then all
// columns.
constexpr Line ForwardWalshRow(const Line& in) {
    const int a = 4 * (in.v[0] + in.v[2]), b = 4 * (in.v[1] + in.v[3]);
    const int c = 4 * (in.v[1] - in.v[3]), d = 4 * (in.v[0] - in.v[2]);
    return {{a + b + (a != 0), d + c, d - c, a - b}};
}
constexpr int ForwardWalshRound(int v) { return (v + (v < 0) + 3) >> 3; }
constexpr Line ForwardWalshColumn(const Line& in) {
    const int a = in.v[0] + in.v[2], b = in.v[1] + in.v[3];
    const int c = in.v[1] - in.v[3], d = in.v[0] - in.v[2];
    return {{ForwardWalshRound(a + b), ForwardWalshRound(d + c), ForwardWalshRound(d - c),
             ForwardWalshRound(a - b)}};
}
// The inverse of the second-order transform: first all columns, then all rows. InverseWalshRound()
// rounds the results of the rows.
constexpr Line InverseWalshLine(const Line& in) {
    const int a = in.v[0] + in.v[3], b = in.v[1] + in.v[2];
    const int c = in.v[1] - in.v[2], d = in.v[0] - in.v[3];
    return {{a + b, c + d, a - b, d - c}};
}
constexpr int InverseWalshRound(int v) { return (v + 3) >> 3; }

// Quantize and dequantize a coefficient: the value that the decoder has.
constexpr int Requantize(const cudame_quantizer& q, int c, bool is_ac) {
    const int magnitude = (((c < 0 ? -c : c) + q.round[is_ac]) * q.quant[is_ac]) >> 16;
    return (c < 0 ? -magnitude : magnitude) * q.dequant[is_ac];
}

constexpr uint8_t ClampPixel(int v) { return static_cast<uint8_t>(v < 0 ? 0 : v > 255 ? 255 : v); }

}  // namespace cudame

#endif  // CUDAME_COMMON_TRANSFORM_H_
