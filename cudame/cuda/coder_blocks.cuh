// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The coder's work on blocks, by a warp, see common/coder/block.h and residual.h. Pixels are
// processed in words of four. Rows in shared memory and of the device's planes start at multiples
// of four bytes.

#ifndef CUDAME_CUDA_CODER_BLOCKS_CUH_
#define CUDAME_CUDA_CODER_BLOCKS_CUH_

#include "common/coder/block.h"
#include "common/coder/intra.h"
#include "common/coder/residual.h"
#include "cuda/filter.cuh"
#include "cuda/ptx.cuh"

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

// A block of 1 << log_w pixels in h rows, of one plane or of two with the same vector.
struct Source {
    const uint8_t *from,
        *from2;  // the first pixel that the vector points to; from2 NULL: one plane
    int stride;
    Mv v;
    int log_w, h;

    __device__ int fx() const { return v.col & 7; }
    __device__ int fy() const { return v.row & 7; }
    // The rows that the filters read, and the distance from the first pixel that they read.
    __device__ int rows() const { return fy() ? h + 5 : h; }
    __device__ int back() const { return (fx() ? 2 : 0) + (fy() ? 2 * stride : 0); }
};

// Begins to load the pixels that the filters read. A row of a patch has eight words; if there are
// two planes, the first one has four.
__device__ __noinline__ void LoadPatch(Source b, uint32_t* patch) {
    const int i = Lane(), n = b.from2 ? i & 3 : i & 7;
    const uint8_t* start = (b.from2 && i & 4 ? b.from2 : b.from) - b.back();
    const uint8_t* p = start - (reinterpret_cast<uintptr_t>(start) & 3) + 4 * n;
    Sync();  // lanes may still read the patch
    if (n >= (1 << (b.log_w - 2)) + 2) return;
    CODER_ROLLED
    for (int y = i >> 3; y < b.rows(); y += 4)
        CopyLater(patch + 8 * y + (i & 7), reinterpret_cast<const uint32_t*>(p + y * b.stride));
}

// Predicts the block, whose patch is loaded, to the pixel `to` of s.pred. The prediction of the
// second plane is 64 pixels after that of the first. One function for all sizes, because the
// kernel's code has to fit into the instruction cache.
__device__ __noinline__ void FilterPatch(Source b, const uint32_t* patch, int to, int to_stride) {
    Mb& s = State();
    const int i = Lane(), fx = b.fx(), fy = b.fy(), rows = b.rows();
    const Taps across = kSixtap[fx], down = kSixtap[fy];
    uint32_t* filtered = reinterpret_cast<uint32_t*>(s.filtered);
    // A lane has a group of four pixels in every step-th row.
    const int log_groups = b.log_w - 2, log_cols = log_groups + (b.from2 != nullptr);
    const int col = i & ((1 << log_cols) - 1), y0 = i >> log_cols, step = kLanes >> log_cols;
    const bool second = col >> log_groups;
    const int group = col & ((1 << log_groups) - 1);
    const uint32_t over = static_cast<uint32_t>(
        reinterpret_cast<uintptr_t>((second ? b.from2 : b.from) - b.back()) & 3);
    const uint32_t* w = patch + 8 * y0 + 4 * second + group;
    uint8_t* const first = s.pred + to + (second ? 64 : 0) + 4 * group + y0 * to_stride;
    uint8_t* out = first;
    CODER_ROLLED
    for (int y = y0; y < rows; y += step) {
        const uint32_t b0 = __funnelshift_r(w[0], w[1], 8 * over);
        uint32_t pixels = b0;
        if (fx)
            pixels = Filter4(b0, __funnelshift_r(w[1], w[2], 8 * over), w[2] >> 8 * over, across);
        if (fy)
            filtered[(y << log_cols) + col] = pixels;
        else
            WordAt(out) = pixels;
        w += 8 * step;
        out += step * to_stride;
    }
    Sync();
    if (!fy) return;
    out = first;
    CODER_ROLLED
    for (int y = y0; y < b.h; y += step) {
        WordAt(out) = FilterRows(filtered + (y << log_cols) + col, 1 << log_cols, down);
        out += step * to_stride;
    }
    Sync();
}

CODER_FN void PredictBlock(const Source& b, int to, int to_stride) {
    LoadPatch(b, State().patch);
    AwaitCopies();
    FilterPatch(b, State().patch, to, to_stride);
}
CODER_FN void Predict(const uint8_t* plane, int stride, Mv v, int log_w, int h, int to,
                      int to_stride) {
    PredictBlock({Displaced(plane, stride, v), nullptr, stride, v, log_w, h}, to, to_stride);
}

CODER_FN void PredictUv(const uint8_t* u, const uint8_t* v, int stride, Mv mv, int log, int to) {
    PredictBlock({Displaced(u, stride, mv), Displaced(v, stride, mv), stride, mv, log, 1 << log},
                 to, 8);
}

__device__ inline Source LumaOf(int ref, Mv v) {
    const int stride = Frame().ref_stride;
    return {Displaced(RefPlane(ref, 0), stride, v), nullptr, stride, v, 4, 16};
}
__device__ inline Source ChromaOf(int ref, Mv v) {
    const int stride = Frame().ref_uv_stride;
    const Mv c = ChromaMv(v);
    return {Displaced(RefPlane(ref, 1), stride, c),
            Displaced(RefPlane(ref, 2), stride, c),
            stride,
            c,
            3,
            8};
}
CODER_FN void BeginPrediction(int ref, Mv v) {
    LoadPatch(LumaOf(ref, v), State().patch);
    LoadPatch(ChromaOf(ref, v), State().uv_patch);
}
CODER_FN void EndPrediction(int ref, Mv v) {
    AwaitCopies();
    FilterPatch(LumaOf(ref, v), State().patch, 0, 16);
    FilterPatch(ChromaOf(ref, v), State().uv_patch, kU, 8);
}

// A lane has four pixels of luma in every eighth row, or four of U or V.
__device__ __noinline__ void PredictIntra(int mode, bool chroma) {
    Mb& s = State();
    const int i = Lane(), n = chroma ? i & 15 : i;  // lanes of a plane
    const int log = chroma ? 3 : 4, stride = chroma ? kUvTileStride : kTileStride;
    const uint8_t* at00 = chroma ? UvTileAt(s, i >> 4, 0, 0) : TileAt(s, 0, 0);
    const bool has_above = s.row > 0, has_left = s.col > 0;
    const int x = 4 * (n & ((1 << (log - 2)) - 1)), y = n >> (log - 2);
    const uint32_t above = WordAt(at00 - stride + x);
    const int corner = at00[-stride - 1];
    int dc = 128;
    if (mode == kDcPred && (has_above || has_left)) {
        const bool is_left = n >> log;  // the first half of the lanes has the row above
        const int k = n & ((1 << log) - 1);
        dc = at00[is_left ? k * stride - 1 : k - stride];
        if (!(is_left ? has_left : has_above)) dc = 0;
        for (int mask = 1; mask < 16; mask <<= 1) dc += Shuffle(dc, mask);
        if (!chroma) dc += Shuffle(dc, 16);
        const int shift = log + (has_above && has_left);
        dc = (dc + (1 << (shift - 1))) >> shift;
    }
    Sync();  // lanes may still read s.pred
    CODER_ROLLED
    for (int k = 0; k < (chroma ? 1 : 2); k++) {
        const int left = at00[(y + 8 * k) * stride - 1];
        uint32_t pixels = above;
        if (mode != kVPred)
            pixels = 0x01010101u * static_cast<uint32_t>(mode == kDcPred ? dc : left);
        if (mode == kTmPred) {
            int v[4];
#pragma unroll
            for (int m = 0; m < 4; m++)
                v[m] = static_cast<int>(above >> 8 * m & 255) + left - corner;
            pixels = PackPixels(v[0], v[1], v[2], v[3]);
        }
        WordAt(s.pred + (chroma ? kU : 128 * k) + 4 * i) = pixels;
    }
    Sync();
}
CODER_FN void PredictIntraLuma(int mode) { PredictIntra(mode, false); }
CODER_FN void PredictIntraChroma(int mode) { PredictIntra(mode, true); }

// ---- errors -------------------------------------------------------------------------------------

CODER_CALL uint32_t Satd(int at, const uint8_t* b, int b_stride, int log) {
    const int i = Lane();
    uint32_t sum = 0;
    if (i < 1 << 2 * log) {
        const int y = 4 * (i >> log), x = 4 * (i & ((1 << log) - 1));
        const int over = static_cast<int>(reinterpret_cast<uintptr_t>(b) & 3);
        const int next = over ? 4 : 0;  // nothing is read beyond the pixels
        const uint8_t* a = State().source + at + 16 * y + x;
        b += y * b_stride + x - over;
        uint32_t p[4], q[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            p[k] = WordAt(a + 16 * k);
            q[k] = __funnelshift_r(WordAt(b), WordAt(b + next), static_cast<uint32_t>(8 * over));
            b += b_stride;
        }
        sum = cudame::Satd4x4(p, q);
    }
    return SumOf(sum);
}

// The sum of the squared differences of four pixels.
__device__ inline uint32_t SquaredDifference(uint32_t a, uint32_t b) {
    return __dp4a(a, a, 0u) + __dp4a(b, b, 0u) - 2 * __dp4a(a, b, 0u);
}

CODER_CALL int SquaredError(int at, const uint8_t* b, int b_stride, int log) {
    uint32_t sum = 0;
    CODER_ROLLED
    for (int i = Lane(); i < 1 << (2 * log - 2); i += kLanes) {
        const int y = i >> (log - 2), x = 4 * (i & ((1 << (log - 2)) - 1));
        const uint32_t p = WordAt(State().source + at + 4 * i), q = PixelsAt(b + y * b_stride + x);
        sum += SquaredDifference(p, q);
    }
    return Sum(static_cast<int>(sum));
}

// All loads are under way at the same time.
CODER_FN void LumaErrors(const uint8_t* const (&planes)[kRefs], uint32_t (&errors)[kRefs]) {
    const int i = Lane(), stride = Frame().ref_stride, at = (i >> 2) * stride + 4 * (i & 3);
    const uint32_t* source = reinterpret_cast<const uint32_t*>(State().source);
    uint32_t words[kRefs][2];
#pragma unroll
    for (int ref = kLast; ref <= kAltref; ref++)
        for (int k = 0; k < 2; k++)
            words[ref][k] = planes[ref] ? WordAt(planes[ref] + at + 8 * k * stride) : 0;
#pragma unroll
    for (int ref = kLast; ref <= kAltref; ref++) {
        uint32_t sum = 0;
        for (int k = 0; k < 2; k++) sum += SquaredDifference(source[32 * k + i], words[ref][k]);
        errors[ref] = SumOf(sum);
    }
}

// Four pixels at (x, y) of the horizontal bilinear filter. w: the words that contain the pixel at x
// and the four after it; over: bytes before that pixel.
__device__ inline void BilinearRow(const uint32_t (&w)[2], uint32_t over, int fx, int (&line)[4]) {
    const uint32_t a = __funnelshift_r(w[0], w[1], 8 * over);
    const uint32_t b = over == 3 ? w[1] : __funnelshift_r(w[0], w[1], 8 * over + 8);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int p = static_cast<int>(a >> 8 * i & 255), q = static_cast<int>(b >> 8 * i & 255);
        line[i] = Blend(p, q, fx);
    }
}

// A lane has four pixels at a time.
CODER_CALL int BilinearError(int at, const uint8_t* plane, int stride, Mv v, int log) {
    const uint8_t* from = Displaced(plane, stride, v);
    const int fx = 16 * (v.col & 7), fy = 16 * (v.row & 7);
    if (!fx && !fy) return SquaredError(at, from, stride, log);
    const uint32_t over = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(from) & 3);
    const uint8_t* source = State().source + at;
    int sum = 0;
    CODER_ROLLED
    for (int i = Lane(); i < 1 << (2 * log - 2); i += kLanes) {
        const int y = i >> (log - 2), x = 4 * (i & ((1 << (log - 2)) - 1));
        uint32_t words[2][2];
#pragma unroll
        for (int k = 0; k < 2; k++)
            for (int n = 0; n < 2; n++)
                words[k][n] = WordAt(from + (y + k) * stride + x - over + 4 * n);
        int line[2][4];
#pragma unroll
        for (int k = 0; k < 2; k++) BilinearRow(words[k], over, fx, line[k]);
        const uint32_t pixels = WordAt(source + 4 * i);
#pragma unroll
        for (int n = 0; n < 4; n++) {
            const int d =
                Blend(line[0][n], line[1][n], fy) - static_cast<int>(pixels >> 8 * n & 255);
            sum += d * d;
        }
    }
    return Sum(sum);
}

// ---- residuals ----------------------------------------------------------------------------------

__device__ inline int Pick(const Line& l, int i) {
    return i == 0 ? l.v[0] : i == 1 ? l.v[1] : i == 2 ? l.v[2] : l.v[3];
}

__device__ inline uint32_t PackHalves(int low, int high) {
    return __byte_perm(static_cast<uint32_t>(low), static_cast<uint32_t>(high), 0x5410);
}
__device__ inline int FromLane(int v, int lane) { return __shfl_sync(0xffffffffu, v, lane); }

// The number of a block's first pixel among the macroblock's pixels.
__device__ inline int PixelsOf(int block) {
    return block < kFirstUv ? 64 * (block >> 2) + 4 * (block & 3)
                            : (block < 20 ? kU : kV) + 32 * (block >> 1 & 1) + 4 * (block & 1);
}

// Codes eight blocks at a time, and last Y2. Four lanes share a block: they have a row of it, and
// then a column. In the last turn only the results of the first four lanes are used.
CODER_CALL Pair CodeBlocks(bool luma, bool chroma, bool has_y2) {
    Mb& s = State();
    const int n = Lane() & 3;
    int luma_error = 0, y2_error = 0, chroma_error = 0;
    const int end = luma && has_y2 ? kBlocks : chroma ? kY2 : kFirstUv;
    CODER_ROLLED
    for (int first = luma ? 0 : kFirstUv; first < end; first += 8) {
        const bool is_luma = first < kFirstUv, is_y2 = first == kY2, stores = !is_y2 || Lane() < 4;
        if (!is_luma && !is_y2 && !chroma) continue;
        const int block = first + (is_y2 ? 0 : Lane() >> 2);
        int16_t* q = s.q + 16 * block;
        Line line;
        Sync();
        if (is_y2) {
#pragma unroll
            for (int i = 0; i < 4; i++) line.v[i] = s.coeff[4 * n + i];
            line = ForwardWalshRow(line);
        } else {
            const int at = PixelsOf(block) + n * (is_luma ? 16 : 8);
            const uint32_t a = WordAt(s.source + at), b = WordAt(s.pred + at);
#pragma unroll
            for (int i = 0; i < 4; i++)
                line.v[i] = static_cast<int>(a >> 8 * i & 255) - static_cast<int>(b >> 8 * i & 255);
            line = ForwardDctRow(line);
        }
        // These fit into 16 bits: the DCT's are below 8192, Y2's below 32768.
        if (stores)
            *reinterpret_cast<uint2*>(q + 4 * n) =
                make_uint2(PackHalves(line.v[0], line.v[1]), PackHalves(line.v[2], line.v[3]));
        q += n;
        Sync();
        if (stores) {  // the other lanes would read what these write
#pragma unroll
            for (int i = 0; i < 4; i++) line.v[i] = q[4 * i];
        }
        line = is_y2 ? ForwardWalshColumn(line) : ForwardDctColumn(line);
        if (is_luma && n == 0) s.coeff[block] = static_cast<int16_t>(line.v[0]);
        const cudame_segment& seg = Segment();
        const int plane = is_y2 ? CUDAME_PLANE_Y2 : is_luma ? CUDAME_PLANE_Y : CUDAME_PLANE_UV;
        const int16_t *round = seg.round[plane] + n, *quant = seg.quant[plane],
                      *dequant = seg.dequant[plane];
        int error = 0;
        uint32_t coded = 0;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int c = line.v[i], ac = i || n;
            const int magnitude = ((Abs(c) + round[4 * i]) * quant[ac]) >> 16;
            const int value = c < 0 ? -magnitude : magnitude;
            const int difference = c - value * dequant[ac];
            if (ac || !is_luma || !has_y2) error += difference * difference;
            if (stores) q[4 * i] = static_cast<int16_t>(value);
            if (magnitude) coded |= 1u << (ZigzagRow(i) >> 4 * n & 15);
        }
        if (is_luma)
            luma_error += error;
        else if (is_y2)
            y2_error = stores ? error : 0;
        else
            chroma_error = error;
        coded |= static_cast<uint32_t>(Shuffle(static_cast<int>(coded), 1));
        coded |= static_cast<uint32_t>(Shuffle(static_cast<int>(coded), 2));
        if (n == 0 && stores) {
            s.coded[block] = static_cast<uint16_t>(coded);
            s.eob[block] = static_cast<uint8_t>(32 - __clz(static_cast<int>(coded)));
        }
    }
    Sync();
    const int of_luma = Sum(luma_error), of_chroma = Sum(chroma_error) / 4;
    if (!luma || !has_y2) return {of_luma / 4, of_chroma};
    return {((of_luma << 2) + Sum(y2_error)) >> 4, of_chroma};
}

// Transposes 4x4 values of which four neighbouring lanes have a line each.
__device__ inline Line Transposed(Line l) {
    const bool odd = Lane() & 1, high = Lane() & 2;
    const int a = Shuffle(odd ? l.v[0] : l.v[1], 1), b = Shuffle(odd ? l.v[2] : l.v[3], 1);
    l = odd ? Line{{a, l.v[1], b, l.v[3]}} : Line{{l.v[0], a, l.v[2], b}};
    const int c = Shuffle(high ? l.v[0] : l.v[2], 2), d = Shuffle(high ? l.v[1] : l.v[3], 2);
    return high ? Line{{c, d, l.v[2], l.v[3]}} : Line{{l.v[0], l.v[1], c, d}};
}

// The inverse second-order transform. Lane n of the k-th four lanes gets the first coefficient of
// luma's block in row n and column k & 3.
__device__ inline int InverseY2Of() {
    const int n = Lane() & 3;
    const int16_t* q = State().q + 16 * kY2 + n;
    const int16_t* dequant = Segment().dequant[CUDAME_PLANE_Y2];
    Line l;
#pragma unroll
    for (int i = 0; i < 4; i++) l.v[i] = q[4 * i] * dequant[i || n];
    l = InverseWalshLine(Transposed(InverseWalshLine(l)));
    return InverseWalshRound(Pick(l, Lane() >> 2 & 3));
}

// Reconstructs eight blocks at a time. Four lanes share a block: they have a column of it, and then
// a row.
CODER_CALL void ReconstructBlocks(bool luma, bool chroma, bool has_y2, Picture picture) {
    Mb& s = State();
    const Planes to = PlanesOf(picture);
    const int n = Lane() & 3, k = Lane() >> 2;
    const bool with_y2 = luma && has_y2;
    const int from_y2 = with_y2 ? InverseY2Of() : 0;
    CODER_ROLLED
    for (int first = luma ? 0 : kFirstUv; first < (chroma ? kY2 : kFirstUv); first += 8) {
        const bool is_luma = first < kFirstUv;
        const int16_t* q = s.q + 16 * (first + k) + n;
        const int16_t* dequant = Segment().dequant[is_luma ? CUDAME_PLANE_Y : CUDAME_PLANE_UV];
        Line l;
#pragma unroll
        for (int i = 0; i < 4; i++) l.v[i] = q[4 * i] * dequant[i || n];
        const int dc = FromLane(from_y2, (Lane() & ~3) | (first / 4 + k / 4));
        if (is_luma && with_y2 && n == 0) l.v[0] = dc;
        l = InverseDctLine(Transposed(InverseDctLine(l)));
        const uint32_t pred = WordAt(s.pred + PixelsOf(first + k) + n * (is_luma ? 16 : 8));
#pragma unroll
        for (int i = 0; i < 4; i++)
            l.v[i] = InverseDctRound(l.v[i]) + static_cast<int>(pred >> 8 * i & 255);
        uint8_t* pixels =
            is_luma ? to.y + (first + 4 * (k >> 2) + n) * to.stride + 4 * (k & 3)
                    : (k < 4 ? to.u : to.v) + (4 * (k >> 1 & 1) + n) * to.uv_stride + 4 * (k & 1);
        WordAt(pixels) = PackPixels(l.v[0], l.v[1], l.v[2], l.v[3]);
    }
    Sync();
}

CODER_CALL void CopyToTiles(const uint8_t* luma, const uint8_t* chroma) {
    const Planes to = PlanesOf(kTiles);
    const int i = Lane(), x = 4 * (i & 3), y = i >> 2;
    WordAt(to.y + y * to.stride + x) = WordAt(luma + 4 * i);
    WordAt(to.y + (8 + y) * to.stride + x) = WordAt(luma + 4 * (32 + i));
    WordAt((i < 16 ? to.u : to.v) + (i >> 1 & 7) * to.uv_stride + 4 * (i & 1)) =
        WordAt(chroma + 4 * (64 + i));
    Sync();
}

CODER_CALL Pair SquaredErrors(Picture picture) {
    const Mb& s = State();
    const Planes p = PlanesOf(picture);
    const int i = Lane();
    const uint32_t* source = reinterpret_cast<const uint32_t*>(s.source);
    const uint8_t* y = p.y + (i >> 2) * p.stride + 4 * (i & 3);
    const uint8_t* uv = (i < 16 ? p.u : p.v) + (i >> 1 & 7) * p.uv_stride + 4 * (i & 1);
    const uint32_t luma = SquaredDifference(source[i], WordAt(y)) +
                          SquaredDifference(source[32 + i], WordAt(y + 8 * p.stride));
    const uint32_t chroma = SquaredDifference(source[64 + i], WordAt(uv));
    return {static_cast<int>(SumOf(luma)), static_cast<int>(SumOf(chroma))};
}

}  // namespace cudame::coder_warp

#endif  // CUDAME_CUDA_CODER_BLOCKS_CUH_
