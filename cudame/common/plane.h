// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The caller's planes: what is allowed, and what is used of them.

#ifndef CUDAME_COMMON_PLANE_H_
#define CUDAME_COMMON_PLANE_H_

#include "common/geometry.h"
#include "cudame/cudame.h"

namespace cudame {

// Throws, with `what` as the plane's name, unless it is usable as a frame of this geometry.
void CheckPlane(const cudame_plane& plane, const Geometry& g, const char* what);

// Whether a reference can be searched where it lies: it has the border that vectors reach.
// The CPU's kernels read whole vectors of pixels, up to 48 bytes past a row's border. That
// ends in the row that follows in memory, and never past the plane, because no vector
// reaches the 13 outermost rows of the border.
bool UsableInPlace(const cudame_plane& plane, const Geometry& g);

// How many of a plane's rows are copied and searched.
int UsedRows(const cudame_plane& plane, const Geometry& g);

}  // namespace cudame

#endif  // CUDAME_COMMON_PLANE_H_
