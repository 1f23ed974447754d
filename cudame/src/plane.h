// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Planes: in-place views of the caller's pixels, padded copies of them, and
// single macroblocks of a source.

#ifndef CUDAME_SRC_PLANE_H_
#define CUDAME_SRC_PLANE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cudame/cudame.h"
#include "geometry.h"

namespace cudame {

// Pixels readable from -CUDAME_REF_BORDER to the macroblock-padded size plus
// CUDAME_REF_BORDER, in both directions.
struct PlaneView {
    const uint8_t* data = nullptr;
    ptrdiff_t stride = 0;
};

// Throws unless the plane is usable as a frame of this geometry.
void CheckPlane(const cudame_plane& plane, const Geometry& g, const char* what);

// Whether a reference can be searched where it lies. The kernels read whole
// vectors, so up to 48 bytes past the border of a row: no further than into
// the row that follows in memory, and never past the plane, because the 13
// outermost border rows are not addressed.
bool UsableInPlace(const cudame_plane& plane, const Geometry& g);

// A copy with replicated borders, filled row by row.
class PaddedPlane {
  public:
    explicit PaddedPlane(const Geometry& g);

    // Rows come in order. The last row of the plane completes the border.
    void CopyRows(const cudame_plane& plane, int first_row, int rows);

    PlaneView view() const { return {origin_, stride_}; }

  private:
    void PadRow(uint8_t* row, int valid) const;

    Geometry g_;
    ptrdiff_t stride_;
    std::vector<uint8_t> store_;
    uint8_t* origin_;
};

// Rows of a plane that the copy and the search use.
int UsedRows(const cudame_plane& plane, const Geometry& g);

// Copies one macroblock of a source, edges replicated, to 16 rows of 16.
void FetchMacroblock(const cudame_plane& plane, int mb_row, int mb_col, uint8_t* dst);

}  // namespace cudame

#endif  // CUDAME_SRC_PLANE_H_
