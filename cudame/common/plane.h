// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The caller's planes: checks, and which part of them is used.

#ifndef CUDAME_COMMON_PLANE_H_
#define CUDAME_COMMON_PLANE_H_

#include "common/geometry.h"
#include "cudame/cudame.h"

namespace cudame {

// Throw unless the plane is usable as a frame of this geometry. `what` is its name in the message.
void CheckPlane(const cudame_plane& plane, const Geometry& g, const char* what);

// Return whether the CPU can search a reference in place: whether its border is as wide as motion
// vectors reach. The CPU's kernels load whole SIMD vectors, up to 48 bytes past the border of a
// row. These bytes are in the next row in memory and never past the plane, because no motion vector
// reaches the 13 outermost rows of the border.
bool UsableInPlace(const cudame_plane& plane, const Geometry& g);

// Return the number of rows of a plane that are copied and searched.
int UsedRows(const cudame_plane& plane, const Geometry& g);

}  // namespace cudame

#endif  // CUDAME_COMMON_PLANE_H_
