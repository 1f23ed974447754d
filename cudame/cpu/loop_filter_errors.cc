// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/loop_filter_errors.h"

#include <cstddef>
#include <cstring>
#include <vector>

#include "common/loop_filter.h"
#include "cpu/padded_plane.h"

namespace cudame {
namespace {

// Filter sixteen places along an edge. `at` is the first pixel after the edge at the first place.
// `across` is the distance in bytes between pixels across the edge, `along` that between places.
template <class Filter>
void FilterAlong(uint8_t* at, ptrdiff_t across, ptrdiff_t along, Filter filter) {
    for (int i = 0; i < kMb; i++, at += along) {
        Edge e = {};
        for (int k = 0; k < 8; k++) e.v[k] = at[(k - 4) * across];
        e = filter(e);
        for (int k = 0; k < 8; k++) at[(k - 4) * across] = static_cast<uint8_t>(e.v[k]);
    }
}

void FilterMacroblock(const EdgeLimits& l, bool left, bool top, bool inner, uint8_t* pixels,
                      ptrdiff_t stride) {
    const auto mb_edge = [&l](const Edge& e) { return FilterMbEdge(l, e); };
    const auto sub_edge = [&l](const Edge& e) { return FilterSubEdge(l, e); };
    if (left) FilterAlong(pixels, 1, stride, mb_edge);
    for (int x = 4; inner && x < kMb; x += 4) FilterAlong(pixels + x, 1, stride, sub_edge);
    if (top) FilterAlong(pixels, stride, 1, mb_edge);
    for (int y = 4; inner && y < kMb; y += 4) FilterAlong(pixels + y * stride, stride, 1, sub_edge);
}

class Trial {
  public:
    Trial(const cudame_loop_filter& filter, const Geometry& g, const cudame_plane& source)
        : filter_(filter), g_(g), source_(source), rows_(RowsOf(filter, g)) {
        pixels_.resize(static_cast<size_t>(g.mb_width()) * static_cast<size_t>(g.mb_height()));
    }

    uint32_t Error(int level) {
        Copy();
        uint32_t error = 0;
        for (int i = 0; i < rows_.count; i++) {
            const int row = rows_.first + i * rows_.step;
            FilterRow(row, filter_.level[level]);
            // The next row is filtered as if this one was not, so take the error now.
            if (rows_.alone) error += RowError(row);
            if (rows_.alone) Copy();
        }
        for (int i = 0; !rows_.alone && i < rows_.count; i++) error += RowError(rows_.first + i);
        return error;
    }

  private:
    void Copy() {
        const size_t width = static_cast<size_t>(g_.mb_width());
        for (int y = 0; y < g_.mb_height(); y++)
            memcpy(pixels_.data() + static_cast<size_t>(y) * width,
                   filter_.frame.data + y * filter_.frame.stride, width);
    }

    void FilterRow(int row, const uint8_t* levels) {
        const ptrdiff_t stride = g_.mb_width();
        for (int col = 0; col < g_.mb_cols; col++) {
            const int kind = filter_.macroblocks[row * g_.mb_cols + col];
            const int level = levels[kind % CUDAME_LOOP_FILTER_KINDS];
            if (!level) continue;
            FilterMacroblock(MakeEdgeLimits(level, filter_.sharpness, filter_.key_frame != 0),
                             col > 0, row > 0, (kind & CUDAME_LOOP_FILTER_INNER) != 0,
                             pixels_.data() + kMb * row * stride + kMb * col, stride);
        }
    }

    uint32_t RowError(int row) const {
        uint32_t error = 0;
        for (int col = 0; col < g_.mb_cols; col++) {
            uint8_t source[kMb * kMb];
            FetchMacroblock(source_, row, col, source);
            const uint8_t* at =
                pixels_.data() + static_cast<ptrdiff_t>(kMb) * row * g_.mb_width() + kMb * col;
            for (int i = 0; i < kMb * kMb; i++) {
                const int d = source[i] - at[i / kMb * g_.mb_width() + i % kMb];
                error += static_cast<uint32_t>(d * d);
            }
        }
        return error;
    }

    const cudame_loop_filter& filter_;
    const Geometry& g_;
    const cudame_plane& source_;
    const FilterRows rows_;
    std::vector<uint8_t> pixels_;
};

}  // namespace

void LoopFilterErrors(const cudame_loop_filter& filter, const Geometry& g,
                      const cudame_plane& source, uint32_t* errors) {
    Trial trial(filter, g, source);
    for (int i = 0; i < filter.levels; i++) errors[i] = trial.Error(filter.first_level + i);
}

}  // namespace cudame
