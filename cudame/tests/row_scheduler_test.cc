// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Each row runs once, whichever thread asks for it. A thread that waited for a row sees its result.

#include "cpu/row_scheduler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using cudame::RowScheduler;

namespace {

class RowSchedulerTest : public testing::TestWithParam<int> {};

// Each row adds to the result of the row before, so that a row that runs twice, too early or not at
// all shows.
class Chain {
  public:
    explicit Chain(int rows) : sums_(static_cast<size_t>(rows)), runs_(sums_.size()) {}

    void Begin(RowScheduler* scheduler) {
        scheduler->Begin(static_cast<int>(sums_.size()), [this, scheduler](int row) {
            const auto i = static_cast<size_t>(row);
            runs_[i]++;
            if (row) scheduler->WaitRow(row - 1);
            sums_[i] = (row ? sums_[i - 1] : 0) + row;
        });
    }
    // Return the sum of a row that was waited for.
    int Sum(int row) const { return sums_[static_cast<size_t>(row)]; }
    int Runs(int row) const { return runs_[static_cast<size_t>(row)]; }

  private:
    std::vector<int> sums_;
    std::vector<std::atomic<int>> runs_;
};

TEST_P(RowSchedulerTest, RowsAreRunOnceInFramesOfAnySize) {
    RowScheduler scheduler(GetParam());
    for (int frame = 0; frame < 200; frame++) {
        const int rows = frame * 37 % 71;
        Chain chain(rows);
        chain.Begin(&scheduler);
        if (rows && frame % 3) scheduler.WaitRow(frame % rows);
        scheduler.End();
        for (int row = 0; row < rows; row++) {
            ASSERT_EQ(chain.Runs(row), 1) << "frame " << frame << ", row " << row;
            ASSERT_EQ(chain.Sum(row), row * (row + 1) / 2) << "frame " << frame;
        }
    }
}

TEST_P(RowSchedulerTest, ManyWaitForTheSameRows) {
    constexpr int kRows = 40, kWaiting = 8;
    RowScheduler scheduler(GetParam());
    for (int frame = 0; frame < 50; frame++) {
        Chain chain(kRows);
        chain.Begin(&scheduler);
        std::vector<std::thread> threads;
        std::atomic<int> wrong{0};
        for (int t = 0; t < kWaiting; t++) {
            threads.emplace_back([&, t] {
                for (int row = t % 3; row < kRows; row += 1 + t % 2) {
                    scheduler.WaitRow(row);
                    wrong += chain.Sum(row) != row * (row + 1) / 2;
                }
            });
        }
        for (auto& t : threads) t.join();
        scheduler.End();
        ASSERT_EQ(wrong, 0);
        for (int row = 0; row < kRows; row++) ASSERT_EQ(chain.Runs(row), 1);
    }
}

// Threads sleep while a row takes long, and all of them wake up.
TEST_P(RowSchedulerTest, SlowRowsAreWaitedFor) {
    constexpr int kRows = 40;
    RowScheduler scheduler(GetParam());
    std::vector<int> made(kRows);
    scheduler.Begin(kRows, [&](int row) {
        std::this_thread::sleep_for(std::chrono::milliseconds(row % 16 ? 1 : 20));
        made[static_cast<size_t>(row)] = row + 1;
    });
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 4; t++) {
        threads.emplace_back([&] {
            for (int row = 0; row < kRows; row++) {
                scheduler.WaitRow(row);
                wrong += made[static_cast<size_t>(row)] != row + 1;
            }
        });
    }
    for (auto& t : threads) t.join();
    scheduler.End();
    EXPECT_EQ(wrong, 0);
}

TEST_P(RowSchedulerTest, WhatIsAbandonedIsNotBegun) {
    RowScheduler scheduler(GetParam());
    for (int frame = 0; frame < 200; frame++) {
        constexpr int kRows = 60;
        std::vector<std::atomic<int>> runs(kRows);
        std::atomic<bool> over{false};
        std::atomic<int> late{0};
        scheduler.Begin(kRows, [&](int row) {
            late += over;
            runs[static_cast<size_t>(row)]++;
        });
        if (frame % 2) scheduler.WaitRow(frame % kRows);
        scheduler.Abandon();
        over = true;
        int run = 0;
        for (const auto& r : runs) {
            ASSERT_LE(r, 1);
            run += r;
        }
        const int waited = frame % 2 ? runs[static_cast<size_t>(frame % kRows)].load() : 1;
        ASSERT_EQ(waited, 1);
        ASSERT_GE(run, frame % 2);
        ASSERT_EQ(late, 0);
    }
    Chain chain(20);
    chain.Begin(&scheduler);
    scheduler.End();
    EXPECT_EQ(chain.Sum(19), 190);
}

TEST_P(RowSchedulerTest, EndsWithoutAFrame) {
    RowScheduler scheduler(GetParam());
    scheduler.End();
    scheduler.Abandon();
}

INSTANTIATE_TEST_SUITE_P(Workers, RowSchedulerTest, testing::Values(0, 1, 3, 16));

}  // namespace
