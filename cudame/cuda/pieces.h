// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// How a frame is cut into pieces of whole coarse rows, which are uploaded one at a time, and how a
// piece is cut into bands, which are searched by one launch.

#ifndef CUDAME_CUDA_PIECES_H_
#define CUDAME_CUDA_PIECES_H_

#include <algorithm>

#include "common/coarse.h"
#include "common/geometry.h"

namespace cudame {

struct Pieces {
    int mb_rows, mbs;        // of the frame
    bool split, subpel;      // whether there are smaller blocks, and sub-pel vectors
    bool lean;               // whether the search is the lean one
    int threads, band_rows;  // of cudame_config
    bool whole = false;      // whether the encoder needs the rows of a frame all at once

    // Returns the number of macroblock rows in the piece that starts at `row`. A small first piece
    // lets the encoder start early. The next piece is uploaded while a piece is searched. Without
    // sub-pel vectors the search is shorter and hides less of the upload. If only 16x16 blocks are
    // searched, the search is so short that each further piece costs time, and so does a large last
    // piece. Pieces of two rows, as in grossi-2018, lose more time by launches than they gain.
    int Rows(int row, bool on_device) const {
        return std::min(Wanted(row, on_device), mb_rows - row);
    }

    // Returns the number of rows in the band that starts at `row`. It may be more than the piece
    // has left.
    int Band(int row) const {
        if (band_rows) return band_rows;
        if (!subpel || lean || mbs < kManyMbs) return mb_rows;
        if (!row) return kFirstBand;
        // One thread is never ahead of the device. Several threads would wait for a piece's first
        // rows until its last ones are searched.
        return threads > 1 ? kThreadsBand : mb_rows;
    }

  private:
    // Rows of the first piece, in frames that are large enough for it to matter.
    static constexpr int kFirstRows = kCoarseScale, kFirstFastRows = 3 * kCoarseScale;
    static constexpr int kFirstLeanRows = 2 * kCoarseScale;
    static constexpr int kFirstBand = 1, kThreadsBand = 8, kManyMbs = 1500, kLeanPieceMbs = 10000,
                         kLeanPieces = 4;

    static int WholeCoarse(int rows) {
        return (rows + kCoarseScale - 1) / kCoarseScale * kCoarseScale;
    }

    int Wanted(int row, bool on_device) const {
        const int left = mb_rows - row;
        if (mbs < kManyMbs || whole) return mb_rows;
        if (!split) {
            // There is no upload to hide: halves are enough.
            if (on_device) return row ? left : WholeCoarse(mb_rows / 2);
            const auto part = [](int rows) { return std::max(WholeCoarse(rows), kCoarseScale); };
            const int second = kFirstFastRows + part((mb_rows - kFirstFastRows) / 3);
            if (row < second) return row ? second - row : kFirstFastRows;
            return row == second ? part(left * 3 / 5) : left;
        }
        if (lean) {
            // The driver calls for a piece take as long as its search, so the rest is one piece,
            // unless its upload takes far longer than the search of the first piece. With several
            // threads the first piece must be large enough for all of them.
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
