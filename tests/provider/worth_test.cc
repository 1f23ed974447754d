/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Which candidates are left out, by what those before them gained.

#include <gtest/gtest.h>

#include <climits>

#include "probes.h"
#include "vpx/vp8_motion_provider.h"

namespace {

constexpr int kMeanRate = 100 * 256;
constexpr int kQuantizer = 40;
constexpr int kExplored = 32;  // macroblocks, of which one evaluates everything
constexpr TestCandidate kSecond = {kWorthInter2, 1050, 1000, 1000};

class Worth : public ::testing::Test {
  protected:
    void SetUp() override { BeginWorth(worth_); }
    void TearDown() override { FreeWorth(worth_); }

    void Restart(int guide, int speed, int q_index = kQuantizer) {
        FreeWorth(worth_);
        worth_ = NewWorth(guide, speed, q_index);
        BeginWorth(worth_);
    }
    // A frame of so many macroblocks, each of which evaluates the candidate, and gains so many
    // permille of its rate in the mean: all of it in one of eight.
    void Frame(const TestCandidate &c, int macroblocks, int permille, int mean_rate = kMeanRate) {
        for (int i = 0; i < macroblocks; i++) {
            AddRate(worth_, i & 1, mean_rate);
            AddWorth(worth_, i & 1, &c, 1 << 20, (1 << 20) - (i % 8 ? 0 : 8 * mean_rate * permille / 1000));
        }
        EndWorth(worth_);
        BeginWorth(worth_);
    }
    // Whether most macroblocks evaluate the candidate; some always do.
    bool IsTried(const TestCandidate &c) {
        int tried = 0;
        for (int i = 0; i < kExplored; i++) tried += IsWorth(worth_, 0, i, &c);
        EXPECT_GE(tried, 1);
        EXPECT_TRUE(tried == 1 || tried == kExplored) << tried;
        return tried == kExplored;
    }

    TestWorth *worth_ = NewWorth(VP8E_MP_GUIDE_NORMAL, 0, kQuantizer);
};

TEST_F(Worth, IsNotDecidedByFew) {
    Frame(kSecond, 63, 0);
    EXPECT_TRUE(IsTried(kSecond));
    Frame(kSecond, 1, 0);
    EXPECT_FALSE(IsTried(kSecond));
}

// 6 permille of the rate for each thousand cycles; a second candidate takes 1200.
TEST_F(Worth, IsWhatIsGainedForTheTime) {
    Frame(kSecond, 256, 8);
    EXPECT_TRUE(IsTried(kSecond));
    Restart(VP8E_MP_GUIDE_NORMAL, 0);
    Frame(kSecond, 256, 6);
    EXPECT_FALSE(IsTried(kSecond));
}

TEST_F(Worth, AsksForMoreFromGood2On) {
    Restart(VP8E_MP_GUIDE_NORMAL, 2);
    Frame(kSecond, 256, 11);
    EXPECT_FALSE(IsTried(kSecond));
    Restart(VP8E_MP_GUIDE_NORMAL, 2);
    Frame(kSecond, 256, 13);
    EXPECT_TRUE(IsTried(kSecond));
}

// There a percent of the bits is much, and SATD says little.
TEST_F(Worth, AsksForLessAtLowQuantizers) {
    Restart(VP8E_MP_GUIDE_NORMAL, 0, 7);
    Frame(kSecond, 256, 3);
    EXPECT_TRUE(IsTried(kSecond));
}

// Few bits are left there, and rare gains hold the picture together.
TEST_F(Worth, AsksForNothingAtTheHighestQuantizers) {
    for (int q_index : {88, 127}) {
        Restart(VP8E_MP_GUIDE_NORMAL, 0, q_index);
        Frame(kSecond, 256, 0);
        EXPECT_TRUE(IsTried(kSecond)) << q_index;
    }
}

TEST_F(Worth, IsOfKindDistanceAndResidual) {
    const TestCandidate others[] = {
        {kWorthInter3, 1050, 1000, 1000},
        {kWorthSplit, 1050, 1000, 1000},
        {kWorthInter2, 1010, 1000, 1000},
        {kWorthInter2, 1100, 1000, 1000},
        {kWorthInter2, 2625, 2500, 2500},
        {kWorthInter2, 10500, 10000, 10000},
        {kWorthInter2, 31500, 30000, 30000},
    };
    const TestCandidate same = {kWorthInter2, 1055, 1000, 1000};
    Frame(kSecond, 256, 0);
    EXPECT_FALSE(IsTried(kSecond));
    EXPECT_FALSE(IsTried(same));
    for (const TestCandidate &c : others) EXPECT_TRUE(IsTried(c)) << c.kind << " " << c.cost;
}

TEST_F(Worth, KnowsAnyCost) {
    const TestCandidate odd[] = {
        {kWorthInter2, 0, 0, 0}, {kWorthSplit, 0, UINT_MAX, 0}, {kWorthKinds - 1, UINT_MAX, 1, UINT_MAX}};
    for (const TestCandidate &c : odd) {
        EXPECT_TRUE(IsTried(c));
        Frame(c, 256, 0);
        EXPECT_FALSE(IsTried(c));
    }
}

// Every macroblock evaluates all there is in one of so many frames.
TEST_F(Worth, ExploresByTurns) {
    int tried[4][16] = {};
    Frame(kSecond, 256, 0);
    for (int frame = 0; frame < kExplored; frame++) {
        for (int row = 0; row < 4; row++)
            for (int col = 0; col < 16; col++) tried[row][col] += IsWorth(worth_, row, col, &kSecond);
        AddRate(worth_, 0, kMeanRate);
        EndWorth(worth_);
        BeginWorth(worth_);
    }
    for (const auto &row : tried)
        for (int n : row) EXPECT_EQ(n, 1);
}

TEST_F(Worth, ChangesWithWhatIsCoded) {
    Frame(kSecond, 8000, 0);
    EXPECT_FALSE(IsTried(kSecond));
    for (int i = 0; i < 3; i++) Frame(kSecond, 8000 / kExplored, 20);  // those that explore
    EXPECT_TRUE(IsTried(kSecond));
    Frame(kSecond, 8000, 0);
    EXPECT_FALSE(IsTried(kSecond));
}

// What is gained in frames of few bits is little of a stream.
TEST_F(Worth, IsByTheRateOfManyFrames) {
    Frame(kSecond, 8000, 20);
    EXPECT_TRUE(IsTried(kSecond));
    for (int i = 0; i < 4; i++) Frame(kSecond, 8000, 20, kMeanRate / 16);
    EXPECT_FALSE(IsTried(kSecond));
}

TEST_F(Worth, DoesNotDependOnThreads) {
    TestWorth *const one = NewWorth(VP8E_MP_GUIDE_NORMAL, 0, kQuantizer);
    BeginWorth(one);
    for (int n = 56; n < 90; n++) {
        for (int i = 0; i < n; i++) {
            const TestCandidate c = {i % kWorthKinds, 900u + i * 7u % 300, 1000, 1000u + 700u * (i % 30)};
            AddRate(one, 0, 300 * i);
            AddRate(worth_, i & 1, 300 * i);
            AddWorth(one, 0, &c, 1 << 20, (1 << 20) - i * i);
            AddWorth(worth_, i & 1, &c, 1 << 20, (1 << 20) - i * i);
        }
        EndWorth(one);
        EndWorth(worth_);
        BeginWorth(one);
        BeginWorth(worth_);
        for (int i = 0; i < 300; i++) {
            const TestCandidate c = {i % kWorthKinds, 900u + i, 1000, 1000u + 700u * (i % 30)};
            ASSERT_EQ(IsWorth(one, 0, i, &c), IsWorth(worth_, 0, i, &c));
        }
    }
    FreeWorth(one);
}

TEST_F(Worth, IsNotLearnedWhereNothingWasBest) {
    for (int i = 0; i < 256; i++) {
        AddRate(worth_, 0, kMeanRate);
        AddWorth(worth_, 0, &kSecond, INT_MAX, 1000);
    }
    EndWorth(worth_);
    BeginWorth(worth_);
    EXPECT_TRUE(IsTried(kSecond));
}

TEST_F(Worth, IsNotAskedAtSafeAndAggressive) {
    for (int guide : {VP8E_MP_GUIDE_SAFE, VP8E_MP_GUIDE_AGGRESSIVE}) {
        Restart(guide, 0);
        for (int i = 0; i < 3; i++) Frame(kSecond, 256, 0);
        EXPECT_TRUE(IsTried(kSecond));
    }
}

}  // namespace
