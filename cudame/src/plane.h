// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The caller's planes: what is allowed, and what is used of them.

#ifndef CUDAME_SRC_PLANE_H_
#define CUDAME_SRC_PLANE_H_

#include "cudame/cudame.h"
#include "geometry.h"

namespace cudame {

// Throws unless the plane is usable as a frame of this geometry.
void CheckPlane(const cudame_plane& plane, const Geometry& g, const char* what);

// Whether a reference can be searched where it lies. The kernels read whole
// vectors, so up to 48 bytes past the border of a row: no further than into
// the row that follows in memory, and never past the plane, because the 13
// outermost border rows are not addressed.
bool UsableInPlace(const cudame_plane& plane, const Geometry& g);

// Rows of a plane that the copy and the search use.
int UsedRows(const cudame_plane& plane, const Geometry& g);

}  // namespace cudame

#endif  // CUDAME_SRC_PLANE_H_
