// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "coarse.h"

#include <vector>

namespace cudame {

void Shrink(const cudame_plane& plane, const Geometry& g, PaddedPlane* coarse) {
    const int width = g.mb_width() / kCoarseScale, height = g.mb_height() / kCoarseScale;
    std::vector<uint8_t> small(static_cast<size_t>(width) * static_cast<size_t>(height));
    alignas(64) uint8_t mb[kMb * kMb];
    for (int row = 0; row < g.mb_rows; row++)
        for (int col = 0; col < g.mb_cols; col++) {
            FetchMacroblock(plane, row, col, mb);
            uint8_t* out = small.data() + static_cast<ptrdiff_t>(row) * 4 * width + col * 4;
            for (int y = 0; y < 4; y++, out += width) {
                int sum[kMb];
                for (int x = 0; x < kMb; x++)
                    sum[x] = mb[64 * y + x] + mb[64 * y + 16 + x] + mb[64 * y + 32 + x] +
                             mb[64 * y + 48 + x];
                for (int x = 0; x < 4; x++)
                    out[x] = static_cast<uint8_t>(
                        (sum[4 * x] + sum[4 * x + 1] + sum[4 * x + 2] + sum[4 * x + 3] + 8) >> 4);
            }
        }
    cudame_plane whole = {};
    whole.data = small.data();
    whole.stride = whole.width = width;
    whole.height = height;
    coarse->CopyRows(whole, 0, height);
}

}  // namespace cudame
