// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The sub-pel part of the lean search of one macroblock against one reference. This is the
// definition; the CUDA kernels give the same result. It tries the eight half-pel neighbours, then
// the eight quarter-pel neighbours of the best of these, by SATD + rate. Half-pel pixels come from
// VP8's filter; quarter-pel pixels are means of two half-pel ones (QuarterPair()). Of equal costs
// the centre wins, then the first in raster order. Vectors outside the window are not tried.

#ifndef CUDAME_CPU_LEAN_REFINE_H_
#define CUDAME_CPU_LEAN_REFINE_H_

#include "cpu/lean_search.h"
#include "cudame/cudame.h"

namespace cudame {

// Refine a whole-pixel 16x16 vector. It gets quarter-pel neighbours if its SATD at half a pixel is
// at least `quarter`. The record's distortion is measured with VP8's own filter.
void LeanRefine(const Kernels& kernels, const LeanTask& task, enum cudame_filter filter, Vec whole,
                int quarter, cudame_mb* out);

// Refine the vectors of the smaller blocks, each from its whole-pixel vector. The record's
// distortions at quarter-pel vectors are those of the means that chose the vectors. 4x4 blocks keep
// the whole-pixel vector of their quarter, with a distortion of 65535.
void LeanRefineSplit(const Kernels& kernels, const LeanTask& task, enum cudame_filter filter,
                     const LeanVec whole[kLeanBlocks], cudame_split* out);

}  // namespace cudame

#endif  // CUDAME_CPU_LEAN_REFINE_H_
