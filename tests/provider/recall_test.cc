/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// For how many frames, and at which macroblocks, an intra estimate replaces new ones.

#include <gtest/gtest.h>

#include "probes.h"

namespace {

constexpr int kRows = 4, kCols = 6;
// Intra counts as far off if it costs over 1.5 times as much as inter.
constexpr int kFar = 2000, kLow = 1000, kPermille = 1000;

class Recall : public ::testing::Test {
  protected:
    void SetUp() override { BeginRecall(recall_, kRows, kCols, 1); }
    void TearDown() override { FreeRecall(recall_); }
    int Ask(int mb_row, int mb_col, int mv = 0, unsigned low = kLow) {
        return Recalls(recall_, mb_row, mb_col, mv, -mv, low, kPermille);
    }
    void NextFrame(int is_key = 0) { BeginRecall(recall_, kRows, kCols, is_key); }

    TestRecall *recall_ = NewRecall(1);
};

TEST_F(Recall, HoldsForSevenFrames) {
    Remember(recall_, 1, 2, kLow, kFar);
    for (int frame = 0; frame < 7; frame++) {
        NextFrame();
        EXPECT_TRUE(Ask(1, 2)) << frame;
    }
    NextFrame();
    EXPECT_FALSE(Ask(1, 2));
    Remember(recall_, 1, 2, kLow, kFar);
    EXPECT_TRUE(Ask(1, 2));
}

TEST_F(Recall, HoldsForOneMacroblock) {
    Remember(recall_, 1, 2, kLow, kFar);
    NextFrame();
    for (int row = 0; row < kRows; row++)
        for (int col = 0; col < kCols; col++)
            EXPECT_EQ(Ask(row, col), row == 1 && col == 2) << row << ", " << col;
}

TEST_F(Recall, HoldsIfIntraCostsMuchMore) {
    Remember(recall_, 0, 0, 2 * kLow, kFar);
    EXPECT_TRUE(Ask(0, 0, 0, kFar * 2 / 3 - 1));
    EXPECT_FALSE(Ask(0, 0, 0, kFar * 2 / 3 + 1));
}

// The inter prediction becomes worse at a scene cut, or if background is uncovered.
TEST_F(Recall, EndsIfInterCostsRise) {
    Remember(recall_, 0, 0, kLow, 2 * kFar);
    EXPECT_TRUE(Ask(0, 0, 0, kLow * 5 / 4));
    EXPECT_FALSE(Ask(0, 0, 0, kLow * 5 / 4 + 1));
}

TEST_F(Recall, HoldsForShortVectors) {
    Remember(recall_, 0, 0, kLow, kFar);
    EXPECT_TRUE(Ask(0, 0, 16));
    EXPECT_TRUE(Ask(0, 0, -16));
    EXPECT_FALSE(Ask(0, 0, 17));
    EXPECT_FALSE(Ask(0, 0, -17));
}

TEST_F(Recall, EndsAtKeyFramesAndOtherFrameSizes) {
    Remember(recall_, 0, 0, kLow, kFar);
    NextFrame(1);
    EXPECT_FALSE(Ask(0, 0));
    Remember(recall_, 0, 0, kLow, kFar);
    BeginRecall(recall_, kRows + 1, kCols, 0);
    EXPECT_FALSE(Ask(0, 0));
    EXPECT_FALSE(Ask(kRows, 0));
}

TEST(RecallAtGood, IsOff) {
    TestRecall *recall = NewRecall(0);
    BeginRecall(recall, kRows, kCols, 1);
    Remember(recall, 0, 0, kLow, kFar);
    EXPECT_FALSE(Recalls(recall, 0, 0, 0, 0, kLow, kPermille));
    FreeRecall(recall);
}

}  // namespace
