// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The sub-pel search of grossi-2018 section 3.5, of all 25 blocks.

#ifndef CUDAME_CPU_SUBPEL_TEX_H_
#define CUDAME_CPU_SUBPEL_TEX_H_

#include "cpu/subpel.h"

namespace cudame {

// Refines the integer vector of each block: tries it, then the others of kTexMap around it in
// raster order. The first of equal costs wins. A cost is SAD + rate, at most kMaxRate, against
// bilinear pixels as the texture units of a GPU return them (Kernels::bilinear_phases).
// Vectors outside of the window are not tried.
void RefineTex(const Kernels& kernels, const SearchTask& task, const IntegerResult& integer,
               SubpelResult* result);

}  // namespace cudame

#endif  // CUDAME_CPU_SUBPEL_TEX_H_
