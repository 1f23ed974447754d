// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "common/plane.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "common/error.h"

namespace cudame {

void CheckPlane(const cudame_plane& plane, const Geometry& g, const char* what) {
    const std::string name(what);
    if (!plane.data) Invalid(name + ": no data");
    if (plane.width < g.width || plane.height < g.height)
        Invalid(name + " has " + std::to_string(plane.width) + "x" + std::to_string(plane.height) +
                " pixels, the frame " + std::to_string(g.width) + "x" + std::to_string(g.height));
    if (plane.border < 0) Invalid(name + ": negative border");
    if (std::llabs(static_cast<long long>(plane.stride)) <
        static_cast<long long>(plane.width) + 2LL * plane.border)
        Invalid(name + ": stride " + std::to_string(plane.stride) +
                " is less than width and borders");
}

bool UsableInPlace(const cudame_plane& plane, const Geometry& g) {
    // The border of a larger plane replicates pixels other than the edge of the last macroblocks.
    if (plane.width > g.mb_width() || plane.height > g.mb_height()) return false;
    const int missing_x = g.mb_width() - plane.width, missing_y = g.mb_height() - plane.height;
    return plane.border - missing_x >= CUDAME_REF_BORDER &&
           plane.border - missing_y >= CUDAME_REF_BORDER;
}

int UsedRows(const cudame_plane& plane, const Geometry& g) {
    return std::min(plane.height, g.mb_height());
}

}  // namespace cudame
