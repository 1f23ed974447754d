// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Sub-blocks of B_PRED, by a warp, see common/coder/evaluate.h. A lane has one pixel or one
// coefficient, so that half a warp evaluates a mode.

#ifndef CUDAME_CUDA_CODER_SUBBLOCKS_CUH_
#define CUDAME_CUDA_CODER_SUBBLOCKS_CUH_

#include "common/coder/evaluate.h"
#include "cuda/coder_blocks.cuh"

namespace cudame::coder_warp {

// The value of lane i of this half of the warp.
__device__ inline int OfHalf(int v, int i) { return FromLane(v, (Lane() & 16) | i); }
__device__ inline int SumOfHalf(int v) {
    for (int mask = 8; mask; mask >>= 1) v += Shuffle(v, mask);
    return v;
}
__device__ inline Line RowAround(int v, int y) {
    return {{OfHalf(v, 4 * y), OfHalf(v, 4 * y + 1), OfHalf(v, 4 * y + 2), OfHalf(v, 4 * y + 3)}};
}
__device__ inline Line ColumnAround(int v, int x) {
    return {{OfHalf(v, x), OfHalf(v, 4 + x), OfHalf(v, 8 + x), OfHalf(v, 12 + x)}};
}

// A pixel of the prediction of a sub-block, whose first pixel is at00 and whose taps are made.
__device__ inline int PixelOf(const Mb& s, const uint8_t* at00, int mode, int i) {
    if (mode >= kBVePred) return s.taps[kTap[mode - kBVePred][i]];
    const uint8_t* above = at00 - kTileStride;
    if (mode == kBTmPred) return Pixel(at00[(i >> 2) * kTileStride - 1] + above[i & 3] - above[-1]);
    int sum = 4;
#pragma unroll
    for (int k = 0; k < 4; k++) sum += above[k] + at00[k * kTileStride - 1];
    return sum >> 3;
}

// The rate of the token at position i in zigzag order; at the end of the block, that of its end.
__device__ inline int TokenRate(int i, int value, int before, int eob, int neighbours) {
    const int magnitude = Abs(before);
    const int context = i == 0 ? neighbours : magnitude > 1 ? 2 : magnitude;
    const auto& rates = Rates().token[kWithDc][BandAt(i)][context];
    if (i < eob) return rates[TokenOf(Abs(value))] + Frame().value_cost[value];
    return i == eob ? rates[kEobToken] : 0;
}

// Evaluates one mode in each half of the warp. A half that does not store repeats the other's.
__device__ inline void EvaluateMode(int block, int mode, int neighbours, int mode_rate,
                                    bool stores) {
    Mb& s = State();
    const cudame_segment& seg = Segment();
    const int i = Lane() & 15, x = i & 3, y = i >> 2, ac = i > 0;
    const int at_x = 4 * (block & 3), at_y = 4 * (block >> 2);
    const int pixel = PixelOf(s, TileAt(s, at_x, at_y), mode, i);
    int v = s.source[16 * (at_y + y) + at_x + x] - pixel;
    v = Pick(ForwardDctRow(RowAround(v, y)), x);
    v = Pick(ForwardDctColumn(ColumnAround(v, x)), y);
    const int magnitude =
        ((Abs(v) + seg.round[CUDAME_PLANE_Y][i]) * seg.quant[CUDAME_PLANE_Y][ac]) >> 16;
    const int q = v < 0 ? -magnitude : magnitude;
    const int difference = v - q * seg.dequant[CUDAME_PLANE_Y][ac];
    const int value = OfHalf(q, ZigzagAt(i)), before = OfHalf(q, ZigzagAt(i ? i - 1 : 0));
    const uint32_t coded = __ballot_sync(0xffffffffu, value != 0) >> (Lane() & 16) & 0xffff;
    const int eob = 32 - __clz(static_cast<int>(coded));
    const int tokens = SumOfHalf(TokenRate(i, value, before, eob, neighbours));
    const int error = SumOfHalf(difference * difference) >> 2;
    if (!stores) return;
    s.block_pred[mode][i] = static_cast<uint8_t>(pixel);
    s.block_q[mode][i] = static_cast<int16_t>(q);
    if (i) return;
    s.block_cost[mode][0] = RdCostOf(seg, tokens + mode_rate, error);
    s.block_cost[mode][1] = tokens;
    s.block_cost[mode][2] = error;
    s.block_coded[mode] = static_cast<uint16_t>(coded);
}

CODER_CALL int EvaluateSubblock(int block, uint32_t modes, const int* rates) {
    Mb& s = State();
    const int neighbours = NeighboursOf(s, block, 0);
    MakeTaps(block);
    CODER_ROLLED
    for (uint32_t left = modes; left;) {
        const int first = __ffs(static_cast<int>(left)) - 1;
        left &= left - 1;
        const int second = left ? __ffs(static_cast<int>(left)) - 1 : first;
        left &= left - 1;
        const bool is_first = Lane() < 16;
        const int mode = is_first ? first : second;
        EvaluateMode(block, mode, neighbours, rates[mode], is_first || second != first);
        __syncwarp();
    }
    int best = -1;
    CODER_ROLLED
    for (uint32_t left = modes; left; left &= left - 1) {
        const int mode = __ffs(static_cast<int>(left)) - 1;
        if (best < 0 || s.block_cost[mode][0] < s.block_cost[best][0]) best = mode;
    }
    return best;
}

CODER_CALL void TakeSubblock(int block, int mode) {
    Mb& s = State();
    const int i = Lane() & 15, x = i & 3, y = i >> 2;
    const int q = s.block_q[mode][i];
    int v = q * Segment().dequant[CUDAME_PLANE_Y][i > 0];
    v = Pick(InverseDctLine(ColumnAround(v, x)), y);
    v = InverseDctRound(Pick(InverseDctLine(RowAround(v, y)), x));
    if (Lane() < 16) {
        *TileAt(s, 4 * (block & 3) + x, 4 * (block >> 2) + y) = Pixel(s.block_pred[mode][i] + v);
        s.q[16 * block + i] = static_cast<int16_t>(q);
    }
    if (Lane() == 0) {
        const int coded = s.block_coded[mode];
        s.coded[block] = static_cast<uint16_t>(coded);
        s.eob[block] = static_cast<uint8_t>(32 - __clz(coded));
        s.bmode[block] = static_cast<uint8_t>(mode);
    }
    __syncwarp();
}

}  // namespace cudame::coder_warp

#endif  // CUDAME_CUDA_CODER_SUBBLOCKS_CUH_
