// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/padded_plane.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "plane.h"

namespace cudame {

namespace {
constexpr int kBorder = CUDAME_REF_BORDER;
constexpr int kAlign = 64;
}  // namespace

PaddedPlane::PaddedPlane(const Geometry& g)
    : g_(g), stride_((g.mb_width() + 2 * kBorder + kAlign - 1) / kAlign * kAlign) {
    const size_t rows = static_cast<size_t>(g.mb_height()) + 2 * kBorder;
    store_.resize(rows * static_cast<size_t>(stride_) + 2 * kAlign);
    const uintptr_t base = reinterpret_cast<uintptr_t>(store_.data());
    uint8_t* aligned = store_.data() + (kAlign - base % kAlign) % kAlign;
    origin_ = aligned + kBorder * stride_ + kBorder;
}

void PaddedPlane::PadRow(uint8_t* row, int valid) const {
    memset(row - kBorder, row[0], kBorder);
    memset(row + valid, row[valid - 1], static_cast<size_t>(g_.mb_width() + kBorder - valid));
}

void PaddedPlane::CopyRows(const cudame_plane& plane, int first_row, int rows) {
    const int width = std::min(plane.width, g_.mb_width());
    const int height = UsedRows(plane, g_);
    const int end = std::min(first_row + rows, height);
    const size_t full = static_cast<size_t>(g_.mb_width()) + 2 * kBorder;

    for (int y = first_row; y < end; y++) {
        uint8_t* row = origin_ + y * stride_;
        memcpy(row, plane.data + y * plane.stride, static_cast<size_t>(width));
        PadRow(row, width);
    }
    if (first_row == 0 && end > 0)
        for (int y = -kBorder; y < 0; y++)
            memcpy(origin_ + y * stride_ - kBorder, origin_ - kBorder, full);
    if (first_row < height && end == height)
        for (int y = height; y < g_.mb_height() + kBorder; y++)
            memcpy(origin_ + y * stride_ - kBorder, origin_ + (height - 1) * stride_ - kBorder,
                   full);
}

void FetchMacroblock(const cudame_plane& plane, int mb_row, int mb_col, uint8_t* dst) {
    const int x = mb_col * kMb, y = mb_row * kMb;
    const int width = std::min(plane.width - x, kMb);
    const uint8_t* from = plane.data + y * plane.stride + x;
    if (width == kMb && y + kMb <= plane.height) {
        for (int i = 0; i < kMb; i++) memcpy(dst + kMb * i, from + i * plane.stride, kMb);
        return;
    }
    for (int i = 0; i < kMb; i++, dst += kMb) {
        const uint8_t* row = from + std::min(i, plane.height - 1 - y) * plane.stride;
        memcpy(dst, row, static_cast<size_t>(width));
        if (width < kMb) memset(dst + width, row[width - 1], static_cast<size_t>(kMb - width));
    }
}

void Shrink(const cudame_plane& plane, const Geometry& g, int scale, PaddedPlane* small) {
    const int width = g.mb_width() / scale, height = g.mb_height() / scale;
    const int used = std::min(plane.width, g.mb_width()), area = scale * scale;
    std::vector<uint8_t> pixels(static_cast<size_t>(width) * static_cast<size_t>(height));
    std::vector<uint16_t> sums(static_cast<size_t>(g.mb_width()));
    for (int row = 0; row < height; row++) {
        for (int i = 0; i < scale; i += 2) {
            const auto at = [&](int k) {
                return plane.data + std::min(scale * row + i + k, plane.height - 1) * plane.stride;
            };
            const uint8_t *a = at(0), *b = at(1);
            uint16_t* to = sums.data();
            if (!i)
                for (int x = 0; x < used; x++) to[x] = static_cast<uint16_t>(a[x] + b[x]);
            else
                for (int x = 0; x < used; x++) to[x] = static_cast<uint16_t>(to[x] + a[x] + b[x]);
        }
        std::fill(sums.begin() + used, sums.end(), sums[static_cast<size_t>(used) - 1]);
        uint8_t* out = pixels.data() + static_cast<ptrdiff_t>(row) * width;
        const uint16_t* in = sums.data();
        if (scale == 4)
            for (int x = 0; x < width; x++, in += 4)
                out[x] = static_cast<uint8_t>((in[0] + in[1] + in[2] + in[3] + 8) >> 4);
        else
            for (int x = 0; x < width; x++, in += scale) {
                int total = area / 2;
                for (int i = 0; i < scale; i++) total += in[i];
                out[x] = static_cast<uint8_t>(total / area);
            }
    }
    cudame_plane whole = {};
    whole.data = pixels.data();
    whole.stride = whole.width = width;
    whole.height = height;
    small->CopyRows(whole, 0, height);
}

}  // namespace cudame
