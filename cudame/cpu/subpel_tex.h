// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The sub-pel search of grossi-2018 section 3.5, of all 25 blocks.

#ifndef CUDAME_CPU_SUBPEL_TEX_H_
#define CUDAME_CPU_SUBPEL_TEX_H_

#include "cpu/subpel.h"

namespace cudame {

// From the integer vector of each block: that vector, then the others of kTexMap
// around it in raster order, the first of equal costs winning; by SAD + rate,
// saturated at kMaxRate, against pixels interpolated as by the texture units of a GPU:
// the four around a position, weighted by its quarters, rounded once. Vectors
// outside of the window are not tried.
void RefineTex(const Kernels& kernels, const SearchTask& task, const IntegerResult& integer,
               SubpelResult* result);

}  // namespace cudame

#endif  // CUDAME_CPU_SUBPEL_TEX_H_
