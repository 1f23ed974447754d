// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/pieces.h"

#include <gtest/gtest.h>

namespace {

using cudame::kCoarseScale;
using cudame::Pieces;

// Cut a frame of any size into a few pieces of whole coarse rows, which cover the frame, and each
// piece into bands.
TEST(PiecesTest, CoverTheFrame) {
    for (int flags = 0; flags < 16; flags++)
        for (const int cols : {1, 30, 80, 120, 1024})
            for (int rows = 1; rows <= 300; rows++)
                for (const int band_rows : {0, 1, 7}) {
                    const Pieces pieces = {rows,
                                           rows * cols,
                                           (flags & 2) != 0,
                                           (flags & 2) && (flags & 4),
                                           (flags & 1) == 0,
                                           flags & 8 ? 8 : 1,
                                           band_rows};
                    for (const bool on_device : {false, true}) {
                        int row = 0, count = 0;
                        while (row < rows) {
                            ASSERT_EQ(row % kCoarseScale, 0);
                            const int n = pieces.Rows(row, on_device);
                            ASSERT_GT(n, 0);
                            for (int first = row, band; first < row + n; first += band)
                                ASSERT_GT(band = pieces.Band(first), 0);
                            row += n;
                            count++;
                        }
                        ASSERT_EQ(row, rows) << "flags " << flags << ", " << cols << " columns";
                        ASSERT_LE(count, flags & 16 ? 2 : 5);
                    }
                }
}

// The pieces of the example in doc/cuda.md.
TEST(PiecesTest, Of1080pWithWholeMacroblocksAlone) {
    const Pieces pieces = {68, 68 * 120, false, false, false, 1, 0};
    int row = 0;
    for (const int rows : {12, 20, 24, 12}) {
        EXPECT_EQ(pieces.Rows(row, false), rows);
        row += rows;
    }
    EXPECT_EQ(pieces.Rows(0, true), 36);
    EXPECT_EQ(pieces.Rows(36, true), 32);
}

TEST(PiecesTest, OfTheLeanSearch) {
    const Pieces whole = {68, 68 * 120, true, true, true, 1, 0, true};
    EXPECT_EQ(whole.Rows(0, false), 68);
    const Pieces pieces = {68, 68 * 120, true, true, true, 1, 0};
    EXPECT_EQ(pieces.Rows(0, false), 8);
    EXPECT_EQ(pieces.Rows(8, false), 60);
    EXPECT_EQ(pieces.Band(8), 68);
    Pieces threads = pieces;
    threads.threads = 4;
    EXPECT_EQ(threads.Rows(0, false), 16);
    const Pieces large = {135, 135 * 240, true, true, true, 1, 0};
    EXPECT_EQ(large.Rows(8, false), 32);
}

}  // namespace
