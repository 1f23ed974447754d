// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "common/loop_filter.h"

#include "common/error.h"
#include "common/plane.h"

namespace cudame {

FilterRows RowsOf(const cudame_loop_filter& filter, const Geometry& g) {
    if (!filter.step && filter.rows) return {filter.first, 1, filter.rows, false};
    if (!filter.step) return {0, 1, g.mb_rows, false};
    return {filter.first, filter.step, (g.mb_rows - 1 - filter.first) / filter.step + 1, true};
}

void CheckLoopFilter(const cudame_loop_filter& filter, const Geometry& g) {
    CheckPlane(filter.frame, g, "the filter's frame");
    if (filter.frame.width < g.mb_width() || filter.frame.height < g.mb_height() ||
        filter.frame.on_device)
        Invalid("the filter's frame must be whole macroblocks in host memory");
    if (!filter.macroblocks || !filter.level)
        Invalid("the loop filter has no macroblocks or levels");
    int kinds = 0, above = 0;
    for (int i = 0; i < g.mbs(); i++) kinds |= filter.macroblocks[i];
    for (int i = 0; i < CUDAME_LOOP_FILTER_LEVELS; i++)
        for (int k = 0; k < CUDAME_LOOP_FILTER_KINDS; k++) above |= filter.level[i][k];
    if (kinds >= 2 * CUDAME_LOOP_FILTER_INNER) Invalid("a kind of macroblock is out of range");
    if (above >= CUDAME_LOOP_FILTER_LEVELS) Invalid("a level of the loop filter is out of range");
    if (filter.levels < 1 || filter.first_level < 0 ||
        (filter.first_level | filter.levels) % CUDAME_LOOP_FILTER_GROUP ||
        filter.levels > CUDAME_LOOP_FILTER_LEVELS - filter.first_level)
        Invalid("the levels to try are out of range");
    if (filter.sharpness < 0 || filter.sharpness > 7) Invalid("the sharpness is out of range");
    if (filter.step < 0 || filter.rows < 0 || (filter.step && filter.rows) ||
        ((filter.step || filter.rows) && (filter.first < 0 || filter.first >= g.mb_rows)) ||
        (filter.rows && filter.rows > g.mb_rows - filter.first))
        Invalid("rows of the loop filter are out of range");
    if (filter.source && !filter.rows)
        Invalid("only some rows can be compared to another picture than the source");
    if (filter.source && filter.source_stride < g.mb_width())
        Invalid("the rows of the picture to compare to are too short");
}

}  // namespace cudame
