// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The sub-pel search of grossi-2018 section 3.5 for all 25 blocks.

#ifndef CUDAME_CPU_SUBPEL_TEX_H_
#define CUDAME_CPU_SUBPEL_TEX_H_

#include "cpu/subpel.h"

namespace cudame {

// Refine the whole-pixel vector of each block. It tries that vector, then the others of kTexMap
// around it in raster order. Of equal costs the first wins. A cost is SAD + rate, at most kMaxRate,
// against bilinear pixels as the texture units of a GPU compute them (Kernels::bilinear_phases).
// Vectors outside the window are not tried.
void RefineTex(const Kernels& kernels, const SearchTask& task, const IntegerResult& integer,
               SubpelResult* result);

}  // namespace cudame

#endif  // CUDAME_CPU_SUBPEL_TEX_H_
