// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Sub-blocks of B_PRED, by a warp, see common/coder/evaluate.h. Half a warp has a sub-block. Four
// of its lanes have one of the modes to evaluate: each has a row of the block, and then a column.

#ifndef CUDAME_CUDA_CODER_SUBBLOCKS_CUH_
#define CUDAME_CUDA_CODER_SUBBLOCKS_CUH_

#include "common/coder/evaluate.h"
#include "cuda/coder_blocks.cuh"

namespace cudame::coder_warp {

// The value of lane i of this half of the warp.
__device__ inline int OfHalf(int v, int i) { return FromLane(v, (Lane() & 16) | i); }
// The sum over the four lanes of a mode.
__device__ inline int SumOfMode(int v) {
    v += Shuffle(v, 1);
    return v + Shuffle(v, 2);
}

// Sets the taps of a sub-block's edge (common/intra.h). Lane i has pixel i of the edge, or, if
// there is none, the first one.
__device__ inline void MakeTaps(Mb& s, int block, uint8_t* taps) {
    const int i = Lane() & 15;
    const int e = EdgeAt(s, block, i < kEdge ? i : 0);
    const int before = OfHalf(e, Max(i - 1, 0)), after = OfHalf(e, Min(i + 1, kEdge - 1));
    if (i < kEdge) taps[i] = static_cast<uint8_t>((before + 2 * e + after + 2) >> 2);
    if (i < kEdge - 1)
        taps[kEdgePair + i] = static_cast<uint8_t>((e + after + 1) >> 1);
    else if (i == kEdge)
        taps[kEdgeLast] = static_cast<uint8_t>(e);
    __syncwarp();
}

// Predicts row n of a sub-block, whose first pixel is at00.
__device__ inline uint32_t PredictRow(const uint8_t* at00, const uint8_t* taps, int mode, int n) {
    const uint32_t above = WordAt(at00 - kTileStride);
    const int left = at00[n * kTileStride - 1], corner = at00[-kTileStride - 1];
    const int dc = static_cast<int>(__dp4a(above, 0x01010101u, 4u)) + SumOfMode(left);
    const uint32_t tap = WordAt(kTap[mode >= kBVePred ? mode - kBVePred : 0] + 4 * n);
    uint32_t row = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int of_tm = left + static_cast<int>(above >> 8 * i & 255) - corner;
        const int pixel = mode >= kBVePred   ? taps[tap >> 8 * i & 255]
                          : mode == kBTmPred ? Pixel(of_tm)
                                             : dc >> 3;
        row |= static_cast<uint32_t>(pixel) << 8 * i;
    }
    return row;
}

template <bool kKey>
CODER_CALL void CodeSubblocks(int step) {
    Mb& s = State();
    const cudame_segment& seg = Segment();
    const int half = Lane() >> 4, which = Lane() >> 2 & 3, n = Lane() & 3;
    const int block = SubblockOf(step, half), x = 4 * (block & 3), y = 4 * (block >> 2);
    const int neighbours = NeighboursOf(s, block, 0);
    const SubblockModes modes = ModesOf<kKey>(s, block);
    uint32_t left = modes.evaluated;
    // Lanes without a mode have the last one again.
#pragma unroll
    for (int i = 1; i < kMostSubblockModes; i++)
        if (which >= i && (left & (left - 1))) left &= left - 1;
    const int mode = __ffs(static_cast<int>(left)) - 1, mode_rate = modes.rates[mode];
    MakeTaps(s, block, s.taps[half]);
    uint8_t* const at00 = TileAt(s, x, y);
    const uint32_t pred = PredictRow(at00, s.taps[half], mode, n);
    const uint32_t source = WordAt(s.source + 16 * (y + n) + x);
    Line line;
#pragma unroll
    for (int i = 0; i < 4; i++)
        line.v[i] = static_cast<int>(source >> 8 * i & 255) - static_cast<int>(pred >> 8 * i & 255);
    line = ForwardDctColumn(Transposed(ForwardDctRow(line)));
    int16_t* q = s.block_q[half][which];
    int error = 0;
    uint32_t coded = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int c = line.v[i], ac = i || n, dequant = seg.dequant[CUDAME_PLANE_Y][ac];
        const int magnitude =
            ((Abs(c) + seg.round[CUDAME_PLANE_Y][4 * i + n]) * seg.quant[CUDAME_PLANE_Y][ac]) >> 16;
        const int value = c < 0 ? -magnitude : magnitude, difference = c - value * dequant;
        error += difference * difference;
        q[4 * i + n] = static_cast<int16_t>(value);
        if (magnitude) coded |= 1u << (ZigzagRow(i) >> 4 * n & 15);
        line.v[i] = value * dequant;
    }
    coded |= static_cast<uint32_t>(Shuffle(static_cast<int>(coded), 1));
    coded |= static_cast<uint32_t>(Shuffle(static_cast<int>(coded), 2));
    const int eob = 32 - __clz(static_cast<int>(coded));
    __syncwarp();
    const int before = n ? Abs(q[ZigzagAt(4 * n - 1)]) : neighbours;
    const int tokens = SumOfMode(RateOfFour(kWithDc, q, 4 * n, eob, before));
    const int distortion = SumOfMode(error) >> 2;
    const int rd = RdCostOf(seg, tokens + mode_rate, distortion);
    // The first of the lowest costs.
    int low = rd, best = which;
#pragma unroll
    for (int mask = 4; mask <= 8; mask <<= 1) {
        const int other = Shuffle(low, mask), of = Shuffle(best, mask);
        if (other < low || (other == low && of < best)) {
            low = other;
            best = of;
        }
    }
    line = InverseDctLine(Transposed(InverseDctLine(line)));
    const bool is_repeated = half && block == SubblockOf(step, 0);
    if (which == best && !is_repeated) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            line.v[i] = InverseDctRound(line.v[i]) + static_cast<int>(pred >> 8 * i & 255);
        WordAt(at00 + n * kTileStride) = PackPixels(line.v[0], line.v[1], line.v[2], line.v[3]);
        reinterpret_cast<uint2*>(s.q + 16 * block)[n] = reinterpret_cast<const uint2*>(q)[n];
        if (n == 0) {
            s.block_cost[block] = {rd, tokens, mode_rate, distortion};
            s.coded[block] = static_cast<uint16_t>(coded);
            s.eob[block] = static_cast<uint8_t>(eob);
            s.bmode[block] = static_cast<uint8_t>(mode);
        }
    }
    __syncwarp();
}

}  // namespace cudame::coder_warp

#endif  // CUDAME_CUDA_CODER_SUBBLOCKS_CUH_
