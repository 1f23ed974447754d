/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// The learned gain of evaluations: a candidate is not evaluated if earlier evaluations of its kind
// gained too little.

#include <gtest/gtest.h>

#include <climits>

#include "probes.h"
#include "vpx/vp8_motion_provider.h"

namespace {

constexpr int kMeanRate = 100 * 256;
constexpr int kQuantizer = 40;
constexpr int kExplored = 32;  // one of this many macroblocks evaluates everything
constexpr TestCandidate kSecond = {kLearnInter2, 1050, 1000, 1000};

class LearnedGain : public ::testing::Test {
  protected:
    void SetUp() override { BeginLearn(learn_); }
    void TearDown() override { FreeLearn(learn_); }

    void Restart(int guide, int speed, int q_index = kQuantizer) {
        FreeLearn(learn_);
        learn_ = NewLearn(guide, speed, q_index);
        BeginLearn(learn_);
    }
    // Encodes a frame in which each macroblock evaluates the candidate. The mean gain is `permille`
    // of the rate: one of eight macroblocks gains eight times as much, the others nothing.
    void Frame(const TestCandidate &c, int macroblocks, int permille, int mean_rate = kMeanRate) {
        for (int i = 0; i < macroblocks; i++) {
            AddRate(learn_, i & 1, mean_rate);
            const int gain = i % 8 ? 0 : 8 * mean_rate * permille / 1000;
            AddGain(learn_, i & 1, &c, 1 << 20, (1 << 20) - gain);
        }
        EndLearn(learn_);
        BeginLearn(learn_);
    }
    // Returns whether all macroblocks evaluate the candidate. One of kExplored always does.
    bool IsTried(const TestCandidate &c) {
        int tried = 0;
        for (int i = 0; i < kExplored; i++) tried += Pays(learn_, 0, i, &c);
        EXPECT_GE(tried, 1);
        EXPECT_TRUE(tried == 1 || tried == kExplored) << tried;
        return tried == kExplored;
    }

    TestLearn *learn_ = NewLearn(VP8E_MP_GUIDE_NORMAL, 0, kQuantizer);
};

TEST_F(LearnedGain, NeedsSixtyFourEvaluations) {
    Frame(kSecond, 63, 0);
    EXPECT_TRUE(IsTried(kSecond));
    Frame(kSecond, 1, 0);
    EXPECT_FALSE(IsTried(kSecond));
}

// The gain must be over 6 permille of the rate for each 1000 cycles. A second inter candidate takes
// 1200 cycles.
TEST_F(LearnedGain, MustPayForTheTime) {
    Frame(kSecond, 256, 8);
    EXPECT_TRUE(IsTried(kSecond));
    Restart(VP8E_MP_GUIDE_NORMAL, 0);
    Frame(kSecond, 256, 6);
    EXPECT_FALSE(IsTried(kSecond));
}

TEST_F(LearnedGain, MustBeHigherFromCpuUsed2On) {
    Restart(VP8E_MP_GUIDE_NORMAL, 2);
    Frame(kSecond, 256, 11);
    EXPECT_FALSE(IsTried(kSecond));
    Restart(VP8E_MP_GUIDE_NORMAL, 2);
    Frame(kSecond, 256, 13);
    EXPECT_TRUE(IsTried(kSecond));
}

// At low quantizers one percent of the rate is many bits, and SATD predicts the RD cost poorly.
TEST_F(LearnedGain, MayBeLowerAtLowQuantizers) {
    Restart(VP8E_MP_GUIDE_NORMAL, 0, 7);
    Frame(kSecond, 256, 3);
    EXPECT_TRUE(IsTried(kSecond));
}

// At the highest quantizers every candidate is evaluated: rare gains matter there.
TEST_F(LearnedGain, MayBeZeroAtTheHighestQuantizers) {
    for (int q_index : {88, 127}) {
        Restart(VP8E_MP_GUIDE_NORMAL, 0, q_index);
        Frame(kSecond, 256, 0);
        EXPECT_TRUE(IsTried(kSecond)) << q_index;
    }
}

TEST_F(LearnedGain, DependsOnKindDistanceAndResidual) {
    const TestCandidate others[] = {
        {kLearnInter3, 1050, 1000, 1000},
        {kLearnSplit, 1050, 1000, 1000},
        {kLearnInter2, 1010, 1000, 1000},
        {kLearnInter2, 1100, 1000, 1000},
        {kLearnInter2, 2625, 2500, 2500},
        {kLearnInter2, 10500, 10000, 10000},
        {kLearnInter2, 31500, 30000, 30000},
    };
    const TestCandidate same = {kLearnInter2, 1055, 1000, 1000};
    Frame(kSecond, 256, 0);
    EXPECT_FALSE(IsTried(kSecond));
    EXPECT_FALSE(IsTried(same));
    for (const TestCandidate &c : others)
        EXPECT_TRUE(IsTried(c)) << "kind " << c.kind << ", cost " << c.cost;
}

TEST_F(LearnedGain, TakesAnyCost) {
    const TestCandidate odd[] = {
        {kLearnInter2, 0, 0, 0},
        {kLearnSplit, 0, UINT_MAX, 0},
        {kLearnKinds - 1, UINT_MAX, 1, UINT_MAX},
    };
    for (const TestCandidate &c : odd) {
        EXPECT_TRUE(IsTried(c));
        Frame(c, 256, 0);
        EXPECT_FALSE(IsTried(c));
    }
}

// Each macroblock evaluates all candidates in one of kExplored frames.
TEST_F(LearnedGain, ExploresInTurn) {
    int tried[4][16] = {};
    Frame(kSecond, 256, 0);
    for (int frame = 0; frame < kExplored; frame++) {
        for (int row = 0; row < 4; row++)
            for (int col = 0; col < 16; col++) tried[row][col] += Pays(learn_, row, col, &kSecond);
        AddRate(learn_, 0, kMeanRate);
        EndLearn(learn_);
        BeginLearn(learn_);
    }
    for (const auto &row : tried)
        for (int n : row) EXPECT_EQ(n, 1);
}

TEST_F(LearnedGain, FollowsTheContent) {
    Frame(kSecond, 8000, 0);
    EXPECT_FALSE(IsTried(kSecond));
    // Only the macroblocks that explore evaluate it now.
    for (int i = 0; i < 3; i++) Frame(kSecond, 8000 / kExplored, 20);
    EXPECT_TRUE(IsTried(kSecond));
    Frame(kSecond, 8000, 0);
    EXPECT_FALSE(IsTried(kSecond));
}

// Gains are relative to the mean rate of many frames, so gains in frames of few bits count little.
TEST_F(LearnedGain, IsRelativeToTheRateOfManyFrames) {
    Frame(kSecond, 8000, 20);
    EXPECT_TRUE(IsTried(kSecond));
    for (int i = 0; i < 4; i++) Frame(kSecond, 8000, 20, kMeanRate / 16);
    EXPECT_FALSE(IsTried(kSecond));
}

TEST_F(LearnedGain, DoesNotDependOnThreads) {
    TestLearn *const one = NewLearn(VP8E_MP_GUIDE_NORMAL, 0, kQuantizer);
    BeginLearn(one);
    for (int n = 56; n < 90; n++) {
        for (int i = 0; i < n; i++) {
            const TestCandidate c = {i % kLearnKinds, 900u + i * 7u % 300, 1000,
                                     1000u + 700u * (i % 30)};
            AddRate(one, 0, 300 * i);
            AddRate(learn_, i & 1, 300 * i);
            AddGain(one, 0, &c, 1 << 20, (1 << 20) - i * i);
            AddGain(learn_, i & 1, &c, 1 << 20, (1 << 20) - i * i);
        }
        EndLearn(one);
        EndLearn(learn_);
        BeginLearn(one);
        BeginLearn(learn_);
        for (int i = 0; i < 300; i++) {
            const TestCandidate c = {i % kLearnKinds, 900u + i, 1000, 1000u + 700u * (i % 30)};
            ASSERT_EQ(Pays(one, 0, i, &c), Pays(learn_, 0, i, &c));
        }
    }
    FreeLearn(one);
}

TEST_F(LearnedGain, IsNotCountedWithoutAPreviousBest) {
    for (int i = 0; i < 256; i++) {
        AddRate(learn_, 0, kMeanRate);
        AddGain(learn_, 0, &kSecond, INT_MAX, 1000);
    }
    EndLearn(learn_);
    BeginLearn(learn_);
    EXPECT_TRUE(IsTried(kSecond));
}

TEST_F(LearnedGain, IsNotUsedAtSafeAndAggressive) {
    for (int guide : {VP8E_MP_GUIDE_SAFE, VP8E_MP_GUIDE_AGGRESSIVE}) {
        Restart(guide, 0);
        for (int i = 0; i < 3; i++) Frame(kSecond, 256, 0);
        EXPECT_TRUE(IsTried(kSecond));
    }
}

}  // namespace
