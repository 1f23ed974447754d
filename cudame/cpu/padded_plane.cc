// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/padded_plane.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/coarse.h"
#include "common/plane.h"
#include "cpu/kernels.h"

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

static bool IsInside(const cudame_plane& plane, int mb_row, int mb_col) {
    return (mb_col + 1) * kMb <= plane.width && (mb_row + 1) * kMb <= plane.height;
}

void FetchMacroblock(const cudame_plane& plane, int mb_row, int mb_col, uint8_t* dst) {
    const int x = mb_col * kMb, y = mb_row * kMb;
    const int width = std::min(plane.width - x, kMb);
    const uint8_t* from = plane.data + y * plane.stride + x;
    if (IsInside(plane, mb_row, mb_col)) {
        for (int i = 0; i < kMb; i++) memcpy(dst + kMb * i, from + i * plane.stride, kMb);
        return;
    }
    for (int i = 0; i < kMb; i++, dst += kMb) {
        const uint8_t* row = from + std::min(i, plane.height - 1 - y) * plane.stride;
        memcpy(dst, row, static_cast<size_t>(width));
        if (width < kMb) memset(dst + width, row[width - 1], static_cast<size_t>(kMb - width));
    }
}

PlaneView MacroblockAt(const cudame_plane& plane, int mb_row, int mb_col, uint8_t* copy) {
    if (IsInside(plane, mb_row, mb_col))
        return {plane.data + mb_row * kMb * plane.stride + mb_col * kMb, plane.stride};
    FetchMacroblock(plane, mb_row, mb_col, copy);
    return {copy, kMb};
}

void Shrink(const cudame_plane& plane, const Geometry& g, PaddedPlane* small) {
    constexpr int kScale = kCoarseScale, kArea = kScale * kScale;
    const int width = g.mb_width() / kScale, height = g.mb_height() / kScale;
    const int used = std::min(plane.width, g.mb_width());
    const Kernels kernels = BestKernels();
    std::vector<uint8_t> out(static_cast<size_t>(width));
    cudame_plane whole = {};
    whole.data = out.data();  // one row after the other
    whole.width = width;
    whole.height = height;
    for (int row = 0; row < height; row++) {
        const uint8_t* rows[kScale];
        for (int i = 0; i < kScale; i++)
            rows[i] = plane.data + std::min(kScale * row + i, plane.height - 1) * plane.stride;
        // Columns after the last one repeat it.
        int x = used / kScale;
        kernels.shrink4(rows, kScale * plane.stride, x, out.data());
        for (; x < width; x++) {
            int total = kArea / 2;
            for (int i = 0; i < kArea; i++)
                total += rows[i / kScale][std::min(kScale * x + i % kScale, used - 1)];
            out[static_cast<size_t>(x)] = static_cast<uint8_t>(total / kArea);
        }
        small->CopyRows(whole, row, 1);
    }
}

}  // namespace cudame
