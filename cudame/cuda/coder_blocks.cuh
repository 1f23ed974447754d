// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The coder's work on blocks, by a warp, see common/coder/block.h and residual.h. Pixels are
// processed in words of four. Rows in shared memory and of the device's planes start at multiples
// of four bytes.

#ifndef CUDAME_CUDA_CODER_BLOCKS_CUH_
#define CUDAME_CUDA_CODER_BLOCKS_CUH_

#include "common/coder/block.h"
#include "common/coder/residual.h"
#include "cuda/filter.cuh"

namespace cudame::coder_warp {

__device__ inline uint32_t& WordAt(uint8_t* p) { return *reinterpret_cast<uint32_t*>(p); }
__device__ inline uint32_t WordAt(const uint8_t* p) {
    return *reinterpret_cast<const uint32_t*>(p);
}
// Four pixels from any address. May read up to four bytes after them.
__device__ inline uint32_t PixelsAt(const uint8_t* p) {
    const uint32_t over = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(p) & 3);
    return over ? __funnelshift_r(WordAt(p - over), WordAt(p - over + 4), 8 * over) : WordAt(p);
}

// ---- prediction ---------------------------------------------------------------------------------

// The six taps at each eighth of a pixel, for Filter4().
static __device__ const Taps kSixtap[8] = {
    {Pack(0, 0, 128, 0), 0},
    {Pack(0, -6, 123, 12), Pack(-1, 0, 0, 0)},
    {Pack(2, -11, 108, 36), Pack(-8, 1, 0, 0)},
    {Pack(0, -9, 93, 50), Pack(-6, 0, 0, 0)},
    {Pack(3, -16, 77, 77), Pack(-16, 3, 0, 0)},
    {Pack(0, -6, 50, 93), Pack(-9, 0, 0, 0)},
    {Pack(1, -8, 36, 108), Pack(-11, 2, 0, 0)},
    {Pack(0, -1, 12, 123), Pack(-6, 0, 0, 0)},
};

// Four pixels of the vertical filter, from the words of six rows that are `step` words apart. Taps
// 1 and 4 are negative or zero, the others positive or zero. A word's even and odd pixels are
// summed as pairs of unsigned halves: a sum lies between -32 * 255 and 160 * 255, so that with a
// bias of 8192 it fits.
__device__ inline uint32_t FilterRows(const uint32_t* rows, int step, const Taps& t) {
    constexpr uint32_t kPairs = 0x00ff00ffu, kBias = (8192 + 64) * 0x00010001u;
    const auto tap = [&](int i) {
        return static_cast<int>(
            static_cast<int8_t>((i < 4 ? t.low >> 8 * i : t.high >> 8 * (i - 4))));
    };
    uint32_t even = kBias, odd = kBias, even_less = 0, odd_less = 0;
#pragma unroll
    for (int i = 0; i < 6; i++) {
        const uint32_t w = rows[i * step];
        const bool less = i == 1 || i == 4;
        const uint32_t weight = static_cast<uint32_t>(less ? -tap(i) : tap(i));
        (less ? even_less : even) += (w & kPairs) * weight;
        (less ? odd_less : odd) += (w >> 8 & kPairs) * weight;
    }
    even -= even_less;
    odd -= odd_less;
    const auto sum = [](uint32_t half) { return static_cast<int>(half) - 8192; };
    return Pack7(sum(even & 0xffff), sum(odd & 0xffff), sum(even >> 16), sum(odd >> 16));
}

// Predicts 1 << log_w pixels in h rows, of one plane or of two with the same vector: `from`, and
// from2 (else NULL), whose prediction is 64 bytes after that of the first. The pixels that the
// filters read go to shared memory first, so that a warp waits for memory once. One function for
// all sizes, because the kernel's code has to fit into the instruction cache.
__device__ __noinline__ void PredictBlock(const uint8_t* from, const uint8_t* from2, int stride,
                                          Mv v, int log_w, int h, uint8_t* to, int to_stride) {
    Mb& s = State();
    const int fx = v.col & 7, fy = v.row & 7;
    const Taps across = kSixtap[fx], down = kSixtap[fy];
    const int log_groups = log_w - 2, groups = 1 << log_groups, words = groups + 2;
    const int back = (fx ? 2 : 0) + (fy ? 2 * stride : 0), rows = fy ? h + 5 : h;
    const int planes = from2 ? 2 : 1;
    const uint8_t *start = from - back, *start2 = from2 ? from2 - back : start;
    const uint32_t over = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(start) & 3);
    const uint32_t over2 = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(start2) & 3);
    uint32_t* filtered = reinterpret_cast<uint32_t*>(s.filtered);
    // i * reciprocal >> 16 is i / words, exact for the at most 126 words of a patch.
    const int reciprocal = (65535 + words) / words, patch = planes * rows * words;
    Sync();  // lanes may still read what this overwrites
#pragma unroll
    for (int k = 0; k < kPatchWords; k += kLanes) {
        const int i = Lane() + k, y = i * reciprocal >> 16;
        const bool second = y >= rows;
        const uint8_t* p =
            second ? start2 - over2 + (y - rows) * stride : start - over + y * stride;
        if (i < patch) s.patch[i] = WordAt(p + 4 * (i - y * words));
    }
    Sync();
    CODER_ROLLED
    for (int i = Lane(); i < planes * rows << log_groups; i += kLanes) {
        const int y = i >> log_groups, g = i & (groups - 1);
        const bool second = y >= rows;
        const uint32_t shift = 8 * (second ? over2 : over);
        const uint32_t* w = s.patch + y * words + g;
        const uint32_t b0 = __funnelshift_r(w[0], w[1], shift);
        uint32_t out = b0;
        if (fx) out = Filter4(b0, __funnelshift_r(w[1], w[2], shift), w[2] >> shift, across);
        if (fy)
            filtered[i] = out;
        else
            WordAt(to + (second ? 64 + (y - rows) * to_stride : y * to_stride) + 4 * g) = out;
    }
    Sync();
    if (!fy) return;
    CODER_ROLLED
    for (int i = Lane(); i < planes * h << log_groups; i += kLanes) {
        const int y = i >> log_groups, g = i & (groups - 1);
        const bool second = y >= h;
        const int row = second ? y - h : y;
        WordAt(to + (second ? 64 : 0) + row * to_stride + 4 * g) =
            FilterRows(filtered + (((second ? rows : 0) + row) << log_groups) + g, groups, down);
    }
    Sync();
}

CODER_FN void Predict(const uint8_t* plane, int stride, Mv v, int log_w, int h, uint8_t* to,
                      int to_stride) {
    PredictBlock(Displaced(plane, stride, v), nullptr, stride, v, log_w, h, to, to_stride);
}

CODER_FN void PredictUv(const uint8_t* u, const uint8_t* v, int stride, Mv mv, int log,
                        uint8_t* to) {
    PredictBlock(Displaced(u, stride, mv), Displaced(v, stride, mv), stride, mv, log, 1 << log, to,
                 8);
}

// ---- errors -------------------------------------------------------------------------------------

CODER_CALL uint32_t Satd(const uint8_t* a, int a_stride, const uint8_t* b, int b_stride, int log) {
    const int i = Lane();
    uint32_t sum = 0;
    if (i < 1 << 2 * log) {
        const int y = 4 * (i >> log), x = 4 * (i & ((1 << log) - 1));
        uint32_t p[4], q[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            p[k] = PixelsAt(a + (y + k) * a_stride + x);
            q[k] = PixelsAt(b + (y + k) * b_stride + x);
        }
        sum = cudame::Satd4x4(p, q);
    }
    return SumOf(sum);
}

CODER_CALL int SquaredError(const uint8_t* a, int a_stride, const uint8_t* b, int b_stride,
                            int log) {
    uint32_t sum = 0;
    CODER_ROLLED
    for (int i = Lane(); i < 1 << (2 * log - 2); i += kLanes) {
        const int y = i >> (log - 2), x = 4 * (i & ((1 << (log - 2)) - 1));
        const uint32_t p = PixelsAt(a + y * a_stride + x), q = PixelsAt(b + y * b_stride + x);
        sum += __dp4a(p, p, 0u) + __dp4a(q, q, 0u) - 2 * __dp4a(p, q, 0u);
    }
    return Sum(static_cast<int>(sum));
}

// ---- residuals ----------------------------------------------------------------------------------

__device__ inline void LoadResidual(const uint8_t* a, int a_stride, const uint8_t* b, int b_stride,
                                    Block* out) {
#pragma unroll
    for (int y = 0; y < 4; y++) {
        const uint32_t p = WordAt(a + y * a_stride), q = WordAt(b + y * b_stride);
#pragma unroll
        for (int x = 0; x < 4; x++)
            out->v[4 * y + x] =
                static_cast<int>(p >> 8 * x & 255) - static_cast<int>(q >> 8 * x & 255);
    }
}

// Quantizes a block like Quantize(), and stores it in words.
__device__ inline Quantized QuantizeBlock(const cudame_segment& seg, int plane, const Block& b,
                                          int first, int16_t* q) {
    const int dequant[2] = {seg.dequant[plane][0], seg.dequant[plane][1]};
    const int quant[2] = {seg.quant[plane][0], seg.quant[plane][1]};
    const uint32_t* round = reinterpret_cast<const uint32_t*>(seg.round[plane]);
    Quantized out = {0, 0, 0};
    uint32_t words[8];
#pragma unroll
    for (int i = 0; i < 16; i++) {
        const int ac = i > 0, c = b.v[i];
        const int r = static_cast<int16_t>(round[i / 2] >> 16 * (i & 1));
        const int magnitude = ((Abs(c) + r) * quant[ac]) >> 16;
        const int value = c < 0 ? -magnitude : magnitude;
        const int difference = c - value * dequant[ac];
        if (i >= first) out.error += difference * difference;
        if (i & 1)
            words[i / 2] |= static_cast<uint32_t>(value) << 16;
        else
            words[i / 2] = static_cast<uint32_t>(value) & 0xffff;
        out.coded |= static_cast<uint32_t>(magnitude != 0) << ZigzagIndexOf(i);
    }
    out.eob = 32 - __clz(static_cast<int>(out.coded));
    uint4* to = reinterpret_cast<uint4*>(q);
    to[0] = make_uint4(words[0], words[1], words[2], words[3]);
    to[1] = make_uint4(words[4], words[5], words[6], words[7]);
    return out;
}

// The second-order transform of luma's first coefficients and its quantization: a lane has one
// coefficient. Returns the squared error of the coefficients.
__device__ inline int CodeY2() {
    Mb& s = State();
    const int i = Lane() & 15, x = i & 3, y = i >> 2;
    const int16_t* c = s.coeff;
    const Line row = ForwardWalshRow({{c[4 * y], c[4 * y + 1], c[4 * y + 2], c[4 * y + 3]}});
    const int mine = x == 0 ? row.v[0] : x == 1 ? row.v[1] : x == 2 ? row.v[2] : row.v[3];
    Line column;
#pragma unroll
    for (int k = 0; k < 4; k++) column.v[k] = __shfl_sync(0xffffffffu, mine, 4 * k + x);
    const Line result = ForwardWalshColumn(column);
    const int v = y == 0 ? result.v[0] : y == 1 ? result.v[1] : y == 2 ? result.v[2] : result.v[3];
    const cudame_segment& seg = Segment();
    const int ac = i > 0;
    const int magnitude =
        ((Abs(v) + seg.round[CUDAME_PLANE_Y2][i]) * seg.quant[CUDAME_PLANE_Y2][ac]) >> 16;
    const int value = v < 0 ? -magnitude : magnitude;
    const int difference = v - value * seg.dequant[CUDAME_PLANE_Y2][ac];
    const uint32_t present = __ballot_sync(0xffffffffu, magnitude != 0);
    const uint32_t coded =
        __ballot_sync(0xffffffffu, (present >> ZigzagAt(i) & 1) && Lane() < 16) & 0xffff;
    if (Lane() < 16) s.q[16 * kY2 + i] = static_cast<int16_t>(value);
    if (Lane() == 0) {
        s.coded[kY2] = static_cast<uint16_t>(coded);
        s.eob[kY2] = static_cast<uint8_t>(32 - __clz(static_cast<int>(coded)));
    }
    return Sum(Lane() < 16 ? difference * difference : 0);
}

// Lanes 0 to 15 code luma's blocks, 16 to 23 chroma's.
CODER_CALL Pair CodeBlocks(bool luma, bool chroma, bool has_y2) {
    Mb& s = State();
    const int i = Lane();
    const bool is_luma = i < kFirstUv;
    int error = 0;
    Sync();
    if (is_luma ? luma : chroma && i < kY2) {
        const int stride = is_luma ? 16 : 8;
        const int offset = is_luma ? 64 * (i >> 2) + 4 * (i & 3)
                                   : (i < 20 ? kU : kV) + 32 * (i >> 1 & 1) + 4 * (i & 1);
        Block b;
        LoadResidual(s.source + offset, stride, s.pred + offset, stride, &b);
        ForwardDct(&b);
        if (is_luma) s.coeff[i] = static_cast<int16_t>(b.v[0]);
        const Quantized o = QuantizeBlock(Segment(), is_luma ? CUDAME_PLANE_Y : CUDAME_PLANE_UV, b,
                                          is_luma && has_y2, s.q + 16 * i);
        s.eob[i] = static_cast<uint8_t>(o.eob);
        s.coded[i] = static_cast<uint16_t>(o.coded);
        error = o.error;
    }
    Pair sum = {luma ? Sum(is_luma ? error : 0) : 0, chroma ? Sum(is_luma ? 0 : error) : 0};
    Sync();
    sum.chroma /= 4;
    if (!luma || !has_y2) {
        sum.luma /= 4;
        return sum;
    }
    sum.luma = ((sum.luma << 2) + CodeY2()) >> 4;
    Sync();
    return sum;
}

// Adds the residual of a block, which may be zero, to its prediction.
__device__ inline void ReconstructBlock(const cudame_segment& seg, int plane, const int16_t* q,
                                        bool has_dc, int dc, const uint8_t* pred, int pred_stride,
                                        uint8_t* to, int to_stride) {
    const uint4* words = reinterpret_cast<const uint4*>(q);
    const uint4 low = words[0], high = words[1];
    uint32_t w[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
    if (has_dc) w[0] &= 0xffff0000u;
    const bool any = (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) || (has_dc && dc);
    if (!any) {
#pragma unroll
        for (int y = 0; y < 4; y++) WordAt(to + y * to_stride) = WordAt(pred + y * pred_stride);
        return;
    }
    const int dequant[2] = {seg.dequant[plane][0], seg.dequant[plane][1]};
    Block b;
#pragma unroll
    for (int i = 0; i < 16; i++)
        b.v[i] = static_cast<int16_t>(w[i / 2] >> 16 * (i & 1)) * dequant[i > 0];
    if (has_dc) b.v[0] = dc;
    InverseDct(&b);
#pragma unroll
    for (int y = 0; y < 4; y++) {
        const uint32_t p = WordAt(pred + y * pred_stride);
        uint32_t out = 0;
#pragma unroll
        for (int x = 0; x < 4; x++)
            out |= static_cast<uint32_t>(Pixel(static_cast<int>(p >> 8 * x & 255) + b.v[4 * y + x]))
                   << 8 * x;
        WordAt(to + y * to_stride) = out;
    }
}

// The inverse second-order transform, in all lanes: lane i has the first coefficient of block i.
__device__ inline int InverseY2Of() {
    Mb& s = State();
    const int i = Lane() & 15, x = i & 3, y = i >> 2;
    const int16_t* q = s.q + 16 * kY2;
    const int16_t* dequant = Segment().dequant[CUDAME_PLANE_Y2];
    Line column;
#pragma unroll
    for (int k = 0; k < 4; k++) column.v[k] = q[4 * k + x] * dequant[k + x > 0];
    const Line c = InverseWalshLine(column);
    const int mine = y == 0 ? c.v[0] : y == 1 ? c.v[1] : y == 2 ? c.v[2] : c.v[3];
    Line row;
#pragma unroll
    for (int k = 0; k < 4; k++) row.v[k] = __shfl_sync(0xffffffffu, mine, 4 * y + k);
    const Line r = InverseWalshLine(row);
    return InverseWalshRound(x == 0 ? r.v[0] : x == 1 ? r.v[1] : x == 2 ? r.v[2] : r.v[3]);
}

// Lanes 0 to 15 reconstruct luma's blocks, 16 to 23 chroma's.
CODER_CALL void ReconstructBlocks(bool luma, bool chroma, bool has_y2, Picture picture) {
    const Planes to = PlanesOf(picture);
    Mb& s = State();
    const int i = Lane();
    const bool is_luma = i < kFirstUv;
    const int dc = luma && has_y2 ? InverseY2Of() : 0;
    if (is_luma ? luma : chroma && i < kY2) {
        const int x = is_luma ? 4 * (i & 3) : 4 * (i & 1);
        const int y = is_luma ? 4 * (i >> 2) : 4 * (i >> 1 & 1);
        const int stride = is_luma ? 16 : 8, to_stride = is_luma ? to.stride : to.uv_stride;
        const uint8_t* pred = s.pred + (is_luma ? 0 : i < 20 ? kU : kV);
        uint8_t* plane = is_luma ? to.y : i < 20 ? to.u : to.v;
        ReconstructBlock(Segment(), is_luma ? CUDAME_PLANE_Y : CUDAME_PLANE_UV, s.q + 16 * i,
                         is_luma && has_y2, dc, pred + y * stride + x, stride,
                         plane + y * to_stride + x, to_stride);
    }
    Sync();
}

CODER_CALL void CopyPrediction() {
    Mb& s = State();
    const Planes to = PlanesOf(kTiles);
    const int i = Lane(), x = 4 * (i & 3), y = i >> 2;
    const uint32_t* from = reinterpret_cast<const uint32_t*>(s.pred);
    WordAt(to.y + y * to.stride + x) = from[i];
    WordAt(to.y + (8 + y) * to.stride + x) = from[32 + i];
    WordAt((i < 16 ? to.u : to.v) + (i >> 1 & 7) * to.uv_stride + 4 * (i & 1)) = from[64 + i];
    Sync();
}

CODER_CALL Pair SquaredErrors(Picture picture) {
    const Mb& s = State();
    const Planes p = PlanesOf(picture);
    const int i = Lane();
    const auto error = [](uint32_t a, uint32_t b) {
        return __dp4a(a, a, 0u) + __dp4a(b, b, 0u) - 2 * __dp4a(a, b, 0u);
    };
    const uint32_t* source = reinterpret_cast<const uint32_t*>(s.source);
    const uint8_t* y = p.y + (i >> 2) * p.stride + 4 * (i & 3);
    const uint8_t* uv = (i < 16 ? p.u : p.v) + (i >> 1 & 7) * p.uv_stride + 4 * (i & 1);
    const uint32_t luma =
        error(source[i], WordAt(y)) + error(source[32 + i], WordAt(y + 8 * p.stride));
    const uint32_t chroma = error(source[64 + i], WordAt(uv));
    return {static_cast<int>(SumOf(luma)), static_cast<int>(SumOf(chroma))};
}

}  // namespace cudame::coder_warp

#endif  // CUDAME_CUDA_CODER_BLOCKS_CUH_
