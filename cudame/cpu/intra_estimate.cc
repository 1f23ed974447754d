// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/intra_estimate.h"

#include <algorithm>
#include <cstring>

#include "common/transform.h"
#include "cpu/kernels.h"
#include "cpu/padded_plane.h"

namespace cudame {
namespace {

MetricFn SatdOf(int size) {
    return ReferenceKernels().metric[static_cast<int>(Metric::kSatd)][size];
}

// Predict a block of n x n pixels by TM_PRED.
void PredictTrueMotion(const uint8_t* left, const uint8_t* above, int corner, int n, uint8_t* out) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) out[n * y + x] = ClampPixel(left[y] + above[x] - corner);
}

void Predict16(const IntraSource& mb, int mode, uint8_t* out) {
    if (mode == 3) return PredictTrueMotion(mb.left, mb.above, mb.above_left, kMb, out);
    const int mean = MeanOfEdges(mb);
    for (int y = 0; y < kMb; y++)
        for (int x = 0; x < kMb; x++)
            out[kMb * y + x] = mode == 0   ? static_cast<uint8_t>(mean)
                               : mode == 1 ? mb.above[x]
                                           : mb.left[y];
}

void FetchEdge(const IntraSource& mb, int block, uint8_t* edge) {
    const int x = 4 * (block % 4), y = 4 * (block / 4);
    const auto row_above = [&](int i) { return y ? mb.pixels[kMb * (y - 1) + i] : mb.above[i]; };
    for (int i = 0; i < 4; i++) edge[3 - i] = x ? mb.pixels[kMb * (y + i) + x - 1] : mb.left[y + i];
    edge[kEdgeCorner] = x ? row_above(x - 1) : y ? mb.left[y - 1] : mb.above_left;
    for (int i = 0; i < 8; i++)
        edge[kEdgeAbove + i] = x + i < kMb ? row_above(x + i) : mb.above[x + i];
}

void PredictSubBlock(const uint8_t* edge, int mode, uint8_t* out) {
    const uint8_t* above = edge + kEdgeAbove;
    if (mode == 0) {
        int sum = 4;
        for (int i = 0; i < 4; i++) sum += edge[i] + above[i];
        memset(out, sum >> 3, 16);
    } else if (mode == 1) {
        const uint8_t left[4] = {edge[3], edge[2], edge[1], edge[0]};
        PredictTrueMotion(left, above, edge[kEdgeCorner], 4, out);
    } else {
        uint8_t taps[kEdgeTaps];
        for (int i = 0; i < kEdge; i++)
            taps[i] = static_cast<uint8_t>(
                (edge[std::max(i - 1, 0)] + 2 * edge[i] + edge[std::min(i + 1, kEdge - 1)] + 2) >>
                2);
        for (int i = 0; i < kEdge - 1; i++)
            taps[kEdgePair + i] = static_cast<uint8_t>((edge[i] + edge[i + 1] + 1) >> 1);
        taps[kEdgeLast] = edge[0];
        for (int i = 0; i < 16; i++) out[i] = taps[kEdgeTap[mode - kFirstDirection][i]];
    }
}

}  // namespace

void FetchIntraSource(const cudame_plane& plane, const Geometry& g, int mb_row, int mb_col,
                      IntraSource* out) {
    const ptrdiff_t x = mb_col * kMb, y = mb_row * kMb;
    FetchMacroblock(plane, mb_row, mb_col, out->pixels);
    out->has_above = mb_row > 0;
    out->has_left = mb_col > 0;
    out->above_left = out->has_above ? kLeftOfFrame : kAboveFrame;
    memset(out->left, kLeftOfFrame, sizeof(out->left));
    memset(out->above, kAboveFrame, sizeof(out->above));
    if (out->has_left)
        for (int i = 0; i < kMb; i++)
            out->left[i] =
                plane.data[std::min<ptrdiff_t>(y + i, plane.height - 1) * plane.stride + x - 1];
    if (!out->has_above) return;
    const uint8_t* above = plane.data + (y - 1) * plane.stride + x;
    if (out->has_left) out->above_left = above[-1];
    const int wanted = kMb + (mb_col + 1 < g.mb_cols ? 4 : 0);
    const int valid = static_cast<int>(std::min<ptrdiff_t>(plane.width - x, wanted));
    memcpy(out->above, above, static_cast<size_t>(valid));
    memset(out->above + valid, above[valid - 1], static_cast<size_t>(wanted - valid));
}

int MeanOfEdges(const IntraSource& mb) {
    if (!mb.has_above && !mb.has_left) return 128;
    int sum = 0, count = 0;
    if (mb.has_above)
        for (int i = 0; i < kMb; i++, count++) sum += mb.above[i];
    if (mb.has_left)
        for (int i = 0; i < kMb; i++, count++) sum += mb.left[i];
    return (sum + count / 2) / count;
}

void EstimateIntra16(const IntraSource& mb, uint16_t satd[4]) {
    const MetricFn satd16 = SatdOf(k16x16);
    uint8_t prediction[kMb * kMb];
    for (int mode = 0; mode < 4; mode++) {
        Predict16(mb, mode, prediction);
        satd[mode] = Saturate16(satd16(mb.pixels, kMb, prediction, kMb));
    }
}

void EstimateIntra(const IntraSource* mbs, int n, const IntraRates& rates, cudame_intra* out) {
    const MetricFn satd4 = SatdOf(k4x4);
    for (const IntraSource* mb = mbs; mb < mbs + n; mb++, out++) {
        *out = {};
        EstimateIntra16(*mb, out->satd16);
        uint8_t prediction[kMb * kMb];
        uint32_t sum = 0;
        for (int block = 0; block < 16; block++) {
            uint8_t edge[kEdge];
            FetchEdge(*mb, block, edge);
            // The cost in the upper bits, the mode in the lower ones: of equal costs the first mode
            // is less.
            uint32_t best = UINT32_MAX, second = UINT32_MAX;
            for (uint32_t mode = 0; mode < CUDAME_BMODES; mode++) {
                PredictSubBlock(edge, static_cast<int>(mode), prediction);
                const uint8_t* src = mb->pixels + kMb * 4 * (block / 4) + 4 * (block % 4);
                const uint32_t cost = Saturate16(satd4(src, kMb, prediction, 4) + rates[mode]);
                const uint32_t key = cost << 4 | mode;
                second = std::min(second, std::max(best, key));
                best = std::min(best, key);
            }
            sum += best >> 4;
            out->mode4[block] = static_cast<uint8_t>((best & 15) | (second & 15) << 4);
        }
        out->cost4 = Saturate16(sum);
    }
}

}  // namespace cudame
