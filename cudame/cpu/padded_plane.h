// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Planes as the CPU backend reads them: in place, as padded copies, shrunk, and as single
// macroblocks.

#ifndef CUDAME_CPU_PADDED_PLANE_H_
#define CUDAME_CPU_PADDED_PLANE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/geometry.h"
#include "cudame/cudame.h"

namespace cudame {

// A plane of whole macroblocks with CUDAME_REF_BORDER more pixels on every side. data points to the
// first pixel inside the border.
struct PlaneView {
    const uint8_t* data = nullptr;
    ptrdiff_t stride = 0;
};

// A copy of a plane with replicated borders, filled row by row.
class PaddedPlane {
  public:
    explicit PaddedPlane(const Geometry& g);

    // Copy rows. Rows come in order; the last one completes the border.
    void CopyRows(const cudame_plane& plane, int first_row, int rows);

    PlaneView view() const { return {origin_, stride_}; }

  private:
    void PadRow(uint8_t* row, int valid) const;

    Geometry g_;
    ptrdiff_t stride_;
    std::vector<uint8_t> store_;
    uint8_t* origin_;
};

// Copy one macroblock to 16 rows of 16 pixels. The edges of the plane are replicated.
void FetchMacroblock(const cudame_plane& plane, int mb_row, int mb_col, uint8_t* dst);

// Return one macroblock where it is in the plane. If the plane ends in it, fetch it to `copy`, and
// return that.
PlaneView MacroblockAt(const cudame_plane& plane, int mb_row, int mb_col, uint8_t* copy);

// Shrink a plane to a quarter of the frame's width and height. Each pixel is the rounded mean of
// 4x4 pixels.
void Shrink(const cudame_plane& plane, const Geometry& g, PaddedPlane* small);

}  // namespace cudame

#endif  // CUDAME_CPU_PADDED_PLANE_H_
