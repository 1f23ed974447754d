// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "plane.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "error.h"

namespace cudame {

namespace {
constexpr int kBorder = CUDAME_REF_BORDER;
constexpr int kAlign = 64;
}  // namespace

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
    // What lies beyond the frame's macroblocks is no edge of theirs.
    if (plane.width > g.mb_width() || plane.height > g.mb_height()) return false;
    const int missing_x = g.mb_width() - plane.width, missing_y = g.mb_height() - plane.height;
    return plane.border - missing_x >= kBorder && plane.border - missing_y >= kBorder;
}

int UsedRows(const cudame_plane& plane, const Geometry& g) {
    return std::min(plane.height, g.mb_height());
}

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
    const int x = mb_col * kMb;
    const int width = std::min(plane.width - x, kMb);
    for (int i = 0; i < kMb; i++, dst += kMb) {
        const ptrdiff_t y = std::min(mb_row * kMb + i, plane.height - 1);
        const uint8_t* row = plane.data + y * plane.stride + x;
        memcpy(dst, row, static_cast<size_t>(width));
        if (width < kMb) memset(dst + width, row[width - 1], static_cast<size_t>(kMb - width));
    }
}

}  // namespace cudame
