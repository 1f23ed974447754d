// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Planes as the CPU backend reads them: in place, as padded copies, shrunk, and single
// macroblocks.

#ifndef CUDAME_CPU_PADDED_PLANE_H_
#define CUDAME_CPU_PADDED_PLANE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/geometry.h"
#include "cudame/cudame.h"

namespace cudame {

// A plane of whole macroblocks with CUDAME_REF_BORDER more pixels on every side. data is the
// first pixel inside of the border.
struct PlaneView {
    const uint8_t* data = nullptr;
    ptrdiff_t stride = 0;
};

// A copy of a plane with replicated borders, filled row by row.
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

// Copies one macroblock of a plane, whose edges are replicated, to 16 rows of 16 pixels.
void FetchMacroblock(const cudame_plane& plane, int mb_row, int mb_col, uint8_t* dst);

// Shrinks a plane of the frame to a quarter of its width and height, each pixel the mean of 4x4.
void Shrink(const cudame_plane& plane, const Geometry& g, PaddedPlane* small);

}  // namespace cudame

#endif  // CUDAME_CPU_PADDED_PLANE_H_
