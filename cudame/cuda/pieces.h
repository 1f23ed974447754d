// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// How a frame is cut: into pieces of whole coarse rows, which are uploaded and launched at
// once, and these into bands, which are searched in one launch.

#ifndef CUDAME_CUDA_PIECES_H_
#define CUDAME_CUDA_PIECES_H_

#include <algorithm>

#include "common/coarse.h"
#include "common/geometry.h"

namespace cudame {

struct Pieces {
    int mb_rows, mbs;        // of the frame
    bool split, subpel;      // whether there are smaller blocks, sub-pel vectors
    bool lean;               // the lean search
    int threads, band_rows;  // the caller's; 0: what is best

    // Rows of macroblocks of the piece from `row` on. The paper's two rows cost more in
    // launches than they gain; a few rows at first let the encoder begin, and the rest
    // hides its upload. Without a second kernel it hides less; of whole macroblocks alone the
    // search is so short that every piece costs, and its end does if the last is large.
    int Rows(int row, bool on_device) const {
        return std::min(Wanted(row, on_device), mb_rows - row);
    }

    // Rows of a piece's band from `row` on, which may be more than are left of it.
    int Band(int row) const {
        if (band_rows) return band_rows;
        if (!subpel || lean || mbs < kManyMbs) return mb_rows;
        if (!row) return kFirstBand;
        // One thread is never ahead of the device; several at once are where a
        // piece's first rows wait for the search of its last ones.
        return threads > 1 ? kThreadsBand : mb_rows;
    }

  private:
    // Of the first piece, in frames that are large enough for it to matter.
    static constexpr int kFirstRows = kCoarseScale, kFirstFastRows = 3 * kCoarseScale;
    static constexpr int kFirstLeanRows = 2 * kCoarseScale;
    static constexpr int kFirstBand = 1, kThreadsBand = 8, kManyMbs = 1500, kLeanPieceMbs = 10000,
                         kLeanPieces = 4;

    static int WholeCoarse(int rows) {
        return (rows + kCoarseScale - 1) / kCoarseScale * kCoarseScale;
    }

    int Wanted(int row, bool on_device) const {
        const int left = mb_rows - row;
        if (mbs < kManyMbs) return mb_rows;
        if (!split) {
            // Halves: there is nothing to hide.
            if (on_device) return row ? left : WholeCoarse(mb_rows / 2);
            const auto part = [](int rows) { return std::max(WholeCoarse(rows), kCoarseScale); };
            const int second = kFirstFastRows + part((mb_rows - kFirstFastRows) / 3);
            if (row < second) return row ? second - row : kFirstFastRows;
            return row == second ? part(left * 3 / 5) : left;
        }
        if (lean) {
            // The calls that a piece takes are as long as its search, so the rest is one, unless
            // its upload is far longer than the first one's search. With several threads that
            // one has to do for all of them.
            const int first = threads > 1 ? 2 * kFirstLeanRows : kFirstLeanRows;
            const int pieces = std::min(1 + mbs / kLeanPieceMbs, kLeanPieces);
            return row ? WholeCoarse((mb_rows - first + pieces - 1) / pieces) : first;
        }
        if (!row) return kFirstRows;
        const int rest = mb_rows - kFirstRows;
        const int quarter = std::max(WholeCoarse(rest / 4), kCoarseScale);
        if (subpel) return WholeCoarse((rest + 1) / 2);
        return row == kFirstRows ? quarter : WholeCoarse((rest - quarter + 1) / 2);
    }
};

}  // namespace cudame

#endif  // CUDAME_CUDA_PIECES_H_
