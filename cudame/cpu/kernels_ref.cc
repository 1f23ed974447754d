// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Scalar kernels: the definition. Every other implementation must give the same results.

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "common/mv_cost.h"
#include "cpu/kernels.h"

namespace cudame {
namespace {

template <int kW, int kH>
uint32_t Sad(const uint8_t* a, ptrdiff_t as, const uint8_t* b, ptrdiff_t bs) {
    uint32_t sum = 0;
    for (int y = 0; y < kH; y++, a += as, b += bs)
        for (int x = 0; x < kW; x++) sum += static_cast<uint32_t>(std::abs(a[x] - b[x]));
    return sum;
}

template <int kW, int kH>
uint32_t Sse(const uint8_t* a, ptrdiff_t as, const uint8_t* b, ptrdiff_t bs) {
    uint32_t sum = 0;
    for (int y = 0; y < kH; y++, a += as, b += bs)
        for (int x = 0; x < kW; x++) sum += static_cast<uint32_t>((a[x] - b[x]) * (a[x] - b[x]));
    return sum;
}

void Hadamard4(const int* in, int step, int* out) {
    const int a = in[0] + in[step], b = in[0] - in[step];
    const int c = in[2 * step] + in[3 * step], d = in[2 * step] - in[3 * step];
    out[0] = a + c;
    out[step] = a - c;
    out[2 * step] = b + d;
    out[3 * step] = b - d;
}

// Return half the sum of the absolute 4x4 Hadamard coefficients. The sum is always even.
uint32_t Satd4x4(const uint8_t* a, ptrdiff_t as, const uint8_t* b, ptrdiff_t bs) {
    int d[16], t[16];
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) d[4 * y + x] = a[y * as + x] - b[y * bs + x];
    for (int i = 0; i < 4; i++) Hadamard4(d + 4 * i, 1, t + 4 * i);
    for (int i = 0; i < 4; i++) Hadamard4(t + i, 4, d + i);
    uint32_t sum = 0;
    for (int v : d) sum += static_cast<uint32_t>(std::abs(v));
    return sum / 2;
}

template <int kW, int kH>
uint32_t Satd(const uint8_t* a, ptrdiff_t as, const uint8_t* b, ptrdiff_t bs) {
    uint32_t sum = 0;
    for (int y = 0; y < kH; y += 4)
        for (int x = 0; x < kW; x += 4) sum += Satd4x4(a + y * as + x, as, b + y * bs + x, bs);
    return sum;
}

void Sad16List(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, const int32_t* offsets,
               int n, uint16_t* sads) {
    for (int i = 0; i < n; i++)
        sads[i] = static_cast<uint16_t>(Sad<16, 16>(src, 16, ref + offsets[i], stride));
}

void Sad8x8List(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, const int32_t* offsets,
                int n, uint16_t* sads) {
    for (int q = 0; q < 4; q++)
        for (int i = 0; i < n; i++) {
            const int x = 8 * (q % 2), y = 8 * (q / 2);
            sads[q * kQuarterStride + i] = static_cast<uint16_t>(
                Sad<8, 8>(src + 16 * y + x, 16, ref + offsets[i] + y * stride + x, stride));
        }
}

void QuarterMin(const uint16_t* quarters, const uint16_t* rates, int n, uint16_t cost[9],
                uint16_t sad[9], int8_t index[9]) {
    for (int i = 0; i < n; i++) {
        const int q0 = quarters[i], q1 = quarters[kQuarterStride + i];
        const int q2 = quarters[2 * kQuarterStride + i], q3 = quarters[3 * kQuarterStride + i];
        const int sads[9] = {q0 + q1 + q2 + q3, q0 + q1, q2 + q3, q0 + q2, q1 + q3, q0, q1, q2, q3};
        for (int b = 0; b < 9; b++) {
            const int c = std::min(sads[b] + rates[i], kMaxRate);
            if (c >= cost[b]) continue;
            cost[b] = static_cast<uint16_t>(c);
            sad[b] = static_cast<uint16_t>(sads[b]);
            index[b] = static_cast<int8_t>(i);
        }
    }
}

void Sad4x4At(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, uint16_t* sads) {
    for (int b = 0; b < 16; b++) {
        const int x = 4 * (b % 4), y = 4 * (b / 4);
        sads[b * kBatchStride] =
            static_cast<uint16_t>(Sad<4, 4>(src + 16 * y + x, 16, ref + y * stride + x, stride));
    }
}

void Sad4x4List(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, const int32_t* offsets,
                int n, uint16_t* sads) {
    for (int i = 0; i < n; i++) Sad4x4At(src, ref + offsets[i], stride, sads + i);
}

void Sad4x4Span(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, int n, uint16_t* sads) {
    for (int i = 0; i < n; i++) Sad4x4At(src, ref + i, stride, sads + i);
}

void RateSpan(const int* col_costs, int row_cost, int sad_per_bit, int n, uint16_t* rates) {
    for (int i = 0; i < n; i++)
        rates[i] = static_cast<uint16_t>(ScaleRate(row_cost + col_costs[i], sad_per_bit));
}

void TreeMin(uint16_t* sads, uint16_t* rates, int n, uint16_t cost[CUDAME_BLOCKS],
             int16_t index[CUDAME_BLOCKS]) {
    for (int i = 0; i < n; i++) {
        uint16_t s[CUDAME_BLOCKS];
        for (int b = CUDAME_BLOCK_4X4; b < CUDAME_BLOCKS; b++) s[b] = sads[b * kBatchStride + i];
        SumPartitionTree(s);
        for (int b = 0; b < CUDAME_BLOCKS; b++) {
            sads[b * kBatchStride + i] = s[b];
            const int c = std::min(s[b] + rates[i], kMaxRate);
            if (c < cost[b]) {
                cost[b] = static_cast<uint16_t>(c);
                index[b] = static_cast<int16_t>(i);
            }
        }
    }
}

uint8_t Round7(int v) { return static_cast<uint8_t>(std::clamp((v + 64) >> 7, 0, 255)); }

void Copy(const uint8_t* ref, ptrdiff_t stride, int width, int height, uint8_t* dst) {
    for (int y = 0; y < height; y++)
        memcpy(dst + 16 * y, ref + y * stride, static_cast<size_t>(width));
}

void PredictSixtap(const uint8_t* ref, ptrdiff_t stride, int fx, int fy, int width, int height,
                   uint8_t* dst) {
    if (!fx && !fy) return Copy(ref, stride, width, height, dst);
    uint8_t tmp[21 * 16];
    for (int y = -2; y < height + 3; y++)
        for (int x = 0; x < width; x++) {
            const uint8_t* p = ref + y * stride + x;
            int v = 0;
            if (!fx) {
                tmp[16 * (y + 2) + x] = p[0];
                continue;
            }
            for (int k = 0; k < 6; k++) v += kSixtap[fx][k] * p[k - 2];
            tmp[16 * (y + 2) + x] = Round7(v);
        }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int v = 0;
            for (int k = 0; k < 6; k++) v += kSixtap[fy][k] * tmp[16 * (y + k) + x];
            dst[16 * y + x] = Round7(v);
        }
}

void PredictBilinear(const uint8_t* ref, ptrdiff_t stride, int fx, int fy, int width, int height,
                     uint8_t* dst) {
    uint8_t tmp[17 * 16];
    for (int y = 0; y < height + 1; y++)
        for (int x = 0; x < width; x++) {
            const uint8_t* p = ref + y * stride + x;
            tmp[16 * y + x] = Round7((128 - 32 * fx) * p[0] + 32 * fx * p[1]);
        }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            dst[16 * y + x] =
                Round7((128 - 32 * fy) * tmp[16 * y + x] + 32 * fy * tmp[16 * (y + 1) + x]);
}

using PredictFn = void (*)(const uint8_t* ref, ptrdiff_t stride, int fx, int fy, int width,
                           int height, uint8_t* dst);
template <PredictFn kPredict>
void MakeHalfPlanes(const uint8_t* ref, ptrdiff_t stride, int size, HalfPlanes* planes) {
    uint8_t pixel[16];
    for (int p = 0; p < 4; p++)
        for (int y = -1; y < size + 1 - p / 2; y++)
            for (int x = -1; x < size + 1 - p % 2; x++) {
                kPredict(ref + y * stride + x, stride, p % 2 * 2, p / 2 * 2, 1, 1, pixel);
                planes->plane[p][kHalfOrigin + y * kHalfStride + x] = pixel[0];
            }
}

void MeanOf(const PixelPair& pair, int size, uint8_t* out) {
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            out[16 * y + x] = static_cast<uint8_t>(
                (pair.a[y * kHalfStride + x] + pair.b[y * kHalfStride + x] + 1) >> 1);
}

void SatdHalf16(const uint8_t* src, const HalfPlanes& planes, uint32_t dist[9]) {
    for (int n = 0; n < 9; n++)
        dist[n] = Satd<16, 16>(src, 16, planes.At(n / 3 - 1, n % 3 - 1), kHalfStride);
}

void SatdQuarter16(const uint8_t* src, const HalfPlanes& planes, int centre, unsigned wanted,
                   uint32_t dist[9]) {
    uint8_t mean[16 * 16];
    for (int n = 0; n < 9; n++) {
        if (n == 4 || !(wanted & 1u << n)) continue;
        MeanOf(QuarterPair(planes, centre, n), 16, mean);
        dist[n] = Satd<16, 16>(src, 16, mean, 16);
    }
}

void SatdHalf8(const uint8_t* src, const HalfPlanes& planes, uint32_t dist[9]) {
    for (int n = 0; n < 9; n++)
        dist[n] = Satd<8, 8>(src, 16, planes.At(n / 3 - 1, n % 3 - 1), kHalfStride);
}

void SatdQuarter8(const uint8_t* src, const HalfPlanes& planes, int centre, uint32_t dist[9]) {
    uint8_t mean[8 * 16];
    for (int n = 0; n < 9; n++) {
        if (n == 4) continue;
        MeanOf(QuarterPair(planes, centre, n), 8, mean);
        dist[n] = Satd<8, 8>(src, 16, mean, 16);
    }
}

unsigned KnownNeighbours(const TriedVectors& tried, LeanVec centre) {
    unsigned known = 0;
    for (int bit = 0; bit < 8; bit++) {
        const int n = NeighbourOf(bit), x = centre.x + n % 3 - 1, y = centre.y + n / 3 - 1;
        for (int i = 0; i < TriedVectors::kMost; i++) {
            const int reach = i < tried.boxed ? 1 : 0;
            if (std::abs(tried.x[i] - x) <= reach && std::abs(tried.y[i] - y) <= reach)
                known |= 1u << bit;
        }
    }
    return known;
}

int RateOf(const NeighbourRates& rates, int n) {
    return ScaleRate(rates.rows[rates.step * (n / 3 - 1)] + rates.cols[rates.step * (n % 3 - 1)],
                     rates.sad_per_bit);
}

int ListNeighbours(LeanVec centre, int distance, unsigned wanted, int stride,
                   const NeighbourRates& rates, const VectorLists& lists) {
    int count = 0;
    for (int bit = 0; bit < 8; bit++) {
        if (!(wanted & 1u << bit)) continue;
        const int n = NeighbourOf(bit);
        const Vec v = {centre.x + distance * (n % 3 - 1), centre.y + distance * (n / 3 - 1)};
        lists.mv[count] = Packed(v);
        lists.offsets[count] = v.y * stride + v.x;
        lists.rates[count++] = static_cast<uint16_t>(RateOf(rates, n));
    }
    return count;
}

int NeighbourMin(const NeighbourRates& rates, const uint32_t first[9], const uint32_t second[9],
                 unsigned wanted, uint32_t cost[9]) {
    int low = 4;
    for (int n = 0; n < 9; n++) {
        if (n == 4) continue;
        cost[n] = first[n] + second[n] + static_cast<uint32_t>(RateOf(rates, n));
        if (wanted & 1u << n && cost[n] < cost[low]) low = n;
    }
    return low;
}

void BilinearPhases(const uint8_t* ref, ptrdiff_t stride, int width, int height, uint8_t* out) {
    for (int phase = 0; phase < 16; phase++) {
        const int fx = phase % 4, fy = phase / 4;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const uint8_t *p = ref + y * stride + x, *q = p + stride;
                const int sum =
                    (4 - fy) * ((4 - fx) * p[0] + fx * p[1]) + fy * ((4 - fx) * q[0] + fx * q[1]);
                out[phase * kPhaseSize + y * kPhaseStride + x] =
                    static_cast<uint8_t>((sum + 8) >> 4);
            }
    }
}

void Shrink4(const uint8_t* const rows[4], ptrdiff_t /*ahead*/, int n, uint8_t* out) {
    for (int i = 0; i < n; i++) out[i] = MeanOf4x4(rows, i);
}

}  // namespace

const Kernels& ReferenceKernels() {
    static const Kernels kernels = {
        "scalar",
        Sad16List,
        Sad8x8List,
        QuarterMin,
        Sad4x4List,
        Sad4x4Span,
        RateSpan,
        TreeMin,
        {{Sad<16, 16>, Sad<16, 8>, Sad<8, 16>, Sad<8, 8>, Sad<4, 4>},
         {Satd<16, 16>, Satd<16, 8>, Satd<8, 16>, Satd<8, 8>, Satd<4, 4>},
         {Sse<16, 16>, Sse<16, 8>, Sse<8, 16>, Sse<8, 8>, Sse<4, 4>}},
        {PredictSixtap, PredictBilinear},
        {MakeHalfPlanes<PredictSixtap>, MakeHalfPlanes<PredictBilinear>},
        SatdHalf16,
        SatdQuarter16,
        SatdHalf8,
        SatdQuarter8,
        KnownNeighbours,
        ListNeighbours,
        NeighbourMin,
        BilinearPhases,
        Shrink4,
        EstimateIntra16,
        EstimateIntra};
    return kernels;
}

}  // namespace cudame
