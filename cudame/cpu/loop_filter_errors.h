// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The scalar definition of the errors after the loop filter; cudame/loop_filter.h describes it.

#ifndef CUDAME_CPU_LOOP_FILTER_ERRORS_H_
#define CUDAME_CPU_LOOP_FILTER_ERRORS_H_

#include <cstdint>

#include "common/geometry.h"
#include "cudame/loop_filter.h"

namespace cudame {

// Try the filter's levels one after the other. errors[] is that of cudame_loop_filter_errors(). The
// filter has passed CheckLoopFilter().
void LoopFilterErrors(const cudame_loop_filter& filter, const Geometry& g,
                      const cudame_plane& source, uint32_t* errors);

}  // namespace cudame

#endif  // CUDAME_CPU_LOOP_FILTER_ERRORS_H_
