// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "coarse.h"

#include <vector>

namespace cudame {

void Shrink(const cudame_plane& plane, const Geometry& g, int scale, PaddedPlane* small) {
    const int width = g.mb_width() / scale, height = g.mb_height() / scale, n = kMb / scale;
    const int area = scale * scale;
    std::vector<uint8_t> pixels(static_cast<size_t>(width) * static_cast<size_t>(height));
    alignas(64) uint8_t mb[kMb * kMb];
    for (int row = 0; row < g.mb_rows; row++)
        for (int col = 0; col < g.mb_cols; col++) {
            FetchMacroblock(plane, row, col, mb);
            uint8_t* out = pixels.data() + static_cast<ptrdiff_t>(row) * n * width + col * n;
            const uint8_t* in = mb;
            for (int y = 0; y < n; y++, out += width, in += scale * kMb) {
                int sum[kMb] = {};
                for (int i = 0; i < scale; i++)
                    for (int x = 0; x < kMb; x++) sum[x] += in[kMb * i + x];
                for (int x = 0; x < n; x++) {
                    int total = area / 2;
                    for (int i = 0; i < scale; i++) total += sum[scale * x + i];
                    out[x] = static_cast<uint8_t>(total / area);
                }
            }
        }
    cudame_plane whole = {};
    whole.data = pixels.data();
    whole.stride = whole.width = width;
    whole.height = height;
    small->CopyRows(whole, 0, height);
}

}  // namespace cudame
