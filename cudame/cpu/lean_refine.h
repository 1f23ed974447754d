// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The sub-pel part of the lean search of one macroblock against one reference: the
// definition, which the CUDA kernels match. The eight half-pel neighbours, then the eight
// quarter-pel ones of the best, by SATD and rate. Half pels are VP8's; quarter pels are means of
// them (QuarterPair()). Of equal costs the centre wins, else the first in raster order; those
// beyond the window are left out.

#ifndef CUDAME_CPU_LEAN_REFINE_H_
#define CUDAME_CPU_LEAN_REFINE_H_

#include "cpu/lean_search.h"
#include "cudame/cudame.h"

namespace cudame {

// The 16x16 vector from a whole-pixel one. Without `moves` it stays; from a distortion of `quarter`
// at half a pixel on it gets quarter-pel ones. The distortion that is told is that of VP8's filter.
void LeanRefine(const Kernels& kernels, const LeanTask& task, enum cudame_filter filter, Vec whole,
                bool moves, int quarter, cudame_mb* out);

// The vectors of the smaller blocks, each from its whole-pixel one. Distortions at quarter pels
// are those that the vectors were chosen by. 4x4 blocks keep their quarter's whole-pixel vector,
// at 65535.
void LeanRefineSplit(const Kernels& kernels, const LeanTask& task, enum cudame_filter filter,
                     const LeanVec whole[kLeanBlocks], cudame_split* out);

}  // namespace cudame

#endif  // CUDAME_CPU_LEAN_REFINE_H_
