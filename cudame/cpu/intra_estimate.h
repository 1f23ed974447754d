// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Intra estimates: the pixels that predict a macroblock, and the scalar definition of the estimate;
// cudame_intra describes it.

#ifndef CUDAME_CPU_INTRA_ESTIMATE_H_
#define CUDAME_CPU_INTRA_ESTIMATE_H_

#include <cstdint>

#include "common/geometry.h"
#include "common/intra.h"
#include "cudame/cudame.h"

namespace cudame {

// A source macroblock and the pixels around it.
struct IntraSource {
    alignas(64) uint8_t pixels[kMb * kMb];
    alignas(16) uint8_t left[kMb];
    // the row above, and four pixels above the macroblock to the right
    alignas(16) uint8_t above[kMb + 4];
    uint8_t above_left;
    bool has_above, has_left;  // whether the frame has these pixels
};

// Fetch macroblock (mb_row, mb_col) of a source in host memory.
void FetchIntraSource(const cudame_plane& plane, const Geometry& g, int mb_row, int mb_col,
                      IntraSource* out);

// Return the value that DC_PRED predicts.
int MeanOfEdges(const IntraSource& mb);

// Compute the SATDs of the four 16x16 modes.
void EstimateIntra16(const IntraSource& mb, uint16_t satd[4]);

// Estimate n macroblocks: mbs[i] gives out[i].
void EstimateIntra(const IntraSource* mbs, int n, const IntraRates& rates, cudame_intra* out);

}  // namespace cudame

#endif  // CUDAME_CPU_INTRA_ESTIMATE_H_
